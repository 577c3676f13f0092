"""Spades: what is shown of it where files are made."""

from __future__ import annotations

from typing import Any

from p2pcards.games.tricks import Bid
from rigs.shown import Shown


def both_nil(state: Any, seat: int) -> Any:
    return Bid(0) if None in state.bids and seat % 2 == 0 else None


SHOWN = Shown(
    beside={"min_bid": {"nil": "none"}},
    chosen={"double_nil_costs": both_nil},
    secrets={"real-deal": "playthrough 40"},  # partners exchange cards after a Nil
)
