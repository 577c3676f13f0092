"""Gin Rummy: what is shown of it where files are made."""

from __future__ import annotations

from rigs.shown import Shown

SHOWN = Shown(
    beside={
        "oklahoma_ace_gin": {"oklahoma": True},
        "oklahoma_spades_double": {"oklahoma": True},
        "big_gin_bonus": {"big_gin": True},
        **{key: {"winning_score": 25} for key in ("game_bonus", "box_bonus", "shutout_double")},
    },
    held={
        "oklahoma_ace_gin": "2C 3C 4C 7C 7D 7H JD JH JS AC",
        "big_gin": "2C 3C 4C 5C 7C 7D 7H JD JH JS",
        "big_gin_bonus": "2C 3C 4C 5C 7C 7D 7H JD JH JS",
    },
    drawn={"oklahoma_ace_gin": (20, "AD"), "big_gin": (20, "6C"), "big_gin_bonus": (20, "6C")},
    secrets={  # cards are laid off, a hand is gin, the limit is low, a knock is undercut
        "telecards": "playthrough 5",
        "standard": "playthrough 13",
        "oklahoma": "playthrough 6",
        "hollywood": "playthrough 49",
    },
    by_novices=True,
)
