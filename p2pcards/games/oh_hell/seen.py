"""Oh hell, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.deals.race import Series
from p2pcards.games.deals.taking import BiddenWorlds
from p2pcards.games.game import Seat
from p2pcards.games.oh_hell.rules import SEATS, Action, State, legal, number_of_deals
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import reading_of_kept_deal
from p2pcards.games.tricks import Bid

SKEW = 280
NEAR = 2
"""How far from the bid by rules of thumb another bid is weighed."""


def read(view: State, seat: Seat) -> Reading:
    deal = view.deal
    choices: Sequence[Action] = legal(view, seat)
    if deal.bidden < SEATS:
        likely = int(deal.rule_of_thumb_bid())
        choices = [bid for bid in choices if isinstance(bid, Bid) and abs(bid.tricks - likely) <= NEAR]
    else:
        differ = deal.tricks.distinct_cards(deal.legal_moves())
        choices = [play for play in choices if differ >> moves(play)[0] & 1]
    number = number_of_deals(view.options)
    race = Series(list(view.scores), number - view.hand, number, SKEW)
    return reading_of_kept_deal(view, seat, choices, moves, deal.tricks.void, BiddenWorlds, race=race)


def moves(action: Action) -> Sequence[int]:
    """The bid, or the card that is played."""
    return [action.tricks if isinstance(action, Bid) else action.card]
