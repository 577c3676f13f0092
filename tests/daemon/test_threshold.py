"""The threshold of a table: codes as time passes, exchanges that are broken off, what strangers may have kept."""

from __future__ import annotations

from random import Random
from unittest import mock

import pytest
import trio
from trio.testing import MockClock

from p2pcards.control.messages import Admission
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.first_contact import LIFE, MOST, Codes, DoorCodes, Threshold
from p2pcards.daemon.introductions import BYTES, DAY, GAMES, Allowances, Whose
from p2pcards.links import pairing
from p2pcards.links.channel import Channel
from p2pcards.links.link import LinkLost
from p2pcards.links.pairing import Exchange
from p2pcards.store.files import Home
from p2pcards.views.happenings import CodeBurnt, CodeShown, Happening
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, GiveCode, Hello, decode_message, encode_message
from p2pcards.wire.records import VERSION
from p2pcards.wire.spoken import NUMBERS, read_code
from rigs.homes import MakeHome, all_at_once
from rigs.memory import channel_pair

ANNA, BEN = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2)]
HELLO = encode_message(Hello(VERSION, True, "Anna", "papa"))


class Door:
    """A threshold with its codes, the table behind it, and what was done and told there."""

    def __init__(self, home: Home) -> None:
        self.room = True
        self.changed = Bell()
        self.told: list[tuple[float, Happening]] = []
        self.served: list[tuple[bytes, str]] = []
        self.codes = DoorCodes(Codes(Random(1).randbytes), lambda: self.room, self.changed, self._tell)
        self.threshold = Threshold(home, public_bytes(BEN), Admission(), self.codes, self._serve)

    @property
    def code(self) -> str:
        return self.codes.code

    def times(self, kind: type[Happening]) -> list[float]:
        return [time for time, happening in self.told if isinstance(happening, kind)]

    def _tell(self, happening: Happening) -> None:
        self.told.append((trio.current_time(), happening))

    async def _serve(self, channel: Channel, proven: str) -> None:
        self.served.append((channel.peer, proven))


@pytest.fixture
async def door(make_home: MakeHome, autojump_clock: MockClock) -> Door:
    return Door(make_home("ben"))


async def give(door: Door, code: str, breaks_off: bool = False) -> int | None:
    """Anna names a code and knows no more of it; the code of the BYE that comes back, None if there is none."""
    anna, ben = await channel_pair(ANNA, BEN)
    share = Exchange(
        read_code(code), opens=True, binding=bytes(32), opener=public_bytes(ANNA), waiter=public_bytes(BEN)
    ).share
    heard: list[object] = []

    async def come() -> None:
        await anna.send(encode_message(GiveCode(read_code(code).number, share)))
        if not breaks_off:
            await anna.send(HELLO)
        try:
            while not breaks_off:
                heard.append(decode_message(await anna.receive()))
            await trio.sleep_forever()
        except LinkLost:
            pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        with trio.move_on_after(5):
            assert not await door.threshold.admit(ben)
        nursery.cancel_scope.cancel()
    await all_at_once(anna.aclose, ben.aclose)
    return next((one.code for one in heard if isinstance(one, Bye)), None)


async def test_codes_follow_each_other_while_there_is_room(door: Door, autojump_clock: MockClock) -> None:
    first = door.code
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.codes.keep)
        await trio.sleep(LIFE - 1)
        assert door.code == first and not door.told
        await trio.sleep(2)
        assert door.code not in ("", first) and [time - start for time in door.times(CodeShown)] == [LIFE]
        assert await give(door, first) == 14, "it is too old"
        door.room = False
        await trio.sleep(LIFE)
        assert door.code == "", "nobody needs one"
        door.room = True
        door.changed.ring()
        await trio.sleep(0.1)
        assert door.code
        nursery.cancel_scope.cancel()


async def test_burnt_codes_are_told_and_replaced_after_1_5_and_25_seconds(
    door: Door, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.codes.keep)
        for _ in range(4):
            assert await give(door, door.code) == 12
            await trio.sleep(30)
        nursery.cancel_scope.cancel()
    pauses = [new - burnt for burnt, new in zip(door.times(CodeBurnt), door.times(CodeShown), strict=True)]
    assert [round(pause) for pause in pauses] == [1, 5, 25, 25]


async def test_after_20_codes_nobody_is_taken_before_the_hour_is_over(door: Door, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.codes.keep)
        for _ in range(MOST):
            assert await give(door, door.code) == 12
            await trio.sleep(26)
        assert door.code == "" and len(door.times(CodeBurnt)) == MOST
        with mock.patch.object(pairing, "Exchange", wraps=Exchange) as arithmetic:
            burnt = {int(told.code.partition("-")[0]) for _, told in door.told if isinstance(told, CodeBurnt)}
            unused = next(number for number in NUMBERS if number not in burnt)
            assert await give(door, f"{unused}-crossword-clockwork") == 17
            before = arithmetic.call_count
            await trio.sleep(3600)
            assert await give(door, door.code) == 12
            assert (before, arithmetic.call_count) == (0, 1)
        nursery.cancel_scope.cancel()


async def test_an_exchange_that_is_broken_off_or_stalls_has_burnt_the_code(
    door: Door, autojump_clock: MockClock
) -> None:
    code = door.code
    await give(door, code, breaks_off=True)
    assert door.code == "" and len(door.times(CodeBurnt)) == 1
    assert await give(door, code) == 13


async def test_a_stranger_is_let_in_with_what_they_said_first(door: Door) -> None:
    anna, ben = await channel_pair(ANNA, BEN)
    await anna.send(HELLO)
    assert await door.threshold.admit(ben)
    assert await ben.receive() == HELLO
    await door.threshold.arrived(ben)
    assert door.served == [(public_bytes(ANNA), "")]
    await all_at_once(anna.aclose, ben.aclose)


@pytest.mark.parametrize("whose", [Whose.STRANGERS, Whose.KNOWN])
def test_what_those_who_share_an_allowance_may_have_written_is_bounded_each_day(whose: Whose) -> None:
    allowances = Allowances()
    spent = []
    for number, (size, now) in enumerate(((BYTES, DAY), (1, DAY + 1), (1, 2 * DAY))):
        allowances.allowance_of(bytes([number]), now, whose).write(size)
        spent.append(allowances.allowance_of(b"another", now, whose).spent)
    assert spent == [False, True, False]
    begun = 0
    while not allowances.allowance_of(b"another", 2 * DAY, whose).spent:
        allowances.allowance_of(b"one", 2 * DAY, whose).begin_game()
        begun += 1
    assert begun == GAMES + 1


def test_an_allowance_of_ones_own_is_used_up_by_nobody_else() -> None:
    allowances = Allowances()
    for whose in (Whose.STRANGERS, Whose.KNOWN):
        allowances.allowance_of(b"another", DAY, whose).write(BYTES + 1)
    assert not allowances.allowance_of(b"friend", DAY, Whose.OWN).spent
    allowances.allowance_of(b"friend", DAY, Whose.OWN).write(BYTES + 1)
    assert (
        allowances.allowance_of(b"friend", DAY, Whose.OWN).spent
        and not allowances.allowance_of(b"other", DAY, Whose.OWN).spent
    )
