"""Words that two sides compare: the same on both, bound before they are seen, and not to be tried again and again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

import pytest

from p2pcards.daemon.connection import Connection
from p2pcards.daemon.first_contact import MOST_BROKEN_OFF, Comparisons
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import WordsCommitment, WordsNonce, WordsReveal, decode_message, encode_message
from p2pcards.wire.spoken import words_commitment, words_to_compare
from rigs.homes import all_at_once
from rigs.memory import memory_pair

ANNA, BEN, EVE = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3)]


@dataclass
class Side:
    """One end of a link, and what its player is told."""

    connection: Connection
    seed: int
    found: list[str] = field(default_factory=list)
    broken: int = 0

    def __post_init__(self) -> None:
        entropy = Random(self.seed).randbytes
        self.comparisons = Comparisons(entropy, lambda _, words: self.found.append(words), self._break)

    def _break(self, _: Connection) -> None:
        self.broken += 1

    async def hear(self, count: int = 1) -> None:
        for _ in range(count):
            self.comparisons.heard(self.connection, await self.connection.link.receive())


@asynccontextmanager
async def two(one: Ed25519PrivateKey = ANNA, other: Ed25519PrivateKey = BEN) -> AsyncIterator[tuple[Side, Side]]:
    """The one who opened the stream, and the other."""
    a, b = memory_pair(public_bytes(one), public_bytes(other))
    a.binding = b.binding = sha256(public_bytes(one) + public_bytes(other)).digest()  # as channels have it
    yield Side(Connection(a, "there"), 1), Side(Connection(b), 2)
    await all_at_once(a.aclose, b.aclose)


async def test_both_find_the_same_words() -> None:
    async with two() as (anna, ben):
        for begins, answers in ((anna, ben), (ben, anna)):
            begins.comparisons.begin(begins.connection)
            await answers.hear()
            await begins.hear()
            await answers.hear()
        assert len(set(anna.found)) == 2 and anna.found == ben.found and anna.broken == ben.broken == 0


async def test_when_both_begin_the_one_who_called_goes_on() -> None:
    async with two() as (anna, ben):
        for side in (anna, ben):
            side.comparisons.begin(side.connection)
        await ben.hear()  # drops the one begun here and answers
        await anna.hear(2)  # ignores that Ben has begun, takes their answer
        await ben.hear()
        assert anna.found == ben.found and len(anna.found) == 1


async def test_somebody_in_between_gets_other_words_on_each_side() -> None:
    async with two(ANNA, EVE) as (anna, to_anna), two(EVE, BEN) as (to_ben, ben):
        for begins, answers in ((anna, to_anna), (to_ben, ben)):
            begins.comparisons.begin(begins.connection)
            await answers.hear()
            await begins.hear()
            await answers.hear()
        assert anna.found != ben.found
        assert anna.connection.link.binding != ben.connection.link.binding


async def test_a_nonce_that_was_not_bound_shows_no_words() -> None:
    async with two() as (anna, ben):
        binding = anna.connection.link.binding
        anna.connection.send(encode_message(WordsCommitment(words_commitment(binding, bytes(16)))))
        await ben.hear()
        answer = decode_message(await anna.connection.link.receive())
        assert isinstance(answer, WordsNonce)
        wanted = bytes(15) + b"\1"  # now that their nonce is known, another one would make other words
        assert words_to_compare(binding, wanted, answer.nonce) != words_to_compare(binding, bytes(16), answer.nonce)
        anna.connection.send(encode_message(WordsReveal(wanted)))
        await ben.hear()
        assert (ben.found, ben.broken) == ([], 1)


async def test_who_begins_and_does_not_finish_is_told_of_and_then_not_answered() -> None:
    async with two() as (anna, ben):
        commitment = words_commitment(anna.connection.link.binding, bytes(16))
        for _ in range(MOST_BROKEN_OFF + 2):
            anna.connection.send(encode_message(WordsCommitment(commitment)))
            await ben.hear()
        ben.comparisons.lost(ben.connection)
        assert ben.broken == MOST_BROKEN_OFF and not ben.found
        for _ in range(MOST_BROKEN_OFF):
            assert isinstance(decode_message(await anna.connection.link.receive()), WordsNonce)
        ben.comparisons.begin(ben.connection)
        assert isinstance(decode_message(await anna.connection.link.receive()), WordsCommitment), "no answer before it"


@pytest.mark.parametrize("data", [b"\x92\x23\xff", encode_message(WordsNonce(bytes(16))), b"\x92\x25\xc0"])
async def test_what_fits_to_nothing_is_ignored(data: bytes) -> None:
    async with two() as (anna, ben):
        anna.connection.send(data)
        await ben.hear()
        assert (ben.found, ben.broken) == ([], 0)
        anna.comparisons.begin(anna.connection)
        await ben.hear()
        await anna.hear()
        await ben.hear()
        assert anna.found == ben.found != []
