"""`modem test`, with scripted modems at ptys."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from p2pcards.control.exits import LINE, USAGE
from p2pcards.links.modem.port import open_port
from rigs.modem.devices import FAST, modem, run
from rigs.modem.scripted_modem import in_digits, twice
from rigs.program import Program


@pytest.mark.parametrize("how", [{}, {"speech": in_digits}, {"echoes": twice, "always_echo": True}])
async def test_a_modem_is_described(program: Program, how: dict[str, object]) -> None:
    async with modem(identity=("Courier V.Everything", "33600"), **how) as (made, device):
        done = await run(program, "modem", "test", device, FAST, "--init", "ATM0", "--trace")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"Opened {device} at 115200 bps, flow control none."
    assert "Its control lines can't be read" in done.stdout
    assert "It identifies itself as Courier V.Everything, 33600." in done.stdout
    assert "only when told to" in done.stdout
    assert re.search(r"^It answered 20 of 20 commands in \d+ s\.$", done.stdout, re.MULTILINE)
    assert "> ATE0V1Q0\n" in done.stderr
    assert "< Courier V.Everything\n" in done.stderr
    assert "ATM0" in made.commands
    assert made.dialled == []


@pytest.mark.parametrize(("by_itself", "rings"), [(1, "1 ring"), (2, "2 rings")])
async def test_what_it_does_not_know_and_that_it_answers_by_itself_is_told(
    program: Program, by_itself: int, rings: str
) -> None:
    async with modem(by_itself=by_itself, refuses=("ATX4",), identity=()) as (_, device):
        done = await run(program, "modem", "test", device, FAST)
    assert done.returncode == 0, done.stderr
    assert "It doesn't know ATX4." in done.stdout
    assert "It doesn't identify itself." in done.stdout
    assert f"It answers calls by itself after {rings}, and that can't be turned off." in done.stdout


async def test_what_is_silent_is_no_modem(program: Program) -> None:
    async with modem(deaf_to=1000) as (_, device):
        done = await run(program, "modem", "test", device, FAST)
    assert done.returncode == LINE
    assert "No modem answers at this port" in done.stderr


async def test_a_device_in_use(program: Program) -> None:
    async with modem() as (_, device), await open_port(device, flow="none"):
        done = await run(program, "modem", "test", device, FAST)
    assert done.returncode == LINE
    assert "is in use" in done.stderr


def test_what_is_no_device(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Ann")
    for device, sentence in ((str(file), "isn't a serial port"), ("/dev/ttyS99", "There's no port /dev/ttyS99")):
        done = program("modem", "test", device)
        assert done.returncode == LINE
        assert sentence in done.stderr
    done = program("modem", "test")
    assert done.returncode == USAGE
    assert "Which serial device?" in done.stderr
    done = program("modem", "test", os.devnull, "--init", "ATDT555")
    assert done.returncode == USAGE
    assert "could do more than set up the modem" in done.stderr
