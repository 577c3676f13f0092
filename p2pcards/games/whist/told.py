"""Whist: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.advice.words import FOLLOW
from p2pcards.games.certain import Aim
from p2pcards.games.figures import Figure
from p2pcards.games.game import Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.telling import Playing, Told, Tricks
from p2pcards.games.whist import rules as whist


def aims(view: whist.State, seat: Seat) -> Sequence[Aim]:
    """How many of the remaining tricks the seat wants, the most important aim first."""
    left = len(view.hands[seat])
    return [Aim(left, left, partner_of(seat) if view.options.team_play else None, lowers=True)]


TOLD = Told(
    about="A simple trick-taking game to seven points: each trick over six counts one.",
    words={"play": FOLLOW},
    strategy="strategies/tricks",
    mishaps=("lose the odd trick",),
    short={"winning_score": 1},
    tricks=Tricks(aims=aims),
    figures=(Figure("odd tricks a hand", "your side's odd tricks, on average", "odd tricks", share=False),),
    playing=Playing(editions={"novice": 3, "standard": 4}),
)
