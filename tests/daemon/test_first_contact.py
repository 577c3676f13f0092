"""First contact between daemon processes: codes, words, who is let in, and a table to which listeners come."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest
import trio

from p2pcards.control.client import Client, ClientTable, connect
from p2pcards.control.declined import Declined
from p2pcards.control.exits import REFUSED, USAGE
from p2pcards.control.messages import (
    Admission,
    Happened,
    Host,
    OpenConnect,
    OpenHost,
    OpenJoin,
    OpenListen,
    OpenResume,
    Persona,
    Rules,
)
from p2pcards.daemon.tables import kept_listening
from p2pcards.links import tcp
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.store.files import Home, make_folders
from p2pcards.store.identity import forget, load_or_make_identity, load_peers, remember
from p2pcards.views.happenings import (
    CodeBurnt,
    CodeShown,
    GameStarted,
    GameWon,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    Said,
    Unreachable,
    WordsToCompare,
)
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import fingerprint, public_bytes
from p2pcards.wire.messages import Bye, Hello, Message, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, happening, kill_daemon, play_until, says, view, wait_until_ended
from rigs.hostile import hostile_listener
from rigs.net import key_of

EIGHTS = Rules("crazy_eights", changes=(("winning_score", "50"),))


class Waiting:
    """A daemon that waits: how to call it, and its table."""

    def __init__(self, client: Client, table: ClientTable, port: int, code: str) -> None:
        self.client = client
        self.table = table
        self.address = f"127.0.0.1:{port}"
        self.code = code

    async def new_code(self) -> str:
        return str((await happening(self.table, CodeShown)).code)


async def wait(
    stack: AsyncExitStack,
    home: Home,
    name: str,
    rules: Rules | None = None,
    *,
    port: int = 0,
    auto: str | None = "novice",
    require_code: bool = False,
    known_only: bool = False,
) -> Waiting:
    """rules: those of a host's table, None at a listener's."""
    client = await stack.enter_async_context(connect(home))
    me, admission = Persona(name, auto=auto), Admission(require_code, known_only)
    listens = OpenListen(port, me, admission)
    opened = await client.open(listens if rules is None else OpenHost(port, rules, me, admission=admission))
    assert opened.port is not None
    return Waiting(client, await client.attach(opened.table), opened.port, opened.code)


async def come(client: Client, there: Waiting, code: str = "", name: str = "Ann", joins: bool = False) -> ClientTable:
    host, me = Host(there.address, code=code), Persona(name, auto="novice")
    opened = await client.open(OpenJoin(host, me) if joins else OpenConnect((host,), persona=me))
    return await client.attach(opened.table)


async def refused(client: Client, there: Waiting, code: str = "", joins: bool = False) -> Declined:
    with pytest.raises(Declined) as declined:
        await come(client, there, code, joins=joins)
    assert [table for table in (await client.status()).tables if table.port is None] == []
    return declined.value


def wrong(code: str) -> str:
    """Another code with the same number."""
    number, first, _ = code.split("-")
    return f"{number}-{first}-{'zebra' if not code.endswith('zebra') else 'zigzag'}"


def proofs(home: Home) -> dict[str, str]:
    return {peer.name: peer.proof for peer in load_peers(home)}


async def test_a_table_waits_at_the_one_address_that_was_given_and_it_is_kept(make_home: MakeHome) -> None:
    bob = make_home("bob")
    async with connect(bob) as client:
        opened = await client.open(OpenListen(0, bind="127.0.0.1"))
        assert opened.port is not None
        with pytest.raises(Declined, match=r"^'192\.0\.2\.1' isn't one of this machine's addresses\. Leave out --bind"):
            await client.open(OpenListen(0, bind="192.0.2.1"))
        with pytest.raises(Declined, match="Choose another: --port"):
            await client.open(OpenListen(opened.port, bind="127.0.0.2"))
        again = await client.open(OpenListen(opened.port, bind="127.0.0.1"))
        assert (again.table, again.new) == (opened.table, False)
        assert await answer_at(opened.port) == [True, False]
    kill_daemon(bob)
    assert kept_listening(bob) == [OpenListen(opened.port, bind="127.0.0.1")]


async def answer_at(port: int) -> list[bool]:
    """Whether somebody listens at 127.0.0.1, and at 127.0.0.2."""
    found = []
    for address in ("127.0.0.1", "127.0.0.2"):
        try:
            await (await trio.open_tcp_stream(address, port)).aclose()
        except OSError:
            found.append(False)
        else:
            found.append(True)
    return found


async def test_a_code_makes_two_people_known_to_each_other(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob", require_code=True)
        client = await stack.enter_async_context(connect(ann))
        table = await come(client, there, there.code)
        await play_until(table, says("Bob confirmed the code; you won't need one next time"))
        await play_until(there.table, says("Ann confirmed the code; you won't need one next time"))
        assert (proofs(ann), proofs(bob)) == ({"Bob": "code"}, {"Ann": "code"})
        await client.leave()
        await happening(there.table, PlayerLeft)
        # From now on neither needs a code: the one that was used leads to the table, and others nowhere.
        await (await come(client, there)).detach()
        await client.leave()
        await (await come(client, there, there.code)).detach()
        cys = await stack.enter_async_context(connect(make_home("cy")))
        used = await refused(cys, there, there.code)
        assert "works only once" in str(used) and used.code == REFUSED


async def test_a_wrong_code_is_burnt_announced_and_replaced(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        cys = await stack.enter_async_context(connect(cy))
        mistaken = await refused(cys, there, wrong(there.code))
        assert mistaken.code == REFUSED
        assert "a different code from the one you gave, which no longer works. Ask for the new one" in str(mistaken)
        burnt = await happening(there.table, CodeBurnt)
        assert burnt.code == there.code and 0 < burnt.seconds <= 1
        late = await refused(anns, there, there.code)
        assert "dropped that code because someone entered a wrong one. Yours may have been right" in str(late)
        code = await there.new_code()
        assert code != there.code
        table = await come(anns, there, code)
        await play_until(table, says("Bob confirmed the code"))
        await play_until(there.table, says("Ann confirmed the code"))
        assert load_peers(cy) == () and set(proofs(bob)) == {"Ann"}


async def test_who_is_not_let_in_is_told_why_and_learns_nothing_else(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(ann))
        strict = await wait(stack, bob, "Bob", require_code=True)
        assert "needs a code from new friends" in str(await refused(client, strict))
        closed = await wait(stack, bob, "Bob", known_only=True)
        assert closed.code == ""
        for code in ("", "7-crossword-clockwork"):
            unknown = await refused(client, closed, code)
            assert "lets in only people it knows, and doesn't know you" in str(unknown) and unknown.code == REFUSED
        assert load_peers(bob) == () == load_peers(ann)
        with pytest.raises(Declined, match="lets in only people you know, so it has no code"):
            await closed.table.command(Command("code"))
        # Somebody who is known comes in there, whatever code they give.
        await come(client, strict, strict.code)
        await client.leave()
        await come(client, closed, "7-crossword-clockwork")
        await client.leave()
        await come(client, closed)


async def test_a_code_that_is_none_is_refused_before_anybody_is_called(make_home: MakeHome) -> None:
    async with connect(make_home("ann")) as client:
        table = await client.attach((await client.open(OpenConnect((), persona=Persona("Ann")))).table)
        for typed, sentence in {"7-crosword-clockwork": "Did you mean 'crossword'", "7-acorn": "isn't a code"}.items():
            with pytest.raises(Declined, match=sentence) as declined:
                await table.command(Command("invite", ("127.0.0.1:1", typed)))
            assert declined.value.code == USAGE
        with pytest.raises(Declined, match="isn't open to callers, so it has no code"):
            await table.command(Command("code"))
        with pytest.raises(Declined, match="There's nobody here to compare words with"):
            await client.compare_words()


async def test_words_are_the_same_on_both_sides(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        client = await stack.enter_async_context(connect(ann))
        table = await come(client, there)
        await play_until(table, says("You're meeting Bob for the first time"))
        await play_until(there.table, says("You're meeting Ann for the first time, without a code"))
        await table.command(Command("words"))
        mine, theirs = [await happening(one, WordsToCompare) for one in (table, there.table)]
        assert mine.words == theirs.words
        assert (mine.name, theirs.name) == ("Bob", "Ann")
        ((name, words),) = await there.client.compare_words()
        again = await happening(table, WordsToCompare)
        assert (name, words) == ("Ann", again.words) and words != mine.words
        with pytest.raises(Declined, match=r"You have no connection to 'Cy'. You can compare words with Bob"):
            await table.command(Command("words", ("Cy",)))


async def test_a_stranger_who_comes_back_is_introduced_again_under_another_name_alone(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        for name, told in (("Ann", True), ("Ann", False), ("Anna", True), ("Anna", False)):
            table = await come(anns, there, name=name)
            seen = list[TableView | Happened]()
            await happening(there.table, PlayerJoined)
            await table.command(Command("say", ("hello",)))
            await happening(there.table, Said, seen)
            met = [says(f"You're meeting {name} for")(one.happening) for one in seen if isinstance(one, Happened)]
            assert any(met) is told
            await anns.leave()
            await happening(there.table, PlayerLeft)


async def test_somebody_we_know_is_not_kept_out_by_a_stranger(make_home: MakeHome) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        await come(anns, there, there.code)
        await anns.leave()
        await happening(there.table, PlayerLeft)
        eves = await stack.enter_async_context(connect(eve))
        at_eve = await come(eves, there, name="Eve")
        await play_until(there.table, says("You're meeting Eve for the first time"))
        assert set(proofs(bob)) == {"Ann"}, "a guest who came by themselves is remembered once we have played with them"
        table = await come(anns, there)
        shown = await view(there.table, lambda shown: any(one.name == "Ann" for one in shown.people))
        assert [one.link for one in shown.people] == ["here", "you"]
        await view(at_eve, lambda shown: all(one.link != "here" for one in shown.people))
        await table.command(Command("game", (EIGHTS.game,)))
        await table.command(Command("set", EIGHTS.changes[0]))
        await table.command(Command("start"))
        await happening(there.table, GameWon)


async def test_a_host_plays_with_those_who_have_joined(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, "Ann", EIGHTS, require_code=True)
        bobs = await stack.enter_async_context(connect(bob))
        at_bob = await come(bobs, there, there.code, "Bob", joins=True)
        code = await there.new_code()
        cys = await stack.enter_async_context(connect(cy))
        unasked = await refused(cys, there, joins=True)
        assert "needs a code from new friends" in str(unasked) and unasked.code == REFUSED
        at_cy = await come(cys, there, code, "Cy", joins=True)
        people = (await there.client.status()).tables[0].people
        assert [(one.name, one.link) for one in people] == [("Ann", "you"), ("Bob", "here"), ("Cy", "here")]
        await there.table.command(Command("start"))
        ends = [await happening(table, GameWon) for table in (there.table, at_bob, at_cy)]
        assert len({end.head for end in ends}) == 1
        assert proofs(ann) == {"Bob": "code", "Cy": "code"} and proofs(bob) == {"Ann": "code"}


async def test_a_hosted_game_goes_on_after_either_side_was_killed(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, "Ann", EIGHTS, auto=None)
        bobs = await stack.enter_async_context(connect(bob))
        at_bob = await come(bobs, there, there.code, "Bob", joins=True)
        await there.table.command(Command("start"))
        before = await view(there.table, lambda shown: bool(shown.legal))
        kill_daemon(ann)
        await happening(at_bob, PlayerLost)
        client = await stack.enter_async_context(connect(ann))
        opened = await client.open(OpenResume(persona=Persona("Ann")))
        assert opened.port == int(there.address.rpartition(":")[2])
        table = await client.attach()
        after = await view(table, lambda shown: bool(shown.legal))
        assert (after.records, after.legal) == (before.records, before.legal), "the one who had joined calls again"
        kill_daemon(bob)
        await happening(table, PlayerLost)
        again = await stack.enter_async_context(connect(bob))
        await happening(table, PlayerBack)
        at_bob = await again.attach()
        await view(at_bob, lambda shown: shown.phase == "play")
        await client.leave()
        with trio.fail_after(longest_wait()):
            while (await again.status()).tables:
                await trio.sleep(0.01)


async def test_a_guest_is_put_out_before_the_game(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        there = await wait(stack, ann, "Ann", Rules())
        bobs = await stack.enter_async_context(connect(bob))
        at_bob = await come(bobs, there, there.code, "Bob", joins=True)
        await there.table.command(Command("kick", ("Bob",)))
        await happening(there.table, PlayerLeft)
        await play_until(at_bob, says("The host removed you from the table. The table is closed"))


class Raw:
    """Somebody who comes without a daemon, with a key of their own, and says only what a test has them say."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    @classmethod
    async def come(cls, stack: AsyncExitStack, there: Waiting, coordinates: bool = True) -> Raw:
        port = int(there.address.rpartition(":")[2])
        stream = await tcp.connect("127.0.0.1", port, deadline=longest_wait())
        stack.callback(stream.socket.close)
        key = Ed25519PrivateKey.generate()
        channel = await open_channel(stream, initiator=True, identity=key, where="there", deadline=longest_wait())
        await channel.send(encode_message(Hello(VERSION, coordinates, "Mal", "papa")))
        return cls(channel)

    async def heard(self) -> list[Message]:
        """Everything until the link is over."""
        heard: list[Message] = []
        with trio.fail_after(longest_wait()):
            try:
                while True:
                    heard.append(decode_message(await self._channel.receive()))
            except LinkLost:
                await self._channel.aclose()
                return heard

    async def first(self) -> Message:
        with trio.fail_after(longest_wait()):
            return decode_message(await self._channel.receive())


async def test_a_stranger_who_is_refused_hears_one_word_and_no_name(make_home: MakeHome) -> None:
    async with AsyncExitStack() as stack:
        strict = await wait(stack, make_home("bob"), "Bob", require_code=True)
        closed = await wait(stack, make_home("bob"), "Bob", known_only=True)
        assert await (await Raw.come(stack, strict)).heard() == [Bye(ByeCode.NEEDS_CODE)]
        assert await (await Raw.come(stack, closed)).heard() == [Bye(ByeCode.KNOWN_ONLY)]


async def test_a_crowd_of_strangers_keeps_nobody_out_whom_we_know(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        listener = await wait(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        await come(anns, listener, listener.code)
        await anns.leave()
        await happening(listener.table, PlayerLeft)
        crowd = [await Raw.come(stack, listener) for _ in range(12)]
        await crowd[0].first()
        await come(anns, listener)
        assert Bye(ByeCode.TAKEN) in await crowd[0].heard()
        await anns.leave()
        # At a host's table they take every chair.
        host = await wait(stack, bob, "Bob", Rules())
        guests = [await Raw.come(stack, host, coordinates=False) for _ in range(3)]
        await view(host.table, lambda shown: len(shown.people) == 4)
        await (await come(anns, host, joins=True)).detach()
        shown = await view(host.table, lambda shown: any(one.name == "Ann" for one in shown.people))
        assert [one.name for one in shown.people] == ["Bob", "Mal", "Mal 2", "Ann"]
        assert Bye(ByeCode.FULL) in await guests[2].heard()
        assert set(proofs(bob)) == {"Ann"}


async def test_a_stranger_who_gives_way_is_not_said_to_have_left_for_good(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        host = await wait(stack, bob, "Bob", Rules())
        anns = await stack.enter_async_context(connect(ann))
        await come(anns, host, host.code, joins=True)
        await happening(host.table, PlayerJoined)
        await anns.leave()
        assert (await happening(host.table, PlayerLeft)).name == "Ann", "who leaves is"
        for _ in range(3):
            await (await Raw.come(stack, host, coordinates=False)).first()
            await happening(host.table, PlayerJoined)
        await come(anns, host, joins=True)
        seen: list[TableView | Happened] = []
        assert (await happening(host.table, PlayerJoined, seen)).name == "Ann"
        told = [one.happening for one in seen if isinstance(one, Happened)]
        assert not any(isinstance(one, PlayerLeft) for one in told)
        assert [one.why for one in told if isinstance(one, PlayerLost)] == ["had to make room for a friend"]


async def test_a_stranger_gives_way_where_the_place_of_a_friend_is_kept(make_home: MakeHome) -> None:
    bob = make_home("bob")
    keys = {number: public_bytes(key_of(number, 1)) for number in (7, 8)}
    for number, key in keys.items():
        remember(bob, key, f"friend {number}", "", 0)
    async with AsyncExitStack() as stack:
        host = await wait(stack, bob, "Bob", Rules())
        port = int(host.address.rpartition(":")[2])
        async with hostile_listener(port, 7) as ann:
            await ann.sit_down()
            await happening(host.table, PlayerJoined)
        await happening(host.table, PlayerLost)
        for _ in range(2):
            await (await Raw.come(stack, host, coordinates=False)).first()
            await happening(host.table, PlayerJoined)
        cy = await stack.enter_async_context(hostile_listener(port, 8))
        await cy.sit_down()
        await cy.until(lambda: len(cy.machine.view(0.0).people) == 4)
        people = {one.key: one.link for one in (await view(host.table, _has(keys[8]))).people}
        assert people[fingerprint(keys[7])] == "away" and [*people.values()].count("here") == 2


def _has(key: bytes) -> Callable[[TableView], bool]:
    return lambda shown: fingerprint(key) in [one.key for one in shown.people]


async def test_a_stranger_who_looks_on_gives_way_to_somebody_we_know(make_home: MakeHome) -> None:
    ann, bob, cy = make_home("ann"), make_home("bob"), make_home("cy")
    async with AsyncExitStack() as stack:
        host = await wait(stack, bob, "Bob", EIGHTS, auto=None)
        anns, cys = [await stack.enter_async_context(connect(home)) for home in (ann, cy)]
        await come(anns, host, host.code, joins=True)
        await happening(host.table, PlayerJoined)
        await anns.leave()
        await happening(host.table, PlayerLeft)
        await come(cys, host, name="Cy", joins=True)
        await happening(host.table, PlayerJoined)
        await host.table.command(Command("start"))
        await happening(host.table, GameStarted)
        onlookers = [await Raw.come(stack, host, coordinates=False) for _ in range(2)]
        for _ in onlookers:
            assert (await happening(host.table, PlayerJoined)).looks_on
        await (await come(anns, host, joins=True)).detach()
        assert (await happening(host.table, PlayerJoined)).name == "Ann"
        assert Bye(ByeCode.FULL) in await onlookers[1].heard()
        shown = await view(host.table, lambda shown: any(one.name == "Ann" for one in shown.people))
        assert [one.name for one in shown.people] == ["Bob", "Cy", "Mal", "Ann"]
        assert [one.looks_on for one in shown.people] == [False, False, True, True]


@pytest.mark.parametrize("pretended", ["A!nn", "Ann-2", "Ann trusted", "ΑΝΝ", "A\u0323nn"])
async def test_a_name_that_could_be_taken_for_a_known_one_is_told_apart_by_its_key(
    make_home: MakeHome, pretended: str
) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    make_folders(ann)
    make_folders(bob)
    remember(bob, public_bytes(load_or_make_identity(ann)), "Ann", "", 1)
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        eves = await stack.enter_async_context(connect(eve))
        await come(eves, there, name=pretended)
        await play_until(there.table, says("isn't the Ann you know"))
        shown = await view(there.table, lambda shown: len(shown.people) == 2)
        assert shown.people[0].name.endswith(f" [{shown.people[0].key[:9]}]")


async def test_a_known_name_with_another_key_is_not_taken_for_it(make_home: MakeHome) -> None:
    ann, bob, eve = make_home("ann"), make_home("bob"), make_home("eve")
    async with AsyncExitStack() as stack:
        there = await wait(stack, bob, "Bob")
        anns = await stack.enter_async_context(connect(ann))
        await come(anns, there, there.code)
        await anns.leave()
        await happening(there.table, PlayerLeft)
        eves = await stack.enter_async_context(connect(eve))
        await come(eves, there, name="Аnn")  # with a letter of another alphabet
        key = next(peer.key for peer in load_peers(bob) if peer.name == "Ann")
        await play_until(there.table, says(f"isn't the Ann you know, whose key is {fingerprint(key)}."))
        shown = await view(there.table, lambda shown: len(shown.people) == 2)
        assert f"Аnn [{shown.people[0].key[:9]}]" in (one.name for one in shown.people)
        # And where we call, by a name or an address, another key is refused.
        port = int(there.address.rpartition(":")[2])
        await there.client.stop()
        wait_until_ended(bob)
        await wait(stack, eve, "Bob", port=port)
        changed = await refused(anns, there)
        assert "Bob's key is" in str(changed) and changed.code == REFUSED
        table = await anns.attach((await anns.open(OpenConnect((), persona=Persona("Ann")))).table)
        await table.command(Command("invite", ("bob",)))
        assert "'s key is" in str((await happening(table, Unreachable)).why)
        forget(ann, "Bob")
        await table.command(Command("invite", (there.address,)))
        await happening(table, PlayerJoined)
