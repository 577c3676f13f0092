"""A link to the program under test on which everything is noted, and that program as a process."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeVar

import trio

from p2pcards.links import tcp
from p2pcards.links.address import parse_address
from p2pcards.links.channel import Channel, ChannelRefused, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.links.webdoor import WebDoor
from p2pcards.links.websocket import connect_websocket
from p2pcards.wire.address import is_web
from p2pcards.wire.clean import visible
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.messages import (
    Again,
    Bye,
    Chat,
    Clocks,
    Doors,
    Message,
    People,
    Ping,
    Pong,
    Quick,
    decode_message,
    encode_message,
)
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode

RUN = "--run"
WEB = "ws://"
"""What a case may need beside an address: a command that starts the program, and an address of a WebSocket."""

ASIDE = (Ping, Pong, Chat, Quick, Again, Clocks, People, Doors)
"""What may come between any two messages of a dialogue."""

HERE = "127.0.0.1"

MOST = 10_000
"""Messages that may pass in one case."""

COME = 0.1
"""Seconds in which we read what has come."""

AGAIN = 0.02
"""Seconds between two calls to a program that is only being started."""

M = TypeVar("M", bound=Message)


class Broken(Exception):
    """The program under test broke the MUST of this case; the argument is a sentence."""


class PutOff(Broken):
    """The program has no time for us now, as a busy listener may say to a new key."""


class CannotStart(Exception):
    """The command that starts the program under test failed; the argument is a sentence."""


class NoChannel(Broken):
    """The handshake failed, or the program refused the proven identity."""


PUT_OFF = (ByeCode.TAKEN, ByeCode.CROWDED)
TRIES, PAUSE = 60, 1.0
"""How often somebody who is put off calls again, and after how many seconds."""

OnBench = Callable[["Bench"], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Numbered:
    number: int  # never used for another case
    musts: str  # ids of the rules in protocol/musts.md that it tests; the first decides its page
    title: str


@dataclass(frozen=True, slots=True)
class KitCase(Numbered):
    """A case for a program that plays."""

    play: OnBench
    needs: frozenset[str] = frozenset()  # RUN, WEB


@dataclass(frozen=True, slots=True)
class Passed:
    """Bytes that went over a link, or an event of the link in words."""

    way: str  # `sent`, `got` or `link`
    data: bytes = b""
    words: str = ""


@dataclass
class Bench:
    """One run of the kit."""

    address: str | int  # where the listener under test waits, or the port where the kit waits for a coordinator
    patience: float  # seconds to wait for anything that is due
    chance: Random
    run: str = ""  # command that starts the program anew for each case; "" if it runs already
    passed: list[Passed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reached = False
        self._listener: trio.SocketListener | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._home: TemporaryDirectory[str] | None = None

    @property
    def offers(self) -> frozenset[str]:
        return frozenset([RUN] * bool(self.run) + [WEB] * (isinstance(self.address, str) and is_web(self.address)))

    @property
    def waits(self) -> bool:
        """Return whether the program under test calls us."""
        return isinstance(self.address, int)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Wait for calls during one case, if the program calls us. Raises CannotListen."""
        if not isinstance(self.address, int):
            yield
            return
        (self._listener,) = await tcp.listen(self.address, HERE)
        async with self._listener:  # with whoever called too late for this case
            yield

    def new_key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32))

    # --- the program --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the program, in its home from before or else an empty one. Raises CannotStart."""
        if not self.run:
            return
        words = split_command(self.run)
        self._home = self._home or TemporaryDirectory(prefix="p2pcards-conform-")
        words = [word.replace("{home}", self._home.name) for word in words]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStart(f"'{words[0]}' cannot be started: {error.strerror}.") from None

    def kill(self) -> None:
        """Kill the program and all that it has started, as a power failure would."""
        if self._process:
            with suppress(ProcessLookupError):
                if sys.platform == "win32":
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def end(self) -> None:
        """Stop the program under test."""
        self.kill()
        if self._home:
            self._home.cleanup()
        self._home = None

    # --- links --------------------------------------------------------------------------------------------------------

    async def stream(self) -> trio.abc.Stream:
        """A connection to the program; from a coordinator under test, the next one that it opens. Raises CannotConnect
        where nothing ever answered and no command starts it."""
        if self._listener:
            return await self._accept_call(self._listener)
        with trio.move_on_after(self.patience):
            while True:
                try:
                    return await self._connect()
                except tcp.CannotConnect as error:
                    if not self.run and not self._reached:
                        raise
                    if self._process is None or self._process.poll() is not None:
                        raise Broken(error.sentence) from None
                await trio.sleep(AGAIN)
        raise Broken(f"Nothing answers at {self.address} within {self.patience:g} s.")

    async def _connect(self) -> trio.abc.Stream:
        assert isinstance(self.address, str)
        if is_web(self.address):
            stream: trio.abc.Stream = await connect_websocket(self.address, self.patience)
        else:
            stream = await tcp.connect(*parse_address(self.address), deadline=self.patience)
        self._reached = True
        return stream

    async def _accept_call(self, listener: trio.SocketListener) -> trio.abc.Stream:
        door = WebDoor({})
        with trio.move_on_after(self.patience):
            while True:
                arrival = await door.caller(await listener.accept())
                if arrival is not None:
                    return arrival.stream
        raise Broken(f"It does not call within {self.patience:g} s.")

    async def meet(self, key: Ed25519PrivateKey) -> End:
        """A new link to the program under test, after the handshake."""
        stream = await self.stream()
        try:
            channel = await open_channel(
                stream, initiator=not self.waits, identity=key, where="the program", deadline=self.patience
            )
        except ChannelRefused as refused:
            raise NoChannel(f"The handshake fails. {refused}") from None
        self.passed.append(Passed("link", words="a new link; the handshake is over"))
        return End(channel, stream, self)


def split_command(command: str) -> list[str]:
    """The words of a command line, as a shell splits them. Raises CannotStart."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise CannotStart(f"This is no command: {command}. A quote may be missing.")
    return words


class End:
    """Our end of a link. goodbye: the BYE that came; over: the link has ended."""

    def __init__(self, channel: Channel, stream: trio.abc.Stream, bench: Bench) -> None:
        self.channel = channel
        self._stream = stream
        self.goodbye: Bye | None = None
        self.over = False
        self._bench = bench
        self._pings = 0

    @property
    def peer(self) -> bytes:
        """The identity proven by the program under test."""
        return self.channel.peer

    async def send(self, *messages: Message | bytes) -> None:
        """Send messages, or bytes as they are."""
        for message in messages:
            data = message if isinstance(message, bytes) else encode_message(message)
            self._bench.passed.append(Passed("sent", data))
            try:
                await self.channel.send(data)
            except LinkLost:  # what came before that is still to be read
                return

    async def receive(self) -> Message | None:
        """The next message, None at the end of the link. A PING is answered."""
        if self.over:
            return None
        try:
            with trio.fail_after(self._bench.patience):
                data = await self.channel.receive()
        except trio.TooSlowError:
            raise Broken(f"It sends nothing within {self._bench.patience:g} s.") from None
        except LinkLost:
            self.over = True
            self._bench.passed.append(Passed("link", words="the link is over"))
            return None
        self._bench.passed.append(Passed("got", data))
        if len(self._bench.passed) > MOST:
            raise Broken(f"More than {MOST:,} messages have passed, and the case does not end.")
        try:
            message = decode_message(data)
        except Refused as refused:
            raise Broken(f"It sends bytes that are no message. {refused}") from None
        if isinstance(message, Ping):
            await self.send(Pong(message.number))
        if isinstance(message, Bye):
            self.goodbye = message
            if message.code in PUT_OFF and not self._bench.run:
                await self.close()
                raise PutOff(f"It hangs up{self._describe_end()}.")
        return message

    async def come(self) -> Message | None:
        """The next message that has come by now, None for none."""
        with trio.move_on_after(COME):
            return await self.receive()
        return None

    async def expect(self, *kinds: type[M]) -> M:
        """The next message, which must be one of these kinds; those that may come at any time are skipped."""
        while True:
            message = await self.receive()
            if isinstance(message, kinds):
                return message
            if message is None or isinstance(message, Bye):
                raise Broken(f"It hangs up{self._describe_end()} where {message_names(*kinds)} is due.")
            if not isinstance(message, ASIDE):
                raise Broken(f"It sends {message_names(type(message))} where {message_names(*kinds)} is due.")

    async def answers(self) -> list[Message]:
        """All that the program answers to what it was sent, up to its PONG to a PING or the end of the link."""
        self._pings += 1
        await self.send(Ping(self._pings))
        said: list[Message] = []
        while (message := await self.receive()) not in (None, Pong(self._pings)):
            assert message is not None
            said.append(message)
        return said

    async def expect_hang_up(self, *codes: ByeCode) -> None:
        """Check that the program ends the link, with a BYE of one of these codes if any are given."""
        await self.answers()
        if not self.over and self.goodbye is None:
            raise Broken("It goes on as if nothing were wrong: it answers the PING that follows.")
        while not self.over:
            await self.receive()
        if codes and (self.goodbye is None or self.goodbye.code not in codes):
            wanted = " or ".join(str(int(code)) for code in codes)
            raise Broken(f"It hangs up{self._describe_end() or ' without a BYE'}; BYE {wanted} is due.")

    async def close(self) -> None:
        await self.channel.aclose()
        self.over = True

    async def cut(self) -> None:
        """Cut the link as a broken line would."""
        self._bench.passed.append(Passed("link", words="cut by us"))
        await trio.aclose_forcefully(self._stream)
        self.over = True

    def _describe_end(self) -> str:
        return f' (BYE {int(self.goodbye.code)} "{visible(self.goodbye.text)}")' if self.goodbye else ""


NAMES = {"HeaderPart": "HEADER", "RecordMessage": "RECORD", "MoveMessage": "MOVE", "RefusedMove": "REFUSED"}


def message_names(*kinds: type) -> str:
    """The names of these messages, as in protocol/registry.md."""
    return " or ".join(NAMES.get(kind.__name__, kind.__name__.upper()) for kind in kinds)
