"""The files of the page: what a browser is served, and the hash of the whole set. Nothing but the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "built"

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
"""By the end of a file's name."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """body: as it is sent. kind: its media type. encoding: "" or what it is compressed with, "gzip" or "br". lasting:
    its name changes with its bytes, so a browser may keep it for good."""

    body: bytes
    kind: str
    encoding: str
    lasting: bool


@cache
def page_files() -> Mapping[str, PageFile]:
    """By the name in the address."""
    found = sorted(path for path in FOLDER.iterdir() if path.suffix in KINDS)
    return {path.name: PageFile(path.read_bytes(), KINDS[path.suffix], "", False) for path in found}


@cache
def page_hash() -> str:
    """Of all files with their names, in hexadecimal."""
    whole = sha256()
    for name, file in sorted(page_files().items()):
        whole.update(f"{name} {sha256(file.body).hexdigest()}\n".encode())
    return whole.hexdigest()
