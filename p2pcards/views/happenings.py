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
    """Cards were turned up to see who deals first. words: the cards, "" where they have been told."""

    words: str
    name: str


@dataclass(frozen=True, slots=True)
class PartMissing:
    """Somebody has no part in the next shuffle, though the deal waited for it."""

    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandDealt:
    """absent: the names of those who have no part in the shuffle."""

    hand: int
    dealer: str
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Starts:
    """Who acts first in a hand. to: "trick" where they lead to the first one, "card" where they play the first, "" for
    whatever else a hand begins with."""

    name: str
    to: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Acted:
    """A player acted. words: the action as this end sees it (QS; draw; pass -- -- --); cards: those that the person at
    this end is shown by it; says: the words of the game for it, "" where its spelling will do."""

    name: str
    seat: int
    words: str
    cards: str
    mine: bool
    says: str = ""


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something that is said aloud at the table. name: of whom, "" for the table as a whole; words: of somebody a verb
    and what follows, as one says it to them (peg 2 for fifteen)."""

    name: str
    words: str
    mine: bool = False


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
    """The cards of the pack, for who asked. what: "seen", "unseen" or "both"; seen: (where they lie, the cards as
    words); unseen: all others; pack: how many cards it has."""

    what: str
    seen: tuple[tuple[str, str], ...]
    unseen: str
    pack: int


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
    """Something that I could do. words: how it is spelled; aim: what it is for, words that begin with "to" or "as", ""
    where that is not certain; ahead: by how many points my side ends the hand ahead of the others on average; error:
    how uncertain that is, compared with the other alternatives."""

    words: str
    aim: str = ""
    ahead: float = 0.0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class AlternativesExplained:
    """What I can do now, the best first, for who asked. legal: how many actions there are; hands: how many were
    imagined and played to their end for it, 0 where none was; weighed: how many actions were tried in them; low_wins:
    the points are bad; partners: they are those of my side; sides: how many sides there are."""

    alternatives: tuple[Alternative, ...]
    legal: int
    hands: int
    weighed: int
    low_wins: bool = False
    partners: bool = False
    sides: int = 2


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
    """names: by seat; sides: as in `TableView`."""

    names: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    sheet: SheetView


@dataclass(frozen=True, slots=True)
class HandOpened:
    """The pack was opened and the hand replayed at this end. why: what was found, a sentence."""

    hand: int
    proven: bool
    why: str


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
    """They play for themselves again. moves: what the character has done for the player at this end in the hand in
    progress, as it is offered; since: the hand in which it began where that is an earlier one, else 0."""

    name: str
    character: str
    mine: bool
    moves: tuple[str, ...] = ()
    since: int = 0


@dataclass(frozen=True, slots=True)
class TablePaused:
    """No person is here who could act: nothing is played until somebody comes back. alone: who asked for it, as no
    clock runs; timed_out: everybody, and nobody was cut off or asked for it."""

    alone: bool = False
    timed_out: bool = True


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Somebody is here again; the table goes on where it was."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Somebody asks the others for something to which all have to agree. redeal: that the hand is dealt again, else
    that they may take back what they did last."""

    name: str
    redeal: bool
    mine: bool = False


@dataclass(frozen=True, slots=True)
class SaidNo:
    """Somebody says no to what was proposed."""

    name: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An action was taken back; words: how it is spelled. answers: what computer players did after it, which is taken
    back with it, by name."""

    name: str
    words: str
    mine: bool
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HandGivenUp:
    """The hand is to be dealt again from other cards. name: who asked for it; alone: nobody had to agree."""

    name: str
    mine: bool
    alone: bool


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
    """How long others can keep everybody waiting in the game that is about to begin at this coordinator's table, in
    seconds, 0 where that is not long. turn: None where there is no turn clock."""

    name: str
    cut_off: int
    turn: int | None
    between_hands: int


@dataclass(frozen=True, slots=True)
class TakenOverUntruly:
    """The coordinator has my seat taken over for a reason that is not so. name: theirs."""

    name: str
    why: str


# --- why a listener's player is asked before their program plays on with a coordinator --------------------------------


@dataclass(frozen=True, slots=True)
class LeftOutOfDeal:
    """The coordinator calls me absent, though I have signed my part of the shuffle, and is hung up on until the player
    agrees. here: I was here all the time; otherwise it may have been lost with my line. times: how often they did so in
    the games that are known here, this time included."""

    name: str
    here: bool
    times: int


@dataclass(frozen=True, slots=True)
class ShuffledAnew:
    """Somebody dropped out of a shuffle, so that another pack is dealt, and nothing is signed until the player agrees.
    name: theirs, "" where I had no part; host: the coordinator's; met: how their key is known here, "" where it is not;
    times: how often they dropped out of this game."""

    name: str
    host: str
    met: str
    times: int


@dataclass(frozen=True, slots=True)
class GameWithoutLog:
    """The coordinator goes on with a game of which there is no log here, and is hung up on until the player agrees.
    game: its name."""

    name: str
    game: str


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
    """The code for a first meeting, and how many seconds it lives. link: to the page of the table, with the code in it,
    "" where it has no page."""

    code: str
    seconds: float
    link: str = ""


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
    """The coordinator chose a game. preset: "" where it is not known; rules: what holds then, in brief."""

    game: str
    preset: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The coordinator set a rule option. effect: what the value makes of the rules, in a sentence."""

    key: str
    value: bool | int | str
    effect: str = ""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """seats: the names in order; sides: those of partners, side by side, () where each is alone. deal: the number of a
    numbered deal; allowed: what may help people who play with each other; rules: all that holds, in sentences. met: at
    a table of several others the name of each and how their key is known here, "" where it is not."""

    game: str
    seats: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()
    deal: int | None = None
    allowed: tuple[str, ...] = ()
    rules: str = ""
    met: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LookingOn:
    """I have come while a game is on, and look on. hand: its number, 0 before the first; seats, sides, rules: as in
    `GameStarted`."""

    game: str
    hand: int
    seats: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...] = ()
    rules: str = ""


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
class Obvious:
    """What rules of thumb would do in my place, where that is not advised. words: how it is spelled; hands: how many
    were imagined and played to their end with either, 1 where all cards are known; worse: by how many points my side
    came off worse with it on average. mishap: what went wrong with it far more often, in words that follow "would", ""
    for nothing; times: in how many of the hands; here: and in how many with what is advised."""

    words: str
    hands: int
    worse: float
    mishap: str = ""
    times: int = 0
    here: int = 0


@dataclass(frozen=True, slots=True)
class Hinted:
    """What a computer player would do in my place. takes: whether it takes the trick, None where that is open; lays:
    the meld that it is; then: the best that my hand has for when I take the trick; aim: as in `Alternative`; obvious:
    what it would not do, None where it is as obvious."""

    words: str
    takes: bool | None = None
    lays: MeldView | None = None
    then: MeldView | None = None
    aim: str = ""
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
    "turn": "it is your turn",
    "joined": "somebody sits down",
    "start": "a table opens (the bell: you sit down at one)",
    "shuffle": "a hand is dealt",
    "play": "somebody plays, draws or says something in the game",
    "knock": "somebody knocks",
    "hand_won": "a hand is over, and nobody did better in it than you",
    "hand_lost": "a hand is over, and somebody did better in it",
    "game_won": "you have won a game",
    "game_lost": "somebody else has won a game",
    "exit": "a table closes (the bell: you go back to the shell)",
}
"""Each by its name, with when it comes."""

RUNG = ("turn", "joined", "game_won", "game_lost")
"""Those at which the bell rings unless the player wants it otherwise."""


# --- which of the events with a bell or a command a happening is, for the person at one end ---------------------------


def table_event(happening: Happening, view: TableView) -> str:
    """One of `TABLE_EVENTS` for the person who has this view; "" where it is none. What is no happening (turn,
    start, exit) is for the caller who sees it come."""
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
    """Whether the game of this view is won by the lowest total."""
    return view.game is not None and find_game(view.game).low_wins


def _hand_event(points: tuple[int, ...], view: TableView) -> str:
    """A hand in which all did as well is neither won nor lost."""
    if view.me is None or len(set(points)) == 1:
        return ""
    best = min(points) if low_wins(view) else max(points)
    return "hand_won" if points[view.me] == best else "hand_lost"
