"""A page without a browser: what it is told, and what it says, over a link in memory; and one who plays from what it is
told alone."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio

from p2pcards.store.files import Home
from p2pcards.store.settings import find_setting, set_setting
from p2pcards.web.front import serve_front
from p2pcards.web.link import PageGone
from rigs.giving_up import longest_wait
from rigs.short_games import short

Said = dict[str, Any]


class MemoryLink:
    """As `front.PageLink`; the ends for the page are `say` and `told`. most: texts that wait for the page to read."""

    def __init__(self, most: float = math.inf) -> None:
        self._to_page, self.told = trio.open_memory_channel[str](most)
        self._say, self._from_page = trio.open_memory_channel[str](math.inf)

    async def send(self, text: str) -> None:
        await self._to_page.send(text)

    async def receive(self) -> str:
        try:
            return await self._from_page.receive()
        except trio.EndOfChannel:
            raise PageGone from None

    def say(self, text: str) -> None:
        self._say.send_nowait(text)

    def close(self) -> None:
        self._say.close()


class Paged:
    """A page. heard: all that it has been told, the newest last."""

    def __init__(self, link: MemoryLink) -> None:
        self._link = link
        self.heard: list[Said] = []

    def say(self, kind: str, **more: Any) -> None:
        self._link.say(json.dumps({"is": kind, **more}))

    def say_anyhow(self, text: str) -> None:
        self._link.say(text)

    async def next(self) -> Said:
        with trio.fail_after(longest_wait()):
            message: Said = json.loads(await self._link.told.receive())
        self.heard.append(message)
        return message

    async def until(self, kind: str, fits: Callable[[Said], bool] = lambda _: True) -> Said:
        """The next message of this kind that fits."""
        while True:
            message = await self.next()
            if message["is"] == kind and fits(message):
                return message


def settle(home: Home) -> None:
    """Nothing takes time there, and nothing comes by itself."""
    set_setting(home, find_setting("speed"), "off")
    set_setting(home, find_setting("name"), "Ann")
    for switch in ("show_records", "say_go"):
        set_setting(home, find_setting(switch), False)


@asynccontextmanager
async def paged(home: Home) -> AsyncIterator[Paged]:
    """A page of a real daemon of this home."""
    settle(home)
    link = MemoryLink()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_front, link, home)
        yield Paged(link)
        link.close()
        nursery.cancel_scope.cancel()


def play_request(start: Said, key: str) -> Said:
    """A short game alone, as a page fills it in."""
    request: Said = start["requests"]["play"]
    request["rules"] = {**request["rules"], "game": key, "changes": [list(one) for one in short(key)]}
    return {**request, "seed": 1}


def first_deed(table: Said) -> Said | None:
    """What a person does first who takes what is offered: cards that can be laid down, else a button. None where there
    is nothing to do, or more than one card is wanted: then cards are marked one after the other."""
    if table["pause"] is not None:
        return {"is": "line", "text": "next"}
    alone = [place for place, card in enumerate(table.get("hand", [])) if card["alone"]]
    lines = [button["line"] or button["several"][0][0] for button in table["buttons"] if not button["begins"]]
    if alone and table["takes"] <= 1:
        return {"is": "cards", "places": alone[:1]}
    return {"is": "line", "text": lines[0]} if lines else None
