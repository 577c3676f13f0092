"""What strangers may have a daemon do: their attacks, on daemons that really run."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress
from functools import partial

import pytest

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona
from p2pcards.daemon import introductions
from p2pcards.daemon.acquaintance import LONGEST
from p2pcards.links.link import LinkLost
from p2pcards.session.coordinator import Coordinator
from p2pcards.store.files import make_folders
from p2pcards.store.identity import load_peers, remember
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import Command
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Resume
from rigs.daemons_here import client_here
from rigs.homes import MakeHome, happening, view
from rigs.hostile import Hostile, hostile
from rigs.net import key_of

TURNS = 400
"""More than the games that a stranger may begin in a day."""
MOST = 1
"""New games a day, where a test wants them to be used up at once."""


async def listening(stack: AsyncExitStack, client: Client, port: int = 0) -> tuple[ClientTable, int]:
    opened = await client.open(OpenListen(port, Persona("Bob", auto="novice")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


async def game_of_eights(client: Client, port: int) -> None:
    """From the call to the end."""
    opened = await client.open(OpenConnect((Host(f"127.0.0.1:{port}"),), persona=Persona("Ann", auto="novice")))
    table = await client.attach(opened.table)
    for command in (Command("game", ("crazy_eights",)), Command("set", ("winning_score=50",)), Command("start")):
        await table.command(command)
    people = [person.name for person in (await view(table, lambda shown: shown.phase == "play")).people]
    assert people == ["Ann", "Bob"]
    await happening(table, GameWon)
    await table.detach()
    await client.leave()


async def test_two_games_taken_in_turns_keep_nobody_out(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        bobs, anns = [await stack.enter_async_context(connect(home)) for home in (bob, ann)]
        _, port = await listening(stack, bobs)
        await game_of_eights(anns, port)
        assert [peer.proof for peer in load_peers(bob)] == ["first use"]
        async with hostile(port) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            games = []
            for _ in range(2):
                await mal.command("game", "crazy_eights")
                await mal.command("start")
                await mal.until(lambda: mal.machine.view(0.0).phase == "play")
                game = mal.machine.table.game
                assert game is not None
                position = game.position
                games.append(Resume(position.game_id, position.count, position.head))
                await mal.command("end")
            for turn in range(TURNS):
                await mal.say(games[turn % 2])
            assert await mal.heard(Resume) == TURNS, "none of them was a new game"
        await game_of_eights(anns, port)


def begins(mal: Hostile[Coordinator], old: object) -> bool:
    return mal.machine.table.game not in (None, old) and mal.machine.view(0.0).phase == "play"


async def begin_and_end(port: int, number: int) -> int:
    """Somebody with the key of this number begins games and ends them, until they are hung up on; how many begin."""
    begun = 0
    async with hostile(port, number) as mal:
        with suppress(LinkLost):
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            while begun <= MOST:
                old = mal.machine.table.game
                for command in (("game", "crazy_eights"), ("start",)):
                    await mal.command(*command)
                await mal.until(partial(begins, mal, old))
                begun += 1
                await mal.command("end")
            assert await mal.heard(Bye) == 1
    return begun


async def test_keys_that_became_known_today_use_up_what_no_friend_of_before_has(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as have an allowance of their own, and two more, of which each had moved once."""
    monkeypatch.setattr(introductions, "GAMES", MOST)
    bob, friend = make_home("bob"), LONGEST + 2
    make_folders(bob)
    for age, number in enumerate([friend, *range(LONGEST + 2)]):
        remember(bob, public_bytes(key_of(number, 1)), f"one {age}", "", 1_000 + age)
    async with client_here(bob) as bobs:
        _, port = await listening(AsyncExitStack(), bobs)
        assert await begin_and_end(port, LONGEST) == MOST + 1
        assert await begin_and_end(port, LONGEST + 1) == 0, "they share"
        assert await begin_and_end(port, friend) == MOST + 1, "and the friend has one alone"
