"""Brokers, by a real one: Debian's mosquitto."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from p2pcards.links.broker import Broker, BrokerLost, Dial, MqttBroker, open_broker
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.mqtt import LONGEST, ConnAck, MqttClient, Packet, PingResp, Publish, SubAck
from rigs.broker_packets import message, packet, string
from rigs.giving_up import longest_wait
from rigs.mosquitto import LISTENERS, Mosquitto, mosquitto

pytestmark = pytest.mark.reach


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("mosquitto")) as broker:
        yield broker


def trusting(there: Mosquitto) -> Dial:
    return partial(dial_broker, context=there.authority.trusted())


async def connected(there: Mosquitto, listener: str, nursery: trio.Nursery, *topics: str) -> MqttBroker:
    broker = open_broker(there.address(listener), nursery, trusting(there))
    for topic in topics:
        await broker.subscribe(topic)
    status = await broker.wait_for_try()
    assert status.since is not None, status
    return broker


async def heard(broker: Broker, topic: str) -> None:
    """Returns once the broker has taken the subscription: it carries out what one client asks in order."""
    await broker.publish(topic, b"is it here?")
    assert await broker.receive() == (topic, b"is it here?")


@pytest.mark.parametrize("listener", LISTENERS)
async def test_two_clients_meet_over_every_kind_of_connection(there: Mosquitto, listener: str) -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            host = await connected(there, listener, nursery, "p2pcards/1/48213/guest")
            guest = await connected(there, "secure", nursery, "p2pcards/1/48213/host")
            await heard(host, "p2pcards/1/48213/guest")
            await heard(guest, "p2pcards/1/48213/host")
            for payload in (b"hello", b"", bytes(range(256)) * 16):
                await host.publish("p2pcards/1/48213/host", payload)
                assert await guest.receive() == ("p2pcards/1/48213/host", payload)
                await guest.publish("p2pcards/1/48213/guest", payload)
                assert await host.receive() == ("p2pcards/1/48213/guest", payload)
            host.close()
            guest.close()


async def test_a_thousand_messages_come_in_order(there: Mosquitto) -> None:
    """At most 50 at a time are on their way, as what is published never waits."""
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            sender = await connected(there, "secure", nursery)
            receiver = await connected(there, "web", nursery, "hands")
            await heard(receiver, "hands")
            for start in range(0, 1000, 50):
                for number in range(start, start + 50):
                    await sender.publish("hands", number.to_bytes(2, "big") + bytes(100))
                for number in range(start, start + 50):
                    assert await receiver.receive() == ("hands", number.to_bytes(2, "big") + bytes(100))
            sender.close()
            receiver.close()


async def test_after_the_broker_was_killed_both_meet_again(tmp_path: Path) -> None:
    with trio.fail_after(longest_wait()), mosquitto(tmp_path) as there:
        async with trio.open_nursery() as nursery:
            ends = {listener: await connected(there, listener, nursery, listener) for listener in LISTENERS}
            there.kill()
            for end in ends.values():
                while end.status.since is not None or "refused the connection" not in end.status.last_failure:
                    with pytest.raises(BrokerLost):
                        await end.receive()
            there.start()
            for end in ends.values():
                while (await end.wait_for_try()).since is None:
                    pass
            for topic, end in ends.items():
                await end.publish(topic, b"again")
                assert await _next(end) == (topic, b"again")
            for end in ends.values():
                end.close()


async def _next(broker: Broker) -> tuple[str, bytes]:
    """Failures that were told late are passed over."""
    while True:
        try:
            return await broker.receive()
        except BrokerLost:
            pass


async def test_a_certificate_of_an_unknown_authority_is_refused(there: Mosquitto) -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            for listener in ("secure", "web"):
                broker = open_broker(there.address(listener), nursery, dial_broker)
                with pytest.raises(BrokerLost, match="can't prove that it is localhost"):
                    await broker.receive()
                broker.close()


async def test_a_broker_that_wants_a_password_gets_a_sentence(there: Mosquitto) -> None:
    address = there.address("locked")
    where = address.partition("@")[2]
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            for wrong in (f"mqtt://{where}", f"mqtt://ann:wrong@{where}"):
                broker = open_broker(wrong, nursery, trusting(there))
                with pytest.raises(BrokerLost, match=f"mqtt://{where} requires a login"):
                    await broker.receive()
                broker.close()


async def test_what_others_leave_at_a_topic_or_send_too_long_is_passed_over(there: Mosquitto) -> None:
    with trio.fail_after(longest_wait()):
        troll = await dial_broker(parse_broker(there.address("plain")))
        async with troll, trio.open_nursery() as nursery:
            await troll.send_all(packet(0x10, string("MQTT") + b"\4\2\0\x3c" + string("troll")))
            assert await troll.receive_some() == b"\x20\2\0\0"
            await troll.send_all(message("t", b"left here", flags=1) + b"\xc0\0")
            assert await troll.receive_some() == b"\xd0\0"
            brokers = [await connected(there, one, nursery, "t", one) for one in ("secure", "web")]
            for broker, one in zip(brokers, ("secure", "web"), strict=True):
                await heard(broker, one)
            await troll.send_all(message("t", bytes(65537)) + message("t", b"short"))
            for broker in brokers:
                assert await broker.receive() == ("t", b"short")
                assert broker.status.failures == 0
                broker.close()


async def test_an_independent_broker_understands_each_packet(there: Mosquitto) -> None:
    client = MqttClient()
    with trio.fail_after(longest_wait()):
        stream = await dial_broker(parse_broker(there.address("secure")), context=there.authority.trusted())

        async def answer(said: bytes) -> Packet | None:
            await stream.send_all(said)
            while (found := client.next_packet()) is None:
                come = bytes(await stream.receive_some())
                if not come:
                    return None
                client.feed(come)
            return found

        async with stream:
            longest = bytes(LONGEST - len(string("\u2660 A\U0002a6d4")))
            assert await answer(client.connect("0123456789abcdef012345", 60)) == ConnAck(0)
            assert await answer(client.subscribe("\u2660 A\U0002a6d4")) == SubAck("\u2660 A\U0002a6d4", True)
            assert await answer(client.publish("\u2660 A\U0002a6d4", longest)) == Publish("\u2660 A\U0002a6d4", longest)
            assert await answer(client.ping()) == PingResp()
            assert await answer(client.disconnect()) is None
