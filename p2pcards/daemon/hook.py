"""The player's own command, which runs when it is their turn and when somebody sits down."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress

import trio

from p2pcards.daemon.diagnostics import Diagnostics

DEADLINE = 10.0
"""Seconds that the command may take."""


class Hook:
    """Runs `command`, split into words as a shell does but without one, with P2PCARDS_EVENT (turn or joined) and
    P2PCARDS_TABLE in its environment. One at a time: an event during another is left out."""

    def __init__(self, command: str, table: str, nursery: trio.Nursery, diagnostics: Diagnostics) -> None:
        self._command = command
        self._table = table
        self._nursery = nursery
        self._diagnostics = diagnostics
        self._running = False

    @property
    def wanted(self) -> bool:
        return bool(self._command)

    def ring(self, event: str) -> None:
        if self._command and not self._running:
            self._running = True
            self._nursery.start_soon(self._run, event)

    async def _run(self, event: str) -> None:
        environment = os.environ | {"P2PCARDS_EVENT": event, "P2PCARDS_TABLE": self._table}
        try:
            with trio.move_on_after(DEADLINE):
                await trio.run_process(
                    shlex.split(self._command),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    start_new_session=True,
                    deliver_cancel=_kill,
                )
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            self._diagnostics.note(f"{self._table} hook failed: {type(error).__name__}")
        finally:
            self._running = False


async def _kill(process: trio.Process) -> None:
    """The command and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
