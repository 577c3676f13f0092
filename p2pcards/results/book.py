"""The results in the database: its file, what is entered there, the ratings and figures that follow.
`results.standings` reads it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from p2pcards.games.figures import Figure
from p2pcards.games.game import Seat
from p2pcards.games.telling import told_of
from p2pcards.players.levels import LEVELS
from p2pcards.results.result import DamagedResult, GameResult, HandResult, SeatResult, packed, unpacked

# --- the file in which results are kept, and how one of an earlier version becomes one of this ------------------------


TABLES = ("games", "players", "seats", "ratings", "figures", "logs", "applied")
STEPS = (
    """
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        ended INTEGER NOT NULL,      -- milliseconds of unix time
        level TEXT NOT NULL,         -- the highest of a computer player, '' without any
        won INTEGER NOT NULL,
        counts INTEGER NOT NULL,     -- 0: not won by anybody, or reset
        log TEXT,                    -- its name; NULL when it was deleted
        result BLOB NOT NULL         -- results.result, packed
    );
    CREATE INDEX by_time ON games (ended, id);
    CREATE INDEX by_game_and_time ON games (game, ended, id);
    CREATE TABLE players (
        who TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,          -- the last one
        seen INTEGER NOT NULL        -- when its game ended
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        number INTEGER NOT NULL REFERENCES games,
        seat INTEGER NOT NULL,
        game TEXT NOT NULL,
        counts INTEGER NOT NULL,
        who TEXT NOT NULL,
        subject TEXT NOT NULL,       -- whose rating it is
        won INTEGER NOT NULL,
        points INTEGER NOT NULL,
        against INTEGER NOT NULL,
        margin INTEGER NOT NULL,     -- by how much it was better than the others
        mu REAL,                     -- the rating after the game; NULL where it is not rated
        sigma REAL,
        PRIMARY KEY (number, seat)
    ) WITHOUT ROWID;
    CREATE INDEX by_player ON seats (game, counts, who, won, points, against);
    CREATE INDEX by_points ON seats (game, counts, points);
    CREATE INDEX by_against ON seats (game, counts, against);
    CREATE INDEX by_margin ON seats (game, counts, won, margin);
    CREATE INDEX by_who ON seats (counts, who, won, points, against);
    CREATE INDEX by_subject ON seats (game, subject) WHERE mu IS NOT NULL;
    CREATE TABLE ratings (
        game TEXT NOT NULL,
        subject TEXT NOT NULL,
        mu REAL NOT NULL,
        sigma REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (game, subject)
    ) WITHOUT ROWID;
    CREATE TABLE figures (
        number INTEGER NOT NULL REFERENCES games,
        game TEXT NOT NULL,
        counts INTEGER NOT NULL,
        figure TEXT NOT NULL,
        hits INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (number, figure)
    ) WITHOUT ROWID;
    CREATE INDEX by_figure ON figures (game, counts, figure, hits, tries);
    CREATE TABLE logs (
        name TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        changed INTEGER NOT NULL,    -- nanoseconds of unix time
        state TEXT NOT NULL          -- 'kept': its game is in the book; 'open'; 'unreadable'
    ) WITHOUT ROWID;
    CREATE INDEX not_kept ON logs (name) WHERE state != 'kept';
    CREATE TABLE applied (
        facts INTEGER NOT NULL       -- bytes of the facts that are in here
    );
    INSERT INTO applied VALUES (0);
    """,
    # A game with others counts only where its log has something of ours that is signed, so those logs are read again.
    """
    UPDATE logs SET state = 'open', size = -1
        WHERE name IN (SELECT log FROM games JOIN seats USING (number) WHERE who LIKE 'peer:%');
    ALTER TABLE applied ADD COLUMN taken_out INTEGER NOT NULL DEFAULT 0;
    """,
    # Figures were counted by the words of score sheets. What the rules measure is read from the logs that are there.
    """
    UPDATE logs SET state = 'open', size = -1 WHERE state = 'kept';
    """,
    # The player of the home went by the name that each game's host gave them. All is counted and rated anew as theirs.
    """
    UPDATE seats SET who = 'me' WHERE who LIKE 'me:%';
    UPDATE seats SET subject = 'me' WHERE subject LIKE 'me:%';
    INSERT INTO players SELECT 'me', 'me', name, max(seen) FROM players WHERE who LIKE 'me:%' HAVING count(*) > 0;
    DELETE FROM players WHERE who LIKE 'me:%';
    DELETE FROM ratings;
    UPDATE seats SET counts = 0, mu = NULL, sigma = NULL;
    UPDATE figures SET counts = 0;
    UPDATE games SET counts = 0;
    UPDATE applied SET facts = -1;
    """,
)
VERSION = len(STEPS)


class NewerBook(Exception):
    """The file was made by a later version of this program."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make or migrate the tables. Raises NewerBook, and sqlite3.DatabaseError for what is no such file."""
    if _version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        for step in STEPS[_version(connection) :]:
            for statement in step.split(";\n"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise NewerBook
    return int(version)


# --- how good players are at a game -----------------------------------------------------------------------------------


START = 25.0
"""The rating that everybody begins with."""


@dataclass(frozen=True, slots=True)
class Rating:
    mu: float  # the rating
    sigma: float  # its standard deviation
    games: int = 0  # number of games behind it


NEW = Rating(START, START / 3)


def rated(result: GameResult, before: Callable[[str], Rating]) -> tuple[Mapping[str, Rating], tuple[Rating, ...]]:
    """The ratings after a game of everybody who is rated by it, and those of its seats. before: what the rating of a
    subject was. A level that sits in several seats takes the mean of what they would change it to."""
    held = [before(seat.subject) for seat in result.seats]
    model = _model()
    teams = [[model.create_rating([held[seat].mu, held[seat].sigma]) for seat in side] for side in result.sides]
    changed: dict[str, list[Rating]] = {}
    # A player who always wins teaches nothing more; that makes nobody less certain than before.
    rated_teams = model.rate(teams, ranks=_ranks(result), limit_sigma=True)
    for side, team in zip(result.sides, rated_teams, strict=True):
        for seat, one in zip(side, team, strict=True):
            changed.setdefault(result.seats[seat].subject, []).append(Rating(one.mu, one.sigma))
    after = {
        subject: Rating(_mean([one.mu for one in each]), _mean([one.sigma for one in each]), before(subject).games + 1)
        for subject, each in changed.items()
    }
    return after, tuple([after[seat.subject] for seat in result.seats])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _ranks(result: GameResult) -> list[float]:
    """Of each side, 0 for who has won; the others by their points."""
    sign = 1 if result.low_wins else -1
    firsts: Sequence[Any] = [result.seats[side[0]] for side in result.sides]
    keys = [(not seat.won, sign * seat.points if not seat.won else 0) for seat in firsts]
    return [float(sorted(set(keys)).index(key)) for key in keys]


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # it takes a while to load

    return PlackettLuce(mu=NEW.mu, sigma=NEW.sigma)


# --- the figures of a player in a game: what its game counts in the hands of one seat ---------------------------------


def counts(result: GameResult) -> dict[str, tuple[int, int]]:
    """(hits, tries) by figure, for the seat of the player whose log it is."""
    seat = result.mine
    if seat is None:
        return {}
    hands = [hand for hand in result.hands if len(hand.measured) > seat]
    return {figure.key: _sums(figure, hands, seat) for figure in told_of(result.game).figures}


def _sums(figure: Figure, hands: Sequence[HandResult], seat: Seat) -> tuple[int, int]:
    values = [number for hand in hands for key, number in hand.measured[seat] if key == figure.measure]
    return sum(values), len(values)


# --- the results in the database --------------------------------------------------------------------------------------


Book = sqlite3.Connection

_GAME_COLUMNS = "id, game, ended, level, won, counts, log"
_FIGURE_COLUMNS = "game, counts, figure, hits, tries"
_SEAT_COLUMNS = "seat, game, counts, who, subject, won, points, against, margin"


@dataclass(frozen=True, slots=True)
class Entered:
    """A result in the book."""

    result: GameResult
    ended: int  # milliseconds of Unix time
    log: str | None  # name of its log; None if the log was deleted
    counts: bool = True  # the game was won and has not been reset


@contextmanager
def as_it_stands(book: Book) -> Iterator[None]:
    """Whatever others write meanwhile is not seen."""
    book.execute("BEGIN")
    try:
        yield
    finally:
        book.execute("ROLLBACK")


@contextmanager
def writing(book: Book) -> Iterator[None]:
    """All or nothing, and one process at a time; within another that is on, as a part of it."""
    if book.in_transaction:
        yield
        return
    book.execute("BEGIN IMMEDIATE")
    with book:
        yield


def enter(book: Book, games: Iterable[Entered]) -> None:
    """Put these games into the book, but for those that stand there already. Within `writing`, as all that writes."""
    new = [one for one in sorted(games, key=_in_time) if _insert(book, one)]
    for game in dict.fromkeys([one.result.game for one in new]):
        _rate(book, game, [one for one in new if one.result.game == game])


def entered(book: Book, where: str = "", values: Sequence[object] = ()) -> Iterator[Entered]:
    """Games in the order in which they ended; where: what follows FROM games. Raises DamagedResult."""
    for data, ended, log, each_counts in book.execute(
        f"SELECT result, ended, log, counts FROM games {where or 'ORDER BY ended, id'}", values
    ):
        yield Entered(unpacked(data), ended, log, bool(each_counts))


def with_logs(book: Book, wanted: Callable[[str | None], bool]) -> list[Entered]:
    """The games whose logs are wanted, which are given by name, None where one was deleted. Raises DamagedResult."""
    numbers = [(number,) for number, log in book.execute("SELECT number, log FROM games") if wanted(log)]
    return [one for number in numbers for one in entered(book, "WHERE number = ?", number)]


def recount(book: Book, out: Iterable[str]) -> None:
    """From here on everything is counted but for these games, by id."""
    book.execute("CREATE TEMP TABLE IF NOT EXISTS out (id TEXT PRIMARY KEY)")
    book.execute("DELETE FROM out")
    book.executemany("INSERT OR IGNORE INTO out VALUES (?)", [(one,) for one in out])
    counted = "won AND id NOT IN (SELECT id FROM out)"
    changed = book.execute(f"SELECT number, game, {counted} FROM games WHERE counts != ({counted})").fetchall()
    for number, _, counts_now in changed:
        book.execute("UPDATE games SET counts = ? WHERE number = ?", (counts_now, number))
        book.execute("UPDATE seats SET counts = ? WHERE number = ?", (counts_now, number))
        book.execute("UPDATE figures SET counts = ? WHERE number = ?", (counts_now, number))
    for game in dict.fromkeys([game for _, game, _ in changed]):
        _rate_anew(book, game)


def take_out(book: Book, logs: Iterable[str]) -> int:
    """The games of these logs stand in the book no more; how many they were. Raises DamagedResult."""
    found = [one for log in logs for one in book.execute("SELECT number, game FROM games WHERE log = ?", (log,))]
    for number, _ in found:
        for table in ("seats", "figures", "games"):
            book.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    if found:
        book.execute("DELETE FROM players")
        for one in entered(book):
            _meet(book, one)
    for game in dict.fromkeys([game for _, game in found]):
        _rate_anew(book, game)
    return len(found)


def note_deleted(book: Book, logs: Container[str]) -> None:
    """Only these logs are there."""
    gone = [(log,) for (log,) in book.execute("SELECT log FROM games WHERE log IS NOT NULL") if log not in logs]
    book.executemany("UPDATE games SET log = NULL WHERE log = ?", gone)


def level_of(result: GameResult) -> str:
    """The highest level of a computer player; "" without any."""
    return max([seat.level for seat in result.seats if seat.level], key=_height, default="")


def proofread(book: Book, pause: Callable[[], None]) -> None:
    """Raises DamagedResult where what is there to be asked is not what the results say, or the file itself is damaged.
    pause: called after every game."""
    if (found := book.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise DamagedResult(str(found))
    players: dict[str, tuple[str, str, int]] = {}
    for number, *row in book.execute(f"SELECT number, {_GAME_COLUMNS} FROM games ORDER BY number").fetchall():
        (one,) = entered(book, "WHERE number = ?", (number,))
        seats = book.execute(f"SELECT {_SEAT_COLUMNS} FROM seats WHERE number = ? ORDER BY seat", (number,)).fetchall()
        figures = book.execute(f"SELECT {_FIGURE_COLUMNS} FROM figures WHERE number = ?", (number,)).fetchall()
        if (*row,) != _game_row(one)[:-1] or seats != _seat_rows(one) or set(figures) != set(_figure_rows(one)):
            raise DamagedResult(f"game {number} has changed since it was recorded")
        for seat in one.result.seats:
            if seat.who not in players or one.ended >= players[seat.who][2]:
                players[seat.who] = seat.kind, seat.name, one.ended
        pause()
    if {who: tuple(known) for who, *known in book.execute("SELECT who, kind, name, seen FROM players")} != players:
        raise DamagedResult("the players don't match the games")
    for (game,) in book.execute("SELECT DISTINCT game FROM ratings").fetchall():
        stand = book.execute(
            "SELECT mu, sigma, id, seat FROM seats JOIN games USING (number) WHERE seats.game = ? AND mu IS NOT NULL",
            (game,),
        ).fetchall()
        rows, known = _rated_in_turn(_rated_games(book, game), {}, pause)
        if set(stand) != set(rows) or _ratings(book, game) != known:
            raise DamagedResult(f"the ratings of {game} don't match its games")


# --- private ----------------------------------------------------------------------------------------------------------


def _in_time(one: Entered) -> tuple[int, str]:
    return one.ended, one.result.id


def _height(level: str) -> int:
    return LEVELS.index(level) if level in LEVELS else -1


def _game_row(one: Entered) -> tuple[object, ...]:
    result = one.result
    value = one.counts and result.won
    return result.id, result.game, one.ended, level_of(result), result.won, value, one.log, packed(result)


def _seat_rows(one: Entered) -> list[tuple[object, ...]]:
    result, value = one.result, one.counts and one.result.won
    sign = -1 if result.low_wins else 1
    return [
        (place, result.game, value, seat.who, seat.subject, seat.won, *_points(seat, sign))
        for place, seat in enumerate(result.seats)
    ]


def _figure_rows(one: Entered) -> list[tuple[object, ...]]:
    result, value = one.result, one.counts and one.result.won
    return [(result.game, value, figure, *pair) for figure, pair in counts(result).items()]


def _points(seat: SeatResult, sign: int) -> tuple[int, int, int]:
    return seat.points, seat.against, sign * (seat.points - seat.against)


def _insert(book: Book, one: Entered) -> bool:
    """Whether it did not stand there."""
    done = book.execute(
        f"INSERT INTO games ({_GAME_COLUMNS}, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        _game_row(one),
    )
    if not done.rowcount:
        _renew(book, one)
        return False
    number = done.lastrowid
    book.executemany(
        f"INSERT INTO seats (number, {_SEAT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *row) for row in _seat_rows(one)],
    )
    _meet(book, one)
    _insert_figures(book, number, one)
    return True


def _renew(book: Book, one: Entered) -> None:
    """What was measured of a game that stands there, from its log, which is read again. Nothing else of it changes."""
    found = book.execute("SELECT number, counts FROM games WHERE id = ? AND log = ?", (one.result.id, one.log))
    for number, value in found.fetchall():
        book.execute("UPDATE games SET result = ? WHERE number = ?", (packed(one.result), number))
        book.execute("DELETE FROM figures WHERE number = ?", (number,))
        _insert_figures(book, number, replace(one, counts=bool(value)))


def _insert_figures(book: Book, number: int | None, one: Entered) -> None:
    book.executemany(
        f"INSERT INTO figures (number, {_FIGURE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
        [(number, *row) for row in _figure_rows(one)],
    )


def _meet(book: Book, one: Entered) -> None:
    """The players of a game."""
    book.executemany(
        "INSERT INTO players (who, kind, name, seen) VALUES (?, ?, ?, ?) ON CONFLICT (who) DO UPDATE "
        "SET name = excluded.name, seen = excluded.seen WHERE excluded.seen >= seen",
        [(seat.who, seat.kind, seat.name, one.ended) for seat in one.result.seats],
    )


def _rate(book: Book, game: str, new: Sequence[Entered]) -> None:
    """The ratings after these games, which are in the order in which they ended."""
    if not (new := [one for one in new if one.counts and one.result.is_rated]):
        return
    later = book.execute(
        "SELECT 1 FROM games JOIN seats USING (number) "
        "WHERE seats.game = ? AND mu IS NOT NULL AND (ended, id) > (?, ?) LIMIT 1",
        (game, *_in_time(new[0])),
    )
    if later.fetchone():
        _rate_anew(book, game)
    else:
        _rate_each(book, game, new)


def _rate_anew(book: Book, game: str) -> None:
    book.execute("DELETE FROM ratings WHERE game = ?", (game,))
    book.execute("UPDATE seats SET mu = NULL, sigma = NULL WHERE game = ? AND mu IS NOT NULL", (game,))
    _rate_each(book, game, _rated_games(book, game))


def _rated_games(book: Book, game: str) -> Iterator[Entered]:
    """In the order in which they ended."""
    counted = entered(book, "WHERE game = ? AND counts ORDER BY ended, id", (game,))
    return (one for one in counted if one.result.is_rated)


def _rate_each(book: Book, game: str, games: Iterable[Entered]) -> None:
    rows, known = _rated_in_turn(list(games), _ratings(book, game))
    book.executemany(
        "UPDATE seats SET mu = ?, sigma = ? WHERE number = (SELECT number FROM games WHERE id = ?) AND seat = ?", rows
    )
    book.executemany(
        "INSERT OR REPLACE INTO ratings (game, subject, mu, sigma, games) VALUES (?, ?, ?, ?, ?)",
        [(game, subject, one.mu, one.sigma, one.games) for subject, one in known.items()],
    )


def _ratings(book: Book, game: str) -> dict[str, Rating]:
    """By subject."""
    rows = book.execute("SELECT subject, mu, sigma, games FROM ratings WHERE game = ?", (game,))
    return {subject: Rating(mu, sigma, rests_on) for subject, mu, sigma, rests_on in rows}


def _rated_in_turn(
    games: Iterable[Entered], before: Mapping[str, Rating], pause: Callable[[], None] = lambda: None
) -> tuple[list[tuple[float, float, str, Seat]], dict[str, Rating]]:
    """(mu, sigma, id of the game, seat) of every seat after each of these games, and the ratings after the last."""
    known, rows = dict(before), []
    for one in games:
        after, of_seats = rated(one.result, lambda subject: known.get(subject, NEW))
        known.update(after)
        rows += [(rating.mu, rating.sigma, one.result.id, seat) for seat, rating in enumerate(of_seats)]
        pause()
    return rows, known
