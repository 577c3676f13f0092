"""How a table looks on the screen: the inks of the picture as colours of the terminal, and what else settings say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from rich.style import Style

from p2pcards.frontend.manner import Manner
from p2pcards.store.settings import COLOURS
from p2pcards.tui.picture.faces import Look

# --- the inks of the picture as colours of the terminal ---------------------------------------------------------------


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
    "meld.now": ("flash", "table"),
    "board": ("melds", "table"),
    "score": ("scores", "sheet"),
    "score.mine": ("names", "sheet"),
    "score.note": ("text", "sheet"),
    "score.so_far": ("made", "sheet"),
    "chat": ("names", "table"),
    "status": ("status", "table"),
    "error": ("error", "error_back"),
    "clock.half": ("edge", "chosen"),
    "clock.last": ("error", "error_back"),
    "button": ("button", "button_back"),
    "button.at": ("edge", "chosen"),
    "back": ("back", "back_face"),
    "heading": ("names", "table"),
    "link": ("turn", "table"),
    "code": ("facts", "table"),
}
"""Of each the parts whose colours it has, in front and behind; all others are like text."""
BOLD = (
    *("title", "name", "name.turn", "score.mine", "chat", "status", "error", "clock.half", "clock.last"),
    *("button.at", "heading", "meld.now"),
)
ITALIC = ("score.so_far",)
UNDERLINED = ("link",)
BLINKING = ("meld.now",)
MOODS = ("dim", "chosen", "marked", "melded", "new", "won")
CARD_FRAME = "#55606a"
FACES = {"dim": "dim_face", "marked": "marked_face", "melded": "melded_face", "new": "new_face"}
FEW: Mapping[str, str] = {
    **dict.fromkeys(COLOURS, "#ffffff"),
    **dict.fromkeys(("table", "sheet", "spades", "clubs"), "#000000"),
    **dict.fromkeys(("edge", "button_back", "back_face", "diamonds"), "#0000aa"),
    **dict.fromkeys(("text", "scores", "dim_face"), "#aaaaaa"),
    **dict.fromkeys(("made",), "#55ff55"),
    **dict.fromkeys(("turn", "flash", "facts", "status", "chosen", "marked_face"), "#ffff55"),
    **dict.fromkeys(("melded_face", "new_face"), "#55ffff"),
    **dict.fromkeys(("error_back", "hearts"), "#aa0000"),
}
"""The colours where there are sixteen: those of the VGA, each of which is shown as itself."""
WITHOUT: Mapping[str, Style] = {
    "title": Style(reverse=True),
    "keys": Style(dim=True),
    "name.turn": Style(bold=True),
    "status": Style(bold=True),
    "error": Style(reverse=True),
    "clock.half": Style(bold=True, underline=True),
    "clock.last": Style(bold=True, reverse=True),
    "button.at": Style(reverse=True),
    "chat": Style(bold=True),
    "meld.now": Style(bold=True, blink=True),
    "score.so_far": Style(italic=True),
    "name": Style(bold=True),
    "heading": Style(bold=True),
    "link": Style(underline=True),
    "code": Style(bold=True),
}
"""Where there are no colours."""


@dataclass(frozen=True, slots=True)
class Palette:
    suits: str = "four"  # "four" or "two" colors, or "none" for no colors at all
    own: tuple[tuple[str, str], ...] = ()  # chosen colors, as (part, color)
    few: bool = False  # the terminal has sixteen colors, and none can be chosen


def reduce_palette(palette: Palette, system: str | None) -> Palette:
    """The palette in the colours that the terminal can show. system: its colour system, as rich names it, None for
    none."""
    if system is None:
        return Palette("none")
    return replace(palette, few=True) if system == "standard" else palette


@cache
def ink_style(ink: str, palette: Palette = Palette()) -> Style:
    """The terminal style of an ink of the picture."""
    first, *rest = ink.partition("|")[0].split(".")
    mood = next((part for part in rest if part in MOODS), "")
    if palette.suits == "none":
        return WITHOUT.get(
            ink, Style(bold=mood in ("chosen", "marked", "new", "won") or None, dim=mood == "dim" or None)
        )
    own = {"sheet": dict(palette.own).get("table", COLOURS["table"]), **dict(palette.own)}
    colours = FEW if palette.few else {**COLOURS, **own}
    if first != "card":
        front, behind = INKS.get(ink, INKS[""])
        bold, italic, underlined, blinks = [ink in inks or None for inks in (BOLD, ITALIC, UNDERLINED, BLINKING)]
        return Style(
            color=colours[front], bgcolor=colours[behind], bold=bold, italic=italic, underline=underlined, blink=blinks
        )
    suit = next((part for part in rest if part in SUITS), "")
    shown = TWO.get(suit, suit) if palette.suits == "two" else suit
    front = colours[shown] if shown else colours["spades"] if "name" in rest else CARD_FRAME
    return Style(color=front, bgcolor=colours[FACES.get(mood, "face")], bold=bool(rest) or None)


# --- how a table looks on the screen, and how somebody sits at it there -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Shows:
    """The pictures that a terminal can show."""

    protocol: str  # "kitty" or "sixel"
    columns: int  # pixels of one character across
    rows: int  # and down


@dataclass(frozen=True, slots=True)
class Appearance:
    look: Look  # of cards and lines
    palette: Palette = Palette()
    pace: float = 0.0  # seconds for an action of a computer player
    stays: float | None = 0.0  # seconds that a trick stays when it is over; None until a key is pressed
    marks: frozenset[str] = frozenset()  # actions of others to mark for a moment: "plays", "stock"
    moving: float = 0.0  # seconds that a card takes to move
    shows: Shows | None = None  # for cards as pictures; None if they are drawn as text


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a player sits at the screen, by their settings."""

    manner: Manner
    appearance: Appearance
    faults: tuple[str, ...] = ()  # of the settings, in sentences


OF_TOOLKIT = {"panel": "panel", "panel_text": "foreground", "won": "won", "lost": "lost", "made": "made"}
"""By parts of the screen what the toolkit, which paints them, calls these."""


def toolkit_colours(palette: Palette) -> dict[str, str]:
    """The chosen colours by the toolkit's names for them, as #rrggbb."""
    own = dict(palette.own) if palette.suits != "none" else {}
    return {name: own[part] for part, name in OF_TOOLKIT.items() if part in own}


ReadSitting = Callable[[], Sitting]
"""Reads the settings as they are now."""
