"""Games that a coordinator plays by itself in a listener's name, at listeners that really run."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from p2pcards.control.client import connect
from p2pcards.control.messages import OpenListen, Persona
from p2pcards.players.levels import edition_of
from p2pcards.results.keeping import ask_book
from p2pcards.results.standings import history
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.lobby import EditionOf, first_edition
from p2pcards.store.files import Home, find_home
from p2pcards.store.logs import FINISHED, indexed_logs, list_logs, read_log
from p2pcards.views.happenings import GameWon, HandDealt, HandOpened, LeftOutOfDeal, StrangeStandIn, TakenOverUntruly
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import Command
from p2pcards.wire.messages import Bye, MoveMessage
from p2pcards.wire.reasons import ByeCode, TakeoverReason
from p2pcards.wire.records import EDITIONS
from rigs.homes import MakeHome, happening, kill_daemon
from rigs.hostile import Hostile, begin, bobs_table, hostile
from rigs.net import CAST
from rigs.program import MakeProgram, Program
from rigs.short_games import short

GAME = "crazy_eights"


def home_of(program: Program) -> Home:
    return find_home({"P2PCARDS_HOME": str(program.home)})


async def begin_short(mal: Hostile[Coordinator]) -> None:
    await mal.sit_down()
    await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
    await mal.command("game", GAME)
    for option, value in short(GAME):
        await mal.command("set", option, value)
    await mal.command("start")


def won_and_counted(home: Home) -> tuple[int, int]:
    """The logs of games that were won, and the games in the records."""
    return sum(facts.state == FINISHED for _, facts in indexed_logs(home)), len(ask_book(home, history))


async def test_a_game_that_its_coordinator_played_alone_counts_nowhere(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home, None)
        async with hostile(port) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.table.game is not None and mal.position.dealt > 0)
            await mal.take_over(1, TakeoverReason.LEFT)
            await mal.until(lambda: mal.position.ended is not None)
            await happening(table, GameWon)
    kill_daemon(home)
    assert won_and_counted(home) == (1, 0)


async def test_a_takeover_for_a_reason_that_is_not_so_is_noted_counted_and_told(make_program: MakeProgram) -> None:
    bob = make_program("bob").inside()
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home_of(bob), None)
        async with hostile(port) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.table.game is not None and mal.position.dealt > 0)
            place = mal.position.count + 1
            await mal.take_over(1, TakeoverReason.LEFT)
            assert await happening(table, TakenOverUntruly) == TakenOverUntruly("Mal", "the player left")
            await happening(table, HandOpened)
    (log,) = list_logs(home_of(bob))
    said = bob("verify", log.stem).stdout
    assert (
        f"At record {place} Bob's character took over: the player left, which wasn't true, as this log notes." in said
    )
    (listed,) = bob.data("peers", "list")
    assert (listed["name"], listed["proof"], listed["taken_over"]) == ("Mal", None, 1)
    assert "(not known)" in bob.out("peers", "list")


async def test_who_calls_a_player_absent_that_is_here_is_listed_also_while_they_are_not_known(
    make_program: MakeProgram,
) -> None:
    """Mal takes Bob's seat over before he has moved, so that nobody is known who then shuffles without his part."""
    bob = make_program("bob").inside()
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home_of(bob), None)
        async with hostile(port) as mal:
            await mal.with_fellow()
            await begin(mal, people=3)
            await mal.until(lambda: mal.position.dealt > 0)
            seat = mal.position.header.seat_of(2)
            assert seat is not None
            await mal.take_over(seat, TakeoverReason.LEFT)
            await mal.until(lambda: mal.position.opened == 1)
            await mal.call_absent(2)
            assert await mal.heard_to_the_end(Bye) == 1
        assert (await happening(table, LeftOutOfDeal)).here
    (listed,) = bob.data("peers", "list")
    assert (listed["name"], listed["proof"], listed["left_out"], listed["taken_over"]) == ("Mal", None, 1, 1)


STRANGE = {
    "an edition that nobody has": (CAST, lambda _game, _level: EDITIONS),
    "an edition of another version": (CAST, lambda game, level: edition_of(game, level) + 1),
    "an unknown level": (
        tuple([replace(one, level="zen") if one.key == "granny" else one for one in CAST]),
        first_edition,
    ),
}


@pytest.mark.parametrize(("cast", "editions"), STRANGE.values(), ids=STRANGE)
async def test_a_stand_in_whom_my_program_does_not_have_is_taken_by_a_person_alone(
    make_home: MakeHome, cast: Cast, editions: EditionOf
) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(home))
        opened = await client.open(OpenListen(0, Persona("Bob", "granny", "novice")))
        assert opened.port is not None
        table = await client.attach(opened.table)
        async with hostile(opened.port, cast=cast, edition_of=editions) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.table.game is not None)
            assert await mal.next(Bye) == Bye(ByeCode.ASKS_PLAYER, "")
        assert await happening(table, StrangeStandIn) == StrangeStandIn("Mal")
        assert not list_logs(home), "isn't saved here"
        await table.command(Command("accept"))
        for chance in (2, 3):
            async with hostile(opened.port, chance=chance, cast=cast, edition_of=editions) as mal:
                await begin_short(mal)
                await mal.until(lambda: mal.machine.table.game is not None and mal.position.ended is not None)
        assert [facts.state for _, facts in indexed_logs(home)] == [FINISHED] * 2, "the yes was for this player"


async def test_a_game_does_not_begin_while_nobody_is_at_the_table(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(home))
        opened = await client.open(OpenListen(0, Persona("Bob")))
        assert opened.port is not None
        async with hostile(opened.port) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.table.game is not None)
            assert await mal.heard(MoveMessage) == 0, "nobody has agreed to this game"
            await mal.take_over(1, TakeoverReason.LEFT)
            assert await mal.heard(MoveMessage) == 0
            (log,) = list_logs(home)
            assert b"C" not in [payload[:1] for payload in read_log(log.path).payloads]
            table = await client.attach(opened.table)
            await mal.until(lambda: mal.machine.table.game is not None and mal.position.dealt > 0)
            await happening(table, HandDealt)


async def test_who_asked_for_a_computer_player_need_not_be_at_the_table(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(home))
        opened = await client.open(OpenListen(0, Persona("Bob", auto="carefree")))
        assert opened.port is not None
        async with hostile(opened.port) as mal:
            await begin_short(mal)
            await mal.until(lambda: mal.machine.table.game is not None and mal.position.ended is not None)
    kill_daemon(home)
    assert won_and_counted(home) == (1, 1)
