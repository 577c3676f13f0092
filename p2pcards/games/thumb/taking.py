"""What novices share in games of tricks: a look at the trick, and how to take tricks or keep clear of them.

A novice does not count cards: what is not in its hand, on the table or open beside it, the others may hold.
A worth has no unit: only the order among the cards of one decision means something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.tricks import TrickState, cards_by_player, winning_index


class Sight(NamedTuple):
    """What a novice makes of a view before it plays."""

    held: tuple[Card, ...]
    unseen: frozenset[Card]  # what the others may hold, as far as the player remembers
    trick: tuple[Card, ...]
    trump: Suit | None
    best: Card | None  # the card that takes the trick as it lies
    taker: Seat | None  # who played it
    friend: bool  # it lies well with the partner
    last: bool  # nobody plays later


def look_at_trick(
    view: TrickState,
    seat: Seat,
    pack: Iterable[Card],
    trump: Suit | None,
    partner: Seat | None = None,
    *,
    counted: Callable[[Card], Card] = lambda card: card,
    out: Seat | None = None,
) -> Sight:
    """What a novice sees before playing to the trick. pack: every card that may be in play, less what lies open beside
    the trick. partner: whose tricks are as good as the seat's own. counted: as which card a card counts, where trumps
    rank otherwise; the pack and all that is seen are such cards. out: who sits this hand out."""
    held = tuple([counted(card) for card in view.hands[seat].cards])
    trick = tuple([counted(slot.card) for slot in view.trick])
    place = winning_index(trick, trump) if trick else None
    taker = None if place is None else cards_by_player(view, out)[place][0]
    return Sight(
        held=held,
        unseen=frozenset(pack).difference(held, trick),
        trick=trick,
        trump=trump,
        best=None if place is None else trick[place],
        taker=taker,
        friend=taker is not None and taker == partner,
        last=len(trick) == len(view.hands) - 1 - (out is not None),
    )


def best_of(cards: Sequence[Card], worth: Callable[[Card], float], rng: Random) -> Card:
    """The card of the highest worth; ties are broken at random."""
    return max([(worth(card), rng.random(), card) for card in cards])[2]


def takes_trick(sight: Sight, card: Card) -> bool:
    """Return whether the card would take the trick as it is now."""
    best = sight.best
    if best is None or card.suit == best.suit:
        return best is None or card > best
    return card.suit == sight.trump


def is_highest_left(sight: Sight, card: Card) -> bool:
    """Return whether the others can hold no higher card of its suit."""
    return not any(other > card and other >> 4 == card >> 4 for other in sight.unseen)


def taking_worth(sight: Sight, card: Card) -> float:
    """How well a card serves a player who wants every trick for themselves or for their partner."""
    if sight.best is None:
        return _lead_worth(sight, card)
    price = _cost_of_parting(sight, card)
    if sight.friend and (sight.last or is_highest_left(sight, sight.best)):
        return 100 - price
    if not takes_trick(sight, card):
        return 60 - price
    ruff = card.suit != sight.trick[0].suit
    if sight.last or ruff or (is_highest_left(sight, card) and not _is_likely_trumped(sight)):
        return (80 if sight.friend and ruff else 200) - price
    return 100 + card.rank if len(sight.trick) == 2 else 50 - price  # third hand high, second low


def avoiding_worth(sight: Sight, card: Card) -> float:
    """How well a card serves a player who wants no trick: high ones go where they do not take, low ones are led."""
    rank, trump = card.rank, card.suit == sight.trump
    if sight.best is None:
        lower = sum([other < card and other >> 4 == card >> 4 for other in sight.unseen])
        return -rank - 2 * lower - 10 * trump
    if not takes_trick(sight, card):
        return 200 + rank + 15 * trump
    return 100 + rank if sight.last else 50 - rank - 15 * trump


# --- private ----------------------------------------------------------------------------------------------------------


def _cost_of_parting(sight: Sight, card: Card) -> float:
    """What it costs to part with a card: its rank, more for a trump, a little less where a suit is soon void."""
    length = sum([other >> 4 == card >> 4 for other in sight.held])
    return card.rank + length / 4 + 18 * (card.suit == sight.trump)


def _is_likely_trumped(sight: Sight) -> bool:
    """Return whether somebody is likely to trump the suit led: the others hold trumps and can hold few of it."""
    led = sight.trick[0].suit if sight.trick else None
    return led != sight.trump and _unseen_in_suit(sight, led) < 3 and _unseen_in_suit(sight, sight.trump) > 0


def _unseen_in_suit(sight: Sight, suit: Suit | None) -> int:
    return 0 if suit is None else sum([other >> 4 == suit for other in sight.unseen])


def _lead_worth(sight: Sight, card: Card) -> float:
    """Worth of leading a card for a player who wants tricks: those that nobody beats first, as long as the others can
    follow; else low from a long suit."""
    length = sum([other >> 4 == card >> 4 for other in sight.held])
    trumps = _unseen_in_suit(sight, sight.trump)
    if card.suit == sight.trump:
        if is_highest_left(sight, card):
            return 45 + length if trumps else 10
        return length - card.rank - (10 if trumps else 0)
    if is_highest_left(sight, card):
        return 60 - length if not trumps or _unseen_in_suit(sight, card.suit) >= 5 else 25
    return 2 * length - card.rank
