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
        """Who has won the game; empty until it is over."""


O = TypeVar("O")  # noqa: E741 - the options class of one game
S = TypeVar("S", bound=State)
A = TypeVar("A")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Sheet:
    """How a hand was scored. items: by seat; hand: what each seat's score changed by; totals: the scores after it."""

    items: tuple[Items, ...]
    hand: tuple[int, ...]
    totals: tuple[int, ...]


def points_of(items: Iterable[tuple[str, int]]) -> int:
    """What items add up to."""
    return sum([points for _, points in items])


def tally(items: tuple[Items, ...], scores: Sequence[int]) -> Sheet:
    """The sheet of a hand whose items simply add up. scores: before it."""
    hand = tuple([points_of(seat) for seat in items])
    return Sheet(items, hand, tuple([score + points for score, points in zip(scores, hand, strict=True)]))


def end_hand(state: S, sheet: Sheet, winners: tuple[Seat, ...]) -> S:
    """The state after a hand has been scored: the game is over if somebody has won it, else the next seat deals."""
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
    """What `Game.show` is in a game that has no stage SHOW."""
    raise ValueError(f"nothing is shown in hand {state.hand}")


def name_of(seat: Seat) -> str:
    """What stands in a text for the name of the player there."""
    return f"{{{seat}}}"


def whose(seat: Seat) -> str:
    """What stands in a text for ``Bob's``, or ``your``."""
    return f"{{{seat}'s}}"


def either(words: Iterable[object]) -> str:
    """``9C``, ``9C or 9D``, ``9C, 9D or 9H``."""
    *others, last = map(str, words)
    return f"{', '.join(others)} or {last}" if others else last


def put(row: tuple[T, ...], seat: Seat, new: T) -> tuple[T, ...]:
    """A row that has one thing for each seat, with that of this seat exchanged."""
    return (*row[:seat], new, *row[seat + 1 :])


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards on the table, in their order, the top one last. seat: whose pile it is, None for the table's own. spread:
    every card of it is read, such as those of a meld, not only the top one. kind: "tricks" or "melds" where it is of
    those, whatever it is called."""

    name: str
    slots: tuple[Slot, ...]
    seat: Seat | None = None
    spread: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Trump:
    """What is trump. suit: None where the hand is played without. maker: who named it, None where a card did; bid:
    theirs, "" where there is none; card: the one that was turned up for it."""

    suit: Suit | None
    maker: Seat | None = None
    bid: str = ""
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said aloud at a table when an event happens, so that everybody knows what it means. seat: of whom it is
    said, None for the table as a whole. words: of a seat a verb and what follows, as one says it to them: "peg 2 for
    fifteen"; cards as they are spelled, seats by `name_of` and `whose`."""

    seat: Seat | None
    words: str


@dataclass(frozen=True, slots=True)
class Made:
    """A meld. name: what it is, such as "royal marriage"; points: what it counts, 0 where melds count nothing."""

    seat: Seat
    name: str
    points: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TallyItem:
    """Something that counts. name: on the score sheet, "" where it has no line of its own there; words: as it is said
    when it is counted, such as "fifteen four"; points: what it adds; cards: those that make it."""

    name: str
    words: str
    points: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """Cards that are counted when a hand is over, item by item. seat: whose; what: they are, such as "crib"."""

    seat: Seat
    what: str
    items: tuple[TallyItem, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """How cards count in tricks to which the suit led must be followed, from now to the end of the hand. trump: None
    where there is none; counted(card) -> the card as which it counts: of its suit, the higher the better; scores(card)
    -> whether it makes a difference who takes this card, beside the trick that it is in. out: who sits the hand out;
    locked: a suit that is not led yet by a seat that holds another; strict: what may be played to a trick depends on
    more than the suit led; follows: that suit was and will be followed in all tricks of the hand; points_alone: nothing
    but cards that score makes a difference to anybody."""

    trump: Suit | None
    counted: Callable[[Card], Card] = lambda card: card
    scores: Callable[[Card], bool] = lambda _card: False
    out: Seat | None = None
    locked: Suit | None = None
    strict: bool = False
    follows: bool = True
    points_alone: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies on the table, for the code that draws it. trick: (seat, slot) in order of play; called: what it is
    where that is not a trick; leader: who leads, or led, to it. trump: None before it is known, and in games without.
    notes: short facts of the rules in force now, such as "hearts not broken"; seats: short facts of each seat, such as
    "bid 4, took 2", or nothing for all of them; in both seats by `name_of` and `whose`. counted: how many cards the
    others hold is worth telling with those facts. rear: by seat the scores before they last changed, where pegs show
    them. made: by seat what it has scored in the hand that is on; due: what it will score of it when it is over, an
    item for each trick; tricks: such items of the hand that is over. turn: the number of the trick that is on, from 1;
    goal: the score that ends the game, as it stands now; 0 in games that do not tell them. tallies: what has been
    counted of the hand, in order."""

    trick: tuple[tuple[Seat, Slot], ...] = ()
    called: str = "trick"
    leader: Seat | None = None
    trump: Trump | None = None
    last_trick: tuple[tuple[Seat, Slot], ...] = ()
    taker: Seat | None = None
    piles: tuple[Pile, ...] = ()
    notes: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    counted: bool = False
    rear: tuple[int, ...] = ()
    made: tuple[Items, ...] = ()
    due: tuple[Items, ...] = ()
    tricks: tuple[Items, ...] = ()
    turn: int = 0
    goal: int = 0
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True)
class Game(Generic[O, S, A, E]):
    """A game as a table of functions; each is documented at the name below.

    key, name: ``crazy_eights``, ``Crazy Eights``. also: other names that people type, the usual one first. rules: the
    rules in words, for players; ends: what ends a game, such as "to {winning_score}"; brief: what somebody asks who
    knows the game, a sentence; these three are templates (games/prose). options: the options class. presets: by name,
    the default first. question: what one of them leaves to the players. actions: the action classes; their order is
    their number on the wire. private: those whose cards only the seat sees, and what everybody else sees of one in a
    state: the same with its cards face down. verbs: words that players also say for an action, by the first of them,
    such as "order" in "order it up". seats(options) -> number of seats. pack(options) -> the unshuffled pack.
    start(options, first_dealer) -> state before the first deal; None: the first card of the draw pack names who deals.
    next_first_dealer(state) -> who deals first when the same people play again. deal(state, pack, draw) -> event. On a
    view the packs are all BACK, as for `decide`. legal(state, seat) -> every action open to the seat now, one canonical
    spelling each. verify(state, seat, action) -> None, or raises IllegalAction; of cards that this game can name alone
    (`naming.verify_sent`). On a view another seat's action is refused only if no hidden cards could make it legal.
    decide(state, seat, action) -> event. Called on a view, with a private action as
    `private` shows it, it gives the same event with BACK, in a slot with the eyes that will see it, for every card that
    the view does not know, and None for a seat that it cannot know. show(state) -> event, for stage SHOW; on a view
    likewise. play(state, event) -> state, for every viewer. Raises ValueError or LookupError for an event that cannot
    be, such as a card that leaves a hand which is known not to hold it. layout(state) -> what lies on the table.
    sides(options) -> the seats that score together, () where each is alone. low_wins: the lowest total wins. sorted_by:
    how a hand is held, "suit" or "rank"; high_ten: its tens are above the kings; suit_order: of a hand from left to
    right, () for black and red in turn. picks(state, action) -> whether this action picks a place, and so which card
    comes: it is legal by the rules, but nobody may take it who could know the cards. unpicked(state) -> the state
    before the first deal of a game in which nobody picks anything, as in games of protocol version 1.

    What is told of a game, the same to everybody: says(state, seat, action) -> what the player who takes this action
    says, in place of its spelling: a verb and what follows, such as "order it up"; "" where the spelling will do. That
    player is told it with the cards that they see, everybody else the same without; a private action comes as others
    see it. calls(state, seat, action) -> how an action is offered, such as "bid Nil" or "order up hearts", which may be
    typed too; "" where its spelling will do. remarks(before, event, after) -> what is said aloud as it happens; of the
    dealer's event in place of the bare cards that it turns up. own(state, seat) -> short facts of the hand in this
    seat, for the eyes of its player alone, such as "deadwood 12"; seats by `name_of` and `whose`. indicator(state,
    seat) -> how it stands with the melds of a hand, in a word or two, then each of them: for its player, where they
    want it. meldable(state, seat) -> the melds that the cards of this seat can still make, each way for itself.
    made(before, event, after) -> the melds that are laid down or shown by it, for everybody. measures: what the figures
    of a player count, by key: of the state in which a hand has just been scored, and a seat, a number, or None where it
    had nothing of this to count; 1 and 0 for yes and no. Every seat's view gives the same. ranking(state) -> how cards
    count in the tricks of this hand, None where no such tricks are played now.

    ventures: the actions by which a player takes something on, such as a bid or a knock: none is meant by a bare card
    or an Enter. takes_back: those that may be taken back with people at the table, while the turn is still theirs; none
    of them shows its seat anything new. swap(state, seat, other) -> the state after the two have exchanged their cards,
    as somebody who learns the game alone may want to; None where the game could not go on then. Raises IllegalAction
    where they hold more cards and fewer.
    """

    key: str
    rules: str
    options: type[O]
    presets: Mapping[str, O]
    actions: tuple[type[A], ...]
    events: tuple[type[E], ...]
    private: Mapping[type[A], Callable[[S], A]]
    seats: Callable[[O], int]
    pack: Callable[[O], tuple[Card, ...]]
    start: Callable[[O, Seat | None], S]
    next_first_dealer: Callable[[S], Seat]
    deal: Callable[[S, tuple[Card, ...], tuple[Card, ...]], E]
    legal: Callable[[S, Seat], tuple[A, ...]]
    verify: Callable[[S, Seat, A], None]
    decide: Callable[[S, Seat, A], E]
    show: Callable[[S], E]
    play: Callable[[S, E], S]
    layout: Callable[[S], Layout]
    also: tuple[str, ...] = ()
    verbs: Mapping[str, type[A]] = field(default_factory=dict)
    sides: Callable[[O], tuple[tuple[Seat, ...], ...]] = lambda _options: ()
    says: Callable[[S, Seat, A], str] = lambda _state, _seat, _action: ""
    calls: Callable[[S, Seat, A], str] = lambda _state, _seat, _action: ""
    remarks: Callable[[S, E, S], tuple[Remark, ...]] = lambda _before, _event, _after: ()
    own: Callable[[S, Seat], tuple[str, ...]] = lambda _state, _seat: ()
    indicator: Callable[[S, Seat], tuple[str, ...]] = lambda _state, _seat: ()
    meldable: Callable[[S, Seat], tuple[Made, ...]] = lambda _state, _seat: ()
    made: Callable[[S, E, S], tuple[Made, ...]] = lambda _before, _event, _after: ()
    ranking: Callable[[S], Ranking | None] = lambda _state: None
    measures: Mapping[str, Callable[[S, Seat], int | None]] = field(default_factory=dict)
    low_wins: bool = False
    ventures: tuple[type[A], ...] = ()
    takes_back: tuple[type[A], ...] = ()
    swap: Callable[[S, Seat, Seat], S] | None = None
    picks: Callable[[S, A], bool] = lambda _state, _action: False
    unpicked: Callable[[S], S] = lambda state: state
    ends: str = ""
    brief: str = ""

    @property
    def name(self) -> str:
        return GAME_NAMES[self.key]

    question: Question | None = None
    sorted_by: str = "suit"
    high_ten: bool = False
    suit_order: tuple[Suit, ...] = ()
    numbers_copies: bool = False  # equal cards that lie open are numbered (`Card.copy`), and named so in actions


AnyGame = Game[Any, Any, Any, Any]
