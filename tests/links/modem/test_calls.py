"""Calls over scripted modems in memory, in simulated time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2pcards.links.link import StreamFailed
from p2pcards.links.modem.calls import CallFailed, CallStream, answer, dial, hang_up
from p2pcards.links.modem.hayes import SENTENCES, BadNumber, Progress
from rigs.modem.scripted_modem import MemoryPort, ScriptedModem, Wires, line, modem_in_memory

CONNECT = ((0.5, line("CONNECT 2400")),)


@asynccontextmanager
async def modem_at_work(**how: Any) -> AsyncIterator[tuple[MemoryPort, ScriptedModem]]:
    port, modem = modem_in_memory(**how)
    # Of simulated time, in which a call that never ends would otherwise take no end.
    with trio.fail_after(3600):
        async with trio.open_nursery() as nursery:
            await nursery.start(modem.run)
            yield port, modem
            nursery.cancel_scope.cancel()


async def until_it_ends(call: CallStream) -> bytes:
    came = b""
    with pytest.raises(StreamFailed, match="ended: the other side hung up, or the phone line failed"):
        while True:
            came += await call.receive_some()
    return came


@asynccontextmanager
async def exchange(*, wired: bool = True) -> AsyncIterator[tuple[MemoryPort, ScriptedModem, MemoryPort, ScriptedModem]]:
    """Two modems with one telephone line between them."""
    async with modem_at_work(wired=wired) as (port_a, a), modem_at_work(wired=wired) as (port_b, b):
        a.partner, b.partner = b, a
        yield port_a, a, port_b, b


async def call_each_other(caller: MemoryPort, waiting: MemoryPort, number: str = "5551234") -> list[CallStream]:
    """The caller's end and the other one."""
    ends: dict[str, CallStream] = {}

    async def wait() -> None:
        ends["there"] = await answer(waiting)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.sleep(3)
        ends["here"] = await dial(caller, number)
    return [ends["here"], ends["there"]]


async def take(stream: CallStream, count: int) -> bytes:
    data = b""
    with trio.fail_after(10):
        while len(data) < count:
            data += await stream.receive_some()
    return data


@pytest.mark.parametrize("wired", [True, False])
async def test_two_modems_call_speak_hang_up_and_call_again(wired: bool, autojump_clock: MockClock) -> None:
    async with exchange(wired=wired) as (port_a, a, port_b, b):
        for _ in range(2):
            here, there = await call_each_other(port_a, port_b)
            assert here.connected.rate == there.connected.rate == 2400
            for one, other in ((here, there), (there, here)):
                await one.send_all(b"hello " * 100)
                assert await take(other, 600) == b"hello " * 100
            await here.aclose()
            assert not a.online
            assert await until_it_ends(there) == (b"" if wired else b"+++")
            await there.aclose()
        assert a.dialled == ["T5551234"] * 2
        assert not b.online
        assert not b.commands.count("ATS0=1")


async def test_progress_is_told(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=((1, line("RINGING")), (2, line("CARRIER 1200")), *CONNECT)) as (port, _):
        told: list[Progress] = []
        call = await dial(port, "555-1234", tell=told.append)
        assert [(each.kind, each.text) for each in told] == [
            ("setting up", ""),
            ("dialling", "5551234"),
            ("ringing", ""),
            ("carrier", "1200"),
        ]
        assert call.connected.rate == 1200


@pytest.mark.parametrize("result", ["BUSY", "VOICE", "NO DIALTONE", "NO ANSWER", "NO CARRIER", "DELAYED", "FAX"])
@pytest.mark.parametrize("echo", [True, False])
async def test_results_become_sentences(result: str, echo: bool, autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=((5, line(result)),), always_echo=echo) as (port, modem):
        with pytest.raises(CallFailed) as failed:
            await dial(port, "555-1234")
        assert failed.value.result == result
        assert failed.value.sentence == SENTENCES[result].format(later="in a few minutes")
        assert modem.commands[-1] == "ATH0"


@pytest.mark.parametrize(
    "says",
    [
        ((0.1, line("OK")), *CONNECT),  # late
        ((0.1, line("RING")), *CONNECT),
        ((0.1, b"\xff\x00}~x"), *CONNECT),
        ((0.1, b"\r\r\n\n"), *CONNECT),
        ((1, b"\r\nCONN"), (0.5, b"ECT 2400\r"), (0.1, b"\n")),
    ],
)
async def test_noise_and_strays_before_connect(
    says: tuple[tuple[float, bytes], ...], autojump_clock: MockClock
) -> None:
    async with modem_at_work(on_dial=says) as (port, modem):
        modem.online = says[0][1] == b"\r\nCONN"
        call = await dial(port, "5551234")
        await modem.say(b"data")
        assert await take(call, 4) == b"data"


async def test_a_stale_ok_after_no_carrier_does_not_harm_the_next_call(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=((1, line("NO CARRIER")), (0.05, line("OK")))) as (port, modem):
        with pytest.raises(CallFailed, match="No modem answered"):
            await dial(port, "5551234")
        modem.on_dial = CONNECT
        assert (await dial(port, "5551234")).connected.text == "CONNECT 2400"


async def test_bytes_that_come_with_connect_are_data(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=((1, b"\r\nCONNECT 2400\r\n~early~"),)) as (port, _):
        call = await dial(port, "5551234")
        assert await call.receive_some(3) == b"~ea"
        assert await call.receive_some() == b"rly~"


async def test_bad_numbers_and_dead_ports_cost_no_byte(autojump_clock: MockClock) -> None:
    async with modem_at_work() as (port, modem):
        with pytest.raises(BadNumber):
            await dial(port, "555;ATH1")
        assert modem.commands == []
    port, modem = modem_in_memory()
    with pytest.raises(CallFailed, match="No modem answers at this port") as failed:
        await dial(port, "5551234")
    assert failed.value.result == "silent"
    modem.wires.clear_to_send = False
    with pytest.raises(CallFailed, match="--flow none") as failed:
        await dial(port, "5551234")
    assert failed.value.result == "stuck"


@pytest.mark.parametrize("wired", [True, False])
async def test_a_cancelled_dial_is_aborted(wired: bool, autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=((50, line("BUSY")),), wired=wired) as (port, modem):
        with trio.move_on_after(10) as scope:
            await dial(port, "5551234")
        assert scope.cancelled_caught
        assert modem._calling is None
        assert modem.commands[-1] == "ATH0"


async def test_who_stops_waiting_for_a_call_does_so_at_once(autojump_clock: MockClock) -> None:
    async with modem_at_work() as (port, modem):
        with trio.move_on_after(10):
            await answer(port)
        assert trio.current_time() == 10
        assert "ATA" not in modem.commands


@pytest.mark.parametrize("wired", [True, False])
async def test_a_call_left_by_a_dead_program_ends_before_the_next(wired: bool, autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT, wired=wired) as (port, modem):
        await dial(port, "5551234")
        await dial(port, "5559999")  # the stream of the first is never closed
        assert modem.dialled == ["T5551234", "T5559999"]
        assert b"555" not in modem.received


@pytest.mark.parametrize("in_band", [True, False])
async def test_the_loss_of_the_carrier_is_noticed_within_a_second_and_nothing_is_written_after_it(
    in_band: bool, autojump_clock: MockClock
) -> None:
    async with modem_at_work(on_dial=CONNECT, wired=not in_band) as (port, modem):
        call = await dial(port, "5551234")
        await modem.say(b"half a fra")
        lost = trio.current_time()
        if in_band:
            await modem.lose_carrier()
        else:
            modem.online = modem.wires.carrier = False
        assert (await until_it_ends(call)).startswith(b"half a fra")
        assert trio.current_time() - lost < 1
        commands = list(modem.commands)
        for _ in range(2):
            with pytest.raises(StreamFailed):
                await call.send_all(b"\rATH0\r")
            with pytest.raises(StreamFailed):
                await call.wait_send_all_might_not_block()
        await call.aclose()
        await trio.sleep(5)
        assert modem.commands == commands


async def test_a_carrier_that_was_never_high_is_not_wired(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT) as (port, _):
        port.wires = Wires()
        call = await dial(port, "5551234")
        with trio.move_on_after(30) as scope:
            await call.receive_some()
        assert scope.cancelled_caught
        port.wires.carrier = True
        with trio.move_on_after(1):
            await call.receive_some()
        port.wires.carrier = False
        with pytest.raises(StreamFailed):
            await call.receive_some()


@given(st.lists(st.binary(max_size=30), max_size=5), st.lists(st.integers(1, 12), max_size=20))
def test_no_carrier_is_found_however_it_is_cut(data: list[bytes], cuts: list[int]) -> None:
    frames = b"".join(data).replace(b"\r", b"")
    left = frames + b"\r\nNO CARRIER\r\nnoise"
    pieces = []
    while left:
        size = cuts.pop() if cuts else len(left)
        pieces.append(left[:size])
        left = left[size:]

    async def run() -> bytes:
        async with modem_at_work(on_dial=CONNECT, wired=False) as (port, modem):
            call = await dial(port, "5551234")
            for piece in pieces:
                await modem.say(piece)
            return await until_it_ends(call)

    came = trio.run(run, clock=MockClock(autojump_threshold=0))
    assert came.startswith(frames)
    assert (frames + b"\r\nNO CARRIER").startswith(came)


async def test_a_send_that_waits_ends_with_the_call(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT) as (port, modem):
        call = await dial(port, "5551234")
        assert isinstance(port.stream, trio.StapledStream)
        port.stream.send_stream.send_all_hook = trio.sleep_forever
        async with trio.open_nursery() as nursery:

            async def send() -> None:
                with pytest.raises(StreamFailed):
                    await call.send_all(b"x")

            async def receive() -> None:
                with pytest.raises(StreamFailed):
                    await call.receive_some()

            nursery.start_soon(receive)
            nursery.start_soon(send)
            await trio.sleep(1)
            with pytest.raises(trio.BusyResourceError):
                await call.send_all(b"y")
            modem.wires.carrier = False


async def test_closing_wakes_the_receiver_and_may_be_repeated(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT) as (port, modem):
        call = await dial(port, "5551234")
        async with trio.open_nursery() as nursery:

            async def receive() -> None:
                with pytest.raises(trio.ClosedResourceError):
                    await call.receive_some()

            nursery.start_soon(receive)
            await trio.sleep(1)
            with pytest.raises(trio.BusyResourceError):
                await call.receive_some()
            await call.aclose()
        await call.aclose()
        assert not modem.online
        for use in (call.receive_some, call.wait_send_all_might_not_block):
            with pytest.raises(trio.ClosedResourceError):
                await use()


async def test_a_call_closed_by_force_is_hung_up_by_dtr(autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT) as (port, modem):
        call = await dial(port, "5551234")
        await trio.aclose_forcefully(call)
        await trio.sleep(1)
        assert not modem.online
        assert not modem.wires.dtr


@pytest.mark.parametrize("wired", [True, False])
async def test_hanging_up_a_port(wired: bool, autojump_clock: MockClock) -> None:
    async with modem_at_work(on_dial=CONNECT, wired=wired) as (port, modem):
        await dial(port, "5551234")
        in_call = modem.wires.carrier
        await hang_up(port)
        assert (in_call, modem.wires.carrier) == (True, False)
        assert (modem.commands[-1] == "ATH0") == (not wired)


async def test_both_may_send_much_at_once(autojump_clock: MockClock) -> None:
    async with exchange() as (port_a, _, port_b, _):
        here, there = await call_each_other(port_a, port_b)
        async with trio.open_nursery() as nursery:
            for one in (here, there):
                nursery.start_soon(one.send_all, b"." * 3000)
            assert await take(here, 3000) == await take(there, 3000)


async def test_a_port_that_goes_away_during_the_dialogue(autojump_clock: MockClock) -> None:
    port, _ = modem_in_memory()

    async def gone(max_bytes: int | None = None) -> bytes:
        raise StreamFailed("The port is gone.")

    port.receive_some = gone  # type: ignore[method-assign]
    with pytest.raises(CallFailed, match="The port is gone"):
        await dial(port, "5551234")
