"""How fast the rules are: random play through the functions of each game, the deal and its shuffle included."""

from __future__ import annotations

import time
from hashlib import sha256
from random import Random
from typing import Any

from benchmarks.figures import figure, progress
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.registry import GAMES

DECISIONS = 20_000


def measure() -> dict[str, Any]:
    results = {}
    for game in GAMES.values():
        progress(f"rules of {game.name}")
        options = game.options()
        preset = next(name for name, one in game.presets.items() if one == options)
        decisions, seconds = 0, 0.0
        number = 0
        while decisions < DECISIONS:
            played, took = _play(game, options, Random(f"bench {number}"))
            decisions, seconds, number = decisions + played, seconds + took, number + 1
        microseconds = seconds / decisions * 1e6
        results[game.key] = figure(
            microseconds, "us a decision", preset=preset, a_second=round(1e6 / microseconds), decisions=decisions
        )
    return results


def _play(game: AnyGame, options: Any, rng: Random) -> tuple[int, float]:
    """One game, every action drawn from the legal ones: (decisions, seconds)."""
    decisions = 0
    start = time.perf_counter()
    state = game.start(options, None)
    while state.stage != Stage.OVER and state.hand < 1000:
        if state.stage == Stage.DEAL:
            secret, pack = sha256(rng.randbytes(32)).digest(), game.pack(options)
            event = game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = state.to_act[0]
            event = game.decide(state, seat, rng.choice(game.legal(state, seat)))
            decisions += 1
        state = game.play(state, event)
    return decisions, time.perf_counter() - start
