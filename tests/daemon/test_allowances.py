"""What strangers may have a daemon do: their attacks, on daemons that really run."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona
from p2pcards.store.peers import load_peers
from p2pcards.views.commands import Command
from p2pcards.views.happenings import GameWon
from p2pcards.wire.messages import Resume
from rigs.homes import MakeHome, happening, view
from rigs.hostile import hostile

TURNS = 400
"""More than the games that a stranger may begin in a day."""


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
