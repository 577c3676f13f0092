"""The conversation of a front end with the daemon, without I/O: which answer belongs to which request, and what has
come from an attached table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from p2pcards.control.build import is_own_build, was_updated
from p2pcards.control.declined import Declined, OtherBuild, Updated
from p2pcards.control.exits import DAEMON
from p2pcards.control.messages import Answer, Gone, Happened, News, NotDone, Request, Shown, Welcome
from p2pcards.control.protocol import answer_reader, encode
from p2pcards.views.happenings import Notice
from p2pcards.views.tableview import TableView

ENDED = "The daemon stopped. Your games are saved: 'p2pcards attach' takes you back."
HANGS = "The daemon isn't taking requests. It seems to be stuck."

DEADLINE = 5.0
"""Seconds for the daemon to say hello, and to take a request."""
STOPPING = 30.0
"""Seconds for it to stop, twice as long as it takes at the most to close its tables."""

A = TypeVar("A")
W = TypeVar("W")


class Conversation(Generic[W]):
    """The requests that wait for their answers, in their order. W: whatever waits for one."""

    def __init__(self) -> None:
        self._reader = answer_reader()
        self._waiting: deque[W] = deque()

    def say(self, request: Request, waits: W) -> bytes:
        """The bytes of a request, for which `waits` will get the answer."""
        data = encode(request)
        self._waiting.append(waits)
        return data

    def receive_data(self, data: bytes) -> Iterator[tuple[W | None, Any]]:
        """Decode what has come: pairs of the one who waits and the answer, or of None and news. Raises BadMessage,
        after which nothing more can be read."""
        for message in self._reader.feed(data):
            if not isinstance(message, Answer):
                yield None, message
            elif self._waiting:
                yield self._waiting.popleft(), message

    def give_up(self) -> list[W]:
        """All who still wait for an answer, as none will come any more."""
        left = list(self._waiting)
        self._waiting.clear()
        return left


class TableNews:
    """What has come from an attached table and was not taken yet. over: nothing more comes."""

    def __init__(self) -> None:
        self.over = False
        self._news: deque[TableView | Happened] = deque()

    def __len__(self) -> int:
        return len(self._news)

    def put(self, message: News) -> None:
        """Keep news of the table for the reader; a view replaces one not yet taken. News of no table is ignored."""
        if self.over:
            return
        if isinstance(message, Shown):
            if self._news and isinstance(self._news[-1], TableView):
                self._news.pop()
            self._news.append(message.view)
        elif isinstance(message, Happened):
            self._news.append(message)
        elif isinstance(message, Gone):
            self.finish(message.why)

    def next_update(self) -> TableView | Happened:
        """The next update. Raises IndexError if there is none."""
        return self._news.popleft()

    def finish(self, why: str) -> None:
        """End the updates with a last one that says why."""
        if not self.over:
            self._news.append(Happened(Notice(why)))
            self.over = True

    def close(self) -> None:
        """End the updates without a reason."""
        self.over = True


def fitting(answer: Answer, kind: type[A]) -> A:
    """Return the answer if it is of the kind that belongs to the request. Raises Declined otherwise."""
    if isinstance(answer, NotDone):
        raise Declined(answer.sentence, answer.code)
    if not isinstance(answer, kind):
        raise Declined("The daemon gave an answer this program doesn't understand.", DAEMON)
    return answer


def check_build(welcome: Welcome) -> None:
    """Raise OtherBuild or Updated unless the daemon has the build of this program."""
    if not is_own_build(welcome.version):
        raise Updated if was_updated() else OtherBuild


def silent(pid: int) -> Declined:
    """The Declined for a daemon that accepts connections but does not answer. pid: its process, 0 if unknown."""
    advice = f"If it's stuck, run 'kill -9 {pid}' and try again: your games are safe." if pid else ""
    return Declined(f"The daemon is running but doesn't answer. {advice}".rstrip(), DAEMON)
