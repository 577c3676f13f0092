"""Euchre: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(secrets={"real-deal": "playthrough 11"}, seed=3)
