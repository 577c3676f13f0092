"""The front ends at one table: what each is shown, and what is kept while none is attached."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import trio

from p2pcards.control.messages import Gone, Happened, News, Shown
from p2pcards.session.effects import Look
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.tableview import TableView

KEPT = 200
"""Happenings kept for a front end that attaches."""

WAITING = 2000
"""Happenings that may wait for a front end: computers among themselves play a whole game in a second. Of more than that
the oldest are left out."""

VIEWS = 100
"""Views that may wait for a front end: of more than that the oldest are left out, and what led to them is told with the
next."""

EARLIER = 10
"""Happenings shown again on attaching, marked as earlier."""

SLOWEST = 5.0
"""Seconds that a front end may ask computer players to take for an action."""

Send = Callable[[News], Awaitable[None]]


@dataclass(slots=True)
class _Step:
    """The happenings of a step, and the table after them."""

    told: deque[Happened] = field(default_factory=deque)
    look: Look | None = None  # None for the table as it is when the step is sent
    ends: bool = False  # no further happening belongs to this step

    def add_happening(self, happened: Happened, look: Look | None) -> None:
        """Add a happening. look: makes the view of the table after it."""
        self.told.append(happened)
        self.look = look

    def complete(self, look: Look | None) -> None:
        """End the step. look: makes the view of the table after it."""
        self.look, self.ends = look, True

    def merge(self, following: _Step) -> None:
        """Merge the next step into this one, so that just its view is shown."""
        self.told.extend(following.told)
        self.look, self.ends = following.look, following.ends


class Attachment:
    """One attached front end: what waits for it, step by step. pace: the seconds for an action that its eyes can
    follow. seen, unseen: what happened before it came; left_out: how much more of it is not kept."""

    def __init__(self, pace: float, seen: Sequence[Happening], unseen: Sequence[Happening], left_out: int) -> None:
        self.pace = pace
        told = deque([Happened(one, earlier=True) for one in seen] + [Happened(one) for one in unseen])
        self._steps = deque([_Step(told, ends=True)])
        self._waiting = len(told)
        self._left_out = left_out
        self._shown: TableView | None = None
        self._gone: str | None = None
        self._dismissed = False
        self._more = trio.Event()

    def tell(self, happening: Happening, look: Look | None = None) -> None:
        """Queue a happening for this front end. look: makes the view of the table after it."""
        if self._dismissed:
            return
        self._open_step().add_happening(Happened(happening), look)
        self._waiting += 1
        if self._waiting > WAITING:
            next(one for one in self._steps if one.told).told.popleft()
            self._waiting -= 1
            self._left_out += 1
        self._more.set()

    def changed(self, look: Look | None = None) -> None:
        """Have the view shown again, as the table may have changed."""
        if self._dismissed:
            return
        (self._steps[-1] if self._steps else self._open_step()).complete(look)
        self._more.set()

    def _open_step(self) -> _Step:
        """The step to which the next happening belongs, begun if there is none."""
        if self._steps and not self._steps[-1].ends and self._steps[-1].look is None:
            return self._steps[-1]
        self._steps.append(_Step())
        if len(self._steps) > VIEWS:  # the oldest view goes, all that is told stays
            self._steps[0].merge(self._steps[1])
            del self._steps[1]
        return self._steps[-1]

    def close(self, why: str) -> None:
        """End the attachment because the table is gone. why: a sentence."""
        self._gone = why
        self._more.set()

    def dismiss(self) -> None:
        """End the attachment after what has happened so far."""
        self._dismissed = True
        self._more.set()

    async def news(self, view: Callable[[], TableView], send: Send) -> None:
        """Send happenings and views until the attachment ends. Views are made when they can be sent, the last one of
        the table as it is then."""
        while True:
            if self._left_out:
                left_out, self._left_out = self._left_out, 0
                await send(Happened(_left_out_notice(left_out)))
            elif self._steps and self._steps[0].told:
                self._waiting -= 1
                await send(self._steps[0].told.popleft())
            elif len(self._steps) > 1:
                await self._show(self._steps.popleft().look, send)
            elif self._steps and self._steps[0].ends:
                self._steps.popleft()
                await self._show(view, send)
            elif self._dismissed:
                return
            elif self._gone is not None:
                await send(Gone(self._gone))
                return
            else:
                self._more = trio.Event()
                await self._more.wait()

    async def _show(self, look: Look | None, send: Send) -> None:
        """Send a view unless it equals the last one."""
        now = self._shown if look is None else look()
        if now is not None and now != self._shown:
            self._shown = now
            await send(Shown(now))


def _left_out_notice(count: int) -> Notice:
    """The notice that `count` lines were not kept."""
    return Notice(f"{count} line{'s' * (count != 1)} skipped here (too many to keep).")


class Attachments:
    """All front ends of a table. unread: how many happenings no front end was there for."""

    def __init__(self) -> None:
        self.unread = 0
        self._attached: list[Attachment] = []
        self._kept: deque[Happening] = deque(maxlen=KEPT)
        self._left = trio.Event()

    def __len__(self) -> int:
        return len(self._attached)

    @property
    def pace(self) -> float:
        """Seconds that a computer player takes for an action: those of the slowest viewer, 0 with none."""
        return min(max([0.0, *[attachment.pace for attachment in self._attached]]), SLOWEST)

    def attach(self, pace: float = 0.0) -> Attachment:
        """Attach a front end, which gets what no front end was there for. pace: seconds for an action that its viewer
        can follow."""
        kept = list(self._kept)
        read = max(0, len(kept) - self.unread)
        left_out = max(0, self.unread - len(kept))
        attachment = Attachment(pace, kept[max(0, read - EARLIER) : read], kept[read:], left_out)
        self.unread = 0
        self._attached.append(attachment)
        return attachment

    def detach(self, attachment: Attachment) -> None:
        """Remove a front end."""
        self._attached.remove(attachment)
        self._left.set()

    async def empty(self) -> None:
        """Wait until no front end is attached."""
        while self._attached:
            self._left = trio.Event()
            await self._left.wait()

    def tell(self, happening: Happening, look: Look | None = None) -> None:
        """Queue a happening for all front ends, or keep it while there are none. look: as in `Attachment.tell`."""
        self._kept.append(happening)
        if not self._attached:
            self.unread += 1
        for attachment in self._attached:
            attachment.tell(happening, look)

    def announce(self, happening: Happening) -> None:
        """Queue a happening that is no step of the machine, and show the view again."""
        self.tell(happening)
        self.changed()

    def changed(self, look: Look | None = None) -> None:
        """Have all front ends show the view again. look: makes it."""
        for attachment in self._attached:
            attachment.changed(look)

    def close(self, why: str) -> None:
        """End all attachments because the table is gone. why: a sentence."""
        for attachment in self._attached:
            attachment.close(why)
