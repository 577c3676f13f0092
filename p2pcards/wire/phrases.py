"""Quick phrases and gestures: what people at a table say most, one byte each on the wire; protocol/messages.md lists
them by number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """word: what a person types. text: what they say then; of a gesture what they do, as it follows their name."""

    word: str
    text: str
    gesture: bool = False


PHRASES = (
    Phrase("hello", "Hello!"),
    Phrase("luck", "Good luck."),
    Phrase("thanks", "Thank you."),
    Phrase("welcome", "You are welcome."),
    Phrase("sorry", "Sorry."),
    Phrase("oops", "Oops."),
    Phrase("well", "Well played."),
    Phrase("nice", "Nice hand."),
    Phrase("lucky", "That was lucky."),
    Phrase("ouch", "Ouch!"),
    Phrase("ha", "Ha!"),
    Phrase("yes", "Yes."),
    Phrase("no", "No."),
    Phrase("turn", "It is your turn."),
    Phrase("moment", "One moment, please."),
    Phrase("ready", "I am ready."),
    Phrase("slow", "My line is slow."),
    Phrase("game", "Good game."),
    Phrase("again", "One more?"),
    Phrase("bye", "Good night."),
    Phrase("waves", "waves", gesture=True),
    Phrase("smiles", "smiles", gesture=True),
    Phrase("laughs", "laughs", gesture=True),
    Phrase("winks", "winks", gesture=True),
    Phrase("nods", "nods", gesture=True),
    Phrase("shrugs", "shrugs", gesture=True),
    Phrase("sighs", "sighs", gesture=True),
    Phrase("thinks", "thinks hard", gesture=True),
    Phrase("yawns", "yawns", gesture=True),
    Phrase("frowns", "frowns", gesture=True),
    Phrase("claps", "claps", gesture=True),
    Phrase("bows", "bows", gesture=True),
)
"""By number; a number keeps its meaning for good."""


def find_phrase(word: str) -> int | None:
    """The number of a phrase, by its word."""
    return next((number for number, phrase in enumerate(PHRASES) if phrase.word == word.casefold()), None)
