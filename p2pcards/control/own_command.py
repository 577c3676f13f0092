"""Running a command of the player's own: without a shell, quietly, and ended with all that it started."""

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

_running: set[int] = set()
"""The groups of those that run, for a program that ends without its tasks."""


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
    with all that it started, as it is when this is cancelled. Raises OwnCommandFailed."""
    words = [*_words_of(command), *arguments]
    try:
        with trio.fail_after(deadline):
            code = await _run(words, text.encode(errors="replace"), environment or {})
    except OSError as error:
        raise OwnCommandFailed(f"can't be started: {error.strerror}") from None
    except trio.TooSlowError:
        raise OwnCommandFailed(f"took longer than {deadline:.0f} s") from None
    if code:
        raise OwnCommandFailed(f"exited with code {code}")


def end_own_commands() -> None:
    """Kill all commands of the player's that run; safe in a signal handler."""
    for group in [*_running]:
        _end_group(group)


def _words_of(command: str) -> list[str]:
    """Split a command into words as a shell does. Raises OwnCommandFailed."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OwnCommandFailed(f"can't be parsed: {error}") from None
    if not words:
        raise OwnCommandFailed("doesn't name a program")
    return words


async def _run(words: Sequence[str], text: bytes, environment: Mapping[str, str]) -> int:
    """Run a program with this input and return how it ended. Raises OSError if it cannot be started."""
    process = await trio.lowlevel.open_process(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
        start_new_session=True,  # a group of its own, to end whatever it starts
    )
    _running.add(process.pid)
    try:
        if process.stdin is not None:
            with suppress(trio.BrokenResourceError):  # it need not read
                async with process.stdin as stdin:
                    await stdin.send_all(text)
        return await process.wait()
    finally:
        if process.returncode is None:
            _end_group(process.pid)
        _running.discard(process.pid)
        with trio.CancelScope(shield=True):
            await process.wait()


def _end_group(leader: int) -> None:
    """Kill a process and everything it started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
