"""Cards as text, and a hand as its player has arranged it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from p2pcards.cards.card import SUIT_LETTERS, Card, Suit, parse_card
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import SPELLED, SUIT_WORDS, is_card_word

# --- cards as text ----------------------------------------------------------------------------------------------------


SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
# Four colours that colour-blind people can tell apart, on a light face because the colour of the terminal is unknown.
# In the 256 colours that every terminal has they come nearest to S #000000, H #C23B00, D #0067C7 and C #00795A.
COLOURS = {Suit.CLUBS: 29, Suit.DIAMONDS: 26, Suit.HEARTS: 130, Suit.SPADES: 16}
FACE = 231
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]


@dataclass(frozen=True, slots=True)
class Style:
    """How cards and texts are shown."""

    ascii: bool = False  # suits as letters
    colour: bool = False  # suits in four colors, too


def card_text(card: int, style: Style) -> str:
    """``Q♠``, ``10♥``; ``QS``, ``10H`` in ASCII; ``Q♠'`` for an open copy; ``--`` for a hidden card."""
    if not card:
        return "--"
    card = Card(card)
    rank = "10" if card.rank == 10 else str(card)[0]
    text = rank + (SUIT_LETTERS[card.suit] if style.ascii else SIGNS[card.suit]) + "'" * card.copy
    return f"\x1b[48;5;{FACE};38;5;{COLOURS[card.suit]}m{text}\x1b[0m" if style.colour else text


def cards_text(cards: Iterable[int], style: Style) -> str:
    return " ".join([card_text(card, style) for card in cards])


def tens_as_numbers(sentence: str) -> str:
    """The sentence with tens as people write them: ``TC`` becomes ``10C``."""
    return re.sub(r"\bT(?=[CDHS]\b)", "10", sentence)


def draw_cards_in_text(sentence: str, style: Style) -> str:
    """The sentence with its cards drawn: ``peg 2 for 7S 8D`` becomes ``peg 2 for 7♠ 8♦``."""
    return SPELLED.sub(lambda match: card_text(parse_card(match[0]), style), sentence)


def number_text(count: int) -> str:
    """``three``, ``32``."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def count_text(count: int, what: str = "card") -> str:
    """``one card``, ``three cards``, ``32 cards``."""
    return f"{number_text(count)} {what}{'' if count == 1 else 's'}"


def action_text(words: str, style: Style) -> str:
    """A spelled action with its cards and suits drawn: ``8D h`` becomes ``8♦, naming hearts``."""
    shown: list[str] = []
    hidden = 0
    after_card = False
    for word in words.split():
        if word == "--":
            hidden += 1
            continue
        if is_card_word(word):
            shown.append(card_text(parse_card(word), style))
        elif word.lower() in SUIT_WORDS:
            name = Suit(SUIT_LETTERS.index(SUIT_WORDS[word.lower()].upper())).name.lower()
            if after_card:
                shown[-1] += ","
            shown.append(f"naming {name}" if after_card else name)
        else:
            shown.append(word)
        after_card = is_card_word(word)
    return " ".join([*shown, *([count_text(hidden)] if hidden else [])])


# --- a hand as its player has arranged it -----------------------------------------------------------------------------


ORDERS = {
    "suit": "by suit, then rank, alternating black and red",
    "rank": "by rank, then suit",
    "trump": "by suit, with trump on the right",
    "off": "as dealt, with the newest card on the right",
}
HIGHEST = (10, 14)  # the ranks above the kings, where tens are


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The order of a hand."""

    order: str = "suit"  # one of `ORDERS`
    cards: tuple[int, ...] = ()  # the hand from left to right; counts if `order` is "off" or `by_hand` is true
    by_hand: bool = False  # the player has moved cards; False again when the next card comes
    high_ten: bool = False  # tens above kings
    suits: tuple[Suit, ...] = ()  # from left to right; () alternates black and red
    lie: tuple[Suit, ...] = ()  # suits from left to right since the deal, so that none moves when another runs out


def usual_arrangement(key: str | None, order: str = "") -> Arrangement:
    """How a hand of this game is sorted, unless the player has an order of their own. key: of the game; order: one of
    `ORDERS`, "" for none."""
    game = GAMES.get(key or "")
    if game is None:
        return Arrangement(order or "suit")
    return Arrangement(order or game.sorted_by, high_ten=game.high_ten, suits=game.suit_order)


def update_arrangement(arrangement: Arrangement, held: Iterable[int]) -> Arrangement:
    """The arrangement once the hand holds these cards: cards that left are gone, new ones at the right. With other
    ranks of cards a hand that was moved by hand is sorted again."""
    left = Counter(held)
    stay = []
    for card in arrangement.cards:
        if left[card]:
            left[card] -= 1
            stay.append(card)
    cards = (*stay, *left.elements())
    lie = _order_suits(arrangement.lie, {Card(card).suit for card in cards if card})
    return replace(arrangement, cards=cards, by_hand=arrangement.by_hand and not left.total(), lie=lie)


def reset_arrangement(arrangement: Arrangement) -> Arrangement:
    """The arrangement for the next hand."""
    return replace(arrangement, lie=())


def freeze_arrangement(arrangement: Arrangement, trump: str = "") -> Arrangement:
    """The hand in its present order, no longer sorted. trump: name of the suit, "" for none."""
    shown = [card for group in hand_groups(arrangement, arrangement.cards, trump) for card in group]
    return replace(arrangement, order="off", cards=tuple(shown), by_hand=False)


def move_in_arrangement(arrangement: Arrangement, place: int, before: int, trump: str = "") -> Arrangement:
    """The arrangement with the card at index `place` moved before index `before`, or to the right end where that is the
    number of cards."""
    cards = freeze_arrangement(arrangement, trump).cards
    without = [*cards[:before], *cards[place : place + 1], *cards[before:]]
    del without[place + (before <= place)]
    return replace(arrangement, cards=tuple(without), by_hand=True)


def hand_groups(arrangement: Arrangement, held: Iterable[int], trump: str = "") -> list[list[Card]]:
    """The hand in order, in groups that are shown with gaps between. trump: name of the suit, "" for none."""
    hand = [Card(card) for card in held if card]
    if arrangement.order == "off" or arrangement.by_hand:
        return [[Card(card) for card in update_arrangement(arrangement, map(int, hand)).cards]] if hand else []
    if arrangement.order == "rank":
        by_rank = sorted(hand, key=lambda card: (_rank_order(card, arrangement), card.suit, card.copy))
        return _group_by_key(by_rank, lambda card: card.rank)
    present = {card.suit for card in hand}
    order = [suit for suit in arrangement.suits or _order_suits(arrangement.lie, present) if suit in present]
    if arrangement.order == "trump":
        order.sort(key=lambda suit: suit.name.lower() == trump)
    return _group_by_key(
        sorted(hand, key=lambda card: (order.index(card.suit), _rank_order(card, arrangement), card.copy)),
        lambda card: card.suit,
    )


def hand_words(grouped: Sequence[Sequence[Card]], style: Style) -> list[str]:
    """A word for each card, padded behind the last one of a group."""
    words = []
    for number, group in enumerate(grouped, 1):
        texts = [card_text(card, style) for card in group]
        words += [*texts[:-1], texts[-1] + " " * (number < len(grouped))]
    return words


# --- private ----------------------------------------------------------------------------------------------------------


def _rank_order(card: Card, arrangement: Arrangement) -> tuple[bool, int]:
    """The sort key of a card within its suit."""
    above = arrangement.high_ten and card.rank in HIGHEST
    return above, HIGHEST.index(card.rank) if above else card.rank


def _order_suits(before: tuple[Suit, ...], present: set[Suit]) -> tuple[Suit, ...]:
    """The order of the suits in the hand: as before, a new one placed so that black and red alternate most."""
    if not before:
        return tuple(_alternating_suits(present))
    for suit in sorted(present.difference(before)):
        ways = [(*before[:place], suit, *before[place:]) for place in range(len(before) + 1)]
        before = max(ways, key=_count_alternations)
    return before


def _count_alternations(suits: Sequence[Suit]) -> int:
    """How often the colour changes from suit to suit."""
    red = [suit in (Suit.DIAMONDS, Suit.HEARTS) for suit in suits]
    return sum([one != other for one, other in pairwise(red)])


def _alternating_suits(present: set[Suit]) -> list[Suit]:
    """The suits in an order in which black and red alternate as far as possible."""
    black = [suit for suit in (Suit.SPADES, Suit.CLUBS) if suit in present]
    red = [suit for suit in (Suit.HEARTS, Suit.DIAMONDS) if suit in present]
    longer, shorter = (red, black) if len(red) > len(black) else (black, red)
    return [suits[i] for i in range(2) for suits in (longer, shorter) if i < len(suits)]


def _group_by_key(hand: Sequence[Card], key: Callable[[Card], int]) -> list[list[Card]]:
    return [list(group) for _, group in groupby(hand, key)]
