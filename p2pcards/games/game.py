"""What a game is: a table of functions over frozen states, and the few words that all games share.

The rules of a game are one file; docs/add-a-game.md says what stands in it. A `Game` is generic in the options, state,
actions and events of that file, so that the type checker sees whether its functions fit the table; what works for every
game takes an `AnyGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import Bag, Slot
from p2pcards.games.changing import changed
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.options import Question

Seat = int
Action = Any  # of any game: a frozen dataclass, and nothing more that all of them have
Event = Any  # likewise
Items = tuple[tuple[str, int], ...]  # what counted and how much, such as ("queen of spades", 13)
T = TypeVar("T")


class IllegalAction(ValueError):
    """Why an action is refused, as a sentence for the player, in the rule's own words."""


def verify_turn(state: State, seat: Seat) -> None:
    """Raise IllegalAction if the seat has nothing to decide now."""
    if seat not in state.to_act:
        raise IllegalAction("it's not your turn")


class Stage(IntEnum):
    """Who owes the next event of a game."""

    DEAL = 0  # the dealer, with a new pack: `Game.deal`
    PLAY = 1  # the seats in `to_act`: `Game.decide`
    SHOW = 2  # the dealer, who turns up what the rules now show: `Game.show`
    OVER = 3  # nobody: the game is won


class State(Protocol):
    """What the state of every game has, whatever else it holds: a frozen dataclass without slots, of which `changed`
    makes the next."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def options(self) -> Any: ...
    @property
    def eyes(self) -> int: ...
    @property
    def stage(self) -> Stage: ...
    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe an action; several where they choose at once."""

    @property
    def hand(self) -> int:
        """The number of the hand being played, or last played, from 1; 0 before the first deal."""

    @property
    def dealer(self) -> Seat | None: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def hands(self) -> tuple[Bag, ...]: ...
    @property
    def sheet(self) -> Sheet | None:
        """How the last finished hand was scored; None before and while one is played."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won the game; empty until it is over."""


O = TypeVar("O")  # noqa: E741 - the options class of one game
S = TypeVar("S", bound=State)
A = TypeVar("A")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Sheet:
    """How a hand was scored, by seat."""

    items: tuple[Items, ...]
    hand: tuple[int, ...]  # the change of each score
    totals: tuple[int, ...]  # the scores after it


def sum_of_items(items: Iterable[tuple[str, int]]) -> int:
    """The sum of the points of some items."""
    return sum([points for _, points in items])


def sheet_of_items(items: tuple[Items, ...], scores: Sequence[int]) -> Sheet:
    """The score sheet of a hand whose items simply add up. scores: before the hand."""
    hand = tuple([sum_of_items(seat) for seat in items])
    return Sheet(items, hand, tuple([score + points for score, points in zip(scores, hand, strict=True)]))


def end_hand(state: S, sheet: Sheet, winners: tuple[Seat, ...]) -> S:
    """The state after a hand has been scored: the game is over if there are winners, else the next seat deals."""
    assert state.dealer is not None
    return changed(
        state,
        stage=Stage.OVER if winners else Stage.DEAL,
        to_act=(),
        dealer=(state.dealer + 1) % len(state.scores),
        scores=sheet.totals,
        sheet=sheet,
        winners=winners,
    )


def show_nothing(state: State) -> NoReturn:
    """`Game.show` of a game that has no stage SHOW; never called."""
    raise ValueError(f"no cards are shown at the end of hand {state.hand}")


def name_in_text(seat: Seat) -> str:
    """The placeholder in a text for the name of the player at this seat."""
    return f"{{{seat}}}"


def possessive(seat: Seat) -> str:
    """The placeholder in a text for ``Bob's``, or ``your``."""
    return f"{{{seat}'s}}"


def with_seat_replaced(row: tuple[T, ...], seat: Seat, new: T) -> tuple[T, ...]:
    """A row that has one thing for each seat, with that of this seat replaced."""
    return (*row[:seat], new, *row[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards on the table, in their order, the top one last."""

    name: str
    slots: tuple[Slot, ...]
    seat: Seat | None = None  # the owner; None for the table's own
    spread: bool = False  # every card of it can be read, as in a meld, not only the top one
    kind: str = ""  # "tricks" or "melds" where it is of those, whatever it is called


@dataclass(frozen=True, slots=True)
class Trump:
    suit: Suit | None  # None where the hand is played without
    maker: Seat | None = None  # the seat that named it; None where a card did
    bid: str = ""  # the maker's; "" for none
    card: Card | None = None  # that was turned up for it


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said aloud at a table when an event happens, so that everybody knows what it means."""

    seat: Seat | None  # that it is about; None for the table as a whole
    # About a seat, a verb and what follows, as said to its player: "peg 2 for fifteen". Cards as they are spelled,
    # seats by `name_in_text` and `possessive`.
    words: str


@dataclass(frozen=True, slots=True)
class Made:
    """A meld."""

    seat: Seat
    name: str  # such as "royal marriage"
    points: int  # 0 where melds do not count
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TallyItem:
    """Something that counts."""

    name: str  # on the score sheet; "" where it has no line of its own there
    words: str  # as it is counted aloud, such as "fifteen four"
    points: int
    cards: tuple[Card, ...]  # that make it


@dataclass(frozen=True, slots=True)
class Tally:
    """Cards that are counted when a hand is over, item by item."""

    seat: Seat
    what: str  # such as "crib"
    items: tuple[TallyItem, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """How cards count in tricks to which the suit led must be followed, from now to the end of the hand."""

    trump: Suit | None
    counted: Callable[[Card], Card] = lambda card: card  # the card as which it counts: by suit, the higher the better
    # whether it matters who takes this card, apart from the trick it is in
    scores: Callable[[Card], bool] = lambda _card: False
    out: Seat | None = None  # the seat that sits the hand out
    locked: Suit | None = None  # a suit that may not be led yet by a seat with another
    strict: bool = False  # what may be played depends on more than the suit led
    follows: bool = True  # suit was and will be followed in all tricks of the hand
    points_alone: bool = False  # nothing but cards that score matters to anybody


@dataclass(frozen=True, slots=True)
class Layout:
    """The cards on the table and the facts beside them, for the code that draws them. Seats in `notes` and `seats` are
    written by `name_in_text` and `possessive`."""

    trick: tuple[tuple[Seat, Slot], ...] = ()  # in order of play
    called: str = "trick"  # what `trick` is, where it is something else
    leader: Seat | None = None  # of the trick
    trump: Trump | None = None  # None before it is known, and in games without
    last_trick: tuple[tuple[Seat, Slot], ...] = ()
    taker: Seat | None = None  # of the last trick
    piles: tuple[Pile, ...] = ()
    notes: tuple[str, ...] = ()  # short facts about the table now, such as "hearts not broken"
    seats: tuple[str, ...] = ()  # short facts by seat, such as "bid 4, took 2"; () for none
    counted: bool = False  # show with them how many cards each of the others holds
    rear: tuple[int, ...] = ()  # scores by seat before the last change, in games with pegs
    made: tuple[Items, ...] = ()  # by seat, what it has scored in this hand
    due: tuple[Items, ...] = ()  # by seat, what it will score for this hand when it is over, an item for each trick
    tricks: tuple[Items, ...] = ()  # the same for the hand that is over
    turn: int = 0  # number of the current trick, from 1; 0 in games that do not show it
    goal: int = 0  # the score that ends the game as it is now; 0 in games that do not show it
    tallies: tuple[Tally, ...] = ()  # what has been counted of the hand, in order


@dataclass(frozen=True, kw_only=True)
class Game(Generic[O, S, A, E]):
    """A game as a table of functions. A *view* is a state in which every card that the viewer has not seen is BACK;
    functions of a state take a view as well."""

    key: str  # such as "crazy_eights"
    also: tuple[str, ...] = ()  # other names that people type, the usual one first

    # Words for players, templates of games/prose.
    rules: str
    ends: str = ""  # what ends a game, such as "to {winning_score}"
    brief: str = ""  # a sentence for someone who knows the game
    pitfalls: tuple[str, ...] = ()  # what newcomers often forget, a sentence each

    options: type[O]
    presets: Mapping[str, O]  # by name, the default first
    question: Question | None = None  # what a preset leaves to the players

    # Their order is their number on the wire.
    actions: tuple[type[A], ...]
    events: tuple[type[E], ...]
    # Actions whose cards only the seat sees -> what everybody else sees of one: the same with its cards face down.
    private: Mapping[type[A], Callable[[S], A]] = field(default_factory=dict)
    # Other words for an action, by the first word that a player says, such as "order" in "order it up".
    verbs: Mapping[str, type[A]] = field(default_factory=dict)

    # --- the rules ----------------------------------------------------------------------------------------------------

    seats: Callable[[O], int]
    # Seats that score together; () where each is alone.
    sides: Callable[[O], tuple[tuple[Seat, ...], ...]] = lambda _options: ()
    low_wins: bool = False  # the lowest total wins
    pack: Callable[[O], tuple[Card, ...]]  # unshuffled
    # The state before the first deal. First dealer None: the first card of the draw pack decides who deals.
    start: Callable[[O, Seat | None], S]
    next_first_dealer: Callable[[S], Seat]  # when the same people play again
    # The fields of a state between two hands on which the next deal and all that follows depend. Their order is that on
    # the wire.
    kept: tuple[str, ...] = ("hand", "dealer", "scores", "first_dealer")
    # (state, pack, draw pack); on a view both packs are all BACK.
    deal: Callable[[S, tuple[Card, ...], tuple[Card, ...]], E]
    # Every action open to the seat now, one canonical spelling each.
    legal: Callable[[S, Seat], tuple[A, ...]]
    # Raises IllegalAction. The action names only cards of this game: `naming.verify_sent` has seen to that. On a view,
    # another seat's action is refused only if no hidden cards could make it legal.
    verify: Callable[[S, Seat, A], None]
    # On a view, with a private action as `private` shows it, it gives the same event with BACK, in a slot with the eyes
    # that will see it, for every card that the view does not know, and None for a seat that it cannot know.
    decide: Callable[[S, Seat, A], E]
    show: Callable[[S], E] = show_nothing  # in stage SHOW
    # Raises ValueError or LookupError for an impossible event, such as a card that leaves a hand without it.
    play: Callable[[S, E], S]
    # Whether this action picks a place and so which card comes. It is legal, but nobody may take it who could know the
    # cards.
    picks: Callable[[S, A], bool] = lambda _state, _action: False
    # The state before the first deal of a game in which nobody picks anything, as in protocol version 1.
    unpicked: Callable[[S], S] = lambda state: state

    # --- what is shown and said, the same to everybody ----------------------------------------------------------------

    layout: Callable[[S], Layout]
    sorted_by: str = "suit"  # a hand: "suit" or "rank"
    high_ten: bool = False  # tens rank above kings in a hand
    suit_order: tuple[Suit, ...] = ()  # of a hand from left to right; () alternates black and red
    numbers_copies: bool = False  # equal cards that lie open are numbered (`Card.copy`), and named so in actions
    # What the player of an action says instead of its spelling: a verb and what follows, such as "order it up"; "" for
    # the spelling. The player sees the cards in it, everybody else does not.
    says: Callable[[S, Seat, A], str] = lambda _state, _seat, _action: ""
    # How an action is offered, such as "bid nil" or "order up hearts", which may be typed too; "" for its spelling.
    calls: Callable[[S, Seat, A], str] = lambda _state, _seat, _action: ""
    # (before, event, after): what is said aloud; for a deal, instead of the bare cards that it turns up.
    remarks: Callable[[S, E, S], tuple[Remark, ...]] = lambda _before, _event, _after: ()
    # Short facts about a hand for its player alone, such as "deadwood 12"; seats as in `Layout.notes`.
    own: Callable[[S, Seat], tuple[str, ...]] = lambda _state, _seat: ()
    # A word or two about the melds of a hand, then each of them: for its player, if they want it.
    indicator: Callable[[S, Seat], tuple[str, ...]] = lambda _state, _seat: ()
    # The melds that the cards of this seat can still make, each by itself.
    meldable: Callable[[S, Seat], tuple[Made, ...]] = lambda _state, _seat: ()
    # (before, event, after): the melds that the event lays down or shows.
    made: Callable[[S, E, S], tuple[Made, ...]] = lambda _before, _event, _after: ()
    # By key, what a player's figures count: of a state in which a hand has just been scored, a number, 1 and 0 for yes
    # and no, or None if the seat had nothing of this to count. Every seat's view gives the same.
    measures: Mapping[str, Callable[[S, Seat], int | None]] = field(default_factory=dict)
    # How cards count in the tricks of this hand; None while no tricks are played.
    ranking: Callable[[S], Ranking | None] = lambda _state: None

    # --- what a player may do at the table ----------------------------------------------------------------------------

    # Actions that take a risk, such as a bid or a knock: a bare card or Enter never means one.
    ventures: tuple[type[A], ...] = ()
    # Actions that may be taken back at a table with other people, while the turn is still the player's: none of them
    # shows its seat anything new.
    takes_back: tuple[type[A], ...] = ()
    # The state after two seats have exchanged their hands, for someone who learns the game alone; None if the game
    # could not go on. Raises IllegalAction if the hands differ in size.
    swap: Callable[[S, Seat, Seat], S] | None = None

    @property
    def name(self) -> str:
        """The name of the game for players, such as ``Crazy Eights``."""
        return GAME_NAMES[self.key]


AnyGame = Game[Any, Any, Any, Any]
