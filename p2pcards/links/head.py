"""The head of a request or an answer of HTTP, bounded before h11 reads it."""

from __future__ import annotations

import re

import h11
import trio

HEAD = 16384
"""Bytes of the longest one."""

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
ODD_LINE = re.compile(rb"(?<!\r)\n|\r(?!\n)|\r\n[ \t]")
"""A line that ends with LF or CR alone, or is folded: h11 would accept both."""


async def read_head(stream: trio.abc.Stream, received: bytes = b"") -> tuple[bytes, bytes]:
    """A head with its empty line, and what was received after it; cut short where the stream ends. received: the bytes
    read so far. Raises h11.RemoteProtocolError, with the status of the answer to a request."""
    searched = 0
    while (found := END_OF_HEAD.search(received, searched)) is None and len(received) <= HEAD:
        searched = max(0, len(received) - 3)
        more = bytes(await stream.receive_some(HEAD))
        if not more:
            return received, b""
        received += more
    end = found.end() if found else len(received)
    if end > HEAD:
        raise h11.RemoteProtocolError("a head that is too long", error_status_hint=431)
    if ODD_LINE.search(received, 0, end):
        raise h11.RemoteProtocolError("a line that does not end with CR LF")
    return received[:end], received[end:]
