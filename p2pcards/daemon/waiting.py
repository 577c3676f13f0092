"""Where this home waits and whom it has joined, kept so that a daemon that was killed can do so again."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from p2pcards.control.messages import Open
from p2pcards.control.protocol import BadMessage, from_plain, to_plain
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, write_whole
from p2pcards.store.home import Home

NAME = "listening.json"
HOSTED = "hosted.json"


def keep_listening(home: Home, requests: list[Open]) -> None:
    """Note the requests of all tables that listen or have joined; the ports of those that wait are set. Raises
    StoreError."""
    _write(home, NAME, [to_plain(Open, request) for request in requests])


def kept_listening(home: Home) -> list[Open]:
    """What was noted last; nothing when the file is missing or somebody changed it beyond understanding."""
    listed = _read(home, NAME, [])
    requests = map(_request, listed) if type(listed) is list else []
    return [request for request in requests if request is not None]


def keep_hosted(home: Home, log: str, request: Open, logs: Container[str]) -> None:
    """Note where the game of a log is hosted; notes on other logs than these are dropped. Raises StoreError."""
    listed = _read(home, HOSTED, {})
    kept = {name: entry for name, entry in listed.items() if name in logs} if type(listed) is dict else {}
    _write(home, HOSTED, {**kept, log: to_plain(Open, request)})


def hosted(home: Home, log: str) -> Open | None:
    """Where the game of a log was hosted, if it was."""
    listed = _read(home, HOSTED, {})
    return _request(listed.get(log)) if type(listed) is dict else None


def _read(home: Home, name: str, nothing: Any) -> Any:
    try:
        return json.loads(read_whole(home.state / name) or b"null") or nothing
    except (StoreError, ValueError, RecursionError):
        return nothing


def _write(home: Home, name: str, value: object) -> None:
    write_whole(home.state / name, (json.dumps(value, indent=2) + "\n").encode())


def _request(entry: object) -> Open | None:
    """None unless it says where to wait, or whom to join."""
    try:
        request = from_plain(Open, entry)
    except BadMessage:
        return None
    if request.kind == "join":
        return request if len(request.hosts) == 1 and request.hosts[0].address else None
    waits = request.serial is not None or (request.port is not None and 1 <= request.port <= 65535)
    return request if request.kind in ("listen", "host") and waits else None
