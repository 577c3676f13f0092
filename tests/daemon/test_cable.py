"""Two daemon processes at the two ends of a null-modem cable."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from benchmarks.pump import Noise
from p2pcards.control.client import ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import LINE
from p2pcards.control.messages import Host, Open, OpenConnect, OpenLine, OpenListen, Persona, Rules, Serial, TimeLimits
from p2pcards.store.files import Home
from p2pcards.views.happenings import Acted, GameWon, PlayerLost, Said, SeatReturned, SeatTakenOver
from p2pcards.views.tableview import Command
from rigs.cable import cable
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.short_games import proven, short

GAME = "crazy_eights"


async def sit_down(
    stack: AsyncExitStack,
    ann: Home,
    bob: Home,
    ends: tuple[str, str],
    auto: str | None = None,
    grace: int | None = None,
) -> tuple[ClientTable, ClientTable]:
    """Ann connects at the first end, Bob waits at the second, and Bob's seat plays by itself."""
    client = await stack.enter_async_context(connect(bob))
    await client.open(OpenLine(Serial(cable=True, device=ends[1], flow="none"), Persona("Bob", auto="novice")))
    at_bob = await client.attach()
    client = await stack.enter_async_context(connect(ann))
    hosts, rules = (Host(f"cable:{ends[0]}"),), Rules(GAME, changes=short(GAME))
    me, limits = Persona("Ann", auto=auto), TimeLimits(grace)
    await client.open(OpenConnect(hosts, rules, me, limits, serial=Serial(flow="none")))
    return await client.attach(), at_bob


async def test_a_whole_game_over_a_cable_that_loses_bytes(make_home: MakeHome) -> None:
    """One bit in ten thousand is hit, in bursts too; nothing of it is seen above."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        ends = await stack.enter_async_context(cable(Noise(Random(5), 1e-4, burst=2)))
        at_ann, at_bob = await sit_down(stack, ann, bob, ends, auto="novice")
        await at_ann.command(Command("start"))
        await at_bob.command(Command("say", ("do you hear me?",)))
        assert (await happening(at_ann, Said)).text == "do you hear me?"
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
        shown = await view(at_ann, lambda shown: any(person.line for person in shown.people))
        (line,) = [person.line for person in shown.people if person.line]
        assert line.startswith("115200 bps, ")
        assert not line.endswith(" 0 frames resent")
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob)}


async def test_cut_off_taken_over_and_back(make_home: MakeHome) -> None:
    """Bob's daemon dies, their character plays, the daemon that is started again waits at the cable, and is called."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        ends = await stack.enter_async_context(cable())
        at_ann, _ = await sit_down(stack, ann, bob, ends, grace=1)
        await at_ann.command(Command("start"))
        await play_until(at_ann, lambda happened: isinstance(happened, Acted) and happened.name == "Bob")
        kill_daemon(bob)
        lost = await happening(at_ann, PlayerLost)
        assert "Nothing came over the line" in str(lost.why)
        await happening(at_ann, SeatTakenOver)
        again = await stack.enter_async_context(connect(bob))
        await happening(at_ann, SeatReturned)
        at_bob = await again.attach()
        await at_ann.command(Command("away"))
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob)}


async def test_one_table_over_a_cable_and_over_tcp(make_home: MakeHome) -> None:
    homes = [make_home(name) for name in ("ann", "bob", "cy")]
    async with AsyncExitStack() as stack:
        ends = await stack.enter_async_context(cable())
        ann, bob, cy = [await stack.enter_async_context(connect(home)) for home in homes]
        at_end = Serial(cable=True, device=ends[1], flow="none")
        await bob.open(OpenLine(at_end, Persona("Bob", auto="novice")))
        port = (await cy.open(OpenListen(0, Persona("Cy", auto="novice")))).port
        hosts = (Host(f"cable:{ends[0]}"), Host(f"127.0.0.1:{port}"))
        request = OpenConnect(hosts, Rules(GAME, changes=short(GAME)), Persona("Ann", auto="novice"))
        await ann.open(replace(request, serial=Serial(flow="none")))
        assert [(await client.status()).tables[0].device for client in (ann, bob, cy)] == ["", ends[1], ""]
        tables = [await client.attach() for client in (ann, bob, cy)]
        await tables[0].command(Command("start"))
        shown = await view(tables[0], lambda shown: len(shown.people) == 3)
        assert [bool(person.line) for person in shown.people] == [False, True, False]
        heads = {str((await happening(table, GameWon)).head) for table in tables}
    assert heads == {proven(home).heads[-1].hex() for home in homes}
    assert len(heads) == 1


async def test_the_devices_of_a_cable_end_with_it() -> None:
    """Or a daemon that a killed test has left would answer at the next one."""
    async with cable() as ends:
        before = [Path(end) for end in ends]
        assert all(end.is_char_device() for end in before)
    async with cable() as ends:
        assert all(Path(end).is_char_device() for end in ends)
        assert not any(end.exists() for end in before)


NOWHERE = "/dev/ttyS99"


@pytest.mark.parametrize(
    "wanted",
    [OpenConnect((Host(f"cable:{NOWHERE}"),)), OpenLine(Serial(cable=True, device=NOWHERE))],
    ids=["connect", "listen"],
)
async def test_a_device_that_is_not_there(make_home: MakeHome, wanted: Open) -> None:
    async with connect(make_home("ann")) as client:
        with pytest.raises(Declined, match="There's no port /dev/ttyS99") as declined:
            await client.open(wanted)
        assert declined.value.code == LINE
        assert (await client.status()).tables == ()
