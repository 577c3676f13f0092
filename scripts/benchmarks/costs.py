"""What a decision costs, and how much of it is not hands played to their ends.

python -m benchmarks.costs     answers lines like "hearts": microseconds of the processor, as JSON

The decisions are those of `benchmarks.answers`; of each the fastest of several times counts, and the mean of all.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from random import Random
from statistics import mean
from typing import Any

from benchmarks.answers import decisions, spread_out
from benchmarks.copies import Asked, Copies, copies
from benchmarks.figures import progress, rounded
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.game import Seat
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import Skill, Way
from p2pcards.players.search import READERS, chain_of_worlds, place_of_rule_of_thumb, rate_choices

FEW, MANY = 100, 500
"""Hands played to their ends."""
TIMES = 3


def measure(made: Copies) -> dict[str, Any]:
    results: dict[str, Any] = {"unit": "us of the processor"}
    with Asked("benchmarks.costs", made.compiled) as compiled, Asked("benchmarks.costs", made.plain) as plain:
        for key in READERS:
            progress(f"costs of decisions in {GAMES[key].name}")
            results[key] = _figures(compiled.ask(key), plain.ask(key))
    return results


def measure_alone() -> dict[str, Any]:
    with copies() as made:
        return measure(made)


def _figures(compiled: Mapping[str, float], plain: Mapping[str, float]) -> dict[str, Any]:
    """playouts: hands that one more second plays to their ends."""
    each = (compiled["many"] - compiled["few"]) / (MANY - FEW)
    return {
        **{part: rounded(cost) for part, cost in compiled.items()},
        "playouts": rounded(1e6 / each),
        "beside_playouts": rounded(1 - FEW * each / compiled["few"]),
        "few_to_plain": rounded(compiled["few"] / plain["few"]),
    }


def costs(view: Any, seat: Seat, key: str) -> dict[str, float]:
    """reading: from the view to whole numbers; thumb: what the rules of thumb choose; first: a world that the seat can
    imagine; few, many: the whole decision with so many playouts."""
    read, chance = READERS[key], Chance(1)
    reading = read(view, seat)

    def decide(playouts: int) -> Callable[[], object]:
        return lambda: rate_choices(read(view, seat), seat, Skill(Way.SEARCH, playouts), Random(1))

    return {
        "reading": fastest(lambda: read(view, seat)),
        "thumb": fastest(lambda: place_of_rule_of_thumb(reading, chance)),
        "first": fastest(lambda: chain_of_worlds(reading).next_world(chance)),
        "few": fastest(decide(FEW)),
        "many": fastest(decide(MANY)),
    }


def fastest(do: Callable[[], object]) -> float:
    taken = []
    for _ in range(TIMES):
        began = time.process_time_ns()
        do()
        taken.append(time.process_time_ns() - began)
    return min(taken) / 1000


def main() -> None:
    for line in sys.stdin:
        key = line.strip()
        free, _ = decisions(GAMES[key], Random(f"answers {key}"))
        found = [costs(redact(state, eyes_of_viewer(seat)), seat, key) for state, seat in spread_out(free)]
        print(json.dumps({part: mean([one[part] for one in found]) for part in found[0]}), flush=True)


if __name__ == "__main__":
    main()
