"""The result of a game, from its log. Nothing that was signed is checked again: whoever wants proof asks `verify`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.options import declared
from p2pcards.ledger.advance import apply
from p2pcards.ledger.payloads import NOTE, RECORD, PlayedByComputer, read_beginning, read_note
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import Use, may
from p2pcards.players.characters import CHARACTERS
from p2pcards.results.result import COMPUTER, MARKS, PEER, PERSON, GameResult, HandResult, SeatResult
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
