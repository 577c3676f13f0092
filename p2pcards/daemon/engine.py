"""A session machine at work: its steps, the effects of each in their order, its clock, and the moves of computers.

A step and its effects are carried out without waiting, so nothing comes between them. When the log takes nothing,
everything stands still until it does.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from random import Random

import trio

from p2pcards.daemon.audience import Audience
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.machines import Machine
from p2pcards.players.choose import choose
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

Transition = Callable[[Machine, float], list[Effect]]
"""A step of the machine, at a time in seconds of the runner's clock."""


class Engine:
    """That of one table. paused: why it stands still, a sentence, or "". why: why it is over, likewise. stepped: rings
    when something has happened.

    carry_out: does what the effects say that concern others; raises StoreError when the log takes nothing. settled: is
    called when all that a step wants is done.
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
        self._todo: deque[Effect] = deque()
        self._thoughts: deque[Think] = deque()
        self._to_think = Bell()
        self._pausing = Bell()
        self._flowing = Bell()
        self._clock = trio.CancelScope()
        self._wake = -math.inf  # a restored machine calls its peers at once
        self._ended = trio.Event()
        self._seen = TableView("", "closed")

    async def run(self) -> None:
        """Keep time, let the computers think, and retry what the log did not take; until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_time)
            nursery.start_soon(self._think)
            nursery.start_soon(self._try_again)

    # --- the end ------------------------------------------------------------------------------------------------------

    def end(self, why: str) -> None:
        """No further step is taken; why: the sentence that front ends are told."""
        self.why = self.why or why
        self._ended.set()
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
        self._settled()
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
                await trio.sleep(0 if self._thoughts[0].hint else self._audience.pace)
                await self.flowing()
                self.step(self._thought)
            await self._to_think.wait()

    def _thought(self, machine: Machine, now: float) -> list[Effect]:
        think = self._thoughts.popleft()
        action = choose(think.game, think.view, think.seat, think.level, Random(think.seed))
        return (machine.hinted if think.hint else machine.thought)(think, action, now)

    def view(self) -> TableView:
        """The table as the person at this end sees it, by what the machine knows."""
        try:
            self._seen = self._machine.view(trio.current_time())
        except Exception as error:
            self._break(error)
        return self._seen

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
