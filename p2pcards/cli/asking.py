"""One conversation with the daemon: reach it, say something, and perhaps sit down at a table."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from p2pcards.cli.failing import SIGNALLED, Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.output import at_terminal, say, takes_suits
from p2pcards.control.exits import DAEMON

if TYPE_CHECKING:
    from p2pcards.control.client import Client
    from p2pcards.frontend.manner import Manner
    from p2pcards.store.home import Home
    from p2pcards.store.settings import Settings
    from p2pcards.tui.appearance import Appearance

T = TypeVar("T")


class NotRunning(Failure):
    """No daemon runs, and none was to be started."""


@dataclass(frozen=True, slots=True)
class Seating:
    """How to sit down. ascii: suits as letters; plain: lines only; detached: not at all; as_json: not at all, and tell
    programs about the table; line: in line mode."""

    ascii: bool = False
    plain: bool = False
    detached: bool = False
    as_json: bool = False
    line: bool = False


def ask(
    home: Home,
    conversation: Callable[[Client], Awaitable[T]],
    *,
    start: bool,
    any_version: bool = False,
    deadline: float = math.inf,
) -> T:
    """What the conversation returns. start, any_version: as in `control.client.connect`; deadline: seconds for all of
    it. Raises Failure."""
    import trio

    from p2pcards.control.client import connect
    from p2pcards.control.declined import Declined, NoDaemon

    async def talk() -> T:
        with trio.fail_after(deadline):
            async with connect(home, start=start, any_version=any_version) as client:
                return await conversation(client)

    try:
        return trio.run(talk)
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except trio.TooSlowError:
        raise Failure("The daemon is there but does not answer; 'p2pcards status' tells more.", DAEMON) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None


def wants_screen(seating: Seating) -> bool:
    """Whether the table is shown on the full screen: on a terminal that can be painted, unless lines are wanted."""
    from p2pcards.store.settings import load_settings

    lines = seating.plain or seating.line or os.environ.get("P2PCARDS_LINE")
    if lines or not at_terminal() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return load_settings(our_home()).screen


def sit_at_screen(home: Home, table: str, seating: Seating, told: Sequence[str] = ()) -> None:
    """Play at a table on the full screen. table: "" is the only or latest one; told: what is to be read there first.
    Raises Failure, and Exit where a signal ended it."""
    import typer

    from p2pcards.control.declined import Declined, NoDaemon
    from p2pcards.store.settings import load_settings
    from p2pcards.tui.app import run_screen

    settings = load_settings(home)
    try:
        ended, number = run_screen(home, table, _manner(settings), appearance(settings, seating), told)
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    if at_terminal():  # it may have been closed
        say(ended)
    if number:
        raise typer.Exit(SIGNALLED + number)


def appearance(settings: Settings, seating: Seating) -> Appearance:
    """What the full screen looks like."""
    from p2pcards.store.settings import PACES
    from p2pcards.tui.appearance import Appearance
    from p2pcards.tui.colours import Palette
    from p2pcards.tui.picture.faces import Look

    suits = "none" if os.environ.get("NO_COLOR") else settings.suits
    palette = Palette(suits, tuple(settings.colours.items()))
    ascii_only = seating.ascii or not takes_suits()
    look = Look(ascii_only, settings.square_corners, settings.card_back, settings.card_size)
    return Appearance(look, palette, PACES[settings.speed])


async def sit_down(client: Client, home: Home, table: str, seating: Seating) -> str:
    """Play at a table in line mode; how that ended, as `run_line_mode` says it. table: "" is the only or latest one."""
    from p2pcards.cli.line import run_line_mode
    from p2pcards.present.cards import Style
    from p2pcards.store.settings import PACES, load_settings

    settings = load_settings(home)
    attached = await client.attach(table, PACES[settings.speed] if at_terminal() else 0.0)
    dumb = seating.plain or os.environ.get("TERM", "dumb") == "dumb"
    coloured = sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")
    style = Style(seating.ascii or not takes_suits(), coloured)
    return await run_line_mode(
        attached, _manner(settings), style, input=sys.stdin, output=sys.stdout, interactive=at_terminal() and not dumb
    )


def _manner(settings: Settings) -> Manner:
    from p2pcards.frontend.manner import Manner
    from p2pcards.frontend.playlist import Playlist
    from p2pcards.store.settings import rung_events

    return Manner(
        bell=rung_events(settings) if sys.stdout.isatty() else (),
        phrases=settings.phrases,
        forced=settings.forced,
        meld_points=settings.show_meld_points,
        ask_meldable=settings.check_meldable,
        asks=at_terminal(),
        reminders=settings.start_reminders,
        order=settings.sort,
        speech=settings.speech,
        playlist=Playlist(settings.player, settings.music, settings.songs, settings.game_songs),
    )
