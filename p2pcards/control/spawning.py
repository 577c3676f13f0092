"""A command of the player's own, whoever waits for it: how it is started, without a shell and quietly, how it is ended
with all that it started, and why it failed."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any


class OwnCommandFailed(Exception):
    """Why a command did not do its work, as the end of a sentence."""


def spawning(environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a process is started with, beside its words and what it reads. environment: what it finds there besides
    ours."""
    return {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "env": {**os.environ, **(environment or {})},
        "start_new_session": True,  # a group of its own, to end whatever it starts
    }


def words_of(command: str, arguments: Sequence[str] = ()) -> list[str]:
    """The command, split into words as a shell does, and these arguments after them. Raises OwnCommandFailed."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OwnCommandFailed(f"cannot be split into words: {error}") from None
    if not words:
        raise OwnCommandFailed("names no program")
    return [*words, *arguments]


def end_group(leader: int) -> None:
    """End the command with this process id and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def not_started(error: OSError) -> OwnCommandFailed:
    return OwnCommandFailed(f"cannot be started: {error.strerror}")


def too_slow(deadline: float) -> OwnCommandFailed:
    return OwnCommandFailed(f"took longer than {deadline:.0f} s")


def check_end(code: int | None) -> None:
    """Raises OwnCommandFailed where a command did not end well."""
    if code:
        raise OwnCommandFailed(f"ended with code {code}")
