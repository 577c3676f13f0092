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
    """Somebody at the table. link: "here", "away" or "you"; seat None: not in a game, or a watcher."""

    name: str
    character: str
    link: str
    where: str
    seat: int | None = None
    partner: bool = False
    coordinates: bool = False
    key: str = ""  # fingerprint
    again: bool | None = None
    line: str = ""  # of a slow line that carries their link, how well it does
    looks_on: bool = False  # at the game that is on, in which they have no side
    called_in: float | None = None  # seconds until they are called again, None where they are not


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of the game. plays: "you", "person", "away" (their character plays after `countdown` seconds), "character"
    (it plays for them) or "computer"; absence: why a person does not, one of `Absence` or "". cards: how many they
    hold; known: those of them that this end knows, as bytes. note: what the game says of the seat, such as "bid 4, has
    2", or "". games_won: at this table."""

    seat: int
    name: str
    character: str
    level: str
    plays: str
    score: int
    cards: int
    known: tuple[int, ...] = ()
    dealer: bool = False
    to_act: bool = False
    countdown: float | None = None
    note: str = ""
    games_won: int = 0
    absence: str = ""


@dataclass(frozen=True, slots=True)
class PileView:
    """Cards on the table in order, the top one last, a hidden one as 0. seat: whose, None for the table's own. spread:
    every card is to be read, such as those of a meld, not only the top one. kind: as in `Pile`."""

    name: str
    seat: int | None
    cards: tuple[int, ...]
    spread: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld. name: of the player who made it, or could, "you" for the person at this end; cards: as words; what: it
    is, such as "royal marriage"; points: what it counts, 0 where melds count nothing."""

    name: str
    cards: str
    what: str
    points: int


@dataclass(frozen=True, slots=True)
class TallyItemView:
    """As a `TallyItem` of the rules; cards as bytes."""

    name: str
    words: str
    points: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TallyView:
    """What was counted of a hand, or another heap of cards, item by item. seat: whose; what: it is, such as "crib"."""

    seat: int
    what: str
    items: tuple[TallyItemView, ...]


@dataclass(frozen=True, slots=True)
class TrumpView:
    """suit: "spades", "" where the hand is played without trump. maker: the name of who made it, "" where a card did;
    bid: theirs, or ""; card: the one that was turned up for it, as a byte, 0 for none."""

    suit: str
    maker: str = ""
    bid: str = ""
    card: int = 0


@dataclass(frozen=True, slots=True)
class SheetView:
    """How a hand was scored. hand: its number. By seat: items (name, points); points: what the score changed by;
    totals: the scores after it."""

    hand: int
    items: tuple[Items, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What somebody asks for, and the person here has yet to agree to. redeal: that the hand is dealt again, else that
    they may take back what they did last."""

    name: str
    redeal: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """phase: "lobby" (no game on), "play", "over" (won; play again?) or "closed". sides: the seats that score together,
    () where each is alone. legal: my legal actions, spelled as I would type them, empty when it is not my turn."""

    role: str  # "coordinator" or "listener"
    phase: str
    people: tuple[PersonView, ...] = ()
    me: int | None = None  # my seat; None: a watcher, or no game
    game: str | None = None
    game_name: str = ""
    preset: str = ""
    options: tuple[tuple[str, bool | int | str], ...] = ()
    left_open: str = ""  # the option that the preset leaves to the players, who have not set it yet
    pairing: tuple[str, ...] = ()  # those of whom one may be my partner, which is to be said before the game
    seats: tuple[SeatView, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()
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
    legal: tuple[str, ...] = ()
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
