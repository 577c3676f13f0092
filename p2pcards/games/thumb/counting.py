"""What novices share in games of tricks whose cards count, with copies of a card: which card to play.

Cards are as `pinochle_cards.counted_card` gives them; a share is points as a part of the most that a card counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.pinochle_cards import COUNTED, counted_card
from p2pcards.games.thumb.taking import Sight, is_highest_left, look_at_trick, takes_trick
from p2pcards.games.tricks import TrickState

LEAD = 0.1  # what it is worth to lead the next trick
TRUMP = 0.35  # what a trump is worth beyond its share
HIGH = 0.55  # what a card is worth that nobody beats
RANK = 0.02  # what each rank is worth


def look_counting_copies(
    view: TrickState, seat: Seat, pack: Sequence[Card], trump: Suit | None, partner: Seat | None = None
) -> Sight:
    """Like `look_at_trick`; a card is unseen until all its copies are seen. pack: with every copy."""
    seen = [*view.hands[seat].cards, *[slot.card for slot in view.trick]]
    unseen = frozenset(map(counted_card, Counter(pack) - Counter(seen)))
    return look_at_trick(view, seat, (), trump, partner, counted=counted_card)._replace(unseen=unseen)


def shares_of_values(values: Mapping[int, int]) -> Mapping[int, float]:
    """The share of each rank as cards are counted. values: points by rank."""
    most = max(values.values())
    return {card.rank: values.get(face & 15, 0) / most for face, card in COUNTED.items()}


def counting_worth(sight: Sight, card: Card, share: Mapping[int, float]) -> float:
    """How well a card serves a player who wants the cards that count, in shares."""
    kept = RANK * card.rank + HIGH * is_highest_left(sight, card) + TRUMP * (card.suit == sight.trump)
    if sight.best is None:
        return _lead_worth(sight, card, share) - kept
    stake = sum([share[other.rank] for other in sight.trick]) + share[card.rank]
    ours = _chance_ours(sight, card)
    return (2 * ours - 1) * stake + LEAD * ours - kept


# --- private ----------------------------------------------------------------------------------------------------------


def _chance_ours(sight: Sight, card: Card) -> float:
    """How likely the trick goes to the player or the partner after this card."""
    mine = takes_trick(sight, card)
    if sight.last:
        return float(mine or sight.friend)
    best = card if mine else sight.best
    assert best is not None
    sure = is_highest_left(sight, best) and not _may_be_trumped(sight, best)
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
    if is_highest_left(sight, card) and not _may_be_trumped(sight, card):
        return 2.0 + share[card.rank] + (0.3 if trump and _unseen_in_suit(sight, sight.trump) else 0)
    return -share[card.rank]
