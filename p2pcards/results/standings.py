"""The answers of the book: who has won how often, what was played, and the best and worst of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.games.figures import Figure
from p2pcards.games.telling import told_of
from p2pcards.results.book import Book, Entered, Rating, entered
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
        """By how much it was better than the others."""
        return (self.against - self.points) if self.entered.result.low_wins else (self.points - self.against)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of somebody's curve: when a game ended, the rating after it, and the score in it."""

    ended: int
    rating: Rating
    points: int
    won: bool


def standings(book: Book, game: str = "") -> list[PlayerStanding]:
    """Everybody who has a counted game in this one, or in any; the most wins first."""
    where, values = _of_game("seats", game)
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
            kind, name, _key(who), games, won, points, against, None if mu is None else Rating(mu, sigma, rests_on)
        )
        for kind, name, who, games, won, points, against, mu, sigma, rests_on in rows
    ]
    return _told_apart(found)


def people(book: Book, game: str = "") -> list[PlayerStanding]:
    """Everybody but the characters, in this game, or over all."""
    return [one for one in standings(book, game) if one.kind != COMPUTER]


def by_percent(found: Sequence[PlayerStanding]) -> list[PlayerStanding]:
    """The same, the highest share of games won first."""
    return sorted(found, key=lambda one: (-one.percent, -one.won, one.name))


def levels(book: Book, game: str) -> list[LevelRating]:
    """The best first."""
    rows = book.execute(
        "SELECT subject, mu, sigma, games FROM ratings WHERE game = ? AND subject LIKE 'level:%' ORDER BY mu DESC",
        (game,),
    )
    return [LevelRating(subject.partition(":")[2], Rating(mu, sigma, games)) for subject, mu, sigma, games in rows]


def own_figures(book: Book, game: str) -> list[OwnFigure]:
    """Of the counted games of this kind."""
    rows = book.execute(
        "SELECT figure, SUM(hits), SUM(tries) FROM figures WHERE game = ? AND counts = 1 GROUP BY figure", (game,)
    )
    sums = {figure: (hits, tries) for figure, hits, tries in rows}
    return [OwnFigure(one, *sums[one.key]) for one in told_of(game).figures if sums.get(one.key, (0, 0))[1]]


def history(book: Book, game: str = "", level: str = "", most: int = 1000) -> list[Entered]:
    """The games that ended here, the newest first, also those that count no more."""
    where = [f"{column} = ?" for column, value in (("game", game), ("level", level)) if value]
    values = [value for value in (game, level) if value]
    told = f"WHERE {' AND '.join(where)} " if where else ""
    return list(entered(book, f"{told}ORDER BY ended DESC, id DESC LIMIT ?", (*values, most)))


def head_to_head(book: Book, game: str = "") -> list[PlayerStanding]:
    """Each peer, by key: games with them, how many of those I won, and the points of both. The most games first."""
    where, values = _of_game("mine", game)
    rows = book.execute(
        "SELECT name, theirs.who, COUNT(*), SUM(mine.won), SUM(mine.points), SUM(theirs.points) "
        "FROM seats AS theirs JOIN seats AS mine USING (number) JOIN players ON players.who = theirs.who "
        f"WHERE {where} AND theirs.who LIKE 'peer:%' AND mine.who = 'me' "
        "GROUP BY theirs.who ORDER BY 3 DESC, name",
        values,
    )
    return _told_apart([PlayerStanding(PEER, name, _key(who), *numbers) for name, who, *numbers in rows])


def hall(book: Book, game: str) -> list[Extreme]:
    """The highest and lowest scores that anybody made in this game or had made against them, and the widest and
    narrowest wins."""
    return [extreme for what, order in _EXTREMES for extreme in _extreme(book, game, what, order)]


def hall_of_all(halls: Iterable[Sequence[Extreme]]) -> list[Extreme]:
    """Of what `hall` says of several books, all of one game, the highest and lowest, the widest and narrowest."""
    found = [extreme for one in halls for extreme in one]
    by_what = {what: [one for one in found if one.what == what] for what, _ in _EXTREMES}
    return [min(those, key=_LESS[what]) for what, those in by_what.items() if those]


def games_played(book: Book) -> list[str]:
    """The games of which one counts."""
    # From one game to the next in the index, as there are few games and many seats.
    later = "SELECT game FROM seats INDEXED BY by_points WHERE game > ? AND counts = 1 ORDER BY game LIMIT 1"
    found = [""]
    while following := book.execute(later, (found[-1],)).fetchone():
        found += following
    return found[1:]


def how_many(book: Book, game: str = "") -> int:
    """Games that count, of this kind or of all."""
    where, values = ("game = ? AND counts", (game,)) if game else ("counts", ())
    return int(book.execute(f"SELECT COUNT(*) FROM games WHERE {where}", values).fetchone()[0])


def own_curve(book: Book, game: str) -> list[Point]:
    """Our rated games, in the order in which they ended."""
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

_EXTREMES = (
    ("highest score", "points DESC, number DESC"),
    ("lowest score", "points, number"),
    ("highest score against", "against DESC, number DESC"),
    ("lowest score against", "against, number"),
    ("widest win", "margin DESC, number DESC"),
    ("narrowest win", "margin, number"),
)

_LESS: Mapping[str, Callable[[Extreme], int]] = {
    "highest score": lambda one: -one.points,
    "lowest score": lambda one: one.points,
    "highest score against": lambda one: -one.against,
    "lowest score against": lambda one: one.against,
    "widest win": lambda one: -one.margin,
    "narrowest win": lambda one: one.margin,
}


def _extreme(book: Book, game: str, what: str, order: str) -> Iterator[Extreme]:
    winners = " AND won = 1" if "win" in what else ""
    row = book.execute(
        f"SELECT number, points, against, who FROM seats WHERE game = ? AND counts = 1{winners} "
        f"ORDER BY {order} LIMIT 1",
        (game,),
    ).fetchone()
    if row:
        number, points, against, who = row
        kind, name = book.execute("SELECT kind, name FROM players WHERE who = ?", (who,)).fetchone()
        (found,) = entered(book, "WHERE number = ?", (number,))
        yield Extreme(what, points, against, kind, name, found)


def _of_game(table: str, game: str) -> tuple[str, tuple[str, ...]]:
    return (f"{table}.game = ? AND {table}.counts = 1", (game,)) if game else (f"{table}.counts = 1", ())


def _key(who: str) -> str:
    kind, _, key = who.partition(":")
    return key if kind == PEER else ""


def _told_apart(found: Sequence[PlayerStanding]) -> list[PlayerStanding]:
    """Peers whose names look alike, or like ours, are shown with letters of their keys."""
    peers = [(bytes.fromhex(one.key), one.name) for one in found if one.kind == PEER]
    if not peers:
        return list(found)
    from p2pcards.wire.names import known_by_look, shown_names  # they take a while to load

    own = [(b"me", one.name) for one in found if one.kind == PERSON]
    shown = iter(shown_names([*peers, *own], known_by_look([])))
    return [_named(one, next(shown)) if one.kind == PEER else one for one in found]


def _named(one: PlayerStanding, name: str) -> PlayerStanding:
    return PlayerStanding(one.kind, name, one.key, one.games, one.won, one.points, one.against, one.rating)
