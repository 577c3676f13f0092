"""Pinochle: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(by_novices=True)
