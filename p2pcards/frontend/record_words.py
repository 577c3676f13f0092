"""What the records tell at a table and on the title screen: by words, and at the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from p2pcards.control.messages import Happened
from p2pcards.frontend import record_pages as pages
from p2pcards.frontend.manner import Manner
from p2pcards.games.registry import GAMES, find_game
from p2pcards.results.book import Book
from p2pcards.results.keeping import ask
from p2pcards.results.standings import people
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import TableView

ALL = "all"
MOST = 20
"""Games of the history."""
NONE_KEPT = "No records are kept at this table."

Page = Callable[[Book, str, bool], Sequence[str]]
"""(the book, the key of a game or "" for all, whether in colours) -> lines."""


def record_lines(home: Home | None, word: str, game: str = "", colour: bool = False) -> list[str]:
    """What one of `RECORD_WORDS` shows. game: its key, "" for all. The logs that have changed are read first, which may
    take long."""
    return _answer(home, lambda book: RECORD_WORDS[word](book, game, colour))


def lines_at_end(home: Home | None, game: str, colour: bool = False) -> list[str]:
    """As `record_lines`, for a game of this kind that is over: who has won one how often."""
    return _answer(home, lambda book: pages.standing_lines(book, GAMES[game], colour))


def game_asked(arguments: Sequence[str], view: TableView) -> str:
    """The key of the game that is meant, "" for all: the one of the table where none is named. Raises UnknownGame."""
    if not arguments:
        return view.game or ""
    return "" if arguments[0].lower() == ALL else find_game(arguments[0]).key


def game_won(happened: Happened, view: TableView, manner: Manner) -> str:
    """The key of the game whose records are to be shown now, "" for none."""
    news = isinstance(happened.happening, GameWon) and not happened.earlier
    kept = manner.home is not None and not (view.apart or view.looks_on)
    return view.game or "" if news and kept and manner.records else ""


# --- private ----------------------------------------------------------------------------------------------------------


def _answer(home: Home | None, question: Callable[[Book], Sequence[str]]) -> list[str]:
    if home is None:
        return [NONE_KEPT]
    told: list[str] = []
    try:
        lines = ask(home, question, told.append)
    except StoreError as error:
        lines = [error.with_advice]
    return [*told, *lines]


def _records(book: Book, game: str, colour: bool) -> Sequence[str]:
    return (pages.records_page(book, GAMES[game], colour=colour) if game else pages.games_page(book)).lines


RECORD_WORDS: Mapping[str, Page] = {
    "records": _records,
    "history": lambda book, game, _colour: pages.history_page(book, game, most=MOST).lines,
    "league": lambda book, _game, colour: pages.league_page(people(book), colour).lines,
    "hall": lambda book, game, _colour: pages.hall_page(book, game).lines,
}
"""What the words of the records show."""
