"""Where this home waits and whom it has joined, kept so that a daemon that was killed can do so again.

What cannot be read is left out, and so is what version 0.1.0 wrote: there a request was one flat record.
"""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from p2pcards.control.messages import OpenHost, OpenJoin, OpenLine, OpenListen
from p2pcards.control.protocol import BadMessage, from_plain, to_plain
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, write_whole
from p2pcards.store.home import Home
from p2pcards.store.logs import list_logs

NAME = "listening.json"
HOSTED = "hosted.json"


Kept = OpenListen | OpenLine | OpenJoin


class WaitingTables:
    """The requests of the tables that wait or have joined now, and the files that keep them. Nothing is refused when
    these cannot be written: the diagnostics say so."""

    def __init__(self, home: Home, diagnostics: Diagnostics) -> None:
        self._home = home
        self._diagnostics = diagnostics
        self._requests: dict[str, Kept | OpenHost] = {}
        self._frozen = False

    def add(self, table: str, request: Kept | OpenHost) -> None:
        """request: with the port or device at which the table waits."""
        self._requests[table] = request
        self._keep()

    def joined(self, host: str, via: str) -> str:
        """The table that has joined this host in this way, "" for none."""
        joins = [(table, one) for table, one in self._requests.items() if isinstance(one, OpenJoin)]
        return next((table for table, one in joins if (one.host.address, one.via) == (host, via)), "")

    def remove(self, table: str) -> None:
        """The table is closed."""
        if self._requests.pop(table, None) is not None:
            self._keep()

    def begin_log(self, table: str, log: str) -> None:
        """The table of a host is kept with the log of its game: it goes on when that is resumed. Raises StoreError."""
        request = self._requests.get(table)
        if isinstance(request, OpenHost):
            keep_hosted(self._home, log, request, {one.stem for one in list_logs(self._home)})

    def freeze(self) -> None:
        """The daemon ends: the one after it is to find what there is now."""
        self._frozen = True

    def _keep(self) -> None:
        if self._frozen:
            return
        try:
            keep_listening(self._home, [one for one in self._requests.values() if not isinstance(one, OpenHost)])
        except StoreError as error:
            self._diagnostics.note(f"what is listened on is not kept: {error}")


def keep_listening(home: Home, requests: list[Kept]) -> None:
    """Note the requests of all tables that listen or have joined; the ports of those that wait are set. Raises
    StoreError."""
    _write(home, NAME, [to_plain(Kept, request) for request in requests])


def kept_listening(home: Home) -> list[Kept]:
    """What was noted last."""
    listed = _read(home, NAME, [])
    requests = map(_request, listed) if type(listed) is list else []
    return [request for request in requests if request is not None]


def keep_hosted(home: Home, log: str, request: OpenHost, logs: Container[str]) -> None:
    """Note where the game of a log is hosted; notes on other logs than these are dropped. Raises StoreError."""
    listed = _read(home, HOSTED, {})
    kept = {name: entry for name, entry in listed.items() if name in logs} if type(listed) is dict else {}
    _write(home, HOSTED, {**kept, log: to_plain(OpenHost, request)})


def hosted(home: Home, log: str) -> OpenHost | None:
    """Where the game of a log was hosted, if it was: its port or device is set."""
    listed = _read(home, HOSTED, {})
    request: OpenHost | None = _from_plain(OpenHost, listed.get(log)) if type(listed) is dict else None
    if request is None:
        return None
    return request if (request.serial.device if request.serial else _is_port(request.port)) else None


def _request(entry: object) -> Kept | None:
    """None unless it says where to wait, or whom to join."""
    request: Kept | None = _from_plain(Kept, entry)
    match request:
        case OpenJoin(host):
            return request if host.address else None
        case OpenListen(port):
            return request if _is_port(port) else None
    return request


def _is_port(port: int | None) -> bool:
    return port is not None and 1 <= port <= 65535


def _from_plain(kind: Any, entry: object) -> Any:
    try:
        return from_plain(kind, entry)
    except BadMessage:
        return None


def _read(home: Home, name: str, nothing: Any) -> Any:
    try:
        return json.loads(read_whole(home.state / name) or b"null") or nothing
    except (StoreError, ValueError, RecursionError):
        return nothing


def _write(home: Home, name: str, value: object) -> None:
    write_whole(home.state / name, (json.dumps(value, indent=2) + "\n").encode())
