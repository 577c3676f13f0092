"""Direct paths: a stream through a broker becomes a TCP connection, and goes back to the broker when that is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, ip_address

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2pcards.links import paths
from p2pcards.links.link import StreamFailed
from p2pcards.links.meeting import OpenPaths
from p2pcards.links.paths import PAUSES, ROUND, ROUNDS_AT_ONCE, SETTLING, UNPROVEN, DirectPaths, Frames
from p2pcards.links.relayed import FRAME, PAYLOAD, Signal
from p2pcards.links.relayed_stream import RelayedStream
from p2pcards.links.signals import (
    ADDRESSES,
    AT_ONCE,
    CALLED,
    CALLED_PUBLIC,
    AddressesToCall,
    BadSignal,
    SocketAddress,
    can_be_a_friend,
    read_addresses,
    write_addresses,
)
from rigs.giving_up import longest_wait
from rigs.memory_brokers import MemoryBroker, stream_pair


def by(made: list[DirectPaths], *ways: str, admits: Callable[[object], bool] = lambda _: True) -> OpenPaths:
    """Paths that are put into `made`. This machine alone counts as a place of friends."""

    def make(find: Callable[[bytes], list[RelayedStream]]) -> DirectPaths:
        made.append(DirectPaths(find, ways=ways, admits=admits))
        return made[-1]

    return make


async def says(one: RelayedStream, other: RelayedStream, text: bytes) -> None:
    """Text passes both ways."""
    for sends, takes in ((one, other), (other, one)):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sends.send_all, text)
            arrived = b""
            while arrived != text:
                arrived += await takes.receive_some()


async def become_direct(*streams: RelayedStream) -> None:
    with trio.fail_after(longest_wait()):
        for stream in streams:
            await stream.direct(True)


async def test_two_who_can_call_each_other_need_no_broker_any_more() -> None:
    broker = MemoryBroker("mqtt://one")
    async with stream_pair(paths=by([], "tcp", "broker"), broker=broker) as (calls, waits):
        await become_direct(calls, waits)
        await says(calls, waits, b"hello")
        broker.die()
        await says(calls, waits, bytes(200_000))
        assert calls.way.startswith("tcp ") and "round trip" in calls.way and waits.way.startswith("tcp ")


async def test_a_path_that_is_cut_costs_nothing_and_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "SETTLING", 0.05)
    async with stream_pair(paths=by([], "tcp", "broker")) as (calls, waits):
        for text in (b"one", b"two", b"three"):
            await become_direct(calls, waits)
            for path in [*calls._paths.values(), *waits._paths.values()]:
                path.close()
            with trio.fail_after(longest_wait()):
                await says(calls, waits, text)
        await become_direct(calls, waits)


async def test_it_is_told_once_the_way_is_settled_and_when_it_is_another(autojump_clock: MockClock) -> None:
    async with stream_pair(paths=by([], "broker")) as (calls, waits):
        began = trio.current_time()
        assert [await calls.next_way(), await waits.next_way()] == [False, False]
        assert trio.current_time() - began <= SETTLING + ROUND
        with trio.move_on_after(2 * PAUSES[0]):
            await calls.next_way()
            raise AssertionError("it is told again")


async def test_it_is_told_when_the_stream_becomes_direct() -> None:
    async with stream_pair(paths=by([], "tcp", "broker")) as (calls, waits):
        with trio.fail_after(longest_wait()):
            assert [await calls.next_way(), await waits.next_way()] == [True, True]


async def test_a_stream_is_not_slowed_by_the_rate_for_brokers() -> None:
    broker = MemoryBroker("mqtt://one")
    async with stream_pair(1000, paths=by([], "tcp", "broker"), broker=broker) as (calls, waits):
        await become_direct(calls, waits)
        before = len(broker.published)
        with trio.fail_after(longest_wait()):
            await says(calls, waits, bytes(300_000))  # ten minutes at that rate
        assert len(broker.published) - before < 10


async def connected(one: DirectPaths) -> trio.SocketStream:
    return await trio.open_tcp_stream("127.0.0.1", one.advertised()[0].port)


async def is_closed(stream: trio.abc.Stream) -> bool:
    with trio.fail_after(longest_wait()):
        try:
            return not await stream.receive_some()
        except trio.BrokenResourceError:
            return True


async def test_strangers_at_the_port_of_the_paths_are_closed_out() -> None:
    made: list[DirectPaths] = []
    broker = MemoryBroker("mqtt://one")
    async with stream_pair(paths=by(made, "tcp", "broker"), broker=broker) as (calls, waits):
        await become_direct(calls, waits)
        frame = next(payload for _, payload in broker.published if payload[0] == FRAME)
        unsealed = frame[:-1] + bytes([frame[-1] ^ 1])
        for said in (
            b"GET / HTTP/1.1\r\n\r\n",
            bytes(2),
            b"\xff\xff",
            _framed(frame),
            _framed(unsealed),
            _framed(b"\3"),
        ):
            async with await connected(made[1]) as stranger:
                await stranger.send_all(said)
                assert await is_closed(stranger), said
        await says(calls, waits, b"hello")


def _framed(frame: bytes) -> bytes:
    return len(frame).to_bytes(2, "big") + frame


@pytest.mark.parametrize(("seconds", "stay"), [(0.05, 0), (1e6, UNPROVEN)])
async def test_of_those_who_say_nothing_few_are_kept_and_for_a_while(
    monkeypatch: pytest.MonkeyPatch, seconds: float, stay: int
) -> None:
    monkeypatch.setattr(paths, "PROVING", seconds)
    one = DirectPaths(lambda _: [], ways=("tcp", "broker"), admits=lambda _: True)
    closed: list[trio.SocketStream] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(one.run)
        silent = [await connected(one) for _ in range(3 * UNPROVEN)]
        all_others_closed = trio.Event()

        async def watch(stranger: trio.SocketStream) -> None:
            assert await is_closed(stranger)
            closed.append(stranger)
            if len(closed) == len(silent) - stay:
                all_others_closed.set()

        for stranger in silent:
            nursery.start_soon(watch, stranger)
        with trio.fail_after(longest_wait()):
            await all_others_closed.wait()
        nursery.cancel_scope.cancel()
    for stranger in silent:
        await stranger.aclose()
    assert len(closed) == len(silent) - stay


async def test_where_nothing_opens_the_game_goes_on_through_the_broker(autojump_clock: MockClock) -> None:
    broker = MemoryBroker("mqtt://one")
    async with stream_pair(paths=by([], "broker"), broker=broker) as (calls, waits):
        await trio.sleep(ROUND + sum(PAUSES) + 2 * PAUSES[-1])
        await says(calls, waits, b"hello")
        assert not calls.is_direct and calls.way.startswith("through one")


@pytest.mark.parametrize("ruled_out_by", ["caller", "waiter"])
async def test_where_the_way_through_a_broker_is_ruled_out_it_ends_with_a_sentence(
    autojump_clock: MockClock, ruled_out_by: str
) -> None:
    ways = iter([["tcp"] if ruled_out_by == one else ["broker"] for one in ("caller", "waiter")])

    def make(find: Callable[[bytes], list[RelayedStream]]) -> DirectPaths:
        return DirectPaths(find, ways=next(ways), admits=lambda _: False)

    async with stream_pair(paths=make) as (calls, waits):
        await says(calls, waits, b"hello")
        await trio.sleep(SETTLING + ROUND + 1)
        with pytest.raises(StreamFailed, match=r"^No direct connection .* set ways tcp router direct broker$"):
            await {"caller": calls, "waiter": waits}[ruled_out_by].receive_some()


async def test_a_caller_who_begins_rounds_without_end_is_answered_in_few(autojump_clock: MockClock) -> None:
    async with stream_pair(paths=by([], "broker")) as (calls, waits):
        began = trio.current_time()
        answered = 0
        send = waits.send_signal

        def count(signal: Signal) -> None:
            nonlocal answered
            answered += 1
            send(signal)

        waits.send_signal = count  # type: ignore[method-assign]
        for attempt in range(2, 60):
            calls.send_signal(Signal(attempt, ADDRESSES, b""))
        await trio.sleep(100)
        assert ROUNDS_AT_ONCE <= answered <= ROUNDS_AT_ONCE + (trio.current_time() - began) / 30 + 1


# --- what travels -----------------------------------------------------------------------------------------------------


addresses = st.ip_addresses()
places = st.builds(SocketAddress, addresses, st.integers(0, 65535))


@given(st.lists(places, max_size=2 * AT_ONCE))
def test_addresses_are_read_as_they_were_written(some: list[SocketAddress]) -> None:
    assert list(read_addresses(write_addresses(some))) == some[:AT_ONCE]


@given(st.binary(max_size=200))
def test_any_bytes_are_addresses_or_are_passed_over(data: bytes) -> None:
    try:
        found = read_addresses(data)
    except BadSignal:
        return
    assert write_addresses(found) == data


@pytest.mark.parametrize(
    ("place", "called"),
    [
        (SocketAddress(ip_address("192.168.1.7"), 40000), True),
        (SocketAddress(ip_address("100.64.0.9"), 40000), True),
        (SocketAddress(ip_address("203.0.114.5"), 40000), True),
        (SocketAddress(ip_address("2a00::5"), 40000), True),
        (SocketAddress(ip_address("fd00::5"), 40000), True),
        (SocketAddress(ip_address("192.168.1.7"), 22), False),
        (SocketAddress(ip_address("192.168.1.7"), 1023), False),
        (SocketAddress(ip_address("192.168.1.7"), 1024), True),
        (SocketAddress(ip_address("127.0.0.1"), 40000), False),
        (SocketAddress(ip_address("::1"), 40000), False),
        (SocketAddress(ip_address("169.254.1.1"), 40000), False),
        (SocketAddress(ip_address("fe80::1"), 40000), False),
        (SocketAddress(ip_address("224.0.0.1"), 40000), False),
        (SocketAddress(ip_address("255.255.255.255"), 40000), False),
        (SocketAddress(ip_address("0.0.0.0"), 40000), False),
    ],
)
def test_only_addresses_where_a_friend_can_be_are_called(place: SocketAddress, called: bool) -> None:
    assert AddressesToCall(can_be_a_friend).admit([place]) == [place] * called


@given(st.lists(places, max_size=60))
def test_no_peer_makes_us_call_more_than_a_few(named: Sequence[SocketAddress]) -> None:
    to_call = AddressesToCall(can_be_a_friend)
    called = {place for place in named for place in to_call.admit([place])}
    assert len(called) <= CALLED
    assert len({place.address for place in called if place.address.is_global}) <= CALLED_PUBLIC


def test_ten_thousand_addresses_of_others_are_four() -> None:
    to_call = AddressesToCall(can_be_a_friend)
    others = [SocketAddress(IPv4Address("20.0.0.0") + number, 4000) for number in range(10_000)]
    assert [place for place in others for place in to_call.admit([place])] == others[:CALLED_PUBLIC]
    assert to_call.admit(others[:8]) == others[:CALLED_PUBLIC], "the same ones once more"


async def test_what_is_no_frame_ends_a_path() -> None:
    for size in (0, PAYLOAD + 1, 65535):
        one, other = trio.testing.memory_stream_pair()
        await one.send_all(size.to_bytes(2, "big") + bytes(9))
        assert await Frames(other).receive() is None


async def test_frames_come_whole_however_they_are_cut() -> None:
    one, other = trio.testing.memory_stream_pair()
    frames = [bytes([number]) * (1 + 500 * number) for number in range(8)]
    data = b"".join(map(_framed, frames))
    taken = Frames(other)
    async with trio.open_nursery() as nursery:

        async def send() -> None:
            for place in range(0, len(data), 7):
                await one.send_all(data[place : place + 7])

        nursery.start_soon(send)
        assert [await taken.receive() for _ in frames] == frames
