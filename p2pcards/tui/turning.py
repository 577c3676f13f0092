"""How one goes through a page of the guide: which link is chosen, and which line is the first that is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from p2pcards.tui.picture.page import LaidPage

MANY = 10**6
"""Pages that no page of the guide has."""
WHEEL_DOWN, WHEEL_UP = "wheel_down", "wheel_up"


@dataclass(frozen=True, slots=True)
class PagePlace:
    """address: of the page, and the heading in it; top: the first line that is seen; at: the chosen link, None where
    none is in sight."""

    address: str
    top: int = 0
    at: int | None = None


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
