"""What happens at a table, as the person at one end of it is told: one frozen class a kind.

Names are those that the table uses; cards are words as `games/spelling.py` writes them; text that somebody else wrote
is already safe to show. mine: it is about the person at this end.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.views.doubts import GameWithoutLog, LeftOutOfDeal
from p2pcards.views.in_game import (
    Acted,
    AlternativesExplained,
    CardsCame,
    CardsDistributed,
    CardsRecalled,
    FirstDealerDrawn,
    HandAnalyzed,
    HandDealt,
    HandDisputed,
    HandGivenUp,
    HandOpened,
    HandRestarted,
    HandScored,
    HandsExchanged,
    HandsTurned,
    MeldsReviewed,
    PartMissing,
    Proposed,
    Remarked,
    SaidNo,
    SeatReturned,
    SeatTakenOver,
    Starts,
    TablePaused,
    TableResumed,
    TakenBack,
    TricksReviewed,
    TrickTaken,
    TurnedUp,
)
from p2pcards.views.tableview import MeldView
from p2pcards.views.thrown_away import DealsThrownAway

# --- people and links -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """Somebody is at the table. where: the address of their link, or "". looks_on: at the game that is on, in which
    they have no side."""

    name: str
    character: str
    where: str
    looks_on: bool = False


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody has left the table for good."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayerLost:
    """A link ended. seconds: until the character plays for them, None where they have no seat to be kept."""

    name: str
    why: str
    seconds: float | None = None
    character: str = ""


@dataclass(frozen=True, slots=True)
class PlayerBack:
    """Somebody whose link was lost is at the table again."""

    name: str


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that I coordinate with somebody who has just sat down is not over; a new one would break it off."""

    name: str


@dataclass(frozen=True, slots=True)
class GameBrokenOff:
    """The coordinator begins another game, though one is on with us. game: its name; times: how many they have broken
    off so, this one included. asks: they have not said so, and are hung up on until the player agrees."""

    name: str
    game: str
    times: int
    asks: bool


@dataclass(frozen=True, slots=True)
class RedialPlanned:
    """Somebody who was lost is called again after so many seconds."""

    name: str
    address: str
    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class RedialAsked:
    """A telephone is called again only if the person here says 'redial'."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A call did not succeed."""

    address: str
    why: str


@dataclass(frozen=True, slots=True)
class CallProgress:
    """How far a call on a slow line has come, a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    name: str
    text: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Gestured:
    """Somebody did something: a few words that follow the name."""

    name: str
    text: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class CodeShown:
    """The code for a first meeting, and how many seconds it lives."""

    code: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CodeBurnt:
    """Somebody at this address gave a wrong code, so it is good no more; a new one comes after so many seconds."""

    code: str
    where: str
    seconds: float


@dataclass(frozen=True, slots=True)
class WordsToCompare:
    """Three words to compare by voice with somebody."""

    name: str
    words: str


# --- before and after a game ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameChosen:
    """The coordinator chose a game. preset: "" where it is not known."""

    game: str
    preset: str = ""


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The coordinator set a rule option."""

    key: str
    value: bool | int | str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """seats: the names in order; sides: those of partners, side by side, () where each is alone. deal: the number of a
    numbered deal; allowed: what may help people who play with each other."""

    game: str
    seats: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()
    deal: int | None = None
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LookingOn:
    """I have come while a game is on, and look on. hand: its number, 0 before the first; seats, sides: as in
    `GameStarted`."""

    game: str
    hand: int
    seats: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class GameWon:
    """names, totals: by seat. unsigned: who did not sign the end of the last hand. head: the last of the log, hex."""

    names: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[str, ...]
    unsigned: tuple[str, ...]
    head: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended before somebody had won it."""

    why: str


@dataclass(frozen=True, slots=True)
class AgainAnswered:
    """An answer to "play again?"."""

    name: str
    yes: bool


# --- for the person at this end alone ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hinted:
    """What a computer player would do in my place. takes: whether it takes the trick, None where that is open; lays:
    the meld that it is; then: the best that my hand has for when I take the trick; aim: as in `Alternative`."""

    words: str
    takes: bool | None = None
    lays: MeldView | None = None
    then: MeldView | None = None
    aim: str = ""


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """My action was refused by the coordinator, though it is legal as far as I can see; no other takes its place."""

    words: str
    why: str


@dataclass(frozen=True, slots=True)
class ActionOutdated:
    """My action must be given again, because the table changed meanwhile."""

    words: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Anything else, a sentence."""

    text: str


Happening = (
    PlayerJoined
    | PlayerLeft
    | PlayerLost
    | Unfinished
    | GameBrokenOff
    | DealsThrownAway
    | LeftOutOfDeal
    | GameWithoutLog
    | PlayerBack
    | RedialPlanned
    | RedialAsked
    | Unreachable
    | CallProgress
    | Said
    | Gestured
    | CodeShown
    | CodeBurnt
    | WordsToCompare
    | GameChosen
    | OptionSet
    | GameStarted
    | LookingOn
    | GameWon
    | GameEnded
    | AgainAnswered
    | FirstDealerDrawn
    | HandDealt
    | Acted
    | Remarked
    | CardsCame
    | TricksReviewed
    | CardsRecalled
    | CardsDistributed
    | MeldsReviewed
    | AlternativesExplained
    | HandAnalyzed
    | TurnedUp
    | TrickTaken
    | HandScored
    | HandOpened
    | HandDisputed
    | SeatTakenOver
    | Starts
    | SeatReturned
    | PartMissing
    | TablePaused
    | SaidNo
    | HandGivenUp
    | HandRestarted
    | HandsExchanged
    | HandsTurned
    | Proposed
    | TakenBack
    | TableResumed
    | Hinted
    | ActionRefused
    | ActionOutdated
    | Notice
)
