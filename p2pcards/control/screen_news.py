"""What comes from a table to the screen, as its owner puts it and the screen takes it; for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from p2pcards.control.conversation import TableNews
from p2pcards.control.messages import Happened, News
from p2pcards.views.tableview import TableView


class ScreenNews:
    """Of one table; for one that takes it."""

    def __init__(self) -> None:
        self._news = TableNews()
        self._more = asyncio.Event()
        self._taken = asyncio.Event()

    def put(self, news: News) -> None:
        self._news.put(news)
        self._taken.clear()
        self._more.set()

    def end(self, why: str) -> None:
        """Nothing more comes; why: the last thing that does."""
        self._news.end(why)
        self._more.set()

    def close(self) -> None:
        """Nothing more comes; what has come before is still to be taken."""
        self._news.close()
        self._more.set()

    async def updates(self) -> AsyncIterator[TableView | Happened]:
        """What comes, until nothing more does."""
        while self._news or not self._news.over:
            if self._news:
                yield self._news.take()
            else:
                self._taken.set()
                self._more.clear()
                await self._more.wait()

    async def taken(self) -> None:
        """Wait until whoever takes it has dealt with all that was put, and wants more."""
        await self._taken.wait()
