"""A terminal of the system's own (a pty), and the program that runs in it until its last reader goes."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import struct
import termios
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import trio

CHUNK = 65536
PATIENCE = 5.0
"""Seconds in which a program takes what is typed; then it is lost, as at a terminal that is full."""
PARTING = 3.0
"""Seconds that a program has to end once its terminal is gone."""
OWN = ("COLUMNS", "LINES", "P2PCARDS_LINE")
"""What the environment says of the terminal in which the server was started."""
KIND = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
"""What xterm.js is."""


@dataclass(frozen=True, slots=True)
class Size:
    columns: int
    lines: int


def read_size(text: str) -> Size | None:
    """A size as the page sends it, such as 80x24."""
    found = re.fullmatch(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})", text)
    return Size(int(found[1]), int(found[2])) if found else None


class Terminal:
    """The side of a terminal where a person sits."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._stream = trio.lowlevel.FdStream(master)

    async def painted(self) -> bytes:
        """What the program has written; empty once it has ended."""
        try:
            return bytes(await self._stream.receive_some(CHUNK))
        except trio.BrokenResourceError:  # Linux says so where others say that nothing more comes
            return b""

    async def type(self, keys: bytes) -> None:
        with trio.move_on_after(PATIENCE), suppress(trio.BrokenResourceError):
            await self._stream.send_all(keys)

    def resize(self, size: Size) -> None:
        """The program is told."""
        _set_size(self._master, size)

    async def hang_up(self) -> None:
        """The system tells the program that its terminal is gone, which ends it."""
        await self._stream.aclose()


@asynccontextmanager
async def terminal_with(command: Sequence[str], size: Size) -> AsyncIterator[Terminal]:
    """A terminal in which the command runs; it has ended when this is left. Raises OSError if it cannot be started."""
    master, pid = _start(command, size)
    terminal, ended = Terminal(master), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_keep_going, pid, ended)
        try:
            yield terminal
        finally:
            with trio.CancelScope(shield=True):
                await terminal.hang_up()
                with trio.move_on_after(PARTING):
                    await ended.wait()
                if not ended.is_set():
                    os.killpg(pid, signal.SIGKILL)
                await ended.wait()


def _start(command: Sequence[str], size: Size) -> tuple[int, int]:
    """The master of a new terminal, and the process that it controls."""
    master, slave = os.openpty()
    try:
        _set_size(master, size)
        # The first terminal that the leader of a session opens becomes its own: keys such as Ctrl-C and hanging up
        # reach it. A server that ignores signals, as under nohup, does not pass that on.
        pid = os.posix_spawn(
            command[0],
            list(command),
            _environment(os.environ),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ],
            setsid=True,
            setsigdef=[signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM],
        )
    except OSError:
        os.close(master)
        raise
    finally:
        os.close(slave)
    return master, pid


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in ours.items() if name not in OWN} | KIND


def _set_size(terminal: int, size: Size) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))


async def _keep_going(pid: int, ended: trio.Event) -> None:
    """Until the process has ended. One that stops itself, as at Ctrl-Z, goes on at once: no shell is there to do it."""
    with trio.CancelScope(shield=True):
        while True:
            _, status = await trio.to_thread.run_sync(os.waitpid, pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.killpg(pid, signal.SIGCONT)
        ended.set()
