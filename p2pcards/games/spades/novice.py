"""Spades by rules of thumb: counts its tricks, bids Nil on a harmless hand, and then takes what it can."""

from __future__ import annotations

from random import Random

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.partners import partner
from p2pcards.games.playing import Play
from p2pcards.games.spades.rules import PACK, Action, Bid, Pass, State, is_nil, legal
from p2pcards.games.thumb.taking import Sight, avoid, best_of, look, take

ALL = frozenset(PACK)


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The bid, the exchange or the card of a seat whose turn it is."""
    held = view.hands[seat].cards
    if None in view.bids:
        return Bid(int(view.deal.thumb_bid()))
    if view.passed:
        return Pass(_given(held, is_nil(view.options, view.bids[seat]), rng))
    cards = [action.card for action in legal(view, seat) if isinstance(action, Play)]
    if len(cards) == 1:
        return Play(cards[0])
    friend = partner(seat) if view.options.team_play else None
    if friend is not None and _tries_nil(view, friend):
        friend = None  # a partner who bid nil is to get rid of the trick
    sight = look(view, seat, ALL, Suit.SPADES, friend)
    worth = avoid if _tries_nil(view, seat) or _breaks_a_nil(view, seat, sight) or _has_made(view, seat) else take
    return Play(best_of(cards, lambda card: worth(sight, card), rng))


# --- private ----------------------------------------------------------------------------------------------------------


def _tries_nil(view: State, seat: Seat) -> bool:
    """Whether a seat has bid nil and taken no trick yet."""
    return is_nil(view.options, view.bids[seat]) and not view.deal.tricks.taken[seat]


def _breaks_a_nil(view: State, seat: Seat, sight: Sight) -> bool:
    """Whether the trick lies with an opponent who is to take none."""
    taker = sight.taker
    if taker is None or (view.options.team_play and taker == partner(seat)):
        return False
    return _tries_nil(view, taker)


def _has_made(view: State, seat: Seat) -> bool:
    """Whether its side has what it bid where bags cost something, and all have bid so little that the others are hardly
    set by another."""
    options, bids, won = view.options, view.bids, view.deal.tricks.won
    if not options.bag_penalty or sum([bid or 0 for bid in bids]) >= len(PACK) // len(bids):
        return False
    side = (seat, partner(seat)) if options.team_play else (seat,)
    return sum([won[one] - (bids[one] or 0) for one in side if not is_nil(options, bids[one])]) >= 0


def _given(held: tuple[Card, ...], nil: bool, rng: Random) -> tuple[Card, ...]:
    """Nil gives away what could take a trick; the partner gives Nil small cards of suits that are soon a void."""

    def burden(card: Card) -> float:
        length = sum([other.suit == card.suit for other in held])
        if nil:
            return card.rank - length + 8 * (card.suit == Suit.SPADES)
        return -card.rank - length - 20 * (card.suit == Suit.SPADES)

    order = sorted([(-burden(card), rng.random(), card) for card in held])
    return tuple(sorted([card for _, _, card in order[:3]]))
