"""The full-screen program of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Generic

from textual import events
from textual.app import ReturnType, SystemCommand
from textual.screen import Screen

from p2pcards.control.client import connect
from p2pcards.frontend.guide_pages import page_blocks
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.panels import HelpAsked
from p2pcards.tui.program import Program, ended_by_signals, given_back, run_hosted
from p2pcards.tui.table_screen import TableScreen

if TYPE_CHECKING:
    from p2pcards.control.attached import AttachedTable
    from p2pcards.control.spawning import Place


class AtTables(Program[ReturnType], Generic[ReturnType]):
    """A program that shows a table, or none as yet."""

    def __init__(self, sitting: ReadSitting) -> None:
        super().__init__()
        self._table: TableScreen | None = None
        self._sitting = sitting

    def show_table(self, table: TableScreen | None) -> None:
        """None: it is over."""
        self._table = table
        if table is None:
            return
        self.push_screen(table)
        self.send("\x1b[?25h")  # what reads the screen aloud, or in Braille, follows the cursor

    async def on_event(self, event: events.Event) -> None:
        """A key or a click in a panel above the table shows that the player is there."""
        signs = isinstance(event, events.Key | events.MouseDown) and not event.is_forwarded
        if signs and self._table is not None and self.screen is not self._table:
            self._table.notice_player()
        await super().on_event(event)

    def on_help_asked(self, event: HelpAsked) -> None:
        """The guide, with the rules that are in force at the table."""
        palette, table = self._sitting().appearance.palette, self._table
        page = (lambda name: page_blocks(name, table.view)) if table else page_blocks
        self.push_screen(HelpScreen(page, event.address, palette))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """None of the toolkit's own."""
        return ()

    def let_go(self) -> None:
        """Of the table; the seat is kept."""
        if self._table is not None:
            self._table.let_go()


class TableApp(AtTables[str]):
    """One table, until it is left; what is said then is what the program returns."""

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: what is to be read at first."""
        super().__init__(sitting)
        self._at_table = TableScreen(table, sitting, told)

    def on_mount(self) -> None:
        self.show_table(self._at_table)

    def table_ended(self, said: str) -> None:
        self.exit(said)

    async def action_quit(self) -> None:
        self._at_table.action_say_line("detach")


async def sit_at(table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> tuple[str, int]:
    """Within Trio: until the table is left or closed, as `run_screen`."""
    app = TableApp(table, sitting, told)
    with ended_by_signals(app.let_go) as numbers:
        said = await app.until_left() or ""
    return said, numbers[0] if numbers else 0


def run_screen(place: Place, table: str, sitting: ReadSitting, told: Sequence[str] = ()) -> tuple[str, int]:
    """Play at a table of the daemon; "" is the only or the latest one. What is said when it has ended, and the number
    of the signal that ended it, 0 for none. Raises Declined."""

    async def sit() -> tuple[str, int]:
        async with connect(place, start=False) as client:
            attached = await client.attach(table, sitting().appearance.pace)
            return await sit_at(attached, sitting, told)

    with given_back():
        return run_hosted(sit)
