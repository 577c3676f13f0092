"""`p2pcards autoplay`: a session apart, in which the computer plays every hand, yours too, until it is stopped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from p2pcards.cli import options
from p2pcards.cli.command import SIGNALLED, current_home, parse_rules
from p2pcards.cli.opening import wants_screen
from p2pcards.cli.terminal import can_print_suits, is_interactive, print_error, print_result, print_text
from p2pcards.games.wording import quantity_text
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from p2pcards.frontend.autoplay import Autoplay, AutoplayBoard
    from p2pcards.store.files import Home


def autoplay(
    game: options.GameKey,
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help="The level that plays your hand; default: novice.")
    ] = "novice",
    others: Annotated[str, typer.Option(metavar="LEVEL", help="The level of everyone else; default: the same.")] = "",
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=options.MOST,
            metavar="N",
            help="Number of games; default: until you stop it; with no terminal, one.",
        ),
    ] = None,
    preset: Annotated[str, typer.Option(metavar="PRESET", help=options.RULES_FROM)] = "",
    changes: options.Changes = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=options.SEEDS - 1, metavar="N", help=options.SAME_GAMES)
    ] = None,
    ascii_only: options.Ascii = False,
    plain: options.Plain = False,
    line: options.Line = False,
    as_json: options.AsJson = False,
) -> None:
    """Watch the computer play every hand of a game. Press Q or Ctrl-C to stop; nothing is saved."""
    import random

    from p2pcards.daemon.compiling import begin_compiling, lacks_kernels, slowness_sentence
    from p2pcards.frontend.autoplay import Autoplay, SessionPlan
    from p2pcards.players.levels import find_level, lacking_reason, searches
    from p2pcards.store.files import clean_name, login_name
    from p2pcards.store.settings import usable_settings

    home, seating = current_home(), options.Seating(ascii=ascii_only, plain=plain, line=line, as_json=as_json)
    found, preset, _, changed = parse_rules(game, preset, changes)
    plan = SessionPlan(found.key, preset, changed, find_level(level), find_level(others or level))
    name = clean_name(usable_settings(home).settings.name or login_name())
    chance = random.Random(seed) if seed is not None else random.SystemRandom()
    levels = dict.fromkeys([plan.level, plan.others])
    if any(searches(plan.key, one) for one in levels):
        begin_compiling(os.environ)
    until, repeatable = lacks_kernels(os.environ), seed is not None
    for one in levels:
        if told := lacking_reason(plan.key, one) or slowness_sentence(plan.key, one, until, repeatable=repeatable):
            print_error(told)
    session = Autoplay(plan, games or (None if is_interactive() and not as_json else 1), name, chance, repeatable)
    number = 0
    if not as_json and wants_screen(seating):
        number = _run_on_screen(session, home, seating)
    else:
        against = "" if plan.others == plan.level else f" against {plan.others}"
        _run_in_lines(session, home, seating, f"The computer is playing {found.name}, level {plan.level}{against}.")
    if not number or is_interactive():  # it may have been closed
        print_result(session.board.data(), _board_as_lines(session.board), as_json)
    if number:
        raise typer.Exit(SIGNALLED + number)


def _run_on_screen(session: Autoplay, home: Home, seating: options.Seating) -> int:
    """Run the session on the full screen; the number of the signal that ended it, 0 for none."""
    from p2pcards.cli.sitting import screen_manner_reader
    from p2pcards.tui.apart import run_autoplay

    return run_autoplay(session, screen_manner_reader(home, seating))


def _run_in_lines(session: Autoplay, home: Home, seating: options.Seating, title: str) -> None:
    from p2pcards.cli.autoplay_lines import STOP_HELP, play_without_output, print_session
    from p2pcards.present.cards import Style
    from p2pcards.store.settings import PACES, usable_settings

    if seating.as_json:
        play_without_output(session)
        return
    settings, faults = usable_settings(home)
    for fault in faults:
        print_text(fault)
    terminal, dumb = is_interactive(), seating.plain or os.environ.get("TERM", "dumb") == "dumb"
    style = Style(
        seating.ascii or not can_print_suits(), colour=terminal and not dumb and not os.environ.get("NO_COLOR")
    )
    print_text(f"{title} {STOP_HELP}" if terminal else title)
    print_session(session, style, PACES[settings.speed] if terminal else 0.0, keys=terminal)


def _board_as_lines(board: AutoplayBoard) -> list[str]:
    found = board.data()
    count = found["finished"]
    if not count:
        return ["No games finished."]
    rows = [("player", "won", "scores")]
    rows += [(one["name"], str(one["won"]), " ".join(map(str, one["scores"]))) for one in found["seats"]]
    return [f"{quantity_text(count, 'game')} finished.", *align_columns(rows)]
