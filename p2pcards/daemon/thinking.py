"""Where computer players think: those that search do so in processes of their own, so that no link, heartbeat or other
table waits for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

import trio
from trio_parallel import BrokenWorkerError, WorkerContext, open_worker_context

from p2pcards.games.game import Action
from p2pcards.players.choose import choose, choose_by_key, searches
from p2pcards.session.effects import Think

Decide = Callable[[Think], Awaitable[Action]]

TRIES = 2
PARTING = 1.0
"""Seconds in which the processes end by themselves when nothing is thought about any more."""


class CannotThink(Exception):
    """The processes in which a decision was to be made have ended."""


async def decide_here(think: Think) -> Action:
    return choose(think.game, think.view, think.seat, think.level, Random(think.seed))


def deciding_in(workers: WorkerContext) -> Decide:
    """Decisions that take long are made by these processes; one that is cancelled ends at once. A process that dies
    leaves its decision to another, which decides the same: a second choice would look like cheating."""

    async def decide(think: Think) -> Action:
        """Raises CannotThink."""
        if not searches(think.game.key, think.level):
            return await decide_here(think)
        question = (think.game.key, think.view, think.seat, think.level, think.seed)
        for _ in range(TRIES):
            try:
                return await workers.run_sync(choose_by_key, *question, kill_on_cancel=True)
            except BrokenWorkerError:
                continue
        raise CannotThink

    return decide


async def decide_all(thinks: Sequence[Think], progress: Callable[[int, int], None] | None) -> list[Action]:
    """Many decisions on all cores, in their order. progress: is told how many are done, of how many. Raises
    CannotThink."""
    actions: list[Action] = [None] * len(thinks)
    done = 0

    async def decide_one(number: int, decide: Decide) -> None:
        nonlocal done
        actions[number] = await decide(thinks[number])
        done += 1
        if progress:
            progress(done, len(thinks))

    async with open_worker_context(grace_period=PARTING) as workers, trio.open_nursery() as nursery:
        for number in range(len(thinks)):
            nursery.start_soon(decide_one, number, deciding_in(workers))
    return actions
