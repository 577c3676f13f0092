"""Pinochle for four, read for a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, partial

from p2pcards.cards.card import SUITS
from p2pcards.games.bidding import Bid, Name
from p2pcards.games.deals.pinochle_bidding import BID, BIDDING, NAMING, PASS, PLAYING, BiddingRules
from p2pcards.games.deals.pinochle_tricks import SUITS as MASKS
from p2pcards.games.deals.pinochle_tricks import Habits
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.pinochle.deal import Pinochle
from p2pcards.games.pinochle.novice import WEIGHTS
from p2pcards.games.pinochle.rules import STEP, Action, Options, State, is_bid_won, legal, open_bids
from p2pcards.games.pinochle_melds import DOUBLE, PARTNERSHIP
from p2pcards.games.playing import Pass, Play
from p2pcards.games.seen.pinochle_cards import (
    Tricks,
    face_number,
    face_values,
    faces_barred,
    meld_values_of,
    powers_of_two,
    replay_on_table,
    tricks_played,
)
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import return_played_cards

MARGIN = {"partnership": 35, "double_pack": 130}  # what is kept in hand of an estimate
NEAR = {"partnership": 20, "double_pack": 60}  # how far from the last bid to be made both are thought about
OVER_PARTNER = {"partnership": 25, "double_pack": 40}  # how much more than the partner's bid must be seen
HABITS = {
    "partnership": Habits([5, 70, 0, 130, 6, 100, -60, 80, 40, 2, 80, 50, 5, 25, 150]),
    "double_pack": Habits([10, 20, 75, 80, 2, 100, 30, 0, 0, 3, 90, 50, 5, 25, 0]),
}
"""These and the margins were found by hands of rules of thumb against each other, each number by itself: 33 and 56
points a hand better than those of the novice."""
SKEW = {"partnership": 180, "double_pack": 103}

MELDS = {"partnership": PARTNERSHIP, "double_pack": DOUBLE}


def read(view: State, seat: Seat) -> Reading:
    tricks = [] if view.trump is None else tricks_played(view, view.trump)
    position = _position_without_hands(view, tricks)
    position.set_stage(turn=seat)
    position.tricks.begin_trick(seat)
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.place_card(place, face_number(card))
    position.set_race(ToGoal(list(view.scores[:2]), view.options.winning_score, SKEW[view.options.game]))
    worlds, choices = _possible_worlds(view, position, tricks), choices_of(view, seat, position)
    if not tricks:
        return Reading(position, worlds, choices, partial(moves, view))
    start = _position_without_hands(view, [])
    start.set_stage(turn=tricks[0][0])
    start.tricks.begin_trick(tricks[0][0])
    cards = return_played_cards(start, tricks, number=face_number)
    return Reading(position, worlds, choices, partial(moves, view), start, cards)


def moves(view: State, action: Action) -> list[int]:
    """The moves of an action: of a bid the powers of two that make up the steps above the lowest, and then the bid."""
    match action:
        case Pass():
            return [PASS]
        case Bid(points=points):
            return [*powers_of_two((points - open_bids(view)[0]) // STEP), BID]
        case Name(suit=suit):
            return [suit]
        case Play(card=card):
            return [face_number(card)]


def choices_of(view: State, seat: Seat, position: Pinochle) -> Sequence[Action]:
    """The actions to weigh; of the bids only the lowest: who follows rules of thumb is not shut out by a higher one. It
    or the pass alone where these are far apart, as hands won and set differ so much that few playouts would often
    overbid."""
    if view.bidder is not None and is_bid_won(view):
        return legal(view, seat)
    bids, near = open_bids(view), NEAR[view.options.game]
    spare = position.bidding_room()
    if not bids or spare < -near:
        return (Pass(),)
    return (Bid(bids[0]),) if spare > near else (Pass(), Bid(bids[0]))


@cache
def rules_of(options: Options) -> BiddingRules:
    form, game = options.form, options.game
    return BiddingRules(
        form.lowest,
        form.highest,
        STEP,
        form.last_trick,
        face_values(options.card_values),
        meld_values_of(MELDS[game]),
        list(WEIGHTS[game]),
        MARGIN[game],
        OVER_PARTNER[game],
        HABITS[game],
    )


def _position_without_hands(view: State, tricks: Tricks) -> Pinochle:
    """The hand for a search, with empty hands."""
    position = Pinochle(rules_of(view.options))
    if view.trump is not None:
        position.tricks.name_trump(MASKS[view.trump])
    replay_on_table(position.tricks, view.options.form.pack, tricks)
    position.set_auction(list(view.passed), -1 if view.bidder is None else view.bidder)
    position.set_stage(bid=view.bid, stage=NAMING if is_bid_won(view) else BIDDING)
    if view.trump is not None:
        position.set_stage(stage=PLAYING, melds=[sum_of_items(items) for items in view.melds])
    return position


def _possible_worlds(view: State, position: Pinochle, tricks: Tricks) -> Worlds:
    """Where the cards may lie, by what was played and by the melds that were not shown."""
    unseen = Counter(view.options.form.pack)
    unseen.subtract([card for held in view.hands for card in held.cards])
    unseen.subtract([card for _, cards in tricks for card in cards])
    left = list(unseen.elements())
    barred = faces_barred(view, tricks, left, position.rules.melds, to_trump=True, to_win=SUITS)
    rooms = [Room(seat, len(held) - len(held.cards), barred[seat]) for seat, held in enumerate(view.hands)]
    return Worlds([face_number(card) for card in left], [room for room in rooms if room.size])
