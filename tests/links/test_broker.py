"""A broker over any stream: connected again and again, and bounded whatever the other end does. The clock is the
test's own."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.links.broker import (
    AHEAD,
    CONNECT_WITHIN,
    DELAYS,
    KEEP_ALIVE,
    PACKET,
    PING_EVERY,
    RATE,
    READ,
    SILENCE,
    STEADY,
    UNREAD,
    UNSENT,
    BrokerLost,
    Dial,
    MqttBroker,
    open_broker,
)
from p2pcards.links.broker_address import BrokerAddress
from rigs.broker_packets import connack, message, string, suback
from rigs.stand_in_broker import (
    ADDRESS,
    CONNECT,
    DISCONNECT,
    PINGREQ,
    PUBLISH,
    SUBSCRIBE,
    Dialing,
    Serve,
    StandIn,
    accept,
)


def opened(nursery: trio.Nursery, dial: Dial, address: str = ADDRESS) -> MqttBroker:
    return open_broker(address, nursery, dial, Random(1).randbytes)


async def lost(broker: MqttBroker) -> str:
    """The sentence of the next failure."""
    with pytest.raises(BrokerLost) as found:
        await broker.receive()
    return str(found.value)


# --- messages ---------------------------------------------------------------------------------------------------------


async def test_what_is_published_comes_to_who_subscribed(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    there = StandIn()
    broker = opened(nursery, Dialing(nursery, there))
    await broker.subscribe("a")
    assert (await broker.wait_for_try()).since == trio.current_time()
    await broker.subscribe("b")
    await broker.subscribe("a")
    for topic, payload in (("b", b"one"), ("c", b"unheard"), ("a", b""), ("a", bytes(4000))):
        await broker.publish(topic, payload)
    assert [await broker.receive() for _ in range(3)] == [("b", b"one"), ("a", b""), ("a", bytes(4000))]
    assert [first for first, _ in there.said] == [CONNECT, SUBSCRIBE, SUBSCRIBE, *[PUBLISH] * 4]
    assert broker.address == ADDRESS


async def test_a_slow_receiver_makes_the_broker_wait_and_loses_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    async def serve(stream: trio.abc.Stream) -> None:
        await accept(stream)
        for number in range(1000):
            await stream.send_all(message("a", number.to_bytes(2, "big")))
        await trio.sleep_forever()

    broker = opened(nursery, Dialing(nursery, serve))
    await broker.subscribe("a")
    for number in range(1000):
        await trio.sleep(0.5)
        assert await broker.receive() == ("a", number.to_bytes(2, "big"))


async def test_a_cancelled_receive_loses_nothing(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    broker = opened(nursery, Dialing(nursery, StandIn()))
    await broker.subscribe("a")
    await broker.wait_for_try()
    for _ in range(3):
        with trio.move_on_after(1):
            await broker.receive()
    await broker.publish("a", b"x")
    await wait_all_tasks_blocked()
    with trio.CancelScope() as scope:
        scope.cancel()
        await broker.receive()
    assert await broker.receive() == ("a", b"x")


async def test_what_was_left_at_a_topic_or_was_not_asked_for_is_passed_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    async def serve(stream: trio.abc.Stream) -> None:
        await accept(stream)
        await stream.send_all(message("a", b"old", flags=1) + message("b", b"other"))
        await stream.send_all(message("a", bytes(65536)) + message("a", b"now"))
        await trio.sleep_forever()

    broker = opened(nursery, Dialing(nursery, serve))
    await broker.subscribe("a")
    assert await broker.receive() == ("a", b"now")


async def test_a_topic_that_is_none_is_a_mistake_of_the_caller(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    broker = opened(nursery, Dialing(nursery, "It is down."))
    with pytest.raises(ValueError, match="an MQTT topic can"):
        await broker.subscribe("p2pcards/#")


# --- the connection ---------------------------------------------------------------------------------------------------


async def test_each_connection_has_a_new_name_that_says_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    there = StandIn()
    broker = opened(nursery, Dialing(nursery, there), "mqtts://ann:king@cards.example")
    for _ in range(3):
        await broker.wait_for_try()
        await there.cut()
        assert await lost(broker) == "The connection to mqtts://cards.example was lost."
    calls = [body for first, body in there.said if first == CONNECT]
    names = [body[12:34].decode() for body in calls]
    for body, name in zip(calls, names, strict=True):
        assert body == b"\0\4MQTT\4\xc2" + KEEP_ALIVE.to_bytes(2, "big") + string(name) + string("ann") + string("king")
        assert set(name) <= set("0123456789abcdef")  # 3.1.3.1: up to 23 letters and digits
    assert len({*names}) == 3


async def test_topics_are_asked_for_again_and_what_is_published_meanwhile_is_dropped(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    there = StandIn()
    broker = opened(nursery, Dialing(nursery, there, "It is down.", there))
    await broker.subscribe("a")
    await broker.wait_for_try()
    await there.cut()
    assert "was lost" in await lost(broker)
    await broker.publish("a", b"nobody hears it")
    await broker.subscribe("b")
    assert await lost(broker) == "It is down."
    assert broker.status.last_failure == "It is down."
    await broker.wait_for_try()
    for topic in ("a", "b"):
        await broker.publish(topic, b"again")
        assert await broker.receive() == (topic, b"again")


async def test_each_failure_is_told_once_and_tries_grow_apart(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    dial = Dialing(nursery, "It is down.")
    broker = opened(nursery, dial)
    for failures in range(1, 11):
        assert await lost(broker) == "It is down."
        assert broker.status.failures == failures and broker.status.since is None
    gaps = [later - earlier for earlier, later in pairwise(dial.times)]
    for gap, longest in zip(gaps, [*DELAYS, *[DELAYS[-1]] * 2], strict=True):
        assert longest / 2 <= gap <= longest
    assert len({gap / longest for gap, longest in zip(gaps, DELAYS, strict=False)}) > 4  # not all ends at once


async def test_a_failure_that_nobody_waited_for_is_told_once(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    broker = opened(nursery, Dialing(nursery, "First.", "Second.", StandIn()))
    await broker.subscribe("a")
    await trio.sleep(20)
    await broker.publish("a", b"x")
    assert await lost(broker) == "Second."
    assert await broker.receive() == ("a", b"x")


async def test_after_a_steady_connection_tries_begin_anew(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    there = StandIn()
    broker = opened(nursery, Dialing(nursery, *["It is down."] * 4, there, there, "It is down."))
    for _ in range(5):
        status = await broker.wait_for_try()
    assert status.since is not None and status.failures == 4
    await there.cut()  # at once, so it counts as one failure more
    assert (await broker.wait_for_try()).failures == 5
    await trio.sleep(STEADY)
    await there.cut()
    assert broker.status.failures == 1


async def test_a_quiet_connection_stays_and_costs_a_ping_now_and_then(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    there = StandIn()
    broker = opened(nursery, Dialing(nursery, there))
    began = (await broker.wait_for_try()).since
    await trio.sleep(3600)
    assert broker.status.since == began
    assert [first for first, _ in there.said] == [CONNECT, *[PINGREQ] * int(3600 / PING_EVERY - 1)]
    assert PING_EVERY < KEEP_ALIVE and PING_EVERY < SILENCE


async def test_a_broker_that_falls_silent_is_given_up(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    async def serve(stream: trio.abc.Stream) -> None:
        await accept(stream)
        await trio.sleep_forever()

    broker = opened(nursery, Dialing(nursery, serve))
    began = trio.current_time()
    assert "No answer from mqtts://cards.example" in await lost(broker)
    assert trio.current_time() - began == SILENCE


async def test_closing_says_goodbye_and_ends_the_task(autojump_clock: MockClock) -> None:
    there = StandIn()
    async with trio.open_nursery() as servers:
        async with trio.open_nursery() as nursery:
            broker = opened(nursery, Dialing(servers, there))
            await broker.wait_for_try()
            broker.close()
        with pytest.raises(trio.ClosedResourceError):
            await broker.receive()
    assert there.said[-1] == (DISCONNECT, b"")


async def test_closing_wakes_who_waits(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        broker = opened(nursery, Dialing(nursery, "It is down."))
        assert await lost(broker)

        async def wait() -> None:
            with pytest.raises(trio.ClosedResourceError):
                await broker.receive()

        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        broker.close()


# --- what is no broker, or no good one --------------------------------------------------------------------------------


def saying(answer: bytes) -> Serve:
    """Something that answers CONNECT like this and hangs up."""

    async def serve(stream: trio.abc.Stream) -> None:
        await stream.receive_some()
        await stream.send_all(answer)

    return serve


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (connack(1), "doesn't speak MQTT 3.1.1"),
        (connack(2), "only accepts clients it knows"),
        (connack(3), "isn't available right now"),
        (connack(4), "rejects this user name and password"),
        (connack(5), "requires a login"),
        (connack(6), "isn't a broker. On public Wi-Fi, sign in"),
        (b"HTTP/1.1 302 Found\r\nLocation: https://portal.example/\r\n\r\n", "isn't a broker. On public Wi-Fi"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "isn't a broker"),
        (message("a", b"x"), "isn't a broker"),
        (b"", "closed the connection right away"),
        (b"\x20\x02", "closed the connection right away"),
    ],
)
async def test_what_is_no_broker_gets_a_sentence(
    nursery: trio.Nursery, answer: bytes, sentence: str, autojump_clock: MockClock
) -> None:
    broker = opened(nursery, Dialing(nursery, saying(answer)))
    said = await lost(broker)
    assert sentence in said and "mqtts://cards.example" in said and said.count(".") <= 6
    assert broker.status.last_failure == said and broker.status.since is None


@pytest.mark.parametrize("answer", [b"", b"\x20", b"\x20\x02\0"])
async def test_what_takes_the_connection_and_says_nothing_more_is_given_up(
    nursery: trio.Nursery, answer: bytes, autojump_clock: MockClock
) -> None:
    async def serve(stream: trio.abc.Stream) -> None:
        await stream.send_all(answer)
        await trio.sleep_forever()

    broker = opened(nursery, Dialing(nursery, serve))
    began = trio.current_time()
    assert "The broker may be down, or a firewall blocks port 8883" in await lost(broker)
    assert trio.current_time() - began == CONNECT_WITHIN


async def test_a_dial_that_does_not_end_is_given_up(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    async def dial(_there: BrokerAddress) -> trio.abc.Stream:
        await trio.sleep_forever()
        raise AssertionError

    assert "No answer from" in await lost(opened(nursery, dial))
    assert trio.current_time() == CONNECT_WITHIN


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (message("a", bytes(1 << 20))[:50], "more than 1,048,576 bytes"),
        (message("a", b"x", flags=2), "a quality of service that wasn't requested"),
        (suback(9), "a SUBACK for a topic that wasn't requested"),
        (connack(), "an unexpected packet"),
        (suback(1, 0x80), "doesn't let you use it as a meeting point"),
    ],
)
async def test_a_broker_that_breaks_the_rules_is_hung_up_on(
    nursery: trio.Nursery, sent: bytes, sentence: str, autojump_clock: MockClock
) -> None:
    hung_up = trio.Event()

    async def serve(stream: trio.abc.Stream) -> None:
        await accept(stream)
        await stream.receive_some()
        await stream.send_all(message("a", b"before") + sent)
        while await stream.receive_some():
            pass
        hung_up.set()

    broker = opened(nursery, Dialing(nursery, serve))
    await broker.subscribe("a")
    assert await broker.receive() == ("a", b"before")
    assert sentence in await lost(broker)
    await hung_up.wait()


async def test_a_flood_is_read_at_a_bounded_rate(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    packet, sent = message("a", b""), 0

    async def serve(stream: trio.abc.Stream) -> None:
        nonlocal sent
        await accept(stream)
        while True:
            await stream.send_all(packet * 100)
            sent += 100

    broker = opened(nursery, Dialing(nursery, serve, narrow=True))
    await broker.wait_for_try()
    began = trio.current_time()
    await trio.sleep(60)
    assert broker.status.since == began
    most = RATE * (60 + AHEAD) + 2 * READ * (1 + PACKET / len(packet))
    assert 0.5 * most < sent * (len(packet) + PACKET) <= most


async def test_a_flood_that_nobody_receives_takes_bounded_room(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    taken = 0

    async def serve(stream: trio.abc.Stream) -> None:
        nonlocal taken
        await accept(stream)
        while True:
            await stream.send_all(message("a", bytes(1000)))
            taken += 1

    broker = opened(nursery, Dialing(nursery, serve, narrow=True))
    await broker.subscribe("a")
    await trio.sleep(600)
    assert taken <= UNREAD + READ / 1000 + 2
    assert await broker.receive() == ("a", bytes(1000))


async def test_a_broker_that_takes_nothing_makes_no_one_wait_and_is_given_up(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    async def serve(stream: trio.abc.Stream) -> None:
        await accept(stream)
        while True:
            await trio.sleep(PING_EVERY)
            await stream.send_all(message("a", b"but it speaks"))

    there = StandIn()
    broker = opened(nursery, Dialing(nursery, serve, there, narrow=True))
    began = (await broker.wait_for_try()).since
    with trio.fail_after(0.1):
        for _ in range(10 * UNSENT // 4096):
            await broker.publish("a", bytes(4096))
    assert "No answer from" in await lost(broker)
    assert began is not None and trio.current_time() - began == SILENCE
    await broker.wait_for_try()
    await trio.sleep(1)
    assert [first for first, _ in there.said] == [CONNECT]  # nothing of the last connection


async def test_what_waits_to_be_sent_takes_bounded_room(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    come = 0

    async def serve(stream: trio.abc.Stream) -> None:
        nonlocal come
        await accept(stream)
        await trio.sleep(10)
        while data := await stream.receive_some():
            come += len(data)

    broker = opened(nursery, Dialing(nursery, serve, narrow=True))
    await broker.wait_for_try()
    for _ in range(10 * UNSENT // 4000):
        await broker.publish("a", bytes(4000))
    await trio.sleep(20)
    assert UNSENT - 8100 < come < UNSENT + 8100


async def test_a_machine_with_another_address_is_connected_anew_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    dialing = Dialing(nursery, StandIn(), "down", StandIn())
    broker = opened(nursery, dialing)
    await broker.subscribe("a")
    await broker.wait_for_try()
    began = trio.current_time()
    for _ in range(2):  # connected, and while it waits for the next try
        broker.reconnect()
        await wait_all_tasks_blocked()
    assert dialing.times == [0.0, began, began] and broker.status.since == began
    await broker.publish("a", b"x")
    while (received := await _received(broker)) is None:
        pass
    assert received == ("a", b"x")


async def _received(broker: MqttBroker) -> tuple[str, bytes] | None:
    try:
        return await broker.receive()
    except BrokerLost:
        return None
