"""The screen, in a terminal without a window, and at a table without a daemon."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import trio
import trio.testing
from textual.pilot import Pilot

from at_hand import TableAtHand
from p2pcards.control.attached import Refusal
from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner
from p2pcards.session.effects import CommandError
from p2pcards.tui.app import TableApp
from p2pcards.tui.appearance import Appearance, Palette, Sitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import Scene
from p2pcards.tui.program import Program, run_as_guest
from p2pcards.tui.table_screen import TableScreen
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView

PLAIN = Appearance(Look(), Palette("none"))

R = TypeVar("R")


@asynccontextmanager
async def piloted(app: Program[R], size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[R]]:
    """A program runs, with what it begins in Trio. A pause lasts until neither loop has anything to do: Textual's own
    ends when the process gets no processor for a moment, as on a busy machine."""
    ended, begun = trio.Event(), asyncio.Event()
    token: list[trio.lowlevel.TrioToken] = []

    async def tend(until: trio.Event) -> None:
        token.append(trio.lowlevel.current_trio_token())
        begun.set()
        await app.tend(until)

    async def pause(delay: float | None = None) -> None:
        await pausing(delay)
        await _blocked(token[0])
        await pausing(0)

    tending = asyncio.create_task(run_as_guest(tend, ended))
    try:
        async with app.run_test(size=size) as pilot:
            await begun.wait()
            pausing, pilot.pause = pilot.pause, pause  # type: ignore[method-assign]
            yield pilot
    finally:
        ended.set()
        await tending


async def _blocked(token: trio.lowlevel.TrioToken) -> None:
    """Wait until every task in Trio waits for something."""
    blocked = asyncio.Event()

    async def wait() -> None:
        await trio.testing.wait_all_tasks_blocked()
        blocked.set()

    token.run_sync_soon(lambda: trio.lowlevel.spawn_system_task(wait))
    await blocked.wait()


class AtTheScreen:
    """A table at hand, as the screen is attached to it. seen: the commands that came."""

    def __init__(self, table: TableAtHand) -> None:
        self.seen: list[Command] = []
        self._table = table
        self._news = deque[TableView | Happened]()
        self._more = trio.Event()
        self._shown: TableView | None = None
        self._over = False
        self.go_on()

    async def command(self, command: Command) -> None:
        self.seen.append(command)
        try:
            if command.name != "leave":
                self._table.say(command)
        except CommandError as error:
            raise Refusal(str(error)) from None
        self.go_on()

    async def updates(self) -> AsyncIterator[TableView | Happened]:
        while self._news or not self._over:
            if self._news:
                yield self._news.popleft()
            else:
                self._more = trio.Event()
                await self._more.wait()

    def caught_up(self, everything: bool) -> None:
        """Nobody waits for that."""

    async def detach(self) -> None:
        self._over = True
        self._more.set()

    def show(self, view: TableView) -> None:
        """The table as it could be."""
        self._put(view)

    def happen(self, happening: Happening) -> None:
        """And the table is as before."""
        self._put(Happened(happening))
        if self._shown is not None:
            self._put(self._shown)

    def go_on(self) -> None:
        """What has happened meanwhile comes."""
        for news in self._table.news():
            self._put(news)

    def _put(self, news: TableView | Happened) -> None:
        self._shown = news if isinstance(news, TableView) else self._shown
        self._news.append(news)
        self._more.set()


@dataclass(frozen=True, slots=True)
class Screened:
    """table: what the daemon would have; attached: the screen's end of it."""

    pilot: Pilot[str]
    table: TableAtHand
    attached: AtTheScreen

    @property
    def picture(self) -> Picture:
        return self.pilot.app.screen_stack[1].query_one(Felt).picture

    @property
    def scene(self) -> Scene:
        """What is drawn."""
        found = self.pilot.app.screen_stack[1]
        assert isinstance(found, TableScreen)
        return found.scene

    def text(self) -> str:
        return "\n".join(self.picture.text())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()


@asynccontextmanager
async def screened(
    key: str,
    preset: str = "",
    seed: int = 1,
    size: tuple[int, int] = (80, 24),
    manner: Manner | None = None,
    appearance: Appearance = PLAIN,
    looks: bool = False,
) -> AsyncIterator[Screened]:
    """A hand that has just been dealt. preset: the first where none is named; looks: as `TableAtHand` takes it."""
    table = TableAtHand(key, preset, seed, looks=looks)
    attached = AtTheScreen(table)
    app = TableApp(attached, lambda: Sitting(manner or Manner(), appearance))
    async with piloted(app, size) as pilot:
        await pilot.pause()
        yield Screened(pilot, table, attached)


def at_table(key: str, what: Callable[[Screened], Awaitable[None]], **how: object) -> None:
    """Do this at a table, as `screened` has it."""

    async def sit() -> None:
        async with screened(key, **how) as table:  # type: ignore[arg-type]
            await what(table)

    asyncio.run(sit())
