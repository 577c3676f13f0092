"""Where this home waits and whom it has joined, kept so that a daemon that was killed can do so again."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from p2pcards.control.messages import Host, Open
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, write_whole
from p2pcards.store.home import Home

NAME = "listening.json"
HOSTED = "hosted.json"
_FIELDS = {
    "kind": str,
    "port": int,
    "name": str,
    "character": str,
    "auto": str,
    "lan": bool,
    "via": str,
    "require_code": bool,
    "known_only": bool,
    "address": str,
}


def keep_listening(home: Home, requests: list[Open]) -> None:
    """Note the requests of all tables that listen or have joined; the ports of those that wait are set. Raises
    StoreError."""
    _write(home, NAME, [_entry(request) for request in requests])


def kept_listening(home: Home) -> list[Open]:
    """What was noted last; nothing when the file is missing or somebody changed it beyond understanding."""
    listed = _read(home, NAME, [])
    return [_request(entry) for entry in listed if _is_request(entry)] if type(listed) is list else []


def keep_hosted(home: Home, log: str, request: Open, logs: Container[str]) -> None:
    """Note where the game of a log is hosted; notes on other logs than these are dropped. Raises StoreError."""
    listed = _read(home, HOSTED, {})
    kept = {name: entry for name, entry in listed.items() if name in logs} if type(listed) is dict else {}
    _write(home, HOSTED, {**kept, log: _entry(request)})


def hosted(home: Home, log: str) -> Open | None:
    """Where the game of a log was hosted, if it was."""
    listed = _read(home, HOSTED, {})
    entry = listed.get(log) if type(listed) is dict else None
    return _request(entry) if entry and _is_request(entry) else None


def _read(home: Home, name: str, nothing: Any) -> Any:
    try:
        return json.loads(read_whole(home.state / name) or b"null") or nothing
    except (StoreError, ValueError, RecursionError):
        return nothing


def _write(home: Home, name: str, value: object) -> None:
    write_whole(home.state / name, (json.dumps(value, indent=2) + "\n").encode())


def _entry(request: Open) -> dict[str, object]:
    address = request.hosts[0].address if request.hosts else ""
    port = request.port or 0
    return {field: getattr(request, field, None) for field in _FIELDS} | {"address": address, "port": port}


def _is_request(entry: object) -> bool:
    if type(entry) is not dict or entry.keys() != _FIELDS.keys() or entry["kind"] not in ("listen", "host", "join"):
        return False
    typed = {field for field, kind in _FIELDS.items() if type(entry[field]) is kind}
    whole = typed | ({"auto"} if entry["auto"] is None else set()) == _FIELDS.keys()
    return whole and (bool(entry["address"]) if entry["kind"] == "join" else 1 <= entry["port"] <= 65535)


def _request(entry: dict[str, Any]) -> Open:
    values = {field: value for field, value in entry.items() if field != "address"}
    return Open(**values, hosts=(Host(entry["address"]),) if entry["address"] else ())
