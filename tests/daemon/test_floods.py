"""A side that says more than anybody could, to daemons that really run: their disks, screens and commands do not
suffer."""

from __future__ import annotations

import resource
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, TypeVar

import pytest
import trio

from p2pcards import __version__
from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import (
    Attach,
    Attached,
    DaemonStatus,
    Greet,
    Happened,
    OpenHost,
    OpenListen,
    Persona,
    Rules,
    Status,
)
from p2pcards.control.protocol import answer_reader, encode
from p2pcards.control.starting import reach
from p2pcards.daemon.attachments import WAITING
from p2pcards.daemon.first_contact import AT_ONCE
from p2pcards.daemon.introductions import ARRIVALS, EACH, PEERS, TOO_MANY
from p2pcards.daemon.own_command import RARE
from p2pcards.ledger.payloads import RECORD
from p2pcards.links.link import LinkLost
from p2pcards.session.bounds import FROM_A_LISTENER, MOST_EARLY
from p2pcards.store.files import Home, private_folder
from p2pcards.store.identity import remember
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import CodeShown, Happening, Notice, OptionSet, PlayerJoined, PlayerLost
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Away, Bye, Hello, WordsCommitment, WordsNonce, WordsReveal
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION, EntryKind, first_kind
from p2pcards.wire.spoken import NONCE, words_commitment
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, play_until, says, view
from rigs.hostile import hostile, hostile_listener
from rigs.net import key_of

T = TypeVar("T")


async def hosting(stack: AsyncExitStack, client: Client) -> tuple[ClientTable, int]:
    opened = await client.open(OpenHost(0, Rules("crazy_eights"), Persona("Ann")))
    assert opened.port is not None
    return await client.attach(opened.table), opened.port


def seat_changes(home: Home) -> int:
    """How often the only log of this home gives a seat to a character, or back."""
    (log,) = list_logs(home)
    records = [payload[1:] for _, payload in read_log(log.path).records if payload[:1] == RECORD]
    return sum(first_kind(record) in (EntryKind.TAKEOVER, EntryKind.RETURN) for record in records)


async def test_a_front_end_that_does_not_read_stays_and_is_told_how_much_it_missed(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        table, _ = await hosting(stack, client)
        deaf = await stack.enter_async_context(await reach(ann, start=False))
        reader, heard = answer_reader(), list[Any]()

        async def hear(there: Callable[[], bool]) -> None:
            with trio.fail_after(longest_wait()):
                while not there():
                    data = bytes(await deaf.receive_some())
                    assert data, "the daemon has hung up"
                    heard.extend(reader.feed(data))

        for request in (Greet(__version__), Attach()):
            await deaf.send_all(encode(request))
        await hear(lambda: any(isinstance(message, Attached) for message in heard))
        for _ in range(WAITING + 1000):
            await table.command(Command("code"))
        await table.command(Command("set", ("winning_score=50",)))
        await happening(table, OptionSet)
        await deaf.send_all(encode(Status()))
        await hear(lambda: bool(told_of(heard, OptionSet)) and any(isinstance(one, DaemonStatus) for one in heard))
    left_out = [told for told in told_of(heard, Notice) if "skipped here" in str(told.text)]
    assert len(left_out) == 1, "the socket takes a few hundred, then the oldest give way"


def told_of(heard: list[Any], kind: type[T]) -> list[T]:
    told = [message.happening for message in heard if isinstance(message, Happened)]
    return [one for one in told if isinstance(one, kind)]


async def test_away_on_and_off_fills_no_disk(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        table, port = await hosting(stack, client)
        async with hostile_listener(port) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            await table.command(Command("start"))
            await mal.until(lambda: mal.machine.view(0.0).phase == "play")
            for number in range(2 * MOST_EARLY):
                await mal.say(Away(number % 2 == 0))
            assert await mal.heard_to_the_end(Bye) == 1
        lost = await happening(table, PlayerLost)
        assert "Too many AWAY" in str(lost.why)
        assert 0 < seat_changes(ann) <= FROM_A_LISTENER[Away].at_once + 2, "and those of a slow machine"


async def test_strangers_who_come_and_go_run_no_command_each_time_and_keep_no_friend_out(make_home: MakeHome) -> None:
    bob, friend = make_home("bob"), 7
    remember(bob, public_bytes(key_of(friend, 1)), "Cy", "", 0)
    met = bob.state / "met"
    private_folder(bob.config)
    bob.settings.write_text(f"events.joined.hook = \"sh -c 'echo met >> {met}'\"\n")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(bob))
        opened = await client.open(OpenListen(0, Persona("Bob")))
        table = await client.attach(opened.table)
        assert opened.port is not None
        for number in range(60):
            await come_and_go(opened.port, 100 + number)
        told = await told_so_far(table)
        async with hostile(opened.port, 300) as late:
            await late.say(Hello(VERSION, True, "Mal", "papa"))
            assert (await late.next(Bye)).code is ByeCode.CROWDED
        async with hostile(opened.port, friend) as cy:
            await cy.sit_down()
            await cy.until(lambda: len(cy.machine.view(0.0).people) == 2)
    lines = [str(one.text) for one in told if isinstance(one, Notice)]
    assert lines.count(TOO_MANY) == 1
    joined = sum(isinstance(one, PlayerJoined) for one in told)
    assert ARRIVALS <= joined <= ARRIVALS + 60 // EACH
    assert 1 <= len(met.read_text().splitlines()) <= RARE["joined"][0] + 2


async def come_and_go(port: int, number: int) -> None:
    """Somebody with a key of their own, who says who they are if they are let in."""
    with suppress(LinkLost):
        async with hostile(port, number) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)


async def told_so_far(table: ClientTable) -> list[Happening]:
    """What has been told at a table until a word of its player is answered there."""
    seen: list[TableView | Happened] = []
    with suppress(Declined):
        await table.command(Command("code"))
    await happening(table, CodeShown, seen)
    return [one.happening for one in seen if isinstance(one, Happened)]


async def test_no_stranger_waits_while_a_disk_is_full_and_a_friend_comes_in_after(make_home: MakeHome) -> None:
    ann, friend = make_home("ann"), 7
    remember(ann, public_bytes(key_of(friend, 1)), "Cy", "", 0)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        table, port = await hosting(stack, client)
        await table.command(Command("start"))
        shown = await view(table, lambda shown: bool(shown.legal))
        resource.prlimit(client.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        await table.command(Command("act", tuple(shown.legal[0].split())))
        await play_until(table, says("the file would get too big"))
        for number in range(20):
            async with hostile_listener(port, 100 + number) as stranger:
                await stranger.sit_down()
                with pytest.raises(LinkLost):
                    await stranger.until(lambda: False)
        cy = await stack.enter_async_context(hostile_listener(port, friend))
        await cy.sit_down()
        for _ in range(2 * PEERS):
            again = await stack.enter_async_context(hostile_listener(port, friend))
            await again.sit_down()
            with pytest.raises(LinkLost):
                await cy.until(lambda: False)
            cy = again
        resource.prlimit(client.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await cy.until(lambda: len(cy.machine.view(0.0).people) >= 2)


async def test_words_to_compare_are_shown_a_few_times_and_then_slowly(make_home: MakeHome) -> None:
    bob, nonce = make_home("bob"), bytes(NONCE)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(bob))
        opened = await client.open(OpenListen(0, Persona("Bob")))
        assert opened.port is not None
        async with hostile(opened.port) as mal:
            await mal.sit_down()
            await mal.until(lambda: len(mal.machine.view(0.0).people) == 2)
            for _ in range(100):
                await mal.say(WordsCommitment(words_commitment(mal.binding, nonce)))
                await mal.say(WordsReveal(nonce))
            assert AT_ONCE // 2 <= await mal.heard(WordsNonce) <= AT_ONCE
