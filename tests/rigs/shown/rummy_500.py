"""Rummy 500: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(held={"aces": "AC 2C 3C QD KD AD"}, by_novices=True)
