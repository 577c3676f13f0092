"""Hearts, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.cards.card import Card
from p2pcards.games.deals.race import ToLimit
from p2pcards.games.game import Seat
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Action, State, legal
from p2pcards.games.passing import Pass
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import reading_of_kept_deal, void_masks

SKEW = 460
SKEW_OF_JACK = 350
WEIGHED = 7
"""Cards of which three to pass are chosen."""


def read(view: State, seat: Seat) -> Reading:
    choices = _likely_passes(view.deal, view.deal.tricks.hands[seat]) if view.deal.passing else legal(view, seat)
    return reading_of_kept_deal(view, seat, choices, moves, void_masks(view), race=_race_of_game(view))


def _race_of_game(view: State) -> ToLimit:
    """The game as a race; points are losses here, so that the highest total wins."""
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


def _likely_passes(deal: Hearts, hand: int) -> list[Pass]:
    """Passes of three cards each from those that rules of thumb would be rid of first."""
    gladly: list[Card] = []
    while hand and len(gladly) < WEIGHED:
        gladly.append(Card(deal.first_card_to_pass(hand)))
        hand &= ~(1 << gladly[-1])
    return [Pass(tuple(sorted(three))) for three in combinations(gladly, 3)]
