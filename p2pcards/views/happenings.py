"""What happens at a table and in a game, as the person at one end of it is told: one frozen class a kind; and which
events a bell, or a command of the player's own, may tell of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2pcards.games.registry import find_game
from p2pcards.views.tableview import MeldView, SheetView, TableView

# --- what happens at a table and in a game, as the person at one end of it is told ------------------------------------


# --- what happens in a game, as the person at one end of a table is told it -------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstDealerDrawn:
    """Cards were turned up to choose the first dealer."""

    words: str  # the cards; "" if they have been shown already
    name: str  # of the dealer


@dataclass(frozen=True, slots=True)
class PartMissing:
    """Somebody has no part in the next shuffle, though the deal waited for it."""

    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandDealt:
    hand: int  # its number
    dealer: str
    absent: tuple[str, ...]  # names of the players with no part in the shuffle


@dataclass(frozen=True, slots=True)
class Starts:
    """A player acts first in a hand."""

    name: str
    to: str  # "trick" for the first lead, "card" for the first card, "" for any other beginning
    mine: bool  # the player is the person at this end


@dataclass(frozen=True, slots=True)
class Acted:
    """A player acted."""

    name: str
    seat: int
    words: str  # the action as this end sees it (QS; draw; pass -- -- --)
    cards: str  # the cards that it shows the person at this end
    mine: bool  # the player is the person at this end
    says: str = ""  # the game's words for it; "" for its spelling


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something is said aloud at the table."""

    name: str  # of the speaker; "" for the table as a whole
    words: str  # for a speaker a verb and what follows, in the second person (peg 2 for fifteen)
    mine: bool = False  # the speaker is the person at this end


@dataclass(frozen=True, slots=True)
class CardsCame:
    """Cards came into the hand of the person at this end, as words, in a way that does not show them to others."""

    cards: str


@dataclass(frozen=True, slots=True)
class TricksReviewed:
    """The tricks of the hand that is on, for who asked: (name, card) in order of play, and who took each. "you" for the
    person at this end."""

    tricks: tuple[tuple[tuple[str, str], ...], ...]
    takers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsRecalled:
    """The cards of the pack, for the player who asked."""

    what: str  # "seen", "unseen" or "both"
    seen: tuple[tuple[str, str], ...]  # (a place, the cards there as words)
    unseen: str  # all other cards, as words
    pack: int  # number of cards in the pack


@dataclass(frozen=True, slots=True)
class CardsDistributed:
    """Where every card of the pack is, for who asked: (a place, the cards as words), last those not located."""

    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MeldsReviewed:
    """The melds of the hand that is on, in order, for who asked."""

    melds: tuple[MeldView, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """An action open to me."""

    words: str  # as it is offered
    aim: str = ""  # its purpose, in words that begin with "to" or "since"; "" if that is uncertain
    ahead: float = 0.0  # points by which my side ends the hand ahead of the others, on average
    error: float = 0.0  # uncertainty of `ahead` against the other alternatives, in points


@dataclass(frozen=True, slots=True)
class AlternativesExplained:
    """My possible actions, for the player who asked."""

    alternatives: tuple[Alternative, ...]  # the best first
    legal: int  # number of legal actions
    hands: int  # number of imagined hands played to their end for it; 0 for none
    weighed: int  # number of actions that were tried in them
    low_wins: bool = False  # points are bad
    partners: bool = False  # the points are those of my side, not mine alone
    sides: int = 2  # number of sides


@dataclass(frozen=True, slots=True)
class HandAnalyzed:
    """What is in my hand, for who asked: a few words each, and what follows them."""

    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """Cards were turned up by the dealer."""

    words: str


@dataclass(frozen=True, slots=True)
class TrickTaken:
    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandScored:
    names: tuple[str, ...]  # by seat
    sides: tuple[tuple[int, ...], ...]  # seats that score together, as in `TableView`
    sheet: SheetView


@dataclass(frozen=True, slots=True)
class HandOpened:
    """The pack was opened and the hand replayed at this end."""

    hand: int  # its number
    proven: bool
    why: str  # the finding, a sentence


@dataclass(frozen=True, slots=True)
class HandDisputed:
    """Somebody claims that a hand does not fit what they were shown."""

    name: str
    hand: int
    why: str


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """The character plays for them from now on."""

    name: str
    character: str
    why: str
    mine: bool


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """A player takes a seat back from the character."""

    name: str
    character: str
    mine: bool  # the player is the person at this end
    # The character's actions for the person at this end in the current hand, as they are offered.
    moves: tuple[str, ...] = ()
    since: int = 0  # the hand in which the takeover began, if earlier than the current one; else 0


@dataclass(frozen=True, slots=True)
class TablePaused:
    """Nobody present can act, so the game waits until a player comes back."""

    alone: bool = False  # asked for by the only person at the table, where no clock runs
    timed_out: bool = True  # all of them timed out, and nobody was cut off or asked for it


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Somebody is here again; the table goes on where it was."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A player asks the others for something that needs everybody's consent."""

    name: str
    redeal: bool  # to deal the hand again; False: to take back the player's last action
    mine: bool = False  # the player is the person at this end


@dataclass(frozen=True, slots=True)
class SaidNo:
    """Somebody says no to what was proposed."""

    name: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An action was taken back."""

    name: str
    words: str  # as it is offered
    mine: bool  # the player is the person at this end
    # Actions of computer players after it, taken back with it: (name, words).
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HandGivenUp:
    """The hand is to be dealt again from other cards."""

    name: str  # of the player who asked for it
    mine: bool  # that is the person at this end
    alone: bool  # nobody had to agree


@dataclass(frozen=True, slots=True)
class HandRestarted:
    """The same cards are dealt again."""


@dataclass(frozen=True, slots=True)
class HandsExchanged:
    """The person at this end, who plays alone, and this player have exchanged their cards."""

    name: str


@dataclass(frozen=True, slots=True)
class HandsTurned:
    """The person at this end, who plays alone, sees all hands, or no longer."""

    up: bool


@dataclass(frozen=True, slots=True)
class LongWaits:
    """The longest waits for others in the game that is about to begin, in seconds; 0 for one that is not long."""

    name: str  # of the coordinator
    cut_off: int  # for a player whose link is lost
    turn: int | None  # for a turn; None without a turn clock
    between_hands: int  # after a hand


@dataclass(frozen=True, slots=True)
class TakenOverUntruly:
    """The coordinator has my seat taken over for a false reason."""

    name: str  # of the coordinator
    why: str  # that reason, a sentence


# --- why a listener's player is asked before their program plays on with a coordinator --------------------------------


@dataclass(frozen=True, slots=True)
class LeftOutOfDeal:
    """The coordinator calls me absent, though I have signed my part of the shuffle; the link is closed until the
    player agrees."""

    name: str  # of the coordinator
    here: bool  # I was here all the time; False: my part may have been lost with the link
    times: int  # number of such cases in the games known here, this one included


@dataclass(frozen=True, slots=True)
class ShuffledAnew:
    """A side dropped out of a shuffle, so another pack is dealt; nothing is signed until the player agrees."""

    name: str  # of the player who dropped out; "" if I had no part
    host: str  # name of the coordinator
    met: str  # proof of the player's key, one of `store.identity.PROOFS`; "" if we have never met
    times: int  # number of times that the player dropped out of a shuffle of this game


@dataclass(frozen=True, slots=True)
class GameWithoutLog:
    """The coordinator continues a game without a log here; the link is closed until the player agrees."""

    name: str  # of the coordinator
    game: str  # its name


@dataclass(frozen=True, slots=True)
class StrangeStandIn:
    """The coordinator begins a game in which a computer player of a level or an edition that this program does not have
    is to stand in for me, and is hung up on until the player agrees."""

    name: str


# --- what is told of deals that a coordinator has thrown away ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealsThrownAway:
    """The coordinator begins another game, and has ended or broken off so many within a day after they could know the
    cards: they are hung up on until the player agrees."""

    name: str
    times: int


# --- what happens at a table, as the person at one end of it is told --------------------------------------------------


# --- people and links -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    name: str
    character: str
    where: str  # address of the link; "" if unknown
    looks_on: bool = False  # an onlooker of the game in progress
    hosts: bool = False  # whose table the person at this end has joined


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody has left the table for good."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class PlayerLost:
    """A link ended."""

    name: str
    why: str  # a short reason; "" for none
    seconds: float | None = None  # until the character plays for them; None if no seat is kept
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
    """The coordinator begins another game, though one with us is in progress."""

    name: str  # of the coordinator
    game: str  # name of the game in progress
    times: int  # number of games that the coordinator has broken off so, this one included
    asks: bool  # the coordinator has not announced it; the link is closed until the player agrees


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
    """The code for a first meeting."""

    code: str
    seconds: float  # its lifetime
    link: str = ""  # to the page of the table, with the code in it; "" without a page


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
    """The coordinator chose a game."""

    game: str
    preset: str = ""  # "" if unknown
    rules: str = ""  # the resulting rules, in brief


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The coordinator set a rule option."""

    key: str
    value: bool | int | str
    effect: str = ""  # of the value on the rules, a sentence


@dataclass(frozen=True, slots=True)
class GameStarted:
    game: str  # its name
    seats: tuple[str, ...]  # names by seat
    sides: tuple[tuple[str, ...], ...] = ()  # names of partners, side by side; () where each is alone
    deal: int | None = None  # the number of a numbered deal
    allowed: tuple[str, ...] = ()  # assists at a table of several people
    rules: str = ""  # in sentences
    # At a table of several others, the name and the proof of the key of each, as in `ShuffledAnew`.
    met: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LookingOn:
    """I have joined during a game, as an onlooker."""

    game: str
    hand: int  # its number; 0 before the first
    seats: tuple[str, ...]  # as in `GameStarted`, and so `sides` and `rules`
    sides: tuple[tuple[str, ...], ...] = ()
    rules: str = ""
    behind: bool = False  # I watch behind the table, where no seat awaits me


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """The game continues in another log, with other players in these seats."""

    changes: tuple[tuple[str, str], ...]  # (who plays the seat now, who played it)
    hand: int  # the number of the next hand


@dataclass(frozen=True, slots=True)
class HostChanged:
    """The game continues at another host's table."""

    host: str
    former: str  # the host before
    handed: bool  # by the former host; False: their machine is gone
    hand: int  # the number of the next hand
    again: bool  # it was begun before


@dataclass(frozen=True, slots=True)
class GameWon:
    names: tuple[str, ...]  # by seat
    totals: tuple[int, ...]  # by seat
    winners: tuple[str, ...]
    unsigned: tuple[str, ...]  # names of the players who did not sign the end of the last hand
    head: str  # of the log after its last record, hex


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
class Obvious:
    """The action of the rules of thumb in my place, where the advice is another."""

    words: str  # as it is offered
    hands: int  # number of imagined hands played to their end with either action; 1 if all cards are known
    worse: float  # points by which my side did worse with it on average
    mishap: str = ""  # a mishap that was far more frequent with it, in words that follow "would"; "" for none
    times: int = 0  # number of the hands with that mishap
    here: int = 0  # the same number with the advised action


@dataclass(frozen=True, slots=True)
class Hinted:
    """A computer player's action in my place."""

    words: str
    takes: bool | None = None  # it takes the trick; None if that is open
    lays: MeldView | None = None  # the meld that it lays
    then: MeldView | None = None  # the best meld that my hand has for after I take the trick
    aim: str = ""  # as in `Alternative`
    # The obvious action that the computer player avoids; None if the advice is as obvious.
    obvious: Obvious | None = None


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
    | TakenOverUntruly
    | LongWaits
    | LeftOutOfDeal
    | ShuffledAnew
    | StrangeStandIn
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
    | SeatsChanged
    | HostChanged
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


# --- the events at a table that a bell, or a command of the player's own, may tell of, and which of them  -------------


# --- the events at a table that a bell, or a command of the player's own, may tell of ---------------------------------


TABLE_EVENTS: Mapping[str, str] = {
    "turn": "it's your turn",
    "joined": "someone joins",
    "start": "a table opens (bell: you sit down at one)",
    "shuffle": "a hand is dealt",
    "play": "someone makes a move",
    "knock": "someone knocks",
    "hand_won": "a hand ends and nobody did better than you",
    "hand_lost": "a hand ends and someone did better",
    "game_won": "you win a game",
    "game_lost": "someone else wins a game",
    "exit": "a table closes (bell: you return to the shell)",
}
"""Each by its name, with when it comes."""

RUNG = ("turn", "joined", "game_won", "game_lost")
"""Those at which the bell rings unless the player wants it otherwise."""


# --- which of the events with a bell or a command a happening is, for the person at one end ---------------------------


def table_event(happening: Happening, view: TableView) -> str:
    """The event to ring for, one of `TABLE_EVENTS`, for the person with this view; "" for none. Events without a
    happening (turn, start, exit) are up to the caller."""
    match happening:
        case PlayerJoined() | PlayerBack():
            return "joined"
        case HandDealt():
            return "shuffle"
        case Acted(words=words):
            return "knock" if words.split()[:1] == ["knock"] else "play"
        case HandScored(sheet=sheet):
            return _hand_event(sheet.points, view)
        case GameWon(names, _, winners) if view.me is not None:
            return "game_won" if names[view.me] in winners else "game_lost"
        case _:
            return ""


def low_wins(view: TableView) -> bool:
    """Return whether the lowest total wins the game of this view."""
    return view.game is not None and find_game(view.game).low_wins


def _hand_event(points: tuple[int, ...], view: TableView) -> str:
    """The event for a scored hand: won, lost, or "" where all did equally well."""
    if view.me is None or len(set(points)) == 1:
        return ""
    best = min(points) if low_wins(view) else max(points)
    return "hand_won" if points[view.me] == best else "hand_lost"
