"""`p2pcards web` as a process, and what asks it for something without a browser."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, RejectConnection, Request, TextMessage

from p2pcards.store.files import find_home
from p2pcards.store.settings import find_setting, set_setting
from rigs.giving_up import longest_wait
from rigs.program import PROGRAM, TRACE, Program


class Served:
    """The server of one home. before: a command that runs it; environment: what it finds there besides."""

    def __init__(self, program: Program, *before: str, environment: Mapping[str, str] | None = None) -> None:
        set_setting(find_home({"P2PCARDS_HOME": str(program.home)}), find_setting("speed"), "off")
        self._process = subprocess.Popen(
            [*before, *PROGRAM, "web", "--json"],
            env={**program.environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        self.address: str = json.loads("".join([self._process.stdout.readline() for _ in range(3)]))["address"]

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        assert self._process.stdout
        assert self._process.stderr
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()

    @property
    def where(self) -> str:
        """The host and the port."""
        return urlsplit(self.address).netloc

    @property
    def path(self) -> str:
        """The token between slashes."""
        return urlsplit(self.address).path

    def connection(self) -> socket.socket:
        host, _, port = self.where.partition(":")
        return socket.create_connection((host, int(port)), timeout=longest_wait())

    def interrupt(self) -> int:
        """Ctrl-C; its exit code."""
        self._process.send_signal(signal.SIGINT)
        out, err = self._process.communicate(timeout=longest_wait())
        assert TRACE not in out + err
        return self._process.returncode

    def kill(self) -> None:
        """It ends without a chance to do anything."""
        self._process.kill()
        self._process.wait()


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    head: str
    body: bytes


def asked(
    served: Served, path: str, host: str | None = None, method: str = "GET", more: tuple[str, ...] = ()
) -> Answer:
    """What the server answers. host: None for its own; more: further header lines."""
    with served.connection() as link:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or served.where}", *more]
        link.sendall("".join([f"{line}\r\n" for line in [*lines, ""]]).encode())
        data = b""
        while piece := link.recv(65536):
            data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    return Answer(int(head.split()[1]), head.decode(), body)


class Tab:
    """A WebSocket as the page opens it. Raises ConnectionRefusedError if the server does not take it."""

    def __init__(self, served: Served, path: str, host: str | None = None, origin: str | None = None) -> None:
        self.link = served.connection()
        self.heard = ""
        self.code: int | None = None
        self.reason = ""
        self._protocol = WSConnection(ConnectionType.CLIENT)
        host = host or served.where
        headers = [] if origin == "" else [(b"Origin", (origin or f"http://{host}").encode())]
        self._send(self._protocol.send(Request(host=host, target=path, extra_headers=headers)))
        event = self._next()
        if isinstance(event, RejectConnection):
            self.link.close()
            raise ConnectionRefusedError(event.status_code)
        assert isinstance(event, AcceptConnection)

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()

    def say(self, kind: str, **more: Any) -> None:
        self._send(self._protocol.send(TextMessage(data=json.dumps({"is": kind, **more}))))

    def until(self, words: str) -> None:
        """Read until the page has been told this since the last time."""
        while words not in self.heard:
            assert self._read(), f"{words!r} does not come; there is {self.heard!r}"
        self.heard = ""

    def until_closed(self) -> int | None:
        """Why the server closes it."""
        while self._read():
            pass
        return self.code

    def _read(self) -> bool:
        event = self._next()
        if isinstance(event, TextMessage):
            self.heard += event.data
        if isinstance(event, CloseConnection):
            self.code, self.reason = event.code, event.reason or ""
        return not isinstance(event, CloseConnection)

    def _next(self) -> object:
        while True:
            for event in self._protocol.events():
                return event
            self._protocol.receive_data(self.link.recv(65536) or None)

    def _send(self, data: bytes) -> None:
        self.link.sendall(data)


def wait_until(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + longest_wait()
    while not true():
        assert time.monotonic() < end, f"it does not come about that {what}"
        time.sleep(0.02)
