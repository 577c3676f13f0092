"""Two-handed Pinochle: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(
    beside={"bonus_roundhouse": {"roundhouse": True}, "auto_knock": {"goal": 100}},
    held={"roundhouse": "KC QC KD QD KH QH KS QS", "bonus_roundhouse": "KC QC KD QD KH QH KS QS"},
    packet=3,
    secrets={"meggiesoft": "playthrough 3"},  # a marriage becomes a flush, the dix is exchanged
    by_novices=True,
)
