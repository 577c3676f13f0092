"""Whole games over modems that do not behave as ours would like, in simulated time: what a daemon runs but its port.
One with real daemons and devices."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from benchmarks.line_moves import Side
from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import (
    Host,
    OpenConnect,
    OpenHost,
    OpenJoin,
    OpenLine,
    OpenResume,
    Persona,
    Rules,
    Serial,
)
from p2pcards.daemon.lines import Call, Setup, _line_rate, deadline
from p2pcards.daemon.tables import HOSTED
from p2pcards.links.channel import open_channel
from p2pcards.links.modem import calls
from p2pcards.links.modem.hayes import Dialect
from p2pcards.links.modem.port import SerialPort
from p2pcards.store.files import Home, find_home
from p2pcards.views.happenings import GameWon, Notice, PlayerLost
from p2pcards.views.tableview import Command, TableView
from rigs.homes import MakeHome, happening, kill_daemon, view
from rigs.modem.scripted_modem import (
    MemoryPort,
    ScriptedModem,
    in_digits,
    modem_in_memory,
    pty_line,
    twice,
    with_even_parity,
    with_mark_parity,
)
from rigs.short_games import proven, short

GAME = "crazy_eights"
LOOKS_AGAIN = 1.0
"""Simulated seconds. To look at a table is what costs most here."""
SETUP = Setup("/dev/ttyS9", 115200, "none", Dialect())

KINDS: dict[str, dict[str, Any]] = {
    "digits": {"speech": in_digits, "connect": "CONNECT"},
    "digits and a rate": {"speech": in_digits, "connect": "CONNECT 1200", "rate": 1200},
    "plain CONNECT, fast": {"connect": "CONNECT"},
    "plain CONNECT at 1200": {"connect": "CONNECT", "rate": 1200},
    "plain CONNECT at 300": {"connect": "CONNECT", "rate": 300},
    "CONNECTED": {"connect": "CONNECTED"},
    "even parity": {"speech": with_even_parity},
    "mark parity": {"speech": with_mark_parity},
    "echo twice": {"echoes": twice, "always_echo": True},
    "answers by itself": {"by_itself": 2, "on_answer": ((10, b"\r\nCONNECT 2400\r\n"),)},
    "answers by itself, in digits": {"by_itself": 1, "speech": in_digits, "connect": "CONNECT"},
    "words before": {
        "on_answer": ((1, b"\r\nLINE GOOD\r\n"), (9, b"\r\n+MRR: 2400\r\n"), (1, b"\r\nCONNECT 115200\r\n"))
    },
}


@asynccontextmanager
async def exchange(**how: Any) -> AsyncIterator[tuple[MemoryPort, ScriptedModem, MemoryPort, ScriptedModem]]:
    """Two modems of a kind with one telephone line between them."""
    port_a, a = modem_in_memory(**how)
    port_b, b = modem_in_memory(**how)
    a.partner, b.partner = b, a
    with trio.fail_after(4 * 3600):
        async with trio.open_nursery() as nursery:
            await nursery.start(a.run)
            await nursery.start(b.run)
            yield port_a, a, port_b, b
            nursery.cancel_scope.cancel()


async def talk(side: Side, port: MemoryPort, nursery: trio.Nursery) -> None:
    """Dial or answer, and be at the table until the link is over."""
    stream = await (calls.dial(port, "5551234") if side.calls else calls.answer(port))
    call = Call(cast(SerialPort, port), stream, _line_rate(stream, SETUP), calls=side.calls, keep=True)
    nursery.start_soon(call.run)
    await call.stream.greeted()
    channel = await open_channel(
        call.stream,
        initiator=side.calls,
        identity=side.identity,
        where="the line",
        deadline=deadline(call.line.rate),
        line=call.line,
    )
    await side.runner.links.serve(channel, address="tel:5551234" if side.calls else "")


async def play(side: Side) -> None:
    """The first thing that the rules allow."""
    while True:
        while not (legal := side.runner.view().legal):
            await trio.sleep(LOOKS_AGAIN)
        side.runner.command(Command("act", tuple(legal[0].split())))
        await trio.sleep(LOOKS_AGAIN)


async def game(folder: Path, retrain: int = 0, **how: Any) -> int:
    """A game over two such modems; the rate that the line turned out to have. retrain: seconds of two in it."""
    rng = Random(7)
    homes = [find_home({"P2PCARDS_HOME": str(folder / name)}) for name in ("Ann", "Bob")]
    ann, bob = Side(homes[0], True, rng.randbytes), Side(homes[1], False, rng.randbytes)
    async with exchange(**how) as (port_a, a, port_b, _), trio.open_nursery() as nursery:
        for side in (ann, bob):
            await nursery.start(side.runner.run)
            side.runner.attach(0.0)
        ann.runner.command(Command("game", (GAME,)))
        for key, value in short(GAME):
            ann.runner.command(Command("set", (key, value)))
        nursery.start_soon(talk, bob, port_b, nursery)
        await trio.sleep(10)
        nursery.start_soon(talk, ann, port_a, nursery)
        await until(lambda: ann.runner.here() == 1)
        ann.runner.command(Command("start"))
        for side in (ann, bob):
            nursery.start_soon(play, side)
        if retrain:
            await until(lambda: bool(bob.runner.view().legal))
            a.retrain(retrain)
            await trio.sleep(retrain + 15)
            a.retrain(retrain)
        await until(lambda: ann.runner.view().phase == bob.runner.view().phase == "over")
        assert ann.runner.here() == 1
        rate = rate_shown(ann.runner.view())
        nursery.cancel_scope.cancel()
    heads = {proven(home).heads[-1] for home in homes}
    assert len(heads) == 1
    return rate


def rate_shown(view: TableView) -> int:
    """Bits a second of the line to the other end."""
    (line,) = [person.line for person in view.people if person.line]
    return int(line.split()[0])


async def until(true: Any) -> None:
    while not true():
        await trio.sleep(LOOKS_AGAIN)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_whole_game_over_every_kind(kind: str, tmp_path: Path, autojump_clock: MockClock) -> None:
    how = KINDS[kind]
    rate = await game(tmp_path, **how)
    if how.get("connect") == "CONNECT":  # which tells no rate
        assert rate == how.get("rate", 9600)


@pytest.mark.parametrize("seconds", [10, 20])
@pytest.mark.parametrize("rate", [2400, 33600])
async def test_a_whole_game_with_retrains(seconds: int, rate: int, tmp_path: Path, autojump_clock: MockClock) -> None:
    await game(tmp_path, retrain=seconds, rate=rate, connect=f"CONNECT {rate}")


@dataclass(frozen=True)
class Telephone:
    """Ann hosts at a modem, Bob has joined by telephone, and a game is on."""

    modems: tuple[ScriptedModem, ScriptedModem]
    device: str  # at which Ann waits
    hosts: ClientTable
    guest: Client
    join: OpenJoin
    guests: ClientTable

    async def break_line(self) -> None:
        for modem in self.modems:
            await modem.lose_carrier()


@asynccontextmanager
async def telephone(ann: Home, bob: Home) -> AsyncIterator[Telephone]:
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(pty_line()) for _ in range(2)]
        nursery = await stack.enter_async_context(trio.open_nursery())
        a, b = (ScriptedModem(stream) for stream, _ in ends)
        a.partner, b.partner = b, a
        for one in (a, b):
            await nursery.start(one.run)
        at_host, at_guest = [Serial(device=device, flow="none", rings=1) for _, device in ends]
        client = await stack.enter_async_context(connect(ann))
        await client.open(OpenHost(None, Rules(GAME, changes=short(GAME)), Persona("Ann"), serial=at_host))
        hosts = await client.attach()
        guest = await stack.enter_async_context(connect(bob))
        join = OpenJoin(Host("tel:5551234"), Persona("Bob"), serial=at_guest)
        await guest.open(join)
        guests = await guest.attach()
        await hosts.command(Command("start"))
        await view(guests, lambda shown: shown.phase == "play")
        yield Telephone((a, b), at_host.device, hosts, guest, join, guests)
        nursery.cancel_scope.cancel()


def guest_is(link: str) -> Callable[[TableView], bool]:
    return lambda shown: shown.phase == "play" and (shown.people[1].link == "here") == (link == "here")


async def test_a_host_at_a_modem_is_joined_by_telephone(make_home: MakeHome) -> None:
    """The one who waits coordinates here. When the line is lost nobody is called before the guest says so."""
    async with telephone(make_home("ann"), make_home("bob")) as line:
        await line.break_line()
        said = ""
        while "call the host again" not in said:
            said = (await happening(line.guests, Notice)).text
        assert said == "To call the host again: p2pcards join tel:5551234"
        assert line.modems[1].dialled == ["T5551234"]
        await view(line.hosts, guest_is("away"))
        await line.guest.open(line.join)
        await view(line.hosts, guest_is("here"))
        assert line.modems[1].dialled == ["T5551234"] * 2


async def test_a_game_that_was_hosted_at_a_modem_waits_there_again_when_it_is_resumed(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with telephone(ann, bob) as line:
        before = await view(line.hosts, guest_is("here"))
        kill_daemon(ann)
        await line.break_line()
        await happening(line.guests, PlayerLost)
        async with connect(ann) as client:
            opened = await client.open(OpenResume(persona=Persona("Ann")))
            assert (opened.port, opened.device) == (None, line.device)
            assert [table.device for table in (await client.status()).tables] == [line.device]
            hosts = await client.attach()
            await line.guest.open(line.join)
            after = await view(hosts, guest_is("here"))
            assert after.records >= before.records


async def test_a_game_that_was_hosted_at_a_modem_is_not_resumed_where_the_modem_is_not_to_be_had(
    make_home: MakeHome,
) -> None:
    """The device is named otherwise now, as one at USB may be: that is said, and it waits at the one that is given."""
    ann = make_home("ann")
    async with telephone(ann, make_home("bob")) as line:
        kill_daemon(ann)
        await line.break_line()
        (ann.state / HOSTED).write_text((ann.state / HOSTED).read_text().replace(line.device, "/dev/ttyUSB77"))
        async with connect(ann) as client:
            with pytest.raises(Declined, match="/dev/ttyUSB77"):
                await client.open(OpenResume(persona=Persona("Ann")))
            assert not (await client.status()).tables
            moved = Serial(device=line.device, flow="none")
            assert (await client.open(OpenResume(persona=Persona("Ann"), serial=moved))).device == line.device
            hosts = await client.attach()
            await line.guest.open(line.join)
            await view(hosts, guest_is("here"))


async def test_a_whole_game_of_two_daemons(make_home: MakeHome) -> None:
    """At modems that answer in digits, tell no rate, and echo each byte twice."""
    ann, bob = make_home("ann"), make_home("bob")
    how: dict[str, Any] = {"speech": in_digits, "connect": "CONNECT", "echoes": twice, "always_echo": True}
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(pty_line()) for _ in range(2)]
        nursery = await stack.enter_async_context(trio.open_nursery())
        a, b = (ScriptedModem(stream, **how) for stream, _ in ends)
        a.partner, b.partner = b, a
        for one in (a, b):
            await nursery.start(one.run)
        devices = [Serial(device=device, flow="none") for _, device in ends]
        client = await stack.enter_async_context(connect(bob))
        await client.open(OpenLine(devices[1], Persona("Bob", auto="novice")))
        at_bob = await client.attach()
        client = await stack.enter_async_context(connect(ann))
        rules, me = Rules(GAME, changes=short(GAME)), Persona("Ann", auto="novice")
        await client.open(OpenConnect((Host("tel:5551234"),), rules, me, serial=devices[0]))
        at_ann = await client.attach()
        await at_ann.command(Command("start"))
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
        shown = await view(at_ann, lambda shown: any(person.line for person in shown.people))
        assert 0 < rate_shown(shown) <= 9600, "as fast as this machine has carried it"
        nursery.cancel_scope.cancel()
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob)}
