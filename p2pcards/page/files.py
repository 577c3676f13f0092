"""The files of the page: what a browser is served, and the hash of the whole set. Nothing but the standard library.

Three kinds of files make a page. In `built/` lies what was built (`scripts/page`): the table, and in `built/engine/`
Python and what it needs besides, compressed. `worker.js` is served as it is written. The program itself is put together
from the installed package when somebody asks for it, so that the page always plays by the rules that its host has.

All that is large has a name that follows from its bytes, and is loaded once. `set.json` says these names.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE / "built"
ENGINE = FOLDER / "engine"
PACKAGE = HERE.parent

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
"""By the end of a file's name."""
PACKED = ".gz"
"""Behind the name of a file that is kept compressed, as it is sent."""
NAMED = 16
"""Letters of a hash that stand in a name."""
LISTED = "set.json"
"""The only file that says what the others are, and that no hash is taken of."""
UNPACKED_THERE = (".wasm", ".zip")
"""How the names end of what the page loads by itself, and can unpack where a web space serves it as it lies there."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """body: as it is sent. kind: its media type. encoding: "" or what it is compressed with, "gzip" or "br". lasting:
    its name changes with its bytes, so a browser may keep it for good."""

    body: bytes
    kind: str
    encoding: str
    lasting: bool

    @property
    def content(self) -> bytes:
        """What a browser makes of it."""
        return gzip.decompress(self.body) if self.encoding else self.body


@cache
def table_files() -> Mapping[str, PageFile]:
    """By the name in the address what shows a table, for a page whose daemon is elsewhere."""
    return {path.name.removesuffix(PACKED): _file(path) for path in sorted(FOLDER.iterdir()) if path.is_file()}


@cache
def page_files() -> Mapping[str, PageFile]:
    """By the name in the address."""
    files = {**table_files()}
    files["worker.js"] = _file(HERE / "worker.js")
    listed: dict[str, object] = {}
    engine = {path.name.removesuffix(PACKED): _file(path, lasting=True) for path in sorted(ENGINE.glob("*"))}
    if engine:
        folder = f"engine-{_hash_of(engine)[:NAMED]}/"
        program = program_zip()
        name = f"program-{sha256(program).hexdigest()[:NAMED]}.zip"
        files |= {f"{folder}{name}": file for name, file in engine.items()}
        files[name] = _packed(program, KINDS[".zip"], True)
        listed = {"engine": folder, "program": name, "python": json.loads(engine["python.json"].content)}
    listed["hash"] = _hash_of(files)
    return files | {LISTED: PageFile(json.dumps(listed).encode(), KINDS[".json"], "", False)}


def files_to_lie() -> Mapping[str, bytes]:
    """By name what is written for a web space, whose server may know of no compression: what the page can unpack by
    itself is packed, and `LISTED` says so."""
    files = page_files()
    found = {name: file.body if is_packed_to_lie(name) else file.content for name, file in files.items()}
    return found | {LISTED: json.dumps(json.loads(files[LISTED].body) | {"packed": True}).encode()}


def is_packed_to_lie(name: str) -> bool:
    return name.endswith(UNPACKED_THERE)


@cache
def page_hash() -> str:
    """Of all files with their names and what a browser makes of them, in hexadecimal. How they are compressed does not
    count, as another zlib compresses otherwise."""
    found: str = json.loads(page_files()[LISTED].body)["hash"]
    return found


def _hash_of(files: Mapping[str, PageFile]) -> str:
    whole = sha256()
    for name, file in sorted(files.items()):
        whole.update(f"{name} {sha256(file.content).hexdigest()}\n".encode())
    return whole.hexdigest()


SMALL = 1024
"""Bytes of a file that is not worth compressing."""


def _file(path: Path, *, lasting: bool = False) -> PageFile:
    kind, data = KINDS[Path(path.name.removesuffix(PACKED)).suffix], path.read_bytes()
    if path.suffix == PACKED:
        return PageFile(data, kind, "gzip", lasting)
    return _packed(data, kind, lasting) if len(data) > SMALL else PageFile(data, kind, "", lasting)


def _packed(data: bytes, kind: str, lasting: bool) -> PageFile:
    return PageFile(gzip.compress(data, mtime=0), kind, "gzip", lasting)


# --- the program ------------------------------------------------------------------------------------------------------


LEFT_OUT = ("cli", "tui", "page/built", "page/source", "web/kept_page.py", "web/page", "web/server.py", "web/tab.py")
"""What a page has no use for, below the package."""
TAKEN = (".bin", ".md", ".py", ".svg", ".toml", ".txt")
"""How the names end of what is needed: no compiled kernels, which are of this machine."""
WHEN = (2026, 1, 1, 0, 0, 0)
"""Of every file, so that the same text makes the same archive."""


def program_zip() -> bytes:
    """The rooms of the program that play in a page, as they are installed here. Uncompressed: that is done once, with
    the whole."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for name, path in sorted(_program()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), path.read_bytes())
    return found.getvalue()


def _program() -> Iterator[tuple[str, Path]]:
    for path in PACKAGE.rglob("*"):
        below = path.relative_to(PACKAGE).as_posix()
        if path.suffix in TAKEN and path.is_file() and not below.startswith(LEFT_OUT) and "__pycache__" not in below:
            yield f"p2pcards/{below}", path
