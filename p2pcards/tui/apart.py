"""Sessions apart, on the screen of a table: the computer plays every hand, or a finished game is shown once more."""

from __future__ import annotations

import trio

from p2pcards.daemon.thinking import Decide, thinking_apart
from p2pcards.frontend.autoplay import Autoplay
from p2pcards.frontend.replayed import Replayed
from p2pcards.frontend.watched import TableApart
from p2pcards.tui.app import run_table_app
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.program import given_back, run_hosted


def run_autoplay(session: Autoplay, sitting: ReadSitting) -> int:
    """Show the session until it is over or stopped. Returns the number of the signal that ended it, 0 for none."""

    async def watch() -> int:
        async with thinking_apart() as decide:
            return await _show(TableApart(session), decide, sitting)

    with given_back():
        return run_hosted(watch)


def run_replayed(session: Replayed, sitting: ReadSitting) -> int:
    """Show a finished game until it is stopped. Returns the number of the signal that ended it, 0 for none."""

    async def watch() -> int:
        return await _show(TableApart(session, stays=True), None, sitting)

    with given_back():
        return run_hosted(watch)


async def _show(table: TableApart, decide: Decide | None, sitting: ReadSitting) -> int:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.play, decide, lambda: sitting().appearance.pace)
        _, number = await run_table_app(table, sitting)
        nursery.cancel_scope.cancel()
    return number
