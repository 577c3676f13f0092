"""The inks of the picture as colours of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rich.style import Style

FELT, EDGE, FACE, DIM_FACE = "#12402a", "#0c2e1e", "#f4f1e6", "#a9b5a6"

SUITS = {
    "four": {"spades": "#000000", "hearts": "#c23b00", "diamonds": "#0067c7", "clubs": "#00795a"},
    "two": {"spades": "#000000", "hearts": "#c23b00", "diamonds": "#c23b00", "clubs": "#000000"},
}
"""On a light face. The four can be told apart by colour-blind people: the nearest two of them differ by 15 (CIE76) for
any kind of colour blindness, and all have a contrast of 4.7 at the least."""

INKS: Mapping[str, Style] = {
    "": Style(color="#d9e4d9", bgcolor=FELT),
    "title": Style(color="#ffffff", bgcolor=EDGE, bold=True),
    "keys": Style(color="#b7c7b7", bgcolor=EDGE),
    "fact": Style(color="#f0e6a8", bgcolor=FELT),
    "name": Style(color="#ffffff", bgcolor=FELT, bold=True),
    "name.turn": Style(color="#ffe066", bgcolor=FELT, bold=True),
    "note": Style(color="#c5d6c5", bgcolor=FELT),
    "label": Style(color="#b7c7b7", bgcolor=FELT),
    "meld": Style(color="#f4f1e6", bgcolor=FELT),
    "board": Style(color="#f4f1e6", bgcolor=FELT),
    "rule": Style(color="#3d6b52", bgcolor=FELT),
    "score": Style(color="#d9e4d9", bgcolor=FELT),
    "score.mine": Style(color="#ffffff", bgcolor=FELT, bold=True),
    "log": Style(color="#b7c7b7", bgcolor=FELT),
    "chat": Style(color="#ffffff", bgcolor=FELT, bold=True),
    "status": Style(color="#ffe066", bgcolor=FELT, bold=True),
    "error": Style(color="#ffffff", bgcolor="#8c2f1b", bold=True),
    "button": Style(color="#ffffff", bgcolor="#1d5c8c"),
    "button.at": Style(color="#000000", bgcolor="#ffe066", bold=True),
    "back": Style(color="#7fa3d1", bgcolor="#1b3a5c"),
}
MOODS: Mapping[str, Style] = {
    "dim": Style(bgcolor=DIM_FACE),
    "chosen": Style(bgcolor="#ffffff", bold=True),
    "marked": Style(bgcolor="#ffe9a8", bold=True),
    "won": Style(bold=True),
}
WITHOUT: Mapping[str, Style] = {
    "title": Style(reverse=True),
    "keys": Style(dim=True),
    "name.turn": Style(bold=True),
    "status": Style(bold=True),
    "error": Style(reverse=True),
    "button.at": Style(reverse=True),
    "chat": Style(bold=True),
}
"""Where there are no colours."""


@cache
def style_of(ink: str, suits: str = "four") -> Style:
    """suits: "four" colours or "two", or "none" where nothing has a colour."""
    first, *rest = ink.split(".")
    if suits == "none":
        last = rest[-1] if rest else ""
        return WITHOUT.get(ink, Style(bold=last in ("chosen", "marked", "won"), dim=last == "dim"))
    if first != "card":
        return INKS.get(ink, INKS[""])
    colour = next((SUITS[suits][part] for part in rest if part in SUITS[suits]), "#55606a")
    mood = next((MOODS[part] for part in rest if part in MOODS), Style())
    return Style(color=colour, bgcolor=FACE, bold=bool(rest)) + mood
