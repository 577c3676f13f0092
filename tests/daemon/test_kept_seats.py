"""A seat is kept from the moment at which somebody sits down until they leave or are put out: in every state of a
table, whatever becomes of the guest's daemon, and whatever the link that they came by has become meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.cli.command import Failure
from p2pcards.cli.opening import stop_daemon
from p2pcards.control import client as control_client
from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import REFUSED
from p2pcards.control.messages import Admission, Host, OpenHost, OpenJoin, Persona, Rules, TimeLimits
from p2pcards.daemon.tables import kept_listening
from p2pcards.store.files import Home
from p2pcards.store.identity import forget, load_peers
from p2pcards.store.logs import list_logs
from p2pcards.views.happenings import GameWon, PlayerJoined
from p2pcards.views.tableview import Command, TableView
from rigs.daemons_here import client_here
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, daemon_pid, happening, kill_daemon, view, wait_until_ended
from rigs.short_games import short


class Hosted:
    """Ann's table, the link by which Bob has come, and Bob's home."""

    def __init__(self, client: Client, table: ClientTable, link: str, bob: Home) -> None:
        self.client = client
        self.table = table
        self.link = link
        self.bob = bob

    async def link_of_bob(self) -> str:
        (status,) = (await self.client.status()).tables
        return next((one.link for one in status.people if one.name == "Bob"), "gone")

    async def until_bob(self, here: bool) -> None:
        with trio.fail_after(longest_wait()):
            while (await self.link_of_bob() == "here") is not here:
                await trio.sleep(0.01)


async def join(client: Client, link: str, name: str = "Bob") -> ClientTable:
    await client.open(OpenJoin(Host(link), Persona(name, auto="novice")))
    return await client.attach()


# --- states of a table ------------------------------------------------------------------------------------------------


async def before_a_game_is_chosen(at: Hosted) -> str:
    await at.table.command(Command("say", ("hello",)))
    return "lobby"


async def with_a_game_chosen(at: Hosted) -> str:
    await at.table.command(Command("game", ("crazy_eights",)))
    return "lobby"


async def in_a_game(at: Hosted) -> str:
    await with_a_game_chosen(at)
    await at.table.command(Command("start"))
    await view(at.table, lambda shown: shown.phase == "play")
    return "play"


async def between_games(at: Hosted) -> str:
    """One has ended early."""
    await in_a_game(at)
    await at.table.command(Command("end"))
    await view(at.table, lambda shown: shown.phase != "play")
    return "lobby"


async def at_the_end_of_a_game(at: Hosted) -> str:
    await with_a_game_chosen(at)
    for key, value in short("crazy_eights"):
        await at.table.command(Command("set", (f"{key}={value}",)))
    await at.table.command(Command("auto", ("novice",)))
    await at.table.command(Command("start"))
    await happening(at.table, GameWon)
    return "over"


STATES: dict[str, Callable[[Hosted], Awaitable[str]]] = {
    "before a game is chosen": before_a_game_is_chosen,
    "with a game chosen": with_a_game_chosen,
    "in a game": in_a_game,
    "between games": between_games,
    "at the end of a game": at_the_end_of_a_game,
    "looking on": in_a_game,
}


# --- what becomes of the guest ----------------------------------------------------------------------------------------


async def killed(at: Hosted, _client: Client) -> None:
    kill_daemon(at.bob)


async def stopped(at: Hosted, client: Client) -> None:
    await client.stop()
    wait_until_ended(at.bob)


LOSSES = {"killed": killed, "stopped": stopped}


async def comes_back_by_itself(at: Hosted, client: Client) -> ClientTable:
    """The next daemon knows the table."""
    await at.until_bob(here=True)
    return await client.attach()


async def opens_the_link_again(at: Hosted, client: Client) -> ClientTable:
    return await join(client, at.link)


async def opens_the_link_where_its_table_is_forgotten(at: Hosted, client: Client) -> ClientTable:
    """As where the daemon of another day has given up: the key alone is known."""
    table = await client.attach()
    await table.command(Command("leave"))
    with trio.fail_after(longest_wait()):
        while (await client.status()).tables:
            await trio.sleep(0.01)
    return await join(client, at.link)


WAYS = {
    "by itself": comes_back_by_itself,
    "by the used link": opens_the_link_again,
}


async def seated(stack: AsyncExitStack, make_home: MakeHome, state: str) -> tuple[Hosted, Client, str]:
    """Bob, who has come by a link, at Ann's table in this state; and the phase that he sees."""
    ann, bob = make_home("ann"), make_home("bob")
    client = await stack.enter_async_context(connect(ann))
    request = OpenHost(0, Rules(), Persona("Ann"), TimeLimits(60), bind="127.0.0.1", web=True)
    opened = await client.open(request)
    at = Hosted(client, await client.attach(opened.table), opened.link, bob)
    bobs = await stack.enter_async_context(connect(bob))
    phase = await STATES[state](at) if state == "looking on" else ""
    await join(bobs, at.link)
    await happening(at.table, PlayerJoined)
    return at, bobs, phase or await STATES[state](at)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("state", STATES)
async def test_a_guest_is_back_in_their_seat(make_home: MakeHome, state: str, loss: str, way: str) -> None:
    async with AsyncExitStack() as stack:
        at, bobs, phase = await seated(stack, make_home, state)
        await LOSSES[loss](at, bobs)
        await at.until_bob(here=False)
        again = await stack.enter_async_context(connect(at.bob))
        table = await WAYS[way](at, again)
        await at.until_bob(here=True)

        def is_seated(shown: TableView) -> bool:
            mine = next((one for one in shown.people if one.link == "you"), None)
            others = [one.name for one in shown.people if one.link == "here"]
            return (
                mine is not None
                and others == ["Ann"]
                and (shown.phase, mine.looks_on) == (phase, state == "looking on")
            )

        await view(table, is_seated)
        assert len((await again.status()).tables) == 1


@pytest.mark.parametrize("state", STATES)
async def test_the_used_link_is_no_seat_for_another_key(make_home: MakeHome, state: str) -> None:
    async with AsyncExitStack() as stack:
        at, _, _ = await seated(stack, make_home, state)
        async with connect(make_home("cy")) as client:
            with pytest.raises(Declined, match=r"was already used, and each works only once\. Ask") as declined:
                await join(client, at.link, "Cy")
            assert declined.value.code == REFUSED
            assert (await client.status()).tables == ()
        assert await at.link_of_bob() == "here"


async def test_who_has_left_comes_again_by_the_link_that_they_used(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        at, bobs, _ = await seated(stack, make_home, "before a game is chosen")
        await opens_the_link_where_its_table_is_forgotten(at, bobs)
        await at.until_bob(here=True)


async def test_a_used_code_leads_to_nobody_of_whom_the_player_has_not_made_sure(make_home: MakeHome) -> None:
    """Whoever sits in between can refuse a code, and would be called again without it."""
    async with AsyncExitStack() as stack:
        at, _, _ = await seated(stack, make_home, "before a game is chosen")
        where, _, code = at.link.partition("#")
        cy = make_home("cy")
        client = await stack.enter_async_context(connect(cy))
        await (await join(client, where, "Cy")).command(Command("leave"))
        with trio.fail_after(longest_wait()):
            while (await client.status()).tables:
                await trio.sleep(0.01)
        assert [peer.proof for peer in load_peers(cy)] == ["first use"]
        with pytest.raises(Declined, match="was already used"):
            await join(client, f"{where}#{code}", "Cy")


async def test_an_old_link_of_somebody_known_burns_no_code(make_home: MakeHome) -> None:
    """Its number says nothing to a host that was started again."""
    async with AsyncExitStack() as stack:
        at, bobs, _ = await seated(stack, make_home, "before a game is chosen")
        await (await bobs.attach()).command(Command("leave"))
        await at.until_bob(here=False)
        where, _, code = at.link.partition("#")
        shown = (await at.client.status()).tables[0].code
        number = next(str(one) for one in range(1, 99) if str(one) not in (code.split("-")[0], shown.split("-")[0]))
        await join(bobs, f"{where}#{number}-{code.partition('-')[2]}")
        await at.until_bob(here=True)
        assert (await at.client.status()).tables[0].code in (shown, "")


async def test_a_used_link_is_told_as_used_though_the_key_alone_does_not_do_either(make_home: MakeHome) -> None:
    """Cy knows Ann for sure, and Ann does not know Cy any more: what is said of the code is the reason."""
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with connect(ann) as anns, connect(bob) as bobs, connect(cy) as cys:
        request = OpenHost(0, Rules(), Persona("Ann"), bind="127.0.0.1", admission=Admission(require_code=True))
        before, now = [await anns.open(request) for _ in range(2)]
        await cys.open(OpenJoin(Host(f"127.0.0.1:{before.port}", code=before.code), Persona("Cy")))
        forget(ann, "Cy")
        host = Host(f"127.0.0.1:{now.port}", code=now.code)
        await bobs.open(OpenJoin(host, Persona("Bob")))
        with pytest.raises(Declined, match=r"was already used, and each works only once\. Ask"):
            await cys.open(OpenJoin(host, Persona("Cy")))


async def test_a_host_who_is_joined_twice_at_once_is_called_once(make_home: MakeHome, mock_clock: MockClock) -> None:
    """The second waits for the first, and tries for itself where that fails. No time passes."""
    (silent,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    request = OpenJoin(Host(f"127.0.0.1:{silent.socket.getsockname()[1]}"), Persona("Bob"))
    answers: list[str] = []

    async def join_in_vain(client: Client) -> None:
        with pytest.raises(Declined) as declined:
            await client.open(request)
        answers.append(str(declined.value))

    home = make_home("bob")
    async with silent, client_here(home) as one, connect(home) as other:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(join_in_vain, one)
            first = await silent.accept()
            nursery.start_soon(join_in_vain, other)
            async with first:
                await wait_all_tasks_blocked(0.05)
                assert not answers
            await (await silent.accept()).aclose()
        assert len(answers) == 2 and (await one.status()).tables == ()


async def test_what_to_do_with_a_daemon_that_does_not_stop_is_said_and_the_seat_is_there_afterwards(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        at, bobs, _ = await seated(stack, make_home, "in a game")
        before = await view(await bobs.attach(), lambda shown: shown.records > 0)
        pid = daemon_pid(at.bob)
        os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr(control_client, "DEADLINE", 0.1)
        with pytest.raises(Failure, match=f"'kill -9 {pid}' and try again: your games are safe"):
            await trio.to_thread.run_sync(stop_daemon, at.bob)
        monkeypatch.undo()
        kill_daemon(at.bob)
        await at.until_bob(here=False)
        again = await stack.enter_async_context(connect(at.bob))
        await at.until_bob(here=True)
        await view(await again.attach(), lambda shown: shown.records >= before.records)
        assert len(list_logs(at.bob)) == 1


async def test_who_leaves_or_is_put_out_comes_back_by_nothing(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        at, bobs, _ = await seated(stack, make_home, "before a game is chosen")
        await at.table.command(Command("kick", ("Bob",)))
        with trio.fail_after(longest_wait()):
            while (await bobs.status()).tables:
                await trio.sleep(0.01)
        assert kept_listening(at.bob) == []
        kill_daemon(at.bob)
        again = await stack.enter_async_context(connect(at.bob))
        with pytest.raises(Declined, match="No table is open"):
            await again.attach()
