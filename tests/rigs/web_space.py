"""A web space: a folder that a plain server serves as it lies there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from ssl import SSLContext
from threading import Thread

import pytest

from p2pcards.links.address import format_address
from p2pcards.page.files import whole_page_files
from p2pcards.web.kept_page import write_page


@pytest.fixture(scope="session")
def built_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `web build` writes, to be served as it is."""
    write_page(whole_page_files(), folder := tmp_path_factory.mktemp("space"))
    return folder


class PlainSpace(SimpleHTTPRequestHandler):
    """As `python -m http.server` serves it."""

    def log_message(self, *_: object) -> None: ...


KNOWN = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


class PoorSpace(PlainSpace):
    """Of a kind that there is as well: it knows few kinds of files, and answers with the first page in place of what is
    not there."""

    def guess_type(self, path: object) -> str:
        return KNOWN.get(Path(str(path)).suffix, "application/octet-stream")

    def translate_path(self, path: str) -> str:
        found = super().translate_path(path)
        return found if Path(found).exists() else super().translate_path("/index.html")


@contextmanager
def web_space(
    folder: Path,
    kind: type[PlainSpace] = PlainSpace,
    certified: SSLContext | None = None,
    at: socket | None = None,
) -> Iterator[str]:
    """Its address. certified: for https. at: where it listens, else anywhere on this machine."""
    folder.mkdir(exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder)))
    if at is not None:
        server.server_close()
        server.socket = at
    address = format_address(*server.socket.getsockname()[:2])
    if certified is not None:
        server.socket = certified.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"{'https' if certified else 'http'}://{address}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
