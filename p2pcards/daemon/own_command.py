"""Running a command of the player's own: without a shell, quietly, and not for ever."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

import trio

DEADLINE = 10.0
"""Seconds that a command may take."""


class OwnCommandFailed(Exception):
    """Why a command did not do its work, as the end of a sentence."""


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
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OwnCommandFailed(f"cannot be split into words: {error}") from None
    if not words:
        raise OwnCommandFailed("names no program")
    try:
        with trio.fail_after(deadline):
            await trio.run_process(
                [*words, *arguments],
                stdin=text.encode(errors="replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
                deliver_cancel=_kill,
            )
    except OSError as error:
        raise OwnCommandFailed(f"cannot be started: {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        raise OwnCommandFailed(f"ended with code {error.returncode}") from None
    except trio.TooSlowError:
        raise OwnCommandFailed(f"took longer than {deadline:.0f} s") from None


async def _kill(process: trio.Process) -> None:
    """The command and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
