"""The games that can go on here, how they stand, and one that comes from a file: what is checked before it becomes a
log."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2pcards.games.names import GAME_NAMES
from p2pcards.ledger.payloads import read_beginning
from p2pcards.ledger.signed import NEEDED, Use, may
from p2pcards.ledger.verify import FalseLog, read_transcript
from p2pcards.results.keeping import Progress, silent
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home, StoreError, write_whole
from p2pcards.store.logs import (
    SHOWN_LIMIT,
    BadSave,
    LogContents,
    LogEntry,
    SaveScores,
    SideScore,
    free_path,
    held,
    indexed_logs,
    keep_scores,
    log_bytes,
    logs_named_by,
    read_log,
)
from p2pcards.wire.packing import Refused

# --- the games that can go on here, and how they stand ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SavedGame:
    """coordinates: whether it is ours to resume; else it goes on when its coordinator does that."""

    log: LogEntry
    players: tuple[str, ...]
    coordinates: bool
    scores: SaveScores


def saved_games(
    home: Home, key: bytes, game: str = "", most: int | None = None, progress: Progress = silent
) -> list[SavedGame]:
    """The unfinished games with which whoever has this public key can go on, the newest first. game: of this one alone;
    most: how many. A log that does not hold tells none. Raises StoreError when the logs cannot be listed."""
    logs = [one for one in indexed_logs(home) if one[1].is_open_to(key) and game in ("", one[0].game)][:most]
    unknown = sum(facts.scores is None for _, facts in logs)
    found: list[SavedGame] = []
    new: list[tuple[LogEntry, SaveScores]] = []
    for log, facts in logs:
        scores = facts.scores or _scores_in(log)
        if scores and not facts.scores:
            new.append((log, scores))
            progress(len(new), unknown)
        if scores:
            found.append(SavedGame(log, facts.players, facts.side == 0, scores))
    if new:
        keep_scores(home, new)
    return found


def _scores_in(log: LogEntry) -> SaveScores | None:
    # They bring all the games with them, and whoever finds every score in the index does without.
    from p2pcards.results.reading import read_result
    from p2pcards.wire.packing import Refused

    try:
        return _scores_of(read_result(read_log(log.path).payloads))
    except (StoreError, Refused):
        return None


def _scores_of(result: GameResult) -> SaveScores:
    seats = result.seats
    sides = [
        SideScore(tuple([seats[seat].name[:SHOWN_LIMIT] for seat in side]), seats[side[0]].points)
        for side in result.sides
    ]
    return SaveScores(result.preset, tuple(sides))


# --- a saved game that comes from a file ------------------------------------------------------------------------------


class UnwantedSave(StoreError):
    """A save that is as it was written, and not to be taken here."""


@dataclass(frozen=True, slots=True)
class TakenSave:
    """log: the file that holds it now. longer: it continues a log that stood there. coordinates: whether it is ours to
    resume."""

    log: Path
    longer: bool
    coordinates: bool


def take_save(home: Home, key: bytes, save: LogContents, date: str, game: str = "") -> TakenSave:
    """Make a log of this home of a save. key: our public key; date: in ISO form, for its name; game: the only one that
    is wanted. Raises BadSave, UnwantedSave and StoreError, nothing changed on disk."""
    payloads = save.payloads
    try:
        start = read_beginning(payloads)
    except Refused as refused:
        raise BadSave(f"This save holds no game that can be read: {refused}") from None
    key_of_game, game_id = start.position.game.key, start.position.game_id
    if game not in ("", key_of_game):
        wanted = f"'p2pcards saves import FILE --game {key_of_game}' takes it."
        raise UnwantedSave(f"This is a game of {GAME_NAMES[key_of_game]}, not of {GAME_NAMES[game]}.", wanted)
    if start.header.sides[start.side].key != key:
        raise UnwantedSave(
            "This game belongs to another identity, which alone can go on with it.",
            "Import it where that identity is, or copy the whole home of p2pcards.",
        )
    try:
        transcript = read_transcript(payloads)
    except FalseLog as false:
        raise BadSave(f"This save does not prove itself, so nobody can go on with it: {false}") from None
    if not (may(Use.TAKE, transcript.end) or transcript.checked):
        raise UnwantedSave(
            f"This save shows no game that you have begun: {NEEDED[Use.TAKE].without}.",
            "Take a save that your own p2pcards has written: p2pcards saves export",
        )
    for path in logs_named_by(home, game_id):
        if _is_of(path, game_id):
            _continue(path, save)
            return TakenSave(path, longer=True, coordinates=start.side == 0)
    path = free_path(home, date, key_of_game, game_id)
    write_whole(path, log_bytes(save))
    return TakenSave(path, longer=False, coordinates=start.side == 0)


def _is_of(path: Path, game_id: bytes) -> bool:
    """Whether it is a log of this game. One that is damaged is none."""
    with suppress(StoreError, Refused):
        return read_beginning(read_log(path).payloads).position.game_id == game_id
    return False


def _continue(path: Path, save: LogContents) -> None:
    """Put the save in the place of a log that it continues. Raises UnwantedSave and StoreError."""
    with held(path) as free:
        here, theirs = read_log(path).payloads, save.payloads
        same = next((place for place, (one, other) in enumerate(zip(here, theirs, strict=False)) if one != other), None)
        if same is not None:
            raise UnwantedSave(
                f"Another log of this game is here, {path.stem}, which differs from the save after {same} of its "
                f"{len(theirs)} entries.",
                "Go on with a game on one machine only; 'p2pcards verify' compares two logs.",
            )
        if len(here) >= len(theirs):
            more = "and goes on longer" if len(here) > len(theirs) else "just as it is in the save"
            raise UnwantedSave(f"This game is here already, as {path.stem}, {more}.")
        if not free:
            raise UnwantedSave("This game is on at a table here.", "Leave the table first, or stop: p2pcards stop")
        write_whole(path, log_bytes(save))
