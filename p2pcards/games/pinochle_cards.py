"""The cards of pinochle, as functions that its games call: A T K Q J 9 8 7, two or four of each card in a pack.

Sources of the rules: rule sheets 10 to 13. A card may carry a number among open copies; nothing here looks at it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from p2pcards.cards.card import BACK, SUITS, Card, Suit
from p2pcards.cards.eyes import Slot
from p2pcards.games.tricks import cards_of_suit, winning_index

NINE, TEN, JACK, QUEEN, KING, ACE = 9, 10, 11, 12, 13, 14
ASCENDING = (7, 8, NINE, JACK, QUEEN, KING, TEN, ACE)
ORIGINAL = {ACE: 11, TEN: 10, KING: 4, QUEEN: 3, JACK: 2}  # card points by rank, others 0: 240 in 48 cards
COUNTED: dict[int, Card] = {Card.of(ASCENDING[i], suit): Card.of(7 + i, suit) for suit in SUITS for i in range(8)}


def counted_card(card: Card) -> Card:
    """The card as which a card counts in play: of the same suit and so ranked, from 7 to 14 (K 12, T 13, A 14), that
    the higher card has the higher rank. Equal cards count as one; a card face down counts as itself."""
    return COUNTED[card & 63] if card else BACK


def winning_place(trick: Sequence[Card], trump: Suit | None) -> int:
    """The index (0 = leader) of the card that takes the trick: the highest trump, else the highest of the suit led; of
    equal cards the first."""
    return winning_index([counted_card(card) for card in trick], trump)


def playable(
    held: Iterable[Card], trick: Sequence[Slot], trump: Suit, *, to_trump: bool, to_win: Collection[Suit]
) -> tuple[list[Card], str]:
    """Those of the cards held that may be played, and the rule that bars the others. The suit led must be followed.

    to_trump: a player void of it must trump if they can. to_win: the suits that, when led, must be beaten by all who
    can: within the suit, or, for those who must trump, the highest trump of the trick. A card of the suit led cannot
    win once the trick is trumped, so then any may follow.
    """
    cards = list(held)
    if not trick:
        return cards, ""
    led, best = trick[0].card.suit, trick[winning_place([slot.card for slot in trick], trump)].card
    asked, rule = cards_of_suit(cards, led), f"you must follow {led.name.lower()}"
    if not asked and to_trump:
        asked, rule = cards_of_suit(cards, trump), "you must trump"
    if asked and led in to_win and asked[0].suit == best.suit:
        high = counted_card(best)
        asked = [card for card in asked if counted_card(card) > high] or asked
        rule = f"{rule}, and beat {best} if you can"
    return asked or cards, rule


def points_of_values(cards: Iterable[Card], values: Mapping[int, int]) -> int:
    """Points of some cards. values: points by rank, 0 for ranks left out, such as `ORIGINAL`."""
    return sum([values.get(card.rank, 0) for card in cards])


def not_in_pack_reason(card: Card) -> str:
    """The sentence that refuses a card that this pack does not have."""
    return f"there's no {card} in this pack"


def highest_bid_reason(bid: int) -> str:
    """The sentence that refuses a bid above the highest one."""
    return f"nobody can bid more than {bid}, so pass"
