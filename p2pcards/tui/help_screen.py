"""The guide on the full screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events, work
from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import Screen

from p2pcards.frontend.guide_pages import SEARCH, address_of
from p2pcards.present.guide import CONTENTS, GLOSSARY, INDEX, Block
from p2pcards.tui.colours import Palette
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import LinePanel
from p2pcards.tui.picture.page import LaidPage, draw_page, laid_out, rows_of_text
from p2pcards.tui.turning import WHEEL_DOWN, WHEEL_UP, PagePlace, opened, shown_again, turned

Pages = Callable[[str], Sequence[Block]]
"""A page by its name; nothing where there is none."""
USING = "using"
LETTERS = {"c": CONTENTS, "i": INDEX, "g": GLOSSARY, "question_mark": USING, "f1": USING}


class HelpScreen(Screen[None]):
    """Pages with links that lead to others, until it is left."""

    def __init__(self, pages: Pages, address: str, palette: Palette) -> None:
        super().__init__()
        self._pages = pages
        self._palette = palette
        self._place = PagePlace(address)
        self._before: list[PagePlace] = []
        self._laid = LaidPage("", (), (), (), {})
        self._opened = False

    def compose(self) -> ComposeResult:
        yield Felt(self._palette)

    def on_mount(self) -> None:
        self.query_one(Felt).focus()

    def on_resize(self) -> None:
        if not self._opened:
            self._opened = True
            self._open(self._place.address)
        else:
            self._lay(self._place)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        place = turned(self._place, event.key, self._laid, self._rows)
        if place is not None:
            self._show(place)
        elif event.key in ("enter", "right"):
            self._follow(self._place.at)
        elif event.key in ("backspace", "left"):
            self._back()
        elif event.key in ("escape", "q", "ctrl+c"):
            self.dismiss()
        elif event.key == "slash":
            self._search()
        elif event.key in LETTERS:
            self._go(LETTERS[event.key])

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        if event.right:
            self._back()
        elif event.zone and event.zone == event.pressed:
            self._follow(int(event.zone.removeprefix("link ")))

    def on_mouse_scroll_down(self) -> None:
        self._turn(WHEEL_DOWN)

    def on_mouse_scroll_up(self) -> None:
        self._turn(WHEEL_UP)

    def _turn(self, how: str) -> None:
        place = turned(self._place, how, self._laid, self._rows)
        if place is not None:
            self._show(place)

    def _follow(self, link: int | None) -> None:
        if link is not None:
            self._go(self._laid.links[link])

    def _go(self, address: str) -> None:
        self._before.append(self._place)
        self._open(address)

    def _back(self) -> None:
        if self._before:
            self._lay(self._before.pop())

    @work
    async def _search(self) -> None:
        typed = await self.app.push_screen_wait(LinePanel("What do you look for?", USING))
        if words := (typed or "").strip():
            self._go(address_of(words) or SEARCH + words)

    @property
    def _rows(self) -> int:
        return rows_of_text(self.size.height)

    def _open(self, address: str) -> None:
        self._laid = self._laid_out(address)
        self._show(opened(address, self._laid, self._rows))

    def _lay(self, place: PagePlace) -> None:
        self._laid = self._laid_out(place.address)
        self._show(shown_again(place, self._laid, self._rows))

    def _laid_out(self, address: str) -> LaidPage:
        return laid_out(self._pages(address.partition("#")[0]), self.size.width)

    def _show(self, place: PagePlace) -> None:
        self._place = place
        picture = draw_page(self._laid, place.top, place.at, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)
        if picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)
