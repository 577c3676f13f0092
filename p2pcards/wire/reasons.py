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

    GOOD = 0, "the hand matches what you saw"
    WRONG_VALUE = 1, "the host's value doesn't match its chain"
    WRONG_OPENING = 2, "an opening doesn't match its commitment"
    ILLEGAL_ACTION = 3, "an illegal move was made"
    WRONG_EVENT = 4, "an event wasn't shown as it happened"


class TakeoverReason(Reason):
    """Why a character plays a seat."""

    LINE_LOST = 0, "the connection dropped"
    CLOCK_RAN_OUT = 1, "the turn clock ran out"
    LEFT = 2, "the player left"
    ASKED_FOR = 3, "the player asked for it"


BY_A_CLOCK = (TakeoverReason.LINE_LOST, TakeoverReason.CLOCK_RAN_OUT)


class CloseReason(Reason):
    """Why a game is over."""

    WON = 0, "the game is won"
    ENDED = 1, "the host ended the game"
    CONTINUED = 2, "the game continues with other players"


class RefusalCode(Reason):
    """Why a move was not taken."""

    LATE = 0, "it came late"
    AGAINST_THE_RULES = 1, "it's against the rules"


def whose_is_older(theirs: int, ours: int) -> str:
    """The end of a sentence for a player, after a name: the other side's program is older or newer, and what to update.
    theirs, ours: protocol versions."""
    if theirs < ours:
        return "runs an older p2pcards. Ask them to update it, or to reload their page"
    return "runs a newer p2pcards. Update yours, or reload this page"


class ByeCode(Reason):
    """Why somebody closes a link; the sentence follows their name."""

    LEAVES = 0, "left the table"
    OTHER_VERSION = 1, "runs another version of p2pcards. Update both, or reload the page"
    TAKEN = 2, "is already at another table"
    FULL = 3, "has a full table (four players). You can ask to watch"
    SAME_ROLE = 4, "is hosting or listening, like you. One of you has to host and the other listen"
    BROKE_PROTOCOL = 5, "hung up because your program broke the protocol"
    REPLACED = 6, "already has a newer connection from you"
    PUT_OUT = 7, "removed you from the table"
    STOPPED = 8, "closed the program"
    OTHER_HISTORY = 9, "has a different log of this game"
    NEEDS_CODE = (
        10,
        "needs a code from new friends. Ask for the one it shows, and give it with --code CODE",
    )
    KNOWN_ONLY = (
        11,
        "lets in only people it knows, and doesn't know you. Ask them to host once without --known-only",
    )
    WRONG_CODE = (
        12,
        "shows a different code from the one you gave, which no longer works. Ask for the new one (if that fails too, "
        "someone may be in between)",
    )
    BURNT_CODE = (
        13,
        "dropped that code because someone entered a wrong one. Yours may have been right: ask for the new one",
    )
    OLD_CODE = 14, "no longer takes that code: codes last ten minutes. Ask for the new one"
    USED_CODE = 15, "says that code was already used, and each works only once. Ask for a new code or link"
    NO_CODE = 16, "takes no codes, as it lets in only people it knows. Leave out --code"
    NO_CODE_LEFT = (
        17,
        "has no codes left this hour, after too many wrong ones. Try again later (friends who have met need no code)",
    )
    ASKS_PLAYER = 18, "is asking its player whether to play on with you"
    COMES_NEXT = (
        19,
        "is playing a hand with someone else. You're next, in five minutes at most, and the table is held for you for "
        "two more. Call again then",
    )
    GAVE_WAY = (
        20,
        "gave the table to a friend they know better. Your game is paused until you call again and the table is free",
    )
    CROWDED = (
        21,
        "is too busy for strangers right now. Call again in a minute, or with the code it shows",
    )
    FAILED = 22, "hung up because its program failed on the last message. The table is still open, so call again"
    SUCCEEDED = 23, "hosts this game now"
    HANDED_OVER = 24, "no longer hosts this table"
    NO_WATCHING = 25, "isn't letting you watch"
    NO_ROOM_TO_WATCH = 26, "has no room for more watchers (16). Try again later"


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
    Phrase("welcome", "You're welcome."),
    Phrase("sorry", "Sorry."),
    Phrase("oops", "Oops."),
    Phrase("well", "Well played."),
    Phrase("nice", "Nice hand."),
    Phrase("lucky", "That was lucky."),
    Phrase("ouch", "Ouch!"),
    Phrase("ha", "Ha!"),
    Phrase("yes", "Yes."),
    Phrase("no", "No."),
    Phrase("turn", "It's your turn."),
    Phrase("moment", "One moment, please."),
    Phrase("ready", "I'm ready."),
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
    """The number of the quick phrase with this word, None if there is none."""
    return next((number for number, phrase in enumerate(PHRASES) if phrase.word == word.casefold()), None)
