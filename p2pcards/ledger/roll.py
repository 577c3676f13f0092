"""The roll: the sides whose values go into the next pack. It is called before anybody knows one of them;
protocol/fair-deal.md has the rules and the reason."""

from __future__ import annotations

from typing import Any

from p2pcards.games.game import Stage
from p2pcards.ledger.position import Position, opened_phase
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.refused import Cause, Refused


def call_roll(position: Position, hand: int) -> dict[str, Any]:
    """The changes once this hand is opened. On the roll is who had a part in its pack, or gave a value for it too
    late; what anybody else has revealed last stands in for them."""
    if not position.has_roll:
        return {}
    on_it = [side for side, (number, _) in enumerate(position.known) if side and number == hand]
    return {"roll": frozenset(on_it), "last": tuple([value for _, value in position.known])}


def awaited(position: Position) -> frozenset[int]:
    """The sides that the next deal has to wait for."""
    if position.phase is not Phase.CHECKS or position.state.stage == Stage.OVER or position.broken_off:
        return frozenset()
    return position.roll - position.checked


def is_needed(position: Position, side: int) -> bool:
    """Whether the next hand cannot be dealt without this side, which is awaited: the first hand is dealt by everybody,
    and none by the coordinator alone."""
    return side in awaited(position) and (position.dealt == 0 or position.roll == {side})


def drop_out(position: Position, side: int) -> Position:
    """The position once a side that is awaited gives nothing to the next pack. Whatever others have given counts no
    more: they give the values of the number after. Raises Refused."""
    if side not in awaited(position):
        raise Refused(Cause.RULES, f"The next deal does not wait for side {side}.")
    if is_needed(position, side):
        raise Refused(Cause.RULES, f"The next hand cannot be dealt without side {side}.")
    return position.changed(
        roll=position.roll - {side},
        dealt=position.dealt + 1,
        recalled=position.recalled + 1,
        checked=frozenset(),
        **opened_phase(position, simultaneous=True),
    )


def parts_of_deal(position: Position) -> tuple[tuple[tuple[int, bytes], ...], tuple[int, ...]]:
    """The listeners' values that go into the next deal, by side, and the sides that have no part in it, whose last
    values stand in for them. Raises Refused while a value is awaited."""
    if position.phase is Phase.DEALING:
        return position.parts, position.absent
    if awaited(position):
        raise Refused(Cause.FAIRNESS, "The deal does not wait for somebody who is to have a part in it.")
    takes_part = position.roll if position.has_roll else position.checked
    sides = range(1, len(position.header.sides))
    absent = tuple([side for side in sides if side not in takes_part])
    values = {side: position.known[side][1] for side in sides if side in takes_part}
    if position.has_roll:
        values |= {side: position.last[side] for side in absent}
    return tuple(sorted(values.items())), absent
