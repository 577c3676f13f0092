"""The door of a table at the meeting points: where it waits, and who comes in there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2pcards.control.messages import Admission
from p2pcards.daemon import rendezvous
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.first_contact import Codes, DoorCodes, Threshold
from p2pcards.daemon.reach import Reach
from p2pcards.daemon.rendezvous import CODES, FRIENDS, LOOK, SLEPT, SURE, AnywhereDoor, Brokers, place_of_call
from p2pcards.links.broker import MqttBroker
from p2pcards.links.broker_address import parse_broker
from p2pcards.links.broker_dial import dial_broker
from p2pcards.links.channel import Channel, open_channel
from p2pcards.links.link import Prompt
from p2pcards.links.meeting import (
    DAY,
    MeetingPoint,
    call_at,
    place_of_code,
    place_of_friend,
    place_of_link,
)
from p2pcards.store.files import Home
from p2pcards.store.identity import remember
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import pair_secret, public_bytes
from p2pcards.wire.messages import Bye, Hello, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from p2pcards.wire.spoken import MEETING_NUMBERS, read_code
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome
from rigs.memory_brokers import MemoryBroker
from rigs.met import at

TODAY = 20_000
TOKEN = b"token of a link."


class Table:
    """One that waits from anywhere. served: the keys of those who came to it."""

    def __init__(self, home: Home) -> None:
        self.served: list[bytes] = []
        self.proven: list[str] = []
        self.made = Codes(Random(1).randbytes, MEETING_NUMBERS)
        self.codes = DoorCodes(self.made, lambda: True, Bell(), lambda _: None)
        self.threshold = Threshold(home, public_bytes(BEN), Admission(), self.codes, self._serve)
        self.door = AnywhereDoor(home, BEN, self.codes, self.threshold, TOKEN)

    @property
    def number(self) -> int:
        return read_code(self.codes.code).number

    async def _serve(self, channel: Channel, proven: str) -> None:
        self.served.append(channel.peer)
        self.proven.append(proven)
        await channel.send(b"welcome")

    @asynccontextmanager
    async def waiting(self, point: MeetingPoint) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.door.keep, Brokers(point, ()), _raise, _fail)
            await trio.testing.wait_all_tasks_blocked()
            yield
            nursery.cancel_scope.cancel()


def _raise(error: Exception) -> None:
    raise error


def _fail(text: str) -> None:
    raise AssertionError(text)


@pytest.fixture
async def table(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(rendezvous, "wall_clock", lambda: (TODAY + 0.5) * DAY)
    return Table(make_home("ben"))


async def hears(stream: Prompt) -> tuple[Channel, bytes]:
    """Anna says hello, and what she hears then."""
    channel = await open_channel(stream, initiator=True, identity=ANNA, where="the host", deadline=longest_wait())
    await channel.send(encode_message(Hello(VERSION, True, "Anna", "papa")))
    return channel, await channel.receive()


async def test_who_has_read_the_number_of_a_code_does_not_come_in_without_it(table: Table) -> None:
    broker = MemoryBroker("mqtt://one")
    async with at(broker) as hosts, at(broker) as guests, table.waiting(hosts):
        channel, heard = await call_at(guests, place_of_code(table.number), hears)
        assert decode_message(heard) == Bye(ByeCode.NEEDS_CODE) and not table.served
        await channel.aclose()


async def test_a_friend_comes_in_without_a_code_as_soon_as_they_are_known(make_home: MakeHome, table: Table) -> None:
    remember(make_home("ben"), public_bytes(ANNA), "Anna", "", 7, "code")
    broker = MemoryBroker("mqtt://one")
    async with at(broker) as hosts, at(broker) as guests, table.waiting(hosts):
        channel, heard = await call_at(guests, place_of_call(ANNA, public_bytes(BEN), 0, None), hears)
        assert heard == b"welcome" and table.served == [public_bytes(ANNA)]
        await channel.aclose()


async def test_a_link_lets_in_again_and_again_and_a_friend_is_known_from_then_on(table: Table) -> None:
    """Also where strangers need a code; and no code is used up by it."""
    broker, code = MemoryBroker("mqtt://one"), table.codes.code
    async with at(broker) as hosts, at(broker) as guests, table.waiting(hosts):
        for place in (place_of_link(TOKEN), place_of_link(TOKEN), place_of_call(ANNA, public_bytes(BEN), 0, None)):
            channel, heard = await call_at(guests, place, hears)
            assert heard == b"welcome"
            await channel.aclose()
            await trio.testing.wait_all_tasks_blocked()
    assert table.proven == ["link", "link", ""] and table.codes.code == code


async def test_places_are_few_the_friends_met_last_and_the_codes_given_last(make_home: MakeHome, table: Table) -> None:
    keys = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, FRIENDS + 3)]
    for when, key in enumerate(keys):
        remember(make_home("ben"), public_bytes(key), f"Friend{when}", "", when, "code")
    numbers = [table.number]
    for _ in range(CODES):
        table.made.make(trio.current_time())
        numbers.append(table.number)
    found = table.door._places()
    codes = {place for place in found if place.found_by == "code"}
    assert codes == {place_of_code(number) for number in numbers[-CODES:]}
    friends = {
        place_of_friend(pair_secret(BEN, public_bytes(key)), public_bytes(BEN), day)
        for key in keys[2:]
        for day in (TODAY - 1, TODAY, TODAY + 1)
    }
    assert found - codes - {place_of_link(TOKEN)} == friends


async def test_whoever_comes_by_a_link_with_many_keys_keeps_no_friend_out(make_home: MakeHome, table: Table) -> None:
    keys = [public_bytes(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)) for number in range(1, 60)]
    for when, key in enumerate(keys):
        remember(make_home("ben"), key, f"Friend{when}", "", when, "code" if when < SURE else "first use")
    friends = [place_of_friend(pair_secret(BEN, key), public_bytes(BEN), TODAY) for key in keys]
    found = table.door._places()
    assert found.issuperset([*friends[:SURE], *friends[SURE - FRIENDS :]]) and friends[SURE] not in found


async def test_a_mistake_at_the_brokers_costs_what_goes_through_them_and_no_more(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake, faults = RuntimeError("a mistake of ours"), list[Exception]()
    fails = trio.Event()

    class Failing(MeetingPoint):
        async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
            task_status.started()
            await fails.wait()
            raise mistake

    monkeypatch.setattr(rendezvous, "open_brokers", lambda *_: Brokers(Failing([]), ()))
    reach = Reach(make_home("ann"), faults.append)
    async with trio.open_nursery() as nursery:
        await nursery.start(reach.run)
        async with reach.held(lambda _: None) as before:
            fails.set()
            await trio.testing.wait_all_tasks_blocked()
        assert [one.exceptions for one in faults if isinstance(one, ExceptionGroup)] == [(mistake,)]
        fails = trio.Event()
        async with reach.held(lambda _: None) as brokers:
            assert brokers is not before
        nursery.cancel_scope.cancel()


async def test_brokers_are_connected_anew_after_another_address_or_a_sleep(autojump_clock: MockClock) -> None:
    anew = list[float]()
    addresses, slept = ["192.168.1.2"], 0.0

    class End(MqttBroker):
        def __init__(self) -> None:
            super().__init__(parse_broker("mqtt://one"), dial_broker, Random(1).randbytes)

        def reconnect(self) -> None:
            anew.append(trio.current_time())

    brokers = Brokers(MeetingPoint([]), (End(),))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            partial(brokers.watch_network, lambda: [*addresses], lambda: 1e9 + trio.current_time() + slept)
        )
        await trio.sleep(3 * LOOK)
        assert not anew
        addresses[:] = ["192.168.1.7"]
        await trio.sleep(3 * LOOK)
        assert len(anew) == 1
        slept = SLEPT / 2  # somebody has set the clock
        await trio.sleep(3 * LOOK)
        assert len(anew) == 1
        slept += 600
        await trio.sleep(3 * LOOK)
        assert len(anew) == 2
        nursery.cancel_scope.cancel()
