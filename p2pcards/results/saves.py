"""The games that can go on here, and how they stand. Every game is saved by its log, at every move."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.results.keeping import Progress, silent
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home, StoreError
from p2pcards.store.logs import (
    SHOWN_LIMIT,
    LogEntry,
    LogFacts,
    SaveScores,
    SideScore,
    indexed_logs,
    keep_scores,
    read_log,
)
from p2pcards.store.save_names import load_names
from p2pcards.wire.packing import Refused


@dataclass(frozen=True, slots=True)
class SavedGame:
    """name: what we call it, or ""; coordinates: whether it is ours to resume; else it goes on when its coordinator
    does that."""

    log: LogEntry
    name: str
    players: tuple[str, ...]
    coordinates: bool
    scores: SaveScores

    @property
    def called(self) -> str:
        """By which name it goes on."""
        return self.name or self.log.stem


def saved_games(
    home: Home, key: bytes, game: str = "", most: int | None = None, progress: Progress = silent
) -> list[SavedGame]:
    """The unfinished games with which the player with this public key can go on, and which they have not thrown away;
    the one that was played last comes first. game: of this one alone; most: how many. A log that does not hold tells
    none. Raises StoreError when the logs cannot be listed."""
    logs, names = open_logs(home, key, game)[:most], load_names(home).names
    unknown = sum(facts.scores is None for _, facts in logs)
    found: list[SavedGame] = []
    new: list[tuple[LogEntry, SaveScores]] = []
    for log, facts in logs:
        scores = facts.scores or _scores_in(log)
        if scores and not facts.scores:
            new.append((log, scores))
            progress(len(new), unknown)
        if scores:
            found.append(SavedGame(log, names.get(log.stem, ""), facts.players, facts.side == 0, scores))
    if new:
        keep_scores(home, new)
    return found


def open_logs(home: Home, key: bytes, game: str = "") -> list[tuple[LogEntry, LogFacts]]:
    """As `saved_games`, with nothing worked out."""
    kept = load_names(home)
    found = [
        (log, facts)
        for log, facts in indexed_logs(home)
        if facts.is_open_to(key) and game in ("", log.game) and not kept.is_thrown(log.stem, log.stamp)
    ]
    return sorted(found, key=lambda one: one[0].changed, reverse=True)


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
    return SaveScores(result.preset, tuple(sides), len(result.hands) + 1)
