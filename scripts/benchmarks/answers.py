"""How long each level thinks about a decision.

python -m benchmarks.answers     answers lines like "hearts master": the seconds of each decision, as JSON

The decisions are spread over the first hands of a game among novices. The seconds are those that the processor worked
for it, which others on this machine disturb less.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.copies import ROOT, Asked, Copies, copies
from benchmarks.figures import progress, rounded
from benchmarks.hands import options_of
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import NOVICES, choose
from p2pcards.players.levels import LEVELS, plays_as
from p2pcards.players.search import READERS

HANDS = 4
DECISIONS = 20
BUDGETS = {"expert": 50, "champion": 250, "master": 1_500}
"""Milliseconds for a decision by level: the median, of a master the longest."""

Asks = tuple[Any, Seat]
"""The truth, and who decides."""


def measure(made: Copies) -> dict[str, Any]:
    return _measure(made.compiled)


def measure_alone() -> dict[str, Any]:
    """With the kernels of this tree where they are compiled, as `scripts/bench` leaves none of other sources."""
    if any((ROOT / "p2pcards" / "games").glob("*.so")):
        return _measure(ROOT)
    with copies() as made:
        return _measure(made.compiled)


def _measure(compiled: Path) -> dict[str, Any]:
    results: dict[str, Any] = {"unit": "ms of the processor"}
    with Asked("benchmarks.answers", compiled) as program:
        for key in READERS:
            progress(f"answers of {GAMES[key].name}")
            results[key] = by_level(key, program.ask)
    return results


def by_level(key: str, seconds_of: Callable[[str, str], Mapping[str, Sequence[float]]]) -> dict[str, Any]:
    """seconds_of(game, level), with the level "forced" for decisions that have one legal action."""
    found: dict[str, Any] = {}
    for level in LEVELS:
        other = plays_as(key, level)
        found[level] = figure_of(level, **seconds_of(key, level)) if other == level else {"plays_as": other}
    return {**found, "forced": {"longest": rounded(1e3 * max(seconds_of(key, "forced")["seconds"]))}}


def figure_of(level: str, seconds: Sequence[float]) -> dict[str, Any]:
    """ok: whether the longest of a master, the median of another keeps to its budget."""
    typical, longest = 1e3 * median(seconds), 1e3 * max(seconds)
    budget = BUDGETS.get(level)
    held = {} if budget is None else {"budget": budget, "ok": (longest if level == "master" else typical) <= budget}
    return {"median": rounded(typical), "longest": rounded(longest), **held}


def decisions(game: AnyGame, rng: Random) -> tuple[list[Asks], list[Asks]]:
    """Of HANDS hands those that a search thinks about, and those with one legal action."""
    free: list[Asks] = []
    forced: list[Asks] = []
    state = game.start(options_of(game), None)
    while state.hand <= HANDS and state.stage is not Stage.OVER:
        if state.stage is Stage.DEAL:
            pack, secret = game.pack(state.options), rng.randbytes(32)
            event = game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
        elif state.stage is Stage.SHOW:
            event = game.show(state)
        else:
            seat = state.to_act[0]
            legal = game.legal(state, seat)
            if any(map(len, state.hands)) and not game.picks(state, legal[0]):
                if len(legal) == 1:
                    forced.append((state, seat))
                elif len(READERS[game.key](redact(state, eyes_of_viewer(seat)), seat).choices) > 1:
                    free.append((state, seat))
            event = game.decide(state, seat, NOVICES[game.key](redact(state, eyes_of_viewer(seat)), seat, rng))
        state = game.play(state, event)
    return free, forced


def spread_out(asked: Sequence[Asks], number: int = DECISIONS) -> list[Asks]:
    """So many of them, all over the hands."""
    return [asked[place * len(asked) // number] for place in range(number)] if asked else []


def think(game: AnyGame, asked: Sequence[Asks], level: str) -> list[float]:
    """Seconds of the processor for each."""
    found = []
    for number, (state, seat) in enumerate(asked):
        view = redact(state, eyes_of_viewer(seat))
        start = time.process_time()
        choose(game, view, seat, level, Random(number))
        found.append(time.process_time() - start)
    return found


def main() -> None:
    for line in sys.stdin:
        key, level = line.split()
        game = GAMES[key]
        free, forced = decisions(game, Random(f"answers {key}"))
        if level == "forced":
            seconds = think(game, spread_out(forced), "master") or [0.0]
        else:
            think(game, free[:1], level)  # what is made only once
            seconds = think(game, spread_out(free), level)
        print(json.dumps({"seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
