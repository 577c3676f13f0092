"""A whole game of every game between two daemon processes over TCP on this machine, some taken over in mid-hand."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona, Rules, TimeLimits
from p2pcards.games.registry import GAMES
from p2pcards.store.files import Home
from p2pcards.views.happenings import Acted, GameWon, Happening, SeatReturned, SeatTakenOver
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.short_games import proven, short


async def sit_down(
    stack: AsyncExitStack,
    ann: Home,
    bob: Home,
    key: str,
    auto: str | None = None,
    grace: int | None = None,
    hands: int = 1,
) -> tuple[Client, ClientTable, ClientTable]:
    """Ann's client and both tables, the game chosen; Bob's seat plays by itself. hands: the first may be the
    last, where more are not asked for."""
    client = await stack.enter_async_context(connect(bob))
    opened = await client.open(OpenListen(0, Persona("Bob", "betty", auto="novice")))
    at_bob = await client.attach()
    client = await stack.enter_async_context(connect(ann))
    hosts, rules = (Host(f"127.0.0.1:{opened.port}"),), Rules(key, changes=short(key) if hands == 1 else ())
    await client.open(OpenConnect(hosts, rules, Persona("Ann", "wayne", auto=auto), TimeLimits(grace)))
    return client, await client.attach(), at_bob


@pytest.mark.parametrize("key", GAMES)
async def test_a_whole_game(make_home: MakeHome, key: str) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, at_ann, at_bob = await sit_down(stack, ann, bob, key, auto="novice")
        await at_ann.command(Command("start"))
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob)}
    assert len(heads) == 1


@pytest.mark.parametrize("key", ["hearts", "gin_rummy", "cribbage"])
async def test_a_character_takes_over_in_mid_hand(make_home: MakeHome, key: str) -> None:
    """Bob's daemon dies in the first hand, their character plays, they come back, and the game goes on to its end."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, at_ann, _ = await sit_down(stack, ann, bob, key, grace=1, hands=2 if key == "gin_rummy" else 1)
        await at_ann.command(Command("start"))
        acted = 0

        def twice(happened: Happening) -> bool:
            nonlocal acted
            acted += isinstance(happened, Acted) and happened.name == "Bob"
            return acted == 2

        await play_until(at_ann, twice)
        kill_daemon(bob)
        await happening(at_ann, SeatTakenOver)
        shown = await view(at_ann, lambda shown: bool(shown.legal))
        assert shown.seats[1].plays == "character"
        if key != "gin_rummy":  # there the character may have knocked, and ended a game of one hand
            assert (shown.hand, shown.sheet) == (1, None)
        await play_until(at_ann, lambda happened: isinstance(happened, Acted) and happened.name == "Bob")
        again = await stack.enter_async_context(connect(bob))
        await happening(at_ann, SeatReturned)
        at_bob = await again.attach()
        await at_ann.command(Command("away"))
        heads = {str((await happening(table, GameWon)).head) for table in (at_ann, at_bob)}
    findings = [proven(home) for home in (ann, bob)]
    assert heads == {found.heads[-1].hex() for found in findings}
    assert len(heads) == 1
    assert all(1 in [seat for _, seat in found.takeovers] for found in findings)
