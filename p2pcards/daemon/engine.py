"""A session machine at work: its steps, the effects of each in their order, its clock, the moves of computers, and what
its front ends are shown.

A step and its effects are carried out without waiting, so nothing comes between them. When the log takes nothing,
everything stands still until it does."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

import trio

from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.compiling import lacks_kernels, slowness_sentence
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.machines import Machine
from p2pcards.daemon.thinking import CannotThink, Decide
from p2pcards.players.levels import IN_PAGE, LEVELS, lacking_reason, searches
from p2pcards.session.checkpoint import checkpoint
from p2pcards.session.effects import CommandError, Effect, Look, Think
from p2pcards.store.files import StoreError
from p2pcards.views.happenings import Notice
from p2pcards.views.tableview import Command, TableView

RETRY = 5.0
"""Seconds after which a table that could not write its log tries again."""

BROKEN = (
    "Something went wrong inside p2pcards, so this table was closed. Nothing is lost: resume the game with p2pcards "
    "resume, or p2pcards listen if a friend hosts."
)

FAILED = "Something went wrong inside p2pcards, so nothing changed. You can keep playing, but please report it."

NO_DECISION = f"A computer player's process crashed twice, so it can't play. The table tries again every {RETRY:.0f} s."

Transition = Callable[[Machine, float], list[Effect]]
"""A step of the machine, at a time in seconds of the runner's clock."""


class Engine:
    """That of one table. paused: why it stands still, a sentence, or "". why: why it is over, likewise. stepped: rings
    when something has happened. written: makes the view after the last step that was done.

    carry_out: does what the effects say that concern others; raises StoreError when the log takes nothing. settled: is
    called when all that a step wants is done. decide: decides for computer players; raises CannotThink.
    """

    def __init__(
        self,
        table: str,
        machine: Machine,
        attachments: Attachments,
        diagnostics: Diagnostics,
        *,
        carry_out: Callable[[Effect], None],
        settled: Callable[[], None],
        decide: Decide,
    ) -> None:
        self.paused = ""
        self.why = ""
        self.stepped = Bell()
        self._table = table
        self._machine = machine
        self._attachments = attachments
        self._diagnostics = diagnostics
        self._carry_out = carry_out
        self._settled = settled
        self._decide = decide
        self._todo: deque[Effect] = deque()
        self._thoughts: deque[Think] = deque()
        self._to_think = Bell()
        self._thinking: tuple[Think, trio.CancelScope] | None = None
        self._lacks = set[str]()  # what was told of levels that lack something
        self._pausing = Bell()
        self._flowing = Bell()
        self._clock = trio.CancelScope()
        self._alarm = -math.inf  # its deadline
        self._due = -math.inf  # when to call `tick`: a restored machine calls its peers at once
        self._ended = trio.Event()
        self._seen = TableView("", "closed")
        self.written = self._look()

    async def run(self) -> None:
        """Keep time, have computers think, and retry what the log refused; until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_time)
            nursery.start_soon(self._think)
            nursery.start_soon(self._try_again)

    # --- the end ------------------------------------------------------------------------------------------------------

    def halt(self, why: str) -> None:
        """Stop the table: no more steps or thoughts. why: the sentence for front ends."""
        self.why = self.why or why
        self._ended.set()
        self._thoughts.clear()
        if self._thinking is not None:
            self._thinking[1].cancel()
        self.stepped.ring()

    @property
    def over(self) -> bool:
        """True once the table has stopped."""
        return self._ended.is_set()

    @property
    def broken(self) -> bool:
        """True if a mistake of the program stopped the table."""
        return self.why == BROKEN

    def replace_machine(self, machine: Machine) -> None:
        """Go on with another machine; what the one before thinks about is dropped."""
        self._machine = machine
        self._thoughts.clear()
        if self._thinking is not None:
            self._thinking[1].cancel()

    def members(self) -> Collection[bytes]:
        """The keys of the others who are at the table, or were there when its coordinator was lost."""
        return self._machine.members()

    async def wait_over(self) -> None:
        """Wait until the table has stopped."""
        await self._ended.wait()

    def _break(self, error: Exception) -> None:
        """Stop the table for a mistake of the program."""
        self._diagnostics.fault(self._table, error)
        self._todo.clear()
        self.halt(BROKEN)

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self, transition: Transition) -> None:
        """Run a transition of the machine and carry out its effects. Raises CommandError; any other error stops this
        table only."""
        if self._ended.is_set():
            return
        try:
            self._todo.extend(transition(self._machine, trio.current_time()))
        except CommandError:
            raise
        except Exception as error:
            self._break(error)
        self.work()

    def command(self, command: Command) -> None:
        """Carry out a command of our player. Raises CommandError, also if the program fails, with everything then
        restored."""
        put_back = checkpoint(self._machine)

        def attempt(machine: Machine, now: float) -> list[Effect]:
            """Run the command; if the program fails, the machine is restored. Raises CommandError."""
            try:
                return machine.command(command, now)
            except CommandError:
                raise
            except Exception as error:
                put_back()
                self._diagnostics.fault(self._table, error)
                raise CommandError(FAILED) from error

        self.step(attempt)

    def work(self) -> None:
        """Carry out the queued effects in order. While the log takes nothing, the table pauses: nothing is sent before
        it is written."""
        try:
            while self._todo or self._follow_up():
                if isinstance(effect := self._todo[0], Think):
                    self._queue_thought(effect)
                else:
                    self._carry_out(effect)
                self._todo.popleft()
            self._set_clock(self._machine.next_time())
        except StoreError as error:
            self._pause(error.with_advice)
            return
        except Exception as error:
            self._break(error)
            return
        if self.paused:
            self._resume()
        self.written = self._look()
        self._settled()
        self._stop_thinking_in_vain()
        self.stepped.ring()

    def _follow_up(self) -> bool:
        """Queue what the machine wants after its effects; True if there is anything. A broken machine is not asked."""
        if not self._ended.is_set():
            self._todo.extend(self._machine.after_effects(trio.current_time()))
        return bool(self._todo)

    def _queue_thought(self, think: Think) -> None:
        """Queue a decision for the computer players."""
        self._thoughts.append(think)
        self._to_think.ring()

    def _set_clock(self, due: float | None) -> None:
        """Set when the machine wants its tick; a later time just lets the clock go off early and be set again."""
        self._due = math.inf if due is None else due
        if self._due < self._alarm:
            self._alarm = self._clock.deadline = self._due

    async def _keep_time(self) -> None:
        """Give the machine its ticks."""
        while True:
            self._alarm = self._due
            with trio.CancelScope(deadline=self._alarm) as self._clock:
                await trio.sleep_forever()
            if trio.current_time() < self._due:
                continue
            await self.flowing()
            self._due = math.inf
            self.step(lambda machine, now: machine.tick(now))

    async def _think(self) -> None:
        """Make queued decisions one after the other."""
        while True:
            while self._thoughts:
                think = self._thoughts.popleft()
                with trio.CancelScope() as scope:
                    self._thinking = think, scope
                    self._stop_thinking_in_vain()
                    await self._think_about(think)
                self._thinking = None
                await trio.lowlevel.checkpoint()  # a decision may have taken no time at all, and others wait for theirs
            await self._to_think.wait()

    async def _think_about(self, think: Think) -> None:
        """Make a decision, at a pace that viewers can follow; thinking time counts toward it."""
        self._tell_what_lacks(think)
        pace = 0.0 if think.hint else self._attachments.pace
        seen = trio.current_time() + pace
        answer = await self._decide_until_made(think)
        if pace:
            await trio.sleep_until(seen)
        if self.paused:
            await self.flowing()
        self._thinking = None
        self.step(lambda machine, now: (machine.hinted if think.hint else machine.thought)(think, answer, now))

    def _tell_what_lacks(self, think: Think) -> None:
        """Tell, once at this table, if a level cannot play at full strength here."""
        key, level = think.game.key, think.level
        if level not in LEVELS:
            return
        until = lacks_kernels(os.environ) if searches(key, level) else ""
        exact = think.repeatable and not IN_PAGE
        lack, slow = lacking_reason(key, level), slowness_sentence(key, level, until, hint=think.hint, repeatable=exact)
        for told, once in ((lack, lack), (slow, f"{think.hint} {exact} {until}")):
            if told and once not in self._lacks:
                self._lacks.add(once)
                self._attachments.announce(Notice(told))

    async def _decide_until_made(self, think: Think) -> Any:
        """Have a decision made, tried again for as long as the processes for it die."""
        while True:
            try:
                return await self._decide(think)
            except CannotThink:
                self._diagnostics.note(f"{self._table} cannot decide: the process that was to do so has ended twice")
                self._attachments.announce(Notice(NO_DECISION))
                await trio.sleep(RETRY)

    def _stop_thinking_in_vain(self) -> None:
        """Cancel the decision being made if nobody waits for it any more."""
        if self._thinking is not None and not self._machine.awaits(self._thinking[0]):
            self._thinking[1].cancel()

    def room(self) -> int:
        """How many more people may sit down."""
        return self._machine.room()

    def watches(self, peer: int) -> bool:
        """True if a watcher is at the other end of this link."""
        return self._machine.watches(peer)

    def view(self) -> TableView:
        """The table as the person here sees it; during a pause as it was before, since only what is written is
        shown."""
        return self.looked(self.written if self.paused else self._look())

    def looked(self, look: Look) -> TableView:
        """The view that `look` makes; the last one shown if it cannot be shown now."""
        try:
            self._seen = look()
        except Exception as error:
            self._diagnostics.fault(self._table, error)
        return self._seen

    def _look(self) -> Look:
        """A function that makes the view of this moment."""
        try:
            return self._machine.look(trio.current_time())
        except Exception as error:
            self._diagnostics.fault(self._table, error)
            return lambda: self._seen

    # --- standing still -----------------------------------------------------------------------------------------------

    async def flowing(self) -> None:
        """Wait until the table is not paused."""
        while self.paused:
            await self._flowing.wait()

    def _pause(self, why: str) -> None:
        """Pause the table because the log takes nothing. why: a sentence."""
        if self.paused:
            return
        self.paused = why
        self._pausing.ring()
        self._diagnostics.note(f"{self._table} paused: {why}")
        self._attachments.announce(
            Notice(f"{why} The game is paused and tries again every {RETRY:.0f} s. Nothing is lost.")
        )

    async def _try_again(self) -> None:
        """Retry while the table is paused."""
        while True:
            while not self.paused:
                await self._pausing.wait()
            await trio.sleep(RETRY)
            if self.paused:
                self.work()

    def _resume(self) -> None:
        """Go on after a pause, and tell the front ends."""
        self.paused = ""
        self._flowing.ring()
        self._diagnostics.note(f"{self._table} goes on")
        self._attachments.announce(Notice("The log can be saved again. The game resumes."))
