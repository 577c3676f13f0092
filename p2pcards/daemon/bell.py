"""A bell: tasks wait for it, and it rings again and again."""

from __future__ import annotations

import trio


class Bell:
    """Whoever waits hears it once, and then looks at what has changed."""

    def __init__(self) -> None:
        self._rung = trio.Event()

    def ring(self) -> None:
        self._rung.set()
        self._rung = trio.Event()

    async def wait(self) -> None:
        """Until it rings the next time."""
        await self._rung.wait()
