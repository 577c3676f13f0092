"""Auction pitch, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.auction_pitch.deal import PASS, PitchWorlds
from p2pcards.games.auction_pitch.rules import SEATS, Action, State, legal
from p2pcards.games.bidding import Bid
from p2pcards.games.deals.race import ToGoal
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat
from p2pcards.games.playing import Pass, Play
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import played_by_seat, reading_of_kept_deal, void_masks

SKEW = 1200


def read(view: State, seat: Seat) -> Reading:
    race = ToGoal(list(view.scores), int(view.options.winning_score), SKEW)
    spoken = [view.bids[(int(view.deal.dealer) + place) % SEATS] for place in range(1, SEATS + 1)]
    bids = [bid for bid in spoken if bid is not None]

    def worlds(unseen: list[int], rooms: list[Room]) -> Worlds:
        return PitchWorlds(unseen, rooms, bids, played_by_seat(view))

    return reading_of_kept_deal(
        view, seat, legal(view, seat), moves, void_masks(view, free=view.trump), worlds, race=race
    )


def moves(action: Action) -> Sequence[int]:
    """The moves of the search that make up this action, in order."""
    match action:
        case Pass():
            return [PASS]
        case Bid(points=points):
            return [points]
        case Play(card=card):
            return [card]
