"""The build of p2pcards that a process runs: its version, and its sources as they were when this was imported."""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

import p2pcards

ROOT = Path(p2pcards.__file__).parent

Source = tuple[str, int, int]
"""Path, size, time of change."""


def sources(folder: str = os.fspath(ROOT)) -> list[Source]:
    """Those of the program; none in a page, where one program is both daemon and front end."""
    if sys.platform == "emscripten":
        return []
    found: list[Source] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                found.append((entry.path, status.st_size, status.st_mtime_ns))
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                found += sources(entry.path)
    return sorted(found)


def stamp() -> str:
    """A hash of names, sizes and times: 389 files in 1.5 ms."""
    return blake2b(repr(sources()).encode(), digest_size=8).hexdigest()


@cache
def contents() -> str:
    """A hash of names and contents: 389 files in 15 ms."""
    digest = blake2b(digest_size=8)
    for path, size, _ in sources():
        digest.update(f"{Path(path).relative_to(ROOT).as_posix()}\n{size}\n".encode())
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


STAMP = stamp()
"""At the import: later the sources may be others than those that run."""


def own_build() -> str:
    """What a daemon tells a front end in place of its version; it asks once as it starts, as contents are read."""
    return f"{p2pcards.__version__}+{STAMP}.{contents()}"


def is_own_build(told: str) -> bool:
    """Whether this is what a daemon of the same sources tells. One from before builds tells its version alone."""
    version, _, hashes = told.partition("+")
    its_stamp, _, its_contents = hashes.partition(".")
    if version != p2pcards.__version__:
        return False
    # Files that were touched, or copied, are the same program all the same.
    return its_stamp == STAMP or (bool(its_contents) and stamp() == STAMP and its_contents == contents())
