"""The threshold of a table: codes as time passes, exchanges that are broken off, what strangers may have kept."""

from __future__ import annotations

from random import Random
from unittest import mock

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import MockClock

from p2pcards.control.messages import Admission
from p2pcards.daemon.allowance import BYTES, DAY, GAMES, Allowance
from p2pcards.daemon.codes import LIFE, MOST
from p2pcards.daemon.threshold import Threshold
from p2pcards.links import pairing
from p2pcards.links.link import Link, LinkLost
from p2pcards.links.memory import channel_pair
from p2pcards.links.pairing import Exchange
from p2pcards.views.happenings import CodeBurnt, CodeShown, Happening
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, GiveCode, Hello, decode_message, encode_message
from p2pcards.wire.spoken import NUMBERS, read_code
from rigs.homes import MakeHome, all_at_once

ANNA, BEN = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2)]
HELLO = encode_message(Hello(1, True, "Anna", "papa"))


class Table:
    """What a threshold needs of a table, and what it did there."""

    def __init__(self) -> None:
        self.room = True
        self.told: list[tuple[float, Happening]] = []
        self.served: list[tuple[bytes, str]] = []

    def has_room(self) -> bool:
        return self.room

    def tell(self, happening: Happening) -> None:
        self.told.append((trio.current_time(), happening))

    async def serve(self, link: Link, address: str = "", proof: str = "") -> None:
        self.served.append((link.peer, proof))

    def times(self, kind: type[Happening]) -> list[float]:
        return [time for time, happening in self.told if isinstance(happening, kind)]


def threshold(make_home: MakeHome, table: Table) -> Threshold:
    return Threshold(table, make_home("ben"), public_bytes(BEN), Random(1).randbytes, Admission())


async def give(at: Threshold, code: str, breaks_off: bool = False) -> int | None:
    """Anna names a code and knows no more of it; the code of the BYE that she gets, None if there is none."""
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
            assert not await at.admit(ben)
        nursery.cancel_scope.cancel()
    await all_at_once(anna.aclose, ben.aclose)
    return next((one.code for one in heard if isinstance(one, Bye)), None)


async def test_codes_follow_each_other_while_there_is_room(make_home: MakeHome, autojump_clock: MockClock) -> None:
    table = Table()
    at = threshold(make_home, table)
    first = at.code
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(at.keep_codes)
        await trio.sleep(LIFE - 1)
        assert at.code == first and not table.told
        await trio.sleep(2)
        assert at.code not in ("", first) and [time - start for time in table.times(CodeShown)] == [LIFE]
        assert await give(at, first) == 14, "it is too old"
        table.room = False
        await trio.sleep(LIFE)
        assert at.code == "", "nobody needs one"
        table.room = True
        at.changed()
        await trio.sleep(0.1)
        assert at.code
        nursery.cancel_scope.cancel()


async def test_burnt_codes_are_told_and_replaced_after_1_5_and_25_seconds(
    make_home: MakeHome, autojump_clock: MockClock
) -> None:
    table = Table()
    at = threshold(make_home, table)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(at.keep_codes)
        for _ in range(4):
            assert await give(at, at.code) == 12
            await trio.sleep(30)
        nursery.cancel_scope.cancel()
    pauses = [new - burnt for burnt, new in zip(table.times(CodeBurnt), table.times(CodeShown), strict=True)]
    assert [round(pause) for pause in pauses] == [1, 5, 25, 25]


async def test_after_20_codes_nobody_is_taken_before_the_hour_is_over(
    make_home: MakeHome, autojump_clock: MockClock
) -> None:
    table = Table()
    at = threshold(make_home, table)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(at.keep_codes)
        for _ in range(MOST):
            assert await give(at, at.code) == 12
            await trio.sleep(26)
        assert at.code == "" and len(table.times(CodeBurnt)) == MOST
        with mock.patch.object(pairing, "Exchange", wraps=Exchange) as arithmetic:
            burnt = {int(told.code.partition("-")[0]) for _, told in table.told if isinstance(told, CodeBurnt)}
            unused = next(number for number in NUMBERS if number not in burnt)
            assert await give(at, f"{unused}-crossword-clockwork") == 17
            before = arithmetic.call_count
            await trio.sleep(3600)
            assert await give(at, at.code) == 12
            assert (before, arithmetic.call_count) == (0, 1)
        nursery.cancel_scope.cancel()


async def test_an_exchange_that_is_broken_off_or_stalls_has_burnt_the_code(
    make_home: MakeHome, autojump_clock: MockClock
) -> None:
    table = Table()
    at = threshold(make_home, table)
    code = at.code
    await give(at, code, breaks_off=True)
    assert at.code == "" and len(table.times(CodeBurnt)) == 1
    assert await give(at, code) == 13


async def test_a_stranger_is_let_in_with_what_she_said_first(make_home: MakeHome) -> None:
    table = Table()
    at = threshold(make_home, table)
    anna, ben = await channel_pair(ANNA, BEN)
    await anna.send(HELLO)
    assert await at.admit(ben)
    assert await ben.receive() == HELLO
    await at.arrived(ben)
    assert table.served == [(public_bytes(ANNA), "")]
    await all_at_once(anna.aclose, ben.aclose)


def test_what_strangers_may_have_written_is_bounded_each_day() -> None:
    allowance = Allowance()
    spent = []
    for size, now in ((BYTES, 0), (1, 1), (1, DAY)):
        allowance.write(size, now)
        spent.append(allowance.spent)
    assert spent == [False, True, False]
    begun = 0
    while not allowance.spent:
        allowance.begin_game(DAY)
        begun += 1
    assert begun == GAMES + 1
