"""What novices share in games of tricks whose cards count, with copies of a card: which card to play.

Cards are as `pinochle_cards.counted` gives them; a share is points as a part of the most that a card counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.pinochle_cards import COUNTED, counted
from p2pcards.games.thumb.taking import Sight, beats, is_high, look
from p2pcards.games.tricks import TrickState

LEAD = 0.1  # what it is worth to lead the next trick
TRUMP = 0.35  # what a trump is worth beyond its share
HIGH = 0.55  # what a card is worth that nobody beats
RANK = 0.02  # what each rank is worth


def look_at_copies(
    view: TrickState, seat: Seat, pack: Sequence[Card], trump: Suit | None, partner: Seat | None = None
) -> Sight:
    """As `look`; of a card with copies one is unseen as long as not all are seen. pack: with every copy."""
    seen = [*view.hands[seat].cards, *[slot.card for slot in view.trick]]
    unseen = frozenset(map(counted, Counter(pack) - Counter(seen)))
    return look(view, seat, (), trump, partner, counted=counted)._replace(unseen=unseen)


def shares(values: Mapping[int, int]) -> Mapping[int, float]:
    """The share of each rank as cards are counted. values: points by rank."""
    most = max(values.values())
    return {card.rank: values.get(face & 15, 0) / most for face, card in COUNTED.items()}


def worth(sight: Sight, card: Card, share: Mapping[int, float]) -> float:
    """How well a card serves a player who wants the cards that count, in shares."""
    kept = RANK * card.rank + HIGH * is_high(sight, card) + TRUMP * (card.suit == sight.trump)
    if sight.best is None:
        return _lead(sight, card, share) - kept
    stake = sum([share[other.rank] for other in sight.trick]) + share[card.rank]
    ours = _ours(sight, card)
    return (2 * ours - 1) * stake + LEAD * ours - kept


# --- private ----------------------------------------------------------------------------------------------------------


def _ours(sight: Sight, card: Card) -> float:
    """How likely the trick is ours with this card, the player's or the partner's."""
    mine = beats(sight, card)
    if sight.last:
        return float(mine or sight.friend)
    best = card if mine else sight.best
    assert best is not None
    sure = is_high(sight, best) and not _may_be_trumped(sight, best)
    if mine or sight.friend:
        return 0.9 if sure else 0.5
    return 0.05 if sure else 0.25  # the partner may play later


def _may_be_trumped(sight: Sight, card: Card) -> bool:
    """Whether the others can hold few cards of its suit to be played to it, and hold trumps."""
    if card.suit == sight.trump:
        return False
    return _left(sight, card.suit) < 3 and _left(sight, sight.trump) > 0


def _left(sight: Sight, suit: Suit | None) -> int:
    """How many different cards of a suit the others may hold."""
    return 0 if suit is None else sum([other >> 4 == suit for other in sight.unseen])


def _lead(sight: Sight, card: Card, share: Mapping[int, float]) -> float:
    """Cards that nobody beats, while they hold; else what counts least."""
    trump = card.suit == sight.trump
    if is_high(sight, card) and not _may_be_trumped(sight, card):
        return 2.0 + share[card.rank] + (0.3 if trump and _left(sight, sight.trump) else 0)
    return -share[card.rank]
