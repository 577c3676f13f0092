"""Pinochle by rules of thumb: bids what its melds and its tricks should make, and then takes what counts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.game import Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.pinochle.rules import FORMS, SIMPLIFIED, Action, State, is_bid_won, legal, open_bids
from p2pcards.games.pinochle_cards import ACE, ORIGINAL, TEN, counted_card
from p2pcards.games.pinochle_melds import meld_points
from p2pcards.games.playing import Pass, Play
from p2pcards.games.thumb.counting import best_of, counting_worth, look_at_trick, shares_of_values

# How many points a side makes in tricks when this hand has named trump: always, for each trump, its aces, its tens,
# other aces, other tens, each card that another suit lacks of two; fitted to hands played by novices (least squares,
# standard deviation 30 of 250 and 58 of 500 points). The last is what a partner's melds are worth on average.
WEIGHTS = {
    "partnership": (68, 10, 6, 3, 10, 3, 2, 38),
    "double_pack": (101, 15, 13, 6, 15, 2, -6, 166),
}
MARGIN = {"partnership": 15, "double_pack": 50}  # what it keeps in hand of its estimate when it bids
OVER_PARTNER = 40  # how much more than its partner's bid it must see to bid higher

SHARES = {"original": shares_of_values(ORIGINAL), "simplified": shares_of_values(SIMPLIFIED)}


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The bid, the trump or the card of a seat whose turn it is."""
    if view.trump is None:
        return _choose_call(view, seat)
    plays = legal(view, seat)
    if len(plays) == 1:
        return plays[0]
    by_count = {counted_card(play.card): play.card for play in plays if isinstance(play, Play)}
    sight = look_at_trick(view, seat, view.options.form.pack, view.trump, partner_of(seat))
    share = SHARES["original" if view.options.card_values is ORIGINAL else "simplified"]
    return Play(by_count[best_of(list(by_count), lambda card: counting_worth(sight, card, share), rng)])


def expected_points(held: Sequence[Card], trump: Suit, game: str) -> float:
    """What a side should make when this hand names this trump: melds, and cards taken in tricks. game: the option."""
    ranks = [card.rank for card in held if card.suit == trump]
    others = [card for card in held if card.suit != trump]
    found = (
        1,
        len(ranks),
        ranks.count(ACE),
        ranks.count(TEN),
        sum([card.rank == ACE for card in others]),
        sum([card.rank == TEN for card in others]),
        sum([max(0, 2 - sum([card.suit == suit for card in others])) for suit in SUITS if suit != trump]),
        1,
    )
    made = sum([weight * number for weight, number in zip(WEIGHTS[game], found, strict=True)])
    return made + meld_points(FORMS[game].melds(held, trump))


# --- private ----------------------------------------------------------------------------------------------------------


def _choose_call(view: State, seat: Seat) -> Action:
    """The best trump to name, or the lowest bid as long as that trump should make it, else a pass."""
    held, game = view.hands[seat].cards, view.options.game
    worth_of = {suit: expected_points(held, suit, game) for suit in SUITS}
    best = max(SUITS, key=worth_of.__getitem__)
    if is_bid_won(view):
        return Name(best)
    spare = OVER_PARTNER if view.bidder == partner_of(seat) else 0
    bids = open_bids(view)
    return Bid(bids[0]) if bids and bids[0] + spare <= worth_of[best] - MARGIN[game] else Pass()
