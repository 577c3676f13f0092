"""The files of the page: what a browser is served, and the hash of the whole set. Nothing but the standard library.

Three kinds of files make a page. In `built/` lies what was built (`scripts/page`): the table, and in `built/engine/`
Python and what it needs besides, compressed. `worker.js` is served as it is written, and so is `service.js`, with the
digests of all others. The program itself is put together from the installed package when somebody asks for it, so that
the page always plays by the rules that its host has.

What is loaded has a name that follows from its bytes, so a browser asks for it once, and never has parts of two builds
together: `index.html` names the script, the style and the worker, the worker names `set.json`, and that the rest. What
has no such name is asked for anew: `index.html`, `digests.txt`, `hash.txt`, and what a page on a home screen has.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
    ".png": "image/png",
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
INLINE = "'sha256-mQfPePFKKuLae8/9Tq3tmUYKZgIYirTPBVSfkFv2DV4='"
"""What a policy allows besides the files: the script in `index.html` that mends the address of the page."""
ENTRY, WORKER, LISTED = "index.html", "worker.js", "set.json"
SERVICE, MANIFEST = "service.js", "manifest.json"
LOADED = (
    *("pyodide.js", "noble.js", "pyodide.asm.js", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "libraries.zip"),
)
"""What the worker loads of the engine, in the order in which the page names it; it loads the program besides."""
DIGESTS, HASHED = "digests.txt", "hash.txt"
"""Have a digest of each other file, and the hash of that text, which is that of the page (protocol/reach.md)."""


@dataclass(frozen=True, slots=True)
class PageFile:
    body: bytes  # as it is sent
    kind: str  # its media type
    encoding: str  # compression, "gzip" or "br"; "" for none
    lasting: bool  # its name changes with its bytes, so a browser may keep it for good

    @property
    def content(self) -> bytes:
        """The file's bytes, unpacked as a browser does."""
        return gzip.decompress(self.body) if self.encoding else self.body


@cache
def table_page_files() -> Mapping[str, PageFile]:
    """The files, by name in the address, of a page that shows a table while the daemon is elsewhere."""
    files = _read_built_files()
    for name in TABLE:
        _name_by_hash(files, name, ENTRY)
    return files


TABLE = ("page.css", "page.js")


def _read_built_files() -> dict[str, PageFile]:
    return {
        path.name.removesuffix(PACKED): _read_page_file(path) for path in sorted(FOLDER.iterdir()) if path.is_file()
    }


@cache
def whole_page_files() -> Mapping[str, PageFile]:
    """All files of the page, by name in the address."""
    files = {**_read_built_files(), WORKER: _read_page_file(HERE / WORKER), MANIFEST: _read_page_file(HERE / MANIFEST)}
    listed: dict[str, object] = {}
    engine = {path.name.removesuffix(PACKED): _read_page_file(path, lasting=True) for path in sorted(ENGINE.glob("*"))}
    if engine:
        folder = f"engine-{_hash_of(engine)[:NAMED]}/"
        program = program_zip()
        name = _hashed_name("program.zip", program)
        files |= {f"{folder}{name}": file for name, file in engine.items()}
        files[name] = _compress_file(program, KINDS[".zip"], True)
        sizes = {part: len(files[part].content) for part in (*(f"{folder}{one}" for one in LOADED), name)}
        python = json.loads(engine["python.json"].content)
        listed = {"engine": folder, "program": name, "python": python, "sizes": sizes}
    files[LISTED] = PageFile(json.dumps(listed).encode(), KINDS[".json"], "", False)
    _name_by_hash(files, LISTED, WORKER)
    for name in (*TABLE, WORKER):
        _name_by_hash(files, name, ENTRY)
    files[SERVICE] = _list_digests(_read_page_file(HERE / SERVICE), files)
    hashed = PageFile(f"{_hash_of(files)}\n".encode(), KINDS[".txt"], "", False)
    return files | {DIGESTS: _compress_file(_digests_of(files), KINDS[".txt"], False), HASHED: hashed}


@cache
def page_hash() -> str:
    """The hash of all files with their names, in hexadecimal. Compression doesn't count, as it varies with zlib."""
    return whole_page_files()[HASHED].body.decode().strip()


def _name_by_hash(files: dict[str, PageFile], name: str, within: str) -> None:
    """Rename a file by the hash of its bytes, and put that name into the file that refers to it."""
    file, asks = files.pop(name), files[within]
    named = _hashed_name(name, file.content)
    files[named] = replace(file, lasting=True)
    files[within] = _compress_file(
        asks.content.replace(f'"{name}"'.encode(), f'"{named}"'.encode()), asks.kind, asks.lasting
    )


def _list_digests(service: PageFile, files: Mapping[str, PageFile]) -> PageFile:
    """The service worker with the digest of each file that it caches."""
    digests = json.dumps({name: sha256(file.content).hexdigest() for name, file in sorted(files.items())})
    return _compress_file(service.content.replace(b"FILES = {}", b"FILES = " + digests.encode()), service.kind, False)


def _hashed_name(name: str, data: bytes) -> str:
    """``page-0123456789abcdef.js`` for "page.js"."""
    stem, _, kind = name.rpartition(".")
    return f"{stem}-{sha256(data).hexdigest()[:NAMED]}.{kind}"


def _hash_of(files: Mapping[str, PageFile]) -> str:
    return sha256(_digests_of(files)).hexdigest()


def _digests_of(files: Mapping[str, PageFile]) -> bytes:
    lines = [f"{name} {sha256(file.content).hexdigest()}\n" for name, file in sorted(files.items())]
    return "".join(lines).encode()


SMALL = 1024
"""Bytes of a file that is not worth compressing."""


def _read_page_file(path: Path, *, lasting: bool = False) -> PageFile:
    kind, data = KINDS[Path(path.name.removesuffix(PACKED)).suffix], path.read_bytes()
    if path.suffix == PACKED:
        return PageFile(data, kind, "gzip", lasting)
    return _compress_file(data, kind, lasting) if len(data) > SMALL else PageFile(data, kind, "", lasting)


def _compress_file(data: bytes, kind: str, lasting: bool) -> PageFile:
    return PageFile(gzip.compress(data, mtime=0), kind, "gzip", lasting)


# --- the program ------------------------------------------------------------------------------------------------------


LEFT_OUT = (
    *("cli", "conform", "tui", "page/built", "page/source", "web/kept_page.py", "web/server.py", "web/tab.py"),
    *("links/direct.py", "links/gateway.py", "links/mapping.py", "links/outside_view.py"),
    *("links/pcp.py", "links/stun.py", "links/upnp.py", "links/ways.py"),
)
"""What a page has no use for, below the package."""
TAKEN = (".bin", ".md", ".py", ".svg", ".toml", ".txt")
"""How the names end of what is needed: no compiled kernels, which are of this machine."""
WHEN = (2026, 1, 1, 0, 0, 0)
"""Of every file, so that the same text makes the same archive."""


def program_zip() -> bytes:
    """The program's rooms that run in a page, as an uncompressed zip: the whole page is compressed once."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for name, path in sorted(_program_sources()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), path.read_bytes())
    return found.getvalue()


def _program_sources() -> Iterator[tuple[str, Path]]:
    for path in PACKAGE.rglob("*"):
        below = path.relative_to(PACKAGE).as_posix()
        if path.suffix in TAKEN and path.is_file() and not below.startswith(LEFT_OUT) and "__pycache__" not in below:
            yield f"p2pcards/{below}", path
