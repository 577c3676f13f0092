"""The games that can go on here, and how they stand. Every game is saved by its log, at every move."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.results.keeping import Progress, silent
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home, StoreError
from p2pcards.store.logs import (
    SHOWN_LIMIT,
    LogEntry,
    SaveScores,
    SideScore,
    indexed_logs,
    keep_scores,
    read_log,
)
from p2pcards.wire.packing import Refused


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
    """The unfinished games with which the player with this public key can go on, the newest first. game: of this one
    alone; most: how many. A log that does not hold tells none. Raises StoreError when the logs cannot be listed."""
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
    # They bring all the games with them, and a caller who finds every score in the index does without.
    from p2pcards.results.reading import read_result

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
