"""One table at work: a session machine, the links of its peers, its log, its clock, and whoever looks on.

A step of the machine and its effects are carried out without waiting, so nothing comes between them. What takes time
(a link, a call, the next move of a computer player) is a task in the table's own nursery.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import trio

from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, UNEXPECTED, USAGE
from p2pcards.control.starting import Declined
from p2pcards.daemon.acquaintance import sentence_of
from p2pcards.daemon.audience import Audience
from p2pcards.daemon.call import Caller, NotReached
from p2pcards.daemon.connection import LAST_WORDS, Connection
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.hook import Hook
from p2pcards.daemon.introductions import ANSWER, Introductions
from p2pcards.daemon.machines import Machine
from p2pcards.ledger.payloads import PENDING
from p2pcards.links.link import Link
from p2pcards.players.choose import choose
from p2pcards.session.effects import (
    Close,
    CommandError,
    Dial,
    Effect,
    Finished,
    Peer,
    Proceed,
    Remember,
    Send,
    Tell,
    Think,
    UseLog,
    WakeAt,
)
from p2pcards.session.liveness import allowed
from p2pcards.store.errors import StoreError
from p2pcards.store.logfile import LogFile
from p2pcards.views.commands import Command
from p2pcards.views.happenings import CallProgress, Happening, Notice, PlayerBack, PlayerJoined, Unreachable
from p2pcards.views.tableview import TableView
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import Bye, compares_words, encode_message, is_goodbye
from p2pcards.wire.reasons import ByeCode

RETRY = 5.0
"""Seconds after which a table that could not write its log tries again."""

BROKEN = (
    "Something went wrong inside p2pcards, so this table had to be closed. The log of the game is whole: "
    "'p2pcards resume' or 'p2pcards listen' goes on with it."
)


class Runner:
    """A table of the daemon. name: short, as a person types it. paused: why it stands still, or "". failures: the calls
    that reached nobody, by address. port, device: where it waits for calls, if it does. closed: set when everything of
    it has ended. report: takes how far a call has come while the table is being opened.

    open_log(game, game_id): the log of a game, made if there is none. listens: the machine is a listener's. hook: the
    player's command, or "". log: that of the game which the machine was made to go on with.
    """

    def __init__(
        self,
        name: str,
        machine: Machine,
        *,
        caller: Caller,
        diagnostics: Diagnostics,
        open_log: Callable[[str, bytes], LogFile],
        listens: bool = False,
        hook: str = "",
        log: LogFile | None = None,
    ) -> None:
        self.name = name
        self.listens = listens
        self.audience = Audience()
        self.paused = ""
        self.port: int | None = None
        self.device = ""
        self.log = log
        self.failures: dict[str, NotReached] = {}
        self.closed = trio.Event()
        self.report: Callable[[str], None] | None = None
        self._machine = machine
        self._caller = caller
        self._diagnostics = diagnostics
        self._open_log = open_log
        self._hook_command = hook
        self._nursery: trio.Nursery | None = None
        self._hook: Hook | None = None
        self._connections: dict[Peer, Connection] = {}
        self.introductions = Introductions(
            caller.home, listens, self._connections.values(), self.view, self.tell, os.urandom
        )
        self._last_peer = 0
        self._todo: deque[Effect] = deque()
        self._thoughts: deque[Think] = deque()
        self._to_think = trio.Event()
        self._flowing = trio.Event()
        self._clock = trio.CancelScope()
        self._wake = -math.inf  # a restored machine calls its peers at once
        self._over = ""
        self._ended = trio.Event()
        self._stepped = trio.Event()
        self._was_my_turn = False
        self._seen = TableView("", "closed")
        self._logged = b""  # the game that the log is of

    # --- life ---------------------------------------------------------------------------------------------------------

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until the table is over; then what was sent gets out, and the log is closed."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self._hook = Hook(self._hook_command, self.name, nursery, self._diagnostics)
                nursery.start_soon(self._keep_time)
                nursery.start_soon(self._think)
                if self.log:
                    self._tell_torn(self.log)
                task_status.started()
                await self._ended.wait()
                for connection in self._connections.values():
                    connection.close()
                with trio.move_on_after(max([one.last_words for one in self._connections.values()], default=0.0)):
                    while self._connections:
                        await self.stepped()
                self.audience.end(self._over)
                with trio.move_on_after(LAST_WORDS):
                    await self.audience.empty()
                nursery.cancel_scope.cancel()
        finally:
            if self.log:
                self.log.close()
            self._diagnostics.note(f"{self.name} closed")

    def end(self, why: str) -> None:
        """Close the table; why: the sentence that front ends are told."""
        self._over = self._over or why
        self._ended.set()

    def stop(self, why: str) -> None:
        """Say goodbye to the peers and close the table; its game can be resumed."""
        self._input(lambda _now: self._machine.stopping())
        self.end(why)

    @property
    def over(self) -> bool:
        return self._ended.is_set()

    async def start(self, function: Callable[..., Any], *arguments: Any) -> None:
        """A task that ends with the table, once it has said that it is ready."""
        assert self._nursery is not None
        await self._nursery.start(function, *arguments)

    async def stepped(self) -> None:
        """Wait until something has happened at this table."""
        await self._stepped.wait()

    # --- what comes to the machine ------------------------------------------------------------------------------------

    def command(self, command: Command) -> None:
        """Raises CommandError; Declined while the table stands still."""
        if self.paused:
            self._work()
        if self.paused:
            raise Declined(self.paused, STORAGE)
        if self.over:
            raise Declined("This table is closed.", USAGE)
        if command.name == "code":
            self.introductions.show_code()
            return
        if command.name == "words":
            self.task(self._found_words, self.introductions.compare(" ".join(command.arguments)))
            return
        if command.name == "invite":
            command = self.introductions.invitation(command)
        self._input(lambda now: self._machine.command(command, now))
        if self._over == BROKEN:
            raise Declined(BROKEN, UNEXPECTED)
        if command.name == "leave" and not self.paused:
            self.end("You have left the table.")

    async def serve(self, link: Link, address: str = "", proof: str = "") -> Connection:
        """A peer at the table, until her link is over. address: where we called her; proof: "code" if she has just
        proven one."""
        connection = Connection(link, address)
        if self._ended.is_set() or not self.introductions.takes(connection, proof):
            await link.aclose()
            return connection
        self._last_peer += 1
        peer = connection.peer = self._last_peer
        await self._free()
        self._make_way(connection)
        self._connections[peer] = connection
        self._diagnostics.note(f"{self.name} peer {peer} is {fingerprint(link.peer)} at {link.where}")
        self._input(lambda now: self._machine.joined(peer, link.peer, link.where, now, address, connection.pace))
        why: str | None = None

        async def received(message: bytes) -> None:
            await self._free()
            if compares_words(message) and connection.met:
                self.introductions.hear_words(connection, message)
            elif self.introductions.too_much(connection):
                self._put_out(connection, "has begun so many games, for a stranger, that no more are kept today")
            else:
                if is_goodbye(message) and (failed := self.introductions.hear_goodbye(connection, message)) and address:
                    self.failures.setdefault(address, failed)
                self._input(lambda now: self._machine.receive(peer, message, now))

        try:
            why = await connection.run(received)
        finally:
            del self._connections[peer]
            self.introductions.gone(connection)
            self.wake()
        self._diagnostics.note(f"{self.name} peer {peer} {'lost: ' + why if why else 'closed'}")
        if why is not None:
            if address:
                self.failures.setdefault(address, NotReached(why, NETWORK))
            await self._free()
            self._input(lambda now: self._machine.lost(peer, why, now))
        return connection

    def _make_way(self, newcomer: Connection) -> None:
        for other in self.introductions.give_way(newcomer):
            self._put_out(other, "gives way to somebody else")

    def _put_out(self, connection: Connection, why: str) -> None:
        connection.send(encode_message(Bye(ByeCode.TAKEN if self.listens else ByeCode.FULL)))
        connection.close()
        self._input(lambda now: self._machine.lost(connection.peer, why, now))

    async def compare_words(self) -> list[tuple[str, str]]:
        """With everybody who has a line to us: (name, words) of those who answered in time. Raises Declined."""
        return await self._found_words(self.introductions.compare())

    async def _found_words(self, begun: list[Connection]) -> list[tuple[str, str]]:
        with trio.move_on_after(allowed(ANSWER, max([one.pace for one in begun], default=0.0))):
            while len(self.introductions.words_with(begun)) < len(begun):
                await self.stepped()
        self.introductions.say_unanswered(begun)
        return self.introductions.words_with(begun)

    async def _free(self) -> None:
        """Wait while the table stands still."""
        while self.paused:
            await self._flowing.wait()

    async def _call(self, dial: Dial) -> None:
        assert self._nursery is not None
        try:
            link, proof = await self.dial(dial.address, dial.key)
        except NotReached as failed:
            self._diagnostics.note(f"{self.name} call failed: {failed}")
            self.failures[dial.address] = failed
            why, again = str(failed), failed.again
            await self._free()
            self._input(lambda now: self._machine.dial_failed(dial.address, why, now, again))
        else:
            await self.serve(link, dial.address, proof)

    async def dial(self, address: str, key: bytes | None) -> tuple[Link, str]:
        """A link, and "code" if both sides have proven the one that was kept for this call. Raises NotReached."""
        assert self._nursery is not None
        code = self.introductions.code_for(address)
        link = await self._caller.call(address, key, nursery=self._nursery, code=code, tell=self.tell_line)
        return link, "code" if code else ""

    async def _keep_time(self) -> None:
        while True:
            with trio.CancelScope(deadline=self._wake) as self._clock:
                await trio.sleep_forever()
            await self._free()
            self._wake = math.inf
            self._input(self._machine.tick)

    async def _think(self) -> None:
        while True:
            while self._thoughts:
                await trio.lowlevel.checkpoint()
                await self._free()
                self._input(self._thought)
            self._to_think = trio.Event()
            await self._to_think.wait()

    def _thought(self, now: float) -> list[Effect]:
        think = self._thoughts.popleft()
        action = choose(think.game, think.view, think.seat, think.level, Random(think.seed))
        return (self._machine.hinted if think.hint else self._machine.thought)(think, action, now)

    # --- what the machine wants done ----------------------------------------------------------------------------------

    def _input(self, transition: Callable[[float], list[Effect]]) -> None:
        """A step of the machine. Raises CommandError; any other mistake ends this table, and no other."""
        if self._ended.is_set():
            return
        try:
            self._todo.extend(transition(trio.current_time()))
        except CommandError:
            raise
        except Exception as error:
            self._break(error)
        self._work()

    def _work(self) -> None:
        """Carry out what is to be done, in order. When the log takes nothing, everything stands still until it does:
        what is sent has been written before."""
        while self._todo:
            try:
                self._carry_out(self._todo[0])
            except StoreError as error:
                self._pause(sentence_of(error))
                return
            except Exception as error:
                self._break(error)
                return
            self._todo.popleft()
        if self.paused:
            self._go_on()
        self.introductions.meet()
        self.wake()
        self.audience.changed()
        self._watch_turn()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Send(peer, message):
                if peer in self._connections:
                    self._connections[peer].send(message)
            case Remember(payload):
                assert self.log is not None, "UseLog comes before Remember"
                self.log.append(payload)
                if self.listens:
                    self.introductions.writes(len(payload))
                    if payload[:1] == PENDING:
                        self.introductions.plays()
            case Tell(happening):
                self._tell(happening)
            case Think():
                self._thoughts.append(effect)
                self._to_think.set()
            case WakeAt(when):
                self._wake = self._clock.deadline = when
            case Close(peer):
                if peer in self._connections:
                    self._connections[peer].close()
            case Dial():
                self.task(self._call, effect)
            case UseLog(game, game_id):
                self._use_log(game, game_id)
            case Proceed():
                self._todo.extend(self._machine.proceed(trio.current_time()))
            case Finished():
                self.end("The table is closed.")

    def _use_log(self, game: str, game_id: bytes) -> None:
        if self._logged == game_id:
            return
        self.introductions.begins()
        if self.log:
            self.log.close()
        self.log, self._logged = None, b""
        self.log, self._logged = self._open_log(game, game_id), game_id
        self._tell_torn(self.log)

    def _tell_torn(self, log: LogFile) -> None:
        if torn := log.torn:
            self._notice(
                f"The last record of the log was never finished ({torn.size} bytes at offset {torn.offset}). "
                f"It is kept in {torn.path}; the game goes on from the record before it."
            )

    def tell_line(self, text: str) -> None:
        """How far a call on a slow line has come: to whoever waits for the table to open, else to the front ends."""
        if self.report is None:
            self.tell(CallProgress(text=text))
        else:
            self.report(text)

    def tell(self, happening: Happening) -> None:
        """To the front ends alone."""
        self.audience.tell(happening)
        self.audience.changed()
        self.wake()

    def has_room(self) -> bool:
        return not self.over and self.introductions.has_room()

    def _tell(self, happening: Happening) -> None:
        self.audience.tell(happening)
        if isinstance(happening, Unreachable):
            self.failures.setdefault(happening.address, NotReached(happening.why, REFUSED))
        if isinstance(happening, PlayerJoined | PlayerBack) and self._hook:
            self._hook.ring("joined")

    def _notice(self, text: str) -> None:
        self.audience.tell(Notice(text=text))

    def task(self, function: Callable[..., Any], *arguments: Any) -> None:
        """A task that ends with the table."""
        assert self._nursery is not None
        self._nursery.start_soon(function, *arguments)

    # --- standing still -----------------------------------------------------------------------------------------------

    def _pause(self, why: str) -> None:
        if self.paused:
            return
        self.paused = why
        self._flowing = trio.Event()
        self._diagnostics.note(f"{self.name} paused: {why}")
        self._notice(f"{why} The table stands still and tries again every {RETRY:.0f} s; nothing is lost.")
        self.audience.changed()
        self.task(self._retry)

    async def _retry(self) -> None:
        while self.paused:
            await trio.sleep(RETRY)
            if self.paused:
                self._work()

    def _go_on(self) -> None:
        self.paused = ""
        self._flowing.set()
        self._diagnostics.note(f"{self.name} goes on")
        self._notice("The log can be written again; the game goes on.")

    def _break(self, error: Exception) -> None:
        self._diagnostics.fault(self.name, error)
        self._todo.clear()
        self.end(BROKEN)

    # --- what others want to know -------------------------------------------------------------------------------------

    def view(self) -> TableView:
        """The table as the person at this end sees it."""
        try:
            self._seen = self._machine.view(trio.current_time())
        except Exception as error:
            self._break(error)
        threshold = self.introductions.threshold
        code = threshold.code if threshold else ""
        lines = {
            fingerprint(one.link.peer): one.link.line.quality for one in self._connections.values() if one.link.line
        }
        if not (code or lines):
            return self._seen
        people = tuple([replace(one, line=lines.get(one.key, "")) for one in self._seen.people])
        return replace(self._seen, code=code, people=people)

    def here(self) -> int:
        """How many others are at the table now."""
        return sum(person.link == "here" for person in self.view().people)

    def wake(self) -> None:
        """Whoever waits for something to happen here looks again."""
        self._stepped.set()
        self._stepped = trio.Event()

    def _watch_turn(self) -> None:
        if self._hook and self._hook.wanted:
            view = self.view()
            mine = bool(view.legal) and not view.away
            if mine and not self._was_my_turn:
                self._hook.ring("turn")
            self._was_my_turn = mine
