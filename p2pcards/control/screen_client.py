"""The front end's end of the control socket, for asyncio, where the screen runs; it talks to a daemon that runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from p2pcards import __version__
from p2pcards.control.conversation import (
    DEADLINE,
    ENDED,
    HANGS,
    Conversation,
    check_version,
    fitting,
    silent,
)
from p2pcards.control.declined import Declined, NoDaemon
from p2pcards.control.exits import DAEMON
from p2pcards.control.messages import (
    Answer,
    Attach,
    Attached,
    Detach,
    Done,
    Greet,
    Happened,
    News,
    NotDone,
    Request,
    Say,
    Underway,
    Welcome,
)
from p2pcards.control.protocol import BadMessage
from p2pcards.control.screen_news import ScreenNews
from p2pcards.views.tableview import Command, TableView

if TYPE_CHECKING:
    from p2pcards.control.starting import Place

CHUNK = 1 << 16

A = TypeVar("A")


@asynccontextmanager
async def connect(place: Place) -> AsyncIterator[ScreenClient]:
    """A connection to the daemon of `place`. Raises Declined, NoDaemon among it."""
    try:
        reader, writer = await asyncio.open_unix_connection(os.fspath(place.socket))
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        raise NoDaemon from None
    except OSError as error:
        why = error.strerror or error
        raise Declined(f"The daemon cannot be reached at {place.socket}: {why}.", DAEMON) from None
    client = ScreenClient(reader, writer)
    pump = asyncio.create_task(client.pump())
    try:
        await client.greet()
        yield client
    finally:
        pump.cancel()
        await asyncio.wait([pump])
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


class ScreenClient:
    """Requests to the daemon, from any number of tasks. Made by `connect`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._conversation = Conversation[asyncio.Future[Answer]]()
        self._table: ScreenTable | None = None
        self._ended = ""

    async def greet(self) -> None:
        """The first thing to say. Raises Declined."""
        try:
            async with asyncio.timeout(DEADLINE):
                welcome = await self.ask(Greet(__version__), Welcome)
        except TimeoutError:
            raise silent(0) from None
        check_version(welcome)

    async def attach(self, table: str = "", pace: float = 0.0) -> ScreenTable:
        """The table of this name; "" is the only or the latest one. pace: as in `Attach`."""
        self._table = attached = ScreenTable(self)
        try:
            await self.ask(Attach(table, pace), Attached)
        except BaseException:
            self._table = None
            raise
        return attached

    async def let_go(self, table: ScreenTable) -> None:
        """What had happened there has come to this table, if it is the one that is attached, and nothing more does."""
        if self._table is table:
            with suppress(Declined):  # a daemon that has ended has let go of it too
                await self.ask(Detach(), Done)
            self._table = None

    async def ask(self, request: Request, kind: type[A]) -> A:
        """Send a request and wait for its answer. Raises Declined."""
        if self._ended:
            raise Declined(self._ended, DAEMON)
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._writer.write(self._conversation.say(request, answered))
        try:
            async with asyncio.timeout(DEADLINE):
                await self._writer.drain()
        except TimeoutError:
            self._end(HANGS)
        except OSError:
            self._end(ENDED)
        return fitting(await answered, kind)

    async def pump(self) -> None:
        """Take in what the daemon sends, until it ends."""
        try:
            while data := await self._reader.read(CHUNK):
                for answered, message in self._conversation.hear(data):
                    if answered is None:
                        self._take(message)
                    elif not answered.done():
                        answered.set_result(message)
            self._end(ENDED)
        except OSError:
            self._end(ENDED)
        except BadMessage as bad:
            self._end(f"The daemon sent something that this program does not understand ({bad}).")

    def _take(self, news: News) -> None:
        if self._table is not None and not isinstance(news, Underway):
            self._table.news.put(news)

    def _end(self, why: str) -> None:
        self._ended = why
        for answered in self._conversation.give_up():
            if not answered.done():
                answered.set_result(NotDone(why, DAEMON))
        if self._table is not None:
            self._table.news.end(why)


class ScreenTable:
    """An attached table, as `attached.AttachedTable` has it. Made by `ScreenClient.attach`."""

    def __init__(self, client: ScreenClient) -> None:
        self._client = client
        self.news = ScreenNews()

    async def command(self, command: Command) -> None:
        await self._client.ask(Say(command), Done)

    def updates(self) -> AsyncIterator[TableView | Happened]:
        return self.news.updates()

    async def detach(self) -> None:
        """Lets go of the table; what had happened there before is still to be taken."""
        try:
            await self._client.let_go(self)
        finally:
            self.news.close()
