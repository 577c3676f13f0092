"""What takes long is done in a thread, beside the event loop, which goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import trio

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


async def beside(
    function: Callable[[*Arguments], T], *arguments: *Arguments, lane: trio.CapacityLimiter | None = None
) -> T:
    """What the function returns or raises. It shares nothing with the loop while it runs; one that is cancelled goes
    on for nobody, ends with the process at the latest, and keeps its place in the lane until then. lane: how many may
    run in it at once."""
    return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True, limiter=lane)
