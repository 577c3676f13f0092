"""Whist: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.games.advice.words import FOLLOW
from p2pcards.games.figures import Figure
from p2pcards.games.telling import Playing, Told

TOLD = Told(
    about="A game for the fun of it, to seven points, in which each trick over six counts one. It is worth what "
    "the losers lack: their score taken from seven.",
    words={"play": FOLLOW},
    strategy="strategies/tricks",
    mishaps=("lose the odd trick",),
    short={"winning_score": 1},
    figures=(Figure("odd tricks a hand", "odd tricks of your side, on average", "odd tricks", share=False),),
    playing=Playing(editions={"novice": 2}),
)
