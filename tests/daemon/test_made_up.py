"""A host who brings listeners that are made up, to have one drop out of a shuffle whenever the cards do not suit."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.control.client import ClientTable
from p2pcards.store.files import find_home
from p2pcards.store.logs import list_logs
from p2pcards.views.happenings import GameStarted, ShuffledAnew
from p2pcards.views.tableview import Command
from rigs.homes import happening, view
from rigs.hostile import bobs_table
from rigs.made_up import MadeUpTable, made_up_table
from rigs.program import MakeProgram

FAY, GIL = 2, 3


async def drop(mal: MadeUpTable, side: int, table: ClientTable, told: ShuffledAnew) -> None:
    """Mal would rather have another pack; Bob's part of that does not come before Bob says so."""
    await mal.call_absent(side)
    assert await mal.moves_heard() == 0
    assert await happening(table, ShuffledAnew) == told
    assert (await view(table, lambda shown: shown.doubted == "Mal")).legal == ()


async def test_a_host_with_made_up_listeners_sees_one_pack_more_for_each_yes(make_program: MakeProgram) -> None:
    bob = make_program("bob").inside()
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, find_home({"P2PCARDS_HOME": str(bob.home)}), "carefree")
        async with made_up_table(port) as mal:
            await mal.begin()
            assert (await happening(table, GameStarted)).met == (("Mal", ""), ("Fay", ""), ("Gil", ""))
            for times in (1, 2):
                await mal.play_hand()
                packs = [await mal.take_check()]
                for side, name in ((FAY, "Fay"), (GIL, "Gil")):
                    await drop(mal, side, table, ShuffledAnew(name, "Mal", "", times))
                    await table.command(Command("accept"))
                    packs.append(await mal.take_check())
                assert len(set(packs)) == 3, "as many as Bob has agreed to, and the first"
                await mal.deal()
                assert mal.position.absent == (FAY, GIL), "and both come back for the hand after"
            await mal.play_hand()
            await mal.take_check()
            await drop(mal, FAY, table, ShuffledAnew("Fay", "Mal", "", 3))
    (log,) = list_logs(find_home({"P2PCARDS_HOME": str(bob.home)}))
    said = bob("verify", log.stem).stdout
    assert said.count("dropped out of the next shuffle, and the player of this log agreed.") == 4
    assert said.count("Fay dropped out of the next shuffle.") == 1
    (listed,) = bob.data("peers", "list")
    assert (listed["name"], listed["left_out"], listed["dropped"]) == ("Mal", 0, 5)


async def test_a_listener_whom_nobody_attends_plays_on_and_counts_who_dropped_out(make_program: MakeProgram) -> None:
    bob = make_program("bob").inside()
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, find_home({"P2PCARDS_HOME": str(bob.home)}), "carefree")
        await table.detach()
        async with made_up_table(port) as mal:
            await mal.begin()
            await mal.play_hand()
            await mal.take_check()
            await mal.call_absent(FAY)
            await mal.take_check()
    (listed,) = bob.data("peers", "list")
    assert (listed["name"], listed["dropped"]) == ("Mal", 1)
