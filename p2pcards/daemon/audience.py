"""What the front ends of one table are shown, and what waits for those that are not attached."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import trio

from p2pcards.control.messages import Gone, Happened, News, Shown
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.tableview import TableView

KEPT = 200
"""Happenings kept for whoever attaches."""

WAITING = 2000
"""Happenings that may wait for a front end: computers among themselves play a whole game in a second. Of more than that
the oldest are left out."""

EARLIER = 10
"""Happenings shown again on attaching, marked as earlier."""

SLOWEST = 5.0
"""Seconds that a front end may ask computer players to take for an action."""

Send = Callable[[News], Awaitable[None]]


class Onlooker:
    """One attached front end: the happenings that wait for it, in order, and whether it is owed a new view. pace: the
    seconds for an action that its eyes can follow. seen, unseen: what happened before it came; left_out: how much more
    of it is not kept."""

    def __init__(self, pace: float, seen: Sequence[Happening], unseen: Sequence[Happening], left_out: int) -> None:
        self.pace = pace
        self._happenings = deque([Happened(one, earlier=True) for one in seen] + [Happened(one) for one in unseen])
        self._left_out = left_out
        self._view_due = True
        self._shown: TableView | None = None
        self._gone: str | None = None
        self._dismissed = False
        self._more = trio.Event()

    def tell(self, happening: Happening) -> None:
        if self._dismissed:
            return
        if len(self._happenings) >= WAITING:
            self._happenings.popleft()
            self._left_out += 1
        self._happenings.append(Happened(happening))
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
            if self._left_out:
                left_out, self._left_out = self._left_out, 0
                await send(Happened(_said_left_out(left_out)))
            elif self._happenings:
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


def _said_left_out(count: int) -> Notice:
    lines = "1 line was" if count == 1 else f"{count} lines were"
    return Notice(f"{lines} left out here: there were more than can be kept.")


class Audience:
    """All front ends of a table. unread: how many happenings no front end was there for."""

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

    def enter(self, pace: float = 0.0) -> Onlooker:
        kept = list(self._kept)
        read = max(0, len(kept) - self.unread)
        left_out = max(0, self.unread - len(kept))
        onlooker = Onlooker(pace, kept[max(0, read - EARLIER) : read], kept[read:], left_out)
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
            self.unread += 1
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
