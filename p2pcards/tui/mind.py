"""A process in which computer players decide, as `tui/thinking.py` starts it: questions come as pickles on its standard
input, decisions go out on its standard output, until nobody asks any more."""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress

from p2pcards.players.choose import choose_by_key

if __name__ == "__main__":
    with suppress(EOFError, BrokenPipeError):
        while True:
            decision = choose_by_key(*pickle.load(sys.stdin.buffer))
            sys.stdout.buffer.write(pickle.dumps(decision))
            sys.stdout.buffer.flush()
