"""The table of a session apart, at which front ends look on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

import trio

from p2pcards.control import messages
from p2pcards.control.attached import Refusal
from p2pcards.control.client import Updates
from p2pcards.daemon.thinking import Decide
from p2pcards.games.game import Action
from p2pcards.session.effects import CommandError, Think
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView

Sleep = Callable[[float], Awaitable[None]]
Shown = Literal["shown"]
SHOWN: Shown = "shown"
"""A step of a session: the table is shown as it is now."""


class Session(Protocol):
    """What is shown at a table apart."""

    def go_on(self, action: Action = None, /) -> Happening | Think | Shown | None:
        """The next step; None at the end. action: the answer to a `Think`."""

    def view(self) -> TableView:
        """The table as it is now."""

    def looked(self, command: Command, /) -> list[Happening]:
        """The happenings that answer a command which changes nothing. Raises CommandError."""


class TableApart:
    """The table of a session apart, with the interface of `attached.AttachedTable`."""

    def __init__(self, session: Session, *, stays: bool = False) -> None:
        """stays: the table is open after the last step, until the person stops it."""
        self._stays = stays
        self._session = session
        self._news = Updates()
        self._idle = trio.Event()

    async def play(self, decide: Decide | None, pace: Callable[[], float], sleep: Sleep = trio.sleep) -> None:
        """Play all games, each step once the one before has been shown, then close the table. decide: None where
        nothing is decided; pace: seconds for an action, counting the time to decide."""
        action = None
        try:
            while (step := self._session.go_on(action)) is not None:
                if isinstance(step, Think):
                    assert decide is not None
                    self._send_view()
                    async with trio.open_nursery() as both:
                        both.start_soon(sleep, pace())
                        action = await decide(step)
                    await self._wait_until_shown()
                elif step == SHOWN:
                    self._send_view()
                    await sleep(pace())
                    await self._wait_until_shown()
                else:
                    self._news.put(messages.Happened(step))
            self._send_view()
            await self._wait_until_shown()
            if self._stays:
                await trio.sleep_forever()
        finally:
            self._news.close()

    def _send_view(self) -> None:
        self._news.put(messages.Shown(self._session.view()))

    async def _wait_until_shown(self) -> None:
        await self._news.taken()
        await self._idle.wait()

    def caught_up(self, everything: bool) -> None:
        if everything:
            self._idle.set()
        elif self._idle.is_set():
            self._idle = trio.Event()

    async def command(self, command: Command) -> None:
        """Carry out a command that only looks, or `leave`. Raises Refusal."""
        if command.name == "leave":
            await self.detach()
            return
        try:
            for happening in self._session.looked(command):
                self._news.put(messages.Happened(happening))
        except CommandError as error:
            raise Refusal(str(error)) from None

    def updates(self) -> Updates:
        """The views and happenings as they come."""
        return self._news

    async def detach(self) -> None:
        """End the updates."""
        self._news.close()
