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
from p2pcards.tui.program import Program, given_back, release_on_signals, run_hosted
from p2pcards.tui.table_screen import TableScreen

if TYPE_CHECKING:
    from p2pcards.control.attached import AttachedTable
    from p2pcards.control.spawning import Place


class AtTables(Program[ReturnType], Generic[ReturnType]):
    """A program that shows a table, or none yet."""

    def __init__(self, sitting: ReadSitting) -> None:
        super().__init__()
        self._table: TableScreen | None = None
        self._sitting = sitting

    def show_table(self, table: TableScreen | None) -> None:
        """Show this table from now on, None when it is over."""
        self._table = table
        if table is None:
            return
        self.push_screen(table)
        self.send("\x1b[?25h")  # what reads the screen aloud, or in Braille, follows the cursor

    async def on_event(self, event: events.Event) -> None:
        """Note that the player is there, also at a key or click in a panel above the table."""
        signs = isinstance(event, events.Key | events.MouseDown) and not event.is_forwarded
        if signs and self._table is not None and self.screen is not self._table:
            self._table.notice_player()
        await super().on_event(event)

    def on_help_asked(self, event: HelpAsked) -> None:
        """Open the guide, with the rules in force at the table."""
        palette, table = self._sitting().appearance.palette, self._table
        page = (lambda name: page_blocks(name, table.view)) if table else page_blocks
        self.push_screen(HelpScreen(page, event.address, palette))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """Offer none of the toolkit's own commands."""
        return ()

    def let_go(self) -> None:
        """Leave the table, keeping the seat."""
        if self._table is not None:
            self._table.let_go()


class TableApp(AtTables[str]):
    """Shows one table until it is left, and returns the closing sentence."""

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: lines to show first."""
        super().__init__(sitting)
        self._at_table = TableScreen(table, sitting, told)

    def on_mount(self) -> None:
        self.show_table(self._at_table)

    def table_ended(self, said: str) -> None:
        self.exit(said)

    async def action_quit(self) -> None:
        self._at_table.action_say_line("detach")


async def run_table_app(table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> tuple[str, int]:
    """Within Trio: show the table until it is left or closed; returns as `run_screen`."""
    app = TableApp(table, sitting, told)
    with release_on_signals(app.let_go) as numbers:
        said = await app.until_left() or ""
    return said, numbers[0] if numbers else 0


def run_screen(place: Place, table: str, sitting: ReadSitting, told: Sequence[str] = ()) -> tuple[str, int]:
    """Play at a table of the daemon. table: its name, "" for the only or latest one; told: lines to show first. Returns
    the closing sentence, and the number of the signal that ended it, 0 for none. Raises Declined."""

    async def sit() -> tuple[str, int]:
        async with connect(place, start=False) as client:
            attached = await client.attach(table, sitting().appearance.pace)
            return await run_table_app(attached, sitting, told)

    with given_back():
        return run_hosted(sit)
