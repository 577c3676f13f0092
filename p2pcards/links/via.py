"""A program as the transport: its standard input and output carry the bytes, as OpenSSH's ProxyCommand does it."""

import os
import re
import shlex
import signal
import subprocess
from contextlib import suppress

import trio

from p2pcards.links.link import StreamFailed
from p2pcards.links.tcp import CannotConnect

PATIENCE = 2.0
"""Seconds that a program has to end after being asked to, and to tell why it ended."""

SAID_LIMIT = 2048
"""Bytes kept of the end of what the program writes to its standard error."""


async def connect_via(command: str, host: str, port: int, *, nursery: trio.Nursery) -> "ViaStream":
    """Run `command` as the way to (host, port); `%h`, `%p` and `%%` in it stand for the host, the port and a percent
    sign. It is split into words as a shell does, but no shell runs it.

    The program and all that it starts belong to a task in `nursery`; closing the stream, or cancelling the nursery,
    ends them. Raises CannotConnect if the program cannot be run. If it fails later, the stream raises StreamFailed.
    """
    words = split_command(command, host, port)
    program = os.path.basename(words[0])  # noqa: PTH119 (a word of a command, not a path of ours)
    try:
        process = await trio.lowlevel.open_process(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, to end whatever it starts; without a terminal, it cannot wait for a password there.
            start_new_session=True,
        )
    except FileNotFoundError:
        raise CannotConnect(f"There's no program '{words[0]}' on this machine. Check the --via command.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CannotConnect(f"Can't run the --via program '{words[0]}': {reason}.") from None
    stream = ViaStream(process, program)
    nursery.start_soon(stream.tend)
    return stream


def split_command(command: str, host: str, port: int) -> list[str]:
    """The words of a --via command with host and port filled in; raises CannotConnect."""
    if host.startswith("-"):
        raise CannotConnect(f"'{host}' can't be a host: the --via program would take it for an option.")
    try:
        words = shlex.split(command)
    except ValueError:
        raise CannotConnect(f"The --via command has an unclosed quote: {command}") from None
    if not words or not words[0]:
        raise CannotConnect("The --via command is empty. Example: --via 'ssh -W %h:%p friend@example.org'.")
    values = {"%h": host, "%p": str(port), "%%": "%"}

    def value(found: re.Match[str]) -> str:
        """The value of a placeholder. Raises CannotConnect for an unknown one."""
        try:
            return values[found[0]]
        except KeyError:
            raise CannotConnect(
                f"'{found[0]}' has no meaning in a --via command. %h is the host, %p the port, %% a percent sign."
            ) from None

    return [re.sub(r"%.?", value, word) for word in words]


class ViaStream(trio.abc.HalfCloseableStream):
    """The bytes of a running program. Made by connect_via, which starts `tend`."""

    def __init__(self, process: trio.Process, program: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._program = program
        self._input = process.stdin
        self._output = process.stdout
        self._said = bytearray()
        self._heard_anything = False
        self._life = trio.CancelScope()
        self._ended = trio.Event()

    async def tend(self) -> None:
        """Read the program's error output and wait for its end."""
        assert self._process.stderr is not None
        try:
            with self._life:
                async for chunk in self._process.stderr:
                    self._said += chunk
                    del self._said[:-SAID_LIMIT]
                await self._process.wait()
        finally:
            with trio.CancelScope(shield=True):
                if self._process.returncode is None:
                    self._signal(signal.SIGTERM)
                    with trio.move_on_after(PATIENCE):
                        await self._process.wait()
                self._signal(signal.SIGKILL)
                await self._process.wait()
                await self._process.stderr.aclose()
            self._ended.set()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and all it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        try:
            await self._input.send_all(data)
        except trio.BrokenResourceError:
            raise await self._failure() from None

    async def wait_send_all_might_not_block(self) -> None:
        await self._input.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        await self._input.aclose()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        data = await self._output.receive_some(max_bytes)
        if data:
            self._heard_anything = True
            return bytes(data)
        failure = await self._failure()
        if self._heard_anything and not self._process.returncode:
            return b""
        raise failure

    async def _failure(self) -> StreamFailed:
        """The StreamFailed that says why the program no longer takes or gives bytes."""
        with trio.move_on_after(PATIENCE):
            await self._ended.wait()
        code = self._process.returncode
        if code is None:
            how = "closed the connection"
        elif code < 0:
            how = f"was killed by signal {-code}"
        else:
            how = f"exited with code {code}" if self._heard_anything else f"exited right away with code {code}"
        said = last_line(bytes(self._said))
        return StreamFailed(f"'{self._program}', the --via program, {how}" + (f"; it says: {said}" if said else "."))

    async def aclose(self) -> None:
        try:
            await self._input.aclose()
            await self._output.aclose()
        finally:
            self._life.cancel()
        await self._ended.wait()


def last_line(said: bytes) -> str:
    """The last line with any text, at most 200 characters, safe to show."""
    lines = ("".join(c for c in line if c.isprintable()).strip() for line in said.decode(errors="replace").splitlines())
    return next((line[-200:] for line in reversed([line for line in lines if line])), "")
