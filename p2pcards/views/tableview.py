"""A table as the person at one end of it sees it, and what they say to it: plain frozen data, for front ends and the
control socket."""

from __future__ import annotations

from dataclasses import dataclass

# --- what a person says to their table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """A word that the machines take (`COMMANDS` of `session/table_words` and `listener_words`), and what follows it."""

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
    where: str
    seat: int | None = None  # None: not in a game, or a watcher
    partner: bool = False
    coordinates: bool = False
    key: str = ""  # fingerprint
    again: bool | None = None
    line: str = ""  # of a slow line that carries their link, how well it does
    looks_on: bool = False  # at the game that is on, in which they have no side
    called_in: float | None = None  # seconds until they are called again, None where they are not


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
    me: int | None = None  # my seat; None: a watcher, or no game
    game: str | None = None
    game_name: str = ""
    preset: str = ""
    options: tuple[tuple[str, bool | int | str], ...] = ()
    left_open: str = ""  # the option that the preset leaves to the players, who have not set it yet
    pairing: tuple[str, ...] = ()  # those of whom one may be my partner, which is to be said before the game
    seats: tuple[SeatView, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()  # seats that score together; () where each is alone
    hand: int = 0
    trump: TrumpView | None = None  # None before it is known, and in games without
    trick: tuple[tuple[int, int], ...] = ()  # (seat, card)
    called: str = "trick"  # what `trick` is
    leader: int | None = None  # who leads, or led, to the trick
    last_trick: tuple[tuple[int, int], ...] = ()
    piles: tuple[PileView, ...] = ()
    notes: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # what I see in my hand, such as "deadwood 12"
    indicator: tuple[str, ...] = ()  # how it stands with the melds of my hand, then each; for who wants to see it
    meldable: tuple[MeldView, ...] = ()  # the melds that my cards can still make
    sheet: SheetView | None = None  # of the last hand that is over
    rounds: tuple[tuple[int, ...], ...] = ()  # of each hand that is over, by what it changed the scores of the seats
    counted: bool = False  # how many cards the others hold is worth telling with their notes
    made: tuple[Items, ...] = ()  # by seat what it has scored in the hand that is on
    due: tuple[Items, ...] = ()  # by seat what it will score of it when it is over, an item for each trick
    tricks: tuple[Items, ...] = ()  # such items of the hand that is over, in games that tell them
    turn: int = 0  # the number of the trick that is on; 0 in games that do not tell
    tallies: tuple[TallyView, ...] = ()  # what has been counted of the hand, in order
    goal: int = 0  # the score that ends the game, as it stands now; likewise
    number: int = 0  # of the game among those of this table; 0 where that is not known
    rear: tuple[int, ...] = ()  # by seat the scores before they last changed, where pegs show them
    winners: tuple[int, ...] = ()
    legal: tuple[str, ...] = ()  # my legal actions, spelled as I would type them; empty when it is not my turn
    calls: tuple[tuple[str, str], ...] = ()  # those of them that are offered in other words, such as "bid Nil"
    waiting: str = ""  # a few words: whom or what the table waits for
    records: int = 0
    head: str = ""
    turn_seconds: float | None = None  # left on my turn clock
    turn_clock: int = 0  # seconds for a turn, 0: as long as one likes
    pause: int | None = None  # seconds for me to look at the hand that is over, 0: as long as I like; None: it goes on
    away: bool = False  # my character plays for me
    assists: tuple[str, ...] = ()  # what may be looked at again, or is advised, at this table
    auto: str = ""  # what plays in my seat in my place: a level, "rest" (of a hand), or nothing
    looks_on: bool = False  # a game is on in which I have no side
    paused: bool = False  # no person is here who could act, so nothing is played
    proposal: ProposalView | None = None
    doubted: str = ""  # the coordinator who is hung up on until I say 'accept'
    thrown_away: int = 0  # how many deals they have thrown away within a day, where it is about that
    deal: int | None = None  # the number of a numbered deal
    face_up: bool = False  # I play alone, and see everybody's cards
    apart: bool = False  # a session of its own, in which the computer plays every hand and I only look on
    code: str = ""  # for a first meeting at this table, while there is one
    log: str = ""  # the name of the log that keeps the game here
    open_door: bool = False  # others may come in by themselves
    link: str = ""  # to this table: its page, with the code while there is one, or a meeting; "" where it has none
