"""A daemon that notes when its computer player has chosen and when each record was put into a log.

`python -m benchmarks.timed_daemon STATE CONFIG SOCKET STAMPS SYNC ECHO`: STAMPS names the file in STATE that gets
what was noted, as JSON, when the daemon ends; SYNC is "sync", or "leave" to leave it to the system when to write;
ECHO the port of a program that echoes, or 0. With one, the floor that moves are held against is measured just before
each move of ours.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2pcards.daemon import thinking
from p2pcards.daemon.__main__ import announce
from p2pcards.daemon.serve import run_daemon
from p2pcards.players.choose import choose
from p2pcards.store.files import Home
from p2pcards.store.logs import SYNC
from p2pcards.wire.crypto import Ed25519PrivateKey

SIZE = 91
"""Bytes of an echo and of what is signed: those of a move."""


class Stamps:
    """chosen: nanoseconds when our player had chosen; kept: (inode of the log, its size, nanoseconds) when a record had
    been put into it. Nanoseconds are of the clock that all processes share."""

    def __init__(self, sync: Callable[[int], None] | None) -> None:
        self.chosen: list[int] = []
        self.kept: list[tuple[int, int, int]] = []
        self._sync = sync

    def keep(self, fd: int) -> None:
        if self._sync:
            self._sync(fd)
        now = time.monotonic_ns()
        status = os.fstat(fd)
        self.kept.append((status.st_ino, status.st_size, now))


class Floor:
    """What no move can do without: nanoseconds of each operation, measured again and again."""

    def __init__(self, port: int) -> None:
        self.taken: dict[str, list[int]] = {"sign": [], "verify": [], "echo": []}
        self._key = Ed25519PrivateKey.generate()
        self._public = self._key.public_key()
        self._echo = socket.create_connection(("127.0.0.1", port))
        self._echo.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def measure(self) -> None:
        message = os.urandom(SIZE)
        signature = self._timed("sign", lambda: self._key.sign(message))
        self._timed("verify", lambda: self._public.verify(signature, message))
        self._timed("echo", lambda: self._round_trip(message))

    def _timed(self, what: str, operation: Callable[[], Any]) -> Any:
        start = time.monotonic_ns()
        result = operation()
        self.taken[what].append(time.monotonic_ns() - start)
        return result

    def _round_trip(self, message: bytes) -> None:
        self._echo.sendall(message)
        rest = len(message)
        while rest:
            rest -= len(self._echo.recv(rest))


def main(arguments: list[str]) -> int:
    state, config, socket, name, sync, echo = arguments
    home = Home(Path(state), Path(config), Path(socket))
    stamps = Stamps(SYNC if sync == "sync" else None)
    floor = Floor(int(echo)) if int(echo) else None

    def choose_and_note(*of_what: Any) -> Any:
        action = choose(*of_what)
        if floor:
            floor.measure()
        stamps.chosen.append(time.monotonic_ns())
        return action

    assert vars(thinking)["choose"] is choose, (
        "this is where a table asks those of its computer players that do not search"
    )
    setattr(thinking, "choose", choose_and_note)  # noqa: B010 - mypy would not have it
    code = run_daemon(home, announce, stamps.keep)
    taken = floor.taken if floor else {}
    (home.state / name).write_text(json.dumps({"chosen": stamps.chosen, "kept": stamps.kept, "floor": taken}))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
