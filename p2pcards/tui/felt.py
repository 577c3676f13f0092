"""The table on the screen: a picture that is painted, and what is pointed at in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from p2pcards.tui.appearance import Palette, Shows, ink_style, reduce_palette
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.program import running_program

if TYPE_CHECKING:
    from p2pcards.tui.pictured import KittyDeck, SixelDeck

RIGHT_BUTTON = 3
QUICK = 0.5
"""Seconds between two clicks that are one double click, where somebody wants to play by these."""
STRAY = 0.3
"""Seconds after a click in which another on the same character was not meant."""


class Felt(Widget, can_focus=True):
    """Shows a picture; reports where it is clicked by the names of zones."""

    DEFAULT_CSS = "Felt { width: 1fr; height: 1fr; }"

    class Pointed(Message):
        """A button of the mouse was pressed on `pressed` and released on `zone`. right: the button that plays at once;
        again: soon after a release in the same zone; stray: right after that, without moving."""

        def __init__(self, pressed: str, zone: str, right: bool, again: bool, stray: bool) -> None:
            super().__init__()
            self.pressed = pressed
            self.zone = zone
            self.right = right
            self.again = again
            self.stray = stray

    class Pressed(Message):
        """The selecting button was pressed. stray: as in `Pointed`."""

        def __init__(self, zone: str, column: int, row: int, stray: bool) -> None:
            super().__init__()
            self.zone = zone
            self.stray = stray
            self.column = column
            self.row = row

    class Dragged(Message):
        """The mouse was moved with its button pressed."""

        def __init__(self, zone: str, column: int, row: int) -> None:
            super().__init__()
            self.zone = zone
            self.column = column
            self.row = row

    class Turned(Message):
        """The wheel was turned. up: away from the person."""

        def __init__(self, up: bool) -> None:
            super().__init__()
            self.up = up

    def __init__(self, palette: Palette, shows: Shows | None = None) -> None:
        """shows: draws cards as real pictures, None for characters."""
        super().__init__()
        self._shows = shows
        self._deck: KittyDeck | SixelDeck | None = None
        self._picture = Picture(())
        self._palette = palette
        self._pressed = ""
        self._let_go = ("", (-1, -1), 0.0)

    def on_mount(self) -> None:
        self.wear(self._palette)
        if self._shows:
            from p2pcards.tui.pictured import make_deck  # few terminals show pictures

            self._deck = make_deck(self._shows, self.app.console.color_system, running_program(self.screen).send)

    def on_unmount(self) -> None:
        if self._deck:
            self._deck.put_away()

    def wear(self, palette: Palette) -> None:
        """Paint in this palette, as far as the terminal can."""
        self._palette = reduce_palette(palette, self.app.console.color_system)
        self.refresh()

    @property
    def picture(self) -> Picture:
        """The picture on view."""
        return self._picture

    def show(self, picture: Picture) -> None:
        """Show this picture; only changed rows are painted."""
        before, self._picture = self._picture, picture
        if len(before.rows) != len(picture.rows):
            self.refresh()
            return
        for number, (old, new) in enumerate(zip(before.rows, picture.rows, strict=True)):
            if old != new:
                self.refresh(Region(0, number, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        if y >= len(self._picture.rows):
            return Strip.blank(self.size.width, ink_style("", self._palette))
        row = self._picture.rows[y]
        if self._deck and self.screen.is_active:  # what lies above dims what is below, and knows characters alone
            return Strip(self._deck.row(row, y, self._palette))
        return Strip([Segment(text, ink_style(ink, self._palette)) for text, ink in row])

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed = self._picture.at(event.x, event.y)
        self.capture_mouse()
        if not self._is_right(event):
            self.post_message(self.Pressed(self._pressed, event.x, event.y, self._is_stray(event)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._pressed:
            self.post_message(self.Dragged(self._picture.at(event.x, event.y), event.x, event.y))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        pressed, self._pressed = self._pressed, ""
        zone, stray = self._picture.at(event.x, event.y), self._is_stray(event)
        before, _, time = self._let_go
        again = zone == before and event.time - time <= QUICK
        self._let_go = (zone, (event.x, event.y), event.time)
        self.post_message(self.Pointed(pressed, zone, self._is_right(event), again, stray))

    def _is_stray(self, event: events.MouseEvent) -> bool:
        """Return whether this press follows the last one so soon that it wasn't meant for what is there now."""
        _, place, time = self._let_go
        return place == (event.x, event.y) and event.time - time <= STRAY

    def on_mouse_scroll_up(self) -> None:
        self.post_message(self.Turned(up=True))

    def on_mouse_scroll_down(self) -> None:
        self.post_message(self.Turned(up=False))

    @staticmethod
    def _is_right(event: events.MouseEvent) -> bool:
        return event.button == RIGHT_BUTTON or event.meta
