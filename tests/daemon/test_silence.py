"""What somebody hears who has not been let in: nothing before they have spoken, and one BYE where they are refused."""

from __future__ import annotations

from random import Random

import pytest
import trio
from trio.testing import MockClock

from p2pcards.control.messages import Admission
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.first_contact import Codes, DoorCodes, Threshold
from p2pcards.links.channel import Channel
from p2pcards.links.link import Link, LinkLost
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import Bye, Hello, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.homes import MakeHome, all_at_once
from rigs.memory import channel_pair

ANNA, BEN = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2)]


async def nobody(channel: Channel, proven: str) -> None:
    raise AssertionError("somebody was let in")


async def heard(link: Link) -> list[bytes]:
    """All that comes until the link ends, or for five seconds."""
    messages: list[bytes] = []
    with trio.move_on_after(5):
        try:
            while True:
                messages.append(await link.receive())
        except LinkLost:
            pass
    return messages


async def stranger(make_home: MakeHome, says: bytes, *, require_code: bool, known_only: bool) -> list[bytes]:
    """What Anna hears at Ben's threshold after saying this, or nothing."""
    codes = DoorCodes(None if known_only else Codes(Random(1).randbytes), lambda: True, Bell(), lambda _: None)
    at = Threshold(make_home("ben"), public_bytes(BEN), Admission(require_code, known_only), codes, nobody)
    anna, ben = await channel_pair(ANNA, BEN)
    messages: list[bytes] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(at.admit, ben)
        if says:
            await anna.send(says)
        messages = await heard(anna)
        nursery.cancel_scope.cancel()
    await all_at_once(anna.aclose, ben.aclose)
    return messages


@pytest.mark.parametrize(("require_code", "known_only"), [(False, False), (True, False), (False, True)])
async def test_the_waiter_says_nothing_first(
    make_home: MakeHome, autojump_clock: MockClock, require_code: bool, known_only: bool
) -> None:
    assert await stranger(make_home, b"", require_code=require_code, known_only=known_only) == []


@pytest.mark.parametrize(("require_code", "code"), [(True, ByeCode.NEEDS_CODE), (False, ByeCode.KNOWN_ONLY)])
async def test_who_is_refused_gets_one_bye_and_nothing_else(
    make_home: MakeHome, autojump_clock: MockClock, require_code: bool, code: int
) -> None:
    hello = encode_message(Hello(VERSION, True, "Anna", "papa"))
    messages = await stranger(make_home, hello, require_code=require_code, known_only=not require_code)
    (bye,) = [decode_message(message) for message in messages]
    assert isinstance(bye, Bye) and bye.code == code
    assert b"ben" not in messages[0].lower()
