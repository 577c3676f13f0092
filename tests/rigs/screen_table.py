"""The screen at a table without a daemon, in a terminal without a window."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.pilot import Pilot

from at_hand import TableAtHand
from p2pcards.control.attached import Refusal
from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner
from p2pcards.session.effects import CommandError
from p2pcards.tui.app import TableApp
from p2pcards.tui.appearance import Appearance, Sitting
from p2pcards.tui.colours import Palette
from p2pcards.tui.felt import Felt
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import Scene
from p2pcards.tui.table_screen import TableScreen
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView

PLAIN = Appearance(Look(), Palette("none"))


class AtTheScreen:
    """A table at hand, as the screen is attached to it. seen: the commands that came."""

    def __init__(self, table: TableAtHand) -> None:
        self.seen: list[Command] = []
        self._table = table
        self._news = asyncio.Queue[TableView | Happened | None]()
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
        while (news := await self._news.get()) is not None:
            yield news

    async def detach(self) -> None:
        self._news.put_nowait(None)

    def show(self, view: TableView) -> None:
        """The table as it could be."""
        self._news.put_nowait(view)

    def happen(self, happening: Happening) -> None:
        self._news.put_nowait(Happened(happening))

    def go_on(self) -> None:
        """What has happened meanwhile comes."""
        for news in self._table.news():
            self._news.put_nowait(news)


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
) -> AsyncIterator[Screened]:
    """A hand that has just been dealt. preset: the first where none is named."""
    table = TableAtHand(key, preset, seed)
    attached = AtTheScreen(table)
    app = TableApp(attached, lambda: Sitting(manner or Manner(), appearance))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Screened(pilot, table, attached)
