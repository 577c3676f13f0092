"""A chart of colours, of which one is chosen and seen at once where it belongs."""

from __future__ import annotations

import re
from collections.abc import Callable
from colorsys import hls_to_rgb
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Label, Static

from p2pcards.tui.panels import HELP, PLACED, HelpedPanel, PanelBox

HUES = 12
LIGHTNESSES = (0.12, 0.22, 0.32, 0.45, 0.58, 0.72, 0.86)
CELL = 3
"""Columns of a colour in the chart."""
COLOUR = re.compile(r"#[0-9a-f]{6}")
ABOUT = "menus#the-options"


def colour_chart() -> tuple[tuple[str, ...], ...]:
    """Rows of colours as #rrggbb, dark to light; greys in the first column, then the hues from red on."""
    rows = [
        [_hex_colour(0, light, 0), *[_hex_colour(hue / HUES, light, 0.65) for hue in range(HUES)]]
        for light in LIGHTNESSES
    ]
    return tuple(map(tuple, rows))


def _hex_colour(hue: float, light: float, saturation: float) -> str:
    return "#" + "".join([f"{round(255 * part):02x}" for part in hls_to_rgb(hue, light, saturation)])


class ColourPanel(HelpedPanel[str | None]):
    """A chart of colours; returns the chosen one, None if it was cancelled."""

    DEFAULT_CSS = (
        PLACED.format(name="ColourPanel")
        + "ColourPanel { align: right bottom; background: black 0%; }"
        + "ColourPanel Label { width: auto; max-width: 40; } ColourPanel #chart { width: auto; height: auto; }"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        Binding("escape", "dismiss(None)", "back"),
        Binding("enter", "take", "use this color"),
        *[
            Binding(key, f"go({across}, {down})", "another", show=False)
            for key, across, down in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1))
        ],
    ]

    def __init__(self, question: str, now: str, tried: Callable[[str], None]) -> None:
        """now: the present colour; tried: called with each colour, to show it in place."""
        super().__init__(ABOUT)
        self._question = question
        self._tried = tried
        self._chart = colour_chart()
        self._at: tuple[int, int] | None = None  # column and row, once one is chosen there
        self._typed = now

    def compose(self) -> ComposeResult:
        with PanelBox() as box:
            box.border_title = "Color"
            box.border_subtitle = "Enter OK  Esc cancel"
            yield Label(self._question, markup=False)
            yield Static(id="chart")
            yield Static(id="typed")

    def on_mount(self) -> None:
        self._paint()

    def _paint(self) -> None:
        """Paint the chart, with the selected colour marked."""
        rows = []
        for row, colours in enumerate(self._chart):
            line = Text()
            for column, colour in enumerate(colours):
                line.append("[ ]" if self._at == (column, row) else " " * CELL, Style(bgcolor=colour))
            rows.append(line)
        self.query_one("#chart", Static).update(Text("\n").join(rows))
        typed = Text(f"{self._typed} ")
        if COLOUR.fullmatch(self._typed):
            typed.append("      ", Style(bgcolor=self._typed))
        self.query_one("#typed", Static).update(typed)

    def action_take(self) -> None:
        """Return the entered colour; an invalid one stays to be corrected."""
        if COLOUR.fullmatch(self._typed):
            self._tried(self._typed)
            self.dismiss(self._typed)

    def action_go(self, across: int, down: int) -> None:
        """Select the neighbouring colour, wrapping at the edges; the upper left one at first."""
        if self._at is None:
            self._choose(0, 0)
        else:
            self._choose((self._at[0] + across) % len(self._chart[0]), (self._at[1] + down) % len(self._chart))

    def _choose(self, column: int, row: int) -> None:
        """Select the colour in this column and row of the chart."""
        self._at = (column, row)
        self._typed = self._chart[row][column]
        self._tried(self._typed)
        self._paint()

    def on_key(self, event: events.Key) -> None:
        """Edit the typed colour."""
        letter = (event.character or "").lower()
        if event.key == "backspace":
            self._typed = self._typed[:-1]
        elif letter == "#":
            self._typed = "#"
        elif letter and letter in "0123456789abcdef" and len(self._typed) < 7:
            self._typed += letter
        else:
            return
        event.stop()
        self._at = None
        if COLOUR.fullmatch(self._typed):
            self._tried(self._typed)
        self._paint()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self.query_one("#chart", Static))
        if at is not None:
            self._choose(at.x // CELL, at.y)
