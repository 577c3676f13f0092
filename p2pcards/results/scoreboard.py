"""The scoreboard of two-handed pinochle: its text, its file, and what has come since it was saved."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from p2pcards.players.levels import LEVELS
from p2pcards.present.dates import DAY, local_time_text
from p2pcards.results.book import Book, Entered, iterate_entered, level_of
from p2pcards.results.keeping import Progress, Tell, ask_book_and_logs, own_key, tell_nobody
from p2pcards.results.result import GameResult
from p2pcards.store.files import Home, StoreError, locked, store_error, write_whole
from p2pcards.store.logs import UNFINISHED, LogEntry, LogFacts, read_log

FEWER_GAMES = "Remove the oldest games."

# --- the scoreboard of two-handed pinochle as text --------------------------------------------------------------------


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
    """A game, or a round of it."""

    mine: int  # 0 to MOST_POINTS
    theirs: int  # 0 to MOST_POINTS
    day: str  # in ISO form
    level: str  # the highest that a computer player had
    outcome: str = ""  # one of OUTCOMES if the points do not show it, as when a knock wins with fewer; otherwise ""

    @property
    def won(self) -> bool | None:
        """True for a win, False for a loss, None for a tie."""
        if self.outcome:
            return self.outcome == WON
        return None if self.mine == self.theirs else self.mine > self.theirs


@dataclass(frozen=True, slots=True)
class Scoreboard:
    games: tuple[ScoreLine, ...] = ()  # oldest first
    rounds: tuple[ScoreLine, ...] = ()  # of the game named by log, oldest first
    log: str = ""  # as `p2pcards logs` lists it; "" if unknown


class BadScoreboard(ValueError):
    """A text that is no scoreboard. The argument says what is wrong, advice what to try."""

    def __init__(self, wrong: str, advice: str) -> None:
        super().__init__(wrong)
        self.advice = advice


def format_board(board: Scoreboard) -> str:
    """The text of a scoreboard, for `parse_board`; at most MOST_GAMES games and MOST_ROUNDS rounds."""
    mark = f"{MARK},{board.log}" if board.log else MARK
    return "".join([f"{line}\n" for line in (*map(_format_line, board.games), mark, *map(_format_line, board.rounds))])


def parse_board(text: str) -> Scoreboard:
    """The board that a text holds; one with nothing in it is empty. Raises BadScoreboard."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    if lines == [""]:
        return Scoreboard()
    marks = [place for place, line in enumerate(lines) if line == MARK or line.startswith(f"{MARK},")]
    if not marks:
        raise BadScoreboard(f"no line starts with {MARK}", "Put one after the last game.")
    mark, *others = marks
    if others:
        raise BadScoreboard(f"line {others[0] + 1} starts with {MARK} again", "Leave only the first of them.")
    if mark > MOST_GAMES:
        raise BadScoreboard(f"it has more than {MOST_GAMES} games", FEWER_GAMES)
    if len(lines) - mark - 1 > MOST_ROUNDS:
        raise BadScoreboard(f"it has more than {MOST_ROUNDS} rounds", "Remove the rounds of finished games.")
    log = lines[mark].removeprefix(MARK).removeprefix(",")
    if log and not _LOG.fullmatch(log):
        raise BadScoreboard(
            f"line {mark + 1} has no log name after {MARK}", "Write one as 'p2pcards logs' shows it, or leave it out."
        )
    return Scoreboard(_parse_lines(lines, 0, mark), _parse_lines(lines, mark + 1, len(lines)), log)


# --- private ----------------------------------------------------------------------------------------------------------


def _format_line(line: ScoreLine) -> str:
    """A line of the scoreboard as text."""
    return ",".join([str(line.mine), str(line.theirs), line.day, line.level, *filter(None, [line.outcome])])


def _parse_lines(lines: Sequence[str], start: int, end: int) -> tuple[ScoreLine, ...]:
    """The games or rounds in these lines, from index `start` up to `end`. Raises BadScoreboard."""
    return tuple([_score_line(lines[place], place + 1) for place in range(start, end)])


def _score_line(line: str, number: int) -> ScoreLine:
    """Parse one line. number: of the line, for the error. Raises BadScoreboard."""
    parts = [part.strip() for part in line.split(",")]
    if len(parts) not in (4, 5):
        raise BadScoreboard(
            f"line {number} needs your points, theirs, a date and a level", "Write 1010,870,2026-11-20,expert."
        )
    mine, theirs, day, level, *outcome = parts
    for one in (mine, theirs):
        if not re.fullmatch("[0-9]{1,6}", one):
            raise BadScoreboard(
                f"line {number} has {_quoted(one)} for points", f"Enter a whole number from 0 to {MOST_POINTS}."
            )
    if not _is_day(day):
        raise BadScoreboard(f"line {number} has {_quoted(day)} for a date", "Write it like 2026-11-20.")
    if level not in LEVELS:
        raise BadScoreboard(f"line {number} has {_quoted(level)} for a level", f"Write one of {', '.join(LEVELS)}.")
    if outcome and outcome[0] not in OUTCOMES:
        raise BadScoreboard(
            f"line {number} ends in {_quoted(outcome[0])}", f"Write {' or '.join(OUTCOMES)}, or leave it out."
        )
    return ScoreLine(int(mine), int(theirs), day, level, *outcome)


def _is_day(text: str) -> bool:
    """True for a date in ISO form."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _quoted(text: str) -> str:
    """The beginning of a text in quotes, for an error message."""
    return repr(text[:20])


# --- the scoreboard in its file, and what has come since it was saved -------------------------------------------------


class BoardRefused(StoreError):
    """What was asked for does not go with the scoreboard that is there, or that is not."""


@dataclass(frozen=True, slots=True)
class BoardState:
    """The scoreboard in its file, and with what was played since."""

    saved: Scoreboard  # as in the file
    now: Scoreboard  # with the new games and rounds; after a reset, without the games before it
    reset: bool  # a reset has not been saved yet
    games: int  # number of new ones
    rounds: int  # number of new ones


def board_state(
    home: Home, today: str, tell: Tell = tell_nobody, progress: Progress = tell_nobody
) -> BoardState | None:
    """The scoreboard, None where its player has none. today: the day of rounds that are new. tell, progress: as in
    `keeping.ask_book`. Raises StoreError."""
    saved = _read_file(home.scoreboard)
    if saved is None:
        return None
    draft = _read_file(home.scoreboard_draft)
    base, since = saved if draft is None else draft
    ended, logs = ask_book_and_logs(home, lambda book: _ended_since(book, since), tell, progress)
    now = replace(base, games=(*base.games, *map(_game_line, ended))[-MOST_GAMES:])
    if ended:
        now = replace(now, rounds=(), log="")
    if on := _game_on(logs, own_key(home), since):
        now = _with_rounds(now, base, *on, today)
    there = len(base.rounds) if now.log == base.log else 0
    return BoardState(saved[0], now, draft is not None, len(ended), max(len(now.rounds) - there, 0))


def make_board(home: Home) -> None:
    """Create an empty scoreboard, which gets the games from now on. Raises StoreError, BoardRefused where there is
    one."""
    with locked(home.scoreboard):
        if home.scoreboard.exists():
            raise BoardRefused(
                f"There's already a scoreboard, in {home.scoreboard}.", "To start over: scoreboard reset"
            )
        _forget_reset(home)
        write_whole(home.scoreboard, format_board(Scoreboard()).encode())


def save_board(home: Home, today: str) -> None:
    """Write all new games and rounds into the file. Raises StoreError, BoardRefused where there is no board."""
    with locked(home.scoreboard):
        write_whole(home.scoreboard, format_board(_require_board(home, today).now).encode())
        _forget_reset(home)


def reset_board(home: Home, today: str) -> None:
    """Remove the games and keep the rounds; the file changes only when that is saved. Raises StoreError, BoardRefused
    where there is no board."""
    with locked(home.scoreboard):
        now = _require_board(home, today).now
        write_whole(home.scoreboard_draft, format_board(replace(now, games=())).encode())


def keep_saved(home: Home) -> None:
    """Drop what was played since the last save, and any reset: the file stays as it is. Raises StoreError, BoardRefused
    where there is no board."""
    with locked(home.scoreboard):
        if not home.scoreboard.exists():
            raise no_board()
        _forget_reset(home)
        try:
            os.utime(home.scoreboard)  # what came before is not new any more
        except OSError as error:
            raise store_error(error, f"Can't change {home.scoreboard}") from error


def no_board() -> BoardRefused:
    """The BoardRefused for a player without a scoreboard."""
    return BoardRefused("There's no scoreboard of two-handed pinochle yet.", "To start one: scoreboard new")


# --- the files --------------------------------------------------------------------------------------------------------


def _read_file(path: Path) -> tuple[Scoreboard, int] | None:
    """The board in a file, and when that was written, in milliseconds of unix time. Raises StoreError."""
    try:
        # Where it is a pipe, nobody has to write there before that is found out.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            data = file.read(MOST_BYTES + 1) if stat.S_ISREG(status.st_mode) else b""
    except FileNotFoundError:
        return None
    except OSError as error:
        raise store_error(error, f"Can't read {path}") from error
    try:
        if not stat.S_ISREG(status.st_mode):
            raise BadScoreboard("it isn't a file", "Move it aside.")
        if len(data) > MOST_BYTES:
            raise BadScoreboard(f"it has more than {MOST_BYTES} bytes", FEWER_GAMES)
        return parse_board(_decode_text(data)), status.st_mtime_ns // 1_000_000
    except BadScoreboard as bad:
        raise StoreError(f"Can't read the scoreboard {path}: {bad}.", bad.advice) from None


def _decode_text(data: bytes) -> str:
    """The text in the bytes of a scoreboard file. Raises BadScoreboard."""
    try:
        return data.decode("utf-8-sig")  # as some editors write it
    except ValueError:
        raise BadScoreboard("it isn't text", "Write it as UTF-8.") from None


def _forget_reset(home: Home) -> None:
    """Delete the draft of a reset that was not saved."""
    try:
        home.scoreboard_draft.unlink(missing_ok=True)
    except OSError as error:
        raise store_error(error, f"Can't delete {home.scoreboard_draft}") from error


def _require_board(home: Home, today: str) -> BoardState:
    """The scoreboard and what was played since. today: the day for new rounds. Raises StoreError, BoardRefused where
    there is no board."""
    state = board_state(home, today)
    if state is None:
        raise no_board()
    return state


# --- what is new ------------------------------------------------------------------------------------------------------


def _ended_since(book: Book, since: int) -> list[Entered]:
    """The scoreboard's games that ended after this time (milliseconds of unix time), in order."""
    found = iterate_entered(book, "WHERE game = ? AND won AND ended > ? ORDER BY ended, id", (GAME, since))
    return [one for one in found if _is_ours(one.result)]


def _is_ours(result: GameResult) -> bool:
    """True if one of us played the game against the computer alone."""
    return not result.network and result.mine is not None and level_of(result) in LEVELS


def _game_line(one: Entered) -> ScoreLine:
    """A finished game as a line of the scoreboard."""
    result = one.result
    seat = result.seats[result.mine or 0]
    line = ScoreLine(seat.points, seat.against, local_time_text(one.ended / 1000)[:DAY], level_of(result))
    return line if line.won is seat.won else replace(line, outcome=WON if seat.won else LOST)


def _game_on(logs: Iterable[tuple[LogEntry, LogFacts]], key: bytes, since: int) -> tuple[LogEntry, GameResult] | None:
    """The unfinished game that was played last, if since this time (milliseconds of unix time); with its result so
    far."""
    unfinished = [(log, facts) for log, facts in logs if facts.state == UNFINISHED and key in (b"", facts.owner)]
    alone = [log for log, facts in unfinished if len(facts.players) == 1]
    new = [log for log in alone if log.game == GAME and log.changed // 1_000_000 > since]
    read = ((log, _result_in(log)) for log in sorted(new, key=lambda log: log.changed, reverse=True))
    found = next(((log, result) for log, result in read if result), None)
    return found if found and _is_ours(found[1]) and found[1].hands else None


def _result_in(log: LogEntry) -> GameResult | None:
    """The result so far in a log, None if it cannot be read."""
    from p2pcards.results.reading import read_result
    from p2pcards.wire.packing import Refused

    with suppress(StoreError, Refused):
        return read_result(read_log(log.path).payloads)
    return None


def _with_rounds(now: Scoreboard, base: Scoreboard, log: LogEntry, result: GameResult, today: str) -> Scoreboard:
    """The board with the rounds of the game in progress; rounds in it already stay as they are."""
    name = log.stem
    there = base.rounds if base.log == name else ()
    mine = result.mine or 0
    new = [
        ScoreLine(hand.points[mine], hand.points[1 - mine], today, level_of(result))
        for hand in result.hands[len(there) :]
    ]
    return replace(now, rounds=(*there, *new), log=name)
