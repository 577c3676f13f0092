"""The guide on the screen: how one goes through a page of it, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from textual import events, work
from textual.app import ComposeResult
from textual.geometry import Offset
from textual.screen import Screen

from p2pcards.frontend.guide_pages import SEARCH, address_of
from p2pcards.present.guide import CONTENTS, GLOSSARY, INDEX, Block
from p2pcards.tui.appearance import Palette
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import LinePanel
from p2pcards.tui.picture.page import LaidPage, draw_page, laid_out, rows_of_text

# --- how one goes through a page of the guide -------------------------------------------------------------------------


MANY = 10**6
"""Pages that no page of the guide has."""
WHEEL_DOWN, WHEEL_UP = "wheel_down", "wheel_up"


@dataclass(frozen=True, slots=True)
class PagePlace:
    address: str  # of the page and the heading in it
    top: int = 0  # the first visible line
    at: int | None = None  # number of the selected link; None if none is visible


def opened(address: str, laid: LaidPage, rows: int) -> PagePlace:
    """The page with its heading at the top. rows: of text that are seen at once."""
    top = laid.headings.get(address.partition("#")[2], 0)
    return _settled(PagePlace(address, top), laid, rows, top)


def shown_again(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
    """A page to which somebody comes back, or whose window has changed."""
    at = place.at if place.at is not None and place.at < len(laid.links) else None
    return _settled(replace(place, at=at), laid, rows)


def turned(place: PagePlace, key: str, laid: LaidPage, rows: int) -> PagePlace | None:
    """What comes of a key by its name, None where it means nothing here."""
    return _TURNS[key](place, laid, rows) if key in _TURNS else None


def _settled(place: PagePlace, laid: LaidPage, rows: int, top: int = 0) -> PagePlace:
    """Within the page, or as far down as the top was before, with a link that is in sight."""
    top = max(min(place.top, max(len(laid.lines) - rows, top)), 0)
    seen = [link for link, line in enumerate(laid.starts) if top <= line < top + rows]
    at = place.at if place.at in seen else min(seen, default=None)
    return replace(place, top=top, at=at)


def _by(pages: int, lines: int = 0) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """A line of a page is seen again on the next."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        return _settled(replace(place, top=place.top + pages * (rows - 1) + lines), laid, rows, place.top)

    return turn


def _along(step: int) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """To the next link that is in sight, or by a line."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        link = _beside(place, laid, step)
        if link is not None and place.top <= laid.starts[link] < place.top + rows:
            return replace(place, at=link)
        return _settled(replace(place, top=place.top + step), laid, rows, place.top)

    return turn


def _to_link(step: int) -> Callable[[PagePlace, LaidPage, int], PagePlace]:
    """To the next link wherever it is, round the ends too."""

    def turn(place: PagePlace, laid: LaidPage, rows: int) -> PagePlace:
        if not laid.links:
            return place
        link = _beside(place, laid, step)
        if link is None:
            link = 0 if step > 0 else len(laid.links) - 1
        line = laid.starts[link]
        top = place.top if place.top <= line < place.top + rows else line - rows // 3
        return _settled(replace(place, top=top, at=link), laid, rows, place.top)

    return turn


def _beside(place: PagePlace, laid: LaidPage, step: int) -> int | None:
    """The link after the chosen one, or before it; where none is chosen, after the first line or before it."""
    if place.at is None:
        after = len([line for line in laid.starts if line < place.top])
        link = after if step > 0 else after - 1
    else:
        link = place.at + step
    return link if 0 <= link < len(laid.links) else None


_TURNS: Mapping[str, Callable[[PagePlace, LaidPage, int], PagePlace]] = {
    "tab": _to_link(1),
    "shift+tab": _to_link(-1),
    "down": _along(1),
    "up": _along(-1),
    "space": _by(1),
    "pagedown": _by(1),
    "pageup": _by(-1),
    "home": _by(-MANY),
    "end": _by(MANY),
    WHEEL_DOWN: _by(0, 3),
    WHEEL_UP: _by(0, -3),
}


# --- the guide on the full screen -------------------------------------------------------------------------------------


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
        typed = await self.app.push_screen_wait(LinePanel("Search the guide for:", USING))
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
