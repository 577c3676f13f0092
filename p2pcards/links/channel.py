"""The encrypted channel: a link over any byte stream, with both identities proven.

Three Noise XX messages of fixed size open it (390 bytes with their lengths). Each side's key inside Noise is made for
this session alone; messages 2 and 3 carry who it belongs to:

    payload = Ed25519 public key, 32 bytes | signature over LABEL | role | hash, 64 bytes

where `hash` is the handshake hash under which this payload is sealed and `role` is 1 for who opened the connection
and 2 for who waited. From then on each message is `u16 length | sealed message`, sealed under a counter, so that none
can be altered, repeated, left out or exchanged for another. A long message goes over a slow line in pieces.

The initiator is done after message 3, before the other side has judged it. So an open channel does not yet mean that
the listener agreed: the first message received from it does.
"""

from contextlib import suppress

import trio

from p2pcards.links.link import Line, LinkLost, Prompt, StreamFailed
from p2pcards.links.noise import TAG_SIZE, Cipher, Garbled, Handshake
from p2pcards.links.tcp import read_some, write_now
from p2pcards.wire.crypto import Ed25519PrivateKey, InvalidSignature, X25519PrivateKey
from p2pcards.wire.keys import KEY_SIZE, RefusedKey, admit, fingerprint, public_bytes

PROLOGUE = b"p2pcards 1"
LABEL = b"p2pcards channel 1"
INITIATOR, RESPONDER = b"\x01", b"\x02"
HELLO, ANSWER, PROOF = 32, 192, 160
"""Bytes of the three handshake messages, without their lengths."""

MAX_SIZE = 4096
PIECE = 494
"""Bytes of a message in one frame on a slow line: the frame has 512."""
MORE = 0x8000
"""Set in the length of a piece that is not the last one of its message; sealed with it as associated data."""

LINGER = 1.0
"""Seconds that closing waits for the other side to take what was sent and close too; a slow line sees to it itself."""


class ChannelRefused(Exception):
    """No channel came about. The argument is a sentence that a player understands; subclasses tell the cause."""


class WrongKey(ChannelRefused):
    """The other side proved an identity that is not the pinned one."""

    def __init__(self, where: str, pin: bytes, seen: bytes) -> None:
        super().__init__(
            f"{where} used to have the key {fingerprint(pin)}, but now has {fingerprint(seen)}. It may be a new "
            "installation, or someone else: ask your friend another way. If the new key is right, run 'p2pcards peers "
            "forget' and connect again."
        )
        self.pin = pin
        self.seen = seen


class NotOurs(ChannelRefused):
    """What came is not this protocol: another program, another version, or bytes altered on the way."""


class TooSlow(ChannelRefused):
    """The deadline for the whole handshake passed."""


class CutOff(ChannelRefused):
    """The stream ended or broke before the handshake was complete."""


class Ourselves(ChannelRefused):
    """The identity at the other end is our own."""


class _Ended(Exception):
    """The stream ended; `clean` if that was between two frames."""

    def __init__(self, clean: bool) -> None:
        super().__init__()
        self.clean = clean


class _Frames:
    """`u16 length | body` on a byte stream; keeps what has arrived of the next frame, so that a cancelled receive
    loses nothing."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._arrived = bytearray()

    async def send(self, body: bytes) -> None:
        await self.stream.send_all(len(body).to_bytes(2, "big") + body)

    async def receive(self, shortest: int, longest: int) -> tuple[bytes, bool]:
        """The next frame's body, and True if more pieces follow. Raises Garbled for a length out of bounds at once, and
        _Ended."""
        waited = False
        while True:
            if len(self._arrived) >= 2:
                length = int.from_bytes(self._arrived[:2], "big")
                size = length & ~MORE
                if not shortest <= size <= longest:
                    raise Garbled(f"a length of {size}, not {shortest} to {longest}")
                if len(self._arrived) >= 2 + size:
                    if not waited:
                        await trio.lowlevel.checkpoint()
                    body = bytes(self._arrived[2 : 2 + size])
                    del self._arrived[: 2 + size]
                    return body, length != size
            chunk = await read_some(self.stream)
            waited = True
            if not chunk:
                raise _Ended(clean=not self._arrived)
            self._arrived += chunk


class Channel:
    """A Link whose other side has proven its identity. Made by open_channel."""

    def __init__(
        self,
        frames: _Frames,
        sealer: Cipher,
        opener: Cipher,
        *,
        peer: bytes,
        where: str,
        binding: bytes,
        line: Line | None = None,
    ) -> None:
        self.peer = peer
        self.where = where
        self.max_size = MAX_SIZE
        self.line = line
        self.binding = binding
        """32 bytes, the same on both sides and of this session alone (the final handshake hash)."""
        self._frames = frames
        self._sealer = sealer
        self._opener = opener
        self._pieces = b""  # of the message that is arriving
        self._backlog = bytearray()
        self._flushing = trio.Lock()
        self._cannot_send: str | None = None
        self._cannot_receive: str | None = None
        self._put_back = b""

    @property
    def waiting(self) -> int:
        """Bytes given to `send_nowait` that are not sent yet."""
        return len(self._backlog)

    @property
    def way(self) -> str:
        """What the channel goes through now, for people; "" if it is direct."""
        return self._frames.stream.way if isinstance(self._frames.stream, Prompt) else ""

    async def next_way(self) -> bool:
        """Wait until the way is settled or changes; True if it is direct."""
        if isinstance(self._frames.stream, Prompt):
            return await self._frames.stream.next_way()
        return bool(await trio.sleep_forever())

    def send_nowait(self, message: bytes) -> None:
        """Send a message as far as possible without waiting; `flush` sends the rest. Raises LinkLost."""
        if not 1 <= len(message) <= self.max_size:
            raise ValueError(f"a message has 1 to {self.max_size} bytes, this one {len(message)}")
        if self._cannot_send:
            raise LinkLost(self._cannot_send)
        frame = self._seal(message)
        free = not self._backlog and not self._flushing.locked()
        self._backlog += frame[write_now(self._frames.stream, frame) :] if free else frame

    def _seal(self, message: bytes) -> bytes:
        """The encrypted frames of a message, one for each piece."""
        if self.line is None or len(message) <= PIECE:
            sealed = self._sealer.seal(message)
            return len(sealed).to_bytes(2, "big") + sealed
        marked = (MORE | PIECE + TAG_SIZE).to_bytes(2, "big")
        return marked + self._sealer.seal(message[:PIECE], marked) + self._seal(message[PIECE:])

    async def send(self, message: bytes) -> None:
        """Send a message, waiting until it is out. Raises LinkLost."""
        await trio.lowlevel.checkpoint_if_cancelled()
        self.send_nowait(message)
        await self.flush()

    async def flush(self) -> None:
        """Wait until everything is sent. Raises LinkLost."""
        await trio.lowlevel.checkpoint()
        async with self._flushing:
            while self._backlog:
                if self._cannot_send:
                    raise LinkLost(self._cannot_send)
                frames = bytes(self._backlog)
                await self._send_sealed(frames)
                del self._backlog[: len(frames)]

    async def _send_sealed(self, frames: bytes) -> None:
        """Send frames; cancelling this breaks the channel."""
        try:
            await self._frames.stream.send_all(frames)
        except trio.Cancelled:
            await self._break("This side stopped in the middle of a message, so the connection was closed.")
            raise
        except trio.BrokenResourceError as broken:
            raise self._no_more_out(self._why_broken(broken)) from None
        except trio.ClosedResourceError:
            raise self._no_more_out(self._closed_here()) from None

    def put_back(self, message: bytes) -> None:
        """Have `receive` return this message again, for another task."""
        self._put_back = message

    async def receive(self) -> bytes:
        """The next message. Raises LinkLost."""
        if self._put_back:
            await trio.lowlevel.checkpoint()
            message, self._put_back = self._put_back, b""
            return message
        if self._cannot_receive:
            raise LinkLost(self._cannot_receive)
        try:
            return await self._receive()
        except Garbled as garbled:
            sentence = (
                f"Data from {self.where} was altered, repeated or lost on the way ({garbled}). The connection was "
                "closed to be safe."
            )
            await self._break(sentence)
        except _Ended as end:
            if end.clean:
                sentence = f"{self.where} closed the connection."
            else:
                sentence = f"The connection to {self.where} was cut in the middle of a message."
        except trio.BrokenResourceError as broken:
            sentence = self._why_broken(broken)
        except trio.ClosedResourceError:
            sentence = self._closed_here()
        raise self._no_more_in(sentence)

    async def _receive(self) -> bytes:
        """The next message, put together from its pieces. Raises Garbled and the stream's errors."""
        while True:
            left = self.max_size - len(self._pieces)
            sealed, more = await self._frames.receive(TAG_SIZE + 1, left + TAG_SIZE)
            if more:
                self._pieces += self._opener.open(sealed, (MORE | len(sealed)).to_bytes(2, "big"))
                continue
            message, self._pieces = self._pieces + self._opener.open(sealed), b""
            return message

    async def aclose(self) -> None:
        whole = self._cannot_send is None
        self._no_more_out(self._closed_here())
        self._no_more_in(self._closed_here())
        try:
            if whole:
                await self._drain()
        finally:
            await self._frames.stream.aclose()

    async def _drain(self) -> None:
        """End the stream and wait for the other side's end. Closing a TCP socket with unread bytes would make the
        kernel drop what the other side has not yet read."""
        stream = self._frames.stream
        if not isinstance(stream, trio.abc.HalfCloseableStream) or self.line is not None:
            return
        with (
            trio.move_on_after(LINGER),
            suppress(trio.BusyResourceError, trio.BrokenResourceError, trio.ClosedResourceError),
        ):
            await stream.send_eof()
            while await stream.receive_some():
                pass

    async def _break(self, sentence: str) -> None:
        """Close the channel at once. sentence: why, for both directions."""
        self._no_more_out(sentence)
        self._no_more_in(sentence)
        await trio.aclose_forcefully(self._frames.stream)

    def _no_more_out(self, sentence: str) -> LinkLost:
        """Refuse to send from now on; returns the LinkLost for the first reason given."""
        self._cannot_send = self._cannot_send or sentence
        return LinkLost(self._cannot_send)

    def _no_more_in(self, sentence: str) -> LinkLost:
        """Refuse to receive from now on; returns the LinkLost for the first reason given."""
        self._cannot_receive = self._cannot_receive or sentence
        return LinkLost(self._cannot_receive)

    def _why_broken(self, broken: trio.BrokenResourceError) -> str:
        """The sentence for a broken stream."""
        return str(broken) if isinstance(broken, StreamFailed) else f"The connection to {self.where} broke."

    def _closed_here(self) -> str:
        """The sentence for a channel that this side closed."""
        return f"This side closed the connection to {self.where}."


async def open_channel(
    stream: trio.abc.Stream,
    *,
    initiator: bool,
    identity: Ed25519PrivateKey,
    pin: bytes | None = None,
    where: str,
    deadline: float,
    line: Line | None = None,
) -> Channel:
    """Greet the other side of `stream` and become a channel, or raise ChannelRefused and close the stream.

    `pin`: the public key that the other side must prove; None takes any. `deadline`: seconds for the whole
    handshake. `line`: the slow line that carries the stream, if one does. The channel owns the stream from the first
    moment: whatever ends this call early closes it.
    """
    try:
        with trio.fail_after(deadline):
            return await _greet(_Frames(stream), initiator, identity, pin, where, line)
    except trio.TooSlowError:
        await trio.aclose_forcefully(stream)
        raise TooSlow(
            f"{where} answered but didn't finish connecting within {deadline:g} s. It may be another program, or a "
            "very slow line. Check the address and try again."
        ) from None
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise


async def _greet(
    frames: _Frames, initiator: bool, identity: Ed25519PrivateKey, pin: bytes | None, where: str, line: Line | None
) -> Channel:
    """Do the Noise handshake, check the identity, and return the channel. Raises ChannelRefused and Garbled."""
    handshake = Handshake(
        initiator=initiator,
        prologue=PROLOGUE,
        static=X25519PrivateKey.generate(),
        ephemeral=X25519PrivateKey.generate(),
    )
    own, theirs = (INITIATOR, RESPONDER) if initiator else (RESPONDER, INITIATOR)

    def proof(sealed_under: bytes) -> bytes:
        """The public key and its signature over the handshake so far."""
        return public_bytes(identity) + identity.sign(LABEL + own + sealed_under)

    async def read(size: int) -> tuple[bytes, bytes]:
        """Read a handshake message of this size: (hash it was sealed under, payload)."""
        body, more = await frames.receive(size, size)
        if more:
            raise Garbled("a piece where a handshake message belongs")
        return handshake.read(body)

    try:
        if initiator:
            await frames.send(handshake.write(lambda _: b""))
            peer = _proven(*await read(ANSWER), theirs)
            _expect(peer, identity, pin, where)
            await frames.send(handshake.write(proof))
        else:
            await read(HELLO)
            await frames.send(handshake.write(proof))
            peer = _proven(*await read(PROOF), theirs)
            _expect(peer, identity, pin, where)
    except (Garbled, RefusedKey, InvalidSignature):
        raise NotOurs(
            f"{where} doesn't speak p2pcards, or the line garbles it. Check the address and port, and that both of you "
            "have the same version of p2pcards."
        ) from None
    except (trio.BrokenResourceError, trio.ClosedResourceError, _Ended) as end:
        raise CutOff(
            str(end)
            if isinstance(end, StreamFailed)
            else f"{where} hung up before the connection was complete. It may be busy. Try again later."
        ) from None
    sealer, opener = handshake.split()
    return Channel(frames, sealer, opener, peer=peer, where=where, binding=handshake.hash, line=line)


def _proven(sealed_under: bytes, payload: bytes, role: bytes) -> bytes:
    """The peer's public key in this handshake payload, if its holder signed the handshake. Raises RefusedKey and
    InvalidSignature."""
    peer, signature = payload[:KEY_SIZE], payload[KEY_SIZE:]
    admit(peer).verify(signature, LABEL + role + sealed_under)
    return peer


def _expect(peer: bytes, identity: Ed25519PrivateKey, pin: bytes | None, where: str) -> None:
    """Raise Ourselves or WrongKey for a peer that is not the one expected. pin: the expected key, None for any."""
    if peer == public_bytes(identity):
        raise Ourselves(f"{where} is this machine: you called yourself. Give a friend's address.")
    if pin is not None and peer != pin:
        raise WrongKey(where, pin, peer)
