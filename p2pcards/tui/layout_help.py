"""What each part of the screen is, for who points at it and asks."""

from __future__ import annotations

from collections.abc import Mapping

PARTS: Mapping[str, str] = {
    "title": "The game and its rules, the hand, the trick that is on and the score that ends the game. A click shows "
    "how every hand was scored.",
    "facts": "What holds in this hand: trump and who made it, contracts, the count, whose crib it is. A click "
    "shows the rules.",
    "seat": "Who sits here. An arrow stands before whoever is to act; then what they bid, took or hold, and what lies "
    "open before them. Somebody who was cut off is away, and their character plays for them in time. A click shows "
    "what can be said about them.",
    "trick": "The trick: each card lies before the seat that played it. The card that won is marked when it is over.",
    "pile": "A pile that belongs to nobody, with how many cards it has.",
    "piles": "A pile of which every card counts, the top one last.",
    "board": "The board: a full peg shows the score, an empty one the score before it.",
    "scores": "The scores, what the last hand changed and the total. F3 or a click shows how it came to that.",
    "log": "What was said and done last, or the rules: F11 or a click changes that. '/review' shows the tricks.",
    "status": "What there is to do, or why something did not go; Esc takes that away.",
    "button": "Something that can be done now, by a click or the letter in brackets.",
    "hand": "Your hand. What can be played has a key below it; arrows choose, Enter plays, Space marks. A card can be "
    "dragged to the table. F2 sorts it.",
    "rest": "Beside your hand: a click here plays the cards that are marked.",
    "keys": "The keys that work everywhere. F10 is a menu of all words.",
}
"""By the first word of a zone's name."""

NOTHING = "The table. Point at something on it."


def about(zone: str) -> str:
    """A sentence or two."""
    return PARTS.get(zone.partition(" ")[0], NOTHING)
