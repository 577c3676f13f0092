"""Oh Hell by rules of thumb: counts its sure tricks, takes until it has what it bid, and then keeps clear."""

from __future__ import annotations

from random import Random

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.oh_hell.rules import PACK, SEATS, Action, State, legal, trump_of
from p2pcards.games.playing import Play
from p2pcards.games.thumb.taking import avoiding_worth, best_of, look_at_trick, taking_worth
from p2pcards.games.tricks import Bid

ALL = frozenset(PACK)


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The bid or the card of a seat whose turn it is."""
    held = view.hands[seat].cards
    trump = trump_of(view)
    if None in view.bids:
        return Bid(_choose_bid(view, len(held), expected_tricks(held, trump)))
    cards = [action.card for action in legal(view, seat) if isinstance(action, Play)]
    if len(cards) == 1:
        return Play(cards[0])
    turned = [slot.card for slot in view.stock[:1]]  # BACK where there is no turn-up
    sight = look_at_trick(view, seat, ALL.difference(turned), trump)
    bid = view.bids[seat] or 0
    worth = taking_worth if view.deal.tricks.won[seat] < bid else avoiding_worth
    return Play(best_of(cards, lambda card: worth(sight, card), rng))


def expected_tricks(held: tuple[Card, ...], trump: Suit | None) -> float:
    """How many tricks a hand should take. The fewer cards are dealt, the fewer of the higher ones are in play."""
    each = len(held)
    absent = 1 - (SEATS - 1) * each / (52 - each)  # that a card not held is not in play
    tricks = 0.0
    for suit in Suit:
        mine = sorted([card.rank for card in held if card.suit == suit], reverse=True)
        for place, rank in enumerate(mine):
            higher = 14 - rank - place
            guarded = len(mine) - place - 1 >= higher
            wins = max(absent**higher, 0.6**higher if guarded else 0.0)
            if suit == trump:
                tricks += max(wins, 0.75 if place > 2 else 0.0)
            else:
                tricks += wins * _chance_top_card_wins(each, place, len(mine), trump)
    return max(0.0, tricks + 0.12 * (each - 4))  # long hands take tricks with small cards too


# --- private ----------------------------------------------------------------------------------------------------------


def _choose_bid(view: State, each: int, expected: float) -> int:
    """The bid nearest to what the hand should take, or next to it where the hook bars that."""
    bid = min(each, int(expected + 0.5))
    if bid != view.deal.barred_bid():
        return bid
    return bid + 1 if not bid or (bid < each and expected > bid) else bid - 1


def _chance_top_card_wins(each: int, place: int, length: int, trump: Suit | None) -> float:
    """Chance that a card nobody beats in its suit takes a trick: it is led or asked for, and nobody trumps it."""
    asked = 1 - 0.6 / each
    if trump is None:
        return asked
    return asked * max(0.1, 0.9 - 0.2 * place - 0.05 * max(0, length - 3))
