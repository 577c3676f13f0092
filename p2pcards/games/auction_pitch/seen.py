"""Auction pitch, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import BACK, Card
from p2pcards.games.auction_pitch.deal import PASS, STOCK, AuctionPitch, AuctionPitchRules
from p2pcards.games.auction_pitch.rules import PACK, SEATS, Action, Bid, Options, Pass, Play, State, legal
from p2pcards.games.deals.tricks import NOBODY, SUITS
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import replay, tricks_of, unplay, voids

Tricks = list[tuple[Seat, tuple[Card, ...]]]


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    tricks = tricks_of(view, view.trump)
    position = _position(view, tricks)
    position.stand(turn=seat)
    position.tricks.begin(seat)
    start = _position(view, [])
    start.stand(turn=tricks[0][0])
    start.tricks.begin(tricks[0][0])
    played = unplay(start, tricks)
    return Reading(position, _worlds(view, tricks), legal(view, seat), moves, start, played)


def moves(action: Action) -> Sequence[int]:
    match action:
        case Pass():
            return [PASS]
        case Bid(points=points):
            return [points]
        case Play(card=card):
            return [card]


def rules_of(options: Options) -> AuctionPitchRules:
    return AuctionPitchRules(
        options.low_point == "dealt", options.dealer_can_match, options.maker_min_two, options.stick_dealer
    )


def _position(view: State, tricks: Tricks) -> AuctionPitch:
    assert view.dealer is not None
    position = AuctionPitch(rules_of(view.options), view.dealer)
    position.stand(bidding=view.pitcher is None)
    for i in range(1, SEATS + 1):
        seat = (view.dealer + i) % SEATS
        if bid := view.bids[seat]:
            position.stand(bid=bid, pitcher=seat)
    if view.trump is not None and tricks:
        position.trump(view.trump)
        position.stand(
            low=min([card for _, cards in tricks for card in cards if card.suit == view.trump]),
            low_seat=NOBODY if view.low is None else view.low,
        )
    replay(position.tricks, tricks)
    for place, held in enumerate(view.hands):
        for card in held.cards:
            position.hold(place, card)
    return position


def _worlds(view: State, tricks: Tricks) -> Worlds:
    known = [card for held in view.hands for card in held.cards] + [slot.card for slot in view.stock]
    fallen = [card for _, cards in tricks for card in cards]
    unseen = [int(card) for card in PACK if card not in known and card not in fallen]
    shown = voids(tricks, SEATS, free=view.trump)
    rooms = [
        Room(other, len(held) - len(held.cards), sum([SUITS[suit] for suit in shown[other]]))
        for other, held in enumerate(view.hands)
    ]
    rooms.append(Room(STOCK, known.count(BACK)))
    return Worlds(unseen, [room for room in rooms if room.size])
