"""The result of a game, kept when it is over."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from p2pcards.games.figures import Measured
from p2pcards.games.game import Seat
from p2pcards.results.before import measured_before

PERSON, PEER, COMPUTER = KINDS = ("me", "peer", "computer")

MARKS = {
    "undo": "a move was taken back",
    "redeal": "a hand was dealt again",
    "restart": "a hand was played again with the same cards",
    "swap": "hands were swapped",
    "open": "all hands were face up",
    "auto": "the computer played your seat",
    "substitute": "a character played for a person",
    "ended": "the game ended early",
    "seats": "a seat changed hands",
}
"""Why a game does not count for a rating."""

LARGEST = 1 << 22
"""Bytes of a result: no game that a log has room for comes near."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat did in a game."""

    kind: str  # one of KINDS
    name: str
    key: str  # a person's public key in hexadecimal; "" for a computer player
    level: str  # a computer player's; "" for a person
    points: int  # at the end
    against: int  # the points of the best of the other sides
    won: bool  # the seat or its partner won

    @property
    def who(self) -> str:
        """Under whom a seat's result is listed: the player of this home, a peer by key, or a character by name."""
        if self.kind == PERSON:
            return PERSON
        return f"{self.kind}:{self.key if self.kind == PEER else self.name}"

    @property
    def subject(self) -> str:
        """Whose rating a seat's result changes: a person's, or a computer level's."""
        return f"level:{self.level}" if self.kind == COMPUTER else self.who


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand was scored."""

    number: int  # from 1
    dealer: Seat | None
    points: tuple[int, ...]  # by seat, the change of its score
    items: tuple[tuple[tuple[str, int], ...], ...]  # by seat, what counted and how much
    measured: tuple[Measured, ...]  # by seat, the values that figures are made from


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game as its log records it."""

    id: str  # of the game, in hexadecimal
    game: str
    preset: str
    options: dict[str, Any]
    seats: tuple[SeatResult, ...]
    sides: tuple[tuple[Seat, ...], ...]  # the seats that play together; without partners, each seat alone
    hands: tuple[HandResult, ...]
    mine: Seat | None  # the seat of the player whose log this is; None for a side without a seat
    over: bool  # the log has a closing entry
    won: bool  # the game ended by its rules
    marks: tuple[str, ...]  # some of MARKS
    network: bool  # more than one person takes part
    low_wins: bool  # the lowest score wins
    signed: bool = True  # the player whose log this is has signed enough for the game to count

    @property
    def is_played(self) -> bool:
        """True if its hands count: the game was won, or goes on in another log."""
        return self.won or (self.over and "seats" in self.marks and "ended" not in self.marks)

    @property
    def is_rated(self) -> bool:
        """True if the game was won and nothing marks it as unrated."""
        return self.won and not self.marks


class DamagedResult(ValueError):
    """These bytes are no result of a game."""


def pack_result(result: GameResult) -> bytes:
    """The bytes of a result, for `unpack_result`."""
    return zlib.compress(json.dumps(asdict(result), separators=(",", ":")).encode())


def unpack_result(data: bytes) -> GameResult:
    """The result in bytes that `pack_result` made. Raises DamagedResult for others."""
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(data, LARGEST)
        if not reader.eof or reader.unused_data:
            raise ValueError("it doesn't end where it should")
        return _result(json.loads(text))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedResult(f"the result of a game can't be read: {error}") from error


def _result(data: dict[str, Any]) -> GameResult:
    """A result from its JSON form."""
    seats = tuple([SeatResult(**seat) for seat in data.pop("seats")])
    hands = tuple([_hand(data["game"], **hand) for hand in data.pop("hands")])
    sides = tuple([tuple(side) for side in data.pop("sides")])
    result = GameResult(**data | {"seats": seats, "hands": hands, "sides": sides, "marks": tuple(data["marks"])})
    if not set(result.marks) <= set(MARKS) or any(seat.kind not in KINDS for seat in seats):
        raise ValueError("it has an unknown mark or kind")
    return result


def _hand(
    game: str,
    number: int,
    dealer: Seat | None,
    points: list[int],
    items: list[list[list[Any]]],
    measured: list[list[list[Any]]] | None = None,
) -> HandResult:
    """A hand from its JSON form. measured: None in an older result."""
    sheet = _as_pairs(items)
    if measured is None:
        return HandResult(number, dealer, tuple(points), sheet, measured_before(game, sheet, dealer))
    return HandResult(number, dealer, tuple(points), sheet, _as_pairs(measured))


def _as_pairs(seats: list[list[list[Any]]]) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Lists of [label, number] from JSON as tuples, by seat."""
    return tuple([tuple([(what, many) for what, many in seat]) for seat in seats])
