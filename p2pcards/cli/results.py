"""`p2pcards records`, `history`, `league`, `hall`, `board` and `scoreboard`: who has won what."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import (
    MOST,
    AsJson,
    Failure,
    at_terminal,
    bar,
    log_path,
    our_home,
    question,
    say,
    show,
    shows_colours,
)
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.frontend.record_pages import RecordPage
    from p2pcards.games.game import AnyGame
    from p2pcards.results.book import Book
    from p2pcards.results.standings import Point


# --- the course of somebody's rating and scores as a picture ----------------------------------------------------------


WIDTH, HEIGHT = 900, 500


def plotted(game: str, points: Sequence[Point]) -> str:
    """An SVG of these games, of which there is one at least: the rating with its uncertainty on the left scale, the
    scores on the right."""
    pygal = _pygal()
    numbers = range(1, len(points) + 1)
    chart = pygal.XY(
        style=pygal.style.CleanStyle,
        width=WIDTH,
        height=HEIGHT,
        js=(),
        no_prefix=True,
        show_dots=len(points) == 1,
        title=game,
        x_title="games",
        y_title="rating",
        legend_at_bottom=True,
        legend_at_bottom_columns=4,
    )
    middle = [(number, point.rating.mu) for number, point in zip(numbers, points, strict=True)]
    chart.add("rating", middle, stroke_style={"width": 3})
    for name, sign in (("rating minus uncertainty", -1), ("rating plus uncertainty", 1)):
        edge = [(n, p.rating.mu + sign * 2 * p.rating.sigma) for n, p in zip(numbers, points, strict=True)]
        chart.add(name, edge, stroke_style={"dasharray": "3, 6"})
    scores = [(number, point.points) for number, point in zip(numbers, points, strict=True)]
    chart.add("score", scores, secondary=True, stroke=False, show_dots=True)
    return str(chart.render(is_unicode=True))


def _pygal() -> Any:
    """Loaded when it is asked for, since that takes a while, and without its finder of plugins for maps: Python 3.11
    warns of that, which has no ``find_spec``, at every import that fails afterwards."""
    import pygal

    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, pygal.PluginImportFixer)]
    return pygal


# --- `p2pcards records`, `history`, `league`, `hall` and `board` ------------------------------------------------------


REBUILD = "rebuild"
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")]
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game.")]


class By(StrEnum):
    WINS = "wins"
    PERCENT = "percent"


def records(
    game: Annotated[
        str, typer.Argument(metavar="[GAME|rebuild]", help="A game; or rebuild, to read all logs again.")
    ] = "",
    by: Annotated[By, typer.Option("--by", help="Sort by this.")] = By.WINS,
    against: Annotated[bool, typer.Option("--against", help="Show your results against each person.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot your rating and scores in an SVG file.")
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Start this game's records from zero; asks first.")] = False,
    take_back: Annotated[bool, typer.Option("--take-back", help="Undo the last reset of this game.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show wins, losses and ratings. With no game, it shows how often you won each."""
    from p2pcards.frontend import record_pages

    if game == REBUILD:
        _rebuild(as_json)
        return
    found = _game(game) if game else None
    if (reset or take_back or plot) and found is None:
        raise Failure("This option needs a game: p2pcards records GAME ('p2pcards games' lists them).", USAGE)
    if found and reset:
        _reset(found, yes)
    elif found and take_back:
        _take_back(found)
    elif found and plot:
        _plot(found, plot)
    elif against:
        _answer(lambda book: record_pages.against_page(book, found.key if found else ""), as_json, as_csv)
    elif found:
        colour = shows_colours() and not as_csv
        _answer(lambda book: record_pages.records_page(book, found, by.value, colour), as_json, as_csv)
    else:
        _answer(record_pages.games_page, as_json, as_csv)


def history(
    game: OfGame = "",
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help="Only games whose best computer player has this level.")
    ] = "",
    most: Annotated[int, typer.Option("--most", min=1, max=MOST, metavar="N", help="List at most this many.")] = 100,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List your finished games, newest first."""
    from p2pcards.frontend.record_pages import history_page
    from p2pcards.players.levels import find_level

    key, wanted = _game(game).key if game else "", find_level(level) if level else ""
    _answer(lambda book: history_page(book, key, wanted, most), as_json, as_csv)


def league(game: OfGame = "", as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Compare your wins and points with your friends'. It includes the other profiles on this machine."""
    from p2pcards.frontend.record_pages import league_page

    key = _game(game).key if game else ""
    _print(league_page(our_home(), key, _tell, _progress()), as_json, as_csv)


def hall(game: OfGame = "", as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Show the best and worst scores, and the closest wins. It covers all profiles on this machine."""
    from p2pcards.frontend.record_pages import hall_page

    key = _game(game).key if game else ""
    _print(hall_page(our_home(), key, _tell, _progress()), as_json, as_csv)


def board(
    log: Annotated[str, typer.Argument(metavar="[LOG]", help="A log (see `p2pcards logs`); default: the newest.")] = "",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show the score of a game hand by hand, finished or not."""
    from p2pcards.cli.logs_shown import board_in
    from p2pcards.store.logs import left_out, list_logs

    home, colour, bad = our_home(), shows_colours() and not as_csv, list[str]()
    paths = [log_path(home, log)] if log else [one.path for one in list_logs(home)]
    why = Failure("You haven't played a game here yet.", USAGE)
    for path in paths:
        try:
            page = board_in(path, colour)
            break
        except Failure as failure:
            why = why if bad else failure
            bad.append(path.stem)
    else:
        raise why
    if bad:
        _tell(left_out(bad))
    _print(page, as_json, as_csv)


# --- private ----------------------------------------------------------------------------------------------------------


def _answer(question: Callable[[Book], RecordPage], as_json: bool, as_csv: bool) -> None:
    from p2pcards.results.keeping import ask

    _print(ask(our_home(), question, _tell, _progress()), as_json, as_csv)


def _print(page: RecordPage, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise Failure("Use --json or --csv, not both.", USAGE)
    if as_csv:
        _print_csv(page.rows)
    else:
        show(page.data, page.lines, as_json)


def _print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """What is itself a list or more stands in one field, as JSON."""
    import csv
    import json

    if rows:
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {
                    key: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
                    for key, value in row.items()
                }
            )


def _rebuild(as_json: bool) -> None:
    from p2pcards.results.keeping import ask, rebuild
    from p2pcards.results.standings import how_many
    from p2pcards.store.files import refuse_read_only

    home = our_home()
    refuse_read_only(home.state)
    unreadable = rebuild(home, _tell, _progress())
    games = ask(home, how_many)
    lines = [f"Rebuilt the records: {_games(games)}."]
    lines += [f"Can't read this log: {name}" for name in unreadable]
    show({"games": games, "unreadable": list(unreadable)}, lines, as_json)


def _reset(game: AnyGame, yes: bool) -> None:
    from p2pcards.frontend.record_pages import NO_RESET, reset_question
    from p2pcards.results.keeping import reset
    from p2pcards.store.files import refuse_read_only

    home = our_home()
    refuse_read_only(home.state)
    told = reset_question(home, game.key, _tell, _progress())
    if not told:
        say(NO_RESET.format(name=game.name))
        return
    told += f" To undo that: p2pcards records {game.key} --take-back"
    if not yes:
        if not at_terminal():
            raise Failure(f"{told} Add --yes to reset.", USAGE)
        say(told)
        if question("Reset? [y/N] ").lower() not in ("y", "yes"):
            say("OK, nothing changed.")
            return
    done = reset(home, game.key, int(time.time()))
    say(f"{game.name}: {_games(done)} won't count anymore.")


def _take_back(game: AnyGame) -> None:
    from p2pcards.results.keeping import take_back_reset

    done = take_back_reset(our_home(), game.key, int(time.time()))
    if not done:
        raise Failure(f"You haven't reset {game.name}, so there's nothing to take back.", USAGE)
    say(f"{game.name}: {_count(done)} again.")


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _count(games: int) -> str:
    return f"{_games(games)} {'counts' if games == 1 else 'count'}"


def _plot(game: AnyGame, path: Path) -> None:
    from p2pcards.results.keeping import ask
    from p2pcards.results.standings import own_curve
    from p2pcards.store.files import write_whole

    points = ask(our_home(), lambda book: own_curve(book, game.key), _tell, _progress())
    if not points:
        raise Failure(f"You haven't finished a rated game of {game.name} yet, so there's nothing to plot.", USAGE)
    write_whole(path, plotted(game.name, points).encode())
    say(f"{path} shows your rating and scores in {_games(len(points))} of {game.name}.")


def _game(word: str) -> AnyGame:
    from p2pcards.games.registry import find_game

    return find_game(word)


def _tell(sentence: str) -> None:
    say(sentence, sys.stderr)


def _progress() -> Callable[[int, int], None]:
    from p2pcards.results.keeping import silent

    return bar("logs read") if sys.stderr.isatty() else silent


# --- `p2pcards scoreboard` --------------------------------------------------------------------------------------------


class Change(StrEnum):
    NEW = "new"
    SAVE = "save"
    RESET = "reset"
    RECOVER = "recover"


def scoreboard(
    change: Annotated[
        Change | None,
        typer.Argument(metavar="[new|save|reset|recover]", help="What to do with it; default: show it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Keep a scoreboard of two-handed pinochle. It shows your games against the computer, and this game's rounds."""
    from p2pcards.frontend.record_pages import change_board, scoreboard_page
    from p2pcards.results.keeping import silent
    from p2pcards.results.scoreboard import BoardRefused

    home, said = our_home(), ""
    if change:
        try:
            said = change_board(home, change.value)
        except BoardRefused as refused:
            raise Failure(refused.with_advice, USAGE) from None
    if said and not as_json:
        say(said)
        return
    progress = bar("logs read") if sys.stderr.isatty() else silent
    page = scoreboard_page(home, shows_colours(), lambda sentence: say(sentence, sys.stderr), progress)
    show(page.data, page.lines, as_json)
