"""Auction Pitch: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(held={"smudge": "AS KS QS JS TS 2S"})
