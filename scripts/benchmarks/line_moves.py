"""A game over a telephone line in simulated time: from CONNECT to the first card, and how long a move is on its way.

Everything but the line and the clock is what a daemon runs: tables, logs, machines, the channel, retransmission.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import trio
import trio.testing

from benchmarks.figures import NotMeasured, figure
from benchmarks.pump import line
from p2pcards.control.messages import Persona, TimeLimits
from p2pcards.daemon.calling import Caller
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.lines import SlowLine, deadline
from p2pcards.daemon.logs import new_log
from p2pcards.daemon.machines import Machine, make_coordinator, make_listener, me_of
from p2pcards.daemon.runner import Runner
from p2pcards.daemon.tablelinks import Role
from p2pcards.daemon.thinking import decide_here
from p2pcards.ledger.payloads import PENDING, RECORD
from p2pcards.links.channel import open_channel
from p2pcards.links.modem.reliable import ReliableStream
from p2pcards.session.effects import TakeTable, UseLog, YieldTable
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import LogFile, list_logs, read_log
from p2pcards.store.settings import Settings
from p2pcards.views.tableview import Command
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.records import ActionEntry, Entry, read_record

RATES = (300, 1200, 2400, 9600, 33600)
FIRST_CARD, ONE_MOVE, ANSWER = {2400: 8.0}, {2400: 0.6}, {2400: 0.7}
"""Seconds at the most, by rate."""

GAME = ("crazy_eights", "telecards")
"""For two: nobody else's moves are on the line."""
THOUGHT = 20.0
"""Seconds before each move, in which the line falls silent; but for those of a coordinator who answers at once."""
HANDS = 3
PATIENCE = 36_000.0
"""Simulated seconds for all of it."""
LEAST = 20
"""Moves that the median is taken of, at least."""


def measure() -> dict[str, Any]:
    first_card, one_move, answer = {}, {}, {}
    for rate in RATES:
        card, moves = _play(rate)
        first_card[str(rate)] = figure(card, "s", FIRST_CARD.get(rate))
        one_move[str(rate)] = _figure(list(moves.values()), ONE_MOVE.get(rate))
        _, moves = _play(rate, answers=True)
        answers = [seconds for move, seconds in moves.items() if move.answers]
        answer[str(rate)] = _figure(answers, ANSWER.get(rate))
    return {"connect_to_first_card": first_card, "move": one_move, "answer": answer}


def _figure(moves: Sequence[float], limit: float | None) -> dict[str, Any]:
    if len(moves) < LEAST:
        raise NotMeasured(f"Only {len(moves)} moves were made where {LEAST} are needed.")
    return figure(median(moves), "s", limit, moves=len(moves), longest=round(max(moves), 3))


def _keep_role(effect: TakeTable | YieldTable, _attended: bool) -> tuple[Machine, Role]:
    """Raise ValueError: nobody is gone from a table that is measured."""
    raise ValueError(effect)


async def _known(_key: bytes, _game_id: bytes) -> None:
    """There is one game, and it is known at both ends."""


class Side:
    """One end of the line: a table, and when each payload came into its log."""

    def __init__(self, home: Home, calls: bool, entropy: Callable[[int], bytes]) -> None:
        make_folders(home)
        self.home = home
        self.identity = Ed25519PrivateKey.from_private_bytes(entropy(32))
        self.when: list[float] = []
        self.entropy = entropy
        me = me_of(home, self.identity, Persona(home.state.name), Settings())
        self.calls = calls
        self.runner = Runner(
            "t1",
            make_coordinator(me, TimeLimits(), entropy) if self.calls else make_listener(me, entropy),
            caller=Caller(home, self.identity),
            diagnostics=Diagnostics(home.diagnostics),
            role=Role(listens=not self.calls, resumes=_known),
            change_role=_keep_role,
            open_log=self._open_log,
            decide=decide_here,
            ended=lambda: None,
        )

    def _open_log(self, wanted: UseLog) -> LogFile:
        return new_log(self.home, lambda _: self.when.append(trio.current_time()), wanted.game, wanted.game_id)

    async def sit_down(self, end: trio.abc.Stream, rate: int, nursery: trio.Nursery) -> None:
        """From CONNECT on, until the link is over."""
        stream = ReliableStream(end, rate=rate, calls=self.calls, entropy=self.entropy)
        nursery.start_soon(stream.run)
        await stream.greeted()
        channel = await open_channel(
            stream,
            initiator=self.calls,
            identity=self.identity,
            where="the line",
            deadline=deadline(rate),
            line=SlowLine(stream),
        )
        await self.runner.links.serve(channel, address="tel:5551234" if self.calls else "")

    async def play(self, thought: float) -> None:
        """As a person does, who thinks for so many seconds."""
        while True:
            await _until(self, lambda: bool(self.runner.view().legal))
            await trio.sleep(thought)
            if legal := self.runner.view().legal:
                self.runner.command(Command("act", tuple(legal[0].split())))

    def log(self) -> list[tuple[float, bytes]]:
        """When each payload was written."""
        (log,) = list_logs(self.home)
        payloads = read_log(log.path).payloads
        return list(zip(self.when[-len(payloads) :], payloads, strict=True))


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """answers: it is the coordinator's, right after a move of the listener's."""

    signature: bytes
    answers: bool


def _play(rate: int, answers: bool = False) -> tuple[float, dict[PlayedCard, float]]:
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        clock = trio.testing.MockClock(autojump_threshold=0)
        return trio.run(_hands, rate, Path(folder), answers, clock=clock)


async def _hands(rate: int, folder: Path, answers: bool) -> tuple[float, dict[PlayedCard, float]]:
    """Seconds from CONNECT to the first card at the listener's, and of each move of a few hands. answers: the
    coordinator moves at once."""
    rng = Random(rate)
    homes = [find_home({"P2PCARDS_HOME": str(folder / name)}) for name in ("Ann", "Bob")]
    ann, bob = Side(homes[0], True, rng.randbytes), Side(homes[1], False, rng.randbytes)
    async with trio.open_nursery() as nursery:
        for side in (ann, bob):
            await nursery.start(side.runner.run)
        ann.runner.command(Command("game", GAME))
        began = trio.current_time()
        for side, end in zip((ann, bob), line(rate), strict=True):
            nursery.start_soon(side.sit_down, end, rate, nursery)
        await _until(ann, lambda: ann.runner.here() == 1)
        ann.runner.command(Command("start"))
        await _until(bob, lambda: bool(bob.runner.view().seats) and bob.runner.view().seats[1].cards > 0)
        first_card = trio.current_time() - began
        nursery.start_soon(ann.play, 0.0 if answers else THOUGHT)
        nursery.start_soon(bob.play, THOUGHT)
        await _until(ann, lambda: ann.runner.view().hand > HANDS or ann.runner.view().phase == "over")
        nursery.cancel_scope.cancel()
    return first_card, _moves(ann, bob)


async def _until(side: Side, condition: Callable[[], bool]) -> None:
    with trio.fail_after(PATIENCE):
        while not condition():
            await side.runner.stepped()


def _moves(ann: Side, bob: Side) -> dict[PlayedCard, float]:
    """Seconds of each played card from one log to the other."""
    at_ann, at_bob = _first(ann), _first(bob)
    return {card: abs(at_ann[card] - at_bob[card]) for card in at_ann.keys() & at_bob.keys()}


def _first(side: Side) -> dict[PlayedCard, float]:
    """When each played card was first in this side's log."""
    found: dict[PlayedCard, float] = {}
    before: Entry | None = None
    for when, payload in side.log():
        if payload[:1] in (RECORD, PENDING):
            record, (entry, *_) = read_record(payload[1:])
            if isinstance(entry, ActionEntry) and len(record.frames) == 1 and record.faces is None:
                answers = entry.seat == 0 and isinstance(before, ActionEntry) and before.seat != 0
                found.setdefault(PlayedCard(record.frames[0].signature, answers), when)
            before = entry
    return found
