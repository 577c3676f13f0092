"""Two people at two daemons look at a hand that is over, and go on when both have said so."""

from __future__ import annotations

from collections.abc import Callable

import trio

from p2pcards.control.attached import AttachedTable
from p2pcards.control.client import connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona, Rules, TimeLimits
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome


class Seat:
    """A person at a table. view: the newest."""

    def __init__(self, table: AttachedTable) -> None:
        self.view = TableView("", "lobby")
        self._table = table
        self._more = trio.Event()

    async def look(self) -> None:
        """All that comes, and a card whenever it is this one's turn."""
        async for news in self._table.updates():
            if isinstance(news, TableView):
                self.view = news
                self._more.set()
                self._more = trio.Event()
                if news.legal:
                    await self._table.command(Command("act", tuple(news.legal[0].split())))

    async def say(self, *words: str) -> None:
        await self._table.command(Command(words[0], words[1:]))

    async def until(self, done: Callable[[TableView], bool]) -> None:
        while not done(self.view):
            await self._more.wait()


def pauses(view: TableView) -> bool:
    return view.pause is not None


def goes_on(view: TableView) -> bool:
    return view.pause is None


async def test_both_say_that_they_have_looked(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with connect(ann) as coordinator, connect(bob) as listener, trio.open_nursery() as nursery:
        with trio.fail_after(longest_wait()):
            opened = await listener.open(OpenListen(0, Persona("Bob")))
            host = Host(f"127.0.0.1:{opened.port}")
            limits = TimeLimits(between_hands=3600)
            rules = Rules("whist", changes=(("winning_score", "9"),))  # more than a hand can count: a pause follows it
            await coordinator.open(OpenConnect((host,), rules, Persona("Ann"), limits))
            seats = [Seat(await client.attach()) for client in (coordinator, listener)]
            for seat in seats:
                nursery.start_soon(seat.look)
            await seats[0].say("start")
            for seat in seats:
                await seat.until(pauses)
            first, second = seats
            assert first.view.hand == second.view.hand == 1
            assert first.view.last_trick == second.view.last_trick != ()
            await first.say("next")
            await first.until(goes_on)
            assert first.view.waiting == "Bob to look at the hand"
            await second.say("next")
            await second.until(goes_on)
            await first.until(lambda view: view.hand == 2)
        nursery.cancel_scope.cancel()
