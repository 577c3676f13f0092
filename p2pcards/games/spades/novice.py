"""Spades by rules of thumb: counts its tricks, bids Nil on a harmless hand, and then takes what it can."""

from __future__ import annotations

from random import Random

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play
from p2pcards.games.spades.rules import PACK, Action, State, is_nil, legal
from p2pcards.games.thumb.taking import Sight, avoiding_worth, best_of, look_at_trick, taking_worth
from p2pcards.games.tricks import Bid

ALL = frozenset(PACK)


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The bid, the exchange or the card of a seat whose turn it is."""
    held = view.hands[seat].cards
    if None in view.bids:
        return Bid(int(view.deal.rule_of_thumb_bid()))
    if view.passed:
        return Pass(_cards_to_pass(held, is_nil(view.options, view.bids[seat]), rng))
    cards = [action.card for action in legal(view, seat) if isinstance(action, Play)]
    if len(cards) == 1:
        return Play(cards[0])
    friend = partner_of(seat) if view.options.team_play else None
    if friend is not None and _is_keeping_nil(view, friend):
        friend = None  # a partner who bid nil is to get rid of the trick
    sight = look_at_trick(view, seat, ALL, Suit.SPADES, friend)
    worth = (
        avoiding_worth
        if _is_keeping_nil(view, seat) or _would_break_nil(view, seat, sight) or _has_safe_contract(view, seat)
        else taking_worth
    )
    return Play(best_of(cards, lambda card: worth(sight, card), rng))


# --- private ----------------------------------------------------------------------------------------------------------


def _is_keeping_nil(view: State, seat: Seat) -> bool:
    """Return whether a seat has bid nil and taken no trick yet."""
    return is_nil(view.options, view.bids[seat]) and not view.deal.tricks.taken[seat]


def _would_break_nil(view: State, seat: Seat, sight: Sight) -> bool:
    """Return whether an opponent who has bid nil is winning the trick."""
    taker = sight.taker
    if taker is None or (view.options.team_play and taker == partner_of(seat)):
        return False
    return _is_keeping_nil(view, taker)


def _has_safe_contract(view: State, seat: Seat) -> bool:
    """Return whether the seat's side has what it bid where bags cost, and all have bid so little that the others are
    hardly set by another."""
    options, bids, won = view.options, view.bids, view.deal.tricks.won
    if not options.bag_penalty or sum([bid or 0 for bid in bids]) >= len(PACK) // len(bids):
        return False
    side = (seat, partner_of(seat)) if options.team_play else (seat,)
    return sum([won[one] - (bids[one] or 0) for one in side if not is_nil(options, bids[one])]) >= 0


def _cards_to_pass(held: tuple[Card, ...], nil: bool, rng: Random) -> tuple[Card, ...]:
    """The three cards to pass: Nil gives away what could take a trick; the partner gives Nil small cards of suits soon
    void."""

    def burden(card: Card) -> float:
        length = sum([other.suit == card.suit for other in held])
        if nil:
            return card.rank - length + 8 * (card.suit == Suit.SPADES)
        return -card.rank - length - 20 * (card.suit == Suit.SPADES)

    order = sorted([(-burden(card), rng.random(), card) for card in held])
    return tuple(sorted([card for _, _, card in order[:3]]))
