"""Tables at which people come over a WebSocket, between daemon processes: whole games, cut lines, codes and links, and
what a page of any site may do there."""

from __future__ import annotations

import shlex
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import NETWORK, REFUSED
from p2pcards.control.messages import Host, OpenConnect, OpenHost, OpenJoin, OpenListen, OpenResume, Persona, Rules
from p2pcards.daemon.tables import kept_listening
from p2pcards.links import tcp
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.links.pairing import CodeRefused, prove_code
from p2pcards.store.files import Home
from p2pcards.views.happenings import (
    CodeBurnt,
    CodeShown,
    GameWon,
    PlayerBack,
    PlayerJoined,
    PlayerLost,
)
from p2pcards.views.tableview import Command
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Hello, Message, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from p2pcards.wire.spoken import read_code
from rigs.frail import Even, FrailLine
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, play_until, view
from rigs.short_games import proven, short
from rigs.websockets import as_page, upgrade

RELAY = f"{shlex.quote(sys.executable)} -I {shlex.quote(str(Path(__file__).parents[1] / 'rigs/relay.py'))}"
SHORT = Rules("crazy_eights", changes=short("crazy_eights"))


class Waiting:
    """A table with a page: its port, its link, and our client there."""

    def __init__(self, client: Client, table: ClientTable, port: int, link: str) -> None:
        self.client = client
        self.table = table
        self.port = port
        self.link = link

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}"


async def wait(stack: AsyncExitStack, home: Home, rules: Rules | None = SHORT, auto: str | None = "novice") -> Waiting:
    """rules: those of a host's table, None at a listener's."""
    client = await stack.enter_async_context(connect(home))
    me = Persona("Ann", "wayne", auto=auto)
    listens = OpenListen(0, me, bind="127.0.0.1", web=True)
    opened = await client.open(listens if rules is None else OpenHost(0, rules, me, bind="127.0.0.1", web=True))
    assert opened.port is not None
    assert opened.link == f"http://127.0.0.1:{opened.port}/#{opened.code}"
    return Waiting(client, await client.attach(opened.table), opened.port, opened.link)


async def come(stack: AsyncExitStack, home: Home, there: str, code: str = "") -> ClientTable:
    client = await stack.enter_async_context(connect(home))
    await client.open(OpenJoin(Host(there, code=code), Persona("Bob", "betty", auto="novice")))
    return await client.attach()


async def refused(home: Home, there: str, code: str = "") -> Declined:
    async with connect(home) as client:
        with pytest.raises(Declined) as declined:
            await client.open(OpenJoin(Host(there, code=code), Persona("Cy", auto="novice")))
        assert (await client.status()).tables == ()
    return declined.value


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hosts", [True, False], ids=["host and join", "listen and connect"])
async def test_a_whole_game_by_a_link_ends_with_equal_heads(make_home: MakeHome, hosts: bool) -> None:
    """Whoever coordinates is called or calls, as over TCP; the link is taken in place of an address, with its code."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, SHORT if hosts else None)
        if hosts:
            at_bob = await come(stack, bob, there.link)
            coordinates = there.table
        else:
            client = await stack.enter_async_context(connect(bob))
            await client.open(OpenConnect((Host(there.link),), SHORT, Persona("Bob", "betty", auto="novice")))
            coordinates = at_bob = await client.attach()
        (one,) = [one for one in (await there.client.status()).tables[0].people if one.link == "here"]
        assert one.where.startswith("web 127.0.0.1:")
        await coordinates.command(Command("start"))
        heads = {str((await happening(table, GameWon)).head) for table in (there.table, at_bob)}
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob)}
    assert len(heads) == 1


async def test_one_of_three_comes_over_a_websocket_and_one_over_tcp_to_the_same_port(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann)
        at_bob = await come(stack, bob, there.link)
        code = (await happening(there.table, CodeShown)).code
        client = await stack.enter_async_context(connect(cy))
        await client.open(OpenJoin(Host(f"127.0.0.1:{there.port}", code=code), Persona("Cy", "lizzy", auto="novice")))
        at_cy = await client.attach()
        await there.table.command(Command("start"))
        heads = {str((await happening(table, GameWon)).head) for table in (there.table, at_bob, at_cy)}
    assert heads == {proven(home).heads[-1].hex() for home in (ann, bob, cy)}
    assert len(heads) == 1


async def test_a_line_that_is_cut_again_and_again_loses_nothing(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        there = await wait(stack, ann, Rules("crazy_eights", changes=(("winning_score", "100"),)), auto=None)
        line = FrailLine(there.port, Even())
        await nursery.start(line.run)
        at_bob = await come(stack, bob, f"ws://127.0.0.1:{line.port}", there.link.partition("#")[2])
        await there.table.command(Command("start"))
        line.breaking = True
        for _ in range(2):
            await play_until(there.table, lambda happened: isinstance(happened, PlayerBack))
        line.breaking = False
        await play_until(there.table, lambda happened: isinstance(happened, GameWon))
        await happening(at_bob, GameWon)
        assert line.cuts >= 2
    assert {proven(ann).heads[-1]} == {proven(bob).heads[-1]}


async def test_a_host_that_was_killed_waits_for_browsers_again_and_the_game_goes_on(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, auto=None)
        at_bob = await come(stack, bob, there.link)
        await there.table.command(Command("start"))
        before = await view(there.table, lambda shown: bool(shown.legal))
        kill_daemon(ann)
        await happening(at_bob, PlayerLost)
        client = await stack.enter_async_context(connect(ann))
        opened = await client.open(OpenResume(persona=Persona("Ann")))
        assert (opened.port, opened.link.partition("#")[0]) == (there.port, there.link.partition("#")[0])
        table = await client.attach()
        after = await view(table, lambda shown: bool(shown.legal))
        assert (after.records, after.legal) == (before.records, before.legal), "the one who had joined calls again"
        (status,) = (await client.status()).tables
        assert status.link == opened.link or status.link.partition("#")[0] == opened.link.partition("#")[0]


async def test_a_listener_that_was_killed_waits_for_browsers_again(make_home: MakeHome) -> None:
    ann = make_home("ann")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, None)
        with pytest.raises(Declined, match="Choose another: --port"):
            await there.client.open(OpenHost(there.port, web=True, bind="127.0.0.1"))
        again = await there.client.open(OpenListen(there.port, bind="127.0.0.1", web=True))
        assert (again.new, again.link) == (False, there.link)
        kill_daemon(ann)
        (kept,) = kept_listening(ann)
        assert isinstance(kept, OpenListen) and (kept.port, kept.web) == (there.port, True)


async def test_a_table_that_waits_for_terminals_alone_is_not_taken_for_one_with_a_page(make_home: MakeHome) -> None:
    async with connect(make_home("ann")) as client:
        opened = await client.open(OpenHost(0, bind="127.0.0.1"))
        with pytest.raises(Declined, match=r"for terminals only\. Leave it first \(p2pcards leave t1\)"):
            await client.open(OpenHost(opened.port, bind="127.0.0.1", web=True))
        with pytest.raises(Declined, match="There's no card table at ws://127"):
            async with connect(make_home("bob")) as other:
                await other.open(OpenJoin(Host(f"ws://127.0.0.1:{opened.port}")))


async def test_a_command_carries_the_call_to_a_websocket_too(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        there = await wait(stack, make_home("ann"))
        client = await stack.enter_async_context(connect(make_home("bob")))
        link = there.link.replace("127.0.0.1", "ann.example")  # a name that the command alone knows
        via = f"{RELAY} 127.0.0.1 %p"
        await client.open(OpenJoin(Host(link), Persona("Bob", auto="novice"), via=via))
        assert (await happening(there.table, PlayerJoined)).name == "Bob"


# --- codes and links --------------------------------------------------------------------------------------------------


async def test_each_way_in_which_a_link_does_not_lead_to_the_table_is_a_sentence(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann)
        where, _, code = there.link.partition("#")
        wrong = f"{code.rpartition('-')[0]}-{'zebra' if not code.endswith('zebra') else 'zigzag'}"
        mistaken = await refused(cy, f"{where}#{wrong}")
        assert "a different code from the one you gave, which no longer works. Ask for the new one" in str(mistaken)
        assert mistaken.code == REFUSED
        assert (await happening(there.table, CodeBurnt)).where.startswith("web 127.0.0.1:")
        late = await refused(cy, there.link)
        assert "dropped that code because someone entered a wrong one" in str(late)
        shown = await happening(there.table, CodeShown)
        assert shown.link == f"{where}#{shown.code}"
        assert (await view(there.table, lambda seen: bool(seen.code))).link == shown.link
        await come(stack, bob, shown.link)
        await happening(there.table, PlayerJoined)
        old = await refused(cy, shown.link)
        assert "works only once" in str(old) and old.code == REFUSED
        for elsewhere in (f"{where}#7-crosword-clockwork", f"{where}#7"):
            assert "isn't a code" in str(await refused(cy, elsewhere)) or "Did you mean" in str(
                await refused(cy, elsewhere)
            )
        await there.client.stop()
        gone = await refused(cy, there.link)
        assert "Nobody is listening at" in str(gone) and gone.code == NETWORK


# --- what a page may do -----------------------------------------------------------------------------------------------


async def call(stack: AsyncExitStack, there: Waiting, origin: str | None, key: Ed25519PrivateKey) -> Channel:
    """A channel as a page opens it."""
    stream = await as_page(there.port, origin)
    stack.push_async_callback(trio.aclose_forcefully, stream)
    return await open_channel(stream, initiator=True, identity=key, where="there", deadline=longest_wait())


async def answer(channel: Channel) -> Message:
    """To HELLO."""
    await channel.send(encode_message(Hello(VERSION, False, "Mal", "papa")))
    with trio.fail_after(longest_wait()):
        return decode_message(await channel.receive())


async def test_a_page_of_any_site_sits_nobody_down_without_the_code(make_home: MakeHome) -> None:
    """A stranger in a terminal comes in without it, as the table says; one in a page could be any visitor of any site,
    in a network that its maker cannot reach."""
    async with AsyncExitStack() as stack:
        there = await wait(stack, make_home("ann"))
        mal = Ed25519PrivateKey.generate()
        for origin in ("https://evil.example", f"http://127.0.0.1:{there.port}", "null", "http://cards.example"):
            channel = await call(stack, there, origin, mal)
            assert await answer(channel) == Bye(ByeCode.NEEDS_CODE)
            with pytest.raises(LinkLost), trio.fail_after(longest_wait()):
                await channel.receive()
            await channel.aclose()
        assert len((await there.client.status()).tables[0].people) == 1
        assert isinstance(await answer(await call(stack, there, None, mal)), Hello)


async def test_with_the_code_a_page_of_any_site_comes_in_and_from_then_on_by_its_key(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        there = await wait(stack, make_home("ann"))
        friend = Ed25519PrivateKey.generate()
        channel = await call(stack, there, "https://cards.example", friend)
        with trio.fail_after(longest_wait()):
            await prove_code(channel, read_code(there.link.partition("#")[2]), public_bytes(friend))
            assert isinstance(await answer(channel), Hello)
            await happening(there.table, PlayerJoined)
            await channel.aclose()
            await happening(there.table, PlayerLost)
            assert isinstance(await answer(await call(stack, there, "https://elsewhere.example", friend)), Hello)


async def test_a_page_that_guesses_codes_burns_them_as_anybody_and_learns_nothing(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        there = await wait(stack, make_home("ann"))
        mal = Ed25519PrivateKey.generate()
        number = there.link.partition("#")[2].partition("-")[0]
        channel = await call(stack, there, "https://evil.example", mal)
        with pytest.raises(CodeRefused, match="no longer works"), trio.fail_after(longest_wait()):
            await prove_code(channel, read_code(f"{number}-acorn-zebra"), public_bytes(mal))
        assert (await happening(there.table, CodeBurnt)).where.startswith("web 127.0.0.1:")


# --- what a client may send -------------------------------------------------------------------------------------------


async def test_300_connections_and_8_mb_of_garbage_hold_up_no_game(make_home: MakeHome) -> None:
    """It is played to its end meanwhile, and nobody who plays is cut off."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, auto=None)
        at_bob = await come(stack, bob, there.link)
        await there.table.command(Command("start"))
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        for number in range(300):
            stalled = await tcp.connect("127.0.0.1", there.port, deadline=longest_wait())
            stack.callback(stalled.socket.close)
            await stalled.send_all(upgrade("https://evil.example")[: 40 * (number % 8)])
        for start in (upgrade(), b"GET / HTTP/1.1\r\nX: ", b"\0 ", b"x"):
            nursery.start_soon(flood, there.port, start)
        await play_until(there.table, lambda happened: isinstance(happened, GameWon))
        await happening(at_bob, GameWon)
        assert (await there.client.status()).tables[0].people[1].link == "here"


async def flood(port: int, start: bytes) -> None:
    """2 MB of what nobody understands."""
    try:
        async with await tcp.connect("127.0.0.1", port, deadline=longest_wait()) as stream:
            await stream.send_all(start)
            for number in range(128):
                await stream.send_all(Random(number).randbytes(16384))
    except trio.BrokenResourceError:
        return
