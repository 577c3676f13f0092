"""The front end's end of the control socket."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import trio

from p2pcards import __version__
from p2pcards.control.conversation import (
    DEADLINE,
    ENDED,
    HANGS,
    STOPPING,
    Conversation,
    TableNews,
    check_build,
    fitting,
    silent,
)
from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAEMON
from p2pcards.control.messages import (
    Attach,
    Attached,
    Compared,
    DaemonStatus,
    Detach,
    Done,
    Greet,
    Happened,
    Leave,
    News,
    NotDone,
    Open,
    Release,
    Request,
    Say,
    Status,
    Stop,
    TableOpened,
    Underway,
    Welcome,
    Words,
)
from p2pcards.control.protocol import BadMessage
from p2pcards.control.spawning import Place
from p2pcards.control.starting import reach, untold
from p2pcards.views.tableview import Command, TableView

A = TypeVar("A")


@asynccontextmanager
async def connect(
    place: Place, *, start: bool = True, any_build: bool = False, spawned: Callable[[int], None] = untold
) -> AsyncIterator[Client]:
    """A connection to the daemon of `place`, which is started if `start` and none runs. Raises Declined, NoDaemon
    among it. any_build: also to a daemon of another build, of which only `stop` is sure to be understood. spawned:
    as in `reach`."""
    async with greeted(await reach(place, start, spawned), any_build=any_build) as client:
        yield client


@asynccontextmanager
async def greeted(stream: trio.abc.Stream, *, any_build: bool = False) -> AsyncIterator[Client]:
    """The daemon at the other end of a stream, which is closed afterwards. Raises Declined."""
    client = Client(stream)
    try:
        async with stream, trio.open_nursery() as nursery:
            nursery.start_soon(client.pump)
            try:
                await client.greet(any_build)
                yield client
            finally:
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # The caller sees what they raised, not that there is a nursery here.
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise


class Client:
    """Requests to the daemon, from any number of tasks. Made by `greeted`."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.pid = 0
        self._stream = stream
        self._sending = trio.Lock()
        self._conversation = Conversation[_Awaited]()
        self._table: ClientTable | None = None
        self._heard: Callable[[str], None] = lambda _: None
        self._ended = ""

    async def greet(self, any_build: bool) -> None:
        """Send the first request and check the daemon's build, unless any will do. Raises Declined."""
        try:
            with trio.fail_after(DEADLINE):
                welcome = await self.ask(Greet(__version__), Welcome)
        except trio.TooSlowError:
            raise silent(_pid_of(self._stream)) from None
        self.pid = welcome.pid
        if not any_build:
            check_build(welcome)

    async def open(self, request: Open, heard: Callable[[str], None] = lambda _: None) -> TableOpened:
        """Open a table. heard: told of progress where it takes long. Raises Declined."""
        self._heard = heard
        return await self.ask(request, TableOpened)

    async def status(self) -> DaemonStatus:
        """The status of the daemon and its tables."""
        return await self.ask(Status(), DaemonStatus)

    async def attach(self, table: str = "", pace: float = 0.0) -> ClientTable:
        """The table of this name; "" is the only or the latest one. pace: as in `Attach`."""
        self._table = attached = ClientTable(self)
        try:
            await self.ask(Attach(table, pace), Attached)
        except BaseException:
            self._table = None
            raise
        return attached

    async def let_go(self, table: ClientTable) -> None:
        """Detach from this table if it is the attached one; what happened before still reaches its updates."""
        if self._table is table:
            with suppress(Declined):  # a daemon that has ended has let go of it too
                await self.ask(Detach(), Done)
            self._table = None

    async def release(self, table: str = "") -> str:
        """Let every front end go from a table. Returns a sentence."""
        return (await self.ask(Release(table), Done)).text

    async def compare_words(self, table: str = "") -> tuple[tuple[str, str], ...]:
        """(name, three words) of everybody who has a line to a table and answered."""
        return (await self.ask(Words(table), Compared)).found

    async def leave(self, table: str = "") -> str:
        """Give up a seat for good. Returns a sentence, as `stop` does."""
        return (await self.ask(Leave(table), Done)).text

    async def stop(self) -> str:
        """End the daemon; its games can be resumed. Raises Declined, also where it does not answer."""
        with trio.move_on_after(STOPPING):
            return (await self.ask(Stop(), Done)).text
        raise silent(self.pid)

    async def ask(self, request: Request, kind: type[A]) -> A:
        """Send a request and wait for its answer. Raises Declined."""
        awaited = _Awaited()
        await self._send(request, awaited)
        await awaited.come.wait()
        return fitting(awaited.answer, kind)

    async def _send(self, request: Request, awaited: _Awaited) -> None:
        """Send a request and note who waits for its answer. Raises Declined if the daemon is gone."""
        async with self._sending:
            if self._ended:
                raise Declined(self._ended, DAEMON)
            data = self._conversation.say(request, awaited)
            # Half a request would spoil all that follow, so this is not to be cancelled.
            with trio.move_on_after(DEADLINE, shield=True) as sent:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await self._stream.send_all(data)
            if sent.cancelled_caught:
                self._fail_all(HANGS)

    async def pump(self) -> None:
        """Read what the daemon sends and hand it out, until the connection ends."""
        try:
            async for data in self._stream:
                for awaited, message in self._conversation.receive_data(bytes(data)):
                    if awaited:
                        awaited.give(message)
                    else:
                        self._take_news(message)
            self._fail_all(ENDED)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._fail_all(ENDED)
        except BadMessage as bad:
            self._fail_all(f"The daemon sent something this program doesn't understand ({bad}).")

    def _take_news(self, news: News) -> None:
        """Take a message that answers no request: progress, or news of the attached table."""
        if isinstance(news, Underway):
            self._heard(news.text)
        elif self._table is not None:
            self._table.news.put(news)

    def _fail_all(self, why: str) -> None:
        """Fail every waiting request and end the table's updates. why: a sentence."""
        self._ended = why
        for awaited in self._conversation.give_up():
            awaited.give(NotDone(why, DAEMON))
        if self._table is not None:
            self._table.news.finish(why)


class Updates:
    """What comes from one table, for one that takes it. Not a generator: a reader that stops in the middle of it,
    or is cancelled there, can go on."""

    def __init__(self) -> None:
        self._news = TableNews()
        self._more = trio.Event()
        self._taken = trio.Event()

    def __aiter__(self) -> Updates:
        return self

    async def __anext__(self) -> TableView | Happened:
        await trio.lowlevel.checkpoint()
        while not self._news:
            self._taken.set()
            if self._news.over:
                raise StopAsyncIteration
            await self._more.wait()
        return self._news.next_update()

    async def some(self) -> None:
        """Wait until there is an update to take or no more will come."""
        while not self._news and not self._news.over:
            await self._more.wait()

    async def taken(self) -> None:
        """Wait until the reader has dealt with everything so far and asks for more."""
        await self._taken.wait()

    def put(self, news: News) -> None:
        """Keep news for the reader and wake it."""
        self._news.put(news)
        self._taken = trio.Event()
        self._wake()

    def finish(self, why: str) -> None:
        """End the updates with a last one that says why."""
        self._news.finish(why)
        self._wake()

    def close(self) -> None:
        """End the updates after those that have come."""
        self._news.close()
        self._wake()

    def _wake(self) -> None:
        """Wake the tasks that wait for an update."""
        self._more.set()
        self._more = trio.Event()


class ClientTable:
    """An attached table, as `attached.AttachedTable` has it. Made by `Client.attach`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.news = Updates()

    async def command(self, command: Command) -> None:
        """Carry out a command at the table. Raises Declined."""
        await self._client.ask(Say(command), Done)

    def updates(self) -> Updates:
        return self.news

    def caught_up(self, everything: bool) -> None:
        """The daemon waits for nobody's eyes."""

    async def detach(self) -> None:
        """Lets go of the table; what had happened there before is still to be taken."""
        try:
            await self._client.let_go(self)
        finally:
            self.news.close()


class _Awaited:
    """The answer to one request, when it has come."""

    def __init__(self) -> None:
        self.come = trio.Event()
        self.answer: Any = None

    def give(self, answer: Any) -> None:
        """Set the answer and wake the one who waits for it."""
        self.answer = answer
        self.come.set()


def _pid_of(stream: trio.abc.Stream) -> int:
    """The process id at the other end of a Unix socket; 0 if the system does not tell, or it is our own."""
    if not isinstance(stream, trio.SocketStream) or not hasattr(socket, "SO_PEERCRED"):
        return 0
    found: bytes = stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid: int = struct.unpack("3i", found)[0]
    return pid
