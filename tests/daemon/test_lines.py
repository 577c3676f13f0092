"""Calls on serial lines as the daemon makes them, over modems in memory and in simulated time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from p2pcards.control.exits import LINE, NETWORK, USAGE
from p2pcards.control.messages import Serial
from p2pcards.daemon.calling import NotReached
from p2pcards.daemon.lines import LineFailed, SlowLine, _dial_number, deadline, setup_of
from p2pcards.daemon.tablelinks import Role, TableLinks
from p2pcards.links.modem.hayes import Dialect
from p2pcards.links.modem.port import SerialPort
from p2pcards.links.modem.reliable import ReliableStream
from p2pcards.store.settings import DeviceSettings, Settings
from rigs.modem.scripted_modem import line, modem_in_memory


@pytest.mark.parametrize(("result", "times", "again"), [("BUSY", 4, True), ("VOICE", 1, False), ("NO ANSWER", 1, True)])
async def test_a_busy_number_is_dialled_again_and_a_person_is_left_in_peace(
    autojump_clock: MockClock, result: str, times: int, again: bool
) -> None:
    port, modem = modem_in_memory(on_dial=((5, line(result)),))
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(modem.run)
        began = trio.current_time()
        with pytest.raises(LineFailed) as failed:
            await _dial_number(cast(SerialPort, port), "5551234", Dialect(), told.append)
        took = trio.current_time() - began
        nursery.cancel_scope.cancel()
    assert (failed.value.code, failed.value.again) == (LINE, again)
    assert modem.dialled == ["T5551234"] * times
    assert told.count("Busy. Dialing again in 30 s.") == times - 1
    assert (took > 3 * 30) == (result == "BUSY")


def test_what_is_asked_for_goes_before_the_settings_and_those_before_the_program() -> None:
    kept = DeviceSettings(speed=9600, flow="none", init=("ATL1",), pulse=True)
    settings = Settings(device="/dev/ttyS0", devices={"/dev/ttyS0": kept})
    setup = setup_of(Serial(), settings)
    assert (setup.device, setup.speed, setup.flow, setup.dialect) == (
        "/dev/ttyS0",
        9600,
        "none",
        Dialect(True, ("ATL1",)),
    )
    asked = Serial(device="/dev/ttyS0", speed=2400, flow="rtscts", init=("ATM0",), pulse=False)
    setup = setup_of(asked, settings)
    assert (setup.speed, setup.flow, setup.dialect) == (2400, "rtscts", Dialect(False, ("ATL1", "ATM0")))
    setup = setup_of(Serial(device="/dev/ttyS1"), settings)
    assert (setup.speed, setup.flow, setup.dialect) == (115200, "rtscts", Dialect())


def test_without_a_device_there_is_no_line() -> None:
    with pytest.raises(LineFailed, match="Which serial device") as failed:
        setup_of(Serial(), Settings())
    assert failed.value.code == USAGE


def test_a_greeting_has_the_time_that_the_line_needs() -> None:
    assert deadline(2400) == pytest.approx(50 + 4 * 512 * 10 / 2400)
    assert deadline(300) > 80


def links_that_call(call: Callable[..., Awaitable[object]]) -> TableLinks:
    caller: Any = SimpleNamespace(call=call)
    invitations: Any = SimpleNamespace(code_for=lambda _address: None)
    unused: Any = None
    return TableLinks(
        caller,
        invitations,
        unused,
        unused,
        unused,
        unused,
        role=Role(listens=False, resumes=unused),
        diagnostics=unused,
        note=lambda _text: None,
    )


@pytest.mark.parametrize(("address", "times"), [("ws://192.0.2.7:4747", 2), ("tel:5551234", 4)])
async def test_over_a_network_the_same_progress_is_told_once_until_somebody_answers(address: str, times: int) -> None:
    answers, told = iter([False, False, True, False]), list[str]()

    async def call(_address: str, _key: bytes | None, *, tell: Callable[[str], None], **_how: object) -> object:
        await trio.lowlevel.checkpoint()
        tell("No answer. Trying the meeting points ...")
        if not next(answers):
            raise NotReached("Nobody answers.", NETWORK)
        return SimpleNamespace(line=None)

    links = links_that_call(call)
    with links.reporting_to(told.append):
        async with trio.open_nursery() as nursery:
            for _ in range(4):
                with suppress(NotReached):
                    await links.dial(address, None, nursery)
    assert len(told) == times


async def test_the_same_number_is_called_again_once_the_port_is_free(autojump_clock: MockClock) -> None:
    """The line is lost before its modem has hung up, and a port that is still open would be refused."""
    before = SlowLine(cast(ReliableStream, None))
    dialled: list[float] = []

    async def call(_address: str, _key: bytes | None, **_how: object) -> SimpleNamespace:
        await trio.lowlevel.checkpoint()
        dialled.append(trio.current_time())
        return SimpleNamespace(line=before)

    links = links_that_call(call)
    async with trio.open_nursery() as nursery:
        began = trio.current_time()
        await links.dial("tel:5551234", None, nursery)
        nursery.start_soon(links.dial, "tel:5551234", None, nursery)
        await links.dial("tel:5559999", None, nursery)
        await trio.sleep(3)
        before.free()
    assert [at - began for at in dialled] == pytest.approx([0, 0, 3])
