"""A bell for tasks that wait until something has changed."""

from __future__ import annotations

import trio


class Bell:
    """A waiting task hears it once, and then looks at what has changed."""

    def __init__(self) -> None:
        self._rung = trio.Event()

    def ring(self) -> None:
        """Wake all tasks that wait."""
        self._rung.set()
        self._rung = trio.Event()

    async def wait(self) -> None:
        """Wait until the bell rings next."""
        await self._rung.wait()
