"""The fifteen games, and where one of them stops in the middle of a trick."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.views.tableview import TableView

PLAYS, LATEST = 4, 10
"""Decisions of the player before they stop at a trick that has begun; before they stop anywhere, as the one who wins
every trick finds none that has."""

USUAL = ("hearts", "cribbage", "gin_rummy")
RULES = [
    pytest.param(key, preset, id=f"{key} {preset}".rstrip(), marks=() if key in USUAL else pytest.mark.slow)
    for key, preset in [*[(key, "") for key in GAMES], ("pinochle", "double-pack")]
]
"""Game and preset."""


def of_game(view: TableView) -> TableView:
    """Without what tells of links, clocks and codes."""
    return replace(view, people=(), turn_seconds=None, code="")


def stops(view: TableView, decided: int) -> bool:
    """decided: how often this player has."""
    in_a_trick = bool(view.trick) or view.turn == 0  # cards lie on the table, where the game has tricks or the like
    return decided >= LATEST or (decided >= PLAYS and in_a_trick)
