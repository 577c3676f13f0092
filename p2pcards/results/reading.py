"""Reading a log: the result of its game, and whether one that comes from a file may become a log of this home.
Nothing that was signed is checked again for a result: `verify` does that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from p2pcards.games.figures import Measured, measure_hand
from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.options import declared_options
from p2pcards.ledger.advance import apply
from p2pcards.ledger.payloads import (
    NOTE,
    RECORD,
    PlayedByComputer,
    Start,
    is_succeeded,
    read_beginning,
    read_note,
)
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import NEEDED, Use, may_use_log
from p2pcards.ledger.verify import FalseLog, read_transcript
from p2pcards.players.characters import CHARACTERS
from p2pcards.results.result import COMPUTER, MARKS, PEER, PERSON, GameResult, HandResult, SeatResult
from p2pcards.store.files import Home, StoreError, write_whole
from p2pcards.store.guarded import guarded, one_of_many
from p2pcards.store.logs import (
    BadSave,
    FaultyLog,
    LogContents,
    faulty_save,
    free_path,
    held,
    log_bytes,
    logs_named_by,
    read_log,
)
from p2pcards.views.standpoint import preset_name
from p2pcards.wire.clean import clean
from p2pcards.wire.packing import Refused
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


def read_owner(payloads: Sequence[bytes]) -> bytes:
    """The public key of the side whose log this is, b"" for somebody who watched. payloads: of a log that `read_result`
    accepts."""
    return read_beginning(payloads).owner


# --- the result of a game ---------------------------------------------------------------------------------------------


_MARK_OF: dict[type[Entry], str] = {
    UndoEntry: "undo",
    RedealEntry: "redeal",
    RestartEntry: "restart",
    SwapEntry: "swap",
    FaceUpEntry: "open",
    TakeoverEntry: "substitute",
}


@guarded(FaultyLog, Refused)
def read_result(payloads: Sequence[bytes]) -> GameResult:
    """The result of the game in these payloads, so far as it goes. Raises Refused for no valid log, and FaultyLog."""
    start = read_beginning(payloads)
    position, seen, dealers = start.position, set[str](), dict[int, Seat | None]()
    counted: dict[int, tuple[Measured, ...]] = {}
    for payload in payloads[2:]:
        if payload[:1] != RECORD:
            continue
        record, entries = read_record(payload[1:])
        before, position = position.state, apply(position, record, entries)
        if position.sheets:
            dealers.setdefault(position.sheets[-1][0], before.dealer)
        if position.state is not before and position.state.sheet is not None:
            counted[position.state.hand] = measure_hand(position.game, position.state)
        if mark := _MARK_OF.get(type(entries[0])):
            seen.add(mark)
    notes = [read_note(payload) for payload in payloads if payload[:1] == NOTE]
    if any(isinstance(note, PlayedByComputer) for note in notes):
        seen.add("auto")
    if position.ended is CloseReason.ENDED:
        seen.add("ended")
    header = position.header
    succeeded = is_succeeded(payloads)
    if position.ended is CloseReason.CONTINUED or (header.continues, header.quorum) != (None, None) or succeeded:
        seen.add("seats")
    return _result_of(position, dealers, counted, tuple([mark for mark in MARKS if mark in seen]), succeeded)


def _result_of(
    position: Position,
    dealers: Mapping[int, Seat | None],
    counted: Mapping[int, tuple[Measured, ...]],
    marks: tuple[str, ...],
    succeeded: bool,
) -> GameResult:
    """The result of a game from its last position. dealers, counted: by the number of the hand; succeeded: it goes on
    in the log of a successor."""
    game, state, header = position.game, position.state, position.header
    everybody = range(len(header.seats))
    sides = game.sides(state.options) or tuple([(seat,) for seat in everybody])
    winners = set(_with_partners(state.winners, sides)) if state.stage == Stage.OVER else set[Seat]()
    return GameResult(
        id=position.game_id.hex(),
        game=game.key,
        preset=preset_name(game, state.options),
        options={one.key: getattr(state.options, one.key) for one in declared_options(game.options)},
        seats=tuple([_seat_result(position, seat, sides, seat in winners) for seat in everybody]),
        sides=sides,
        hands=tuple(
            [
                HandResult(number, dealers[number], sheet.hand, sheet.items, counted[number])
                for number, sheet in position.sheets
            ]
        ),
        mine=position.seat,
        over=position.ended is not None or succeeded,
        won=position.ended is CloseReason.WON,
        marks=marks,
        network=len(header.sides) > 1,
        low_wins=game.low_wins,
        signed=may_use_log(Use.COUNT, position) or (succeeded and position.moved),
    )


def _seat_result(position: Position, seat: Seat, sides: Sequence[Sequence[Seat]], won: bool) -> SeatResult:
    """The result of one seat. sides: the seats of each side; won: this seat's side has won."""
    header, entry = position.header, position.header.seats[seat]
    points = position.state.scores[seat]
    against = _best_score(position.game, [position.state.scores[side[0]] for side in sides if seat not in side])
    if entry.side is None:
        return SeatResult(COMPUTER, _character(entry), "", clean(entry.level, NAME), points, against, won)
    kind = PERSON if entry.side == position.side else PEER
    return SeatResult(kind, position.names[entry.side], header.sides[entry.side].key.hex(), "", points, against, won)


def _best_score(game: AnyGame, scores: Sequence[int]) -> int:
    """The best of these scores by the rules of the game."""
    return min(scores) if game.low_wins else max(scores)


def _with_partners(winners: Sequence[Seat], sides: Sequence[Sequence[Seat]]) -> Iterator[Seat]:
    """The winning seats with those of their partners."""
    for side in sides:
        if set(side) & set(winners):
            yield from side


def _character(entry: SeatEntry) -> str:
    """The character's name, or its cleaned key if it is not known here."""
    known = CHARACTERS.get(entry.character)
    return known.name if known else clean(entry.character, NAME)


# --- a saved game that comes from a file ------------------------------------------------------------------------------


class UnwantedSave(StoreError):
    """A save that is as it was written, and not to be taken here."""


@dataclass(frozen=True, slots=True)
class TakenSave:
    """A save that became a log of this home."""

    log: Path  # the file that holds it now
    longer: bool  # it continued a log that was already here
    coordinates: bool  # the player coordinates the game, so can resume it


def take_save(home: Home, key: bytes, save: LogContents, date: str, game: str = "") -> TakenSave:
    """Make a save a log of this home. key: our public key; date: ISO form, for its name; game: the only kind accepted,
    "" for any. Raises BadSave, UnwantedSave and StoreError, nothing changed on disk."""
    start = _check_save(key, save.payloads, game)
    key_of_game, game_id = start.position.game.key, start.position.game_id
    if path := log_of(home, game_id):
        _continue_log(path, save)
        return TakenSave(path, longer=True, coordinates=start.side == 0)
    path = free_path(home, date, key_of_game, game_id)
    write_whole(path, log_bytes(save.payloads))
    return TakenSave(path, longer=False, coordinates=start.side == 0)


@guarded(faulty_save)
def _check_save(key: bytes, payloads: Sequence[bytes], game: str) -> Start:
    """Check that a save may become a log of this home. Raises BadSave and UnwantedSave."""
    try:
        start = read_beginning(payloads)
    except Refused as refused:
        raise BadSave(f"This save has no readable game: {refused}") from None
    key_of_game = start.position.game.key
    if game not in ("", key_of_game):
        wanted = f"To import it: p2pcards saves import FILE --game {key_of_game}"
        raise UnwantedSave(f"This is a game of {GAME_NAMES[key_of_game]}, not {GAME_NAMES[game]}.", wanted)
    if start.owner != key:
        raise UnwantedSave(
            "This game belongs to another identity, so only that one can resume it.",
            "Import it where that identity is, or copy your whole p2pcards home.",
        )
    try:
        transcript = read_transcript(payloads)
    except FalseLog as false:
        raise BadSave(f"This save is invalid, so it can't be resumed: {false}") from None
    if not (may_use_log(Use.TAKE, transcript.end) or transcript.checked):
        raise UnwantedSave(
            f"You haven't started the game in this save: {NEEDED[Use.TAKE].without}.",
            "Use a save from your own p2pcards: p2pcards saves export",
        )
    return start


def log_of(home: Home, game_id: bytes) -> Path | None:
    """The path of the log of this game, None if there is none that can be read."""
    return next((path for path in logs_named_by(home, game_id) if _is_of(path, game_id)), None)


@one_of_many(False)
def _is_of(path: Path, game_id: bytes) -> bool:
    """True if a log is of this game, and of somebody who has a side in it."""
    start = read_beginning(read_log(path).payloads)
    return bool(start.owner) and start.position.game_id == game_id


def _continue_log(path: Path, save: LogContents) -> None:
    """Replace a log by the save that continues it. Raises UnwantedSave and StoreError."""
    with held(path) as free:
        here, theirs = read_log(path).payloads, save.payloads
        same = next((place for place, (one, other) in enumerate(zip(here, theirs, strict=False)) if one != other), None)
        if same is not None:
            raise UnwantedSave(
                f"You already have a log of this game, {path.stem}. This save differs from it after {same} of its "
                f"{len(theirs)} entries.",
                "Resume a game on one machine only. 'p2pcards verify' compares two logs.",
            )
        if len(here) >= len(theirs):
            more = "which is longer" if len(here) > len(theirs) else "the same as in the save"
            raise UnwantedSave(f"You already have this game, as {path.stem}, {more}.")
        if not free:
            raise UnwantedSave("This game is open at a table here.", "Leave the table first, or stop: p2pcards stop")
        write_whole(path, log_bytes(save.payloads))
