"""Bid pinochle by rules of thumb: keeps cards that make melds or tricks, bids what they should make, and then takes
what counts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import Card, Suit
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Seat
from p2pcards.games.pinochle_bid.rules import (
    COUNT,
    PACK,
    Accept,
    Action,
    Concede,
    Reject,
    State,
    legal,
    nameable_suits,
    open_bids,
)
from p2pcards.games.pinochle_cards import ACE, KING, QUEEN, TEN, counted_card
from p2pcards.games.pinochle_melds import PINOCHLE, bid_melds, meld_points
from p2pcards.games.playing import Pass, Play
from p2pcards.games.thumb.counting import best_of, counting_worth, look_at_trick, shares_of_values

SHARE = shares_of_values(COUNT)
# How many points a hand that has named trump makes in tricks, by how cards are dealt: always, for each trump, the ace
# and the ten of trumps, other aces and tens; fitted to hands played by novices (least squares, standard deviation 2).
WEIGHTS = {"automatic": (1.0, 0.65, 1.0, 0.65, 1.1, 0.45), "selection": (0.0, 1.2, 0.75, 0.55, 1.4, 0.25)}
MARGIN = 2.0  # what it keeps in hand of its estimate when it bids; best in games among novices


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    held = view.hands[seat].cards
    if view.selecting:
        return Accept() if _is_wanted(held, view.stock[0].card) else Reject()
    if view.trump is None:
        return _choose_call(view, held)
    plays = legal(view, seat)
    if len(plays) == 1:
        return plays[0]
    by_count = {counted_card(play.card): play.card for play in plays if isinstance(play, Play)}
    sight = look_at_trick(view, seat, PACK, view.trump)
    return Play(by_count[best_of(list(by_count), lambda card: counting_worth(sight, card, SHARE), rng)])


def expected_points(held: Sequence[Card], trump: Suit, deal: str) -> float:
    """What a hand should make that names this trump: its melds, and the cards that it takes. deal: the option."""
    ranks = [card.rank for card in held if card.suit == trump]
    others = [card.rank for card in held if card.suit != trump]
    found = (1, len(ranks), ranks.count(ACE), ranks.count(TEN), others.count(ACE), others.count(TEN))
    made = sum([weight * number for weight, number in zip(WEIGHTS[deal], found, strict=True)])
    return made + meld_points(bid_melds(held, trump))


# --- private ----------------------------------------------------------------------------------------------------------


def _choose_call(view: State, held: Sequence[Card]) -> Action:
    """The best trump to name, or the lowest bid as long as that trump should make it, else a pass."""
    worth_of = {suit: expected_points(held, suit, view.options.deal) for suit in nameable_suits(held)}
    if view.owner is not None:
        return Name(max(worth_of, key=worth_of.__getitem__)) if worth_of else Concede()
    bids = open_bids(view)
    return Bid(bids[0]) if bids and bids[0] <= max(worth_of.values(), default=0) - MARGIN else Pass()


def _is_wanted(held: Sequence[Card], card: Card) -> bool:
    """Return whether a card counts, or makes a marriage or a pinochle with one that is held."""
    mates = [mate for mate in PINOCHLE if card in PINOCHLE and mate != card]
    if card.rank == QUEEN:
        mates.append(Card.of(KING, card.suit))
    return card.rank in COUNT or any(mate in held for mate in mates)
