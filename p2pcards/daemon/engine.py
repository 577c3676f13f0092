"""A session machine at work: its steps, the effects of each in their order, its clock, the moves of computers, and what
its front ends are shown.

A step and its effects are carried out without waiting, so nothing comes between them. When the log takes nothing,
everything stands still until it does."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.control.messages import Gone, Happened, News, Persona, Shown, TimeLimits
from p2pcards.daemon.acquaintance import known_by, known_looks
from p2pcards.daemon.compiling import lacks_kernels, told_of_slowness
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.thinking import CannotThink, Decide
from p2pcards.games.deals.bits import COMPILED
from p2pcards.players.characters import CHARACTERS, UnknownCharacter, find_character, own_character
from p2pcards.players.levels import IN_PAGE, LEVELS, UnknownLevel, edition_of, find_level, has_player, lacking, searches
from p2pcards.session.checkpoint import checkpoint
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.doubt import StandingNow, stranger
from p2pcards.session.effects import CommandError, Effect, Look, Me, PeerId, Think
from p2pcards.session.listener import Listener
from p2pcards.session.lobby import LeftOpen, deal_numbers
from p2pcards.store.files import Home, StoreError, clean_name, login_name
from p2pcards.store.logs import read_log
from p2pcards.store.settings import Settings
from p2pcards.views.advice import Rated
from p2pcards.views.happenings import Happening, Notice
from p2pcards.views.standpoint import Cast, CastMember
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.names import given_name
from p2pcards.wire.packing import Refused

# --- a bell -----------------------------------------------------------------------------------------------------------


class Bell:
    """A waiting task hears it once, and then looks at what has changed."""

    def __init__(self) -> None:
        self._rung = trio.Event()

    def ring(self) -> None:
        self._rung.set()
        self._rung = trio.Event()

    async def wait(self) -> None:
        """Until it rings the next time."""
        await self._rung.wait()


# --- what the front ends of one table are shown, and what waits for those that are not attached -----------------------


KEPT = 200
"""Happenings kept for a front end that attaches."""

WAITING = 2000
"""Happenings that may wait for a front end: computers among themselves play a whole game in a second. Of more than that
the oldest are left out."""

VIEWS = 100
"""Views that may wait for a front end: of more than that the oldest are left out, and what led to them is told with the
next."""

EARLIER = 10
"""Happenings shown again on attaching, marked as earlier."""

SLOWEST = 5.0
"""Seconds that a front end may ask computer players to take for an action."""

Send = Callable[[News], Awaitable[None]]


@dataclass(slots=True)
class _Step:
    """What has happened, and the table after it. look: None for as it is when that is sent; ends: nothing more belongs
    to it."""

    told: deque[Happened] = field(default_factory=deque)
    look: Look | None = None
    ends: bool = False

    def hear(self, happened: Happened, look: Look | None) -> None:
        self.told.append(happened)
        self.look = look

    def end(self, look: Look | None) -> None:
        self.look, self.ends = look, True

    def take_in(self, following: _Step) -> None:
        """The next step, of which the view alone is shown."""
        self.told.extend(following.told)
        self.look, self.ends = following.look, following.ends


class Attachment:
    """One attached front end: what waits for it, step by step. pace: the seconds for an action that its eyes can
    follow. seen, unseen: what happened before it came; left_out: how much more of it is not kept."""

    def __init__(self, pace: float, seen: Sequence[Happening], unseen: Sequence[Happening], left_out: int) -> None:
        self.pace = pace
        told = deque([Happened(one, earlier=True) for one in seen] + [Happened(one) for one in unseen])
        self._steps = deque([_Step(told, ends=True)])
        self._waiting = len(told)
        self._left_out = left_out
        self._shown: TableView | None = None
        self._gone: str | None = None
        self._dismissed = False
        self._more = trio.Event()

    def tell(self, happening: Happening, look: Look | None = None) -> None:
        """look: of the table after it, before anything else happens."""
        if self._dismissed:
            return
        self._open_step().hear(Happened(happening), look)
        self._waiting += 1
        if self._waiting > WAITING:
            next(one for one in self._steps if one.told).told.popleft()
            self._waiting -= 1
            self._left_out += 1
        self._more.set()

    def changed(self, look: Look | None = None) -> None:
        """The table may stand otherwise."""
        if self._dismissed:
            return
        (self._steps[-1] if self._steps else self._open_step()).end(look)
        self._more.set()

    def _open_step(self) -> _Step:
        """That to which what happens now belongs."""
        if self._steps and not self._steps[-1].ends and self._steps[-1].look is None:
            return self._steps[-1]
        self._steps.append(_Step())
        if len(self._steps) > VIEWS:  # the oldest view goes, all that is told stays
            self._steps[0].take_in(self._steps[1])
            del self._steps[1]
        return self._steps[-1]

    def end(self, why: str) -> None:
        self._gone = why
        self._more.set()

    def dismiss(self) -> None:
        """Show it what has happened until now, and nothing more."""
        self._dismissed = True
        self._more.set()

    async def news(self, view: Callable[[], TableView], send: Send) -> None:
        """Send what comes, until it is dismissed or the table is gone: what has happened, and then the view of it. A
        view is made when it can be sent, the last one as the table is then."""
        while True:
            if self._left_out:
                left_out, self._left_out = self._left_out, 0
                await send(Happened(_said_left_out(left_out)))
            elif self._steps and self._steps[0].told:
                self._waiting -= 1
                await send(self._steps[0].told.popleft())
            elif len(self._steps) > 1:
                await self._show(self._steps.popleft().look, send)
            elif self._steps and self._steps[0].ends:
                self._steps.popleft()
                await self._show(view, send)
            elif self._dismissed:
                return
            elif self._gone is not None:
                await send(Gone(self._gone))
                return
            else:
                self._more = trio.Event()
                await self._more.wait()

    async def _show(self, look: Look | None, send: Send) -> None:
        """A view that is not like the one before it."""
        now = self._shown if look is None else look()
        if now is not None and now != self._shown:
            self._shown = now
            await send(Shown(now))


def _said_left_out(count: int) -> Notice:
    lines = "1 line was" if count == 1 else f"{count} lines were"
    return Notice(f"{lines} left out here: there were more than can be kept.")


class Attachments:
    """All front ends of a table. unread: how many happenings no front end was there for."""

    def __init__(self) -> None:
        self.unread = 0
        self._attached: list[Attachment] = []
        self._kept: deque[Happening] = deque(maxlen=KEPT)
        self._left = trio.Event()

    def __len__(self) -> int:
        return len(self._attached)

    @property
    def pace(self) -> float:
        """Seconds that a computer player takes for an action: those of the slowest eyes, none where nobody looks on."""
        return min(max([0.0, *[attachment.pace for attachment in self._attached]]), SLOWEST)

    def attach(self, pace: float = 0.0) -> Attachment:
        kept = list(self._kept)
        read = max(0, len(kept) - self.unread)
        left_out = max(0, self.unread - len(kept))
        attachment = Attachment(pace, kept[max(0, read - EARLIER) : read], kept[read:], left_out)
        self.unread = 0
        self._attached.append(attachment)
        return attachment

    def detach(self, attachment: Attachment) -> None:
        self._attached.remove(attachment)
        self._left.set()

    async def empty(self) -> None:
        """Wait until no front end is attached."""
        while self._attached:
            self._left = trio.Event()
            await self._left.wait()

    def tell(self, happening: Happening, look: Look | None = None) -> None:
        """look: as in `Attachment.tell`."""
        self._kept.append(happening)
        if not self._attached:
            self.unread += 1
        for attachment in self._attached:
            attachment.tell(happening, look)

    def announce(self, happening: Happening) -> None:
        """Tell it, and show the view again: what is told is not a step of the machine."""
        self.tell(happening)
        self.changed()

    def changed(self, look: Look | None = None) -> None:
        """look: of the table as it stands now."""
        for attachment in self._attached:
            attachment.changed(look)

    def end(self, why: str) -> None:
        for attachment in self._attached:
            attachment.end(why)


# --- making the session machines from what a front end asked for and what the player has set --------------------------


Entropy = Callable[[int], bytes]

TURN_CLOCK = 180
"""Seconds, where nothing else is asked for."""

CAST: Cast = tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])


class Machine(Protocol):
    """What `Coordinator` and `Listener` have in common; docs/design.md has the table."""

    def joined(
        self,
        peer: PeerId,
        key: bytes,
        where: str,
        now: float,
        address: str = "",
        pace: float = 0.0,
        standing: StandingNow = stranger,
    ) -> list[Effect]: ...
    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]: ...
    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]: ...
    def dial_failed(
        self, address: str, why: str, now: float, again: bool = True, there: bool = False
    ) -> list[Effect]: ...
    def attend(self, attended: bool) -> list[Effect]: ...
    def command(self, command: Command, now: float) -> list[Effect]: ...
    def thought(self, think: Think, action: Any, now: float) -> list[Effect]: ...
    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]: ...
    def awaits(self, think: Think) -> bool: ...
    def tick(self, now: float) -> list[Effect]: ...
    def after_effects(self, now: float) -> list[Effect]: ...
    def next_time(self) -> float | None: ...
    def stopping(self) -> list[Effect]: ...
    def view(self, now: float) -> TableView: ...
    def look(self, now: float) -> Look: ...
    def room(self) -> int: ...


def me_of(home: Home, identity: PrivateKey, persona: Persona, settings: Settings, opponents: Sequence[str] = ()) -> Me:
    """Who sits down. Without a name it is the login name, without a character the one that goes with the identity, or
    the next that is none of the opponents. These are characters, each with :LEVEL or without. Raises Declined."""
    word = persona.character or settings.character
    try:
        taken = [opponent.partition(":")[0] for opponent in opponents]
        character = (find_character(word) if word else own_character(public_bytes(identity), taken)).key
        auto = None if persona.auto is None else find_level(persona.auto)
    except (UnknownCharacter, UnknownLevel) as unknown:
        raise Declined(str(unknown), USAGE) from None
    name = given_name(clean_name(persona.name or settings.name or login_name())) or clean_name("")
    return Me(identity, name, character, auto, partial(known_looks, home), partial(known_by, home))


def coordinator(
    me: Me,
    limits: TimeLimits,
    entropy: Entropy,
    *,
    alone: bool = False,
    deal: int | None = None,
    left_open: Sequence[LeftOpen] = (),
) -> Coordinator:
    """alone: nobody can be invited; deal: the number of the first deal, while nobody else is here; left_open: as
    `Table` takes it."""
    return Coordinator(
        me,
        entropy=entropy,
        now=trio.current_time(),
        cast=CAST,
        grace=limits.grace,
        turn_clock=TURN_CLOCK if limits.turn_clock is None else limits.turn_clock,
        between_hands=limits.between_hands or 0,
        alone=alone,
        levels=LEVELS,
        edition_of=edition_here,
        deals=None if alone and deal is None else deal_numbers(deal, entropy),
        left_open=left_open,
    )


def edition_here(game: str, level: str) -> int:
    """The edition of a level that plays at a table of this daemon."""
    return edition_of(game, level, slow=not COMPILED)


def resumed(me: Me, entropy: Entropy, path: Path, now: float) -> Coordinator:
    """The coordinator who goes on with the game of this log, which takes as long as it is; wanted from another thread,
    so that nobody waits for it. Raises Declined when the log does not hold, and StoreError."""
    try:
        return Coordinator(
            me,
            entropy=entropy,
            now=now,
            cast=CAST,
            log=read_log(path).payloads,
            levels=LEVELS,
            edition_of=edition_here,
            deals=deal_numbers(None, entropy),
        )
    except Refused as refused:
        raise Declined(f"The log does not hold, so nobody can go on with it: {refused}", DAMAGED) from None


def listener(me: Me, entropy: Entropy) -> Listener:
    return Listener(
        me,
        entropy=entropy,
        now=trio.current_time(),
        cast=CAST,
        levels=LEVELS,
        attended=False,
        has_player=has_player,
    )


# --- a session machine at work ----------------------------------------------------------------------------------------


RETRY = 5.0
"""Seconds after which a table that could not write its log tries again."""

BROKEN = (
    "Something went wrong inside p2pcards, so this table had to be closed. The log of the game is whole: "
    "'p2pcards resume' or 'p2pcards listen' goes on with it."
)

FAILED = "p2pcards itself failed at that, and nothing was changed. Please report it; the game goes on."

NO_DECISION = (
    "A computer player cannot decide: the process in which it thinks has ended twice. The table waits for it, and "
    f"tries again every {RETRY:.0f} s."
)

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
        """What our player wants. Raises CommandError, also where the program fails at it; then all is as before."""
        put_back = checkpoint(self._machine)

        def attempt(machine: Machine, now: float) -> list[Effect]:
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
        """Carry out what is to be done, in order. When the log takes nothing, everything stands still until it does:
        what is sent has been written before."""
        try:
            while self._todo or self._follow_up():
                if isinstance(effect := self._todo[0], Think):
                    self._ask(effect)
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
            self._go_on()
        self.written = self._look()
        self._settled()
        self._stop_thinking_in_vain()
        self.stepped.ring()

    def _follow_up(self) -> bool:
        """Whether the machine has more to be done, now that all it asked for is done. A machine that made a mistake is
        not asked: its state may be of half a step."""
        if not self._ended.is_set():
            self._todo.extend(self._machine.after_effects(trio.current_time()))
        return bool(self._todo)

    def _ask(self, think: Think) -> None:
        self._thoughts.append(think)
        self._to_think.ring()

    def _set_clock(self, due: float | None) -> None:
        """Most steps put it off, as somebody was heard: the clock goes off at the earlier time, and is set again."""
        self._due = math.inf if due is None else due
        if self._due < self._alarm:
            self._alarm = self._clock.deadline = self._due

    async def _keep_time(self) -> None:
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
        """Decide, at a pace that eyes can follow: the time that it took to think counts in."""
        self._tell_what_lacks(think)
        pace = 0.0 if think.hint else self._attachments.pace
        seen = trio.current_time() + pace
        answer = await self._decided(think)
        if pace:
            await trio.sleep_until(seen)
        if self.paused:
            await self.flowing()
        self._thinking = None
        self.step(lambda machine, now: (machine.hinted if think.hint else machine.thought)(think, answer, now))

    def _tell_what_lacks(self, think: Think) -> None:
        """Once at this table, as such a level decides first: it sits there, has taken over or gives a hint. How slow
        search is here is told of hints, and of the first level that searches."""
        key, level = think.game.key, think.level
        if level not in LEVELS:
            return
        until = lacks_kernels(os.environ) if searches(key, level) else ""
        exact = think.repeatable and not IN_PAGE
        lack, slow = lacking(key, level), told_of_slowness(key, level, until, hint=think.hint, repeatable=exact)
        for told, once in ((lack, lack), (slow, f"{think.hint} {exact} {until}")):
            if told and once not in self._lacks:
                self._lacks.add(once)
                self._attachments.announce(Notice(told))

    async def _decided(self, think: Think) -> Any:
        while True:
            try:
                return await self._decide(think)
            except CannotThink:
                self._diagnostics.note(f"{self._table} cannot decide: the process that was to do so has ended twice")
                self._attachments.announce(Notice(NO_DECISION))
                await trio.sleep(RETRY)

    def _stop_thinking_in_vain(self) -> None:
        """What nobody waits for any more is not thought about to the end: a player is back, or the game is over."""
        if self._thinking is not None and not self._machine.awaits(self._thinking[0]):
            self._thinking[1].cancel()

    def room(self) -> int:
        """How many others may still sit down."""
        return self._machine.room()

    def view(self) -> TableView:
        """The table as the person at this end sees it, by what the machine knows. While everything stands still it is
        the one of before: what is shown has been written."""
        return self.looked(self.written if self.paused else self._look())

    def looked(self, look: Look) -> TableView:
        """The table as it was at a moment; where that cannot be shown, as it was shown last."""
        try:
            self._seen = look()
        except Exception as error:
            self._diagnostics.fault(self._table, error)
        return self._seen

    def _look(self) -> Look:
        """What makes the view of this moment when somebody looks."""
        try:
            return self._machine.look(trio.current_time())
        except Exception as error:
            self._diagnostics.fault(self._table, error)
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
        self._attachments.announce(
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
        self._attachments.announce(Notice("The log can be written again; the game goes on."))
