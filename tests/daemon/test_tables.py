"""Whole games between daemon processes over TCP on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest
import trio
import trio.testing

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED, NETWORK, REFUSED, USAGE
from p2pcards.control.messages import (
    Happened,
    Host,
    Open,
    OpenConnect,
    OpenListen,
    OpenPlay,
    OpenResume,
    Persona,
    Rules,
    TimeLimits,
)
from p2pcards.daemon import opening
from p2pcards.daemon.attachments import KEPT
from p2pcards.daemon.own_command import Hook
from p2pcards.daemon.runner import Runner
from p2pcards.ledger.payloads import RECORD
from p2pcards.store.files import Home
from p2pcards.store.identity import load_peers
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import GameWon, HandDealt, PlayerBack, PlayerLost, Said
from p2pcards.views.tableview import Command
from rigs.daemons_here import client_here
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, play_until, says, view, wait_until_ended

SHORT = (("winning_score", "50"),)


def here(port: int | None) -> str:
    return f"127.0.0.1:{port}"


def records(home: Home) -> int:
    """How many records the newest log holds."""
    return sum(payload[:1] == RECORD for _, payload in read_log(list_logs(home)[0].path).records)


async def listen(stack: AsyncExitStack, home: Home, name: str, port: int = 0) -> tuple[Client, ClientTable, str]:
    client = await stack.enter_async_context(connect(home))
    opened = await client.open(OpenListen(port, Persona(name, auto="novice")))
    return client, await client.attach(opened.table), here(opened.port)


async def game_over(table: ClientTable) -> GameWon:
    return await happening(table, GameWon)


async def test_three_daemons_play_a_game_to_its_end(make_home: MakeHome) -> None:
    homes = ann, bob, cy = [make_home(name) for name in ("ann", "bob", "cy")]
    async with AsyncExitStack() as stack:
        _, at_bob, to_bob = await listen(stack, bob, "Bob")
        _, at_cy, to_cy = await listen(stack, cy, "Cy")
        client = await stack.enter_async_context(connect(ann))
        rules = Rules("crazy_eights", changes=SHORT)
        await client.open(OpenConnect((Host(to_bob), Host(to_cy)), rules, Persona("Ann", auto="novice")))
        at_ann = await client.attach()
        people = (await client.status()).tables[0].people
        assert [(one.name, one.link) for one in people] == [("Ann", "you"), ("Bob", "here"), ("Cy", "here")]
        await at_ann.command(Command("say", ("hello",)))
        for table in (at_bob, at_cy):
            assert (await happening(table, Said)).text == "hello"
        await at_ann.command(Command("start"))
        ends = [await game_over(table) for table in (at_ann, at_bob, at_cy)]
        assert len({(end.head, end.totals) for end in ends}) == 1
        assert len({records(home) for home in homes}) == 1
        assert {peer.name for peer in load_peers(ann)} == {"Bob", "Cy"}
        assert {(peer.name, peer.address) for peer in load_peers(bob)} == {("Ann", "")}


async def test_a_killed_listener_finds_its_seat_again(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, at_bob, to_bob = await listen(stack, bob, "Bob")
        client = await stack.enter_async_context(connect(ann))
        await client.open(OpenConnect((Host(to_bob),), Rules("crazy_eights"), Persona("Ann"), TimeLimits(60)))
        at_ann = await client.attach()
        await at_ann.command(Command("start"))
        await happening(at_bob, HandDealt)
        await view(at_ann, lambda shown: bool(shown.legal))  # the table waits for Ann, and the logs stand still
        kept = records(bob)
        kill_daemon(bob)
        lost = await happening(at_ann, PlayerLost)
        assert lost.name == "Bob"
        again = await stack.enter_async_context(connect(bob))
        tables = (await again.status()).tables
        assert [here(table.port) for table in tables] == [to_bob], "it listens on the same port by itself"
        opened = await again.open(OpenListen(tables[0].port))
        assert not opened.new
        at_bob = await again.attach()
        await happening(at_ann, PlayerBack)
        shown = await view(at_bob, lambda shown: shown.phase == "play")
        assert shown.records >= kept
        assert not any(seat.plays == "character" for seat in shown.seats)


async def test_a_killed_coordinator_resumes_with_the_same_listener(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        _, at_bob, to_bob = await listen(stack, bob, "Bob")
        client = await stack.enter_async_context(connect(ann))
        await client.open(OpenConnect((Host(to_bob),), Rules("crazy_eights", changes=SHORT), Persona("Ann")))
        at_ann = await client.attach()
        await at_ann.command(Command("start"))
        before = await view(at_ann, lambda shown: bool(shown.legal))
        kill_daemon(ann)
        await happening(at_bob, PlayerLost)
        client = await stack.enter_async_context(connect(ann))
        await client.open(OpenResume(persona=Persona("Ann")))
        with pytest.raises(Declined, match="hosting any unfinished games"):
            await client.open(OpenResume())
        at_ann = await client.attach()
        after = await view(at_ann, lambda shown: bool(shown.legal))
        assert (after.records, after.head, after.legal) == (before.records, before.head, before.legal)


async def test_killing_a_front_end_keeps_the_seat(make_home: MakeHome) -> None:
    home = make_home("ann")
    attach = (
        "import sys, trio\n"
        "from p2pcards.control.client import connect\n"
        "from p2pcards.store.files import find_home\n"
        "import os\n"
        "async def main():\n"
        "    async with connect(find_home(os.environ)) as client:\n"
        "        table = await client.attach()\n"
        "        async for update in table.updates():\n"
        "            print('shown', flush=True)\n"
        "trio.run(main)\n"
    )
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("hearts"), Persona("Ann")))
        environment = os.environ | {"P2PCARDS_HOME": str(home.state)}
        with subprocess.Popen([sys.executable, "-c", attach], env=environment, stdout=subprocess.PIPE) as front_end:
            assert front_end.stdout is not None
            assert front_end.stdout.readline() == b"shown\n"
            assert (await client.status()).tables[0].front_ends == 1
            # One that is stopped holds nobody up, and keeps nothing when it is killed.
            front_end.send_signal(signal.SIGSTOP)
            table = await client.attach()
            shown = await view(table, lambda shown: bool(shown.legal))
            await table.command(Command("say", ("still here",)))
            front_end.kill()
        with trio.fail_after(longest_wait()):
            while (await client.status()).tables[0].front_ends > 1:
                await trio.sleep(0.01)
        await table.detach()
        assert await view(await client.attach(), lambda _: True) == shown


async def test_what_happened_while_nobody_looked_is_shown_on_attaching(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("crazy_eights", changes=SHORT), Persona(auto="novice"), seed=5))
        with trio.fail_after(longest_wait()):
            while (await client.status()).tables[0].phase != "over":
                await trio.sleep(0.01)
        unread = (await client.status()).tables[0].unread
        assert unread
        table = await client.attach()
        news = table.updates()
        shown: list[Happened] = []
        while isinstance(update := await anext(news), Happened):
            shown.append(update)
        assert update.phase == "over"
        assert isinstance(shown[-1].happening, GameWon)
        assert len(shown) == (unread if unread <= KEPT else KEPT + 1), "of more than are kept their number is told"
        assert (await client.status()).tables[0].unread == 0
        await table.detach()
        news = (await client.attach()).updates()
        earlier = [await anext(news) for _ in range(10)]
        assert all(isinstance(each, Happened) and each.earlier for each in earlier)


async def test_the_same_seed_gives_the_same_game(make_home: MakeHome) -> None:
    home, ends = make_home("ann"), []
    async with connect(home) as client:
        for seed in (5, 5, 6):
            await client.open(OpenPlay(Rules("crazy_eights", changes=SHORT), Persona("Ann", auto="novice"), seed=seed))
            ends.append((await game_over(await client.attach())).head)
    assert ends[0] == ends[1] != ends[2]
    assert len(list_logs(home)) == 3, "each has a log of its own"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


async def refusal(client: Client, request: Open) -> Declined:
    with pytest.raises(Declined) as refused:
        await client.open(request)
    assert (await client.status()).tables == ()
    return refused.value


async def test_what_cannot_be_opened_is_refused_with_a_sentence_and_a_code(make_home: MakeHome) -> None:
    async with connect(make_home("ann")) as client:
        nobody = await refusal(client, OpenConnect((Host(here(free_port())),)))
        assert "Nobody is listening at 127.0.0.1" in str(nobody)
        assert nobody.code == NETWORK
        wrong = await refusal(client, OpenConnect((Host("a b"),)))
        assert "'a b' isn't a host name" in str(wrong)
        assert wrong.code == USAGE
        refused_with: dict[Open, str] = {
            OpenPlay(Rules("hart")): "hearts",
            OpenPlay(Rules("hearts", "no_such")): "preset",
            OpenPlay(Rules("hearts", changes=(("end_score", "7"),))): "end_score",
            OpenPlay(Rules("hearts"), Persona(auto="genius")): "There's no level",
            OpenPlay(Rules("hearts"), Persona(character="nobody")): "There's no character",
            OpenResume(): "You aren't hosting any unfinished games.",
            OpenResume("x"): "There's no log 'x'.",
        }
        for request, sentence in refused_with.items():
            refused = await refusal(client, request)
            assert sentence in str(refused), refused
        with socket.socket() as taken:
            taken.bind(("0.0.0.0", 0))
            taken.listen()
            in_use = await refusal(client, OpenListen(taken.getsockname()[1]))
            assert "is taken by another program" in str(in_use)
            assert in_use.code == NETWORK
        for ask in (client.attach, client.leave):
            with pytest.raises(Declined, match="No table is open"):
                await ask()
        await client.open(OpenPlay(Rules("hearts"), seed=1))
        table = await client.attach("t1")
        with pytest.raises(Declined, match="seed"):
            await table.command(Command("invite", ("127.0.0.1",)))
        with pytest.raises(Declined, match=r"There's no table 'x'\. Open tables: t1"):
            await client.attach("x")


async def test_hosts_are_called_one_after_the_other(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """So each sits down, or does not, before the next is called."""
    one, other = Host("127.0.0.1:1"), Host("127.0.0.1:2")
    awaited: list[Sequence[Host]] = []

    async def settled(_table: Runner, hosts: Sequence[Host]) -> None:
        awaited.append(hosts)

    monkeypatch.setattr(opening, "wait_for_hosts", settled)
    async with client_here(make_home("ann")) as client:
        with pytest.raises(Declined):
            await client.open(OpenConnect((one, other)))
    assert awaited == [(one,), (one, other)]


async def test_a_table_that_was_left_has_given_its_port_back(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def finish_late(_: Hook) -> None:
        await trio.testing.wait_all_tasks_blocked(0.05)

    monkeypatch.setattr(Hook, "finish", finish_late)
    async with client_here(make_home("ann")) as client:
        opened = await client.open(OpenListen(0, Persona("Ann")))
        for table in ("t1", "t1", "t1"):
            assert opened.table == table
            await client.leave(table)
            opened = await client.open(OpenListen(opened.port, Persona("Ann")))


async def test_own_address_and_a_taken_listener(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        bobs, _, to_bob = await listen(stack, bob, "Bob")
        with pytest.raises(Declined, match="you called yourself"):
            await bobs.open(OpenConnect((Host(to_bob),)))
        client = await stack.enter_async_context(connect(ann))
        await client.open(OpenConnect((Host(to_bob),), persona=Persona("Ann")))
        client = await stack.enter_async_context(connect(cy))
        with pytest.raises(Declined, match="already at another table") as taken:
            await client.open(OpenConnect((Host(to_bob),), persona=Persona("Cy")))
        assert taken.value.code == REFUSED


async def test_a_known_peer_with_another_key_is_refused(make_home: MakeHome) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    async with AsyncExitStack() as stack:
        client, at_bob, to_bob = await listen(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        await anns.open(OpenConnect((Host(to_bob),), persona=Persona("Ann")))
        table = await anns.attach()
        await play_until(table, says("You're meeting Bob for the first time"))
        await play_until(at_bob, says("You're meeting Ann for the first time"))
        await anns.leave()
        await client.stop()
        port = int(to_bob.rpartition(":")[2])
        await listen(stack, eve, "Bob", port)
        with pytest.raises(Declined, match=r"Bob's key is.*p2pcards peers forget Bob") as wrong:
            await anns.open(OpenConnect((Host(to_bob),), persona=Persona("Ann")))
        assert wrong.value.code == REFUSED


async def test_a_log_with_a_flipped_byte_is_not_resumed(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        await client.open(OpenPlay(Rules("crazy_eights")))
        table = await client.attach()
        await view(table, lambda shown: bool(shown.legal))
        await client.stop()
    wait_until_ended(home)
    path = list_logs(home)[0].path
    sound = path.read_bytes()
    path.write_bytes(sound[:400] + bytes([sound[400] ^ 1]) + sound[401:])
    async with connect(home) as client:
        damaged = await refusal(client, OpenResume(path.stem))
        assert "at offset" in str(damaged)
        assert damaged.code == DAMAGED
        path.write_bytes(sound[:-3])
        await client.open(OpenResume())
        await play_until(await client.attach(), says("The log's last record is incomplete"))
        assert len(list(home.logs.glob("*.torn-*"))) == 1


async def test_a_listening_table_that_was_left_is_gone(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with AsyncExitStack() as stack:
        client, table, _ = await listen(stack, home, "Ann")
        assert await client.leave() == "You left table t1."
        await play_until(table, says("You left the table."))
        with trio.fail_after(longest_wait()):
            while (await client.status()).tables:
                await trio.sleep(0.01)
