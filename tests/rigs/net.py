"""A coordinator and listeners back to back, in memory and in simulated time.

The net carries out the effects of every machine strictly in order, keeps a log for each that survives a crash, and
checks at every single effect that what is sent was remembered before. Nothing waits: when no message is under way, time
jumps to the next `next_time`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeVar

from at_hand import first_rules
from p2pcards.games.game import Action
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import HEADER, NOTE, PENDING, RECORD, UntrueTakeover, read_note, read_start
from p2pcards.ledger.position import Position
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.players.choose import choose
from p2pcards.players.levels import LEVELS
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import (
    Close,
    Dial,
    Effect,
    Faulted,
    Finished,
    Me,
    Remember,
    Send,
    TakeTable,
    Tell,
    Think,
    UseLog,
    YieldTable,
)
from p2pcards.session.listener import Listener
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.table import Table
from p2pcards.views.advice import Rated
from p2pcards.views.happenings import Happening
from p2pcards.views.standpoint import CastMember
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.address import TELEPHONE, is_meeting
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    Have,
    HeaderPart,
    Message,
    MoveMessage,
    RecordMessage,
    Resume,
    Taken,
    decode_message,
    resumed_game_id,
)
from p2pcards.wire.records import CheckEntry, abridge_header, decode_header, read_record, split_frame

CHARACTERS = ("wayne", "betty", "lizzy", "granny", "papa", "luan")
CAST = tuple([CastMember(key, key.title(), "carefree") for key in CHARACTERS])
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo")
Peer = int
T = TypeVar("T")
Machine = Coordinator | Listener
Player = Callable[[Think], Action]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message on its way to a machine."""

    machine: int
    peer: Peer
    message: bytes


@dataclass(frozen=True, slots=True)
class Loss:
    """The news of a link that ended, on its way behind the last message."""

    machine: int
    peer: Peer


@dataclass(frozen=True, slots=True)
class Answer:
    """What a computer player was asked for."""

    machine: int
    think: Think


@dataclass(frozen=True, slots=True)
class Call:
    machine: int
    dial: Dial


Event = Arrival | Loss | Answer | Call


class Crash(Exception):
    """Raised inside a batch of effects, where a fault ends the machine."""


def novices(think: Think) -> Action:
    return choose(think.game, think.view, think.seat, "novice", Random(think.seed))


def carefree(think: Think) -> Action:
    return choose(think.game, think.view, think.seat, "carefree", Random(think.seed))


@lru_cache(maxsize=64)
def key_of(number: int, seed: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(Random(f"key {number} {seed}").randbytes(32))


class Net:
    """Machine 0 coordinates, 1 and up listen, each at the address that is its number.

    auto: the level that plays for the people, None: they act through `say`. order: draws which line moves next; None:
    first in, first out. fresh: whether a machine that is made again draws other random bytes than before. pace: seconds
    that a byte takes on every line. watching: machines whose players watch. logs: by machine the payloads by game, as
    remembered; used: the game that a machine writes to.
    """

    def __init__(
        self,
        listeners: int = 2,
        *,
        seed: int = 1,
        auto: str | None = "carefree",
        grace: int | None = 60,
        turn_clock: int = 180,
        between_hands: int = 0,
        order: Random | None = None,
        player: Player = carefree,
        fresh: bool = True,
        pace: float = 0.0,
        watching: Collection[int] = (),
    ) -> None:
        self.watching = watching
        self.seed = seed
        self.pace = pace
        self.fresh = fresh
        self.auto = auto
        self.clocks = (grace, turn_clock, between_hands)
        self.order = order
        self.player = player
        self.now = 0.0
        everybody = range(listeners + 1)
        self.keys = [key_of(i, seed) for i in everybody]
        self.lives = [0] * len(self.keys)
        self.logs: list[dict[bytes, list[bytes]]] = [{} for _ in everybody]
        self.kept: list[set[bytes]] = [set() for _ in everybody]  # the frames of every record in the logs
        self.used: list[bytes | None] = [None for _ in everybody]
        self.wake: list[float | None] = [None for _ in everybody]
        self.told: list[list[Happening]] = [[] for _ in everybody]
        self.sent: list[tuple[int, int, bytes]] = []  # (from, to, message), all that ever went out
        self.queue: list[Event] = []
        self.links: dict[tuple[int, Peer], tuple[int, Peer]] = {}
        self.peers = 0
        self.deaf: set[int] = set()  # machines that nobody reaches
        self.dials: list[tuple[float, str]] = []
        self.coordinates = [i == 0 for i in everybody]
        self.finished = False
        self.lies = False  # seats are taken over for reasons of which their own programs do not know
        self.steps = 0
        self.outward = 0  # effects of this step that somebody else could notice, or that outlast a crash
        self.crash_after: int | None = None  # outward effects of the batch that are still carried out before a crash
        self.machines: list[Machine] = [self._make(i) for i in everybody]

    # --- the machines -----------------------------------------------------------------------------------------------

    def _make(self, i: int) -> Machine:
        me = Me(self.keys[i], NAMES[i], CAST[i].key, self.auto)
        entropy = Random(f"{self.seed} {i} {self.lives[i] if self.fresh else 0}").randbytes
        log = self.logs[i].get(self.used[i] or b"", [])
        log = log if len(log) >= 2 else []
        self.coordinates[i] = self.coordinates[i] and (read_start(log).side == 0 if log else i == 0)
        if not self.coordinates[i]:
            listener = Listener(me, entropy=entropy, now=self.now, cast=CAST, levels=LEVELS, watches=i in self.watching)
            for game in self._followed(i) if i not in self.watching else ():
                listener.know(game)
            return listener
        grace, turn_clock, between_hands = self.clocks
        return Coordinator(
            me,
            entropy=entropy,
            now=self.now,
            cast=CAST,
            levels=LEVELS,
            grace=grace,
            turn_clock=turn_clock,
            between_hands=between_hands,
            log=log,
        )

    def _followed(self, i: int) -> list[LedgerFollower]:
        """The games in a machine's logs that somebody else coordinated."""
        logs = [log for log in self.logs[i].values() if len(log) >= 2 and read_start(log).side != 0]
        return [LedgerFollower.restored(self.keys[i], log) for log in logs]

    @property
    def table(self) -> Table:
        return self.table_of(0)

    def table_of(self, i: int) -> Table:
        machine = self.machines[i]
        assert isinstance(machine, Coordinator)
        return machine.table

    def listener(self, i: int) -> ListenerTable:
        machine = self.machines[i]
        assert isinstance(machine, Listener)
        return machine.table

    def position(self, i: int) -> Position | None:
        """Where the game stands that a machine is at; None in the lobby."""
        machine = self.machines[i]
        return machine.table.game.position if machine.table.game else None

    def at(self, i: int) -> Position:
        position = self.position(i)
        assert position is not None
        return position

    def view(self, i: int) -> TableView:
        return self.machines[i].view(self.now)

    def log(self, i: int) -> list[bytes]:
        """The payloads of the game that a machine wrote to last."""
        return self.logs[i][self.used[i] or b""]

    def kinds(self, i: int) -> list[type[Happening]]:
        return [type(happening) for happening in self.told[i]]

    def tales(self, i: int, kind: type[T]) -> list[T]:
        """Every happening of a kind that a machine told."""
        return [happening for happening in self.told[i] if isinstance(happening, kind)]

    # --- people -----------------------------------------------------------------------------------------------------

    def say(self, i: int, name: str, *arguments: str) -> None:
        """A person says something; a CommandError goes through."""
        self.step(i, lambda: self.machines[i].command(Command(name, arguments), self.now))

    def sit_down(self, *options: str, game: str = "crazy_eights", preset: str = "") -> None:
        """Everybody is invited, a game is chosen and starts."""
        for i in range(1, len(self.machines)):
            self.say(0, "invite", str(i))
        self.run()
        self.say(0, "game", game, preset or first_rules(game))
        for option in options:
            self.say(0, "set", option)
        self.say(0, "start")

    # --- one step of a machine --------------------------------------------------------------------------------------

    def step(self, i: int, transition: Callable[[], list[Effect]]) -> None:
        try:
            self.carry_out(i, transition())
        except Crash:
            self.crash(i)
        finally:
            self.crash_after = None

    def carry_out(self, i: int, effects: Sequence[Effect]) -> None:
        todo = deque(effects)
        while True:
            if not todo:
                todo.extend(self.machines[i].after_effects(self.now))
            if not todo:
                break
            effect = todo.popleft()
            if isinstance(effect, UseLog | Remember | Send | Close | Dial):
                if self.crash_after is not None and self.crash_after <= self.outward:
                    raise Crash
                self.outward += 1
            self._effect(i, effect)
        if self.crash_after is not None:
            raise Crash
        due = self.machines[i].next_time()
        self.wake[i] = None if due is None else max(due, self.now)

    def _effect(self, i: int, effect: Effect) -> None:
        match effect:
            case Send(peer, message):
                self._check_remembered(i, message)
                other = self.links.get((i, peer))
                if other is not None:
                    self.sent.append((i, other[0], message))
                    self.queue.append(Arrival(*other, message))
            case Remember(payload):
                assert self.lies or payload[:1] != NOTE or not isinstance(read_note(payload), UntrueTakeover)
                self.log(i).append(payload)
                if payload[:1] == RECORD:
                    self.kept[i].add(frames(payload[1:]))
            case UseLog(_, game_id, new):
                self.used[i] = game_id
                begun = len(self.logs[i].get(game_id, ())) >= 2
                assert begun is not new, "it begins once"
                if new:
                    self.logs[i][game_id] = []
            case Close(peer):
                self.close(i, peer)
            case Dial():
                self.dials.append((self.now, effect.address))
                self.queue.append(Call(i, effect))
            case Tell(happening):
                self.told[i].append(happening)
            case Think():
                self.queue.append(Answer(i, effect))
            case Faulted(error):
                raise error
            case Finished():
                self.finished = True
            case TakeTable() | YieldTable():
                self._change_role(i, effect)

    def _change_role(self, i: int, effect: TakeTable | YieldTable) -> None:
        """The machine becomes the other kind, and all its links are closed."""
        for machine, peer in list(self.links):
            if machine == i:
                self.close(i, peer)
        self.queue = [event for event in self.queue if event.machine != i]
        self.lives[i] += 1
        self.coordinates[i] = isinstance(effect, TakeTable)
        me = Me(self.keys[i], NAMES[i], CAST[i].key, self.auto)
        entropy = Random(f"{self.seed} {i} {self.lives[i]}").randbytes
        if isinstance(effect, TakeTable):
            grace, turn_clock, between_hands = self.clocks
            self.machines[i] = Coordinator(
                me,
                entropy=entropy,
                now=self.now,
                cast=CAST,
                levels=LEVELS,
                grace=grace,
                turn_clock=turn_clock,
                between_hands=between_hands,
                takes=effect,
            )
        else:
            self.machines[i] = Listener(me, entropy=entropy, now=self.now, cast=CAST, levels=LEVELS, yields=effect)
            inherited = effect.inheritance.follower
            for game in self._followed(i):
                if inherited is None or game.position.game_id != inherited.position.game_id:
                    self.listener(i).know(game)

    def _check_remembered(self, i: int, data: bytes) -> None:
        """What this message tells must stand in the log of its sender."""
        message = message_of(data)
        if isinstance(message, RecordMessage):
            known = frames(message.record) in self.kept[i]
        else:
            known = remembered(message, self.logs[i].get(self.used[i] or b"", []), self.logs[i])
        assert known, f"machine {i} sends what it has not remembered: {message}"

    # --- links ------------------------------------------------------------------------------------------------------

    def connect(self, i: int, j: int, address: str = "") -> tuple[Peer, Peer]:
        """A new link, i having called j. Returns the peer numbers at i and at j."""
        self.peers += 2
        one, other = self.peers - 1, self.peers
        self.links[i, one] = (j, other)
        self.links[j, other] = (i, one)
        mine, theirs = public_bytes(self.keys[i]), public_bytes(self.keys[j])
        self.step(j, lambda: self.machines[j].joined(other, mine, f"machine {i}", self.now, pace=self.pace))
        self.step(i, lambda: self.machines[i].joined(one, theirs, f"machine {j}", self.now, address, self.pace))
        return one, other

    def close(self, i: int, peer: Peer) -> None:
        """This end closes: what it sent still arrives, what is on the way to it does not."""
        other = self.links.pop((i, peer), None)
        self._drop(i, peer)
        if other is not None:
            self.links.pop(other)
            self.queue.append(Loss(*other))

    def cut(self, i: int, peer: Peer) -> None:
        """The line breaks: what is on the way is lost, both ends hear of it later."""
        other = self.links.pop((i, peer), None)
        if other is None:
            return
        self.links.pop(other)
        for end in ((i, peer), other):
            self._drop(*end)
            self.queue.append(Loss(*end))

    def lose(self, i: int) -> None:
        """A machine is gone: nothing of it is under way any more, and nobody reaches it."""
        self.deaf.add(i)
        self.cut_all(i)
        self.queue = [event for event in self.queue if event.machine != i]
        self.wake[i] = None

    def come_back(self, i: int) -> None:
        """The machine is there again, with its game read back from its log."""
        self.deaf.discard(i)
        self.crash(i)
        self.step(i, lambda: self.machines[i].tick(self.now))

    def hosts(self) -> list[int]:
        """The machines that coordinate a table, of those who can be reached."""
        return [i for i, one in enumerate(self.machines) if isinstance(one, Coordinator) and i not in self.deaf]

    def cut_all(self, i: int) -> None:
        for machine, peer in list(self.links):
            if machine == i:
                self.cut(machine, peer)

    def _drop(self, i: int, peer: Peer) -> None:
        """What was on its way to this end is lost."""
        self.queue = [
            event
            for event in self.queue
            if not (isinstance(event, Arrival) and event.machine == i and event.peer == peer)
        ]

    def crash(self, i: int) -> None:
        """Only what was remembered is left; the machine is made again from it."""
        for machine, peer in list(self.links):
            if machine == i:
                self.close(i, peer)
        self.queue = [event for event in self.queue if event.machine != i]
        self.lives[i] += 1
        self.machines[i] = self._make(i)
        self.wake[i] = self.now

    # --- time -------------------------------------------------------------------------------------------------------

    def run(self, limit: int = 100_000) -> None:
        """Until nothing is under way any more, without letting time pass."""
        while self.queue:
            limit -= 1
            assert limit > 0, "the table never comes to rest"
            self.deliver(self.next_event())

    def run_for(self, seconds: float, limit: int = 100_000) -> None:
        """Let so much time pass."""
        self.run_until(lambda: False, seconds, limit)

    def run_until(self, done: Callable[[], bool], seconds: float = 600.0, limit: int = 100_000) -> bool:
        """Until it is done (True), or so much time has passed."""
        end = self.now + seconds
        while True:
            limit -= 1
            assert limit > 0, "the table never comes to rest"
            if self.queue:
                self.deliver(self.next_event())
            elif done():
                return True
            elif not self.pass_time(end):
                return False

    def pass_time(self, end: float) -> bool:
        """Jump to the next moment at which a machine wants to look; False if there is none before the end."""
        due = [(time, i) for i, time in enumerate(self.wake) if time is not None]
        time, i = min(due, default=(end, -1))
        if i < 0 or time > end:
            self.now = end
            return False
        self.now = max(self.now, time)
        self.wake[i] = None
        self.step(i, lambda: self.machines[i].tick(self.now))
        return True

    def next_event(self) -> Event:
        if self.order is None:
            return self.queue.pop(0)
        lanes: dict[tuple[int, Peer | str], int] = {}
        for place, event in enumerate(self.queue):
            lane = event.peer if isinstance(event, Arrival | Loss) else type(event).__name__
            lanes.setdefault((event.machine, lane), place)
        return self.queue.pop(self.order.choice(list(lanes.values())))

    def deliver(self, event: Event) -> None:
        self.steps += 1
        self.outward = 0
        machine = self.machines[event.machine]
        match event:
            case Arrival(i, peer, message):
                self._look_for_past(i, peer, message)
                self.step(i, lambda: machine.receive(peer, message, self.now))
            case Loss(i, peer):
                self.step(i, lambda: machine.lost(peer, "the line broke", self.now))
            case Answer(i, think):
                action = self.player(think)
                if think.hint:
                    self.step(i, lambda: machine.hinted(think, (Rated(action),), self.now))
                else:
                    self.step(i, lambda: machine.thought(think, action, self.now))
            case Call(i, dial):
                self._call(i, dial)

    def _look_for_past(self, i: int, peer: Peer, message: bytes) -> None:
        """What a coordinator's program does: a game of before that a listener asks for is read from its log."""
        machine, game_id = self.machines[i], resumed_game_id(message)
        if not isinstance(machine, Coordinator) or not game_id or (i, peer) not in self.links:
            return
        key = public_bytes(self.keys[self.links[i, peer][0]])
        if machine.wants_past(key, game_id) and game_id in self.logs[i]:
            log = self.logs[i][game_id]
            start = read_start(log)
            machine.know_past(key, LedgerWriter.restored(self.keys[i], start.frame, start.position, log))

    def _call(self, i: int, dial: Dial) -> None:
        j = -1 if is_meeting(dial.address) else int(dial.address.removeprefix(TELEPHONE))
        reached = 0 <= j < len(self.machines) and j not in self.deaf
        if reached and dial.key in (None, public_bytes(self.keys[j])):
            self.connect(i, j, dial.address)
        else:
            why = "nobody answers" if not reached else "somebody else answers"
            self.step(i, lambda: self.machines[i].dial_failed(dial.address, why, self.now))


message_of = lru_cache(maxsize=20_000)(decode_message)
_read = lru_cache(maxsize=20_000)(read_record)


@lru_cache(maxsize=20_000)
def frames(data: bytes) -> bytes:
    """The frames of a record alone, which are the same for everybody."""
    return b"".join([bytes(frame) for frame in _read(data)[0].frames])


def records(log: Sequence[bytes]) -> list[bytes]:
    return [payload[1:] for payload in log if payload[:1] == RECORD]


def remembered(message: Message, log: Sequence[bytes], logs: dict[bytes, list[bytes]]) -> bool:
    """Whether the log of its sender holds what this message tells."""
    match message:
        case HeaderPart(data=data):
            (frame,) = [split_frame(payload[1:])[0] for payload in log if payload[:1] == HEADER]
            forms = [frame, *[abridge_header(frame, side.key) for side in decode_header(frame).sides]]
            return any(data in bytes(form) for form in forms)
        case Taken(number, _, rest):
            last = len(records(log)) - 1
            record = _read(records(log)[last - (last - number) % 256])[0]
            return rest.startswith(b"".join([bytes(frame) for frame in record.frames[1:]]))
        case Have(number, record):
            return frames(records(log)[number]) == frames(record)
        case MoveMessage(record):
            entry = _read(record)[1][0]
            if isinstance(entry, CheckEntry):
                return len(log) >= 2 and entry.base <= len(records(log))
            return PENDING + record in log
        case Resume(game_id, count, _):
            return count == len(records(logs.get(game_id, [])))
        case _:
            return True
