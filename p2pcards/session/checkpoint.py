"""A machine as it is at one moment, so that a step in which the program fails can be undone as a whole.

A machine is a tree of the objects of this room, the two ends of the ledger, and lists, dicts, sets and deques. All else
in it is frozen, or belongs to the program that runs it (entropy, the numbers of deals)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from typing import Any

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.writer import LedgerWriter

ROOM = __name__.rpartition(".")[0] + "."

PutBack = Callable[[], None]


def checkpoint(machine: object) -> PutBack:
    """Keep what a machine holds. What is returned puts all of it back, into the same objects."""
    kept: list[tuple[Any, Any]] = []
    seen: set[int] = set()
    waiting: list[Any] = [machine]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        shape = _shape(part.__class__)
        if shape is Shape.OBJECT:
            content: Any = dict(part.__dict__)
            inner: Iterable[Any] = content.values()
        elif shape is Shape.MAPPING:
            content = dict(part)
            inner = content.values()
        elif shape is Shape.SEQUENCE:  # its elements are all of one kind, and often thousands
            content = part.copy()
            inner = content if content and _shape(content[-1].__class__) else ()
        elif shape is Shape.SET:
            content, inner = part.copy(), ()
        else:
            content, inner = None, [getattr(part, name) for name in part.__slots__]
        kept.append((part, content))
        waiting += [one for one in inner if _shape(one.__class__)]

    def put_back() -> None:
        for part, content in kept:
            _restore(part, content)

    return put_back


def _restore(part: Any, content: Any) -> None:
    match _shape(part.__class__):
        case Shape.OBJECT:
            part.__dict__.clear()
            part.__dict__.update(content)
        case Shape.MAPPING | Shape.SET:
            part.clear()
            part.update(content)
        case Shape.SEQUENCE:
            part.clear()
            part.extend(content)


class Shape(Enum):
    OBJECT = "its attributes change"
    FROZEN = "what its slots hold may change"
    MAPPING = "a dict"
    SEQUENCE = "a list or a deque"
    SET = "a set"


@cache
def _shape(kind: type) -> Shape | None:
    """None for what never changes, and holds nothing that does."""
    if issubclass(kind, dict):
        return Shape.MAPPING
    if issubclass(kind, list | deque):
        return Shape.SEQUENCE
    if issubclass(kind, set):
        return Shape.SET
    ours = kind.__module__.startswith(ROOM) and not issubclass(kind, Enum | tuple | BaseException)
    if not (ours or issubclass(kind, LedgerWriter | LedgerFollower)):
        return None
    return Shape.FROZEN if "__slots__" in kind.__dict__ else Shape.OBJECT
