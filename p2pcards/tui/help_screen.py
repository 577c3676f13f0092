"""The guide on the screen: how one goes through a page of it, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from textual import events, work
from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import Screen

from p2pcards.frontend.guide_pages import SEARCH, find_address
from p2pcards.present.guide import CONTENTS, GLOSSARY, INDEX, Block
from p2pcards.tui.appearance import Palette
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import LinePanel
from p2pcards.tui.picture.page import LaidPage, draw_page, lay_out_page, rows_of_text

# --- how one goes through a page of the guide -------------------------------------------------------------------------


MANY = 10**6
"""Pages that no page of the guide has."""
WHEEL_DOWN, WHEEL_UP = "wheel_down", "wheel_up"


@dataclass(frozen=True, slots=True)
class PagePlace:
    address: str  # of the page and the heading in it
    top: int = 0  # the first visible line
    at: int | None = None  # number of the selected link; None if none is visible


def open_at_heading(address: str, laid: LaidPage, rows: int) -> PagePlace:
    """The place of a page opened at this address, its heading at the top. rows: visible rows of text."""
    top = laid.headings.get(address.partition("#")[2], 0)
    return _clamp_place(PagePlace(address, top), laid, rows, top)


def restore_place(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
    """The place of a page that is shown again, or in a window of another size."""
    at = place.at if place.at is not None and place.at < len(laid.links) else None
    return _clamp_place(replace(place, at=at), laid, rows)


def move_on_page(place: PagePlace, key: str, laid: LaidPage, rows: int) -> PagePlace | None:
    """The place after a key, by its name; None where the key means nothing here."""
    return _TURNS[key](place, laid, rows) if key in _TURNS else None


def _clamp_place(place: PagePlace, laid: LaidPage, rows: int, top: int = 0) -> PagePlace:
    """The place with its top line within the page, and its selected link in view. top: the line to scroll to, at
    least."""
    top = max(min(place.top, max(len(laid.lines) - rows, top)), 0)
    seen = [link for link, line in enumerate(laid.starts) if top <= line < top + rows]
    at = place.at if place.at in seen else min(seen, default=None)
    return replace(place, top=top, at=at)


def _scroll_by(pages: int, lines: int = 0) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """A move by pages and lines; one line stays in view from page to page."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        return _clamp_place(replace(place, top=place.top + pages * (rows - 1) + lines), laid, rows, place.top)

    return turn


def _next_link_or_line(step: int) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """A move to the next link in view, or by a line."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        link = _neighbour_link(place, laid, step)
        if link is not None and place.top <= laid.starts[link] < place.top + rows:
            return replace(place, at=link)
        return _clamp_place(replace(place, top=place.top + step), laid, rows, place.top)

    return turn


def _to_next_link(step: int) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """A move to the next link anywhere, wrapping at the ends."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        if not laid.links:
            return place
        link = _neighbour_link(place, laid, step)
        if link is None:
            link = 0 if step > 0 else len(laid.links) - 1
        line = laid.starts[link]
        top = place.top if place.top <= line < place.top + rows else line - rows // 3
        return _clamp_place(replace(place, top=top, at=link), laid, rows, place.top)

    return turn


def _neighbour_link(place: PagePlace, laid: LaidPage, step: int) -> int | None:
    """The index of the next or previous link; where none is selected, of the first one below or above the top line."""
    if place.at is None:
        after = len([line for line in laid.starts if line < place.top])
        link = after if step > 0 else after - 1
    else:
        link = place.at + step
    return link if 0 <= link < len(laid.links) else None


_TURNS: Mapping[str, Callable[[PagePlace, LaidPage, int], PagePlace]] = {
    "tab": _to_next_link(1),
    "shift+tab": _to_next_link(-1),
    "down": _next_link_or_line(1),
    "up": _next_link_or_line(-1),
    "space": _scroll_by(1),
    "pagedown": _scroll_by(1),
    "pageup": _scroll_by(-1),
    "home": _scroll_by(-MANY),
    "end": _scroll_by(MANY),
    WHEEL_DOWN: _scroll_by(0, 3),
    WHEEL_UP: _scroll_by(0, -3),
}


# --- the guide on the full screen -------------------------------------------------------------------------------------


Pages = Callable[[str], Sequence[Block]]
"""A page by its name; nothing where there is none."""
USING = "using"
LETTERS = {"c": CONTENTS, "i": INDEX, "g": GLOSSARY, "question_mark": USING, "f1": USING}


class HelpScreen(Screen[None]):
    """The guide's pages with their links, until it is closed."""

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
            self._open_address(self._place.address)
        else:
            self._lay_out_place(self._place)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        place = move_on_page(self._place, event.key, self._laid, self._text_rows)
        if place is not None:
            self._show_place(place)
        elif event.key in ("enter", "right"):
            self._follow_link(self._place.at)
        elif event.key in ("backspace", "left"):
            self._go_back()
        elif event.key in ("escape", "q", "ctrl+c"):
            self.dismiss()
        elif event.key == "slash":
            self._search()
        elif event.key in LETTERS:
            self._go_to_address(LETTERS[event.key])

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        if event.right:
            self._go_back()
        elif event.zone and event.zone == event.pressed:
            self._follow_link(int(event.zone.removeprefix("link ")))

    def on_mouse_scroll_down(self) -> None:
        self._move_by_key(WHEEL_DOWN)

    def on_mouse_scroll_up(self) -> None:
        self._move_by_key(WHEEL_UP)

    def _move_by_key(self, how: str) -> None:
        place = move_on_page(self._place, how, self._laid, self._text_rows)
        if place is not None:
            self._show_place(place)

    def _follow_link(self, link: int | None) -> None:
        if link is not None:
            self._go_to_address(self._laid.links[link])

    def _go_to_address(self, address: str) -> None:
        self._before.append(self._place)
        self._open_address(address)

    def _go_back(self) -> None:
        if self._before:
            self._lay_out_place(self._before.pop())

    @work
    async def _search(self) -> None:
        """Ask for words, and open what the guide has on them."""
        typed = await self.app.push_screen_wait(LinePanel("Search the guide for:", USING))
        if words := (typed or "").strip():
            self._go_to_address(find_address(words) or SEARCH + words)

    @property
    def _text_rows(self) -> int:
        return rows_of_text(self.size.height)

    def _open_address(self, address: str) -> None:
        self._laid = self._page_laid_out(address)
        self._show_place(open_at_heading(address, self._laid, self._text_rows))

    def _lay_out_place(self, place: PagePlace) -> None:
        self._laid = self._page_laid_out(place.address)
        self._show_place(restore_place(place, self._laid, self._text_rows))

    def _page_laid_out(self, address: str) -> LaidPage:
        return lay_out_page(self._pages(address.partition("#")[0]), self.size.width)

    def _show_place(self, place: PagePlace) -> None:
        self._place = place
        picture = draw_page(self._laid, place.top, place.at, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)
        if picture.cursor is not None:
            self.app.cursor_position = Offset(*picture.cursor)
