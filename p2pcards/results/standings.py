"""The answers of the book: who has won how often, what was played, and the best and worst of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from p2pcards.games.figures import Figure
from p2pcards.games.telling import load_told
from p2pcards.results.book import Book, Entered, Rating, iterate_entered
from p2pcards.results.result import COMPUTER, PEER, PERSON


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """How a player has done in all counted games."""

    kind: str  # one of KINDS
    name: str
    key: str  # a peer's, in hexadecimal; "" for others
    games: int  # in `head_to_head`, those with this peer
    won: int  # in `head_to_head`, by the player of this home
    points: int  # total; in `head_to_head`, of the player of this home
    against: int  # total of the best other side in each game; in `head_to_head`, of the peer
    rating: Rating | None = None  # None if nothing is rated, and for characters, whose levels are rated instead

    @property
    def percent(self) -> float:
        """The share of games won, in percent."""
        return 100 * self.won / self.games


@dataclass(frozen=True, slots=True)
class LevelRating:
    """The rating of a level of the computer players in a game."""

    level: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class OwnFigure:
    """A figure of the player's own play."""

    figure: Figure
    hits: int  # sum of the measured values
    tries: int  # number of hands that were measured

    @property
    def value(self) -> float:
        """Hits per try, in percent for a share."""
        return (100 if self.figure.share else 1) * self.hits / self.tries


@dataclass(frozen=True, slots=True)
class Extreme:
    """An entry in the hall of fame."""

    what: str  # such as "highest score"
    points: int  # of the seat that made it
    against: int  # of the best of the other sides
    kind: str  # one of KINDS, of the player who made it
    name: str  # of that player
    entered: Entered  # the game in which it was made

    @property
    def margin(self) -> int:
        """The points by which it beat the others."""
        return (self.against - self.points) if self.entered.result.low_wins else (self.points - self.against)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of somebody's curve: when a game ended, the rating after it, and the score in it."""

    ended: int
    rating: Rating
    points: int
    won: bool


def standings(book: Book, game: str = "") -> list[PlayerStanding]:
    """Wins, games and ratings of everybody with a counted game of this kind, of any for ""; the most wins first."""
    where, values = _where_counted("seats", game)
    rows = book.execute(
        "SELECT kind, name, who, games, won, points, against, mu, sigma, rests_on FROM ("
        "SELECT who, COUNT(*) AS games, SUM(won) AS won, SUM(points) AS points, SUM(against) AS against "
        f"FROM seats WHERE {where} GROUP BY who) JOIN players USING (who) "
        "LEFT JOIN (SELECT subject, mu, sigma, games AS rests_on FROM ratings WHERE game = ?) ON subject = who "
        "ORDER BY won DESC, 1.0 * won / games DESC, name, who",
        (*values, game),
    ).fetchall()
    found = [
        PlayerStanding(
            kind, name, _key_of(who), games, won, points, against, None if mu is None else Rating(mu, sigma, rests_on)
        )
        for kind, name, who, games, won, points, against, mu, sigma, rests_on in rows
    ]
    return _with_key_letters(found)


def people_standings(book: Book, game: str = "") -> list[PlayerStanding]:
    """The standings of people, without characters, in this game or for "" in all."""
    return [one for one in standings(book, game) if one.kind != COMPUTER]


def by_percent(found: Sequence[PlayerStanding]) -> list[PlayerStanding]:
    """The standings sorted by the share of games won, the highest first."""
    return sorted(found, key=lambda one: (-one.percent, -one.won, one.name))


def level_ratings(book: Book, game: str) -> list[LevelRating]:
    """The ratings of the computer levels in this game, the best first."""
    rows = book.execute(
        "SELECT subject, mu, sigma, games FROM ratings WHERE game = ? AND subject LIKE 'level:%' ORDER BY mu DESC",
        (game,),
    )
    return [LevelRating(subject.partition(":")[2], Rating(mu, sigma, games)) for subject, mu, sigma, games in rows]


def own_figures(book: Book, game: str) -> list[OwnFigure]:
    """The figures of the player's own play over the counted hands of this kind."""
    rows = book.execute(
        "SELECT figure, SUM(hits), SUM(tries) FROM figures WHERE game = ? AND counts = 1 GROUP BY figure", (game,)
    )
    sums = {figure: (hits, tries) for figure, hits, tries in rows}
    return [OwnFigure(one, *sums[one.key]) for one in load_told(game).figures if sums.get(one.key, (0, 0))[1]]


def history(book: Book, game: str = "", level: str = "", most: int = 1000) -> list[Entered]:
    """The games that ended here, the newest first, uncounted ones included."""
    where = [f"{column} = ?" for column, value in (("game", game), ("level", level)) if value]
    values = [value for value in (game, level) if value]
    told = f"WHERE {' AND '.join(where)} " if where else ""
    return list(iterate_entered(book, f"{told}ORDER BY ended DESC, id DESC LIMIT ?", (*values, most)))


def head_to_head(book: Book, game: str = "") -> list[PlayerStanding]:
    """The player's record against each peer: games together, how many the player won, the points of both. The most
    games first."""
    where, values = _where_counted("mine", game)
    rows = book.execute(
        "SELECT name, theirs.who, COUNT(*), SUM(mine.won), SUM(mine.points), SUM(theirs.points) "
        "FROM seats AS theirs JOIN seats AS mine USING (number) JOIN players ON players.who = theirs.who "
        f"WHERE {where} AND theirs.who LIKE 'peer:%' AND mine.who = 'me' "
        "GROUP BY theirs.who ORDER BY 3 DESC, name",
        values,
    )
    return _with_key_letters([PlayerStanding(PEER, name, _key_of(who), *numbers) for name, who, *numbers in rows])


def hall_of_fame(book: Book, game: str) -> list[Extreme]:
    """The highest and lowest scores made in this game, and the widest and narrowest wins."""
    return [extreme for what in _EXTREMES for extreme in _extreme(book, game, what)]


def hall_of_all(halls: Iterable[Sequence[Extreme]]) -> list[Extreme]:
    """The extremes of several halls of fame of one game kind, merged into one."""
    found = [extreme for one in halls for extreme in one]
    by_what = {what: [one for one in found if one.what == what] for what in _EXTREMES}
    return [min(those, key=_extremity) for those in by_what.values() if those]


def games_played(book: Book) -> list[str]:
    """The kinds of games with at least one counted game."""
    # From one game to the next in the index, as there are few games and many seats.
    later = "SELECT game FROM seats INDEXED BY by_points WHERE game > ? AND counts = 1 ORDER BY game LIMIT 1"
    found = [""]
    while following := book.execute(later, (found[-1],)).fetchone():
        found += following
    return found[1:]


def count_games(book: Book, game: str = "") -> int:
    """The number of counted games of this kind, of all for ""."""
    where, values = ("game = ? AND counts AND won", (game,)) if game else ("counts AND won", ())
    return int(book.execute(f"SELECT COUNT(*) FROM games WHERE {where}", values).fetchone()[0])


def own_curve(book: Book, game: str) -> list[Point]:
    """The player's rated games as points of a curve, in the order in which they ended."""
    rows = book.execute(
        "SELECT ended, mu, sigma, points, seats.won FROM seats JOIN games USING (number) "
        "WHERE seats.game = ? AND subject = ? AND mu IS NOT NULL ORDER BY ended, id",
        (game, PERSON),
    )
    return [
        Point(ended, Rating(mu, sigma, number), points, bool(won))
        for number, (ended, mu, sigma, points, won) in enumerate(rows, 1)
    ]


# --- private ----------------------------------------------------------------------------------------------------------

_EXTREMES: Mapping[str, tuple[str, bool]] = {
    "highest score": ("points", True),
    "lowest score": ("points", False),
    "highest score against": ("against", True),
    "lowest score against": ("against", False),
    "widest win": ("margin", True),
    "narrowest win": ("margin", False),
}
"""Each record by what it is called: the number that makes it, and whether the highest one does."""


def _extremity(one: Extreme) -> int:
    """A sort key: the best comes first."""
    column, highest = _EXTREMES[one.what]
    number: int = getattr(one, column)
    return -number if highest else number


def _extreme(book: Book, game: str, what: str) -> Iterator[Extreme]:
    """The seat with this record, as an entry of the hall of fame; none for an empty book."""
    column, highest = _EXTREMES[what]
    order = f"{column} DESC, number DESC" if highest else f"{column}, number"
    winners = " AND won = 1" if "win" in what else ""
    row = book.execute(
        f"SELECT number, points, against, who FROM seats WHERE game = ? AND counts = 1{winners} "
        f"ORDER BY {order} LIMIT 1",
        (game,),
    ).fetchone()
    if row:
        number, points, against, who = row
        kind, name = book.execute("SELECT kind, name FROM players WHERE who = ?", (who,)).fetchone()
        (found,) = iterate_entered(book, "WHERE number = ?", (number,))
        yield Extreme(what, points, against, kind, name, found)


def _where_counted(table: str, game: str) -> tuple[str, tuple[str, ...]]:
    """The SQL condition and parameters for counted games of this kind, of all kinds for ""."""
    return (f"{table}.game = ? AND {table}.counts = 1", (game,)) if game else (f"{table}.counts = 1", ())


def _key_of(who: str) -> str:
    """The public key in the `who` of a seat, "" for anybody who is no peer."""
    kind, _, key = who.partition(":")
    return key if kind == PEER else ""


def _with_key_letters(found: Sequence[PlayerStanding]) -> list[PlayerStanding]:
    """Peers whose names look alike, or like ours, with the first letters of their keys added."""
    peers = [(bytes.fromhex(one.key), one.name) for one in found if one.kind == PEER]
    if not peers:
        return list(found)
    from p2pcards.wire.names import known_by_look, shown_names  # they take a while to load

    own = [(b"me", one.name) for one in found if one.kind == PERSON]
    shown = iter(shown_names([*peers, *own], known_by_look([])))
    return [replace(one, name=next(shown)) if one.kind == PEER else one for one in found]
