"""The numbers on the wire that stand for a sentence: reasons, quick phrases and gestures; protocol/registry.md lists
them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

# --- the numbers on the wire that give a reason, each with the sentence that people are told --------------------------


class Reason(IntEnum):
    """A number with its sentence, which begins in lower case and has no full stop."""

    sentence: str

    def __new__(cls, number: int, sentence: str = "") -> Self:
        reason = int.__new__(cls, number)
        reason._value_ = number
        reason.sentence = sentence
        return reason


class Verdict(Reason):
    """The finding of a side that replayed an opened hand."""

    GOOD = 0, "the hand is as it was shown"
    WRONG_VALUE = 1, "the coordinator's value does not fit its chain"
    WRONG_OPENING = 2, "an opening does not fit its commitment"
    ILLEGAL_ACTION = 3, "an action was not legal"
    WRONG_EVENT = 4, "an event was shown otherwise than it was"


class TakeoverReason(Reason):
    """Why a character plays a seat."""

    LINE_LOST = 0, "the line was lost"
    CLOCK_RAN_OUT = 1, "the turn clock ran out"
    LEFT = 2, "the player left"
    ASKED_FOR = 3, "the player asked for it"


BY_A_CLOCK = (TakeoverReason.LINE_LOST, TakeoverReason.CLOCK_RAN_OUT)


class CloseReason(Reason):
    """Why a game is over."""

    WON = 0, "the game is won"
    ENDED = 1, "the coordinator ended the game"


class RefusalCode(Reason):
    """Why a move was not taken."""

    LATE = 0, "it came late"
    AGAINST_THE_RULES = 1, "it is against the rules"


def whose_is_older(theirs: int, ours: int) -> str:
    """What a program of another version of the protocol means for a player; follows a name, as the sentences below."""
    if theirs < ours:
        return "runs an older p2pcards; ask them to update it, or to reload their page"
    return "runs a newer p2pcards; update yours, or reload this page"


class ByeCode(Reason):
    """Why somebody closes a link; the sentence follows their name."""

    LEAVES = 0, "left the table"
    OTHER_VERSION = 1, "runs another version of p2pcards; update both, or reload the page"
    TAKEN = 2, "is already at another table"
    FULL = 3, "has a full table: a coordinator and three listeners are the most"
    SAME_ROLE = 4, "waits for the other kind of player: two coordinators, or two listeners, cannot play"
    BROKE_PROTOCOL = 5, "found that the other side broke the protocol"
    REPLACED = 6, "has a newer connection from the same player"
    PUT_OUT = 7, "put this player out"
    STOPPED = 8, "has stopped the program"
    OTHER_HISTORY = 9, "has another history of this game"
    NEEDS_CODE = (
        10,
        "takes nobody it has not met without a code; ask for the one that it shows, and give it with --code CODE",
    )
    KNOWN_ONLY = (
        11,
        "takes only people it knows, and does not know you; ask to be met without --known-only once",
    )
    WRONG_CODE = (
        12,
        "shows another code than the one you gave, and has burnt it; ask for the new one, and type it with care (if "
        "that is wrong as well, somebody may sit between you)",
    )
    BURNT_CODE = (
        13,
        "has burnt that code, because somebody gave a wrong one; yours may have been right, ask for the new one",
    )
    OLD_CODE = 14, "does not take that code any more, as each lives ten minutes; ask for the new one"
    USED_CODE = 15, "says that this code has been used already, as each works once; ask for a new one, or a new link"
    NO_CODE = 16, "asks nobody for a code, as it takes only people it knows; leave out --code"
    NO_CODE_LEFT = (
        17,
        "has no code left this hour, because too many wrong ones were given; try again later (people who know each "
        "other need no code)",
    )
    ASKS_PLAYER = 18, "waits for its player to agree to play on with you"
    COMES_NEXT = (
        19,
        "plays a hand with somebody else. The table is yours when it is over, in five minutes at the latest, and kept "
        "for you for two more: call again",
    )
    GAVE_WAY = (
        20,
        "has given the table to somebody they know better. Your game is paused; it goes on when you call again and the "
        "table is free",
    )
    CROWDED = (
        21,
        "lets in no more people just now whom it does not know, because too many have come; call again in a minute, or "
        "with the code that it shows",
    )
    FAILED = 22, "hung up because its program failed on the last message; the table goes on, so call again"


# --- quick phrases and gestures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phrase:
    word: str  # what a person types
    text: str  # what they say; for a gesture, what follows their name
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
