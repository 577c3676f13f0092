"""The games that can go on here, and how they stand. Every game is saved by its log, at every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.results.keeping import Progress, Tell, tell_nobody
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home
from p2pcards.store.guarded import one_of_many
from p2pcards.store.logs import (
    SHOWN_LIMIT,
    LogEntry,
    LogFacts,
    SaveScores,
    SideScore,
    indexed_logs,
    keep_scores,
    names_of_unreadable,
    read_log,
    unread_logs_sentence,
)
from p2pcards.store.save_names import SaveNames, load_names


@dataclass(frozen=True, slots=True)
class SavedGame:
    """An unfinished game of this home."""

    log: LogEntry
    name: str  # the name that the player gave it, or ""
    players: tuple[str, ...]
    coordinates: bool  # the player can resume it; False: its coordinator has to
    scores: SaveScores

    @property
    def called(self) -> str:
        """The name by which the player resumes it: their own for it, else that of its log."""
        return self.name or self.log.stem


def saved_games(
    home: Home,
    key: bytes,
    game: str = "",
    most: int | None = None,
    progress: Progress = tell_nobody,
    tell: Tell = tell_nobody,
) -> list[SavedGame]:
    """The unfinished games with which the player with this public key can go on, and which they have not thrown away;
    the one that was played last comes first. game: of this one alone; most: how many. tell: takes a sentence that names
    the logs that cannot be read. Raises StoreError when the logs cannot be listed."""
    indexed, names = [one for one in indexed_logs(home) if game in ("", one[0].game)], load_names(home)
    logs, bad = _open_among(indexed, names, key)[:most], names_of_unreadable(indexed)
    unknown = sum(facts.scores is None for _, facts in logs)
    found: list[SavedGame] = []
    new: list[tuple[LogEntry, SaveScores]] = []
    for log, facts in logs:
        scores = facts.scores or _scores_in(log)
        if scores and not facts.scores:
            new.append((log, scores))
            progress(len(new), unknown)
        if scores:
            found.append(SavedGame(log, names.names.get(log.stem, ""), facts.players, facts.side == 0, scores))
        else:
            bad.append(log.stem)
    if new:
        keep_scores(home, new)
    if bad:
        tell(unread_logs_sentence(bad))
    return found


def open_logs(home: Home, key: bytes) -> list[tuple[LogEntry, LogFacts]]:
    """The logs that `saved_games` is about, with no scores worked out."""
    return _open_among(indexed_logs(home), load_names(home), key)


def _open_among(
    logs: Sequence[tuple[LogEntry, LogFacts]], kept: SaveNames, key: bytes
) -> list[tuple[LogEntry, LogFacts]]:
    """Those of these logs that are unfinished games of the player with this key and not thrown away; the latest
    first."""
    found = [(log, facts) for log, facts in logs if facts.is_open_to(key) and not kept.is_thrown(log.stem, log.stamp)]
    return sorted(found, key=lambda one: one[0].changed, reverse=True)


@one_of_many(None)
def _scores_in(log: LogEntry) -> SaveScores:
    """The score of the unfinished game in a log, None if it cannot be read."""
    # They bring all the games with them, and a caller who finds every score in the index does without.
    from p2pcards.results.reading import read_result

    return _scores_of(read_result(read_log(log.path).payloads))


def _scores_of(result: GameResult) -> SaveScores:
    """The score of an unfinished game, shortened for lists."""
    seats = result.seats
    sides = [
        SideScore(tuple([seats[seat].name[:SHOWN_LIMIT] for seat in side]), seats[side[0]].points)
        for side in result.sides
    ]
    return SaveScores(result.preset, tuple(sides), len(result.hands) + 1)
