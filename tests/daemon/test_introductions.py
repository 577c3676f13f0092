"""What strangers may have written at a table: who it counts for, and from when on it is too much."""

from __future__ import annotations

import os
import time

import pytest
import trio
from trio.testing import MockClock

from p2pcards.daemon.acquaintance import LONGEST
from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.connection import Connection
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.engine import Engine
from p2pcards.daemon.introductions import BYTES, GAMES, Counterpart, Introductions
from p2pcards.daemon.thinking import decide_here
from p2pcards.session.effects import Me
from p2pcards.session.listener import Listener
from p2pcards.store.files import Home
from p2pcards.store.identity import remember, trust
from p2pcards.wire.crypto import Ed25519PrivateKey
from rigs.homes import MakeHome
from rigs.memory import channel_pair

ANNA, BEN, CARL, DORA = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3, 4)]


class Table:
    """Those who have come to Ben's table."""

    def __init__(self, home: Home, *, listens: bool = True) -> None:
        self.home = home
        me = Me(BEN, "Ben", "wayne")
        engine = Engine(
            "t1",
            Listener(me, entropy=os.urandom, now=trio.current_time(), cast=()),
            Attachments(),
            Diagnostics(home.diagnostics),
            carry_out=lambda _: None,
            settled=lambda: None,
            decide=decide_here,
        )
        self.people = Introductions(home, engine, Attachments(), listens=listens)

    async def comes(self, key: Ed25519PrivateKey) -> Counterpart:
        """Somebody whose link stays open."""
        _, here = await channel_pair(key, BEN)
        who = self.people.takes(Connection(here), "")
        assert who is not None
        self.people.enter(who)
        return who

    async def comes_and_goes(self, key: Ed25519PrivateKey) -> Counterpart:
        who = await self.comes(key)
        self.people.leave(who)
        return who

    def writes(self, who: Counterpart, size: int) -> None:
        self.people.charge_to(who, lambda: self.people.write(size))

    def begins(self, who: Counterpart, games: int, *, new: bool = True) -> None:
        for _ in range(games):
            self.people.charge_to(who, lambda: self.people.begin_game(new=new))


@pytest.fixture
def home(make_home: MakeHome) -> Home:
    found = make_home("ben")
    found.state.mkdir(parents=True)
    return found


async def test_a_stranger_may_have_so_many_bytes_written_and_so_many_games_begun(
    home: Home, autojump_clock: MockClock
) -> None:
    table = Table(home)
    anna = await table.comes(ANNA)
    table.writes(anna, BYTES)
    table.begins(anna, GAMES)
    table.begins(anna, GAMES, new=False)
    table.people.write(BYTES)  # of our own accord
    table.people.begin_game(new=True)
    assert not table.people.too_much(anna)
    table.writes(anna, 1)
    assert table.people.too_much(anna)

    another = Table(home)
    anna = await another.comes(ANNA)
    another.begins(anna, GAMES + 1)
    assert another.people.too_much(anna)


async def test_what_a_coordinator_writes_is_of_their_own_accord(home: Home, autojump_clock: MockClock) -> None:
    table = Table(home, listens=False)
    anna = await table.comes(ANNA)
    table.writes(anna, BYTES + 1)
    table.begins(anna, GAMES + 1)
    assert not table.people.too_much(anna)
    assert anna.played, "it is our player who begins a game there"


async def test_those_known_longest_have_an_allowance_of_their_own_and_all_others_share_one(
    home: Home, autojump_clock: MockClock
) -> None:
    fresh = [Ed25519PrivateKey.from_private_bytes(bytes([100 + number]) * 32) for number in range(LONGEST + 2)]
    for age, key in enumerate([CARL, *fresh]):
        remember(home, key.public_key().public_bytes_raw(), f"one {age}", "", 1_000 + age)
    table = Table(home)
    carl, *others, late = [await table.comes_and_goes(key) for key in (CARL, *fresh)]
    for other in others:
        table.begins(other, GAMES + 1)
        assert table.people.too_much(other)
    assert table.people.too_much(late), "they share with who came before"
    assert not table.people.too_much(carl), "nobody else can use up what they have"
    remember(home, late.key, "", "", 2_000, "code")
    assert not table.people.too_much(late), "a code makes sure of a key"


async def test_strangers_have_one_allowance_and_whom_we_know_has_their_own(
    home: Home, autojump_clock: MockClock
) -> None:
    remember(home, CARL.public_key().public_bytes_raw(), "Carl", "", int(time.time()))
    table = Table(home)
    anna, dora, carl = [await table.comes(key) for key in (ANNA, DORA, CARL)]
    assert (anna.stranger, carl.stranger) == (True, False)
    table.writes(anna, BYTES + 1)
    assert [table.people.too_much(who) for who in (anna, dora, carl)] == [True, True, False]
    table.writes(carl, BYTES + 1)
    assert table.people.too_much(carl)
    trust(home, "Carl")
    assert not table.people.too_much(carl)
    assert carl.proof == "trusted", "they are not looked up again"
