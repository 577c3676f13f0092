"""What novices share in games of tricks whose cards count, with copies of a card: which card to play.

A novice does not count cards: what is not in its hand and not on the table, the others may hold.

Cards are as `pinochle_cards.counted_card` gives them; a share is points as a part of the most that a card counts. A
worth has no unit: only the order among the cards of one decision means something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.pinochle_cards import COUNTED, counted_card
from p2pcards.games.tricks import TrickState, cards_by_player, winning_index

LEAD = 0.1  # what it is worth to lead the next trick
TRUMP = 0.35  # what a trump is worth beyond its share
HIGH = 0.55  # what a card is worth that nobody beats
RANK = 0.02  # what each rank is worth


class Sight(NamedTuple):
    """What a novice makes of a view before it plays."""

    unseen: frozenset[Card]  # what the others may hold, as far as the player remembers; a card, if any copy of it is
    trick: tuple[Card, ...]
    trump: Suit | None
    best: Card | None  # the card that takes the trick as it lies
    friend: bool  # it lies well with the partner
    last: bool  # nobody plays later


def look_at_trick(
    view: TrickState, seat: Seat, pack: Sequence[Card], trump: Suit | None, partner: Seat | None = None
) -> Sight:
    """What a novice sees before playing to the trick. pack: with every copy; partner: whose tricks are as good as the
    seat's own."""
    trick = tuple([counted_card(slot.card) for slot in view.trick])
    place = winning_index(trick, trump) if trick else None
    seen = [*view.hands[seat].cards, *[slot.card for slot in view.trick]]
    return Sight(
        unseen=frozenset(map(counted_card, Counter(pack) - Counter(seen))),
        trick=trick,
        trump=trump,
        best=None if place is None else trick[place],
        friend=place is not None and cards_by_player(view)[place][0] == partner,
        last=len(trick) == len(view.hands) - 1,
    )


def best_of(cards: Sequence[Card], worth: Callable[[Card], float], rng: Random) -> Card:
    """The card of the highest worth; ties are broken at random."""
    return max([(worth(card), rng.random(), card) for card in cards])[2]


def shares_of_values(values: Mapping[int, int]) -> Mapping[int, float]:
    """The share of each rank as cards are counted. values: points by rank."""
    most = max(values.values())
    return {card.rank: values.get(face & 15, 0) / most for face, card in COUNTED.items()}


def counting_worth(sight: Sight, card: Card, share: Mapping[int, float]) -> float:
    """How well a card serves a player who wants the cards that count, in shares."""
    kept = RANK * card.rank + HIGH * _is_highest_left(sight, card) + TRUMP * (card.suit == sight.trump)
    if sight.best is None:
        return _lead_worth(sight, card, share) - kept
    stake = sum([share[other.rank] for other in sight.trick]) + share[card.rank]
    ours = _chance_ours(sight, card)
    return (2 * ours - 1) * stake + LEAD * ours - kept


# --- private ----------------------------------------------------------------------------------------------------------


def _takes_trick(sight: Sight, card: Card) -> bool:
    """Return whether the card would take the trick as it is now."""
    best = sight.best
    if best is None or card.suit == best.suit:
        return best is None or card > best
    return card.suit == sight.trump


def _is_highest_left(sight: Sight, card: Card) -> bool:
    """Return whether the others can hold no higher card of its suit."""
    return not any(other > card and other >> 4 == card >> 4 for other in sight.unseen)


def _chance_ours(sight: Sight, card: Card) -> float:
    """How likely the trick goes to the player or the partner after this card."""
    mine = _takes_trick(sight, card)
    if sight.last:
        return float(mine or sight.friend)
    best = card if mine else sight.best
    assert best is not None
    sure = _is_highest_left(sight, best) and not _may_be_trumped(sight, best)
    if mine or sight.friend:
        return 0.9 if sure else 0.5
    return 0.05 if sure else 0.25  # the partner may play later


def _may_be_trumped(sight: Sight, card: Card) -> bool:
    """Return whether the others hold trumps and can have few cards of this card's suit left to play."""
    if card.suit == sight.trump:
        return False
    return _unseen_in_suit(sight, card.suit) < 3 and _unseen_in_suit(sight, sight.trump) > 0


def _unseen_in_suit(sight: Sight, suit: Suit | None) -> int:
    """How many different cards of a suit the others may hold."""
    return 0 if suit is None else sum([other >> 4 == suit for other in sight.unseen])


def _lead_worth(sight: Sight, card: Card, share: Mapping[int, float]) -> float:
    """Worth of leading a card: those that nobody beats first, while they hold; otherwise what counts least."""
    trump = card.suit == sight.trump
    if _is_highest_left(sight, card) and not _may_be_trumped(sight, card):
        return 2.0 + share[card.rank] + (0.3 if trump and _unseen_in_suit(sight, sight.trump) else 0)
    return -share[card.rank]
