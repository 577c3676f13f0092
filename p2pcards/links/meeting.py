"""Meeting at brokers: names and keys of places, the door of a waiter, and the call (protocol/reach.md)."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from random import Random, SystemRandom
from typing import Literal, Protocol, TypeVar

import trio

from p2pcards.links.broker import Broker, BrokerLost
from p2pcards.links.channel import Channel, ChannelRefused
from p2pcards.links.door import DEADLINE, Admit, Fault, HalfOpen, OnChannel, anybody, greet, raise_it, welcome
from p2pcards.links.link import LinkLost, StreamFailed
from p2pcards.links.pairing import CodeRefused
from p2pcards.links.relayed import (
    ANSWER,
    CONNECTION,
    OPENING,
    RATE,
    SHARE,
    Greeting,
    Publication,
    RelayedMachine,
    StreamKeys,
    answer_opening,
    connection_of,
    derive,
    keys_of_answer,
    make_opening,
    opening_is_sealed,
    read_greeting,
)
from p2pcards.links.relayed_stream import RelayedStream
from p2pcards.links.tcp import CannotConnect
from p2pcards.session.bounds import Slots
from p2pcards.wire.crypto import X25519PrivateKey
from p2pcards.wire.invitation import TOKEN
from p2pcards.wire.keys import PrivateKey
from p2pcards.wire.spoken import MEETING_NUMBERS

Entropy = Callable[[int], bytes]
Result = TypeVar("Result")

# --- where to meet ----------------------------------------------------------------------------------------------------


LINK_LABEL, FRIEND_LABEL = b"p2pcards meeting topic 1", b"p2pcards friend topic 1"
KEY_LABEL = b"p2pcards meeting key 1"
NAME = 16
"""Bytes of a derived name, written in hex in a topic."""
DAY = 86400
"""Seconds."""


@dataclass(frozen=True, slots=True)
class MeetingPlace:
    name: str  # seen by the brokers
    key: bytes  # the meeting key, secret between the two ends; b"" for a code
    found_by: Literal["code", "link", "friend"]  # how the caller knows of the place

    @property
    def host_topic(self) -> str:
        """The topic on which the waiter publishes."""
        return f"p2pcards/1/{self.name}/host"

    @property
    def guest_topic(self) -> str:
        """The topic on which the caller publishes."""
        return f"p2pcards/1/{self.name}/guest"


def place_of_code(number: int) -> MeetingPlace:
    """The meeting place of a code. number: one of MEETING_NUMBERS."""
    if number not in MEETING_NUMBERS:
        raise ValueError(f"a code with the number {number} goes with an address")
    return MeetingPlace(str(number), b"", "code")


def place_of_link(token: bytes) -> MeetingPlace:
    """The meeting place of an invitation. token: its TOKEN secret bytes."""
    if len(token) != TOKEN:
        raise ValueError(f"a token has {TOKEN} bytes")
    return MeetingPlace(derive(token, LINK_LABEL, NAME).hex(), derive(token, KEY_LABEL, 32), "link")


def place_of_friend(secret: bytes, waiter: bytes, day: int) -> MeetingPlace:
    """The meeting place of two friends on a day. secret: their pair secret; waiter: the waiter's public key; day: since
    1970, UTC."""
    name = derive(secret, FRIEND_LABEL + day.to_bytes(4, "big") + waiter, NAME)
    return MeetingPlace(name.hex(), derive(secret, KEY_LABEL, 32), "friend")


def places_for_friend(secret: bytes, waiter: bytes, now: float) -> tuple[MeetingPlace, ...]:
    """The places at which to wait for a friend, whose clock may be a day off. now: seconds since 1970."""
    today = int(now // DAY)
    return tuple([place_of_friend(secret, waiter, day) for day in (today - 1, today, today + 1)])


# --- the brokers of a program -----------------------------------------------------------------------------------------


OnGreeting = Callable[[Greeting], None]


class Paths(Protocol):
    """Direct paths, as `paths.DirectPaths` has them. must_be_direct: the brokers carry no game."""

    @property
    def must_be_direct(self) -> bool:
        """True if brokers must carry no game."""

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Keep direct paths going until cancelled."""

    async def seek(self, stream: RelayedStream, *, calls: bool) -> None:
        """Find direct paths for a stream as long as it lasts. calls: this end called."""


OpenPaths = Callable[[Callable[[bytes], list[RelayedStream]]], Paths]


class _NoPaths:
    must_be_direct = False

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Do nothing: there are no direct paths."""
        task_status.started()

    async def seek(self, stream: RelayedStream, *, calls: bool) -> None:
        """Do nothing: only brokers are used."""


def no_paths(_find: Callable[[bytes], list[RelayedStream]]) -> Paths:
    """Paths that use only brokers."""
    return _NoPaths()


class MeetingPoint:
    """The brokers of this program, for all that waits and calls in it. Nothing happens until `run`."""

    def __init__(
        self,
        brokers: Sequence[Broker],
        *,
        entropy: Entropy = os.urandom,
        rate: int = RATE,
        paths: OpenPaths = no_paths,
        fault: Fault = raise_it,
    ) -> None:
        """rate: bytes a second of each stream, all brokers together. paths: makes the direct paths of its streams."""
        self._paths = paths(self._streams_with)
        self._fault = fault
        self.entropy = entropy
        self._rate = rate
        self._brokers = tuple(brokers)
        self._nursery: trio.Nursery | None = None
        self._listeners: dict[str, list[OnGreeting]] = {}
        self._streams: dict[tuple[str, bytes], list[RelayedStream]] = {}
        self._lost: dict[int, str] = {}

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Connect to the brokers until cancelled, which ends all streams."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            await nursery.start(self._paths.run)
            for number, broker in enumerate(self._brokers):
                nursery.start_soon(self._listen, broker, number)
            task_status.started()

    @property
    def why_unreachable(self) -> str:
        """A broker's sentence if all are lost, "" as long as one may be reached."""
        return next(iter(self._lost.values()), "") if len(self._lost) == len(self._brokers) else ""

    async def _listen(self, broker: Broker, number: int) -> None:
        """Deliver what comes from one broker."""
        while True:
            try:
                topic, payload = await broker.receive()
            except BrokerLost as lost:
                self._lost[number] = str(lost)
            else:
                self._lost.pop(number, None)
                try:
                    self._deliver(topic, payload, number)
                except Exception as error:
                    self._fault(error)

    def _deliver(self, topic: str, payload: bytes, broker: int) -> None:
        """Give a payload to its stream, or a greeting to those who listen on its topic."""
        if (connection := connection_of(payload)) is not None:
            for stream in self._streams.get((topic, connection), ()):
                if stream.receive_frame(payload, broker):
                    return
        elif (greeting := read_greeting(payload)) is not None:
            for on_greeting in [*self._listeners.get(topic, ())]:
                on_greeting(greeting)

    def _streams_with(self, connection: bytes) -> list[RelayedStream]:
        """The streams with this connection id."""
        return [one for (_, known), streams in self._streams.items() if known == connection for one in streams]

    def seek_paths(self, stream: RelayedStream, *, calls: bool) -> None:
        """Try to make a stream direct. Its other end is proven."""
        assert self._nursery is not None, "it runs"
        self._nursery.start_soon(partial(self._paths.seek, stream, calls=calls))

    async def until_usable(self, stream: RelayedStream) -> None:
        """Wait until a stream may carry a game. Raises StreamFailed."""
        if self._paths.must_be_direct:
            await stream.become_direct()

    async def publish(self, topic: str, publication: Publication) -> None:
        """Publish a message through one broker or all."""
        for broker in self._brokers if publication.path is None else [self._brokers[publication.path]]:
            await broker.publish(topic, publication.payload)

    async def listen(self, topic: str, on_greeting: OnGreeting) -> None:
        """Call `on_greeting` with each OPENING and ANSWER on a topic, until `ignore`."""
        self._listeners.setdefault(topic, []).append(on_greeting)
        for broker in self._brokers:
            await broker.subscribe(topic)

    def ignore(self, topic: str, on_greeting: OnGreeting) -> None:
        """Stop calling `on_greeting`."""
        self._listeners[topic].remove(on_greeting)
        if not self._listeners[topic]:
            del self._listeners[topic]

    @property
    def stream_count(self) -> int:
        """The number of open streams."""
        return sum(map(len, self._streams.values()))

    def streams_of(self, topic: str, connection: bytes) -> list[RelayedStream]:
        """The streams on a topic with this connection id."""
        return self._streams.get((topic, connection), [])

    def open_stream(
        self, place: MeetingPlace, connection: bytes, keys: StreamKeys, *, calls: bool, answer: bytes = b""
    ) -> RelayedStream:
        """Open a stream and run it. answer: the ANSWER that a waiter sends first."""
        assert self._nursery is not None
        hears, says = place.host_topic, place.guest_topic
        if not calls:
            hears, says = says, hears
        now, count = trio.current_time(), len(self._brokers)
        machine = RelayedMachine(connection, keys, calls=calls, now=now, answer=answer, brokers=count, rate=self._rate)
        addresses = [broker.address for broker in self._brokers]
        stream = RelayedStream(machine, partial(self.publish, says), addresses)
        self._streams.setdefault((hears, connection), []).append(stream)
        self._nursery.start_soon(self._carry, stream, (hears, connection))
        return stream

    async def _carry(self, stream: RelayedStream, way: tuple[str, bytes]) -> None:
        """Run a stream until it is over, then forget it."""
        try:
            await stream.run()
        finally:
            self._streams[way].remove(stream)
            if not self._streams[way]:
                del self._streams[way]


# --- the waiter ----------------------------------------------------------------------------------------------------


HALF_OPEN_STREAMS = 8
STREAMS = 16
AT_ONCE, EACH = 12, 1.0
"""OPENINGs at one place that are taken at once, and seconds for one more."""
REMEMBERED = 256
"""Connections that were answered: an OPENING that is repeated when its stream is over must not lead to another one, or
a wrong code would be tried again."""


CALLER = "a caller at a meeting point"
"""For people."""


class Waiting:
    """A door at the brokers: greets callers as `keep_door` does at a port, from `run` on."""

    def __init__(
        self,
        point: MeetingPoint,
        *,
        identity: PrivateKey,
        on_channel: OnChannel,
        admit: Admit = anybody,
        admit_invited: Admit = anybody,
        deadline: float = DEADLINE,
        chance: Random | None = None,
        fault: Fault = raise_it,
    ) -> None:
        """As in `keep_door`. admit_invited: is asked of those who come by a link."""
        self._point = point
        self._identity = identity
        self._on_channel = on_channel
        self._admit = admit
        self._admit_invited = admit_invited
        self._deadline = deadline
        self._fault = fault
        self._half_open = HalfOpen(HALF_OPEN_STREAMS, chance or SystemRandom())
        self._places: dict[MeetingPlace, tuple[OnGreeting, Slots]] = {}
        self._streams: list[RelayedStream] = []
        self._answered: deque[bytes] = deque(maxlen=REMEMBERED)
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Greet callers until cancelled, which ends their channels."""
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                task_status.started()
                await trio.sleep_forever()
        finally:
            for place in [*self._places]:
                self._leave(place)

    async def wait_at(self, places: Collection[MeetingPlace]) -> None:
        """Wait at exactly these places from now on; open streams stay open."""
        for place in self._places.keys() - places:
            self._leave(place)
        for place in [place for place in places if place not in self._places]:
            on_greeting = partial(self._called, place)
            self._places[place] = on_greeting, Slots(AT_ONCE, EACH)
            await self._point.listen(place.guest_topic, on_greeting)

    def _leave(self, place: MeetingPlace) -> None:
        """Stop waiting at a place."""
        on_greeting, _ = self._places.pop(place)
        self._point.ignore(place.guest_topic, on_greeting)

    def _called(self, place: MeetingPlace, opening: Greeting) -> None:
        """Answer an OPENING; a bad one is ignored."""
        if self._nursery is None or opening.kind != OPENING or not opening_is_sealed(opening, place.key):
            return
        if known := self._point.streams_of(place.guest_topic, opening.connection):
            known[0].asked_again()
            return
        _, slots = self._places[place]
        if opening.connection in self._answered or not self._has_room() or not slots.acquire(trio.current_time()):
            return
        self._answered.append(opening.connection)
        answered = answer_opening(opening, self._private_key(), place.key)
        if answered is not None:
            answer, keys = answered
            stream = self._point.open_stream(place, opening.connection, keys, calls=False, answer=bytes(answer))
            self._streams.append(stream)
            self._nursery.start_soon(self._greet, place, stream)

    def _private_key(self) -> X25519PrivateKey:
        """A new private key for one answer."""
        return X25519PrivateKey.from_private_bytes(self._point.entropy(SHARE))

    def _has_room(self) -> bool:
        """True if one more stream may be opened, perhaps in place of a closed one."""
        self._streams = [stream for stream in self._streams if not stream.is_over]
        if len(self._streams) < STREAMS:
            return True
        closed = next((stream for stream in self._streams if stream.is_closed), None)
        if closed is None:
            return False
        closed.abandon()
        self._streams.remove(closed)
        return True

    async def _greet(self, place: MeetingPlace, stream: RelayedStream) -> None:
        """Greet a caller on a stream, as at a port."""

        async def arrive() -> Channel | None:
            """The channel of the caller if they may come in, else None."""
            try:
                await stream.opened()
            except StreamFailed:
                return None
            asks = self._admit_invited if place.found_by == "link" else self._admit
            return await welcome(stream, identity=self._identity, where=CALLER, deadline=self._deadline, admit=asks)

        async def on_channel(channel: Channel) -> None:
            """Try to make the stream direct, and hand the channel on."""
            self._point.seek_paths(stream, calls=False)
            await self._on_channel(channel)

        await greet(self._half_open, place.name, arrive, stream.abandon, on_channel=on_channel, fault=self._fault)


# --- the caller ----------------------------------------------------------------------------------------------------


REPEATS = (0.25, 0.5, 1.0)
"""Seconds from one OPENING to the next, while brokers may still be connecting."""
REPEAT = 2.0
"""Seconds from then on."""
PATIENCE = 10.0
"""Seconds for the first ANSWER."""
OTHERS = 3.0
"""Seconds after it for those of others, as the first may be a stranger's."""
ANSWERS = 3
SHARES = 16
"""How many ANSWERs are looked at."""

Attempt = Callable[[RelayedStream], Awaitable[Result]]


async def call_at(point: MeetingPoint, place: MeetingPlace, attempt: Attempt[Result]) -> Result:
    """The result of the first attempt that succeeds. `attempt` gets the stream of each answerer, three at most, all at
    once, as each waits for a greeting; it raises ChannelRefused, CodeRefused or LinkLost for a wrong one.

    Raises CannotConnect when nobody answers, or where no direct way opens and brokers must carry no game; and the last
    failure of `attempt` when all fail.
    """
    call = _Call(point, place)
    failures: list[Exception] = []
    results: list[tuple[RelayedStream, Result]] = []

    async def try_one(stream: RelayedStream) -> None:
        """Run `attempt` on the stream of one who answered."""
        try:
            result = await attempt(stream)
        except (ChannelRefused, CodeRefused, LinkLost) as failure:
            failures.append(failure)
        else:
            results.append((stream, result))
            nursery.cancel_scope.cancel()

    await point.listen(place.host_topic, call.on_greeting)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(call.keep_calling)
            async for stream in call.answers:
                nursery.start_soon(try_one, stream)
    finally:
        point.ignore(place.host_topic, call.on_greeting)
        call.abandon_all(but=[stream for stream, _ in results])
    if results:
        stream, result = results[0]
        point.seek_paths(stream, calls=True)
        try:
            await point.until_usable(stream)
        except StreamFailed as failed:
            raise CannotConnect(str(failed)) from None
        return result
    raise failures[-1] if failures else CannotConnect(_why_nobody(point, place))


class _Call:
    """One OPENING and the streams of those who answer it."""

    def __init__(self, point: MeetingPoint, place: MeetingPlace) -> None:
        self._point = point
        self._place = place
        self._own = X25519PrivateKey.from_private_bytes(point.entropy(SHARE))
        share = self._own.public_key().public_bytes_raw()
        self._opening = make_opening(point.entropy(CONNECTION), share, place.key)
        self._streams: list[RelayedStream] = []
        self._shares: set[bytes] = set()
        self._found, self.answers = trio.open_memory_channel[RelayedStream](ANSWERS)
        self._until = trio.CancelScope()

    async def keep_calling(self) -> None:
        """Publish the OPENING again and again while answers are taken."""
        self._until.deadline = min(self._until.deadline, trio.current_time() + PATIENCE)
        with self._found, self._until:
            for seconds in chain(REPEATS, repeat(REPEAT)):
                await self._point.publish(self._place.guest_topic, Publication(bytes(self._opening), None))
                await trio.sleep(seconds)

    def on_greeting(self, answer: Greeting) -> None:
        """Open a stream to somebody who has answered."""
        fits = answer.kind == ANSWER and answer.connection == self._opening.connection
        if not fits or answer.share in self._shares or len(self._shares) == SHARES or len(self._streams) == ANSWERS:
            return
        self._shares.add(answer.share)
        keys = keys_of_answer(self._opening, answer, self._own, self._place.key)
        if keys is None:
            return
        stream = self._point.open_stream(self._place, answer.connection, keys, calls=True)
        self._streams.append(stream)
        self._found.send_nowait(stream)
        if len(self._streams) == 1:
            self._until.deadline = trio.current_time() + OTHERS
        if len(self._streams) == ANSWERS:
            self._until.cancel()

    def abandon_all(self, but: Iterable[RelayedStream]) -> None:
        for stream in self._streams:
            if stream not in but:
                stream.abandon()


def _why_nobody(point: MeetingPoint, place: MeetingPlace) -> str:
    """The sentence for a call that nobody answered."""
    if sentence := point.why_unreachable:
        return f"Can't reach a meeting point: {sentence}"
    return {
        "code": "Nobody answered at the meeting points. Check the code, and that your friend is still waiting.",
        "link": "Nobody answered at the meeting points. Ask your friend whether their table is still open, and for its "
        "link.",
        "friend": "They didn't answer at the meeting points. Ask them to run p2pcards listen.",
    }[place.found_by]
