"""Opening a table: ask the daemon, say what friends need to know, and sit down."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from p2pcards.cli.asking import ask, sit_at_screen, sit_down, wants_screen
from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.output import say, show
from p2pcards.cli.seating import Seating
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.client import Client
    from p2pcards.control.messages import Open, OpenHost, OpenLine, OpenListen, TableOpened


def refuse_seed(seed: int | None) -> None:
    if seed is not None:
        raise Failure(
            "--seed is for playing alone: with other people at the table nobody may know the cards beforehand. "
            "Leave it out.",
            USAGE,
        )


def notice(text: str) -> None:
    """For a person who waits."""
    if sys.stderr.isatty():
        say(text, sys.stderr)


def open_table(request: Open, seating: Seating, told: Callable[[TableOpened], list[str]] = lambda _: []) -> None:
    """told: what to say before sitting down."""
    from p2pcards.store.settings import usable_settings

    home = our_home()

    async def talk(client: Client) -> tuple[str, list[str]] | None:
        opened = await client.open(request, notice)
        lines = told(opened)
        if seating.detached or seating.as_json:
            back = f"Table {opened.table} is open. Sit down: p2pcards attach {opened.table}"
            data = {"table": opened.table, "port": opened.port, "new": opened.new, "code": opened.code or None}
            for fault in usable_settings(home).faults:
                say(fault, sys.stderr)
            show(data, [*lines, back], seating.as_json)
            return None
        if wants_screen(seating):
            return opened.table, lines
        if lines:
            say("\n".join(lines))
        await sit_down(client, home, opened.table, seating)
        return None

    with _screen_at_hand() if wants_screen(seating) else nullcontext():
        at_screen = ask(home, talk, start=True)
    if at_screen:
        table, lines = at_screen
        sit_at_screen(home, table, seating, lines)


def wait_for_friends(request: OpenListen | OpenLine | OpenHost, seating: Seating) -> None:
    """Open a table that waits, and say whom it lets in and how they come."""
    from p2pcards.cli.invitation import invitation, line_invitation
    from p2pcards.control.messages import OpenLine, OpenListen
    from p2pcards.links.address import DEFAULT_PORT
    from p2pcards.links.tcp import own_addresses
    from p2pcards.store.settings import usable_settings

    serial = None if isinstance(request, OpenListen) else request.serial
    if not isinstance(request, OpenLine) and serial is None and request.port is None:
        request = replace(request, port=usable_settings(our_home()).settings.port or DEFAULT_PORT)
    verb, lan = ("connect", request.lan) if isinstance(request, OpenListen) else ("join", False)

    def told(opened: TableOpened) -> list[str]:
        known = [] if opened.new else [f"You listen there already, at table {opened.table}."]
        if serial is not None:
            call = "dial NUMBER" if isinstance(request, OpenLine) else "join tel:NUMBER"
            return [*known, *line_invitation(serial.cable, request.admission, opened.code, call)]
        ways = invitation(own_addresses(), opened.port or 0, lan, verb, request.admission, opened.code)
        return [*known, *ways]

    open_table(request, seating, told)


@contextmanager
def _screen_at_hand() -> Iterator[None]:
    """The program of the screen is read while a daemon starts, which takes as long."""
    reading = Thread(target=import_module, args=("p2pcards.tui.app",))
    reading.start()
    try:
        yield
    finally:
        reading.join()
