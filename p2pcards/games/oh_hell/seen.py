"""Oh hell, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.deals.race import Series
from p2pcards.games.deals.taking import BiddenWorlds
from p2pcards.games.game import Seat
from p2pcards.games.oh_hell.rules import SEATS, Action, Bid, State, deals, legal
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import read_kept

SKEW = 280
NEAR = 2
"""How far from the bid by rules of thumb another bid is weighed."""


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a deal in which it owes an action."""
    deal = view.deal
    choices: Sequence[Action] = legal(view, seat)
    if deal.bidden < SEATS:
        likely = int(deal.thumb_bid())
        choices = [bid for bid in choices if isinstance(bid, Bid) and abs(bid.tricks - likely) <= NEAR]
    else:
        differ = deal.tricks.distinct(deal.moves())
        choices = [play for play in choices if differ >> moves(play)[0] & 1]
    number = deals(view.options)
    race = Series(list(view.scores), number - view.hand, number, SKEW)
    return read_kept(view, seat, choices, moves, deal.tricks.void, BiddenWorlds, race=race)


def moves(action: Action) -> Sequence[int]:
    """The bid, or the card that is played."""
    return [action.tricks if isinstance(action, Bid) else action.card]
