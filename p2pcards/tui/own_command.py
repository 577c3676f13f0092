"""Running a command of the player's own from the screen: as `daemon/own_command.py` does it, for asyncio."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping, Sequence

from p2pcards.control.spawning import check_end, end_group, not_started, spawning, too_slow, words_of

_running: set[int] = set()
"""The groups of those that run, for a program that ends without its tasks."""


async def run_own_command(
    command: str,
    text: str = "",
    deadline: float | None = None,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run it, split into words as a shell does, with these arguments as its last words. text: what it gets on its
    standard input; environment: what it finds there besides ours; deadline: seconds after which it is ended with all
    that it started, as it is when this is cancelled. Raises OwnCommandFailed."""
    words = words_of(command, arguments)
    try:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, **spawning(environment))
    except OSError as error:
        raise not_started(error) from None
    _running.add(process.pid)
    # A thread waits, as what asyncio has for that complains at the end of the loop; it is no task, which the end of the
    # loop would cancel before it has begun.
    ended = asyncio.get_running_loop().run_in_executor(None, process.communicate, text.encode(errors="replace"))
    try:
        async with asyncio.timeout(deadline):
            await asyncio.shield(ended)
    except TimeoutError:
        raise too_slow(deadline or 0.0) from None
    finally:
        if process.returncode is None:
            end_group(process.pid)
        _running.discard(process.pid)
        await asyncio.shield(ended)
    check_end(process.returncode)


def end_own_commands() -> None:
    """End all that run, at once; for the handler of a signal."""
    for group in [*_running]:
        end_group(group)
