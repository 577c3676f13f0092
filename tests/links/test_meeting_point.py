"""Two programs that meet at brokers: by code, by link and as friends, whatever strangers and brokers do meanwhile."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from itertools import count
from random import Random

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock, check_half_closeable_stream

from p2pcards.links import meeting
from p2pcards.links.channel import Channel, ChannelRefused, WrongKey
from p2pcards.links.link import LinkLost
from p2pcards.links.meeting import (
    AT_ONCE,
    HALF_OPEN_STREAMS,
    STREAMS,
    MeetingPlace,
    MeetingPoint,
    Waiting,
    call_at,
    place_of_code,
    place_of_friend,
    place_of_link,
    places_for_friend,
)
from p2pcards.links.pairing import CodeRefused
from p2pcards.links.paths import DirectPaths
from p2pcards.links.relayed import (
    ANSWER,
    CAPACITY,
    FRAME,
    OPENING,
    PAYLOAD,
    SILENCE,
    Greeting,
    Publication,
    RelayedMachine,
    StreamKeys,
    answer_opening,
    make_opening,
    read_greeting,
)
from p2pcards.links.relayed_stream import RelayedStream
from p2pcards.links.tcp import CannotConnect
from p2pcards.wire.crypto import Ed25519PrivateKey, X25519PrivateKey
from p2pcards.wire.keys import RefusedKey, pair_secret, public_bytes
from rigs.conformance import ANNA, BEN
from rigs.memory_brokers import BrokerEnd, MemoryBroker, stream_pair
from rigs.met import CODE, LINK, MALLORY, PLACE, WRONG, Host, at, at_ends, chance_bytes, come, come_by_code, talks


@pytest.fixture
def broker() -> MemoryBroker:
    return MemoryBroker("mqtt://one")


# --- who meets --------------------------------------------------------------------------------------------------------


async def test_with_the_right_code_both_are_certain_of_each_other(broker: MemoryBroker) -> None:
    host = Host()
    async with host.waiting(broker), at(broker) as point:
        channel = await call_at(point, PLACE, come_by_code)
        await talks(channel)
        assert channel.peer == public_bytes(BEN) and host.came == [public_bytes(ANNA)] and host.proven == [True]
        assert re.fullmatch(r"through one, round trip \d+ ms", channel.way)
        await channel.aclose()


async def test_through_three_poor_brokers_everything_arrives(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        brokers = [
            MemoryBroker(f"mqtt://{seed}", lost=0.2, twice=0.3, delay=(0.0, 0.5), chance=Random(seed), nursery=nursery)
            for seed in range(3)
        ]
        host = Host()
        async with host.waiting(*brokers), at(*brokers) as point:
            channel = await call_at(point, PLACE, come_by_code)
            await talks(channel, 20)
            assert host.proven == [True]
            await channel.aclose()
        nursery.cancel_scope.cancel()


async def test_where_brokers_must_carry_no_game_a_call_that_stays_there_fails(
    autojump_clock: MockClock, broker: MemoryBroker
) -> None:
    def tcp_alone(find: Callable[[bytes], list[RelayedStream]]) -> DirectPaths:
        return DirectPaths(find, ways=("tcp",), admits=lambda _: False)

    host = Host()
    async with host.waiting(broker), at(broker, paths=tcp_alone) as point:
        with pytest.raises(CannotConnect, match=r"^No direct connection opened"):
            await call_at(point, PLACE, come_by_code)
        assert host.proven == [True]


async def test_with_another_code_neither_is_and_it_is_burnt(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    host = Host()
    async with host.waiting(broker), at(broker) as point:
        before = trio.current_time()
        with pytest.raises(CodeRefused, match="a different code from the one you gave"):
            await call_at(point, PLACE, partial(come_by_code, code=WRONG))
        assert host.proven == [False] and meeting.OTHERS <= trio.current_time() - before < 2 * meeting.OTHERS


async def test_with_the_same_link_they_meet_and_with_another_nobody_answers(
    autojump_clock: MockClock, broker: MemoryBroker
) -> None:
    host = Host()
    async with host.waiting(broker, places=(LINK,)), at(broker) as point:
        await talks(await call_at(point, LINK, come))
        with pytest.raises(CannotConnect, match="Nobody answered"):
            await call_at(point, place_of_link(b"another token..."), come)
        with pytest.raises(CannotConnect, match="Nobody answered"):
            await call_at(point, MeetingPlace(LINK.name, bytes(32), "link"), come)
    assert sum(payload[0] == ANSWER for _, payload in broker.published) == 1


async def test_friends_find_each_other_without_a_code_though_a_clock_is_a_day_off(broker: MemoryBroker) -> None:
    annas, bens = pair_secret(ANNA, public_bytes(BEN)), pair_secret(BEN, public_bytes(ANNA))
    assert annas == bens
    host, now = Host(), 20_000.5 * meeting.DAY
    places = places_for_friend(bens, public_bytes(BEN), now)
    async with host.waiting(broker, places=places), at(broker) as point:
        for day in (19_999, 20_000, 20_001):
            place = place_of_friend(annas, public_bytes(BEN), day)
            await talks(await call_at(point, place, partial(come, pin=public_bytes(BEN))))
    assert len(host.came) == 3


def test_the_name_of_friends_is_another_each_day_and_in_each_direction() -> None:
    secret = pair_secret(ANNA, public_bytes(BEN))
    keys = [public_bytes(ANNA), public_bytes(BEN)]
    places = [place_of_friend(secret, key, day) for key in keys for day in range(100)]
    assert len({place.name for place in places}) == 200 and {place.key for place in places} == {places[0].key}
    assert places[0].key != secret and pair_secret(MALLORY, keys[0]) != secret


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_any_two_identities_have_one_secret(one: bytes, other: bytes) -> None:
    a, b = (Ed25519PrivateKey.from_private_bytes(seed) for seed in (one, other))
    assert pair_secret(a, public_bytes(b)) == pair_secret(b, public_bytes(a))


@pytest.mark.parametrize("key", [bytes(32), b"\1" + bytes(31), b"\xff" * 32, b"short"])
def test_no_secret_is_shared_with_what_is_no_key(key: bytes) -> None:
    with pytest.raises(RefusedKey):
        pair_secret(ANNA, key)


def test_the_words_of_a_code_are_nowhere_in_its_place() -> None:
    """So they are in no topic and in no seal: all that is derived begins here."""
    assert place_of_code(CODE.number) == place_of_code(WRONG.number) == MeetingPlace("48213", b"", "code")


@pytest.mark.parametrize("number", [0, 7, 99, 100, 9_999, 100_000])
def test_a_code_that_goes_with_an_address_has_no_place(number: int) -> None:
    with pytest.raises(ValueError, match="goes with an address"):
        place_of_code(number)


# --- strangers --------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def troll_with_a_code(broker: MemoryBroker) -> AsyncIterator[Host]:
    troll = Host(code=WRONG, identity=MALLORY)
    async with troll.waiting(broker):
        yield troll


@asynccontextmanager
async def troll_that_says_nothing(broker: MemoryBroker) -> AsyncIterator[Host]:
    """Answers, and never goes on."""
    async with at(broker) as point:

        def on_greeting(opening: Greeting) -> None:
            own = X25519PrivateKey.from_private_bytes(chance_bytes(32))
            if not point.streams_of(PLACE.guest_topic, opening.connection):
                answered = answer_opening(opening, own, b"")
                assert answered
                answer, keys = answered
                point.open_stream(PLACE, opening.connection, keys, calls=False, answer=bytes(answer))

        await point.listen(PLACE.guest_topic, on_greeting)
        yield Host()


@asynccontextmanager
async def troll_that_answers_with_noise(broker: MemoryBroker) -> AsyncIterator[Host]:
    """Ten shares of which it knows no private key."""
    end = broker.connect()
    await end.subscribe(PLACE.guest_topic)

    async def answer() -> None:
        while True:
            _, payload = await end.receive()
            if payload[0] == OPENING:
                for _ in range(10):
                    noise = bytes([ANSWER]) + payload[1:17] + chance_bytes(48)
                    await end.publish(PLACE.host_topic, noise)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        yield Host()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("troll", [troll_with_a_code, troll_that_says_nothing, troll_that_answers_with_noise])
async def test_whoever_answers_first_does_not_keep_the_right_one_out(
    broker: MemoryBroker, troll: Callable[[MemoryBroker], AbstractAsyncContextManager[Host]]
) -> None:
    host = Host()
    async with troll(broker) as first, host.waiting(broker), at(broker) as point:
        channel = await call_at(point, PLACE, come_by_code)
        await talks(channel)
        assert channel.peer == public_bytes(BEN) and host.proven == [True] and first.proven in ([], [False])
        assert sum(payload[0] == ANSWER for _, payload in broker.published) > 1


async def test_three_are_tried_and_no_more(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    """Somebody who has the number can keep two apart, and learns no more than three guesses are worth."""
    tried: list[RelayedStream] = []

    async def refuse(stream: RelayedStream) -> None:
        tried.append(stream)
        raise ChannelRefused("a stranger")

    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(_wait_for_ever, Host(identity=MALLORY), broker)
        await trio.testing.wait_all_tasks_blocked()
        async with at(broker) as point:
            with pytest.raises(ChannelRefused, match="a stranger"):
                await call_at(point, PLACE, refuse)
        nursery.cancel_scope.cancel()
    assert len(tried) == 3 and all(stream.is_closed for stream in tried)


async def test_a_caller_who_expects_a_key_shows_theirs_to_no_other(
    autojump_clock: MockClock, broker: MemoryBroker
) -> None:
    stranger = Host(identity=MALLORY)
    async with stranger.waiting(broker), at(broker) as point:
        with pytest.raises(WrongKey):
            await call_at(point, PLACE, partial(come, pin=public_bytes(BEN)))
    assert stranger.came == []


async def _wait_for_ever(host: Host, broker: MemoryBroker) -> None:
    async with host.waiting(broker):
        await trio.sleep_forever()


async def test_what_passed_comes_again_and_again_and_does_nothing(broker: MemoryBroker) -> None:
    host, end, seen = Host(), broker.connect(), set[bytes]()
    await end.subscribe("#")

    async def replay() -> None:
        while True:
            topic, payload = await end.receive()
            if payload not in seen:
                seen.add(payload)
                for other in (topic, PLACE.host_topic, PLACE.guest_topic):
                    await end.publish(other, payload)
                    await end.publish(other, payload)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(replay)
        async with host.waiting(broker), at(broker) as point:
            channel = await call_at(point, PLACE, come_by_code)
            await talks(channel, 10)
            await channel.aclose()
            assert host.proven == [True] and len(host.came) == 1
        nursery.cancel_scope.cancel()
    assert len(seen) > 10


async def open_and_stall(point: MeetingPoint, place: MeetingPlace) -> None:
    """As somebody who does not have the meeting key, if there is one."""
    share = X25519PrivateKey.from_private_bytes(chance_bytes(32)).public_key().public_bytes_raw()
    await point.publish(place.guest_topic, Publication(bytes(make_opening(chance_bytes(16), share, b"")), None))


async def test_a_flood_of_openings_costs_a_bounded_amount_and_keeps_no_friend_out(broker: MemoryBroker) -> None:
    host, friend = Host(), place_of_friend(pair_secret(ANNA, public_bytes(BEN)), public_bytes(BEN), 20_000)
    async with host.waiting(broker, places=(PLACE, friend)), at(broker) as point:
        for number in range(300):
            for place in (PLACE, friend):
                await open_and_stall(point, place)
            if number == 150:
                await talks(await call_at(point, friend, come))
        await trio.testing.wait_all_tasks_blocked()
    answers = [topic for topic, payload in broker.published if payload[0] == ANSWER]
    assert answers.count(friend.host_topic) == 1 and answers.count(PLACE.host_topic) <= AT_ONCE + 1


async def test_of_many_who_stall_one_gives_way_to_whoever_comes(
    broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "AT_ONCE", 1000)
    host = Host()
    async with at(broker) as bens, host.waiting_at(bens), at(broker) as point:
        for _ in range(3 * STREAMS):
            await open_and_stall(point, PLACE)
            await trio.testing.wait_all_tasks_blocked()
            assert bens.stream_count <= HALF_OPEN_STREAMS
        await talks(await call_at(point, PLACE, come_by_code))


async def test_whoever_calls_a_friend_is_crowded_out_by_nobody_at_another_place(
    autojump_clock: MockClock, broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "AT_ONCE", 1000)
    enough = trio.Event()

    async def admit(_: Channel) -> bool:
        await enough.wait()
        return True

    async with at(broker) as bens, at(broker) as point, trio.open_nursery() as nursery:
        waiting = Waiting(bens, identity=BEN, on_channel=Host().on_channel, admit=admit, chance=Random(1))
        await nursery.start(waiting.run)
        await waiting.wait_at([PLACE, LINK])
        channel = await call_at(point, LINK, come)
        for _ in range(5 * HALF_OPEN_STREAMS):
            await open_and_stall(point, PLACE)
            await trio.testing.wait_all_tasks_blocked()
        enough.set()
        await talks(channel)
        nursery.cancel_scope.cancel()


async def test_sixteen_streams_are_open_and_those_that_linger_give_way(
    autojump_clock: MockClock, broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "AT_ONCE", 1000)
    enough = trio.Event()

    async def on_channel(channel: Channel) -> None:
        await enough.wait()
        await channel.aclose()

    async with at(broker) as bens, at(broker) as point, trio.open_nursery() as nursery:
        waiting = Waiting(bens, identity=BEN, on_channel=on_channel, chance=Random(1))
        await nursery.start(waiting.run)
        await waiting.wait_at([PLACE])
        for _ in range(STREAMS):
            await call_at(point, PLACE, come)
            await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(CannotConnect):
            await call_at(point, PLACE, come)
        enough.set()  # and no caller closes
        await trio.sleep(3)
        assert bens.stream_count == STREAMS
        await call_at(point, PLACE, come)
        await trio.testing.wait_all_tasks_blocked()
        assert bens.stream_count == STREAMS
        nursery.cancel_scope.cancel()


async def test_of_answers_that_anybody_can_make_a_few_are_looked_at(
    autojump_clock: MockClock, broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = count()

    def keys_of_answer(*_: object) -> None:
        next(looked)

    monkeypatch.setattr(meeting, "keys_of_answer", keys_of_answer)
    async with at(broker) as stranger, at(broker) as point:

        def on_greeting(opening: Greeting) -> None:
            for _ in range(100):
                noise = bytes([ANSWER]) + opening.connection + chance_bytes(48)
                broker.pass_on(PLACE.host_topic, noise)

        await stranger.listen(PLACE.guest_topic, on_greeting)
        with pytest.raises(CannotConnect):
            await call_at(point, PLACE, come)
    assert next(looked) == meeting.SHARES


async def test_an_answer_that_was_lost_is_given_again(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    class LosesFirst(BrokerEnd):
        async def publish(self, topic: str, payload: bytes) -> None:
            if any(one[0] == ANSWER for _, one in broker.published) or payload[0] != ANSWER:
                await super().publish(topic, payload)
            broker.published.append((topic, payload))

    host = Host()
    broker.ends.append(LosesFirst(broker))
    async with at_ends(broker.ends[:1]) as bens, host.waiting_at(bens), at(broker) as point:
        await talks(await call_at(point, PLACE, come_by_code))
    assert host.proven == [True]


@pytest.mark.parametrize("size", [PAYLOAD + 1, 65536, 0, 1, 16, 65])
async def test_whatever_is_published_is_passed_over(broker: MemoryBroker, size: int) -> None:
    host, end = Host(), broker.connect()
    async with host.waiting(broker), at(broker) as point:
        channel = await call_at(point, PLACE, come_by_code)
        for topic in (PLACE.guest_topic, PLACE.host_topic):
            for kind in (0, OPENING, ANSWER, FRAME):
                await end.publish(topic, bytes([kind]) + chance_bytes(size))
                await end.publish(topic, (bytes([kind]) + chance_bytes(size))[:size])
        await talks(channel)
        assert len(host.came) == 1


def test_a_frame_that_is_too_long_is_not_even_opened() -> None:
    """However many there are, each costs a comparison."""
    machine = RelayedMachine(bytes(16), StreamKeys(bytes(32), bytes(32)), calls=True, now=0.0)
    frame = bytes([FRAME]) + bytes(16) + b"\0\0\0\1" + bytes(PAYLOAD)
    assert not machine.receive(frame, 0, 0.0) and read_greeting(frame) is None


# --- brokers ----------------------------------------------------------------------------------------------------------


async def test_a_broker_that_dies_in_the_middle_of_it_costs_a_moment(autojump_clock: MockClock) -> None:
    brokers = [MemoryBroker("mqtt://one"), MemoryBroker("mqtt://two"), MemoryBroker("mqtt://three")]
    host = Host()
    async with host.waiting(*brokers), at(*brokers) as point:
        channel = await call_at(point, PLACE, come_by_code)
        for broker in brokers[:2]:
            await talks(channel)
            broker.die()
            before = trio.current_time()
            await talks(channel)
            assert trio.current_time() - before < 5
        await channel.aclose()


async def test_when_all_brokers_are_gone_for_a_minute_the_stream_says_so(
    autojump_clock: MockClock, broker: MemoryBroker
) -> None:
    async with Host().waiting(broker), at(broker) as point:
        channel = await call_at(point, PLACE, come_by_code)
        broker.die()
        before = trio.current_time()
        with pytest.raises(LinkLost, match="Nothing came through the meeting point for 60 s"):
            await channel.receive()
        assert SILENCE - 1 <= trio.current_time() - before <= SILENCE


async def test_where_no_broker_can_be_reached_the_sentence_of_one_says_why(autojump_clock: MockClock) -> None:
    brokers = [MemoryBroker("mqtt://one"), MemoryBroker("mqtt://two")]
    async with at(*brokers) as point:
        brokers[0].die()
        with pytest.raises(CannotConnect, match="Nobody answered"):
            await call_at(point, PLACE, come)
        brokers[1].die()
        with pytest.raises(CannotConnect, match="Can't reach a meeting point: mqtt://one is out of reach"):
            await call_at(point, PLACE, come)


async def test_where_nobody_waits_that_is_said_after_ten_seconds(
    autojump_clock: MockClock, broker: MemoryBroker
) -> None:
    async with at(broker) as point:
        for place, sentence in (
            (PLACE, "Check the code"),
            (LINK, "for its link"),
            (MeetingPlace("x", b"x", "friend"), "p2pcards listen"),
        ):
            before = trio.current_time()
            with pytest.raises(CannotConnect, match=sentence):
                await call_at(point, place, come)
            assert trio.current_time() - before == meeting.PATIENCE


async def test_a_place_that_was_left_is_not_answered(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    host = Host()
    async with host.waiting(broker) as waiting, at(broker) as point:
        channel = await call_at(point, PLACE, come_by_code)
        await waiting.wait_at([LINK])
        with pytest.raises(CannotConnect):
            await call_at(point, PLACE, come_by_code)
        await talks(await call_at(point, LINK, come))
        await talks(channel)


async def test_a_call_that_is_given_up_leaves_no_stream(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    async with Host().waiting(broker), at(broker) as point:
        with trio.move_on_after(1):
            await call_at(point, PLACE, _stay)
        await trio.testing.wait_all_tasks_blocked()
        assert point.stream_count == 0


async def _stay(_stream: RelayedStream) -> None:
    await trio.sleep_forever()


# --- the stream -------------------------------------------------------------------------------------------------------


async def test_it_is_a_stream_as_trio_has_them(autojump_clock: MockClock, broker: MemoryBroker) -> None:
    async with at(broker) as anns, at(broker) as bens:
        await anns.listen(PLACE.host_topic, lambda _: None)
        await bens.listen(PLACE.guest_topic, lambda _: None)

        async def make() -> tuple[RelayedStream, RelayedStream]:
            connection, keys = chance_bytes(16), StreamKeys(chance_bytes(32), chance_bytes(32))
            ben = bens.open_stream(PLACE, connection, keys, calls=False, answer=b"answer")
            ann = anns.open_stream(PLACE, connection, keys, calls=True)
            await ben.opened()
            return ann, ben

        async def make_clogged() -> tuple[RelayedStream, RelayedStream]:
            """Neither takes anything more."""
            ends = await make()
            for end in ends:
                with trio.move_on_after(30):
                    await end.send_all(bytes(10 * CAPACITY))
            return ends

        await check_half_closeable_stream(make, make_clogged)


async def test_what_is_written_at_once_is_taken_at_once() -> None:
    async with stream_pair() as (ann, ben):
        assert ann.write_now(b"move") == 4 and await ben.receive_some() == b"move"
        assert 0 < ann.write_now(bytes(2 * CAPACITY)) <= CAPACITY and ann.write_now(b"x") == 0


async def test_a_stream_has_no_more_to_say_after_its_end() -> None:
    async with stream_pair() as (ann, ben):
        await ann.send_eof()
        assert ann.write_now(b"x") == 0 and await ben.receive_some() == b""
        ben.write_now(b"goodbye")
        await ben.aclose()
        assert await ann.receive_some() == b"goodbye" and await ann.receive_some() == b""
