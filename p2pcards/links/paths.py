"""Direct paths for streams through brokers (protocol/reach.md): the TCP port of this program, the calls to places that
the other end names, and the data channel. A path carries frames; what is lost on one comes again by another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from random import SystemRandom
from typing import TYPE_CHECKING

import trio

from p2pcards.links.data_channel import Prepare, open_direct
from p2pcards.links.door import Fault, HalfOpen, raise_it, source_of, take_connections
from p2pcards.links.link import StreamFailed
from p2pcards.links.relayed import LONGEST_SIGNAL, PAYLOAD, Signal, connection_of
from p2pcards.links.relayed_stream import DirectPath, RelayedStream
from p2pcards.links.signals import (
    ADDRESSES,
    CALLED,
    DATA_CHANNEL,
    Address,
    AddressesToCall,
    BadSignal,
    SocketAddress,
    can_be_a_friend,
    read_addresses,
    write_addresses,
)
from p2pcards.links.tcp import CannotConnect, CannotListen, connect, listen, own_addresses, port_of, where
from p2pcards.session.bounds import Slots

if TYPE_CHECKING:
    from p2pcards.links.mapping import Mapped, NotMapped

ROUND = 10.0
"""Seconds until nothing is expected to open any more."""
PAUSES = (60.0, 300.0, 900.0)
"""Seconds until the next round when nothing has opened; the last of them from then on."""
SETTLING = 1.0
"""Seconds from the loss of a direct path to the next round."""
ROUNDS_AT_ONCE, ROUNDS_EACH = 4, 30.0
"""Rounds of a caller that are answered at once, and seconds for one more."""

NO_WAY = (
    "No direct connection opened, and your settings rule out playing through a broker. To allow it: "
    "p2pcards config set ways tcp router direct broker"
)

PROVING = 5.0
"""Seconds for the first frame on a connection that somebody opened to us."""
UNPROVEN = 8
"""Such connections."""
UNSENT = 128
"""Frames that wait on a path; more are dropped, and sent again if they were needed."""
HEARD = 64
"""Texts of the other end that wait."""
GATHERING = 0.02
"""Seconds in which texts are gathered for one signal."""
TEXT = 1024
"""Bytes of our own texts, at most."""


class DirectPaths:
    """The direct paths of one program. find: the streams with a connection. ways: "tcp", "router" (with tcp), "direct"
    and "broker", without which a stream ends that does not become direct. webrtc: makes data channels, None where there
    are none. stun: hosts and ports of STUN servers. no_way: the sentence with which such a stream ends."""

    def __init__(
        self,
        find: Callable[[bytes], Iterable[RelayedStream]],
        *,
        ways: Iterable[str],
        webrtc: Prepare | None = None,
        stun: Sequence[tuple[str, int]] = (),
        admits: Callable[[Address], bool] = can_be_a_friend,
        fault: Fault = raise_it,
        no_way: str = NO_WAY,
    ) -> None:
        self.webrtc = webrtc
        self.stun = stun
        self.no_way = no_way
        self.admits = admits
        self.ways = frozenset(ways)
        self.must_be_direct = "broker" not in self.ways
        self.fault = fault
        self.changed = trio.Event()
        self._find = find
        self._port = 0
        self._mapped: dict[int, SocketAddress] = {}
        self._half_open = HalfOpen(UNPROVEN, SystemRandom())
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep direct paths going; cancelling ends all."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if "tcp" in self.ways:
                await self._listen(nursery)
            task_status.started()
            await trio.sleep_forever()

    async def _listen(self, nursery: trio.Nursery) -> None:
        """Accept connections on a TCP port, if one can be opened."""
        try:
            listeners = await listen(0)
        except CannotListen:
            return
        self._port = port_of(listeners[0])
        for listener in listeners:
            nursery.start_soon(self._contain, partial(take_connections, listener, self._take, nursery))
        if "router" in self.ways:
            from p2pcards.links.mapping import map_port  # which a page has not

            for version in (4, 6):
                mapping = partial(map_port, self._port, partial(self._note_mapping, version), version=version)
                nursery.start_soon(self._contain, mapping)

    async def _contain(self, part: Callable[[], Awaitable[None]]) -> None:
        """Run a part; a mistake of the program costs only that part."""
        try:
            await part()
        except Exception as error:
            self.fault(error)

    def _note_mapping(self, version: int, outcome: Mapped | NotMapped) -> None:
        """Note the port that the router has opened or lost. version: of IP."""
        from p2pcards.links.mapping import Mapped

        self._mapped.pop(version, None)
        if isinstance(outcome, Mapped):
            self._mapped[version] = SocketAddress(outcome.address, outcome.port)
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    def advertised(self) -> list[SocketAddress]:
        """The addresses at which this program can be called, as far as known."""
        if not self._port:
            return []
        own = [SocketAddress(ip_address(address), self._port) for address, _ in own_addresses()]
        named = dict.fromkeys([*self._mapped.values(), *own])
        return [one for one in named if self.admits(one.address)]

    async def _take(self, tcp: trio.SocketStream) -> None:
        """Take a connection to our port, which must prove to belong to a stream."""
        source, scope = source_of(tcp), trio.CancelScope(deadline=trio.current_time() + PROVING)
        self._half_open.enter(source, scope)
        taken = None
        try:
            with scope:
                frames = Frames(tcp)
                taken = self._proven(await frames.receive())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        finally:
            self._half_open.leave(source, scope)
            if taken is None:
                tcp.socket.close()
        if taken is not None:
            await self.carry(*taken, frames, tcp, where(tcp))

    def _proven(self, frame: bytes | None) -> tuple[RelayedStream, int] | None:
        """(stream, number of the new path) that this first frame belongs to, None if it fits none."""
        if frame is None or (connection := connection_of(frame)) is None:
            return None
        for stream in self._find(connection):
            number = stream.reserve_path()
            if stream.receive_frame(frame, number):
                return stream, number
        return None

    def open(self, stream: RelayedStream, transport: trio.abc.Stream, leads_to: str) -> None:
        """Add a path that this end has opened."""
        assert self._nursery is not None, "it runs"
        self._nursery.start_soon(self.carry, stream, stream.reserve_path(), Frames(transport), transport, leads_to)

    async def carry(
        self, stream: RelayedStream, number: int, frames: Frames, transport: trio.abc.Stream, leads_to: str
    ) -> None:
        """Carry frames on a path until it or the stream is over."""
        waiting, to_send = trio.open_memory_channel[bytes](UNSENT)

        def send(frame: bytes) -> None:
            """Queue a frame for the path; dropped if too many wait."""
            with suppress(trio.WouldBlock):
                waiting.send_nowait(frame)

        try:
            async with transport, trio.open_nursery() as nursery:
                path = DirectPath(leads_to, send, nursery.cancel_scope.cancel)
                stream.add_path(number, path)
                nursery.start_soon(_send_all, transport, to_send, nursery.cancel_scope)
                while (frame := await frames.receive()) is not None:
                    stream.receive_frame(frame, number)
                nursery.cancel_scope.cancel()
        except* (trio.BrokenResourceError, trio.ClosedResourceError, StreamFailed):
            pass
        except* Exception as group:
            for error in group.exceptions:
                self.fault(error)
        finally:
            stream.drop_path(number)

    async def seek(self, stream: RelayedStream, *, calls: bool) -> None:
        """Find direct paths for a stream as long as it lasts. Its other end is proven."""
        await self._contain(_Search(self, stream, calls).run)


async def _send_all(
    transport: trio.abc.Stream, frames: trio.MemoryReceiveChannel[bytes], scope: trio.CancelScope
) -> None:
    """Send frames on a path until that fails."""
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError, StreamFailed):
        async for frame in frames:
            await transport.send_all(len(frame).to_bytes(2, "big") + frame)
    scope.cancel()


class Frames:
    """The frames that arrive on a path."""

    def __init__(self, transport: trio.abc.Stream) -> None:
        self._transport = transport
        self._arrived = bytearray()

    async def receive(self) -> bytes | None:
        """The next frame, None if the path has ended or carries garbage."""
        while True:
            size = int.from_bytes(self._arrived[:2], "big")
            if len(self._arrived) >= 2 and not 0 < size <= PAYLOAD:
                return None
            if len(self._arrived) >= 2 + size > 2:
                frame = bytes(self._arrived[2 : 2 + size])
                del self._arrived[: 2 + size]
                return frame
            some = await self._transport.receive_some()
            if not some:
                return None
            self._arrived += some


class _Search:
    """The rounds of one stream."""

    def __init__(self, paths: DirectPaths, stream: RelayedStream, calls: bool) -> None:
        self._paths = paths
        self._stream = stream
        self._calls = calls
        self._to_call = AddressesToCall(paths.admits)
        self._slots = Slots(ROUNDS_AT_ONCE, ROUNDS_EACH)
        self._round = self._new_round(0)

    def _new_round(self, attempt: int) -> _Round:
        """The round with this number."""
        return _Round(self._paths, self._stream, self._to_call, attempt, self._calls)

    async def run(self) -> None:
        """Take signals, and call if this end does, as long as the stream lasts."""
        async with trio.open_nursery() as nursery:
            if self._calls:
                nursery.start_soon(self._keep_calling)
            nursery.start_soon(self._settle)
            while (signal := await self._stream.next_signal()) is not None:
                self._take(signal, nursery)
            nursery.cancel_scope.cancel()

    async def _keep_calling(self) -> None:
        """Start rounds, with pauses, while the stream is not direct."""
        failed = 0
        while True:
            self._round = self._new_round(self._round.attempt + 1)
            await self._round.run()
            if self._stream.is_direct:
                failed = 0
                await self._stream.direct(False)
                await trio.sleep(SETTLING)
            else:
                with trio.move_on_after(PAUSES[min(failed, len(PAUSES) - 1)]):
                    await self._stream.direct(True)
                failed += 1

    async def _settle(self) -> None:
        """Report which way the stream takes once a round has passed."""
        before = None
        while not self._stream.is_over:
            with trio.move_on_after(SETTLING + ROUND):
                await self._stream.direct(True)
            is_direct = self._stream.is_direct
            if self._paths.must_be_direct and not is_direct:
                self._stream.fail(self._paths.no_way)
                return
            if is_direct != before:
                self._stream.settle_way()
            before = is_direct
            await self._stream.direct(not is_direct)

    def _take(self, signal: Signal, nursery: trio.Nursery) -> None:
        """Take a signal; one of a new round starts it here, too."""
        is_next = not self._calls and signal.attempt > self._round.attempt
        if is_next and self._slots.acquire(trio.current_time()):
            self._round.scope.cancel()
            self._round = self._new_round(signal.attempt)
            nursery.start_soon(self._round.run)
        if signal.attempt == self._round.attempt:
            self._round.add_signal(signal)


class _Round:
    def __init__(
        self, paths: DirectPaths, stream: RelayedStream, to_call: AddressesToCall, attempt: int, calls: bool
    ) -> None:
        self.attempt = attempt
        self.scope = trio.CancelScope()
        self._paths = paths
        self._stream = stream
        self._to_call = to_call
        self._calls = calls
        self._addresses, self._to_dial = trio.open_memory_channel[SocketAddress](CALLED)
        self._tells, self._heard = trio.open_memory_channel[bytes](HEARD)

    def add_signal(self, signal: Signal) -> None:
        """Take what the other end tells in this round."""
        with suppress(trio.WouldBlock, BadSignal):
            if signal.kind == ADDRESSES and "tcp" in self._paths.ways:
                for place in self._to_call.admit(read_addresses(signal.data)):
                    self._addresses.send_nowait(place)
            elif signal.kind == DATA_CHANNEL:
                for text in signal.data.split(b"\0"):
                    self._tells.send_nowait(text)

    async def run(self) -> None:
        """Try until the stream is direct or the time is over."""
        self.scope.deadline = trio.current_time() + ROUND
        with self.scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tell_addresses)
                nursery.start_soon(self._dial, nursery)
                if "direct" in self._paths.ways and self._paths.webrtc is not None:
                    nursery.start_soon(self._open_data_channel, self._paths.webrtc)
                await self._stream.direct(True)
                nursery.cancel_scope.cancel()

    async def _tell_addresses(self) -> None:
        """Tell the other end our addresses, now and when they change."""
        told: list[SocketAddress] | None = None
        while True:
            changed, places = self._paths.changed, self._paths.advertised()
            if places != told:
                self._stream.send_signal(Signal(self.attempt, ADDRESSES, write_addresses(places)))
                told = places
            await changed.wait()

    async def _dial(self, nursery: trio.Nursery) -> None:
        """Call the addresses of the other end as they come."""
        async for place in self._to_dial:
            nursery.start_soon(self._call, place)

    async def _call(self, place: SocketAddress) -> None:
        """Call one address and add the path."""
        with suppress(CannotConnect):
            tcp = await connect(str(place.address), place.port, deadline=ROUND)
            self._paths.open(self._stream, tcp, where(tcp))

    async def _open_data_channel(self, webrtc: Prepare) -> None:
        """Open a WebRTC data channel and add the path."""
        tells, told = trio.open_memory_channel[bytes](HEARD)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_texts, told)
            with suppress(CannotConnect):
                channel = await open_direct(
                    tells, self._heard, webrtc, calls=self._calls, deadline=ROUND, servers=self._paths.stun
                )
                self._paths.open(self._stream, channel, channel.where)
            nursery.cancel_scope.cancel()

    async def _tell_texts(self, told: trio.MemoryReceiveChannel[bytes]) -> None:
        """Tell the other end WebRTC signals, all waiting ones at once."""
        async for text in told:
            texts = [text]
            await trio.sleep(GATHERING)
            with suppress(trio.WouldBlock):
                while sum(map(len, texts)) + len(texts) + TEXT <= LONGEST_SIGNAL:
                    texts.append(told.receive_nowait())
            self._stream.send_signal(Signal(self.attempt, DATA_CHANNEL, b"\0".join(texts)))
