"""The stream over lines of every kind, in simulated time; the suite of links over it, over a real cable too."""

from __future__ import annotations

import os
import pty
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from random import Random

import pytest
import trio
from _pytest.mark import ParameterSet
from trio.testing import MockClock, check_half_closeable_stream

from benchmarks.pump import LineEnd, Mangle, Noise, line
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import Link, StreamFailed
from p2pcards.links.modem import retransmission
from p2pcards.links.modem.reliable import ReliableStream
from p2pcards.links.modem.retransmission import ANSWERER, LineHello, write_hello
from p2pcards.wire.crypto import Ed25519PrivateKey
from rigs.conformance import ANNA, BEN, CHECKS, Maker, close_both
from rigs.giving_up import longest_wait

RATE = 2400
Ends = tuple[ReliableStream, ReliableStream]


def bad(errors: float, burst: float = 1.0, seed: int = 7) -> Callable[[], Mangle]:
    """Makes the noise of each direction."""
    rng = Random(seed)
    return lambda: Noise(Random(rng.random()), errors, burst)


def reliable(
    stream: trio.abc.Stream,
    calls: bool,
    *,
    rate: int | None = RATE,
    patience: float = 90,
    carrier: Callable[[], bool] = lambda: False,
) -> ReliableStream:
    entropy = Random(f"{calls}").randbytes
    return ReliableStream(stream, rate=rate, calls=calls, entropy=entropy, patience=patience, carrier=carrier)


def trickling(end: LineEnd) -> trio.abc.Stream:
    """The same end, written to byte by byte, as a modem without a buffer sends."""

    class Trickle(LineEnd):
        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            for byte in bytes(data):
                await super().send_all(bytes([byte]))

    end.__class__ = Trickle
    return end


class Ticking(trio.abc.Instrument):
    """A step of a task takes so many seconds, so that time passes where somebody is always busy."""

    def __init__(self, clock: MockClock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._clock.jump(self._seconds)


def simulated(test: Callable[[], Awaitable[None]], *, limit: float = 2000, step: float = 0) -> None:
    """Run it in simulated time; limit: seconds of that. step: those that a step of a task takes."""

    async def limited() -> None:
        with trio.fail_after(limit):
            await test()

    clock = MockClock(autojump_threshold=0)
    trio.run(limited, clock=clock, instruments=[Ticking(clock, step)] if step else [])


@asynccontextmanager
async def call(
    a: trio.abc.Stream,
    b: trio.abc.Stream,
    *,
    rate: int | None = RATE,
    patience: float = 90,
    carrier: Callable[[], bool] = lambda: False,
) -> AsyncIterator[Ends]:
    async with trio.open_nursery() as nursery:
        ends = (
            reliable(a, True, rate=rate, patience=patience, carrier=carrier),
            reliable(b, False, rate=rate, patience=patience, carrier=carrier),
        )
        for end in ends:
            await nursery.start(end.run)
        yield ends
        nursery.cancel_scope.cancel()


async def receive_all(stream: ReliableStream, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = await stream.receive_some()
        if not more:
            break
        data += more
    return data


# --- what every stream keeps to ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate", "errors", "hangs_up"),
    [
        (19_200, 2e-5, True),
        pytest.param(115_200, 0, False, marks=pytest.mark.slow),
        pytest.param(115_200, 2e-5, True, marks=pytest.mark.slow),
    ],
)
def test_it_is_a_stream(rate: int, errors: float, hangs_up: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retransmission, "CAPACITY", 4096)

    async def check() -> None:
        async with trio.open_nursery() as nursery:
            noise = bad(errors)

            async def make() -> Ends:
                a, b = line(rate, noise=noise, hangs_up=hangs_up)
                ends = reliable(a, True, rate=rate), reliable(b, False, rate=rate)
                for end in ends:
                    nursery.start_soon(end.run)
                return ends

            async def make_clogged() -> Ends:
                """With so much unread that nothing more is taken."""
                a, b = await make()
                with trio.move_on_after(5):
                    async with trio.open_nursery() as both:
                        both.start_soon(a.send_all, bytes(50_000))
                        both.start_soon(b.send_all, bytes(50_000))
                return a, b

            await check_half_closeable_stream(make, make_clogged)

    simulated(check)


@pytest.mark.parametrize(("errors", "burst"), [(0, 1), (1e-4, 1), (1e-3, 1), (1e-3, 6)])
def test_much_in_both_directions(errors: float, burst: float) -> None:
    async def check() -> None:
        rng = Random(1)
        one, two = rng.randbytes(20_000), rng.randbytes(20_000)
        async with call(*line(RATE, noise=bad(errors, burst))) as (a, b), trio.open_nursery() as nursery:
            nursery.start_soon(a.send_all, one)
            nursery.start_soon(b.send_all, two)
            assert await receive_all(b, len(one)) == one
            assert await receive_all(a, len(two)) == two

    simulated(check)


def test_a_line_that_turns_bad_keeps_the_call() -> None:
    async def check() -> None:
        errors = [0.0]
        makers = [bad(0)(), bad(1e-3)()]

        def changing(data: bytes) -> bytes:
            return makers[errors[0] > 0](data)

        data = Random(1).randbytes(40_000)
        async with call(*line(RATE, noise=lambda: changing)) as (a, b), trio.open_nursery() as nursery:
            nursery.start_soon(a.send_all, data)
            first = await receive_all(b, 10_000)
            errors[0] = 1e-3
            assert first + await receive_all(b, len(data) - len(first)) == data

    simulated(check)


def test_a_sender_waits_for_the_line() -> None:
    async def check() -> None:
        async with call(*line(RATE)) as (a, b):
            await a.greeted()
            before = trio.current_time()
            await a.send_all(bytes(4800))
            assert 17 < trio.current_time() - before < 21
            assert await receive_all(b, 4800) == bytes(4800)
            quality = a.quality()
            assert quality.resent == 0
            assert 180 < quality.goodput < 240
            round_trip = a._line._trip.smoothed
            assert round_trip is not None
            assert 0.15 < round_trip < 0.5

    simulated(check)


# --- the greeting, and what ends a call -------------------------------------------------------------------------------


def test_the_caller_may_be_there_long_before_anybody_answers() -> None:
    async def check() -> None:
        ends = line(RATE)
        a = reliable(ends[0], True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(a.run)
            await trio.sleep(59)
            b = reliable(ends[1], False)
            nursery.start_soon(b.run)
            with trio.fail_after(3):
                await a.greeted()
                await b.greeted()
            nursery.cancel_scope.cancel()

    simulated(check)


async def fails_within(seconds: float, does: Callable[[], Awaitable[object]], sentence: str) -> None:
    with trio.fail_after(seconds), pytest.raises(StreamFailed, match=sentence):
        await does()


def test_nobody_there() -> None:
    async def check() -> None:
        async with trio.open_nursery() as nursery:
            stream = reliable(line(RATE)[0], True, patience=20)
            nursery.start_soon(stream.run)
            await fails_within(20.1, stream.greeted, "No p2pcards answered at the other end")
            await fails_within(1, stream.receive_some, "No p2pcards answered at the other end")

    simulated(check)


@pytest.mark.parametrize("calls", [True, False])
def test_somebody_who_is_not_p2pcards_is_quoted_and_hung_up_on_in_20_seconds(calls: bool) -> None:
    async def check() -> None:
        async with trio.open_nursery() as nursery:
            end, board = line(RATE)
            stream = reliable(end, calls)
            nursery.start_soon(stream.run)
            await trio.sleep(5)
            await board.send_all(b"\x1b[2J\x1b[1;31mNIRVANA BBS\x1b[0m\r\n\x07Your name: ")
            said = 'It says: "NIRVANA BBS Your name:"'
            await fails_within(20.3, stream.greeted, said)
            nursery.cancel_scope.cancel()

    simulated(check)


def test_noise_is_nobody() -> None:
    async def check() -> None:
        async with trio.open_nursery() as nursery:
            end, far = line(RATE)
            stream = reliable(end, True, patience=60)
            nursery.start_soon(stream.run)
            await far.send_all(Random(3).randbytes(500))
            await fails_within(60.1, stream.greeted, "No p2pcards answered at the other end")
            nursery.cancel_scope.cancel()

    simulated(check)


@pytest.mark.parametrize("rate", [300, 1200, 2400, 9600])
def test_the_rate_that_a_modem_does_not_tell_is_measured(rate: int) -> None:
    async def check() -> None:
        a, b = (trickling(end) for end in line(rate))
        async with call(a, b, rate=None) as (here, there):
            await here.greeted()
            await there.greeted()
            assert (here.rate, there.rate) == (rate, rate)
            data = Random(1).randbytes(2000)
            began = trio.current_time()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(here.send_all, data)
                assert await receive_all(there, len(data)) == data
            assert trio.current_time() - began < 1.6 * 2000 * 10 / rate + 1

    simulated(check)


def test_modems_with_a_buffer_count_as_fast_as_a_port_gives() -> None:
    async def check() -> None:
        async with call(*line(33600), rate=None) as (here, there):
            await here.greeted()
            await there.greeted()
            assert (here.rate, there.rate) == (9600, 9600)

    simulated(check)


@pytest.mark.parametrize("rate", [1200, 33600])
@pytest.mark.parametrize("seconds", [10, 20])
def test_a_retrain_ends_no_call_whose_carrier_is_seen(rate: int, seconds: int) -> None:
    async def check() -> None:
        ends = line(rate, noise=lambda: trains)
        async with call(*ends, rate=rate, carrier=lambda: True) as (a, b), trio.open_nursery() as nursery:
            data = Random(1).randbytes(2000)
            nursery.start_soon(a.send_all, data)
            came = await receive_all(b, 300)
            lost[0] = trio.current_time() + seconds
            came += await receive_all(b, len(data) - len(came))
            assert came == data
            assert trio.current_time() > lost[0]
            lost[0] += 3600
            stopped = trio.current_time()
            nursery.start_soon(fails_within, 32, a.receive_some, "Nothing came over the line for 30.0 s")
            await fails_within(32, b.receive_some, "Nothing came")
            assert trio.current_time() - stopped > 28

    lost = [0.0]

    def trains(data: bytes) -> bytes:
        return b"" if trio.current_time() < lost[0] else data

    simulated(check)


def test_a_line_that_echoes() -> None:
    async def check() -> None:
        async with trio.open_nursery() as nursery:
            end, echo = line(RATE)
            stream = reliable(end, True, patience=20)
            nursery.start_soon(stream.run)

            async def give_back() -> None:
                while data := await echo.receive_some():
                    await echo.send_all(data)

            nursery.start_soon(give_back)
            await fails_within(20.1, stream.greeted, "only echoed this side")
            nursery.cancel_scope.cancel()

    simulated(check)


def test_a_dead_line_is_noticed_by_everybody_who_waits() -> None:
    async def check() -> None:
        ends = line(RATE)
        async with call(*ends) as (a, b), trio.open_nursery() as nursery:
            await a.greeted()
            await b.greeted()
            ends[0].cut()
            nursery.start_soon(fails_within, 9, a.receive_some, "Nothing came")
            nursery.start_soon(fails_within, 9, lambda: a.send_all(bytes(10_000)), "Nothing came")
            nursery.start_soon(fails_within, 9, b.receive_some, "Nothing came")

    simulated(check)


def test_a_line_that_is_hung_up() -> None:
    async def check() -> None:
        ends = line(RATE, hangs_up=True)
        async with call(*ends) as (a, b):
            await b.send_all(b"said before")
            await a.greeted()
            await trio.sleep(1)
            await ends[1].aclose()
            assert await a.receive_some() == b"said before"
            await fails_within(1, a.receive_some, "hung up")
            await fails_within(1, b.receive_some, "hung up")

    simulated(check)


def test_the_sentence_of_the_stream_below_is_kept() -> None:
    async def check() -> None:
        class Unplugged(LineEnd):
            async def receive_some(self, max_bytes: int | None = None) -> bytes:
                await trio.sleep(5)
                raise StreamFailed("The cable is out.")

        end, _ = line(RATE)
        end.__class__ = Unplugged
        async with trio.open_nursery() as nursery:
            stream = reliable(end, True)
            nursery.start_soon(stream.run)
            await fails_within(6, stream.receive_some, "The cable is out")

    simulated(check)


def test_a_line_that_takes_nothing_is_given_up() -> None:
    async def check() -> None:
        class Stuck(LineEnd):
            async def send_all(self, data: bytes | bytearray | memoryview) -> None:
                await trio.sleep_forever()

        end, _ = line(RATE)
        end.__class__ = Stuck
        async with trio.open_nursery() as nursery:
            stream = reliable(end, True)
            nursery.start_soon(stream.run)
            await fails_within(70, stream.receive_some, "Nothing could be sent")

    simulated(check)


def test_the_other_side_begins_anew() -> None:
    async def check() -> None:
        ends = line(RATE)
        async with call(*ends) as (a, _):
            await a.greeted()
            await ends[1].send_all(write_hello(LineHello(ANSWERER, b"anew")))
            await fails_within(2, a.receive_some, "restarted")

    simulated(check)


# --- closing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("errors", [0, 1e-3])
def test_closing_brings_over_what_was_sent(errors: float) -> None:
    async def check() -> None:
        async with call(*line(RATE, noise=bad(errors))) as (a, b):
            await a.send_all(bytes(1000))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(a.aclose)
                assert await receive_all(b, 2000) == bytes(1000)
            with pytest.raises(StreamFailed, match="The other side has closed"):
                await b.send_all(b"x")
            await b.aclose()

    simulated(check)


def test_who_gives_up_closing_is_gone_at_once() -> None:
    async def check() -> None:
        ends = line(RATE)
        async with call(*ends) as (a, _):
            await a.greeted()
            ends[0].cut()
            await a.send_all(bytes(100))
            with trio.move_on_after(1):
                await a.aclose()
            with trio.fail_after(0.05):
                await a.aclose()

    simulated(check)


def test_closing_takes_a_bounded_time() -> None:
    async def check() -> None:
        ends = line(RATE)
        async with call(*ends) as (a, _):
            await a.greeted()
            ends[0].cut()
            await a.send_all(bytes(400))
            with trio.fail_after(20):
                await a.aclose()

    simulated(check)


def test_a_stream_that_was_never_started_closes() -> None:
    async def check() -> None:
        end, _ = line(RATE)
        stream = reliable(end, True)
        await stream.aclose()
        await stream.run()
        with pytest.raises(trio.ClosedResourceError):
            await end.send_all(b"x")

    simulated(check)


def test_who_ends_the_task_ends_the_stream() -> None:
    async def check() -> None:
        ends = line(RATE)
        async with call(*ends) as (a, _):
            pass
        with pytest.raises(StreamFailed, match="has stopped"):
            await a.receive_some()

    simulated(check)


# --- the suite of links -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlowLine:
    rate: int
    quality: str = ""

    async def freed(self) -> None:
        await trio.lowlevel.checkpoint()


@asynccontextmanager
async def channel_over(
    a: trio.abc.Stream, b: trio.abc.Stream, rate: int, longest: int
) -> AsyncIterator[tuple[Link, Link]]:
    ends: dict[str, Channel] = {}

    async def open_end(name: str, stream: trio.abc.Stream, identity: Ed25519PrivateKey) -> None:
        slow = SlowLine(rate)
        ends[name] = await open_channel(
            stream, initiator=name == "a", identity=identity, where="the other end", deadline=60, line=slow
        )

    async with call(a, b, rate=rate) as (over_a, over_b):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(open_end, "a", over_a, ANNA)
            nursery.start_soon(open_end, "b", over_b, BEN)
        for end in ends.values():
            end.max_size = longest
        yield ends["a"], ends["b"]
        await close_both(ends["a"], ends["b"])


MUCH = ("a_cancelled_receive", "both_directions_carry", "what_is_not_taken")


def longest_of(check: Callable[[Maker], Awaitable[None]]) -> int:
    """Bytes of the longest message: 512 where hundreds of the longest are sent, for the time it takes."""
    return 512 if check.__name__.startswith(MUCH) else 4096


def over_a_pump(errors: float, burst: float, longest: int) -> Maker:
    def make() -> AbstractAsyncContextManager[tuple[Link, Link]]:
        return channel_over(*line(115200, latency=0.01, noise=bad(errors, burst)), 115200, longest)

    return make


FAST = 4_000_000
"""Bits a second of a cable that a test need not wait for."""


@asynccontextmanager
async def null_modem(noise: Callable[[], Mangle]) -> AsyncIterator[tuple[trio.abc.Stream, trio.abc.Stream]]:
    """Two serial devices and the cable between them."""
    pairs = [pty.openpty() for _ in range(2)]
    for _, device in pairs:
        tty.setraw(device)
    masters = [trio.lowlevel.FdStream(master) for master, _ in pairs]
    devices = [trio.lowlevel.FdStream(os.dup(device)) for _, device in pairs]

    async def carry(source: trio.lowlevel.FdStream, target: trio.lowlevel.FdStream) -> None:
        mangle = noise()
        while data := await source.receive_some(1024):
            await target.send_all(mangle(bytes(data)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(carry, masters[0], masters[1])
        nursery.start_soon(carry, masters[1], masters[0])
        yield devices[0], devices[1]
        nursery.cancel_scope.cancel()
    for stream in masters:
        await stream.aclose()
    for _, device in pairs:
        os.close(device)


def over_a_cable(errors: float, longest: int) -> Maker:
    @asynccontextmanager
    async def make() -> AsyncIterator[tuple[Link, Link]]:
        async with null_modem(bad(errors)) as (a, b), channel_over(a, b, FAST, longest) as ends:
            yield ends

    return make


BURSTS = {"clean": (0, 1), "bursts": (3e-4, 5)}
ERRORS = {"clean": 0, "bad": 1e-4}


def taking_turns(first: str, second: str) -> list[ParameterSet]:
    """Every check on either kind of line; in a plain run on one of them, the next check on the other one."""
    return [
        pytest.param(check, kind, marks=() if kind == (first, second)[n % 2] else pytest.mark.slow)
        for n, check in enumerate(CHECKS)
        for kind in (first, second)
    ]


def named(thing: object) -> str:
    return getattr(thing, "__name__", str(thing))


@pytest.mark.parametrize(("check", "kind"), taking_turns("bursts", "clean"), ids=named)
def test_conformance_over_a_line(check: Callable[[Maker], Awaitable[None]], kind: str) -> None:
    errors, burst = BURSTS[kind]
    simulated(lambda: check(over_a_pump(errors, burst, longest_of(check))), step=1e-3)


@pytest.mark.parametrize(("check", "kind"), taking_turns("bad", "clean"), ids=named)
async def test_conformance_over_a_cable(check: Callable[[Maker], Awaitable[None]], kind: str) -> None:
    with trio.fail_after(longest_wait()):
        await check(over_a_cable(ERRORS[kind], longest_of(check)))
