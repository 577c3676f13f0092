"""One of the people of the demo: a daemon process of their own, and a front end that watches and plays."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from random import Random

import trio

from p2pcards.cli.failing import Failure
from p2pcards.control.client import ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import UNEXPECTED
from p2pcards.control.messages import Happened, Open, Persona
from p2pcards.present.story import story
from p2pcards.store.home import Home
from p2pcards.views.commands import Command
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    GameChosen,
    GameStarted,
    HandDealt,
    HandOpened,
    HandScored,
    Happening,
    Notice,
    OptionSet,
    TrickTaken,
    TurnedUp,
)
from p2pcards.views.tableview import TableView

PACE = 0.02
"""Seconds that a person takes for a move, so that something can happen in the middle of a hand."""

ENDING = 10.0
"""Seconds in which a daemon that was told to stop has ended."""

BUSY = 90
"""Columns of moves that are told in one line."""

PLAY = (Acted, TurnedUp, TrickTaken)
DEALER_TELLS = (GameChosen, OptionSet, GameStarted, HandDealt, HandScored, HandOpened)

Tell = Callable[[str, str], None]


class Room:
    """What the people share. held: they wait with their next moves. changed: set, and replaced, whenever any table has
    news."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.held = False
        self.changed = trio.Event()

    def change(self) -> None:
        self.changed.set()
        self.changed = trio.Event()

    def hold(self, held: bool) -> None:
        self.held = held
        self.change()


class Participant:
    """pid: their daemon, 0 while none runs. view: the latest that their table showed. told: what it told, in order.
    turn: they owe a move."""

    def __init__(self, room: Room, persona: Persona, home: Home, rng: Random, *, coordinates: bool) -> None:
        self.room = room
        self.name = persona.name
        self.persona = persona
        self.home = home
        self.coordinates = coordinates
        self.pid = 0
        self.port: int | None = None
        self.view = TableView("", "closed")
        self.told: list[Happening] = []
        self.turn = False
        self._quiet = False  # nothing of theirs is told
        self._rng = rng
        self._table: ClientTable | None = None
        self._hand = 0
        self._moves = ""

    # --- the daemon ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start their daemon."""
        # Whoever is interrupted between starting a process and knowing its number could not end it.
        with trio.CancelScope(shield=True):
            try:
                async with connect(self.home) as client:
                    self.pid = client.pid
            except Declined as declined:
                raise self._failure(declined) from None

    def kill(self) -> None:
        """SIGKILL; returns when the process is gone."""
        pid, self.pid = self.pid, 0
        if pid:
            self._table, self.turn = None, False
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)

    async def stop(self) -> None:
        """End their daemon as `p2pcards stop` does. Raises Failure if it goes on."""
        try:
            async with connect(self.home, start=False) as client:
                await client.stop()
        except Declined as declined:
            raise self._failure(declined) from None
        with trio.move_on_after(ENDING):
            while not self._has_ended():
                await trio.sleep(PACE)
        if self.pid:
            raise Failure(f"The daemon of {self.name} was told to stop, but goes on (pid {self.pid}).", UNEXPECTED)

    def _has_ended(self) -> bool:
        try:
            ended, _ = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            ended = self.pid
        if ended:
            self.pid = 0
        return bool(ended)

    # --- the front end ------------------------------------------------------------------------------------------------

    async def sit_down(self, nursery: trio.Nursery, request: Open) -> None:
        """Open a table and sit down at it, until it ends."""
        await nursery.start(self._attend, request)

    async def say(self, text: str) -> None:
        await self._command(Command("say", (text,)))

    async def begin(self) -> None:
        await self._command(Command("start"))

    def fall_silent(self) -> None:
        """The game is over: nothing more of this table is told, and it may end."""
        self._quiet = True

    def was_told(self, kind: type[Happening], **values: object) -> bool:
        """Whether something of this kind, with these values, was told."""
        return any(
            isinstance(one, kind) and all(getattr(one, name) == value for name, value in values.items())
            for one in self.told
        )

    def moves(self) -> int:
        """Made in this hand, by anybody."""
        kinds = [type(one) for one in reversed(self.told) if isinstance(one, Acted | HandDealt)]
        return kinds.index(HandDealt) if HandDealt in kinds else 0

    async def _attend(self, request: Open, task_status: trio.TaskStatus[None]) -> None:
        pid = self.pid
        try:
            async with connect(self.home, start=False) as client:
                opened = await client.open(request)
                self.port = opened.port or self.port
                self._table = await client.attach(opened.table)
                task_status.started()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._play, self._table)
                    async for update in self._table.updates():
                        self._take(update)
                    nursery.cancel_scope.cancel()
        except Declined as declined:
            raise self._failure(declined) from None
        if self.pid == pid and not self._quiet:
            why = next((one.text for one in reversed(self.told) if isinstance(one, Notice)), "")
            raise Failure(f"The table of {self.name} ended, which it should not have done. {why}", UNEXPECTED)

    async def _play(self, table: ClientTable) -> None:
        """At each turn of theirs, one of the legal moves that their table offers."""
        while True:
            while self.room.held or not self.turn:
                await self.room.changed.wait()
            await trio.sleep(PACE)
            if not self.room.held:
                await self._move(table)

    async def _move(self, table: ClientTable) -> None:
        if self.turn:
            self.turn = False
            words = self._rng.choice(self.view.legal)
            with suppress(Declined):  # the table has moved on, which its next view shows, or has ended
                await table.command(Command("act", tuple(words.split())))

    async def _command(self, command: Command) -> None:
        try:
            if self._table is not None:
                await self._table.command(command)
        except Declined as declined:
            raise self._failure(declined) from None

    def _failure(self, declined: Declined) -> Failure:
        return Failure(f"At {self.name}'s: {declined}", declined.code)

    # --- what it shows ------------------------------------------------------------------------------------------------

    def _take(self, update: TableView | Happened) -> None:
        if isinstance(update, TableView):
            self.view = update
            self.turn = bool(update.legal)
        elif not update.earlier:
            self.told.append(update.happening)
            if isinstance(update.happening, ActionRefused | ActionOutdated):
                self.turn = bool(self.view.legal)
            if not self._quiet:
                self._tell(update.happening)
        self.room.change()

    def _tell(self, happening: Happening) -> None:
        """The coordinator's table tells the play, move by move in the first hand; every table tells what concerns
        links, chat and seats."""
        sentence = story(happening, self.name)
        if isinstance(happening, HandDealt):
            self._hand = happening.hand
        if isinstance(happening, PLAY):
            if self.coordinates and self._hand == 1:
                self._tell_move(sentence, last=isinstance(happening, TrickTaken))
            return
        if isinstance(happening, DEALER_TELLS) and not self.coordinates:
            return
        self._tell_moves()
        self.room.tell(self.name, sentence)

    def _tell_move(self, sentence: str, last: bool) -> None:
        words = sentence.rstrip(".")
        if self._moves:
            words = "; " + ("you" + words[3:] if words.startswith("You ") else words)
        self._moves += words
        if last or len(self._moves) > BUSY:
            self._tell_moves()

    def _tell_moves(self) -> None:
        if self._moves:
            self.room.tell(self.name, f"{self._moves}.")
            self._moves = ""
