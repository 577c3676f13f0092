"""Spades: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(
    beside={"min_bid": {"nil": "none"}},
    secrets={"real-deal": "playthrough 40"},  # partners exchange cards after a Nil
)
