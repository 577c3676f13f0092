"""Whist, read for a search."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.deals.race import ToGoal
from p2pcards.games.game import Seat
from p2pcards.games.playing import Play
from p2pcards.games.seen.reading import Reading, side_scores
from p2pcards.games.seen.tricks import reading_of_kept_deal
from p2pcards.games.whist.rules import State, legal

SKEW = 1100


def read(view: State, seat: Seat) -> Reading:
    tricks = view.deal.tricks
    differ = tricks.distinct_cards(view.deal.legal_moves())
    choices = [play for play in legal(view, seat) if differ >> play.card & 1]
    race = ToGoal(side_scores(view.scores, view.options.team_play), view.options.winning_score, SKEW)
    return reading_of_kept_deal(view, seat, choices, moves, tricks.void, race=race)


def moves(action: Play) -> Sequence[int]:
    """The moves of the search that make up this action, in order."""
    return [action.card]
