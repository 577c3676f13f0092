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
    """For a web space whose server may know of no compression: what is large lies compressed, and the page unpacks it.
    Returns the bytes of all. Raises OSError, of which FileExistsError where something stands in the folder."""
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(folder)
    size = 0
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(_lying(name, file))
    return size


def _lying(name: str, file: PageFile) -> bytes:
    if name == HASHED:
        return file.content + SAYS_SO
    return file.body if name.endswith(LIE_PACKED) else file.content


def differences(files: Mapping[str, PageFile], address: str) -> Iterator[str]:
    """A sentence for each file that this address does not serve as these are, as they are found; compressed or not is
    the same. Raises OSError where it serves nothing."""
    for name, file in files.items():
        found = _served(urljoin(address, name))
        if found is not None and found != file.content:
            found = _as_host_has_it(name, found)
        if found is None:
            yield f"{name} is missing."
        elif found != file.content:
            yield f"{name} differs: {_told(found)} there, {_told(file.content)} here."


def _as_host_has_it(name: str, found: bytes) -> bytes:
    """What lies there as `write_page` has written it, as it comes from a host."""
    if name == HASHED:
        return found.removesuffix(SAYS_SO)
    return _unpacked(found) if name.endswith(LIE_PACKED) else found


def is_address(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https") and bool(urlsplit(address).netloc)


def _told(data: bytes) -> str:
    return f"{len(data):,} bytes with hash {sha256(data).hexdigest()[:16]}"


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
    return _unpacked(data) if packed else data


def _unpacked(data: bytes) -> bytes:
    """As it is where it cannot be unpacked."""
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as unpacked:  # at most so much, whatever it promises
            return unpacked.read(LARGEST)
    except (OSError, EOFError, zlib.error):
        return data
