"""The inks of the picture as colours of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rich.style import Style

from p2pcards.store.settings import COLOURS

SUITS = ("spades", "hearts", "diamonds", "clubs")
TWO = {"diamonds": "hearts", "clubs": "spades"}
"""Where there are two colours, whose the others have."""

INKS: Mapping[str, tuple[str, str]] = {
    "": ("text", "table"),
    "title": ("names", "edge"),
    "keys": ("text", "edge"),
    "fact": ("facts", "table"),
    "name": ("names", "table"),
    "name.turn": ("turn", "table"),
    "meld": ("melds", "table"),
    "board": ("melds", "table"),
    "score": ("scores", "table"),
    "score.mine": ("names", "table"),
    "chat": ("names", "table"),
    "status": ("status", "table"),
    "error": ("error", "error_back"),
    "button": ("button", "button_back"),
    "button.at": ("edge", "chosen"),
    "back": ("back", "back_face"),
    "heading": ("names", "table"),
    "link": ("turn", "table"),
    "code": ("facts", "table"),
}
"""Of each the parts whose colours it has, in front and behind; all others are like text."""
BOLD = ("title", "name", "name.turn", "score.mine", "chat", "status", "error", "button.at", "heading")
UNDERLINED = ("link",)
CARD_FRAME = "#55606a"
FACES = {"dim": "dim_face", "marked": "marked_face"}
WITHOUT: Mapping[str, Style] = {
    "title": Style(reverse=True),
    "keys": Style(dim=True),
    "name.turn": Style(bold=True),
    "status": Style(bold=True),
    "error": Style(reverse=True),
    "button.at": Style(reverse=True),
    "chat": Style(bold=True),
    "name": Style(bold=True),
    "heading": Style(bold=True),
    "link": Style(underline=True),
    "code": Style(bold=True),
}
"""Where there are no colours."""


@dataclass(frozen=True, slots=True)
class Palette:
    """suits: "four" colours or two, or "none" where nothing has a colour; own: colours that were chosen, by part."""

    suits: str = "four"
    own: tuple[tuple[str, str], ...] = ()


@cache
def style_of(ink: str, palette: Palette = Palette()) -> Style:
    first, *rest = ink.split(".")
    mood = next((part for part in rest if part in ("dim", "chosen", "marked", "won")), "")
    if palette.suits == "none":
        return WITHOUT.get(ink, Style(bold=mood in ("chosen", "marked", "won") or None, dim=mood == "dim" or None))
    colours = {**COLOURS, **dict(palette.own)}
    if first != "card":
        front, behind = INKS.get(ink, INKS[""])
        bold, underlined = ink in BOLD or None, ink in UNDERLINED or None
        return Style(color=colours[front], bgcolor=colours[behind], bold=bold, underline=underlined)
    suit = next((part for part in rest if part in SUITS), "")
    shown = TWO.get(suit, suit) if palette.suits == "two" else suit
    front = colours[shown] if shown else colours["spades"] if "name" in rest else CARD_FRAME
    return Style(color=front, bgcolor=colours[FACES.get(mood, "face")], bold=bool(rest) or None)
