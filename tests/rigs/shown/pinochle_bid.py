"""Bid Pinochle: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(secrets={"bid": "playthrough 1"}, by_novices=True, seed=2)  # both bid
