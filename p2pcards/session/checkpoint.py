"""A machine as it is at one moment, so that a step in which the program fails can be undone as a whole.

A machine is a tree of the objects of this room, the two ends of the ledger, and lists, dicts, sets and deques. All else
in it is frozen, or belongs to the program that runs it (entropy, the numbers of deals)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import RecordList
from p2pcards.ledger.writer import LedgerWriter

ROOM = __name__.rpartition(".")[0] + "."

PutBack = Callable[[], None]


def checkpoint(machine: object) -> PutBack:
    """Save the state of a machine; the function returned restores it into the same objects."""
    kept: dict[int, tuple[Any, Any]] = {}
    waiting: list[Any] = [machine]
    for part in waiting:  # which grows meanwhile
        if id(part) in kept:
            continue
        shape = SHAPES[part.__class__]
        content: Any = None
        inner: Iterable[Any] = ()
        if shape is OBJECT:
            content = part.__dict__.copy()
            inner = content.values()
        elif shape is FROZEN:
            inner = [getattr(part, name) for name in part.__slots__]
        elif shape is RECORDS:
            content = len(part)
        elif not part:
            content = ()
        else:
            content = part.copy()
            if shape is MAPPING:
                inner = content.values()
            elif shape is SEQUENCE and SHAPES[content[-1].__class__]:  # its elements are all of one kind
                inner = content
        kept[id(part)] = part, content
        for one in inner:
            if SHAPES[one.__class__]:
                waiting.append(one)

    def put_back() -> None:
        """Restore everything that was saved."""
        for part, content in kept.values():
            _restore(part, content)

    return put_back


def _restore(part: Any, content: Any) -> None:
    """Put saved content back into one object."""
    shape = SHAPES[part.__class__]
    if shape is OBJECT:
        part.__dict__.clear()
        part.__dict__.update(content)
    elif shape is MAPPING or shape is SET:
        part.clear()
        part.update(content)
    elif shape is SEQUENCE:
        part.clear()
        part.extend(content)
    elif shape is RECORDS:
        del part[content:]


class Shape(Enum):
    OBJECT = "its attributes change"
    FROZEN = "what its slots hold may change"
    MAPPING = "a dict"
    SEQUENCE = "a list or a deque"
    SET = "a set"
    RECORDS = "a list that only grows, to thousands"


# A member takes longer to look up, and every message waits for this.
OBJECT, FROZEN, MAPPING, SEQUENCE, SET, RECORDS = Shape


class Shapes(dict[type, Shape | None]):
    """None for what never changes, and holds nothing that does."""

    def __missing__(self, kind: type) -> Shape | None:
        """Find the shape of a class when it is first met."""
        return self.setdefault(kind, _shape(kind))


SHAPES = Shapes()


def _shape(kind: type) -> Shape | None:
    """The way in which objects of this class are saved and restored; None for immutable ones."""
    if issubclass(kind, dict):
        return MAPPING
    if issubclass(kind, RecordList):
        return RECORDS
    if issubclass(kind, list | deque):
        return SEQUENCE
    if issubclass(kind, set):
        return SET
    ours = kind.__module__.startswith(ROOM) and not issubclass(kind, Enum | tuple | BaseException)
    if not (ours or issubclass(kind, LedgerWriter | LedgerFollower)):
        return None
    return FROZEN if "__slots__" in kind.__dict__ else OBJECT
