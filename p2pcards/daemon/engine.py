"""A session machine at work: its steps, the effects of each in their order, its clock, and the moves of computers.

A step and its effects are carried out without waiting, so nothing comes between them. When the log takes nothing,
everything stands still until it does.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import trio

from p2pcards.daemon.audience import Audience
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.machines import Machine
from p2pcards.daemon.thinking import CannotThink, Decide
from p2pcards.session.effects import CommandError, Effect, Think
from p2pcards.store.errors import StoreError
from p2pcards.views.happenings import Notice
from p2pcards.views.tableview import TableView

RETRY = 5.0
"""Seconds after which a table that could not write its log tries again."""

BROKEN = (
    "Something went wrong inside p2pcards, so this table had to be closed. The log of the game is whole: "
    "'p2pcards resume' or 'p2pcards listen' goes on with it."
)

NO_DECISION = (
    "A computer player cannot decide: the process in which it thinks has ended twice. The table waits for it, and "
    f"tries again every {RETRY:.0f} s."
)

Transition = Callable[[Machine, float], list[Effect]]
"""A step of the machine, at a time in seconds of the runner's clock."""


class Engine:
    """That of one table. paused: why it stands still, a sentence, or "". why: why it is over, likewise. stepped: rings
    when something has happened.

    carry_out: does what the effects say that concern others; raises StoreError when the log takes nothing. settled: is
    called when all that a step wants is done. decide: decides for computer players; raises CannotThink.
    """

    def __init__(
        self,
        table: str,
        machine: Machine,
        audience: Audience,
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
        self._audience = audience
        self._diagnostics = diagnostics
        self._carry_out_elsewhere = carry_out
        self._settled = settled
        self._decide = decide
        self._todo: deque[Effect] = deque()
        self._thoughts: deque[Think] = deque()
        self._to_think = Bell()
        self._thinking: tuple[Think, trio.CancelScope] | None = None
        self._pausing = Bell()
        self._flowing = Bell()
        self._clock = trio.CancelScope()
        self._wake = -math.inf  # a restored machine calls its peers at once
        self._ended = trio.Event()
        self._seen = TableView("", "closed")
        self._written = self._look()

    async def run(self) -> None:
        """Keep time, let the computers think, and retry what the log did not take; until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_time)
            nursery.start_soon(self._think)
            nursery.start_soon(self._try_again)

    # --- the end ------------------------------------------------------------------------------------------------------

    def end(self, why: str) -> None:
        """No further step is taken, and nothing thought about any more; why: the sentence that front ends are told."""
        self.why = self.why or why
        self._ended.set()
        self._thoughts.clear()
        if self._thinking is not None:
            self._thinking[1].cancel()
        self.stepped.ring()

    @property
    def over(self) -> bool:
        return self._ended.is_set()

    @property
    def broken(self) -> bool:
        return self.why == BROKEN

    async def wait_over(self) -> None:
        await self._ended.wait()

    def _break(self, error: Exception) -> None:
        self._diagnostics.fault(self._table, error)
        self._todo.clear()
        self.end(BROKEN)

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self, transition: Transition) -> None:
        """A step of the machine, and what it wants. Raises CommandError; any other mistake ends this table, and no
        other."""
        if self.over:
            return
        try:
            self._todo.extend(transition(self._machine, trio.current_time()))
        except CommandError:
            raise
        except Exception as error:
            self._break(error)
        self.work()

    def work(self) -> None:
        """Carry out what is to be done, in order. When the log takes nothing, everything stands still until it does:
        what is sent has been written before."""
        try:
            while self._todo or self._follow_up():
                self._carry_out(self._todo[0])
                self._todo.popleft()
            self._set_clock(self._machine.next_time())
        except StoreError as error:
            self._pause(error.with_advice)
            return
        except Exception as error:
            self._break(error)
            return
        if self.paused:
            self._go_on()
        self._written = self._look()
        self._settled()
        self._stop_thinking_in_vain()
        self.stepped.ring()

    def _follow_up(self) -> bool:
        """Whether the machine has more to be done, now that all it asked for is done. A machine that made a mistake is
        not asked: its state may be of half a step."""
        if not self.over:
            self._todo.extend(self._machine.after_effects(trio.current_time()))
        return bool(self._todo)

    def _set_clock(self, due: float | None) -> None:
        self._wake = self._clock.deadline = math.inf if due is None else due

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Think():
                self._thoughts.append(effect)
                self._to_think.ring()
            case _:
                self._carry_out_elsewhere(effect)

    async def _keep_time(self) -> None:
        while True:
            with trio.CancelScope(deadline=self._wake) as self._clock:
                await trio.sleep_forever()
            await self.flowing()
            self._wake = math.inf
            self.step(lambda machine, now: machine.tick(now))

    async def _think(self) -> None:
        while True:
            while self._thoughts:
                think = self._thoughts.popleft()
                with trio.CancelScope() as scope:
                    self._thinking = think, scope
                    self._stop_thinking_in_vain()
                    await self._think_about(think)
                self._thinking = None
            await self._to_think.wait()

    async def _think_about(self, think: Think) -> None:
        """Decide, at a pace that eyes can follow: the time that it took to think counts in."""
        seen = trio.current_time() + (0 if think.hint else self._audience.pace)
        answer = await self._decided(think)
        await trio.sleep_until(max(seen, trio.current_time()))
        await self.flowing()
        self._thinking = None
        self.step(lambda machine, now: (machine.hinted if think.hint else machine.thought)(think, answer, now))

    async def _decided(self, think: Think) -> Any:
        while True:
            try:
                return await self._decide(think)
            except CannotThink:
                self._diagnostics.note(f"{self._table} cannot decide: the process that was to do so has ended twice")
                self._audience.announce(Notice(NO_DECISION))
                await trio.sleep(RETRY)

    def _stop_thinking_in_vain(self) -> None:
        """What nobody waits for any more is not thought about to the end: a player is back, or the game is over."""
        if self._thinking is not None and not self._machine.awaits(self._thinking[0]):
            self._thinking[1].cancel()

    def view(self) -> TableView:
        """The table as the person at this end sees it, by what the machine knows. While everything stands still it is
        the one of before: what is shown has been written."""
        try:
            self._seen = (self._written if self.paused else self._look())()
        except Exception as error:
            self._break(error)
        return self._seen

    def _look(self) -> Callable[[], TableView]:
        """What makes the view of this moment when somebody looks."""
        try:
            return self._machine.look(trio.current_time())
        except Exception as error:
            self._break(error)
            return lambda: self._seen

    # --- standing still -----------------------------------------------------------------------------------------------

    async def flowing(self) -> None:
        """Wait while everything stands still."""
        while self.paused:
            await self._flowing.wait()

    def _pause(self, why: str) -> None:
        if self.paused:
            return
        self.paused = why
        self._pausing.ring()
        self._diagnostics.note(f"{self._table} paused: {why}")
        self._audience.announce(
            Notice(f"{why} The table stands still and tries again every {RETRY:.0f} s; nothing is lost.")
        )

    async def _try_again(self) -> None:
        while True:
            while not self.paused:
                await self._pausing.wait()
            await trio.sleep(RETRY)
            if self.paused:
                self.work()

    def _go_on(self) -> None:
        self.paused = ""
        self._flowing.ring()
        self._diagnostics.note(f"{self._table} goes on")
        self._audience.announce(Notice("The log can be written again; the game goes on."))
