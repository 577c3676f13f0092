"""The head of a request or an answer of HTTP, bounded before h11 reads it."""

from __future__ import annotations

import re

import h11
import trio

HEAD = 16384
"""Bytes of the longest one."""

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
ODD_LINE = re.compile(rb"(?<!\r)\n|\r(?!\n)|\r\n[ \t]")
"""A line that ends with LF or CR alone, or goes on in the next: h11 reads those."""


async def read_head(stream: trio.abc.Stream, come: bytes = b"") -> tuple[bytes, bytes]:
    """A head with its empty line, and what has come behind it; cut short where the stream ends. come: what has come
    before. Raises h11.RemoteProtocolError, with the status of the answer to a request."""
    searched = 0
    while (found := END_OF_HEAD.search(come, searched)) is None and len(come) <= HEAD:
        searched = max(0, len(come) - 3)
        more = bytes(await stream.receive_some(HEAD))
        if not more:
            return come, b""
        come += more
    end = found.end() if found else len(come)
    if end > HEAD:
        raise h11.RemoteProtocolError("a head that is too long", error_status_hint=431)
    if ODD_LINE.search(come, 0, end):
        raise h11.RemoteProtocolError("a line that does not end with CR LF")
    return come[:end], come[end:]
