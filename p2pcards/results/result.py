"""What is kept of a game when it is over, and read from its log. Nothing that was signed is checked again: `verify`
does that."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.options import declared
from p2pcards.ledger.advance import apply
from p2pcards.ledger.payloads import NOTE, RECORD, PlayedByComputer, read_beginning, read_note
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import Use, may
from p2pcards.players.characters import CHARACTERS
from p2pcards.views.standpoint import preset_name
from p2pcards.wire.clean import clean
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import (
    NAME,
    Entry,
    FaceUpEntry,
    RedealEntry,
    RestartEntry,
    SeatEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    read_record,
)

# --- what is kept of a game when it is over ---------------------------------------------------------------------------


PERSON, PEER, COMPUTER = KINDS = ("me", "peer", "computer")

MARKS = {
    "undo": "a move was taken back",
    "redeal": "a hand was dealt again",
    "restart": "a hand was played again with the same cards",
    "swap": "hands were exchanged",
    "open": "all hands lay face up",
    "auto": "the computer played your seat",
    "substitute": "a character played for a person",
    "ended": "it was ended early",
}
"""Why a game does not count for a rating."""

LARGEST = 1 << 22
"""Bytes of a result: no game that a log has room for comes near."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a seat did. kind: one of KINDS. key: a person's public key, in hexadecimal; level: a computer player's.
    points: at the end; against: those of the best of the other sides; won: whether the seat or its partnership has won.
    """

    kind: str
    name: str
    key: str
    level: str
    points: int
    against: int
    won: bool

    @property
    def who(self) -> str:
        """In whose line it counts: a person of ours goes by the name, somebody else by the key, a character by name."""
        return f"{self.kind}:{self.key if self.kind == PEER else self.name}"

    @property
    def subject(self) -> str:
        """Whose rating it changes: computer players are rated by level."""
        return f"level:{self.level}" if self.kind == COMPUTER else self.who


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand was scored. number: from 1. dealer: its seat. points: what each seat's score changed by; items: by
    seat, what for."""

    number: int
    dealer: Seat | None
    points: tuple[int, ...]
    items: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game as its log tells it. id: of the game, in hexadecimal. over: whether it is; won: whether it came to its end
    by the rules. sides: the seats that play together, each seat alone in a game without partners. mine: the seat of the
    player whose log it is, None for who only keeps the table. network: whether it has more people than one. marks: some
    of MARKS. low_wins: whether low scores are good. signed: whether anything in it is signed by the player whose log it
    is."""

    id: str
    game: str
    preset: str
    options: dict[str, Any]
    seats: tuple[SeatResult, ...]
    sides: tuple[tuple[Seat, ...], ...]
    hands: tuple[HandResult, ...]
    mine: Seat | None
    over: bool
    won: bool
    marks: tuple[str, ...]
    network: bool
    low_wins: bool
    signed: bool = True

    @property
    def is_rated(self) -> bool:
        return self.won and not self.marks


class DamagedResult(ValueError):
    """These bytes are no result of a game."""


def packed(result: GameResult) -> bytes:
    return zlib.compress(json.dumps(asdict(result), separators=(",", ":")).encode())


def unpacked(data: bytes) -> GameResult:
    """Raises DamagedResult for what `packed` did not make."""
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(data, LARGEST)
        if not reader.eof or reader.unused_data:
            raise ValueError("it does not end where it should")
        return _result(json.loads(text))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedResult(f"the result of a game cannot be read: {error}") from error


def _result(data: dict[str, Any]) -> GameResult:
    seats = tuple([SeatResult(**seat) for seat in data.pop("seats")])
    hands = tuple([_hand(**hand) for hand in data.pop("hands")])
    sides = tuple([tuple(side) for side in data.pop("sides")])
    result = GameResult(**data | {"seats": seats, "hands": hands, "sides": sides, "marks": tuple(data["marks"])})
    if not set(result.marks) <= set(MARKS) or any(seat.kind not in KINDS for seat in seats):
        raise ValueError("no mark or kind that there is")
    return result


def _hand(number: int, dealer: Seat | None, points: list[int], items: list[list[list[Any]]]) -> HandResult:
    return HandResult(
        number, dealer, tuple(points), tuple([tuple([(what, many) for what, many in seat]) for seat in items])
    )


# --- the result of a game, from its log -------------------------------------------------------------------------------


_MARK_OF: dict[type[Entry], str] = {
    UndoEntry: "undo",
    RedealEntry: "redeal",
    RestartEntry: "restart",
    SwapEntry: "swap",
    FaceUpEntry: "open",
    TakeoverEntry: "substitute",
}


def read_result(payloads: Sequence[bytes]) -> GameResult:
    """What a log with these payloads tells, up to where it stands. Raises Refused when it cannot be."""
    start = read_beginning(payloads)
    position, seen, dealers = start.position, set[str](), dict[int, Seat | None]()
    for payload in payloads[2:]:
        if payload[:1] != RECORD:
            continue
        record, entries = read_record(payload[1:])
        dealer, position = position.state.dealer, apply(position, record, entries)
        if position.sheets:
            dealers.setdefault(position.sheets[-1][0], dealer)
        if mark := _MARK_OF.get(type(entries[0])):
            seen.add(mark)
    notes = [read_note(payload) for payload in payloads if payload[:1] == NOTE]
    if any(isinstance(note, PlayedByComputer) for note in notes):
        seen.add("auto")
    if position.ended not in (None, CloseReason.WON):
        seen.add("ended")
    return _result_of(position, dealers, tuple([mark for mark in MARKS if mark in seen]))


def _result_of(position: Position, dealers: Mapping[int, Seat | None], marks: tuple[str, ...]) -> GameResult:
    game, state, header = position.game, position.state, position.header
    everybody = range(len(header.seats))
    sides = game.sides(state.options) or tuple([(seat,) for seat in everybody])
    winners = set(_with_partners(state.winners, sides)) if state.stage == Stage.OVER else set[Seat]()
    return GameResult(
        id=position.game_id.hex(),
        game=game.key,
        preset=preset_name(game, state.options),
        options={one.key: getattr(state.options, one.key) for one in declared(game.options)},
        seats=tuple([_seat(position, seat, sides, seat in winners) for seat in everybody]),
        sides=sides,
        hands=tuple(
            [HandResult(number, dealers[number], sheet.hand, sheet.items) for number, sheet in position.sheets]
        ),
        mine=position.seat,
        over=position.ended is not None,
        won=position.ended is CloseReason.WON,
        marks=marks,
        network=len(header.sides) > 1,
        low_wins=game.low_wins,
        signed=may(Use.COUNT, position),
    )


def _seat(position: Position, seat: Seat, sides: Sequence[Sequence[Seat]], won: bool) -> SeatResult:
    header, entry = position.header, position.header.seats[seat]
    points = position.state.scores[seat]
    against = _best(position.game, [position.state.scores[side[0]] for side in sides if seat not in side])
    if entry.side is None:
        return SeatResult(COMPUTER, _character(entry), "", clean(entry.level, NAME), points, against, won)
    kind = PERSON if entry.side == position.side else PEER
    return SeatResult(kind, position.names[entry.side], header.sides[entry.side].key.hex(), "", points, against, won)


def _best(game: AnyGame, scores: Sequence[int]) -> int:
    return min(scores) if game.low_wins else max(scores)


def _with_partners(winners: Sequence[Seat], sides: Sequence[Sequence[Seat]]) -> Iterator[Seat]:
    for side in sides:
        if set(side) & set(winners):
            yield from side


def _character(entry: SeatEntry) -> str:
    known = CHARACTERS.get(entry.character)
    return known.name if known else clean(entry.character, NAME)
