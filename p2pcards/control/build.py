"""The build of p2pcards that a process runs: its version, and its sources as they were when this was imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

import p2pcards

ROOT = Path(p2pcards.__file__).parent

Source = tuple[str, int, int]
"""Path, size, time of change."""


def sources() -> list[Source]:
    """(path, size, time) of the program's source files, or of the archive that it runs from; none in a page."""
    if sys.platform == "emscripten":
        return []
    try:
        return sorted(_sources_below(os.fspath(ROOT)))
    except NotADirectoryError:
        archive = next(path for path in ROOT.parents if path.is_file())
        status = archive.stat()
        return [(os.fspath(archive), status.st_size, status.st_mtime_ns)]


def _sources_below(folder: str) -> Iterator[Source]:
    """The Python files below a folder, as (path, size, time in nanoseconds)."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _sources_below(entry.path)


def sources_stamp() -> str:
    """A hash of the names, sizes and times of the program's sources."""
    return blake2b(repr(sources()).encode(), digest_size=8).hexdigest()


@cache
def sources_digest() -> str:
    """A hash of the names and contents of the program's sources."""
    digest = blake2b(digest_size=8)
    for path, size, _ in sources():
        digest.update(f"{path.removeprefix(os.fspath(ROOT))}\n{size}\n".encode())
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


STAMP = sources_stamp()
"""At the import: later the sources may be others than those that run."""


def was_updated() -> bool:
    """True if the sources have changed since this process started."""
    return sources_stamp() != STAMP


def own_build() -> str:
    """The build of this process, which a daemon sends in its greeting: version and digest of the sources."""
    return f"{p2pcards.__version__}+{STAMP}.{sources_digest()}"


def is_own_build(told: str) -> bool:
    """True if a daemon's build is that of this program. A daemon from before builds sends its version alone."""
    version, _, hashes = told.partition("+")
    its_stamp, _, its_contents = hashes.partition(".")
    if version != p2pcards.__version__:
        return False
    # Files that were touched, or copied, are the same program all the same.
    return its_stamp == STAMP or (bool(its_contents) and not was_updated() and its_contents == sources_digest())
