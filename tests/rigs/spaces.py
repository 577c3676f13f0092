"""Web spaces: a folder that a plain server serves, which knows nothing of the page and sends no headers for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar


class PlainSpace(SimpleHTTPRequestHandler):
    """As `python -m http.server` serves it."""

    def log_message(self, *_: object) -> None: ...


class PoorSpace(PlainSpace):
    """Of a kind that there is as well: it knows few kinds of files, and answers with the first page in place of what is
    not there."""

    extensions_map: ClassVar[dict[str, str]] = {
        "": "application/octet-stream",
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
    }

    def translate_path(self, path: str) -> str:
        found = super().translate_path(path)
        return found if Path(found).exists() else super().translate_path("/index.html")


@contextmanager
def serving(folder: Path, kind: type[PlainSpace] = PlainSpace) -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def address_of(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/"
