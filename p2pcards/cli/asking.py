"""One conversation with the daemon: reach it, say something, and perhaps sit down at a table."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from p2pcards.cli.failing import SIGNALLED, Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.output import at_terminal, say, takes_suits
from p2pcards.cli.seating import Seating
from p2pcards.control.exits import DAEMON

if TYPE_CHECKING:
    from p2pcards.control.client import Client
    from p2pcards.control.messages import TableStatus
    from p2pcards.store.home import Home

T = TypeVar("T")

GLANCE = 1.0
"""Seconds that the daemon has to tell which tables are open."""


class NotRunning(Failure):
    """No daemon runs, and none was to be started."""


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


def open_tables(home: Home) -> tuple[TableStatus, ...]:
    """Those that there are, where a daemon runs. Raises Failure."""
    if not home.socket.exists():
        return ()
    try:
        return ask(home, lambda client: client.status(), start=False, deadline=GLANCE).tables
    except NotRunning:
        return ()


def wants_screen(seating: Seating) -> bool:
    """Whether the table is shown on the full screen: on a terminal that can be painted, unless lines are wanted."""
    from p2pcards.store.settings import usable_settings

    lines = seating.plain or seating.line or os.environ.get("P2PCARDS_LINE")
    if lines or not at_terminal() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return usable_settings(our_home()).settings.screen


def sit_at_screen(home: Home, table: str, seating: Seating, told: Sequence[str] = ()) -> None:
    """Play at a table on the full screen. table: "" is the only or latest one; told: what is to be read there first.
    Raises Failure, and Exit where a signal ended it."""
    import typer

    from p2pcards.cli.sitting import screen_sitting
    from p2pcards.control.declined import Declined, NoDaemon
    from p2pcards.tui.app import run_screen

    try:
        ended, number = run_screen(home, table, screen_sitting(home, seating), told)
    except NoDaemon as nobody:
        raise NotRunning(str(nobody), nobody.code) from None
    except Declined as declined:
        raise Failure(str(declined), declined.code) from None
    if at_terminal():  # it may have been closed
        say(ended)
    if number:
        raise typer.Exit(SIGNALLED + number)


async def sit_down(client: Client, home: Home, table: str, seating: Seating) -> str:
    """Play at a table in line mode; how that ended, as `run_line_mode` says it. table: "" is the only or latest one."""
    from p2pcards.cli.line import run_line_mode
    from p2pcards.cli.sitting import manner_of
    from p2pcards.present.cards import Style
    from p2pcards.store.settings import PACES, usable_settings

    settings, faults = usable_settings(home)
    for fault in faults:
        say(fault)
    attached = await client.attach(table, PACES[settings.speed] if at_terminal() else 0.0)
    dumb = seating.plain or os.environ.get("TERM", "dumb") == "dumb"
    coloured = sys.stdout.isatty() and not dumb and not os.environ.get("NO_COLOR")
    style = Style(seating.ascii or not takes_suits(), coloured)
    return await run_line_mode(
        attached,
        manner_of(home, settings, terminal=at_terminal(), rings=sys.stdout.isatty(), changeable=not faults),
        style,
        input=sys.stdin,
        output=sys.stdout,
        interactive=at_terminal() and not dumb,
    )
