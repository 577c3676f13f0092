"""What can be chosen of how the full screen looks."""

from __future__ import annotations

from collections.abc import Mapping

SUITS = ("four", "two", "none")
"""How many colours suits have on the full screen; none: nothing there has one."""

CARD_SIZES = ("window", "window-low", "small", "regular", "large", "extra")
"""How large cards are drawn; window: as large as there is room for; window-low: a size smaller than that."""

TRICK_STAYS = ("speed", "short", "long", "key")
"""How long a trick that is over lies there: as the speed is, one second, four, or until a key is pressed."""

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
"""The backs of cards that the program has."""

OWN_BACKS = tuple([f"own{number}" for number in range(1, 7)])
"""Those that a player draws: what is in the file of that name."""

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
    "melded_face": "#f7d9b8",
    "new_face": "#c8ecff",
    "back": "#7fa3d1",
    "back_face": "#1b3a5c",
    "spades": "#000000",
    "hearts": "#c23b00",
    "diamonds": "#0067c7",
    "clubs": "#00795a",
}
"""The parts of the full screen that have a colour of their own. The suits can be told apart by colour-blind people: on
this face the nearest two differ by 15 (CIE76) for any kind of colour blindness, and each has a contrast of 4.7."""

COLOURED: Mapping[str, str] = {
    "table": "the table, behind everything",
    "edge": "the first and the last row",
    "text": "what is told, and everything that has no colour of its own",
    "names": "names, headings and what people say",
    "turn": "the name of whose turn it is",
    "facts": "what holds in the hand, such as trump",
    "scores": "the scores of the others",
    "melds": "melds that lie open, and the board of cribbage",
    "status": "the line that says what there is to do",
    "error": "the line that says why something did not go",
    "error_back": "what is behind that line",
    "button": "buttons",
    "button_back": "what is behind buttons",
    "chosen": "what is behind the chosen button",
    "face": "the face of a card",
    "dim_face": "the face of a card that cannot be played now",
    "marked_face": "the face of a card that is marked",
    "melded_face": "the face of a card that lies in a meld, with tint_melds",
    "new_face": "the face of a card that another player has just played",
    "back": "the pattern of a card's back",
    "back_face": "what is behind that pattern",
    "spades": "spades",
    "hearts": "hearts",
    "diamonds": "diamonds",
    "clubs": "clubs",
}
"""What of the screen each part is."""
