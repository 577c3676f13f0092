"""One table at work: its machine, its links, its log, and those who look on."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import REFUSED, STORAGE, UNEXPECTED, USAGE
from p2pcards.control.own_command import DEADLINE
from p2pcards.daemon.attachments import Attachment, Attachments
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.calling import Caller, Invitations, NotReached
from p2pcards.daemon.connection import LAST_WORDS
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.engine import BROKEN, Engine
from p2pcards.daemon.first_contact import DoorCodes, VoiceCheck
from p2pcards.daemon.introductions import Introductions
from p2pcards.daemon.logs import OpenLog, TableLog
from p2pcards.daemon.machines import Machine
from p2pcards.daemon.own_command import Hook
from p2pcards.daemon.tablelinks import Role, TableLinks
from p2pcards.daemon.thinking import Decide
from p2pcards.ledger.payloads import PENDING
from p2pcards.links.link import Link
from p2pcards.session.effects import (
    Close,
    Dial,
    Effect,
    Faulted,
    Finished,
    Look,
    Remember,
    Send,
    TakeTable,
    Tell,
    UseLog,
    YieldTable,
)
from p2pcards.store.logs import LogFile
from p2pcards.views.happenings import (
    GameEnded,
    GameWon,
    Happening,
    HostChanged,
    PlayerLeft,
    SeatsChanged,
    Unreachable,
    table_event,
)
from p2pcards.views.tableview import Command, TableView

# --- the games of one table since it was opened -----------------------------------------------------------------------


class Series:
    """begun: the table goes on with a game. What is dealt in place of a game that was ended early has its number."""

    def __init__(self, begun: bool) -> None:
        self._games = int(begun)
        self._given_up = self._counted = False
        self._won = Counter[str]()

    def begin_game(self) -> None:
        """Count a new game, unless it takes the place of one that was given up."""
        self._counted = not self._given_up
        self._games += self._counted
        self._given_up = False

    def uncount_game(self) -> None:
        """Take back the count of the game that has begun: it continues the one before in another log."""
        self._games = max(self._games - self._counted, 1)

    def give_up(self) -> None:
        """Note that the game was ended early."""
        self._given_up = True

    def note_winners(self, names: Iterable[str]) -> None:
        """Count a win for each of these names."""
        self._won.update(names)

    def shown(self, view: TableView) -> TableView:
        """The view with the number of the game and the wins so far."""
        if not view.seats:
            return view
        seats = tuple([replace(seat, games_won=self._won[seat.name]) for seat in view.seats])
        return replace(view, number=self._games, seats=seats)


# --- one table at work ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where callers come in to a table."""

    codes: DoorCodes
    port: int | None = None  # None at a serial line
    device: str = ""  # serial device; "" at a port
    bind: str = ""  # the only address of this machine that the port is opened at; "" for all
    web: bool = False  # the port also serves the page to browsers
    anywhere: bool = False  # callers also come in through meeting points
    onion: bool = False  # callers also come in through Tor


class Runner:
    """A table of the daemon. name: short, as a person types it. entrance: None where it waits for nobody. call_now: our
    player wants the host to be called without a pause.

    role: that of the machine; change_role: makes another machine as this effect asks, and returns it with its role.
    open_log: as in `TableLog`. hooks: the player's commands by the event. log: that of the game which the machine was
    made to resume. decide: as in `Engine`. ended: called when a game is over.
    """

    def __init__(
        self,
        name: str,
        machine: Machine,
        *,
        caller: Caller,
        diagnostics: Diagnostics,
        role: Role,
        change_role: Callable[[TakeTable | YieldTable, bool], tuple[Machine, Role]],
        open_log: OpenLog,
        hooks: Mapping[str, str] | None = None,
        log: LogFile | None = None,
        decide: Decide,
        ended: Callable[[], None],
    ) -> None:
        self.name = name
        self.listens = role.listens
        self._change_role = change_role
        self.entrance: Entrance | None = None
        self.call_now = Bell()
        self.attachments = Attachments()
        self._diagnostics = diagnostics
        self._log = TableLog(open_log, log, self.attachments)
        self._engine = Engine(
            name,
            machine,
            self.attachments,
            diagnostics,
            carry_out=self._carry_out,
            settled=self._settled,
            decide=decide,
        )
        self.introductions = Introductions(caller.home, self._engine, self.attachments, listens=self.listens)
        self._voice = VoiceCheck(caller.home, self.introductions, os.urandom, self.attachments.announce)
        self._invitations = Invitations(caller.home)
        self.links = TableLinks(
            caller,
            self._invitations,
            self.introductions,
            self._voice,
            self._engine,
            self.attachments,
            role=role,
            diagnostics=diagnostics,
            note=self._note,
        )
        self._series = Series(begun=log is not None)
        self._ended = ended
        self._hooks = hooks or {}
        self._hook: Hook | None = None
        self._nursery: trio.Nursery | None = None
        self._was_my_turn = False
        self._members: frozenset[bytes] = frozenset()
        self._members_changed: Callable[[], None] | None = None

    # --- life ---------------------------------------------------------------------------------------------------------

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the table until it is over; then close its log and let goodbyes go out."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self._hook = Hook(self._hooks, self.name, nursery, self._diagnostics)
                nursery.start_soon(self._engine.run)
                self._log.tell_torn()
                self._hook.ring("start")
                task_status.started()
                await self._engine.wait_over()
                self._log.close()
                await self.links.close_all()
                self.attachments.close(self._engine.why)
                self._hook.ring("exit")
                with trio.move_on_after(LAST_WORDS):
                    await self.attachments.empty()
                with trio.move_on_after(DEADLINE):
                    await self._hook.finish()
                nursery.cancel_scope.cancel()
        finally:
            self._log.close()
            self._note("closed")

    def end(self, why: str) -> None:
        """Close the table, and its log at once so that the game can go on at another. why: the sentence for front
        ends."""
        self._engine.halt(why)
        self._log.close()

    def stop(self, why: str) -> None:
        """Say goodbye to peers and close the table; its game can be resumed. why: the sentence for front ends."""
        self._engine.step(lambda machine, _now: machine.stopping())
        self.end(why)

    @property
    def over(self) -> bool:
        """True once the table has ended."""
        return self._engine.over

    def wait_at(self, entrance: Entrance) -> None:
        """Let callers come in at this entrance."""
        self.entrance = entrance

    def task(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Start a task that ends with the table."""
        self._tasks.start_soon(function, *arguments)

    async def start(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Start a task that ends with the table and wait until it reports ready; returns what it reports."""
        return await self._tasks.start(function, *arguments)

    @property
    def _tasks(self) -> trio.Nursery:
        """The nursery of the table's tasks."""
        assert self._nursery is not None, "the table runs"
        return self._nursery

    # --- what our player wants ----------------------------------------------------------------------------------------

    def attach(self, pace: float) -> Attachment:
        """Attach a front end. pace: as in `Attachment`."""
        attachment = self.attachments.attach(pace)
        self._note_attended()
        return attachment

    def detach(self, attachment: Attachment) -> None:
        """Detach a front end."""
        self.attachments.detach(attachment)
        self._note_attended()

    def _note_attended(self) -> None:
        """Tell the machine whether any front end is attached."""
        attended = len(self.attachments) > 0
        self._engine.step(lambda machine, _now: machine.attend(attended))

    def command(self, command: Command) -> None:
        """Carry out a command of our player. Raises CommandError; Declined while the table is paused."""
        if self.paused:
            self._engine.work()
        if self.paused:
            raise Declined(self.paused, STORAGE)
        if self.over:
            raise Declined("This table is closed.", USAGE)
        match command:
            case Command("code"):
                self._show_code()
            case Command("words", name):
                self.task(self._voice.finish, self._voice.begin_comparing(" ".join(name)))
            case Command("invite"):
                self._say(self._invitations.without_code(command))
            case _:
                self._say(command)

    def _say(self, command: Command) -> None:
        """Give a command to the machine. Raises CommandError; Declined if the table broke."""
        self._engine.command(command)
        if self._engine.broken:
            raise Declined(BROKEN, UNEXPECTED)

    def _show_code(self) -> None:
        """Show the code of a table that waits for callers. Raises Declined."""
        if self.entrance is None:
            raise Declined("This table isn't open to callers, so it has no code.", USAGE)
        self.entrance.codes.show()

    def invite(self, whom: str, code: str) -> str:
        """The address at which `whom` will be called. code: for that call, "" for none. Raises CommandError."""
        return self._invitations.invite(whom, code)

    async def dial(self, address: str, key: bytes | None) -> tuple[Link, str]:
        """Call an address; as `TableLinks.dial`."""
        return await self.links.dial(address, key, self._tasks)

    async def compare_words(self) -> list[tuple[str, str]]:
        """Compare words with everybody connected: (name, words) of those who answered in time. Raises Declined."""
        return await self._voice.finish(self._voice.begin_comparing())

    # --- what the machine wants ---------------------------------------------------------------------------------------

    def _carry_out(self, effect: Effect) -> None:
        """Carry out one effect. Raises StoreError."""
        match effect:
            case Send(peer, message):
                self.links.send(peer, message)
            case Remember(payload):
                self._remember(payload)
            case Tell(happening, look):
                self._tell(happening, look)
            case Close(peer):
                self.links.close(peer)
            case Dial():
                self.task(self.links.call, effect, self._tasks)
            case UseLog():
                if self._log.use(effect):
                    self.introductions.begin_game(new=self._log.is_new)
                    self._series.begin_game()
            case Faulted(error):
                self.fault(error)
            case TakeTable() | YieldTable():
                self._take_role(effect)
            case Finished():
                self.end("You left the table.")

    def _take_role(self, effect: TakeTable | YieldTable) -> None:
        """Coordinate the table from now on, or no longer; the links to everybody are closed."""
        machine, role = self._change_role(effect, len(self.attachments) > 0)
        self.listens = role.listens
        self.introductions.take_role(role.listens)
        self.links.take_role(role)
        self.links.hang_up_all()
        self._engine.replace_machine(machine)
        self._note(f"goes on as {'listener' if role.listens else 'coordinator'}")

    def members_changed(self, changed: Callable[[], None]) -> None:
        """Have `changed` called whenever other people are at the table."""
        self._members_changed = changed

    def members(self) -> Collection[bytes]:
        """The keys of the others who are at the table, or were there when its coordinator was lost."""
        return self._engine.members()

    def _remember(self, payload: bytes) -> None:
        """Append a payload to the log, and charge it to the coordinator at a listener's table."""
        self._log.append(payload)
        if self.listens:
            self.introductions.write(len(payload))
            if payload[:1] == PENDING:
                self.introductions.play()

    def _tell(self, happening: Happening, look: Look | None) -> None:
        """Show a happening to front ends, and act on the end of a game."""
        self.attachments.tell(happening, None if look is None else partial(self._at_table, look))
        if isinstance(happening, GameWon):
            self._series.note_winners(happening.winners)
        if isinstance(happening, GameEnded):
            self._series.give_up()
        if isinstance(happening, SeatsChanged | HostChanged):
            self._series.uncount_game()
        if isinstance(happening, GameWon | GameEnded):
            self._ended()
        if isinstance(happening, PlayerLeft):
            self.introductions.changed.ring()
        if isinstance(happening, Unreachable):
            self.links.not_reached(happening.address, NotReached(happening.why, REFUSED))
        if self._hook and self._hook.wanted:
            self._hook.ring(table_event(happening, self.view()))

    def _settled(self) -> None:
        """Follow up once all effects of a step are carried out."""
        if self._members_changed is not None and (members := frozenset(self.members())) != self._members:
            self._members = members
            self._members_changed()
        self.introductions.meet()
        self.attachments.changed(partial(self._at_table, self._engine.written))
        if self._hook and self._hook.wanted:
            view = self.view()
            mine = bool(view.legal) and not view.away
            if mine and not self._was_my_turn:
                self._hook.ring("turn")
            self._was_my_turn = mine

    def fault(self, error: Exception) -> None:
        """Note a mistake of the program that costs only a link."""
        self._diagnostics.fault(self.name, error)

    def _note(self, event: str) -> None:
        """Write a line about this table to the diagnostics."""
        self._diagnostics.note(f"{self.name} {event}")

    # --- what others want to know -------------------------------------------------------------------------------------

    def view(self) -> TableView:
        """The table as the person here sees it, with what the daemon knows of its links."""
        return self._with_links(self._engine.view())

    def _at_table(self, look: Look) -> TableView:
        """The view that `look` makes, with what the daemon knows of the links."""
        return self._with_links(self._engine.looked(look))

    def _with_links(self, view: TableView) -> TableView:
        """The view with log, code, line quality and ways of the links added."""
        lines, ways = self.links.qualities(), self.links.ways()
        view = self._series.shown(view)
        if self.log_path:
            view = replace(view, log=self.log_path.stem)
        if self.entrance is None and not lines and not ways:
            return view
        people = tuple([replace(one, line=lines.get(one.key, "")) for one in view.people])
        people = tuple([replace(one, line=ways[one.key], where="") if one.key in ways else one for one in people])
        link = self.entrance.codes.link if self.entrance else ""
        return replace(view, code=self.code, people=people, open_door=self.entrance is not None, link=link)

    def has_peer(self, key: bytes) -> bool:
        """True if there is a link to the peer with this key."""
        return any(who.key == key for who in self.introductions.everybody)

    def follows(self, game_id: bytes) -> bool:
        """True if a listener's table plays this game, or played it last."""
        return self.listens and not self.over and self._log.holds(game_id)

    def here(self) -> int:
        """How many other people are at the table now."""
        return sum(person.link == "here" for person in self.view().people)

    async def stepped(self) -> None:
        """Wait until something has happened at this table."""
        await self._engine.stepped.wait()

    @property
    def paused(self) -> str:
        """Why the table is paused, "" if it isn't."""
        return self._engine.paused

    @property
    def code(self) -> str:
        """The code for a first meeting here, "" if there is none."""
        return self.entrance.codes.code if self.entrance else ""

    @property
    def log_path(self) -> Path | None:
        """The path of the log, None while there is none."""
        return self._log.path
