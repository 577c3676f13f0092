"""A table as the person at one end of it sees it, and what they say to it: plain frozen data, for front ends and the
control socket."""

from __future__ import annotations

from dataclasses import dataclass

# --- what a person says to their table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the machines take (`COMMANDS` of `session/table_words` and `listener_words`), and its
    arguments."""

    name: str
    arguments: tuple[str, ...] = ()


# --- a table as the person at one end of it sees it -------------------------------------------------------------------


Items = tuple[tuple[str, int], ...]
"""What counted and how much: (name, points)."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """A person at the table."""

    name: str
    character: str
    link: str  # "here", "away" or "you"
    where: str  # address of the link; "" if unknown
    seat: int | None = None  # None: not in a game, or a watcher
    partner: bool = False  # they sit opposite the coordinator
    coordinates: bool = False
    key: str = ""  # fingerprint; "" if unknown
    again: bool | None = None  # the answer to another game, True to play; None before it
    line: str = ""  # quality of the slow line that carries their link; "" for none
    looks_on: bool = False  # an onlooker of the game in progress
    called_in: float | None = None  # seconds until the next call to them; None if none is planned
    sees: str = ""  # of a watcher: the name of the player who shows them their hand, "you" for me; "" for nobody


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the game."""

    seat: int
    name: str
    character: str
    level: str
    # "you", "person", "away" (their character plays after `countdown` seconds), "character" (it plays for them) or
    # "computer".
    plays: str
    score: int  # in the game
    cards: int  # number of cards in the hand
    known: tuple[int, ...] = ()  # those of them that this end knows, as bytes
    dealer: bool = False
    to_act: bool = False
    countdown: float | None = None  # seconds until the character plays
    note: str = ""  # the game's facts about the seat, such as "bid 4, has 2", or ""
    games_won: int = 0  # at this table
    absence: str = ""  # the kind of a person's absence, one of `Absence`, or ""


@dataclass(frozen=True, slots=True)
class PileView:
    """Cards on the table."""

    name: str
    seat: int | None  # of the owner; None for the table's own
    cards: tuple[int, ...]  # as bytes, 0 for a hidden one; the top one last
    spread: bool = False  # every card is to be read, as in a meld, not only the top one
    kind: str = ""  # as in `Pile`


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld."""

    name: str  # of the player who made it, or could; "you" for the person at this end
    cards: str  # as words
    what: str  # its kind, such as "royal marriage"
    points: int  # 0 where melds count nothing


@dataclass(frozen=True, slots=True)
class TallyItemView:
    """As a `TallyItem` of the rules; cards as bytes."""

    name: str
    words: str
    points: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TallyView:
    """The count of a hand, or of other cards, item by item."""

    seat: int  # of the player who counts it
    what: str  # the name of the cards, such as "crib"
    items: tuple[TallyItemView, ...]


@dataclass(frozen=True, slots=True)
class TrumpView:
    suit: str  # such as "spades"; "" for a hand without trump
    maker: str = ""  # name of the player who made it; "" if a card did
    bid: str = ""  # of the maker, or ""
    card: int = 0  # the card turned up for it, as a byte; 0 for none


@dataclass(frozen=True, slots=True)
class SheetView:
    """The scores of a hand."""

    hand: int  # its number
    items: tuple[Items, ...]  # by seat, (name, points)
    points: tuple[int, ...]  # by seat, the change of the score
    totals: tuple[int, ...]  # by seat, the scores after it


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A request that the person here has yet to answer."""

    name: str
    redeal: bool  # to deal the hand again; False: to take back the player's last action


@dataclass(frozen=True, slots=True)
class TableView:
    role: str  # "coordinator" or "listener"
    phase: str  # "lobby" (no game in progress), "play", "over" (won; play again?) or "closed"
    people: tuple[PersonView, ...] = ()
    me: int | None = None  # my seat; None for a watcher, or without a game
    game: str | None = None  # its key; None if none is chosen
    game_name: str = ""
    preset: str = ""
    options: tuple[tuple[str, bool | int | str], ...] = ()
    left_open: str = ""  # the option that the preset leaves to the players, until they set it
    pairing: tuple[str, ...] = ()  # people, one of whom the coordinator must choose as a partner before the game
    seats: tuple[SeatView, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()  # seats that score together; () where each is alone
    hand: int = 0
    trump: TrumpView | None = None  # None before it is known, and in games without
    trick: tuple[tuple[int, int], ...] = ()  # (seat, card) in order of play
    called: str = "trick"  # the name of `trick`; cribbage has "played to a count of 12"
    leader: int | None = None  # of the trick
    last_trick: tuple[tuple[int, int], ...] = ()
    piles: tuple[PileView, ...] = ()
    notes: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # facts about my hand, such as "deadwood 12"
    # A word or two about the melds of my hand, then each of them; shown if the player wants it.
    indicator: tuple[str, ...] = ()
    meldable: tuple[MeldView, ...] = ()  # melds that my cards can still make
    sheet: SheetView | None = None  # of the last hand that is over
    rounds: tuple[tuple[int, ...], ...] = ()  # by hand that is over, the change of the score of each seat
    counted: bool = False  # show with their notes the number of cards that each of the others holds
    made: tuple[Items, ...] = ()  # by seat, what it has scored in this hand
    due: tuple[Items, ...] = ()  # by seat, what it will score for this hand when it is over, an item for each trick
    tricks: tuple[Items, ...] = ()  # the same for the hand that is over, in games that show it
    turn: int = 0  # number of the current trick, from 1; 0 in games that do not show it
    tallies: tuple[TallyView, ...] = ()  # what has been counted of the hand, in order
    goal: int = 0  # the score that ends the game as it is now; 0 in games that do not show it
    number: int = 0  # of the game among those of this table; 0 if unknown
    rear: tuple[int, ...] = ()  # scores by seat before the last change, in games with pegs
    winners: tuple[int, ...] = ()  # seats
    legal: tuple[str, ...] = ()  # my legal actions, spelled as I would type them; empty when it is not my turn
    # (spelling, words) of legal actions that are offered in other words, such as "bid nil".
    calls: tuple[tuple[str, str], ...] = ()
    waiting: str = ""  # the cause of waiting, in a few words
    records: int = 0  # number of records in the log
    head: str = ""  # of the log, hex
    turn_seconds: float | None = None  # left on my turn clock; None while it does not run
    turn_clock: int = 0  # seconds for a turn; 0 for no limit
    # Seconds for me to look at the hand that is over, 0 for no limit; None without such a pause.
    pause: int | None = None
    away: bool = False  # my character plays for me
    assists: tuple[str, ...] = ()  # reviews and hints that are allowed at this table
    auto: str = ""  # the substitute that plays my seat: a level, or "rest" to the end of the hand; "" for none
    looks_on: bool = False  # I am an onlooker of the game in progress
    paused: bool = False  # nobody present can act, so the game waits
    proposal: ProposalView | None = None
    doubted: str = ""  # name of the coordinator whose link is closed until I accept; "" for none
    thrown_away: int = 0  # number of deals that this coordinator has thrown away within a day, if that is the doubt
    deal: int | None = None  # the number of a numbered deal
    face_up: bool = False  # I play alone and see all hands
    shown: int | None = None  # I watch, and see the hand of this seat, whose player shows it to me
    apart: bool = False  # a session of its own, in which the computer plays all hands and I only watch
    code: str = ""  # for a first meeting at this table; "" for none
    log: str = ""  # name of the log that keeps the game here; "" for none
    open_door: bool = False  # other people can join without being called
    link: str = ""  # to this table: its page, with the code if there is one, or a meeting; "" for none
    # Those who watch behind the table; with the link "asks" those who wait for the host's answer.
    watchers: tuple[PersonView, ...] = ()
