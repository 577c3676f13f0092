"""The scoreboard of two-handed pinochle as text: a line for each game, then the line that begins -1,-1, then a line for
each round of the game that is on. Its player may edit it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from p2pcards.players.levels import LEVELS

GAME = "pinochle2"
MARK = "-1,-1"
MOST_POINTS = 999_999
MOST_GAMES = 10_000
"""A board that is full loses its oldest game."""
MOST_ROUNDS = 10_000
MOST_BYTES = 1 << 20
WON, LOST = OUTCOMES = ("won", "lost")
_LOG = re.compile(r"[0-9a-z_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A game, or a round of it. mine, theirs: 0 to MOST_POINTS; day: in ISO form; level: the highest that was used.
    outcome: one of OUTCOMES where the points do not tell it, as whoever knocks wins with fewer, too; else ""."""

    mine: int
    theirs: int
    day: str
    level: str
    outcome: str = ""

    @property
    def won(self) -> bool | None:
        """None where it was even."""
        if self.outcome:
            return self.outcome == WON
        return None if self.mine == self.theirs else self.mine > self.theirs


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """games, rounds: in the order in which they were played. log: that of the game which the rounds are of, as
    `p2pcards logs` shows it, "" where that is not known."""

    games: tuple[ScoreLine, ...] = ()
    rounds: tuple[ScoreLine, ...] = ()
    log: str = ""


class BadScoreboard(ValueError):
    """A text that is no scoreboard. The argument says what is wrong, advice what to try."""

    def __init__(self, wrong: str, advice: str) -> None:
        super().__init__(wrong)
        self.advice = advice


def format_board(board: Scoreboard) -> str:
    """What `parse_board` reads as this board, whose games and rounds are no more than MOST_GAMES and MOST_ROUNDS."""
    mark = f"{MARK},{board.log}" if board.log else MARK
    return "".join([f"{line}\n" for line in (*map(_written, board.games), mark, *map(_written, board.rounds))])


def parse_board(text: str) -> Scoreboard:
    """The board that a text holds; one with nothing in it is empty. Raises BadScoreboard."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    if lines == [""]:
        return Scoreboard()
    marks = [place for place, line in enumerate(lines) if line == MARK or line.startswith(f"{MARK},")]
    if not marks:
        raise BadScoreboard(f"no line begins with {MARK}", "Put one behind the last game.")
    mark, *others = marks
    if others:
        raise BadScoreboard(f"line {others[0] + 1} begins with {MARK} once more", "Leave only the first of them.")
    if mark > MOST_GAMES:
        raise BadScoreboard(f"it has more than {MOST_GAMES} games", "Take the oldest games out.")
    if len(lines) - mark - 1 > MOST_ROUNDS:
        raise BadScoreboard(f"it has more than {MOST_ROUNDS} rounds", "Take those out that are of no game that is on.")
    log = lines[mark].removeprefix(MARK).removeprefix(",")
    if log and not _LOG.fullmatch(log):
        raise BadScoreboard(
            f"line {mark + 1} names no log after {MARK}", "Write one as 'p2pcards logs' shows it, or nothing."
        )
    return Scoreboard(_read(lines, 0, mark), _read(lines, mark + 1, len(lines)), log)


# --- private ----------------------------------------------------------------------------------------------------------


def _written(line: ScoreLine) -> str:
    return ",".join([str(line.mine), str(line.theirs), line.day, line.level, *filter(None, [line.outcome])])


def _read(lines: Sequence[str], start: int, end: int) -> tuple[ScoreLine, ...]:
    """Raises BadScoreboard."""
    return tuple([_score_line(lines[place], place + 1) for place in range(start, end)])


def _score_line(line: str, number: int) -> ScoreLine:
    """Raises BadScoreboard."""
    parts = [part.strip() for part in line.split(",")]
    if len(parts) not in (4, 5):
        raise BadScoreboard(
            f"line {number} does not have your points, theirs, a date and a level", "Write 1010,870,2026-11-20,expert."
        )
    mine, theirs, day, level, *outcome = parts
    for one in (mine, theirs):
        if not re.fullmatch("[0-9]{1,6}", one):
            raise BadScoreboard(
                f"line {number} has {_quoted(one)} for points", f"Write a whole number from 0 to {MOST_POINTS}."
            )
    if not _is_day(day):
        raise BadScoreboard(f"line {number} has {_quoted(day)} for a date", "Write it as in 2026-11-20.")
    if level not in LEVELS:
        raise BadScoreboard(f"line {number} has {_quoted(level)} for a level", f"Write one of {', '.join(LEVELS)}.")
    if outcome and outcome[0] not in OUTCOMES:
        raise BadScoreboard(
            f"line {number} ends in {_quoted(outcome[0])}", f"Write {' or '.join(OUTCOMES)}, or nothing."
        )
    return ScoreLine(int(mine), int(theirs), day, level, *outcome)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _quoted(text: str) -> str:
    return repr(text[:20])
