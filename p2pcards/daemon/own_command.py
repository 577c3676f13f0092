"""The player's own commands, each run at an event of a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import trio

from p2pcards.control.own_command import OwnCommandFailed, run_own_command
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.session.bounds import Slots

RARE = {"joined": (4, 15.0)}
"""Events that others bring about as often as they like: so many are taken at once, then one each so many seconds."""


class Hook:
    """Runs the command of an event (commands: by the names of `TABLE_EVENTS`) with P2PCARDS_EVENT and P2PCARDS_TABLE in
    its environment: one at a time, in their order. An event whose command runs or waits already is left out; one of
    `RARE` that comes too soon waits for its time."""

    def __init__(
        self, commands: Mapping[str, str], table: str, nursery: trio.Nursery, diagnostics: Diagnostics
    ) -> None:
        self._commands = commands
        self._table = table
        self._nursery = nursery
        self._diagnostics = diagnostics
        self._due: deque[str] = deque()
        self._slots = {event: Slots(*bound) for event, bound in RARE.items()}
        self._early: set[str] = set()
        self._done = Bell()

    @property
    def wanted(self) -> bool:
        """True if the player has set any command."""
        return bool(self._commands)

    def ring(self, event: str) -> None:
        """Run the command of this event, if there is one; "" is no event."""
        if event not in self._commands or event in self._due or event in self._early:
            return
        slots = self._slots.get(event)
        if slots is not None and not slots.acquire(trio.current_time()):
            self._early.add(event)
            self._nursery.start_soon(self._ring_at, slots.free_at(), event)
            return
        self._due.append(event)
        if len(self._due) == 1:
            self._nursery.start_soon(self._run)

    async def _ring_at(self, time: float, event: str) -> None:
        """Ring again when a rare event's time has come."""
        await trio.sleep_until(time)
        self._early.discard(event)
        self.ring(event)

    async def finish(self) -> None:
        """Wait until no command runs or waits."""
        while self._due:
            await self._done.wait()

    async def _run(self) -> None:
        """Run the waiting commands one after the other."""
        while self._due:
            event = self._due[0]
            environment = {"P2PCARDS_EVENT": event, "P2PCARDS_TABLE": self._table}
            try:
                await run_own_command(self._commands[event], environment=environment)
            except OwnCommandFailed as failed:
                self._diagnostics.note(f"{self._table} hook failed: the command for {event} {failed}")
            self._due.popleft()
        self._done.ring()
