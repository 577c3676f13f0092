"""The link between a page and its Python end, whatever carries it."""

from __future__ import annotations

from typing import Protocol


class PageGone(Exception):
    """The page is closed."""


class PageLink(Protocol):
    """JSON texts to and from one page. Both raise PageGone."""

    async def send(self, text: str) -> None: ...
    async def receive(self) -> str: ...
