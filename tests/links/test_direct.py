"""Direct connections: opened, carrying, broken and closed without a hang, whatever the other side says. Both ends are
on this machine, whose own address counts as one of a home here."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from random import Random

import pytest
import trio

from p2pcards.links import data_channel, direct, signals, stun
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.data_channel import DirectStream, open_direct
from p2pcards.links.direct import LibraryConnection, answering_server, close_all
from p2pcards.links.link import StreamFailed
from p2pcards.links.signals import Candidate, Description, LocalName, read_signal
from p2pcards.links.stun import ReflexiveAddress
from p2pcards.links.tcp import CannotConnect
from rigs import conformance
from rigs.conformance import ANNA, BEN
from rigs.direct_pair import ends, prepare_here
from rigs.giving_up import longest_wait
from rigs.lossy_path import HERE, lossy_path
from rigs.stun_answers import stun_answer

TESTS = Path(__file__).parents[1]


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "HOMES", (*signals.HOMES, ip_network("127.0.0.0/8")))
    monkeypatch.setattr(data_channel, "TRY", longest_wait(data_channel.TRY))


@pytest.fixture(scope="module", autouse=True)
def all_closed() -> Iterator[None]:
    """Else the library would complain at the end of what is still open."""
    yield
    close_all(longest_wait())


@asynccontextmanager
async def pair() -> AsyncIterator[tuple[DirectStream, DirectStream]]:
    a, b = await ends()
    try:
        yield a, b
    finally:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(a.aclose)
            nursery.start_soon(b.aclose)


async def read_all(stream: DirectStream) -> bytes:
    whole = bytearray()
    while some := await stream.receive_some():
        whole += some
    return bytes(whole)


async def fail_alone(*said: bytes, deadline: float, calls: bool = True) -> str:
    """The sentence with which this side gives up when it has heard this and no more."""
    tell, to_tell = trio.open_memory_channel[bytes](100)
    hear, heard = trio.open_memory_channel[bytes](len(said))
    for signal in said:
        hear.send_nowait(signal)
    with tell, to_tell, hear, heard, pytest.raises(CannotConnect) as failed:
        await open_direct(tell, heard, prepare_here, calls=calls, deadline=deadline)
    return failed.value.sentence


@asynccontextmanager
async def calling_alone(
    *said: bytes, servers: Sequence[tuple[str, int]] = ()
) -> AsyncIterator[trio.MemoryReceiveChannel[bytes]]:
    """What this side tells meanwhile."""
    tell, to_tell = trio.open_memory_channel[bytes](100)
    hear, heard = trio.open_memory_channel[bytes](len(said))
    for signal in said:
        hear.send_nowait(signal)
    call = partial(open_direct, tell, heard, prepare_here, calls=True, deadline=longest_wait(), servers=servers)
    with tell, to_tell, hear, heard:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(call)
            yield to_tell
            nursery.cancel_scope.cancel()


# --- without the library ----------------------------------------------------------------------------------------------


async def test_without_the_library_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libdatachannel", None)
    assert not direct.is_available()
    assert "Python 3.12 or newer" in await fail_alone(deadline=1)


MAPPED = ip_address("203.0.113.9")


async def answer_as_stun(port: trio.socket.SocketType, right: bool = True) -> None:
    """right: else every answer is one to another question, or a refusal."""
    while True:
        request, where = await port.recvfrom(1500)
        transaction = request[8:20]
        assert request[4:8] == stun.COOKIE and request[:2] == b"\0\x01"
        answer = stun_answer(ReflexiveAddress(MAPPED, 7777), transaction)
        if right:
            await port.sendto(answer, where)
        else:
            await port.sendto(b"\x01\x11" + answer[2:], where)
            await port.sendto(stun_answer(ReflexiveAddress(MAPPED, 7777), bytes(12)), where)


async def udp_port() -> trio.socket.SocketType:
    port = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM)
    await port.bind((HERE, 0))
    return port


async def test_the_stun_server_that_answers_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "ANSWER", longest_wait())
    async with trio.open_nursery() as nursery:
        silent, refusing, answering = [await udp_port() for _ in range(3)]
        with silent, refusing, answering:
            nursery.start_soon(answer_as_stun, refusing, False)
            nursery.start_soon(answer_as_stun, answering)
            servers = [(HERE, port.getsockname()[1]) for port in (silent, refusing, answering)]
            assert await answering_server([("no-such-host.invalid", 3478), *servers]) == servers[2]
            nursery.cancel_scope.cancel()
    assert await answering_server([]) is None


async def test_silent_stun_servers_cost_their_time_and_no_more(autojump_clock: trio.testing.MockClock) -> None:
    with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as silent:
        await silent.bind((HERE, 0))
        began = trio.current_time()
        assert await answering_server([(HERE, silent.getsockname()[1])]) is None
        assert trio.current_time() - began == direct.ANSWER


# --- open and carrying ------------------------------------------------------------------------------------------------


@pytest.mark.direct
async def test_the_other_side_is_told_what_the_stun_server_saw(at_home: None) -> None:
    async with trio.open_nursery() as nursery:
        port = await udp_port()
        with port:
            nursery.start_soon(answer_as_stun, port)
            async with calling_alone(servers=[port.getsockname()]) as to_tell:
                while not isinstance(one := read_signal(await to_tell.receive()), Candidate) or one.kind != "srflx":
                    pass
            nursery.cancel_scope.cancel()
    assert (one.address, one.port) == (MAPPED, 7777)


@pytest.mark.direct
async def test_1000_messages_are_echoed_in_order(at_home: None) -> None:
    messages = [b"%04d" % number + bytes(86) for number in range(1000)]
    async with pair() as (a, b), trio.open_nursery() as nursery:

        async def echo() -> None:
            while some := await b.receive_some():
                await b.send_all(some)
            await b.send_eof()

        async def send() -> None:
            for message in messages:
                taken = a.write_now(message)
                await a.send_all(message[taken:])
            await a.send_eof()

        nursery.start_soon(echo)
        nursery.start_soon(send)
        assert await read_all(a) == b"".join(messages)
        assert a.where.startswith(f"direct {HERE}:")


@pytest.mark.direct
async def test_a_megabyte_arrives_and_a_full_buffer_takes_no_more(at_home: None) -> None:
    whole = Random(1).randbytes(8_000_000)
    async with pair() as (a, b), trio.open_nursery() as nursery:
        taken = 0
        while part := a.write_now(whole[taken:]):
            taken += part
        assert data_channel.UNSENT <= taken < len(whole)

        async def send() -> None:
            await a.wait_send_all_might_not_block()
            await a.send_all(whole[taken:])
            await a.send_eof()

        nursery.start_soon(send)
        assert await read_all(b) == whole
        with pytest.raises(trio.ClosedResourceError):
            await a.send_all(b"more")
        await b.send_all(b"one way is still open")
        await b.send_eof()
        assert await read_all(a) == b"one way is still open"


@pytest.mark.direct
async def test_what_was_sent_arrives_when_the_sender_closes_at_once(at_home: None) -> None:
    whole = bytes(1_000_000)
    async with pair() as (a, b):
        await a.send_all(whole)
        await a.send_eof()
        await a.aclose()
        assert await read_all(b) == whole
        with pytest.raises(trio.ClosedResourceError):
            await a.receive_some()
        with pytest.raises(trio.ClosedResourceError):
            await a.send_all(b"more")
        assert a.write_now(b"more") == 0


@asynccontextmanager
async def channels() -> AsyncIterator[tuple[Channel, Channel]]:
    streams = await ends()
    opened: dict[bool, Channel] = {}

    async def greet(stream: DirectStream, initiator: bool) -> None:
        opened[initiator] = await open_channel(
            stream,
            initiator=initiator,
            identity=ANNA if initiator else BEN,
            where=stream.where,
            deadline=longest_wait(),
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet, streams[0], True)
        nursery.start_soon(greet, streams[1], False)
    yield opened[True], opened[False]
    await conformance.close_both(opened[True], opened[False])


@pytest.mark.direct
@pytest.mark.parametrize(
    "check",
    [
        conformance.ends_know_each_other,
        conformance.order_and_boundaries_are_kept,
        conformance.the_other_side_sees_the_end_after_the_last_message,
    ],
)
async def test_a_channel_over_it_is_a_link(check: object, at_home: None) -> None:
    assert callable(check)
    await check(channels)


# --- broken, and given up ---------------------------------------------------------------------------------------------


@pytest.mark.direct
async def test_without_an_answer_it_ends_at_the_deadline(at_home: None) -> None:
    assert "No direct connection opened within 0.3 s" in await fail_alone(deadline=0.3)


@pytest.mark.direct
async def test_a_try_that_gets_nowhere_is_followed_by_another(at_home: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_channel, "TRY", longest_wait(0.5))

    def lose_the_first(signal: bytes, end: str) -> bytes:
        return b"lost" if signal.startswith(b"1 candidate") else signal

    a, b = await ends(lose_the_first)
    await b.send_all(b"here")
    assert await a.receive_some() == b"here"
    await a.aclose()
    await b.aclose()


@pytest.mark.direct
async def test_a_try_that_is_cancelled_leaves_nothing_open(at_home: None) -> None:
    async with calling_alone() as to_tell:
        await to_tell.receive()
    close_all(longest_wait())
    assert not [closer for closer in direct._closers if closer.is_alive()]


@pytest.mark.direct
async def test_a_channel_that_closes_without_an_end_was_cut(at_home: None) -> None:
    async with pair() as (a, b):
        await a.send_all(b"last")
        await a.aclose()
        assert await b.receive_some() == b"last"
        with pytest.raises(StreamFailed, match="cut"):
            await b.receive_some()
        with pytest.raises(StreamFailed, match="cut"):
            await b.send_all(b"more")


@pytest.mark.direct
async def test_whoever_sends_more_than_is_read_is_cut_off(monkeypatch: pytest.MonkeyPatch, at_home: None) -> None:
    monkeypatch.setattr(direct, "UNREAD", 300_000)
    async with pair() as (a, b):
        with pytest.raises(StreamFailed):
            while True:
                await a.send_all(bytes(100_000))
        read = 0
        with pytest.raises(StreamFailed, match="too much data at once"):
            while True:
                read += len(await b.receive_some())
        assert 0 < read <= 300_000


@pytest.mark.direct
async def test_a_text_message_breaks_the_rules(at_home: None) -> None:
    async with pair() as (a, b):
        assert isinstance(a.connection, LibraryConnection) and a.connection._library is not None
        a.connection._library[1].send("text")
        with pytest.raises(StreamFailed, match="a text message"):
            await b.receive_some()


@asynccontextmanager
async def other_process() -> AsyncIterator[tuple[trio.Process, DirectStream]]:
    """An end that sends back what comes, and ours."""
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"}
    command = [sys.executable, "-m", "rigs.direct_end", "answer"]
    tell, to_tell = trio.open_memory_channel[bytes](100)
    hear, heard = trio.open_memory_channel[bytes](100)
    process = await trio.lowlevel.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert process.stdin and process.stdout

    async def say() -> None:
        assert process.stdin
        async for signal in to_tell:
            await process.stdin.send_all(signal.hex().encode() + b"\n")

    async def listen(said: trio.abc.ReceiveStream) -> None:
        rest = b""
        async for some in said:
            *lines, rest = (rest + some).split(b"\n")
            for line in lines:
                await hear.send(bytes.fromhex(line.decode()))

    async with process.stdin, process.stdout, trio.open_nursery() as nursery:
        nursery.start_soon(say)
        nursery.start_soon(listen, process.stdout)
        stream = await open_direct(tell, heard, prepare_here, calls=True, deadline=longest_wait())
        yield process, stream
        nursery.cancel_scope.cancel()
        process.kill()
    await process.wait()


@pytest.mark.direct
async def test_when_the_other_end_is_killed_what_is_sent_fails_and_closing_is_quick(at_home: None) -> None:
    async with other_process() as (process, stream):
        await stream.send_all(b"hello")
        assert await stream.receive_some() == b"hello"
        process.kill()
        began = trio.current_time()
        await stream.aclose()
        assert trio.current_time() - began < data_channel.LINGER + longest_wait(1)


@pytest.mark.direct
@pytest.mark.slow
async def test_when_the_other_end_is_killed_whoever_sends_is_told(at_home: None) -> None:
    async with other_process() as (process, stream):
        await stream.send_all(b"hello")
        process.kill()
        with pytest.raises(StreamFailed, match="cut"):
            while True:
                await stream.send_all(b"anybody there?")
                await trio.sleep(1)


@pytest.mark.direct
def test_a_program_that_ends_with_open_connections_ends() -> None:
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"}
    command = [sys.executable, "-m", "rigs.direct_end", "leave"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=longest_wait())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"open to direct {HERE}:")


# --- many, and over bad lines -----------------------------------------------------------------------------------------


@pytest.mark.direct
@pytest.mark.parametrize("count", [30, pytest.param(500, marks=pytest.mark.slow)])
async def test_connections_in_a_row_without_a_hang(count: int, at_home: None) -> None:
    for number in range(count):
        async with pair() as (a, b):
            await b.send_all(b"%d" % number)
            assert await a.receive_some() == b"%d" % number
    assert not direct._kept


@pytest.mark.direct
@pytest.mark.parametrize("count", [5, pytest.param(50, marks=pytest.mark.slow)])
async def test_connections_at_once_that_all_carry_something(count: int, at_home: None) -> None:
    """The library has as many threads as this machine has processors; each of them may want Python's lock."""

    async def one() -> None:
        async with pair() as (a, b), trio.open_nursery() as nursery:
            nursery.start_soon(partial(a.send_all, bytes(300_000)))
            nursery.start_soon(partial(b.send_all, bytes(300_000)))
            for stream in (a, b):
                left = 300_000
                while left:
                    left -= len(await stream.receive_some())

    async with trio.open_nursery() as nursery:
        for _ in range(count):
            nursery.start_soon(one)
    assert not direct._kept


@pytest.mark.direct
async def test_40_of_40_open_where_a_fifth_is_lost_and_all_is_300_ms_late(at_home: None) -> None:
    """300 ms there and back. Each pair has as many tries as it needs, also where the connection is open on one side and
    lost before the other side has heard anything, as happens to one in thousands."""
    opened = 0

    async def one(seed: int) -> None:
        nonlocal opened
        async with lossy_path(Random(seed), loss=0.2, delay=0.15) as path:
            both: tuple[DirectStream, DirectStream] | None = None
            while both is None:
                try:
                    both = await ends(path.rewritten)
                except* StreamFailed:
                    pass
            a, b = both
            await b.send_all(b"here")
            assert await a.receive_some() == b"here"
            opened += 1
            path.mend()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(a.aclose)
                nursery.start_soon(b.aclose)

    async with trio.open_nursery() as nursery:
        for seed in range(40):
            nursery.start_soon(one, seed)
    assert opened == 40


# --- hostile signals --------------------------------------------------------------------------------------------------


ANSWER = Description(1, "answer", "abcd", "x" * 22, ":".join(["00"] * 32), "active", "0", 5000)
OFFER = Description(1, "offer", "abcd", "x" * 22, ":".join(["00"] * 32), "actpass", "0", 5000)


@pytest.mark.direct
async def test_hostile_signals_open_nothing_and_harm_nothing(at_home: None) -> None:
    chance = Random(7)
    junk = [chance.randbytes(chance.randrange(5000)) for _ in range(100)]
    crowd = [Candidate(1, "host", ip_address(f"8.8.{number}.1"), 4000, 1, "1").signal() for number in range(200)]
    doubled = [ANSWER.signal(), OFFER.signal(), ANSWER.signal()]
    for calls in (True, False):
        said = [*junk, *crowd[:100], *doubled, *crowd[100:]]
        assert "No direct connection" in await fail_alone(*said, deadline=0.5, calls=calls)


@pytest.mark.direct
async def test_a_candidate_of_a_home_is_tried(at_home: None) -> None:
    with await udp_port() as friend:
        candidate = Candidate(1, "host", ip_address(HERE), friend.getsockname()[1], 1, "1")
        async with calling_alone(candidate.signal(), ANSWER.signal()):
            assert b"abcd:" in await friend.recv(1500)  # a check, with the name from the answer


@pytest.mark.direct
async def test_a_name_of_a_browser_is_never_looked_up(at_home: None, monkeypatch: pytest.MonkeyPatch) -> None:
    import libdatachannel

    tried: list[str] = []

    class Recorded(libdatachannel.Candidate):  # type: ignore[misc, unused-ignore]
        def __init__(self, line: str) -> None:
            tried.append(line)
            super().__init__(line)

    monkeypatch.setattr(libdatachannel, "Candidate", Recorded)
    with await udp_port() as friend:
        name = LocalName("81952376-f112-498c-870e-d75e1d1a9c4c.local")
        candidates = [
            Candidate(1, "host", address, friend.getsockname()[1], 1, "1") for address in (name, ip_address(HERE))
        ]
        async with calling_alone(*[one.signal() for one in candidates], ANSWER.signal()):
            await friend.recv(1500)
    assert tried == [candidates[1].line()]


@pytest.mark.direct
async def test_what_is_never_tried_is_sent_nothing() -> None:
    """The same, where this machine is no home."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as victim:
        victim.bind((HERE, 0))
        victim.setblocking(False)
        candidate = Candidate(1, "host", ip_address(HERE), victim.getsockname()[1], 1, "1")
        await fail_alone(candidate.signal(), ANSWER.signal(), deadline=0.5)
        with pytest.raises(BlockingIOError):
            victim.recv(1500)
