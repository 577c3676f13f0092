"""`p2pcards demo`: the whole program at work with nobody at the keyboard."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from p2pcards.cli.command import Failure, parse_rules, rules_for_table
from p2pcards.cli.options import A_GAME, MOST, SEEDS
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import Rules

POINTS = 50
SCORE_OPTIONS = ("end_score", "winning_score")


def demo(
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=SEEDS - 1,
            metavar="N",
            help="Sets the names, the chat, the crash, and how people play.",
        ),
    ] = 1,
    game: Annotated[str, typer.Option(help=A_GAME)] = "hearts",
    points: Annotated[
        int | None, typer.Option(min=1, max=MOST, metavar="N", help=f"The score that ends the game; default: {POINTS}.")
    ] = None,
    kill: Annotated[
        Literal["none", "listener", "coordinator"],
        typer.Option(metavar="WORD", help="Daemon to kill in the middle of a hand: none, listener or coordinator."),
    ] = "listener",
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the three homes in this new or empty folder.")
    ] = None,
) -> None:
    """Watch three programs play a game and survive a crash. One is killed mid-hand and comes back.

    They play over TCP as they would over the Internet; the fourth player is a computer. At the end their logs are
    verified and compared. All three shuffle together, so the cards differ each time, even with the same seed.
    """
    import trio

    from p2pcards.cli.demo_course import Teller, make_plan, run_demo
    from p2pcards.players.characters import CHARACTERS

    rules = _demo_rules(game, points)
    plan = make_plan(seed, list(CHARACTERS), kill)
    if keep is not None:
        _refuse_used_folder(keep)
    teller = Teller(sys.stdout, _terminal_columns())
    try:
        trio.run(run_demo, plan, teller, rules, keep)
    except BaseExceptionGroup as group:
        error = _main_error(group)
        if isinstance(error, Failure) and keep is None:
            error = Failure(f"{error} Add --keep DIR to keep the homes, with the daemons' diagnostics.", error.code)
        raise error from None
    if keep is not None:
        home = keep / plan.names[0].lower()
        teller.tell("", f"Kept the homes in {keep}. To look around: P2PCARDS_HOME={home} p2pcards logs")


def _demo_rules(key: str, points: int | None) -> Rules:
    """The rules of the demo's game. Raises Failure, UnknownGame and OptionError."""
    from p2pcards.games.options import declared_options

    found, _, options, _ = parse_rules(key, "", ())
    ends = next((option.key for option in declared_options(type(options)) if option.key in SCORE_OPTIONS), None)
    if ends is None:
        if points is not None:
            raise Failure(f"{found.name} isn't played to a score. Leave out --points.", USAGE)
        return rules_for_table(key, "", ())
    return rules_for_table(key, "", [f"{ends}={POINTS if points is None else points}"])


def _refuse_used_folder(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Failure(f"{folder} isn't an empty folder. Give --keep a new one.", USAGE)


def _terminal_columns() -> int | None:
    """The columns of the terminal, None where the output isn't one that can be painted."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return None if plain else shutil.get_terminal_size().columns


def _main_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error of a group to report to a person."""
    causes: list[BaseException] = []
    for error in group.exceptions:
        causes.append(_main_error(error) if isinstance(error, BaseExceptionGroup) else error)
    for kind in (KeyboardInterrupt, Failure):
        for cause in causes:
            if isinstance(cause, kind):
                return cause
    return causes[0]
