"""What the melds of a hand of pinochle are worth, where they are all shown before the play: `partnership_melds`,
`double_pack_melds` and `bid_melds`.

Points are those of the score sheet. A card counts once in each of three classes: melds of a suit, four of a rank,
pinochles (D-PP-3, D-BP-4); a hand is taken for the most that it makes. Each function takes any number of cards of its
pack, and raises ValueError for a card that is face down, not in the pack, or there more often than in the pack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from p2pcards.cards.card import SUITS, Card, Suit, spell_cards
from p2pcards.cards.pack import pack_of
from p2pcards.games.game import Made, Remark, Seat
from p2pcards.games.pinochle_cards import ACE, JACK, KING, NINE, QUEEN, TEN

NO_TRUMP_SUIT = "no suit you can name as trump"
FLUSH = (ACE, TEN, KING, QUEEN, JACK)
TIMES = ("", "double ", "triple ", "quadruple ")
RANKS = {ACE: "aces", KING: "kings", QUEEN: "queens", JACK: "jacks"}
PINOCHLE = (Card.of(QUEEN, Suit.SPADES), Card.of(JACK, Suit.DIAMONDS))
FLUSHES = {suit: tuple([Card.of(rank, suit) for rank in FLUSH]) for suit in SUITS}
PAIRS = {suit: (Card.of(KING, suit), Card.of(QUEEN, suit)) for suit in SUITS}
NINES = {suit: Card.of(NINE, suit) for suit in SUITS}
SETS = {rank: tuple([Card.of(rank, suit) for suit in SUITS]) for rank in RANKS}


class Class(IntEnum):
    """A card counts once in each class, and may count in several."""

    SUIT = 0
    RANK = 1
    PINOCHLE = 2


class Meld(NamedTuple):
    """A meld by its name, such as "double flush"; classes: in which it uses its cards."""

    name: str
    points: int
    classes: tuple[Class, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """The melds of one form. Points are by how many of the meld there are at once, from one."""

    pack: Mapping[Card, int]  # how often each card is in the pack
    flush: tuple[int, ...]
    ranks: Mapping[int, tuple[int, ...]]
    pinochle: tuple[int, ...]
    royal: int
    marriage: int
    nine: int = 0  # of the lowest trump; 0 where there is none
    flush_name: str = "flush"
    nine_name: str = "nine of trumps"
    round_robin: bool = False  # kings, queens and a marriage in each suit together have that name


PARTNERSHIP_PACK = pack_of(range(NINE, ACE + 1), copies=2)
DOUBLE_PACK = pack_of(range(TEN, ACE + 1), copies=4)

PARTNERSHIP = Values(  # rule sheet 10, from "The Real Deal"
    pack=Counter(PARTNERSHIP_PACK),
    flush=(150, 1500),
    ranks={ACE: (100, 1000), KING: (80, 800), QUEEN: (60, 600), JACK: (40, 400)},
    pinochle=(40, 300),
    royal=40,
    marriage=20,
    nine=10,
)
DOUBLE = Values(  # rule sheet 11, from "The Real Deal"; a quadruple is two doubles, except of pinochles (D-DP-2)
    pack=Counter(DOUBLE_PACK),
    flush=(150, 1500, 2250, 3000),
    ranks={
        ACE: (100, 1000, 1500, 2000),
        KING: (80, 800, 1200, 1600),
        QUEEN: (60, 600, 900, 1200),
        JACK: (40, 400, 600, 800),
    },
    pinochle=(40, 300, 450, 3000),
    royal=40,
    marriage=20,
)
BID = Values(  # rule sheet 13
    pack=Counter(PARTNERSHIP_PACK),
    flush=(15, 150),
    ranks={ACE: (10, 100), KING: (8, 80), QUEEN: (6, 60), JACK: (4, 40)},
    pinochle=(4, 30),
    royal=4,
    marriage=2,
    nine=1,
    flush_name="run",
    nine_name="deece",
    round_robin=True,
)


def partnership_melds(cards: Iterable[Card], trump: Suit) -> tuple[Meld, ...]:
    """The melds of a hand of the 48-card pack in four-hand partnership pinochle: 10 for a nine of trumps to 1500."""
    return _melds_by_values(cards, trump, PARTNERSHIP)


def double_pack_melds(cards: Iterable[Card], trump: Suit) -> tuple[Meld, ...]:
    """The melds of a hand of the 80-card pack in double-pack pinochle: 20 for a marriage to 3000."""
    return _melds_by_values(cards, trump, DOUBLE)


def bid_melds(cards: Iterable[Card], trump: Suit) -> tuple[Meld, ...]:
    """The melds of a hand of the 48-card pack in two-handed bid pinochle: 1 for a deece to 150."""
    return _melds_by_values(cards, trump, BID)


def meld_points(melds: Iterable[Meld]) -> int:
    """Points of some melds together."""
    return sum([meld.points for meld in melds])


def meld_cards(melds: Sequence[Meld]) -> tuple[Card, ...]:
    """The cards to show for these melds, ascending: each as often as the class needs it that needs it most."""
    needed: Counter[Card] = Counter()
    for class_ in Class:
        needed |= Counter([card for meld in melds if class_ in meld.classes for card in meld.cards])
    return tuple(sorted(needed.elements()))


def melds_remark(seat: Seat, melds: Sequence[Meld]) -> Remark:
    """The melds that a seat shows, each with its name, cards and points."""
    named = [f"{meld.name} ({spell_cards(meld.cards)}) {meld.points}" for meld in melds]
    return Remark(seat, f"show {meld_points(melds)} in melds: {', '.join(named)}" if named else "show no melds")


def melds_made(seat: Seat, melds: Iterable[Meld]) -> list[Made]:
    """The melds that a seat shows, as `Made` each by itself."""
    return [Made(seat, meld.name, meld.points, meld.cards) for meld in melds]


def worths_by_trump_text(points: Mapping[Suit, int]) -> str:
    """What the melds of a hand are worth under each trump, the most first: ``melds by trump: spades 190, hearts 40``.
    points: by suit that may be named."""
    best = sorted(points, key=lambda suit: -points[suit])
    return f"melds by trump: {', '.join([f'{suit.name.lower()} {points[suit]}' for suit in best])}"


# --- private ----------------------------------------------------------------------------------------------------------


def _melds_by_values(cards: Iterable[Card], trump: Suit, values: Values) -> tuple[Meld, ...]:
    """All melds of a hand under a trump, with the points of one form of the game."""
    held = Counter(cards)
    for card, number in held.items():
        if number > values.pack.get(card, 0):
            raise ValueError(f"no hand of this pack holds {card} {number} times")
    flushes = _times_held(held, FLUSHES[trump])
    marriages = [meld for suit in SUITS for meld in _marriages(held, suit, trump, flushes, values)]
    kings_and_queens = [meld for rank in (KING, QUEEN) for meld in _sets_of_rank(held, rank, values)]
    if values.round_robin:
        marriages, kings_and_queens = _round_robin(marriages, kings_and_queens)
    return (
        *_several_as_one(values.flush_name, values.flush, flushes, Class.SUIT, FLUSHES[trump]),
        *marriages,
        *_sets_of_rank(held, ACE, values),
        *kings_and_queens,
        *_sets_of_rank(held, JACK, values),
        *_several_as_one("pinochle", values.pinochle, _times_held(held, PINOCHLE), Class.PINOCHLE, PINOCHLE),
        *[Meld(values.nine_name, values.nine, (Class.SUIT,), (NINES[trump],))] * held[NINES[trump]],
    )


def _times_held(held: Counter[Card], cards: Sequence[Card]) -> int:
    """How often these cards are all held."""
    return min([held[card] for card in cards])


def _several_as_one(name: str, values: Sequence[int], times: int, class_: Class, cards: tuple[Card, ...]) -> list[Meld]:
    """So many equal melds as a single one, of higher value; nothing for none."""
    return [Meld(TIMES[times - 1] + name, values[times - 1], (class_,), cards * times)] if times else []


def _marriages(held: Counter[Card], suit: Suit, trump: Suit, flushes: int, values: Values) -> list[Meld]:
    """A meld for each king and queen of the suit, except those in flushes."""
    pair = PAIRS[suit]
    if suit == trump:
        return [Meld("royal marriage", values.royal, (Class.SUIT,), pair)] * (_times_held(held, pair) - flushes)
    return [Meld(f"marriage in {suit.name.lower()}", values.marriage, (Class.SUIT,), pair)] * _times_held(held, pair)


def _sets_of_rank(held: Counter[Card], rank: int, values: Values) -> list[Meld]:
    """The melds of a card of each suit of this rank, if held."""
    return _several_as_one(RANKS[rank], values.ranks[rank], _times_held(held, SETS[rank]), Class.RANK, SETS[rank])


def _round_robin(marriages: list[Meld], sets: list[Meld]) -> tuple[list[Meld], list[Meld]]:
    """Four kings, four queens and a marriage in each suit as one meld, worth their sum: it replaces them and adds
    nothing. With eight kings or queens they stay by themselves (D-BP-4)."""
    one_each = {meld.name: meld for meld in marriages}
    if len(one_each) < len(SUITS) or [meld.name for meld in sets] != ["kings", "queens"]:
        return marriages, sets
    parts = [*one_each.values(), *sets]
    classes, cards = (Class.SUIT, Class.RANK), SETS[KING] + SETS[QUEEN]
    rest = Counter(marriages) - Counter(one_each.values())
    return [Meld("round robin", meld_points(parts), classes, cards), *rest.elements()], []
