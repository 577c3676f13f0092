"""Running a command of the player's own: without a shell, quietly, and not for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import trio

from p2pcards.control.spawning import check_end, end_group, not_started, spawning, too_slow, words_of

DEADLINE = 10.0
"""Seconds that a command may take."""


async def run_own_command(
    command: str,
    text: str = "",
    environment: Mapping[str, str] | None = None,
    deadline: float = DEADLINE,
    arguments: Sequence[str] = (),
) -> None:
    """Run it, split into words as a shell does, with these arguments as its last words. text: what it gets on its
    standard input; environment: what it finds there besides ours; deadline: seconds after which it is ended
    with all that it started. Raises OwnCommandFailed."""
    words = words_of(command, arguments)
    try:
        with trio.fail_after(deadline):
            ended = await trio.run_process(
                words,
                stdin=text.encode(errors="replace"),
                check=False,
                deliver_cancel=_kill,
                **spawning(environment),
            )
    except OSError as error:
        raise not_started(error) from None
    except trio.TooSlowError:
        raise too_slow(deadline) from None
    check_end(ended.returncode)


async def _kill(process: trio.Process) -> None:
    end_group(process.pid)
