"""Our scripted modem held against programs that have spoken with modems for thirty years."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from rigs.giving_up import longest_wait
from rigs.modem.programs import program
from rigs.modem.scripted_modem import Says, ScriptedModem, line, pty_line

pytestmark = pytest.mark.modem

CONNECT = (0.1, line("CONNECT 2400"))


@asynccontextmanager
async def modem_on_pty(on_dial: Says | None = None) -> AsyncIterator[tuple[ScriptedModem, str]]:
    async with pty_line() as (stream, device), trio.open_nursery() as nursery:
        modem = ScriptedModem(stream, on_dial=on_dial)
        await nursery.start(modem.run)
        with trio.fail_after(longest_wait()):
            yield modem, device
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ((CONNECT,), 0),
        (((0.1, line("RINGING")), (0.1, b"\xff~"), CONNECT), 0),
        (((0.1, line("BUSY")),), 4),
        (((0.1, line("NO CARRIER")),), 5),
        (((0.1, line("NO DIALTONE")),), 6),
        (((9, line("CONNECT")),), 3),
    ],
)
async def test_chat_dials(says: Says, code: int) -> None:
    aborts = [word for result in ("BUSY", "NO CARRIER", "NO DIALTONE") for word in ("ABORT", result)]
    script = [*aborts, "", "ATZ", "OK", "ATX4&C1&D2S0=0", "OK", "ATDT5551234", "CONNECT"]
    async with modem_on_pty(says) as (modem, device):
        with Path(device).open("r+b", buffering=0) as port:
            done = await trio.run_process([program("chat"), "-t", "3", *script], stdin=port, stdout=port, check=False)
        assert done.returncode == code
        assert modem.commands[:2] == ["ATZ", "ATX4&C1&D2S0=0"]
        assert modem.dialled == ["T5551234"]
        assert modem.online == (code == 0)


async def test_mgetty_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """It sets the modem up, waits, says ATA at the second RING, and greets the one who is connected."""
    async with modem_on_pty() as (modem, device):
        words = [
            program("mgetty"),
            "-D",
            "-n",
            "2",
            "-s",
            "38400",
            "-p",
            "Who is there? ",
            str(Path(device).resolve()).removeprefix("/dev/"),
        ]
        async with trio.open_nursery() as nursery:
            process = await nursery.start(
                lambda task_status: trio.run_process(
                    words, check=False, task_status=task_status, stdin=subprocess.DEVNULL
                )
            )
            while not modem.commands or trio.current_time() - modem.last_heard < 2:
                await trio.sleep(0.1)
            assert modem.commands
            assert "ATA" not in modem.commands
            await modem.ring(2, pause=1)
            while not modem.online:
                await trio.sleep(0.1)
            assert modem.commands[-1] == "ATA"
            while b"Who is there?" not in modem.received:
                await trio.sleep(0.1)
            process.kill()
