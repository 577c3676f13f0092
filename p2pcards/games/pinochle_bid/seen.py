"""Bid pinochle, read for a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, partial

from p2pcards.games.bidding import Bid, Name
from p2pcards.games.deals.pinochle_bidding import BID, BIDDING, NAMING, PASS, PLAYING, SELECTING, BiddingRules
from p2pcards.games.deals.pinochle_tricks import SUITS as MASKS
from p2pcards.games.deals.pinochle_tricks import Habits
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.pinochle_bid.deal import ACCEPT, CONCEDE, REJECT, STOCK, PinochleBid
from p2pcards.games.pinochle_bid.novice import WEIGHTS
from p2pcards.games.pinochle_bid.rules import (
    COUNT,
    HIGHEST,
    PACK,
    Accept,
    Action,
    Concede,
    Options,
    Reject,
    State,
    legal,
    open_bids,
)
from p2pcards.games.pinochle_melds import BID as VALUES
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

MARGIN = 800  # hundredths of a point that are kept in hand of an estimate
HABITS = Habits([5, 70, 100, 55, 5, 100, 30, 0, 0, 3, 90, 50, 5, 25, 100])
"""These and the margin were found by hands of rules of thumb against each other, each number by itself."""
SKEW = 520
AWAY = 5  # the place of cards that nobody plays


def read(view: State, seat: Seat) -> Reading:
    position = PinochleBid(rules_of(view.options))
    if view.trump is not None:
        position.tricks.name_trump(MASKS[view.trump])
    tricks = [] if view.trump is None else tricks_played(view, view.trump)
    replay_on_table(position.tricks, PACK, tricks)
    position.set_stage(turn=seat)
    position.tricks.begin_trick(seat)
    position.set_auction(sum(map(len, view.hands)), -1 if view.owner is None else view.owner)
    stage = SELECTING if view.selecting else BIDDING if view.owner is None else NAMING
    position.set_stage(bid=view.bid, stage=stage)
    position.set_race(ToGoal(list(view.scores), view.options.game_limit + 1, SKEW))
    if view.trump is not None:
        position.set_stage(stage=PLAYING, melds=[sum_of_items(items) for items in view.melds])
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.place_card(place, face_number(card))
    for slot in view.stock if view.selecting else ():
        if slot.card:
            position.place_card(STOCK, face_number(slot.card))
    return Reading(position, _possible_worlds(view, position, tricks), choices_of(view, seat), partial(moves, view))


def moves(view: State, action: Action) -> list[int]:
    """The moves of an action: of a bid the powers of two that make up what it is above the lowest, and then the bid."""
    match action:
        case Accept():
            return [ACCEPT]
        case Reject():
            return [REJECT]
        case Pass():
            return [PASS]
        case Bid(points=points):
            return [*powers_of_two(points - open_bids(view)[0]), BID]
        case Name(suit=suit):
            return [suit]
        case Concede():
            return [CONCEDE]
        case Play(card=card):
            return [face_number(card)]


def choices_of(view: State, seat: Seat) -> Sequence[Action]:
    """The actions to weigh: all, but of the bids only the lowest: who follows rules of thumb is not shut out by a
    higher one."""
    if view.selecting or view.owner is not None:
        return legal(view, seat)
    return (Pass(), *[Bid(points) for points in open_bids(view)[:1]])


@cache
def rules_of(options: Options) -> BiddingRules:
    weights = [round(100 * weight) for weight in WEIGHTS[options.deal]]
    values, melds = face_values(COUNT), meld_values_of(VALUES)
    return BiddingRules(options.opening_bid, HIGHEST, 1, 0, values, melds, weights, MARGIN, 0, HABITS)


def _possible_worlds(view: State, position: PinochleBid, tricks: Tricks) -> Worlds:
    """Where the cards may lie, by what was played and by the melds that were not shown."""
    unseen = Counter(PACK)
    unseen.subtract([card for held in view.hands for card in held.cards])
    unseen.subtract([card for _, cards in tricks for card in cards])
    unseen.subtract([slot.card for slot in (*view.stock, *view.laid) if slot.card])
    left = list(unseen.elements())
    barred = faces_barred(view, tricks, left, position.rules.melds, to_trump=False, to_win=())
    stock, laid = [sum([not slot.card for slot in slots]) for slots in (view.stock, view.laid)]
    rooms = [Room(seat, len(held) - len(held.cards), barred[seat]) for seat, held in enumerate(view.hands)]
    rooms += [Room(STOCK, stock), Room(AWAY, laid)] if view.selecting else [Room(AWAY, stock + laid)]
    return Worlds([face_number(card) for card in left], [room for room in rooms if room.size])
