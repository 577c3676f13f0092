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
from p2pcards.games.telling import load_told
from p2pcards.players.levels import LEVELS
from p2pcards.results.result import DamagedResult, GameResult, HandResult, SeatResult, pack_result, unpack_result

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
        counts INTEGER NOT NULL,     -- 0: not played, or reset
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
    # The hands of a game that goes on in another log count for those who played them, though nobody has won it.
    """
    ALTER TABLE games ADD COLUMN played INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET played = won;
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
    """The version of the book's tables. Raises NewerBook for one from a later program."""
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


def rate_game(result: GameResult, before: Callable[[str], Rating]) -> tuple[Mapping[str, Rating], tuple[Rating, ...]]:
    """The ratings after a game, by subject and by seat. before: gives the rating of a subject before it. A level in
    several seats takes the mean of their changes."""
    held = [before(seat.subject) for seat in result.seats]
    model = _rating_model()
    teams = [[model.create_rating([held[seat].mu, held[seat].sigma]) for seat in side] for side in result.sides]
    changed: dict[str, list[Rating]] = {}
    # A player who always wins teaches nothing more; that makes nobody less certain than before.
    rated_teams = model.rate(teams, ranks=_side_ranks(result), limit_sigma=True)
    for side, team in zip(result.sides, rated_teams, strict=True):
        for seat, one in zip(side, team, strict=True):
            changed.setdefault(result.seats[seat].subject, []).append(Rating(one.mu, one.sigma))
    after = {
        subject: Rating(_mean([one.mu for one in each]), _mean([one.sigma for one in each]), before(subject).games + 1)
        for subject, each in changed.items()
    }
    return after, tuple([after[seat.subject] for seat in result.seats])


def _mean(values: list[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def _side_ranks(result: GameResult) -> list[float]:
    """The rank of each side: 0 for the winners, the others by points."""
    sign = 1 if result.low_wins else -1
    firsts: Sequence[Any] = [result.seats[side[0]] for side in result.sides]
    keys = [(not seat.won, sign * seat.points if not seat.won else 0) for seat in firsts]
    return [float(sorted(set(keys)).index(key)) for key in keys]


@cache
def _rating_model() -> Any:
    """The Plackett-Luce model, loaded when it is first needed."""
    from openskill.models import PlackettLuce  # it takes a while to load

    return PlackettLuce(mu=NEW.mu, sigma=NEW.sigma)


# --- the figures of a player in a game: what its game counts in the hands of one seat ---------------------------------


def figure_counts(result: GameResult) -> dict[str, tuple[int, int]]:
    """(hits, tries) of the player's own seat for each figure of the game, by key."""
    seat = result.mine
    if seat is None:
        return {}
    hands = [hand for hand in result.hands if len(hand.measured) > seat]
    return {figure.key: _figure_sums(figure, hands, seat) for figure in load_told(result.game).figures}


def _figure_sums(figure: Figure, hands: Sequence[HandResult], seat: Seat) -> tuple[int, int]:
    """(hits, tries) of a figure for one seat over these hands."""
    values = [number for hand in hands for key, number in hand.measured[seat] if key == figure.measure]
    return sum(values), len(values)


# --- the results in the database --------------------------------------------------------------------------------------


Book = sqlite3.Connection

_GAME_COLUMNS = "id, game, ended, level, won, played, counts, log"
_FIGURE_COLUMNS = "game, counts, figure, hits, tries"
_SEAT_COLUMNS = "seat, game, counts, who, subject, won, points, against, margin"


@dataclass(frozen=True, slots=True)
class Entered:
    """A result in the book."""

    result: GameResult
    ended: int  # milliseconds of Unix time
    log: str | None  # name of its log; None if the log was deleted
    counts: bool = True  # its hands count and it has not been reset


@contextmanager
def as_it_stands(book: Book) -> Iterator[None]:
    """A read transaction: writes of other processes stay unseen."""
    book.execute("BEGIN")
    try:
        yield
    finally:
        book.execute("ROLLBACK")


@contextmanager
def writing(book: Book) -> Iterator[None]:
    """A write transaction, one process at a time; inside another it becomes a part of that."""
    if book.in_transaction:
        yield
        return
    book.execute("BEGIN IMMEDIATE")
    with book:
        yield


def enter_games(book: Book, games: Iterable[Entered]) -> None:
    """Put these games into the book, except those in it already. Call it within `writing`."""
    new = [one for one in sorted(games, key=_time_key) if _insert_game(book, one)]
    for game in dict.fromkeys([one.result.game for one in new]):
        _rate_new(book, game, [one for one in new if one.result.game == game])


def iterate_entered(book: Book, where: str = "", values: Sequence[object] = ()) -> Iterator[Entered]:
    """The games of the book in the order in which they ended. where: SQL that follows FROM games; values: its
    parameters. Raises DamagedResult."""
    for data, ended, log, each_counts in book.execute(
        f"SELECT result, ended, log, counts FROM games {where or 'ORDER BY ended, id'}", values
    ):
        yield Entered(unpack_result(data), ended, log, bool(each_counts))


def games_with_logs(book: Book, wanted: Callable[[str | None], bool]) -> list[Entered]:
    """The games whose log satisfies `wanted`, which gets the log's name, None where it was deleted. Raises
    DamagedResult."""
    numbers = [(number,) for number, log in book.execute("SELECT number, log FROM games") if wanted(log)]
    return [one for number in numbers for one in iterate_entered(book, "WHERE number = ?", number)]


def set_uncounted(book: Book, out: Iterable[str]) -> None:
    """Have every game whose hands count do so, except those with these ids."""
    book.execute("CREATE TEMP TABLE IF NOT EXISTS out (id TEXT PRIMARY KEY)")
    book.execute("DELETE FROM out")
    book.executemany("INSERT OR IGNORE INTO out VALUES (?)", [(one,) for one in out])
    counted = "played AND id NOT IN (SELECT id FROM out)"
    changed = book.execute(f"SELECT number, game, won, {counted} FROM games WHERE counts != ({counted})").fetchall()
    for number, _, won, counts_now in changed:
        book.execute("UPDATE games SET counts = ? WHERE number = ?", (counts_now, number))
        book.execute("UPDATE seats SET counts = ? WHERE number = ?", (won and counts_now, number))
        book.execute("UPDATE figures SET counts = ? WHERE number = ?", (counts_now, number))
    for game in dict.fromkeys([game for _, game, *_ in changed]):
        _rate_anew(book, game)


def remove_games(book: Book, logs: Iterable[str]) -> int:
    """Remove the games of these logs from the book; returns how many. Raises DamagedResult."""
    found = [one for log in logs for one in book.execute("SELECT number, game FROM games WHERE log = ?", (log,))]
    for number, _ in found:
        for table in ("seats", "figures", "games"):
            book.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
    if found:
        book.execute("DELETE FROM players")
        for one in iterate_entered(book):
            _insert_players(book, one)
    for game in dict.fromkeys([game for _, game in found]):
        _rate_anew(book, game)
    return len(found)


def note_deleted(book: Book, logs: Container[str]) -> None:
    """Note in the book which logs still exist; all others count as deleted."""
    gone = [(log,) for (log,) in book.execute("SELECT log FROM games WHERE log IS NOT NULL") if log not in logs]
    book.executemany("UPDATE games SET log = NULL WHERE log = ?", gone)


def level_of(result: GameResult) -> str:
    """The highest level among the computer players of a game; "" if there are none."""
    return max([seat.level for seat in result.seats if seat.level], key=_level_rank, default="")


def proofread(book: Book, pause: Callable[[], None]) -> None:
    """Check that the tables say what the packed results do. Raises DamagedResult. pause: called after every game."""
    if (found := book.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise DamagedResult(str(found))
    players: dict[str, tuple[str, str, int]] = {}
    for number, *row in book.execute(f"SELECT number, {_GAME_COLUMNS} FROM games ORDER BY number").fetchall():
        (one,) = iterate_entered(book, "WHERE number = ?", (number,))
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


def _time_key(one: Entered) -> tuple[int, str]:
    """Sort key: when a game ended, then its id."""
    return one.ended, one.result.id


def _level_rank(level: str) -> int:
    """The rank of a level, from 0 for the lowest; -1 for an unknown one."""
    return LEVELS.index(level) if level in LEVELS else -1


def _game_row(one: Entered) -> tuple[object, ...]:
    """The row of the table `games` for a result."""
    result, played = one.result, one.result.is_played
    row = (result.id, result.game, one.ended, level_of(result), result.won, played, one.counts and played, one.log)
    return *row, pack_result(result)


def _seat_rows(one: Entered) -> list[tuple[object, ...]]:
    """The rows of the table `seats` for a result."""
    result, value = one.result, one.counts and one.result.won
    sign = -1 if result.low_wins else 1
    return [
        (place, result.game, value, seat.who, seat.subject, seat.won, *_points_row(seat, sign))
        for place, seat in enumerate(result.seats)
    ]


def _figure_rows(one: Entered) -> list[tuple[object, ...]]:
    """The rows of the table `figures` for a result."""
    result, value = one.result, one.counts and one.result.is_played
    return [(result.game, value, figure, *pair) for figure, pair in figure_counts(result).items()]


def _points_row(seat: SeatResult, sign: int) -> tuple[int, int, int]:
    """(points, points against, margin), the margin positive where the seat did better."""
    return seat.points, seat.against, sign * (seat.points - seat.against)


def _insert_game(book: Book, one: Entered) -> bool:
    """Insert a game; False if it was in the book already."""
    done = book.execute(
        f"INSERT INTO games ({_GAME_COLUMNS}, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        _game_row(one),
    )
    if not done.rowcount:
        _renew_measures(book, one)
        return False
    number = done.lastrowid
    book.executemany(
        f"INSERT INTO seats (number, {_SEAT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *row) for row in _seat_rows(one)],
    )
    _insert_players(book, one)
    _insert_figures(book, number, one)
    return True


def _renew_measures(book: Book, one: Entered) -> None:
    """Replace what was measured of a game in the book, after its log was read again."""
    found = book.execute("SELECT number, counts FROM games WHERE id = ? AND log = ?", (one.result.id, one.log))
    for number, value in found.fetchall():
        book.execute("UPDATE games SET result = ? WHERE number = ?", (pack_result(one.result), number))
        book.execute("DELETE FROM figures WHERE number = ?", (number,))
        _insert_figures(book, number, replace(one, counts=bool(value)))


def _insert_figures(book: Book, number: int | None, one: Entered) -> None:
    """Insert the figures of a game, whose row has this number."""
    book.executemany(
        f"INSERT INTO figures (number, {_FIGURE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
        [(number, *row) for row in _figure_rows(one)],
    )


def _insert_players(book: Book, one: Entered) -> None:
    """Insert the players of a game."""
    book.executemany(
        "INSERT INTO players (who, kind, name, seen) VALUES (?, ?, ?, ?) ON CONFLICT (who) DO UPDATE "
        "SET name = excluded.name, seen = excluded.seen WHERE excluded.seen >= seen",
        [(seat.who, seat.kind, seat.name, one.ended) for seat in one.result.seats],
    )


def _rate_new(book: Book, game: str, new: Sequence[Entered]) -> None:
    """Update the ratings of a game kind after new results, given in the order in which they ended."""
    if not (new := [one for one in new if one.counts and one.result.is_rated]):
        return
    later = book.execute(
        "SELECT 1 FROM games JOIN seats USING (number) "
        "WHERE seats.game = ? AND mu IS NOT NULL AND (ended, id) > (?, ?) LIMIT 1",
        (game, *_time_key(new[0])),
    )
    if later.fetchone():
        _rate_anew(book, game)
    else:
        _rate_each(book, game, new)


def _rate_anew(book: Book, game: str) -> None:
    """Compute all ratings of a game kind again from the beginning."""
    book.execute("DELETE FROM ratings WHERE game = ?", (game,))
    book.execute("UPDATE seats SET mu = NULL, sigma = NULL WHERE game = ? AND mu IS NOT NULL", (game,))
    _rate_each(book, game, _rated_games(book, game))


def _rated_games(book: Book, game: str) -> Iterator[Entered]:
    """The rated games of a kind in the order in which they ended."""
    counted = iterate_entered(book, "WHERE game = ? AND counts ORDER BY ended, id", (game,))
    return (one for one in counted if one.result.is_rated)


def _rate_each(book: Book, game: str, games: Iterable[Entered]) -> None:
    """Rate these games in order and write the ratings to the seats and to the table."""
    rows, known = _rated_in_turn(list(games), _ratings(book, game))
    book.executemany(
        "UPDATE seats SET mu = ?, sigma = ? WHERE number = (SELECT number FROM games WHERE id = ?) AND seat = ?", rows
    )
    book.executemany(
        "INSERT OR REPLACE INTO ratings (game, subject, mu, sigma, games) VALUES (?, ?, ?, ?, ?)",
        [(game, subject, one.mu, one.sigma, one.games) for subject, one in known.items()],
    )


def _ratings(book: Book, game: str) -> dict[str, Rating]:
    """The present ratings in a game kind by subject."""
    rows = book.execute("SELECT subject, mu, sigma, games FROM ratings WHERE game = ?", (game,))
    return {subject: Rating(mu, sigma, rests_on) for subject, mu, sigma, rests_on in rows}


def _rated_in_turn(
    games: Iterable[Entered], before: Mapping[str, Rating], pause: Callable[[], None] = lambda: None
) -> tuple[list[tuple[float, float, str, Seat]], dict[str, Rating]]:
    """(mu, sigma, id of the game, seat) of every seat after each of these games, and the ratings after the last."""
    known, rows = dict(before), []
    for one in games:
        after, of_seats = rate_game(one.result, lambda subject: known.get(subject, NEW))
        known.update(after)
        rows += [(rating.mu, rating.sigma, one.result.id, seat) for seat, rating in enumerate(of_seats)]
        pause()
    return rows, known
