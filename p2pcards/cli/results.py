"""`p2pcards records`, `history`, `league`, `hall`, `board` and `scoreboard`: who has won what."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure, confirm, current_home, find_log_path
from p2pcards.cli.options import MOST, AsJson, OfGame, Yes
from p2pcards.cli.terminal import print_result, print_text, progress_bar, shows_colours
from p2pcards.control.exits import USAGE
from p2pcards.games.wording import quantity_text

if TYPE_CHECKING:
    from p2pcards.frontend.record_pages import RecordPage
    from p2pcards.games.game import AnyGame
    from p2pcards.results.book import Book
    from p2pcards.results.standings import Point


# --- the course of somebody's rating and scores as a picture ----------------------------------------------------------


WIDTH, HEIGHT = 900, 500


def plot_svg(game: str, points: Sequence[Point]) -> str:
    """An SVG chart of these games, at least one: the rating with its uncertainty on the left scale, the scores on the
    right. game: its name."""
    pygal = _import_pygal()
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


def _import_pygal() -> Any:
    """Import pygal, late as it is slow, and without its finder of map plugins, for which Python 3.11 warns at every
    later import that fails."""
    import pygal

    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, pygal.PluginImportFixer)]
    return pygal


# --- `p2pcards records`, `history`, `league`, `hall` and `board` ------------------------------------------------------


REBUILD = "rebuild"
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")]


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
    yes: Yes = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show wins, losses and ratings. With no game, it shows how often you won each."""
    from p2pcards.frontend import record_pages
    from p2pcards.games.registry import find_game

    if game == REBUILD:
        _rebuild_records(as_json)
        return
    found = find_game(game) if game else None
    if (reset or take_back or plot) and found is None:
        raise Failure("This option needs a game: p2pcards records GAME ('p2pcards games' lists them).", USAGE)
    if found and reset:
        _reset_records(found, yes)
    elif found and take_back:
        _undo_reset(found)
    elif found and plot:
        _write_plot(found, plot)
    elif against:
        _print_from_book(lambda book: record_pages.against_page(book, found.key if found else ""), as_json, as_csv)
    elif found:
        colour = shows_colours() and not as_csv
        _print_from_book(lambda book: record_pages.records_page(book, found, by.value, colour), as_json, as_csv)
    else:
        _print_from_book(record_pages.games_page, as_json, as_csv)


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

    key, wanted = _game_key(game), find_level(level) if level else ""
    _print_from_book(lambda book: history_page(book, key, wanted, most), as_json, as_csv)


def league(game: OfGame = "", as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Compare your wins and points with your friends'. It includes the other profiles on this machine."""
    from p2pcards.frontend.record_pages import league_page

    _print_page(league_page(current_home(), _game_key(game), _print_notice, progress_bar("logs read")), as_json, as_csv)


def hall(game: OfGame = "", as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Show the best and worst scores, and the closest wins. It covers all profiles on this machine."""
    from p2pcards.frontend.record_pages import hall_page

    _print_page(hall_page(current_home(), _game_key(game), _print_notice, progress_bar("logs read")), as_json, as_csv)


def board(
    log: Annotated[str, typer.Argument(metavar="[LOG]", help="A log (see `p2pcards logs`); default: the newest.")] = "",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show the score of a game hand by hand, finished or not."""
    from p2pcards.cli.logs_shown import scores_in_log
    from p2pcards.store.logs import list_logs, unread_logs_sentence

    home, colour, bad = current_home(), shows_colours() and not as_csv, list[str]()
    paths = [find_log_path(home, log)] if log else [one.path for one in list_logs(home)]
    why = Failure("You haven't played a game here yet.", USAGE)
    for path in paths:
        try:
            page = scores_in_log(path, colour)
            break
        except Failure as failure:
            why = why if bad else failure
            bad.append(path.stem)
    else:
        raise why
    if bad:
        _print_notice(unread_logs_sentence(bad))
    _print_page(page, as_json, as_csv)


# --- private ----------------------------------------------------------------------------------------------------------


def _print_from_book(question: Callable[[Book], RecordPage], as_json: bool, as_csv: bool) -> None:
    from p2pcards.results.keeping import ask_book

    _print_page(ask_book(current_home(), question, _print_notice, progress_bar("logs read")), as_json, as_csv)


def _print_page(page: RecordPage, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise Failure("Use --json or --csv, not both.", USAGE)
    if as_csv:
        _print_csv(page.rows)
    else:
        print_result(page.data, page.lines, as_json)


def _print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows as CSV; a list or more in a row is one field of JSON."""
    import csv

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


def _rebuild_records(as_json: bool) -> None:
    from p2pcards.results.keeping import ask_book, rebuild
    from p2pcards.results.standings import count_games
    from p2pcards.store.files import refuse_read_only

    home = current_home()
    refuse_read_only(home.state)
    unreadable = rebuild(home, _print_notice, progress_bar("logs read"))
    games = ask_book(home, count_games)
    lines = [f"Rebuilt the records: {quantity_text(games, 'game')}."]
    lines += [f"Can't read this log: {name}" for name in unreadable]
    print_result({"games": games, "unreadable": list(unreadable)}, lines, as_json)


def _reset_records(game: AnyGame, yes: bool) -> None:
    from p2pcards.frontend.record_pages import NO_RESET, records_reset_question
    from p2pcards.results.keeping import reset
    from p2pcards.store.files import refuse_read_only

    home = current_home()
    refuse_read_only(home.state)
    told = records_reset_question(home, game.key, _print_notice, progress_bar("logs read"))
    if not told:
        print_text(NO_RESET.format(name=game.name))
        return
    told += f" To undo that: p2pcards records {game.key} --take-back"
    if not yes and not confirm(told, "Add --yes to reset.", "Reset? [y/N] "):
        print_text("OK, nothing changed.")
        return
    done = reset(home, game.key, int(time.time()))
    print_text(f"{game.name}: {quantity_text(done, 'game')} won't count anymore.")


def _undo_reset(game: AnyGame) -> None:
    from p2pcards.results.keeping import take_back_reset

    done = take_back_reset(current_home(), game.key, int(time.time()))
    if not done:
        raise Failure(f"You haven't reset {game.name}, so there's nothing to take back.", USAGE)
    print_text(f"{game.name}: {quantity_text(done, 'game')} count{'s' * (done == 1)} again.")


def _write_plot(game: AnyGame, path: Path) -> None:
    from p2pcards.results.keeping import ask_book
    from p2pcards.results.standings import own_curve
    from p2pcards.store.files import write_whole

    points = ask_book(current_home(), lambda book: own_curve(book, game.key), _print_notice, progress_bar("logs read"))
    if not points:
        raise Failure(f"You haven't finished a rated game of {game.name} yet, so there's nothing to plot.", USAGE)
    write_whole(path, plot_svg(game.name, points).encode())
    print_text(f"{path} shows your rating and scores in {quantity_text(len(points), 'game')} of {game.name}.")


def _game_key(word: str) -> str:
    """The key of the game that is named; "" for none."""
    from p2pcards.games.registry import find_game

    return find_game(word).key if word else ""


def _print_notice(sentence: str) -> None:
    print_text(sentence, sys.stderr)


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
    from p2pcards.frontend.record_pages import change_scoreboard, scoreboard_page
    from p2pcards.results.scoreboard import BoardRefused

    home, said = current_home(), ""
    if change:
        try:
            said = change_scoreboard(home, change.value)
        except BoardRefused as refused:
            raise Failure(refused.with_advice, USAGE) from None
    if said and not as_json:
        print_text(said)
        return
    page = scoreboard_page(home, shows_colours(), _print_notice, progress_bar("logs read"))
    print_result(page.data, page.lines, as_json)
