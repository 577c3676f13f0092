"""What the front ends of one table are shown, and what waits for those that are not attached."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

import trio

from p2pcards.control.messages import Gone, Happened, News, Shown
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import TableView

KEPT = 200
"""Happenings kept for whoever attaches."""

WAITING = 2000
"""Happenings that may wait for a front end: computers among themselves play a whole game in a second."""

EARLIER = 10
"""Happenings shown again on attaching, marked as earlier."""

SLOWEST = 5.0
"""Seconds that a front end may ask computer players to take for an action."""

Send = Callable[[News], Awaitable[None]]


class Onlooker:
    """One attached front end: the happenings that wait for it, in order, and whether it is owed a new view. pace: the
    seconds for an action that its eyes can follow."""

    def __init__(self, dropped: Callable[[], None], pace: float) -> None:
        self.pace = pace
        self._dropped = dropped
        self._happenings: deque[Happened] = deque()
        self._view_due = True
        self._shown: TableView | None = None
        self._gone: str | None = None
        self._dismissed = False
        self._more = trio.Event()

    def tell(self, happening: Happening, earlier: bool = False) -> None:
        if self._dismissed:
            return
        if len(self._happenings) >= WAITING:
            self._dropped()
        else:
            self._happenings.append(Happened(happening, earlier))
            self._more.set()

    def changed(self) -> None:
        if not self._dismissed:
            self._view_due = True
            self._more.set()

    def end(self, why: str) -> None:
        self._gone = why
        self._more.set()

    def dismiss(self) -> None:
        """Show it what has happened until now, and nothing more."""
        self._dismissed = True
        self._more.set()

    async def news(self, view: Callable[[], TableView], send: Send) -> None:
        """Send what comes, until it is dismissed or the table is gone: a view when all that led to it is told. A view
        is made when it can be sent, so a slow front end skips to the newest."""
        while True:
            if self._happenings:
                await send(self._happenings.popleft())
            elif self._view_due:
                await self._show(view, send)
            elif self._dismissed:
                return
            elif self._gone is not None:
                await send(Gone(self._gone))
                return
            else:
                self._more = trio.Event()
                await self._more.wait()

    async def _show(self, view: Callable[[], TableView], send: Send) -> None:
        self._view_due = False
        now = view()
        if now != self._shown:
            self._shown = now
            await send(Shown(now))


class Audience:
    """All front ends of a table. unread: how many of the latest happenings no front end was there for."""

    def __init__(self) -> None:
        self.unread = 0
        self._onlookers: list[Onlooker] = []
        self._kept: deque[Happening] = deque(maxlen=KEPT)
        self._left = trio.Event()

    def __len__(self) -> int:
        return len(self._onlookers)

    @property
    def pace(self) -> float:
        """Seconds that a computer player takes for an action: those of the slowest eyes, none where nobody looks on."""
        return min(max([0.0, *[onlooker.pace for onlooker in self._onlookers]]), SLOWEST)

    def enter(self, dropped: Callable[[], None], pace: float = 0.0) -> Onlooker:
        """dropped: called when this front end does not read what is sent to it."""
        onlooker = Onlooker(dropped, pace)
        kept = list(self._kept)
        read = len(kept) - self.unread
        for happening in kept[max(0, read - EARLIER) : read]:
            onlooker.tell(happening, earlier=True)
        for happening in kept[read:]:
            onlooker.tell(happening)
        self.unread = 0
        self._onlookers.append(onlooker)
        return onlooker

    def depart(self, onlooker: Onlooker) -> None:
        self._onlookers.remove(onlooker)
        self._left.set()

    async def empty(self) -> None:
        """Wait until no front end is attached."""
        while self._onlookers:
            self._left = trio.Event()
            await self._left.wait()

    def tell(self, happening: Happening) -> None:
        self._kept.append(happening)
        if not self._onlookers:
            self.unread = min(self.unread + 1, KEPT)
        for onlooker in self._onlookers:
            onlooker.tell(happening)

    def announce(self, happening: Happening) -> None:
        """Tell it, and show the view again: what is told is not a step of the machine."""
        self.tell(happening)
        self.changed()

    def changed(self) -> None:
        for onlooker in self._onlookers:
            onlooker.changed()

    def end(self, why: str) -> None:
        for onlooker in self._onlookers:
            onlooker.end(why)
