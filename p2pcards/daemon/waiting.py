"""Which ports this home listens on, kept so that a daemon that was killed can listen there again."""

from __future__ import annotations

import json
from dataclasses import replace

from p2pcards.control.messages import Open
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, write_whole
from p2pcards.store.home import Home

NAME = "listening.json"
_FIELDS = {"port": int, "name": str, "character": str, "auto": str, "lan": bool}


def keep_listening(home: Home, requests: list[Open]) -> None:
    """Note the requests of all tables that listen; their ports are set. Raises StoreError."""
    listed = [{field: getattr(request, field) for field in _FIELDS} for request in requests]
    write_whole(home.state / NAME, (json.dumps(listed, indent=2) + "\n").encode())


def kept_listening(home: Home) -> list[Open]:
    """What was noted last; nothing when the file is missing or somebody changed it beyond understanding."""
    try:
        listed = json.loads(read_whole(home.state / NAME) or b"[]")
    except (StoreError, ValueError):
        return []
    return [_request(entry) for entry in listed if _is_request(entry)] if type(listed) is list else []


def _is_request(entry: object) -> bool:
    if type(entry) is not dict or entry.keys() != _FIELDS.keys():
        return False
    typed = {field for field, kind in _FIELDS.items() if type(entry[field]) is kind}
    return typed | ({"auto"} if entry["auto"] is None else set()) == _FIELDS.keys() and 1 <= entry["port"] <= 65535


def _request(entry: dict[str, object]) -> Open:
    return replace(Open("listen"), **entry)  # type: ignore[arg-type]
