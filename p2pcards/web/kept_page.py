"""The page as files: written for a web space of one's own, and compared with what an address serves."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import Request, urlopen

from p2pcards.page.files import PageFile

PATIENCE = 20.0
"""Seconds for each answer."""
LARGEST = 1 << 26
"""Bytes of a file: more than any of the page has."""


def write_page(files: Mapping[str, PageFile], folder: Path) -> None:
    """Each file as a browser makes use of it: a web space compresses them in its own way. Raises OSError, of which
    FileExistsError where something stands in the folder."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(folder)
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def differences(files: Mapping[str, PageFile], address: str) -> Iterator[str]:
    """A sentence for each file that this address does not serve as these are, as they are found. Raises OSError where
    it serves nothing."""
    for name, file in files.items():
        found = _served(urljoin(address, name))
        if found is None:
            yield f"{name} is not there."
        elif found != file.content:
            yield f"{name} is another: {_told(found)} there, {_told(file.content)} here."


def is_address(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https") and bool(urlsplit(address).netloc)


def _told(data: bytes) -> str:
    return f"{len(data):,} bytes with the hash {sha256(data).hexdigest()[:16]}"


def _served(address: str) -> bytes | None:
    """What a browser makes of the file, None where there is none. Raises OSError."""
    try:
        with urlopen(Request(address, headers={"Accept-Encoding": "gzip"}), timeout=PATIENCE) as answer:
            data = bytes(answer.read(LARGEST))
            packed = answer.headers.get("Content-Encoding") == "gzip"
    except HTTPError as error:
        error.close()
        return None
    except URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else OSError(str(error.reason)) from None
    if not packed:
        return data
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as unpacked:  # at most so much, whatever it promises
            return unpacked.read(LARGEST)
    except (OSError, EOFError, zlib.error):
        return data
