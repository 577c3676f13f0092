"""Every way in which things can happen to our own machines: a search through whole states, each of which is looked at
once. A state is what the machines, their logs and their lines hold, written out as bytes; two that are written alike
are one, so that nothing is left out of a state that could decide what comes after."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from io import BytesIO
from random import Random
from types import FunctionType
from typing import Any, Generic, Protocol, TypeVar

from p2pcards.games.game import Game
from p2pcards.ledger.position import Position
from p2pcards.ledger.writer import Logged
from p2pcards.wire.crypto import Ed25519PrivateKey

C = TypeVar("C", bound=Hashable)


class World(Protocol[C]):
    """What is explored. It holds no clock, no chance and nothing outside but what it is made of."""

    def choices(self) -> Sequence[C]:
        """All that can happen now; nothing where the run is over."""

    def take(self, choice: C) -> None:
        """Let it happen, and check whatever must hold in every state. Raises AssertionError where it does not."""

    def check_end(self) -> None:
        """What must hold where nothing more can happen."""


@dataclass(frozen=True, slots=True)
class Explored:
    """states: that differ; steps: from one to another; ends: states in which the run is over; deepest: steps of the
    longest way that was taken to a state."""

    states: int
    steps: int
    ends: int
    deepest: int

    def __str__(self) -> str:
        return f"{self.states} states, {self.steps} steps, {self.ends} ends, the deepest after {self.deepest} steps"


BY_NUMBER = (FunctionType, type(Ed25519PrivateKey.generate()), Game)
"""Of which there is one of each in this process."""
NEVER_ALTERED = frozenset([*BY_NUMBER, Position, Logged])


class Values:
    """What is never altered is kept once, and stands in the bytes of a state by its digest or by its number."""

    def __init__(self) -> None:
        self._kept: dict[bytes, Any] = {}
        self._names: dict[int, tuple[bytes, Any]] = {}  # with the thing itself, so that no other gets its identity

    def name_of(self, thing: Any) -> bytes:
        known = self._names.get(id(thing))
        return known[0] if known else self._name(thing)

    def named(self, name: bytes) -> Any:
        return self._kept[name]

    def _name(self, thing: Any) -> bytes:
        if type(thing) in BY_NUMBER:
            return self._keep(len(self._names).to_bytes(4, "big"), thing)
        parts = tuple([getattr(thing, field.name) for field in fields(thing)])
        return self._keep(digest_of(self.written(parts)), thing)

    def _keep(self, name: bytes, thing: Any) -> bytes:
        self._kept.setdefault(name, thing)
        self._names[id(thing)] = name, thing
        return name

    def written(self, thing: Any) -> bytes:
        file = BytesIO()
        _Writing(file, self).dump(thing)
        return file.getvalue()

    def read(self, data: bytes) -> Any:
        return _Reading(BytesIO(data), self).load()


class _Writing(pickle.Pickler):
    def __init__(self, file: BytesIO, values: Values) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._values = values

    def persistent_id(self, thing: Any) -> bytes | None:
        return self._values.name_of(thing) if type(thing) in NEVER_ALTERED else None

    def reducer_override(self, thing: Any) -> Any:
        if type(thing) is Random:  # its 625 numbers one by one take long
            version, numbers, gauss = thing.getstate()
            return _random, (version, array("L", numbers).tobytes(), gauss)
        return NotImplemented


def _random(version: int, numbers: bytes, gauss: float | None) -> Random:
    chance = Random(0)
    chance.setstate((version, tuple(array("L", numbers)), gauss))
    return chance


class _Reading(pickle.Unpickler):
    def __init__(self, file: BytesIO, values: Values) -> None:
        super().__init__(file)
        self._values = values

    def persistent_load(self, name: Any) -> Any:
        return self._values.named(name)


def digest_of(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class _Place(Generic[C]):
    """A state on the way, what is still to be tried in it, and how it was reached."""

    data: bytes
    left: list[C]
    way: tuple[C, ...]


def explore(world: World[C], most: int) -> Explored:
    """Every state that can be reached from this one. most: so many states at the most; more fail."""
    values = Values()
    data = values.written(world)
    seen, steps, ends, deepest = {digest_of(data)}, 0, 0, 0
    places = [_Place(data, list(world.choices()), ())]
    while places:
        place = places[-1]
        if not place.left:
            places.pop()
            continue
        choice = place.left.pop()
        way, steps = (*place.way, choice), steps + 1
        reached: World[C] = values.read(place.data)
        try:
            reached.take(choice)
            data = values.written(reached)
            if digest_of(data) in seen:
                continue
            choices = list(reached.choices())
            if not choices:
                reached.check_end()
        except AssertionError as error:
            raise AssertionError(f"{error}, after {' / '.join(map(str, way))}") from error
        seen.add(digest_of(data))
        assert len(seen) <= most, f"there are more than {most} states"
        ends, deepest = ends + (not choices), max(deepest, len(way))
        places.append(_Place(data, choices, way))
    return Explored(len(seen), steps, ends, deepest)
