"""Positions that one process sends to another, of which one may be compiled and the other not: a daemon began before
there was a compiled kernel, and those who think for it after.

python -m rigs.sending          prints positions as they travel
python -m rigs.sending SENT     says whether these are the same here
"""

from __future__ import annotations

import pickle
import sys
from base64 import b64decode, b64encode
from itertools import islice
from random import Random
from typing import Any

from p2pcards.games.registry import GAMES
from rigs.decisions import random_positions

KEYS = ("hearts", "spades", "oh_hell")
"""Games whose states keep a deal in masks."""


def positions() -> list[Any]:
    return [
        state
        for key in KEYS
        for state, _ in islice(random_positions(GAMES[key], GAMES[key].options(), Random(key)), 0, 40, 8)
    ]


if __name__ == "__main__":
    if sys.argv[1:]:
        print(pickle.loads(b64decode(sys.argv[1])) == positions())
    else:
        print(b64encode(pickle.dumps(positions())).decode())
