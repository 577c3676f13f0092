"""The fair deal: chains of values, the roll of those whose values go into the next pack, the secret of a hand, and what
is drawn from it; protocol/fair-deal.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from p2pcards.games.game import Stage
from p2pcards.ledger.position import Position, opened_phase
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.packing import Cause, Refused, pack
from p2pcards.wire.records import COMMITMENT, SALT, VALUE, Header

# --- the fair deal ----------------------------------------------------------------------------------------------------


CHAIN = 16384
"""Steps from the seed of a chain to its end, and so the most hands in a game."""
STRIDE = 128
"""Steps between two values that are kept of a chain: all of them would take a megabyte."""
KEPT = 512
"""Chains of which some values are kept, and values of the hands that are on: as many tables may play at once."""


def _hash_step(value: bytes) -> bytes:
    """The next value of a chain toward its end: the hash of this one."""
    return sha256(b"p2pcards chain 1" + value).digest()[:VALUE]


@lru_cache(maxsize=KEPT)
def _milestones(seed: bytes) -> tuple[bytes, ...]:
    """Every STRIDE-th value of a chain, from its end, so that any value is a few hashes away."""
    values, value = [seed], seed
    for left in reversed(range(CHAIN)):
        value = _hash_step(value)
        if left % STRIDE == 0:
            values.append(value)
    return tuple(reversed(values))


@lru_cache(maxsize=KEPT)
def chain_value(seed: bytes, number: int) -> bytes:
    """Value 0 (the end) to CHAIN (the seed itself) of the chain that grows from a seed of 24 random bytes."""
    value = _milestones(seed)[-(-number // STRIDE)]
    for _ in range(-number % STRIDE):
        value = _hash_step(value)
    return value


def fits_chain(value: bytes, number: int, known: tuple[int, bytes]) -> bool:
    """True if this is value `number` of a chain. known: the number and the value of an earlier element of that
    chain."""
    steps = number - known[0]
    if not 0 < steps <= CHAIN:
        return False
    for _ in range(steps):
        value = _hash_step(value)
    return value == known[1]


PACK_LABELS = {1: b"p2pcards pack 1", 2: b"p2pcards pack 1", 3: b"p2pcards pack 2"}
"""By the version of the game. Under the first, version 2 came to mean another pack than version 1."""


def hand_secret(
    version: int, first_head: bytes, hand: int, coordinator: bytes, listeners: Mapping[int, bytes]
) -> bytes:
    """The secret from which the pack of a hand is shuffled: a hash over every side's value. listeners: values by
    side."""
    parts = [bytes((side,)) + listeners[side] for side in sorted(listeners)]
    start = PACK_LABELS[version] + first_head + hand.to_bytes(4, "big") + coordinator
    return sha256(start + b"".join(parts)).digest()


def numbered_secret(header: Header, hand: int) -> bytes:
    """The secret from which the pack of a hand in a numbered deal is shuffled."""
    return sha256(b"p2pcards deal 1" + pack([header.game, header.options, header.deal, hand])).digest()


def secret_of(
    header: Header, first_head: bytes, hand: int, coordinator: bytes, listeners: Mapping[int, bytes]
) -> bytes:
    """The secret from which the pack of this hand is shuffled: `numbered_secret` or else `hand_secret`."""
    if header.deal is not None:
        return numbered_secret(header, hand)
    return hand_secret(header.version, first_head, hand, coordinator, listeners)


def chance_value_of(header: Header, hand: int, coordinator: bytes) -> bytes:
    """The value from which computer players draw their chance in this hand: the coordinator's chain value, or in a
    numbered deal one that follows from the number of the deal."""
    return coordinator if header.deal is None else numbered_secret(header, hand)[:VALUE]


def computer_seed(value: bytes, seat: int, count: int) -> int:
    """The seed of a computer player's `Random` for its decision in this seat, with `count` records in the log. value:
    from `chance_value_of`."""
    digest = sha256(b"p2pcards computer 1" + value + bytes((seat,)) + count.to_bytes(4, "big")).digest()
    return int.from_bytes(digest, "big")


def derived_salt(value: bytes, seat: int, base: int) -> bytes:
    """The salt of a private action that the coordinator signs for a computer player."""
    return sha256(b"p2pcards salt 1" + value + bytes((seat,)) + base.to_bytes(4, "big")).digest()[:SALT]


def commitment(salt: bytes, action: int, fields: tuple[object, ...]) -> bytes:
    """action and fields as `encode_action` gives them."""
    return sha256(b"p2pcards commit 1" + salt + pack([action, *fields])).digest()[:COMMITMENT]


# --- the roll ---------------------------------------------------------------------------------------------------------


def call_roll(position: Position, hand: int) -> dict[str, Any]:
    """The changes to a position once this hand is opened: the new roll has the sides that had a part in its pack or
    gave a value for it too late; for others their last values stand in."""
    if not position.has_roll:
        return {}
    on_it = [side for side, (number, _) in enumerate(position.known) if side and number == hand]
    return {"roll": frozenset(on_it), "last": tuple([value for _, value in position.known])}


def awaited_sides(position: Position) -> frozenset[int]:
    """The sides without whose value the next deal must wait."""
    if position.phase is not Phase.CHECKS or position.state.stage == Stage.OVER or position.broken_off:
        return frozenset()
    return position.roll - position.checked


def is_needed(position: Position, side: int) -> bool:
    """True if the next hand cannot be dealt without this side: the first hand needs everybody, and no hand is dealt by
    the coordinator's value alone."""
    return side in awaited_sides(position) and (position.dealt == 0 or position.roll == {side})


def drop_out(position: Position, side: int) -> Position:
    """The position once an awaited side gives no value to the next pack. The values that others gave for it are void:
    they give their next ones. Raises Refused."""
    if side not in awaited_sides(position):
        raise Refused(Cause.RULES, f"The next deal isn't waiting for side {side}.")
    if is_needed(position, side):
        raise Refused(Cause.RULES, f"The next hand can't be dealt without side {side}.")
    return position.changed(
        roll=position.roll - {side},
        dealt=position.dealt + 1,
        recalled=position.recalled + 1,
        checked=position.silent,
        **opened_phase(position, simultaneous=True),
    )


def parts_of_deal(position: Position) -> tuple[tuple[tuple[int, bytes], ...], tuple[int, ...]]:
    """(the listeners' values for the next deal, by side; the sides without a part, whose last values stand in). Raises
    Refused while a value is awaited."""
    if position.phase is Phase.DEALING:
        return position.parts, position.absent
    if awaited_sides(position):
        raise Refused(Cause.FAIRNESS, "The deal came before every side sent its part.")
    takes_part = position.roll if position.has_roll else position.checked
    sides = range(1, len(position.header.sides))
    absent = tuple([side for side in sides if side not in takes_part])
    values = {side: position.known[side][1] for side in sides if side in takes_part}
    if position.has_roll:
        values |= {side: position.last[side] for side in absent}
    return tuple(sorted(values.items())), absent
