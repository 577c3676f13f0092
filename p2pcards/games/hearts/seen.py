"""Hearts, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.cards.card import Card
from p2pcards.games.deals.race import ToLimit
from p2pcards.games.game import Seat
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Action, Pass, State, legal
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import read_kept, shown_voids

SKEW = 460
SKEW_OF_JACK = 350
WEIGHED = 7
"""Cards of which three to pass are chosen."""


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    choices = _to_pass(view.deal, view.deal.tricks.hands[seat]) if view.deal.passing else legal(view, seat)
    return read_kept(view, seat, choices, moves, shown_voids(view), race=_race(view))


def _race(view: State) -> ToLimit:
    """Points are losses here, so that the highest total wins."""
    options = view.options
    return ToLimit(
        [-score for score in view.scores],
        -options.end_score - (options.end_when == "exceed"),
        SKEW_OF_JACK if options.jack_of_diamonds else SKEW,
        -options.end_score if options.exact_resets else 0,
    )


def moves(action: Action) -> Sequence[int]:
    """The cards that are passed, or the one that is played."""
    return list(action.cards if isinstance(action, Pass) else (action.card,))


def _to_pass(deal: Hearts, hand: int) -> list[Pass]:
    """Three cards each of those that rules of thumb would be rid of first."""
    gladly: list[Card] = []
    while hand and len(gladly) < WEIGHED:
        gladly.append(Card(deal.burden(hand)))
        hand &= ~(1 << gladly[-1])
    return [Pass(tuple(sorted(three))) for three in combinations(gladly, 3)]
