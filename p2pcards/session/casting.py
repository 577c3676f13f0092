"""Who sits where: the header of a new game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from p2pcards.games.game import Seat
from p2pcards.games.options import option_values
from p2pcards.ledger.position import Position
from p2pcards.session.lobby import Choice
from p2pcards.session.opponents import Opponent
from p2pcards.views.cast import Cast, level_of
from p2pcards.wire.header import Assist, Header, SeatEntry, Side

COMMON_DEALS = 999_999
"""A number that was not asked for is at most this, so that it is easily told to somebody."""


EditionOf = Callable[[str, str], int]
"""(the key of a game, a level) -> the edition of the computer player that plays there."""


def first_edition(_game: str, _level: str) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A game of this coordinator's that never came to its end. listeners: their keys; head: after its last record."""

    listeners: frozenset[bytes]
    head: bytes


@dataclass(frozen=True, slots=True)
class Company:
    """Those who begin a game. sides: the coordinator first; partner: the first side that is to sit opposite, if there
    is one; named: the sides that are to sit, in that order, () where everybody does as far as there are seats.
    opponents: who plays in which seat if no side sits there; edition_of: the editions of those who play at this
    end."""

    sides: tuple[Side, ...]
    partner: int | None = None
    named: tuple[int, ...] = ()
    opponents: Mapping[Seat, Opponent] = field(default_factory=dict)
    edition_of: EditionOf = first_edition


def seating(company: Company, seats: int) -> list[int | None]:
    """For each seat the side that sits there. Those who are named sit in that order and nobody else does; if nobody is,
    the coordinator has seat 0, the partner is opposite, and the others follow in order. Who finds no seat watches, and
    computers fill what is left."""
    if company.named:
        return [*company.named[:seats], *[None] * (seats - len(company.named))]
    order = list(range(1, len(company.sides)))
    chairs: list[int | None] = [0, *[None] * (seats - 1)]
    if company.partner is not None and seats == 4:
        chairs[2] = company.partner
        order.remove(company.partner)
    free = [seat for seat in range(1, seats) if chairs[seat] is None]
    for seat, side in zip(free, order, strict=False):
        chairs[seat] = side
    return chairs


def deal_numbers(first: int | None, entropy: Callable[[int], bytes]) -> Iterator[int]:
    """The numbers of the deals of somebody who plays alone: the one that was asked for, and then any."""
    if first is not None:
        yield first
    while True:
        yield 1 + int.from_bytes(entropy(4), "big") % COMMON_DEALS


def make_header(
    company: Company,
    choice: Choice,
    cast: Cast,
    nonce: bytes,
    *,
    grace: int,
    turn_clock: int,
    previous: Position | None,
    before: bytes,
    assists: Assist,
    deal: int | None,
) -> Header:
    """grace, turn_clock: seconds; there is no turn clock where nobody else plays. previous: the game before at this
    table, if there was one; before: the head that the header names as that of the game before. assists: those that are
    allowed with people; deal: the number of a numbered deal, of
    which whoever is dealt it draws the first dealer anew."""
    game, options = choice.game, choice.options
    seats, sides = game.seats(options), company.sides
    chairs = seating(company, seats)
    wished = {seat: one for seat, one in company.opponents.items() if seat < seats and chairs[seat] is None}
    taken = {side.character for side in sides} | {one.character for one in wished.values()}
    free = iter([Opponent(member.key, member.level) for member in cast if member.key not in taken])
    players = [
        wished.get(seat) or next(free)
        if side is None
        else Opponent(sides[side].character, level_of(cast, sides[side].character))
        for seat, side in enumerate(chairs)
    ]
    first_dealer = None
    if deal is None and previous is not None and previous.game is game and len(previous.header.seats) == seats:
        first_dealer = game.next_first_dealer(previous.state)
    return Header(
        game.key,
        option_values(options),
        sides,
        tuple(
            [
                SeatEntry(side, one.character, one.level, company.edition_of(game.key, one.level))
                for side, one in zip(chairs, players, strict=True)
            ]
        ),
        grace,
        turn_clock if len(sides) > 1 else 0,
        before,
        first_dealer,
        nonce,
        assists,
        deal,
    )
