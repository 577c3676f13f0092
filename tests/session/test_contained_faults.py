"""A mistake of the program, at whatever message, costs the link on which the message came, and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

from p2pcards.session import coordinator, listener
from p2pcards.session.checkpoint import checkpoint
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Close, CommandError, Effect, Faulted, Send
from p2pcards.session.listener import Listener
from p2pcards.views.happenings import GameWon
from p2pcards.wire.messages import Bye, Message, MoveMessage, RecordMessage, decode_message, encode_message
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode
from rigs.net import Net


class Invented(RuntimeError):
    """No program raises it."""


# --- a checkpoint -----------------------------------------------------------------------------------------------------


def picture(machine: Any, which: Callable[[Any], Any] = id) -> Any:
    """All that can be reached of a machine. which: tells objects that can change from others like them."""
    seen: dict[int, Any] = {}

    def drawn(thing: Any) -> Any:
        kind = type(thing)
        if isinstance(thing, int | float | str | bytes | None):
            return thing
        if id(thing) in seen:
            return which(thing)
        seen[id(thing)] = thing
        if isinstance(thing, tuple):
            return kind, [drawn(part) for part in thing]
        if isinstance(thing, list | deque):
            return kind, which(thing), [drawn(part) for part in thing]
        if isinstance(thing, set):
            return kind, which(thing), sorted(map(repr, thing))
        if isinstance(thing, dict):
            return kind, which(thing), [(repr(key), drawn(value)) for key, value in thing.items()]
        if not kind.__module__.startswith(CHANGES):
            return id(thing) if which is id else thing
        names = thing.__dict__ if hasattr(thing, "__dict__") else thing.__slots__ if is_dataclass(kind) else ()
        return kind, which(thing), [(name, drawn(getattr(thing, name))) for name in names]

    return drawn(machine)


CHANGES = ("p2pcards.session", "p2pcards.ledger.writer", "p2pcards.ledger.follower")


MOST = 120
"""Messages after which no more are tried."""


def tried_first(receive: Callable[..., list[Effect]], counts: list[int]) -> Callable[..., list[Effect]]:
    """What takes a message is called twice, and the first time undone."""

    def receives(machine: Any, *arguments: Any) -> list[Effect]:
        if sum(counts) > MOST:
            return receive(machine, *arguments)
        before = picture(machine)
        put_back = checkpoint(machine)
        with suppress(Refused):
            receive(machine, *arguments)
        counts[picture(machine) != before] += 1
        put_back()
        assert picture(machine) == before
        return receive(machine, *arguments)

    return receives


@pytest.mark.parametrize("game", ["hearts", "cribbage"])
def test_a_checkpoint_puts_back_whatever_a_message_changed(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    counts = [0, 0]
    for machine in (Coordinator, Listener):
        monkeypatch.setattr(machine, "_receive", tried_first(machine._receive, counts))
    net = Net(1 if game == "cribbage" else 2)
    net.sit_down(game=game)
    net.run_until(lambda: sum(counts) > MOST)
    assert counts[True] > 50


# --- a handler that fails ---------------------------------------------------------------------------------------------


ROOT = Path(__file__).parents[2]


def sample_messages() -> dict[type[Message], bytes]:
    """A message of each kind, from the vectors."""
    others = MoveMessage(bytes(70)), RecordMessage(1, bytes(70))
    found: dict[type[Message], bytes] = {type(message): encode_message(message) for message in others}
    for path in sorted((ROOT / "protocol/vectors/messages").glob("*.txt")):
        lines = dict(line.split(": ", 1) for line in path.read_text().splitlines())
        if lines["expect"] == "ok":
            data = bytes.fromhex(lines["bytes"])
            found.setdefault(type(decode_message(data)), data)
    return found


SAMPLES = sample_messages()
COORDINATORS, LISTENERS = coordinator.TAKES, listener.TAKES


def mid_game() -> Net:
    net = Net(2)
    net.sit_down(game="hearts")
    net.run_until(lambda: net.at(0).count > 20)
    return net


def ruin(table: Any, *_: Any) -> list[Effect]:
    """Fails after it has thrown away whatever it finds."""
    for name in list(table.__dict__):
        kept = table.__dict__[name]
        if isinstance(kept, list | dict | set):
            kept.clear()
        table.__dict__[name] = None
    raise Invented


def peer_at(net: Net, i: int) -> int:
    return next(peer for machine, peer in net.links if machine == i)


def check_contained(machine: Any, peer: int, message: bytes, fail: Callable[[], list[Effect]]) -> None:
    """fail: ends the link of this peer, and does nothing else."""
    before = picture(machine)
    put_back = checkpoint(machine)
    fail()
    expected = picture(machine, type)
    put_back()
    effects = machine.receive(peer, message, 100.0)
    assert picture(machine, type) == expected
    (faulted, bye, close, *_) = effects
    assert isinstance(faulted, Faulted) and isinstance(faulted.error, Invented)
    assert isinstance(bye, Send) and decode_message(bye.message) == Bye(ByeCode.FAILED)
    assert close == Close(peer)
    put_back()
    assert picture(machine) == before


def test_whatever_a_coordinator_takes_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    net = mid_game()
    machine, peer = net.machines[0], peer_at(net, 0)
    assert isinstance(machine, Coordinator)
    guest = machine.table.attendance.guest_at(peer)
    assert guest is not None
    for presence, kind in COORDINATORS:
        monkeypatch.setitem(coordinator.TAKES, (presence, kind), ruin)
        guest.__dict__["presence"] = presence
        check_contained(machine, peer, SAMPLES[kind], lambda: machine._fail(peer, Invented(), 100.0))


def test_whatever_a_listener_takes_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    net = mid_game()
    machine, peer = net.machines[1], peer_at(net, 1)
    assert isinstance(machine, Listener)
    for presence, kind in LISTENERS:
        monkeypatch.setitem(listener.TAKES, (presence, kind), ruin)
        machine.table.link.__dict__["presence"] = presence
        check_contained(machine, peer, SAMPLES[kind], lambda: machine._fail(Invented()))


# --- a table at which much happens ------------------------------------------------------------------------------------


def everything_that_is_said(net: Net, i: int) -> None:
    """What a person may say at any moment; most of it is not for this one."""
    for words in ("say hello", "quick thanks", "away", "away off", "redeal", "yes", "no", "again"):
        name, *arguments = words.split()
        with suppress(CommandError):
            net.say(i, name, *arguments)
        net.run()


def go_on_playing(net: Net, rounds: int) -> None:
    """Games one after the other: links are cut, people come late, talk and propose; the coordinator starts again."""
    for number in range(rounds):
        for i in range(1, len(net.machines)):
            if i < 3 or number % 2:
                with suppress(CommandError):
                    net.say(0, "invite", str(i))
        net.run_for(3)
        with suppress(CommandError):
            net.say(0, "game", "crazy_eights")
            net.say(0, "set", "winning_score=1")
        for i in range(len(net.machines)):
            everything_that_is_said(net, i)
        with suppress(CommandError):
            net.say(0, "start")
        net.run_for(7)
        for i in range(len(net.machines)):
            everything_that_is_said(net, i)
        if number % 3 == 1:
            net.cut_all(1 + number % 2)
        if number % 7 == 6:
            net.logs[0][net.used[0] or b""][-1:] = []
            net.crash(0)
        net.run_for(40)


@pytest.mark.parametrize("rounds", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_a_table_at_which_much_happens_meets_no_fault(rounds: int) -> None:
    """The net raises what a machine notes as a mistake of its own."""
    net = Net(3)
    go_on_playing(net, rounds)
    assert len(net.tales(0, GameWon)) > rounds / 3
