"""What can be chosen of how the full screen looks."""

from __future__ import annotations

from collections.abc import Mapping

SUITS = ("four", "two", "none")
"""How many colours suits have on the full screen; none: nothing there has one."""

CARD_SIZES = ("window", "small", "regular", "large", "extra")
"""How large cards are drawn; window: as large as there is room for."""

BACKS = (
    "shade",
    "dense",
    "weave",
    "bricks",
    "bars",
    "check",
    "slant",
    "backslant",
    "lattice",
    "dots",
    "rings",
    "stars",
    "waves",
    "crosses",
    "diamonds",
    "plain",
)
"""The backs of cards."""

COLOURS: Mapping[str, str] = {
    "table": "#12402a",
    "edge": "#0c2e1e",
    "text": "#c5d6c5",
    "names": "#ffffff",
    "turn": "#ffe066",
    "facts": "#f0e6a8",
    "scores": "#d9e4d9",
    "melds": "#f4f1e6",
    "status": "#ffe066",
    "error": "#ffffff",
    "error_back": "#8c2f1b",
    "button": "#ffffff",
    "button_back": "#1d5c8c",
    "chosen": "#ffe066",
    "face": "#f4f1e6",
    "dim_face": "#a9b5a6",
    "marked_face": "#ffe9a8",
    "back": "#7fa3d1",
    "back_face": "#1b3a5c",
    "spades": "#000000",
    "hearts": "#c23b00",
    "diamonds": "#0067c7",
    "clubs": "#00795a",
}
"""The parts of the full screen that have a colour of their own. The suits can be told apart by colour-blind people: on
this face the nearest two differ by 15 (CIE76) for any kind of colour blindness, and each has a contrast of 4.7."""
