"""How long decisions and hints take, beside the promise of their level, with the kernels as written and compiled.

python -m benchmarks.promises     answers lines like "hearts master" or "hearts hint": seconds of each by the clock, as
                                  JSON

The decisions are those of `benchmarks.answers`, more of them; what is made at the first one counts in.
"""

from __future__ import annotations

import json
import sys
import time
from random import Random
from statistics import median
from typing import Any

from benchmarks.answers import decisions, spread_out
from benchmarks.copies import Asked, Copies, copies
from benchmarks.figures import figure, progress, rounded
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose_by_key, rate_by_key
from p2pcards.players.levels import PROMISES, plays_as, searches
from p2pcards.players.search import READERS

DECISIONS = 30
HINT, ADVISER = "hint", "expert"


def measure(made: Copies) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for name, place in (("written", made.plain), ("compiled", made.compiled)):
        with Asked("benchmarks.promises", place) as program:
            for key in READERS:
                progress(f"promises in {GAMES[key].name}, {name}")
                own = [level for level in PROMISES if searches(key, level) and plays_as(key, level) == level]
                for asked in (*own, HINT):
                    seconds = program.ask(key, asked)["seconds"]
                    results.setdefault(key, {}).setdefault(asked, {})[name] = _figure(asked, seconds)
    return results


def measure_alone() -> dict[str, Any]:
    with copies() as made:
        return measure(made)


def _figure(asked: str, seconds: list[float]) -> dict[str, Any]:
    """The longest in times of the promise."""
    promise = PROMISES[ADVISER if asked == HINT else asked]
    beside = {"median": rounded(median(seconds)), "longest": rounded(max(seconds)), "promise": promise}
    return figure(max(seconds) / promise, "of the promise", 1, **beside)


def main() -> None:
    for line in sys.stdin:
        key, asked = line.split()
        decide, level = (rate_by_key, ADVISER) if asked == HINT else (choose_by_key, asked)
        free, _ = decisions(GAMES[key], Random(f"answers {key}"))
        found = []
        for number, (state, seat) in enumerate(spread_out(free, DECISIONS)):
            view = redact(state, eyes_of_viewer(seat))
            start = time.monotonic()
            decide(key, view, seat, level, number, time.monotonic)
            found.append(time.monotonic() - start)
        print(json.dumps({"seconds": found}), flush=True)


if __name__ == "__main__":
    main()
