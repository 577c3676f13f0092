"""A coordinator who would rather have other cards, at listeners that really run."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.control.client import ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Happened, Host, OpenConnect, Persona
from p2pcards.ledger.payloads import last_head
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.doubt import TOO_OFTEN
from p2pcards.session.lobby import LeftOpen
from p2pcards.store.files import Home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import ENDED_EARLY, UNFINISHED, indexed_logs, list_logs, read_log
from p2pcards.views.happenings import (
    ActionRefused,
    DealsThrownAway,
    GameBrokenOff,
    GameEnded,
    HandDealt,
    LeftOutOfDeal,
    PlayerLost,
    Unfinished,
)
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Hello, MoveMessage, RefusedMove, Resume
from p2pcards.wire.reasons import RefusalCode
from p2pcards.wire.records import VERSION, AbsentEntry, ActionEntry, read_record
from rigs.homes import MakeHome, happening, kill_daemon, view
from rigs.hostile import Hostile, begin, bobs_table, hostile

TRIES = 8


async def deal(mal: Hostile[Coordinator], game: str = "hearts") -> None:
    """The same, and Mal sees the cards."""
    await begin(mal, game)
    await mal.until(lambda: mal.machine.view(0.0).phase == "play")


async def test_games_that_begin_anew_until_the_cards_suit_are_not_taken_until_the_player_agrees(
    make_home: MakeHome,
) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await deal(mal)
        for number in range(TRIES):
            async with hostile(port, chance=2) as mal:
                await (mal.sit_down() if number else begin(mal))
                assert await mal.heard_to_the_end(Bye) == 1
        told = await happening(table, GameBrokenOff)
        assert (told.name, told.times, told.asks) == ("Mal", 1, True)
        assert (await view(table, lambda shown: shown.doubted == "Mal")).doubted == "Mal"
        assert len(list_logs(home)) == 1, "none of them was taken"
        await table.command(Command("accept"))
        async with hostile(port, chance=3) as mal:
            await begin(mal)
            assert await mal.heard_to_the_end(Bye) == 1
        assert (await happening(table, GameBrokenOff)).asks, "the yes was for one game"
        assert len(list_logs(home)) == 1


async def test_a_daemon_that_was_started_again_knows_which_game_is_not_over(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, _, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await deal(mal)
        kill_daemon(home)
        _, table, port = await bobs_table(stack, home)
        async with hostile(port, chance=2) as mal:
            await begin(mal)
            assert await mal.heard_to_the_end(Bye) == 1
        assert (await happening(table, GameBrokenOff)).asks
        assert len(list_logs(home)) == 1


async def anns_table(stack: AsyncExitStack, home: Home, port: int) -> ClientTable:
    """A new table, to which Bob is called."""
    client = await stack.enter_async_context(connect(home))
    opened = await client.open(OpenConnect((Host(f"127.0.0.1:{port}"),), persona=Persona("Ann")))
    table = await client.attach(opened.table)
    for command in (Command("game", ("hearts",)), Command("start")):
        await table.command(command)
    return table


async def test_a_host_who_begins_anew_names_the_game_that_is_broken_off(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, bob)
        for again in (False, True):
            at = await anns_table(stack, ann, port)
            if again:
                assert (await happening(at, Unfinished)).name == "Bob"
            await view(at, lambda shown: shown.phase == "play")
            kill_daemon(ann)
        told = await happening(table, GameBrokenOff)
        assert (told.name, told.times, told.asks) == ("Ann", 1, False)


async def test_a_game_whose_end_never_arrived_is_brought_to_it_and_nobody_is_asked(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, bob)
        at = await anns_table(stack, ann, port)
        await happening(table, HandDealt)
        kill_daemon(bob)
        await happening(at, PlayerLost)
        await at.command(Command("end"))
        await happening(at, GameEnded)
        kill_daemon(ann)
        _, table, port = await bobs_table(stack, bob)
        await anns_table(stack, ann, port)
        seen: list[TableView | Happened] = []
        await happening(table, GameEnded, seen)
        await happening(table, HandDealt, seen)
        assert not any(isinstance(update, Happened) and isinstance(update.happening, GameBrokenOff) for update in seen)
        states = [facts.state for home in (ann, bob) for _, facts in indexed_logs(home)]
        assert sorted(states) == [ENDED_EARLY] * 2 + [UNFINISHED] * 2


async def test_a_daemon_that_was_started_again_asks_for_an_end_that_never_arrived_when_the_next_game_goes_on(
    make_home: MakeHome,
) -> None:
    home, next_game = make_home("bob"), bytes(range(16))
    async with AsyncExitStack() as stack:
        _, _, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await deal(mal)
            old = mal.position.game_id
        kill_daemon(home)
        _, _, port = await bobs_table(stack, home)
        async with hostile(port, chance=2) as mal:
            await mal.sit_down()
            await mal.next(Hello)
            await mal.say(Resume(next_game, 0, bytes(32)))
            said = [await mal.next(Resume) for _ in range(2)]
    assert [(one.game_id, one.head == bytes(32)) for one in said] == [(old, False), (next_game, True)]


@pytest.mark.parametrize("cut", [False, True], ids=["at once", "after a cut"])
async def test_the_only_listener_is_never_dealt_a_hand_in_which_it_has_no_part(make_home: MakeHome, cut: bool) -> None:
    """The pack without it would be known before the header is."""
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await begin(mal)
            await mal.next(MoveMessage)
            if not cut:
                await mal.forge(AbsentEntry(0, 1))
                assert await mal.heard_to_the_end(Bye) == 1
            position, machine = mal.position, mal.machine
        if cut:
            async with hostile(port) as again:
                again.machine = machine
                await again.say(Hello(VERSION, True, "Mal", "papa"))
                await again.next(Hello)
                await again.say(Resume(position.game_id, 1, bytes(32)))
                await again.next(Resume)
                await again.forge(AbsentEntry(0, 1))
                assert await again.heard_to_the_end(Bye) == 1
        told = await happening(table, PlayerLost)
        while "dealt without" not in told.why:
            told = await happening(table, PlayerLost)
    (log,) = list_logs(home)
    assert b"R" not in [payload[:1] for payload in read_log(log.path).payloads]


async def test_a_check_that_is_kept_back_is_told_to_its_giver_and_stands_in_their_log(
    make_home: MakeHome,
) -> None:
    """Of two listeners one is called absent who is here; after a restart they are asked again before they play."""
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await mal.with_fellow()
            await begin(mal, people=3)
            await mal.until(lambda: mal.position.opened == 1)
            await mal.call_absent(2)
            assert await mal.heard_to_the_end(Bye) == 1
            position, machine = mal.position, mal.machine
        told = await happening(table, LeftOutOfDeal)
        assert (told.name, told.here, told.times) == ("Mal", True, 1)
        (log,) = list_logs(home)
        payloads = read_log(log.path).payloads
        kinds = [payload[:1] for payload in payloads]
        assert kinds[-2:] == [b"R", b"N"] and b"C" in kinds[-5:]
        kill_daemon(home)
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await mal.say(Hello(VERSION, True, "Mal", "papa"))
            await mal.next(Hello)
            await mal.say(Resume(position.game_id, position.count, position.head))
            assert await mal.heard_to_the_end(Bye) == 1
        told = await happening(table, LeftOutOfDeal)
        assert (told.name, told.here, told.times) == ("Mal", False, 1)
        assert (await view(table, lambda shown: shown.doubted == "Mal")).doubted == "Mal"
        assert machine.table.game is not None and read_log(log.path).payloads == payloads


async def test_a_listener_who_is_refused_a_legal_move_signs_no_other_in_its_place(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, make_home("bob"), None)
        async with hostile(port) as mal:
            await deal(mal, "crazy_eights")
            await mal.until(lambda: mal.position.state.to_act == (1,))
            legal = (await view(table, lambda shown: bool(shown.legal))).legal
            await table.command(Command("act", tuple(legal[0].split())))
            move = await mal.next(MoveMessage)
            entry = read_record(move.record)[1][0]
            assert isinstance(entry, ActionEntry)
            await mal.say(RefusedMove(entry.base, RefusalCode.AGAINST_THE_RULES, "another one, please"))
            assert (await happening(table, ActionRefused)).words == legal[0]
            with pytest.raises(Declined):
                await table.command(Command("act", tuple(legal[-1].split())))
            assert await mal.heard(MoveMessage) == 0


# --- deals that are thrown away ---------------------------------------------------------------------------------------


async def throw_away(mal: Hostile[Coordinator]) -> None:
    """A game ends once its cards can be known, and another begins."""
    await mal.until(lambda: mal.position.state.stage.name == "PLAY")
    old = mal.position.game_id
    for command in (("end",), ("game", "hearts"), ("start",)):
        await mal.command(*command)
    await mal.until(lambda: mal.position.game_id != old)


async def refused(port: int, chance: int) -> None:
    """A further game is not taken."""
    async with hostile(port, chance=chance) as mal:
        await begin(mal)
        assert await mal.heard_to_the_end(Bye) == 1


async def test_a_coordinator_who_throws_deals_away_is_taken_by_a_person_alone_also_after_a_restart(
    make_home: MakeHome,
) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        async with hostile(port) as mal:
            await deal(mal)
            for _ in range(TOO_OFTEN):
                await throw_away(mal)
            assert await mal.heard_to_the_end(Bye) == 1
        assert await happening(table, DealsThrownAway) == DealsThrownAway("Mal", TOO_OFTEN)
        shown = await view(table, lambda shown: shown.doubted == "Mal")
        assert shown.thrown_away == TOO_OFTEN
        kill_daemon(home)
        _, table, port = await bobs_table(stack, home)
        await refused(port, 2)
        assert await happening(table, DealsThrownAway) == DealsThrownAway("Mal", TOO_OFTEN)
        assert [facts.state for _, facts in indexed_logs(home)] == [ENDED_EARLY] * TOO_OFTEN
        await table.command(Command("accept"))
        async with hostile(port, chance=3) as mal:
            await deal(mal)
            await mal.command("end")
            await mal.heard(Bye)
        await refused(port, 4)
        assert (await happening(table, DealsThrownAway)).times == TOO_OFTEN + 1, "the yes was for the deals before"


async def test_a_header_that_names_what_it_breaks_off_is_a_deal_thrown_away_too(make_home: MakeHome) -> None:
    home = make_home("bob")
    async with AsyncExitStack() as stack:
        _, table, port = await bobs_table(stack, home)
        head = b""
        for chance in range(TOO_OFTEN + 1):
            async with hostile(port, chance=chance) as mal:
                if head:
                    others = frozenset({public_bytes(load_or_make_identity(home))})
                    mal.machine.table._left_open = (LeftOpen(others, head),)
                if chance == TOO_OFTEN:
                    await begin(mal)
                    assert await mal.heard_to_the_end(Bye) == 1
                    break
                await deal(mal)
                await mal.heard(Bye)
                head = last_head(read_log(list_logs(home)[0].path).payloads)
        assert await happening(table, DealsThrownAway) == DealsThrownAway("Mal", TOO_OFTEN)
        assert len(list_logs(home)) == TOO_OFTEN
        kill_daemon(home)
        _, table, port = await bobs_table(stack, home)
        await refused(port, TOO_OFTEN + 2)
        assert await happening(table, DealsThrownAway) == DealsThrownAway("Mal", TOO_OFTEN)
