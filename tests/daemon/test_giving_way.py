"""A stranger has the table, and a friend calls: real daemons, at a clock that the test has."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from p2pcards.control.client import Client, ClientTable
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona, Rules
from p2pcards.session.doubt import QUIET
from p2pcards.store.files import Home, make_folders
from p2pcards.store.identity import load_or_make_identity, load_peers, remember, trust
from p2pcards.views.happenings import HandDealt, HandOpened, Happening, PlayerLost
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye
from p2pcards.wire.reasons import ByeCode
from rigs.daemons_here import client_here
from rigs.homes import MakeHome, all_at_once, happening, play_until, view
from rigs.hostile import hostile

STEP = 5
"""Seconds, after which a side says that it is there."""
LONG_AGO = 1_000_000_000


def friends(home: Home, other: Home) -> None:
    """The player of this home has known that of the other for long, and has made sure of their key."""
    for one in (home, other):
        make_folders(one)
    remember(home, public_bytes(load_or_make_identity(other)), "Ann", "", LONG_AGO)
    trust(home, "Ann")


async def listening(client: Client, auto: str | None) -> tuple[ClientTable, int]:
    opened = await client.open(OpenListen(0, Persona("Bob", auto=auto)))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


async def calls(client: Client, port: int, name: str, auto: str | None = "novice") -> ClientTable:
    """A table to which Bob is called. Raises Declined."""
    hosts, persona = (Host(f"127.0.0.1:{port}"),), Persona(name, auto=auto)
    opened = await client.open(OpenConnect(hosts, Rules("crazy_eights"), persona))
    return await client.attach(opened.table)


async def is_next(client: Client, port: int) -> bool:
    """Whether Ann, who calls, is told that the table is hers soon."""
    with pytest.raises(Declined) as declined:
        await calls(client, port, "Ann")
    return ByeCode.COMES_NEXT.sentence in str(declined.value)


def with_ann(shown: TableView) -> bool:
    """Whether a game with her is on."""
    return shown.phase == "play" and [one.name for one in shown.people] == ["Ann", "Bob"]


async def test_a_stranger_gives_the_table_to_a_friend_between_two_hands(
    make_home: MakeHome, mock_clock: MockClock
) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    friends(bob, ann)
    async with client_here(bob) as bobs, client_here(ann) as anns, client_here(eve) as eves:
        at_bob, port = await listening(bobs, None)
        at_eve = await calls(eves, port, "Eve", auto=None)
        await at_eve.command(Command("start"))
        await happening(at_bob, HandDealt)
        assert await is_next(anns, port)
        opened, told = [], []

        async def play(table: ClientTable) -> None:
            """Until the other is gone."""

            def over(happening: Happening) -> bool:
                if isinstance(happening, HandOpened):
                    opened.append(table)
                return isinstance(happening, PlayerLost)

            told.append(await play_until(table, over))

        await all_at_once(partial(play, at_bob), partial(play, at_eve))
        assert opened.count(at_bob) == 1, "the hand was played to its end"
        whys = {one.name: one.why for one in told if isinstance(one, PlayerLost)}
        assert "Your game is paused" in whys["Eve"] and whys["Bob"] == ByeCode.GAVE_WAY.sentence
        at_ann = await calls(anns, port, "Ann", auto=None)
        await at_ann.command(Command("start"))
        await view(at_bob, with_ann)
        assert {peer.name for peer in load_peers(bob)} == {"Ann", "Eve"}, "Eve has played, and comes after Ann still"


async def test_a_friend_has_the_table_within_five_minutes_whatever_a_stranger_does(
    make_home: MakeHome, mock_clock: MockClock
) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    friends(bob, ann)
    async with AsyncExitStack() as stack:
        bobs = await stack.enter_async_context(client_here(bob))
        anns = await stack.enter_async_context(client_here(ann))
        at_bob, port = await listening(bobs, "novice")
        mal = await stack.enter_async_context(hostile(port))
        await mal.sit_down()
        await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
        for command in (("game", "crazy_eights"), ("start",)):
            await mal.command(*command)
        await mal.until(lambda: mal.machine.view(0.0).phase == "play" and mal.position.count > 3)
        began = trio.current_time()
        assert await is_next(anns, port)
        while not await mal.heard(Bye):  # it says that it is there, and nothing else
            assert trio.current_time() - began <= QUIET
            mock_clock.jump(STEP)
        at_ann = await calls(anns, port, "Ann", auto=None)
        await at_ann.command(Command("start"))
        await view(at_bob, with_ann)


async def test_a_stranger_who_calls_while_a_friend_plays_is_told_that_the_table_is_taken(
    make_home: MakeHome, mock_clock: MockClock
) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    friends(bob, ann)
    async with client_here(bob) as bobs, client_here(ann) as anns, client_here(eve) as eves:
        _, port = await listening(bobs, None)
        await calls(anns, port, "Ann")
        with pytest.raises(Declined) as declined:
            await calls(eves, port, "Eve")
        assert ByeCode.TAKEN.sentence in str(declined.value)
