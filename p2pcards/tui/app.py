"""The full-screen program of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.screen import Screen

from p2pcards.control.client import connect
from p2pcards.frontend.guide_pages import page_blocks
from p2pcards.tui.appearance import ReadSitting, toolkit_colours
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.panels import HelpAsked
from p2pcards.tui.program import Program, ended_by_signals, given_back, run_hosted
from p2pcards.tui.table_screen import TableScreen

if TYPE_CHECKING:
    from p2pcards.control.attached import AttachedTable
    from p2pcards.control.starting import Place


class TableApp(Program[str]):
    """One table, until it is left; what is said then is what the program returns."""

    def __init__(self, table: AttachedTable, sitting: ReadSitting, told: Sequence[str] = ()) -> None:
        """told: what is to be read at first."""
        super().__init__()
        self._at_table = TableScreen(table, sitting, told)
        self._sitting = sitting

    def on_mount(self) -> None:
        self.wear(toolkit_colours(self._sitting().appearance.palette))
        self.push_screen(self._at_table)
        self.send("\x1b[?25h")  # what reads the screen aloud, or in Braille, follows the cursor

    def on_help_asked(self, event: HelpAsked) -> None:
        """The guide, with the rules that are in force at this table."""
        palette = self._sitting().appearance.palette
        self.push_screen(HelpScreen(lambda name: page_blocks(name, self._at_table.view), event.address, palette))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """None of the toolkit's own."""
        return ()

    async def action_quit(self) -> None:
        self._at_table.action_say_line("detach")

    def let_go(self) -> None:
        """Of the table; the seat is kept."""
        self._at_table.let_go()


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
