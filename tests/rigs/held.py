"""Processes in which nothing is thought about before a test lets it go."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import trio
from trio_parallel import WorkerContext

from p2pcards.daemon import compiling


class HeldWorkers:
    """Those of a context; each waits at a gate, a pipe of this name, before it does what it is asked. asked: set when
    the first is."""

    def __init__(self, workers: WorkerContext, gate: Path) -> None:
        self.asked = trio.Event()
        self._workers = workers
        self._gate = gate
        os.mkfifo(gate)

    async def run_sync(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        kill_on_cancel: bool,
        limiter: trio.CapacityLimiter | None = None,
    ) -> Any:
        self.asked.set()
        waiting = partial(wait_and_call, self._gate)
        return await self._workers.run_sync(
            waiting, function, *arguments, kill_on_cancel=kill_on_cancel, limiter=limiter
        )

    async def let_go(self) -> None:
        await trio.to_thread.run_sync(self._gate.write_text, "go")


def wait_and_call(gate: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    gate.read_text()
    return function(*arguments)


def find_kernels() -> None:
    """For this process it is as if the kernels had been compiled since it took them as they are written."""
    vars(compiling).update(COMPILED=False, takes_compiled=lambda: True)
