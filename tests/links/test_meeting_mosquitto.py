"""Meeting at real brokers, Debian's mosquitto, with strangers who have every topic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from p2pcards.links.broker import MqttBroker, open_broker
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.meeting import MeetingPoint, call_at, place_of_friend
from p2pcards.links.pairing import CodeRefused
from p2pcards.links.relayed import ANSWER, OPENING, PAYLOAD, make_opening
from p2pcards.wire.crypto import X25519PrivateKey
from p2pcards.wire.keys import pair_secret, public_bytes
from rigs.broker_packets import message, packet, split, string
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.met import CODE, MALLORY, PLACE, WRONG, Host, at_ends, chance_bytes, come, come_by_code, talks
from rigs.mosquitto import Mosquitto, mosquitto

pytestmark = pytest.mark.reach

FRIENDS = place_of_friend(pair_secret(ANNA, public_bytes(BEN)), public_bytes(BEN), 20_000)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("mosquitto")) as broker:
        yield broker


@asynccontextmanager
async def at(*addresses: tuple[Mosquitto, str]) -> AsyncIterator[MeetingPoint]:
    """What one program has of these brokers, by the listener of each, once it is connected to all."""
    async with trio.open_nursery() as nursery:
        brokers: list[MqttBroker] = []
        for there, listener in addresses:
            dial = partial(dial_broker, context=there.authority.trusted())
            brokers.append(open_broker(there.address(listener), nursery, dial))
            assert (await brokers[-1].wait_for_try()).since is not None
        async with at_ends(brokers) as point:
            yield point
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def host_at(host: Host, *addresses: tuple[Mosquitto, str]) -> AsyncIterator[MeetingPoint]:
    async with at(*addresses) as point, host.waiting_at(point, (PLACE, FRIENDS)):
        yield point


class Stranger:
    """Has every topic of a broker."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._sending = trio.Lock()
        self._come = b""
        self.read: list[bytes] = []

    async def publish(self, topic: str, payload: bytes) -> None:
        async with self._sending:
            await self._stream.send_all(message(topic, payload))

    async def receive(self) -> bytes:
        """The next packet."""
        while (size := _size(self._come)) is None or len(self._come) < size:
            some = await self._stream.receive_some()
            assert some
            self._come += some
        whole, self._come = self._come[:size], self._come[size:]
        return whole

    async def replay(self) -> None:
        """Publishes twice, on both topics, whatever comes for the first time."""
        seen: set[bytes] = set()
        while True:
            ((first, body),) = split(await self.receive())
            if first & 0xF0 == 0x30:
                payload = body[2 + int.from_bytes(body[:2], "big") :]
                self.read.append(payload)
                if payload not in seen and len(seen) < 200:
                    seen.add(payload)
                    for topic in (PLACE.host_topic, PLACE.guest_topic) * 2:
                        await self.publish(topic, payload)


def _size(data: bytes) -> int | None:
    """Bytes of the packet that begins here, None where its length is not here yet."""
    length = 0
    for at, byte in enumerate(data[1:5]):
        length |= (byte & 127) << 7 * at
        if byte < 128:
            return 2 + at + length
    return None


@asynccontextmanager
async def stranger_at(there: Mosquitto) -> AsyncIterator[Stranger]:
    stream = await dial_broker(parse_broker(there.address("plain")))
    async with stream:
        stranger = Stranger(stream)
        await stream.send_all(packet(0x10, string("MQTT") + b"\4\2\0\x3c" + string("troll")))
        await stream.send_all(packet(0x82, b"\0\1" + string("#") + b"\0"))
        assert (await stranger.receive())[0] == 0x20 and (await stranger.receive())[0] == 0x90
        yield stranger


@pytest.mark.parametrize("host_by", ["plain", "secure", "web"])
async def test_with_the_right_code_both_are_certain_of_each_other(there: Mosquitto, host_by: str) -> None:
    with trio.fail_after(longest_wait()):
        host = Host()
        async with host_at(host, (there, host_by)), at((there, "secure")) as point:
            channel = await call_at(point, PLACE, come_by_code)
            await talks(channel, 20)
            assert channel.peer == public_bytes(BEN) and host.proven == [True]
            await channel.aclose()


async def test_with_another_code_neither_is_and_it_is_burnt(there: Mosquitto) -> None:
    with trio.fail_after(longest_wait()):
        host = Host()
        async with host_at(host, (there, "plain")), at((there, "secure")) as point:
            with pytest.raises(CodeRefused, match="a different code from the one you gave"):
                await call_at(point, PLACE, partial(come_by_code, code=WRONG))
            assert host.proven == [False]


async def test_a_stranger_who_answers_first_does_not_keep_the_right_one_out(there: Mosquitto) -> None:
    with trio.fail_after(longest_wait()):
        host, troll = Host(), Host(code=WRONG, identity=MALLORY)
        async with host_at(troll, (there, "plain")), host_at(host, (there, "plain")), at((there, "plain")) as point:
            channel = await call_at(point, PLACE, come_by_code)
            await talks(channel)
            assert channel.peer == public_bytes(BEN) and host.proven == [True] and troll.proven in ([], [False])


async def test_what_a_stranger_repeats_floods_or_publishes_does_nothing(there: Mosquitto) -> None:
    with trio.fail_after(longest_wait()):
        host = Host()
        async with (
            stranger_at(there) as stranger,
            host_at(host, (there, "plain")) as bens,
            at((there, "secure")) as point,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(stranger.replay)
            channel = await call_at(point, PLACE, come_by_code)
            for number in range(100):
                share = X25519PrivateKey.from_private_bytes(chance_bytes(32)).public_key().public_bytes_raw()
                for place in (PLACE, FRIENDS):
                    opening = make_opening(chance_bytes(16), share, b"")
                    await stranger.publish(place.guest_topic, bytes(opening))
                if number % 20 == 0:
                    await stranger.publish(PLACE.guest_topic, chance_bytes(65536))
                    await stranger.publish(PLACE.host_topic, chance_bytes(PAYLOAD + 1))
            await talks(channel, 5)
            await talks(await call_at(point, FRIENDS, come), 5)
            assert host.proven == [True] and host.came == [public_bytes(ANNA)] * 2
            assert bens.stream_count <= 16
            kinds = [payload[0] for payload in stranger.read if len(payload) == 65]
            assert (
                kinds.count(OPENING) > 100
                and 0 < len({one for one in stranger.read if one[:1] == bytes([ANSWER])}) < 20
            )
            assert not any(word.encode() in payload for word in (CODE.first, CODE.second) for payload in stranger.read)
            nursery.cancel_scope.cancel()


async def test_a_broker_that_is_killed_is_replaced_by_another_and_may_come_back(
    there: Mosquitto, tmp_path: Path
) -> None:
    with trio.fail_after(longest_wait()), mosquitto(tmp_path) as other:
        host, ends = Host(), ((there, "secure"), (other, "secure"))
        async with host_at(host, *ends), at(*ends) as point:
            channel = await call_at(point, PLACE, come_by_code)
            await talks(channel)
            other.kill()
            await talks(channel)
            other.start()
            await talks(channel)
            await channel.aclose()


async def test_a_stream_outlives_a_broker_that_starts_anew(tmp_path: Path) -> None:
    with trio.fail_after(longest_wait()), mosquitto(tmp_path) as only:
        async with host_at(Host(), (only, "plain")), at((only, "plain")) as point:
            channel = await call_at(point, PLACE, come_by_code)
            only.kill()
            await channel.send(b"say it again")
            only.start()
            assert await channel.receive() == b"say it again"
            await channel.aclose()
