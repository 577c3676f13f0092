"""Where computer players think: those that search do so in processes of their own, so that no link, heartbeat or other
table waits for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random

from trio_parallel import WorkerContext

from p2pcards.daemon.crew import WorkersDied, running_in
from p2pcards.games.game import Action
from p2pcards.players.choose import choose, choose_by_key, searches
from p2pcards.session.effects import Think

Decide = Callable[[Think], Awaitable[Action]]

TRIES = 2


class CannotThink(Exception):
    """The processes in which a decision was to be made have ended."""


async def decide_here(think: Think) -> Action:
    return choose(think.game, think.view, think.seat, think.level, Random(think.seed))


def deciding_in(workers: WorkerContext) -> Decide:
    """Decisions that take long are made by these processes. One that dies leaves its decision to another, which decides
    the same: a second choice would look like cheating."""
    run = running_in(workers, TRIES)

    async def decide(think: Think) -> Action:
        """Raises CannotThink."""
        if not searches(think.game.key, think.level):
            return await decide_here(think)
        try:
            return await run(choose_by_key, think.game.key, think.view, think.seat, think.level, think.seed)
        except WorkersDied:
            raise CannotThink from None

    return decide
