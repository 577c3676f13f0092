"""Who sits where: the header of a new game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.options import option_values
from p2pcards.ledger.position import Position
from p2pcards.session.guests import Guest
from p2pcards.session.me import Cast, Me, level_of
from p2pcards.wire.header import Header, SeatEntry, Side


def seating(partners: Sequence[bool], seats: int, named: Sequence[int] = ()) -> list[int | None]:
    """For each seat the side that sits there. Those who are named sit in that order and nobody else does; if nobody is,
    the coordinator has seat 0, the first partner faces her, and the others follow in order. Who finds no seat watches,
    and computers fill what is left.

    partners: for each listener, in order, whether she is the coordinator's partner.
    """
    if named:
        return [*named[:seats], *[None] * (seats - len(named))]
    order = list(range(1, len(partners) + 1))
    chairs: list[int | None] = [0, *[None] * (seats - 1)]
    partner = next((side for side in order if partners[side - 1]), None)
    if partner is not None and seats == 4:
        chairs[2] = partner
        order.remove(partner)
    free = [seat for seat in range(1, seats) if chairs[seat] is None]
    for seat, side in zip(free, order, strict=False):
        chairs[seat] = side
    return chairs


def make_header(
    me: Me,
    end: bytes,
    guests: Sequence[Guest],
    choice: tuple[AnyGame, Any],
    cast: Cast,
    clocks: tuple[int, int],
    nonce: bytes,
    previous: Position | None,
    sitting: Sequence[bytes] = (),
) -> Header:
    """end: of the coordinator's chain; every guest has given hers. clocks: grace and turn clock, in seconds. The turn
    clock is off where nobody else plays. previous: the game before at this table, if there was one. sitting: the keys
    of those who are to sit, if they were named."""
    game, options = choice
    seats = game.seats(options)
    sides = [Side(me.key, me.name, me.character, end)]
    sides += [Side(guest.key, guest.name, guest.character, guest.stake or b"") for guest in guests]
    keys = [side.key for side in sides]
    named = [keys.index(key) for key in sitting if key in keys]
    chairs = seating([guest.partner for guest in guests], seats, named)
    taken = {side.character for side in sides}
    free = iter([member for member in cast if member.key not in taken])
    entries = []
    for side in chairs:
        character = next(free).key if side is None else sides[side].character
        entries.append(SeatEntry(side, character, level_of(cast, character)))
    grace, turn_clock = clocks
    rematch = previous is not None and previous.game is game and len(previous.header.seats) == seats
    return Header(
        game.key,
        option_values(options),
        tuple(sides),
        tuple(entries),
        grace,
        turn_clock if guests else 0,
        previous.head if previous is not None else b"",
        game.next_first_dealer(previous.state) if rematch and previous is not None else None,
        nonce,
    )
