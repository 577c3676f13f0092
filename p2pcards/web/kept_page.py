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

from p2pcards.page.files import HASHED, PageFile

PATIENCE = 20.0
"""Seconds for each answer."""
LARGEST = 1 << 26
"""Bytes of a file: more than any of the page has."""


LIE_PACKED = (".wasm", ".zip")
"""How the names end of what the page loads by itself, and can unpack."""
SAYS_SO = b"packed\n"
"""Behind the hash in `HASHED`, where they lie so."""


def write_page(files: Mapping[str, PageFile], folder: Path) -> int:
    """Write the page's files to a folder, for any web server: large ones compressed, which the page unpacks itself.
    Returns the number of bytes. Raises OSError, FileExistsError if the folder isn't empty."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(folder)
    size = 0
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(_stored_bytes(name, file))
    return size


def _stored_bytes(name: str, file: PageFile) -> bytes:
    if name == HASHED:
        return file.content + SAYS_SO
    return file.body if name.endswith(LIE_PACKED) else file.content


def find_differences(files: Mapping[str, PageFile], address: str) -> Iterator[str]:
    """A sentence for each file that the address serves otherwise, compressed or not. Raises OSError where it serves
    nothing."""
    for name, file in files.items():
        found = _fetch_file(urljoin(address, name))
        if found is not None and found != file.content:
            found = _unpack_stored(name, found)
        if found is None:
            yield f"{name} is missing."
        elif found != file.content:
            yield f"{name} differs: {_describe_bytes(found)} there, {_describe_bytes(file.content)} here."


def _unpack_stored(name: str, found: bytes) -> bytes:
    """The bytes of a file written by `write_page`, as an ordinary host would serve them."""
    if name == HASHED:
        return found.removesuffix(SAYS_SO)
    return _unpack(found) if name.endswith(LIE_PACKED) else found


def is_address(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https") and bool(urlsplit(address).netloc)


def _describe_bytes(data: bytes) -> str:
    return f"{len(data):,} bytes with hash {sha256(data).hexdigest()[:16]}"


def _fetch_file(address: str) -> bytes | None:
    """The bytes of a file at this address, unpacked; None where there is none. Raises OSError."""
    try:
        with urlopen(Request(address, headers={"Accept-Encoding": "gzip"}), timeout=PATIENCE) as answer:
            data = bytes(answer.read(LARGEST))
            packed = answer.headers.get("Content-Encoding") == "gzip"
    except HTTPError as error:
        error.close()
        return None
    except URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else OSError(str(error.reason)) from None
    return _unpack(data) if packed else data


def _unpack(data: bytes) -> bytes:
    """The data unpacked, or unchanged if it isn't compressed."""
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as unpacked:  # at most so much, whatever it promises
            return unpacked.read(LARGEST)
    except (OSError, EOFError, zlib.error):
        return data
