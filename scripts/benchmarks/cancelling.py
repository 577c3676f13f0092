"""How soon a decision that nobody waits for any more has ended, with the process that thought about it; and how long
the first answer of a new process takes."""

from __future__ import annotations

import os
import time
from random import Random
from typing import Any

import trio
from trio_parallel import open_worker_context

from benchmarks.answers import decisions
from benchmarks.figures import NotMeasured, figure, rounded, spread
from benchmarks.processes import workers_of
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.daemon.crew import PARTING
from p2pcards.daemon.thinking import Decide, deciding_in
from p2pcards.games.game import AnyGame
from p2pcards.games.registry import GAMES
from p2pcards.players.levels import skill_of
from p2pcards.session.effects import Think

TIMES = 20
PATIENCE = 10.0
LIMIT = 50.0
GAME = GAMES["hearts"]


def measure() -> dict[str, Any]:
    first, warm, cancelled = trio.run(_measure)
    return {
        "cancelled": figure(max(cancelled), "ms", LIMIT, **spread(cancelled)),
        "first_answer_of_a_new_process": {"unit": "ms", **spread(first)},
        "next_answer": {"unit": "ms", **spread(warm)},
    }


async def _measure() -> tuple[list[float], list[float], list[float]]:
    """Milliseconds: the answers at standard in a new process and in one that has answered before, and from the
    cancelling of a master in the middle of a decision until its process is gone."""
    quick, long = _question(GAME, "standard"), _question(_slowest(), "master")
    first, warm, cancelled = [], [], []
    async with open_worker_context(grace_period=PARTING) as workers:
        decide = deciding_in(workers)
        await _answer(decide, long)
        middle = await _answer(decide, long) / 1000 / 2
        await _cancel(decide, long, middle)
        for _ in range(TIMES):
            first.append(await _answer(decide, quick))
            warm.append(await _answer(decide, quick))
            cancelled.append(await _cancel(decide, long, middle))
    return first, warm, cancelled


def _slowest() -> AnyGame:
    """A game in which a master thinks long."""

    def thought(key: str) -> tuple[bool, int]:
        skill = skill_of(key, "master")
        return skill.nested, skill.playouts

    return GAMES[max(GAMES, key=thought)]


def _question(game: AnyGame, level: str) -> Think:
    state, seat = decisions(game, Random("cancelling"))[0][0]
    return Think(seat, game, redact(state, eyes_of_viewer(seat)), level, 1)


async def _answer(decide: Decide, think: Think) -> float:
    start = time.perf_counter()
    await decide(think)
    return (time.perf_counter() - start) * 1000


async def _cancel(decide: Decide, think: Think, middle: float) -> float:
    """middle: seconds after which it is cancelled."""
    (worker,) = workers_of(os.getpid())
    answered = False

    async def wait_for_it() -> None:
        nonlocal answered
        await decide(think)
        answered = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_it)
        await trio.sleep(middle)
        start = time.perf_counter()
        nursery.cancel_scope.cancel()
    with trio.fail_after(PATIENCE):
        while worker in workers_of(os.getpid()):
            await trio.sleep(0)
    if answered:
        raise NotMeasured(f"A master has decided within {rounded(middle * 1000)} ms, before it could be cancelled.")
    return (time.perf_counter() - start) * 1000
