"""A scripted modem at a device, for the commands that use one."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio

from rigs.modem.scripted_modem import ScriptedModem, pty_line
from rigs.program import Program

FAST = "--flow=none"


@asynccontextmanager
async def modem(**how: Any) -> AsyncIterator[tuple[ScriptedModem, str]]:
    """A modem and the device that it is at."""
    async with pty_line() as (stream, device), trio.open_nursery() as nursery:
        made = ScriptedModem(stream, **how)
        await nursery.start(made.run)
        yield made, device
        nursery.cancel_scope.cancel()


async def run(program: Program, *words: str) -> subprocess.CompletedProcess[str]:
    return await trio.to_thread.run_sync(lambda: program(*words))
