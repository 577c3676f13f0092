"""A message broker as a meeting point: short messages, addressed by topic, to everyone who subscribed to it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

import trio

from p2pcards.links.broker_address import BrokerAddress, parse_broker
from p2pcards.links.mqtt import (
    ACCEPTED,
    BAD_CLIENT_ID,
    BAD_PASSWORD,
    BAD_VERSION,
    NOT_AUTHORIZED,
    UNAVAILABLE,
    ConnAck,
    MqttClient,
    MqttFault,
    MqttState,
    Packet,
    Publish,
    SubAck,
    topic_bytes,
)

CONNECT_WITHIN = 10.0
"""Seconds for the connection, TLS and the broker's first answer."""
KEEP_ALIVE = 60
"""Seconds, as told to the broker."""
PING_EVERY = 30.0
SILENCE = 45.0
"""Seconds without a byte, or with none taken, after which a connection is given up."""
PARTING = 1.0
"""Seconds that a goodbye may take."""
DELAYS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""Seconds until the next try, at most; half of that at least."""
STEADY = 60.0
"""Seconds after which a connection that ends counts as the first failure again."""

READ = 16384
UNSENT = 65536
"""Bytes that may wait to be sent; what is published beyond is dropped."""
UNREAD = 64
"""Messages that may wait to be received; then the broker has to wait."""
RATE, AHEAD = 262_144, 2.0
"""Bytes that are read a second, and for how many seconds at once; a packet counts as PACKET more."""
PACKET = 128

HUNG_UP = "{there} closed the connection right away. It may be too busy, or not a broker at all."
LOST = "The connection to {there} was lost."
SILENT = "No answer from {there}. The broker may be down, or a firewall blocks port {port}."
FORBIDDEN_TOPIC = "{there} doesn't let you use it as a meeting point. Choose another broker in your settings."
BROKE_RULES = "{there} sent invalid MQTT ({what}). The connection was closed to be safe."
NOT_A_BROKER = (
    "{there} answers, but isn't a broker. On public Wi-Fi, sign in on its web page first. Otherwise check the address."
)
REFUSALS = {
    BAD_VERSION: "{there} doesn't speak MQTT 3.1.1. Choose another broker in your settings.",
    BAD_CLIENT_ID: "{there} only accepts clients it knows. Choose another broker in your settings.",
    UNAVAILABLE: "{there} isn't available right now. Try again later, or choose another broker in your settings.",
    BAD_PASSWORD: "{there} rejects this user name and password. Check them in your settings.",
    NOT_AUTHORIZED: "{there} requires a login. Put USER:PASSWORD@ before its name in your settings.",
}


class BrokerLost(Exception):
    """The broker is out of reach for now. The argument is a sentence that a player understands."""


class Broker(Protocol):
    """Best effort: messages may be lost, repeated, reordered or forged."""

    @property
    def address(self) -> str:
        """The address in the settings, without a password."""

    async def subscribe(self, topic: str) -> None:
        """Ask for the messages of a topic, now and after every reconnection; does not wait for the broker."""

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send to a topic; dropped when there is no connection or too much is waiting already."""

    async def receive(self) -> tuple[str, bytes]:
        """The next (topic, payload); one task at a time. Raises BrokerLost once for each failure to connect and each
        lost connection; the next call waits for the connection to come back."""


@dataclass(frozen=True, slots=True)
class BrokerStatus:
    since: float | None = None  # when the broker accepted, on Trio's clock; None without a connection
    failures: int = 0  # in a row
    last_failure: str = ""  # a sentence; "" before the first


Dial = Callable[[BrokerAddress], Awaitable[trio.abc.Stream]]
"""Opens the bytes to a broker; raises BrokerLost."""
Entropy = Callable[[int], bytes]


def open_broker(address: str, nursery: trio.Nursery, dial: Dial, entropy: Entropy = os.urandom) -> MqttBroker:
    """A broker that a task in the nursery connects to, again and again. Raises BadAddress."""
    broker = MqttBroker(parse_broker(address), dial, entropy)
    nursery.start_soon(broker.stay_connected)
    return broker


class MqttBroker:
    """A Broker that is reached by MQTT 3.1.1. Made by open_broker, which starts `stay_connected`."""

    def __init__(self, there: BrokerAddress, dial: Dial, entropy: Entropy) -> None:
        self.status = BrokerStatus()
        self._there = there
        self._dial = dial
        self._entropy = entropy
        self._topics: dict[str, None] = {}
        self._client: MqttClient | None = None  # of the connection, while there is one
        self._unsent = bytearray()
        self._unread: deque[tuple[str, bytes]] = deque()
        self._lost = ""  # the failure that `receive` has not told yet
        self._life = trio.CancelScope()
        self._try = trio.CancelScope()
        self._closed = False
        self._changed = trio.Event()

    @property
    def address(self) -> str:
        """The address in the settings, without a password."""
        return str(self._there)

    # --- what is asked of it ------------------------------------------------------------------------------------------

    async def subscribe(self, topic: str) -> None:
        """Subscribe to a topic, now or when connected, and after every reconnection."""
        await trio.lowlevel.checkpoint()
        topic_bytes(topic)  # raises ValueError now, not when connected
        if topic not in self._topics:
            self._topics[topic] = None
            if (client := self._connected) is not None:
                self._send(client.subscribe(topic))

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish to a topic; dropped without a connection, or when too much is waiting."""
        await trio.lowlevel.checkpoint()
        if (client := self._connected) is not None and len(self._unsent) + len(payload) <= UNSENT:
            self._send(client.publish(topic, payload))

    async def receive(self) -> tuple[str, bytes]:
        """The next (topic, payload). Raises BrokerLost once for each failed or lost connection."""
        await trio.lowlevel.checkpoint()
        while not self._closed:
            if self._unread:
                self._wake()
                return self._unread.popleft()
            if self._lost:
                lost, self._lost = self._lost, ""
                raise BrokerLost(lost)
            await self._changed.wait()
        raise trio.ClosedResourceError

    async def wait_for_try(self) -> BrokerStatus:
        """Wait for the present or next try to connect; returns the status after it."""
        before = self.status
        await trio.lowlevel.checkpoint()
        while not self._closed and self.status.since is None and self.status is before:
            await self._changed.wait()
        return self.status

    def reconnect(self) -> None:
        """Reconnect at once, as this machine has another address or has slept."""
        self._try.cancel()

    def close(self) -> None:
        """Stop reconnecting; `receive` raises trio.ClosedResourceError from now on."""
        self._closed = True
        self._life.cancel()
        self._wake()

    # --- the task -----------------------------------------------------------------------------------------------------

    async def stay_connected(self) -> None:
        """Connect, and reconnect after pauses, until closed."""
        with self._life:
            while True:
                with trio.CancelScope() as self._try:
                    try:
                        await self._connection()
                    except BrokerLost as lost:
                        self._fail(str(lost))
                    longest = DELAYS[min(self.status.failures, len(DELAYS)) - 1]
                    await trio.sleep(longest * (1 + self._entropy(1)[0] / 255) / 2)
                if self._try.cancelled_caught:
                    self.status = replace(self.status, since=None, failures=0)

    def _fail(self, sentence: str) -> None:
        """Note a failed or lost connection. sentence: why."""
        since = self.status.since
        steady = since is not None and trio.current_time() - since >= STEADY
        self.status = BrokerStatus(None, 1 if steady else self.status.failures + 1, sentence)
        self._lost = sentence
        self._wake()

    async def _connection(self) -> None:
        """Run one connection until it ends. Raises BrokerLost."""
        client, stream = MqttClient(), None
        try:
            with trio.move_on_after(CONNECT_WITHIN):
                stream = await self._dial(self._there)
                await self._accepted(stream, client)
            if stream is None or client.state is not MqttState.OPEN:
                raise BrokerLost(SILENT.format(there=self._there, port=self._there.port))
            self._client = client
            self.status = replace(self.status, since=trio.current_time())
            self._unsent += b"".join(map(client.subscribe, self._topics))
            self._wake()
            raise BrokerLost(await self._conversation(stream, client))
        finally:
            self._client = None
            self._unsent.clear()
            if stream is not None:
                await _hang_up(stream, client if self._closed else None)

    async def _accepted(self, stream: trio.abc.Stream, client: MqttClient) -> None:
        """Send CONNECT and wait for CONNACK. Raises BrokerLost."""
        there = self._there
        # A new name each time, in letters that every broker has to take (3.1.3.1).
        call = client.connect(self._entropy(11).hex(), KEEP_ALIVE, there.user, there.password)
        answer: Packet | None = None
        try:
            await stream.send_all(call)
            while answer is None:
                data = bytes(await stream.receive_some(READ))
                if not data:
                    raise BrokerLost(HUNG_UP.format(there=there))
                client.feed(data)
                answer = client.next_packet()
        except trio.BrokenResourceError:
            raise BrokerLost(HUNG_UP.format(there=there)) from None
        except MqttFault:
            raise BrokerLost(NOT_A_BROKER.format(there=there)) from None
        if isinstance(answer, ConnAck) and answer.code != ACCEPTED:
            raise BrokerLost(REFUSALS[answer.code].format(there=there))

    async def _conversation(self, stream: trio.abc.Stream, client: MqttClient) -> str:
        """Read, write and ping until the connection ends; returns why, a sentence."""
        ended: list[str] = []
        async with trio.open_nursery() as nursery:

            async def until_ended(part: Callable[[trio.abc.Stream, MqttClient], Awaitable[str]]) -> None:
                """Run a part; when it returns, why it ended is noted and the others are cancelled."""
                with suppress(trio.BrokenResourceError):
                    ended.append(await part(stream, client))
                nursery.cancel_scope.cancel()

            for part in (self._read, self._write, self._ping):
                nursery.start_soon(until_ended, part)
        return ended[0] if ended else LOST.format(there=self._there)

    async def _write(self, stream: trio.abc.Stream, _client: MqttClient) -> str:
        """Send queued packets; returns why it stopped, a sentence."""
        while True:
            while not self._unsent:
                await self._changed.wait()
            data = bytes(self._unsent)
            self._unsent.clear()
            with trio.move_on_after(SILENCE) as waiting:
                await stream.send_all(data)
            if waiting.cancelled_caught:
                return SILENT.format(there=self._there, port=self._there.port)

    async def _ping(self, _stream: trio.abc.Stream, client: MqttClient) -> str:
        """Queue a ping now and then."""
        while True:
            await trio.sleep(PING_EVERY)
            if client.state is MqttState.OPEN:
                self._send(client.ping())

    async def _read(self, stream: trio.abc.Stream, client: MqttClient) -> str:
        """Read packets within the rate allowed; returns why it stopped, a sentence."""
        paid = trio.current_time()  # until then all that was read is within the rate
        while True:
            cost = 0
            try:
                while (packet := client.next_packet()) is not None:
                    cost += PACKET
                    if sentence := await self._take(packet):
                        return sentence
            except MqttFault as fault:
                return BROKE_RULES.format(there=self._there, what=fault)
            with trio.move_on_after(SILENCE) as waiting:
                data = bytes(await stream.receive_some(READ))
            if waiting.cancelled_caught:
                return SILENT.format(there=self._there, port=self._there.port)
            if not data:
                return LOST.format(there=self._there)
            client.feed(data)
            paid = max(paid, trio.current_time()) + (len(data) + cost) / RATE
            await trio.sleep_until(paid - AHEAD)

    async def _take(self, packet: Packet) -> str:
        """Take one packet; returns a sentence if the connection is of no use."""
        match packet:
            case SubAck(granted=False):
                return FORBIDDEN_TOPIC.format(there=self._there)
            # What is retained was left there by anyone, at any time.
            case Publish(topic, payload, retained=False) if topic in self._topics:
                while len(self._unread) >= UNREAD:
                    await self._changed.wait()
                self._unread.append((topic, payload))
                self._wake()
        return ""

    @property
    def _connected(self) -> MqttClient | None:
        """The client while the connection is open, else None."""
        return self._client if self._client is not None and self._client.state is MqttState.OPEN else None

    def _send(self, packet: bytes) -> None:
        """Queue a packet."""
        self._unsent += packet
        self._wake()

    def _wake(self) -> None:
        """Wake the tasks that wait for a change."""
        self._changed.set()
        self._changed = trio.Event()


async def _hang_up(stream: trio.abc.Stream, parting: MqttClient | None) -> None:
    """Close a stream, with DISCONNECT first if there is a client."""
    if parting is not None and parting.state is MqttState.OPEN:
        with trio.move_on_after(PARTING, shield=True), suppress(trio.BrokenResourceError):
            await stream.send_all(parting.disconnect())
            await stream.aclose()
    await trio.aclose_forcefully(stream)
