"""Two people at a table with a turn clock, each with a real daemon, who then do nothing."""

from __future__ import annotations

import trio

from p2pcards.control.client import connect
from p2pcards.store.files import find_home
from p2pcards.views.tableview import Command
from rigs.program import Program


def begin_timed(ann: Program, bob: Program, clock: int) -> None:
    """A game of cribbage, in which both have to discard. clock: seconds for a turn."""
    there = bob.inside().data("listen", "--port", "0", "--name", "Bob", "--as", "granny")["port"]
    words = ("--game", "cribbage", "--turn-clock", str(clock), "--name", "Ann", "--as", "wayne")
    ann.inside().data("connect", f"127.0.0.1:{there}", *words)

    async def start() -> None:
        async with connect(find_home({"P2PCARDS_HOME": str(ann.home)}), start=False) as client:
            await (await client.attach()).command(Command("start"))

    trio.run(start)
