"""Two machines and whatever brokers do between them: all bytes arrive in order, or the stream ends with a cause."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.links import relayed
from p2pcards.links.relayed import (
    CAPACITY,
    COURSE,
    CUT,
    END,
    FRAME,
    GONE,
    HALF_OPEN,
    KEEP,
    LINGER,
    LONGEST,
    OPENING,
    PAYLOAD,
    PIECES,
    RATE,
    SIGNAL,
    SILENCE,
    UNREAD_SIGNALS,
    Inbox,
    Outbox,
    Piece,
    RelayedMachine,
    RelayEvent,
    RelayPhase,
    Segment,
    Signal,
    StreamKeys,
    answer_opening,
    derive,
    keys_of_answer,
    make_opening,
    number_of,
    opening_is_sealed,
    read_greeting,
    seal,
)
from p2pcards.wire.crypto import ChaCha20Poly1305, X25519PrivateKey

CONNECTION = bytes(range(16))
KEYS = StreamKeys(b"c" * 32, b"w" * 32)
ANNS, BOBS = X25519PrivateKey.from_private_bytes(b"a" * 32), X25519PrivateKey.from_private_bytes(b"b" * 32)
ANNS_SHARE = ANNS.public_key().public_bytes_raw()
MEETING_KEY = b"k" * 32


def machine(calls: bool, *, now: float = 0.0, brokers: int = 1) -> RelayedMachine:
    return RelayedMachine(CONNECTION, KEYS, calls=calls, now=now, answer=b"answer", brokers=brokers)


def sealed(calls: bool, number: int, segment: Segment) -> bytes:
    """A frame that only the caller, or only the waiter, can have made."""
    return seal(ChaCha20Poly1305(KEYS.caller if calls else KEYS.waiter), FRAME, CONNECTION, number, segment.plaintext())


def segment(data: bytes = b"", *, place: int = 0, flags: int = 0, seen: int = 0, acknowledged: int = 0) -> Segment:
    return Segment(acknowledged, CAPACITY, seen, place, flags, data)


def sent_by(one: RelayedMachine, now: float) -> list[bytes]:
    """All that it sends at this time."""
    found: list[bytes] = []
    while (out := one.output(now)) is not None:
        found.append(out.payload)
    return found


# --- brokers that do what they like -----------------------------------------------------------------------------------


@dataclass
class Way:
    """A broker. lost, twice: chances; delay: seconds, from and to; dies, lives: when it carries nothing; keeps_from:
    the side to which it carries nothing."""

    lost: float = 0.0
    twice: float = 0.0
    delay: tuple[float, float] = (0.01, 0.05)
    dies: float = inf
    lives: float = inf
    keeps_from: int | None = None

    def deliveries(self, now: float, to: int, chance: Random) -> Iterator[float]:
        """When the copies of a message to this side arrive."""
        if not self.dies <= now < self.lives and to != self.keeps_from:
            for _ in range(1 + (chance.random() < self.twice)):
                if chance.random() >= self.lost:
                    yield now + chance.uniform(*self.delay)


@dataclass
class End:
    """A machine, what is still to be written to it, and what was read from it. reads: whether anybody reads."""

    machine: RelayedMachine
    unwritten: bytes
    reads: bool = True
    read: bytes = b""
    sent: list[bytes] = field(default_factory=list)

    def work(self, now: float, chance: Random) -> Iterator[relayed.Publication]:
        self._write()
        if self.reads:
            self.read += self.machine.incoming.read(chance.choice((None, 1000)))
            self.machine.has_read(now)
        while (out := self.machine.output(now)) is not None:
            assert len(out.payload) <= PAYLOAD
            self.sent.append(out.payload)
            yield out
            self._write()
        assert self.machine.incoming.size <= CAPACITY + PIECES * LONGEST
        assert self.machine.outgoing.size <= CAPACITY
        assert self.machine.is_over or self.machine.next_time() > now, "it would spin"

    def _write(self) -> None:
        self.unwritten = self.unwritten[self.machine.outgoing.write(self.unwritten) :]
        if not self.unwritten:
            self.machine.outgoing.end()

    @property
    def is_done(self) -> bool:
        done = self.machine.outgoing.is_done and self.machine.incoming.is_whole and not self.machine.incoming.waiting
        return self.machine.is_over or (done and not self.unwritten)


@dataclass
class Mischief:
    """How many messages of their own somebody at the brokers adds for each that passes: noise, and what passed before.
    Nothing that one side sent is kept from the other."""

    noise: float = 0.0
    replays: float = 0.0

    def messages(self, ends: tuple[End, End], chance: Random) -> Iterator[bytes]:
        passed = [*ends[0].sent[-200:], *ends[1].sent[-200:]]
        if chance.random() < self.noise:
            own = bytearray(chance.choice(passed))
            own[chance.randrange(len(own))] ^= 1 << chance.randrange(8)
            yield chance.choice((bytes(own), chance.randbytes(60), bytes(own)[: chance.randrange(len(own))], b""))
        if chance.random() < self.replays:
            yield chance.choice(passed)


def converse(
    a: End, b: End, ways: list[Way], chance: Random, *, until: float, mischief: Mischief | None = None
) -> float:
    """Run both until they are done; returns the time. Fails where that takes longer than `until`."""
    coming: list[tuple[float, int, End, bytes, int]] = []
    order, now = count(), 0.0
    while True:
        for to, (end, other) in enumerate(((b, a), (a, b))):
            for out in end.work(now, chance):
                for broker in range(len(ways)) if out.path is None else [out.path]:
                    for at in ways[broker].deliveries(now, to, chance):
                        heapq.heappush(coming, (at, next(order), other, out.payload, broker))
                    for payload in (mischief or Mischief()).messages((a, b), chance):
                        heapq.heappush(coming, (now, next(order), chance.choice((a, b)), payload, broker))
        if a.is_done and b.is_done:
            return now
        now = min(a.machine.next_time(), b.machine.next_time(), *[at for at, *_ in coming[:1]])
        assert now < until, "it takes too long"
        while coming and coming[0][0] <= now:
            _, _, end, payload, broker = heapq.heappop(coming)
            end.machine.receive(payload, broker, now)


def pair(annas: bytes, bens: bytes, brokers: int = 1) -> tuple[End, End]:
    return End(machine(True, brokers=brokers), annas), End(machine(False, brokers=brokers), bens)


BYTES = Random(0).randbytes(1_000_000)
chances = st.integers(0, 2**32).map(Random)
ways = st.lists(
    st.builds(
        Way,
        lost=st.sampled_from((0.0, 0.05, 0.2, 0.5)),
        twice=st.sampled_from((0.0, 0.2, 1.0)),
        delay=st.sampled_from(((0.0, 0.0), (0.01, 0.05), (0.0, 0.6), (0.3, 0.3))),
        dies=st.sampled_from((inf, 0.5, 1.0, 2.0)),
        lives=st.sampled_from((inf, 4.0, 10.0)),
        keeps_from=st.sampled_from((None, None, None, 0, 1)),
    ),
    min_size=1,
    max_size=3,
)
mischiefs = st.builds(Mischief, noise=st.sampled_from((0.0, 1.0)), replays=st.sampled_from((0.0, 1.0)))


@settings(max_examples=60)
@given(ways, chances, st.integers(0, 60_000), st.integers(0, 60_000), mischiefs)
def test_all_bytes_arrive_in_order_or_the_stream_ends_with_a_cause(
    ways: list[Way], chance: Random, annas: int, bens: int, mischief: Mischief
) -> None:
    a_bytes, b_bytes = BYTES[:annas], BYTES[len(BYTES) - bens :]
    a, b = pair(a_bytes, b_bytes, len(ways))
    converse(a, b, ways, chance, until=1000, mischief=mischief)
    for other, data in ((b, a_bytes), (a, b_bytes)):
        whole = other.read == data
        assert whole or (data.startswith(other.read) and other.machine.failure)
        assert whole or not any(way.dies == inf and way.lost <= 0.05 and way.keeps_from is None for way in ways)


@settings(max_examples=30)
@given(st.sampled_from((0.0, 0.2)), chances, mischiefs)
def test_with_one_broker_that_lives_nothing_is_lost(lost: float, chance: Random, mischief: Mischief) -> None:
    ways = [Way(dies=0.3), Way(lost=lost, delay=(0.0, 0.3)), Way(dies=0.0, lives=2.0)]
    a, b = pair(BYTES[:20_000], BYTES[:20_000], len(ways))
    converse(a, b, ways, chance, until=120, mischief=mischief)
    assert a.read == b.read == BYTES[:20_000] and not a.machine.failure and not b.machine.failure


@pytest.mark.parametrize("side", [0, 1])
def test_a_broker_that_carries_one_direction_only_is_not_stayed_with(side: int) -> None:
    a, b = pair(BYTES[:20_000], BYTES[:20_000], 2)
    ways = [Way(delay=(0.01, 0.02), keeps_from=side), Way(delay=(0.1, 0.2))]
    assert converse(a, b, ways, Random(1), until=30) < 10 and a.read == b.read == BYTES[:20_000]


def test_the_rate_is_what_is_told_and_no_more() -> None:
    size = 400_000
    a, b = pair(BYTES[:size], b"")
    took = converse(a, b, [Way()], Random(1), until=30)
    assert b.read == BYTES[:size] and took < 1.1 * size / RATE
    assert sum(map(len, a.sent)) <= RATE * (took + relayed.BURST) + PAYLOAD


def test_a_fifth_lost_at_a_third_of_a_second_halves_the_rate_at_most() -> None:
    size = 200_000
    a, b = pair(BYTES[:size], b"", 1)
    assert converse(a, b, [Way(lost=0.2, delay=(0.15, 0.15))], Random(1), until=60) < 40
    assert b.read == BYTES[:size]


def test_a_short_message_passes_at_once_and_costs_54_bytes_more() -> None:
    a, b = machine(True), machine(False)
    a.output(0.0)
    a.outgoing.write(b"move")
    (payload,) = sent_by(a, 0.0)
    assert len(payload) == 4 + 54
    assert b.receive(payload, 0, 0.01) and b.incoming.read(None) == b"move"


def test_nobody_who_reads_keeps_the_other_side_from_sending_and_nothing_is_lost() -> None:
    a, b = pair(BYTES[:200_000], b"")
    b.reads = False
    with pytest.raises(AssertionError, match="too long"):
        converse(a, b, [Way()], Random(1), until=15)
    assert b.machine.incoming.waiting <= CAPACITY and b.machine.incoming.waiting > CAPACITY - LONGEST
    b.reads = True
    chance, now = Random(2), 15.0
    while not a.is_done and now < 60:
        for end, other in ((b, a), (a, b)):
            for out in end.work(now, chance):
                other.machine.receive(out.payload, 0, now)
        now += 0.05
    assert b.read == BYTES[:200_000]


# --- what others may do -----------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.booleans(), st.booleans())
def test_any_bytes_are_passed_over(data: bytes, calls: bool, marked: bool) -> None:
    one = machine(calls)
    before = sent_by(one, 0.0)
    payload = bytes([3]) + CONNECTION + data if marked else data
    assert not one.receive(payload, 0, 0.1)
    assert before and sent_by(one, 0.1) == [] and one.failure is None


@given(st.data())
def test_a_frame_that_was_changed_anywhere_is_passed_over(data: st.DataObject) -> None:
    payload = bytearray(sealed(True, 1, segment(b"move")))
    place = data.draw(st.integers(0, len(payload) - 1))
    payload[place] ^= 1 << data.draw(st.integers(0, 7))
    ben = machine(False)
    assert not ben.receive(bytes(payload), 0, 0.1) and not ben.incoming.waiting
    assert ben.receive(sealed(True, 1, segment(b"move")), 0, 0.2)


def test_a_frame_counts_once_and_one_that_is_far_behind_not_at_all() -> None:
    ben, frames = machine(False), {number: sealed(True, number, segment()) for number in (1, 2, 70, 71, 133)}
    assert ben.receive(frames[70], 0, 0.0) and not ben.receive(frames[70], 1, 0.0)
    assert ben.receive(frames[71], 0, 0.0) and not ben.receive(frames[2], 0, 0.0)
    assert ben.receive(frames[133], 0, 0.0) and not ben.receive(frames[70], 0, 0.0)


def test_no_number_seals_two_frames_also_where_the_same_bytes_are_sent_again() -> None:
    a, b = pair(BYTES[:50_000], BYTES[:50_000], 2)
    converse(a, b, [Way(lost=0.3), Way(lost=0.3)], Random(3), until=200)
    for end in (a, b):
        numbers = [number_of(payload) for payload in end.sent if number_of(payload)]
        assert numbers == list(range(1, len(numbers) + 1)) and end.machine.outgoing.resent


def test_frames_of_the_one_direction_mean_nothing_in_the_other() -> None:
    a = machine(True)
    a.outgoing.write(b"move")
    assert not any(a.receive(payload, 0, 0.0) for payload in sent_by(a, 0.0))


@pytest.mark.parametrize("payload", [segment(flags=8), segment(flags=CUT), segment(b"x", place=2**32 - 1)])
def test_what_only_the_other_side_can_have_sealed_wrongly_ends_the_stream(payload: Segment) -> None:
    ben = machine(False)
    assert ben.receive(sealed(True, 1, payload), 0, 0.0) and ben.failure and ben.is_over


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 400), st.booleans()), max_size=100))
def test_an_inbox_keeps_no_more_than_its_room_and_64_pieces(pieces: list[tuple[int, int, bool]]) -> None:
    inbox = Inbox()
    for place, size, is_last in [(1 + place % (CAPACITY + 9), 10 * size, is_last) for place, size, is_last in pieces]:
        inbox.add(Piece(place, bytes(size), is_last))
        assert inbox.size <= CAPACITY + PIECES * LONGEST and not inbox.waiting and inbox.expected == 0
    inbox.add(Piece(0, b"x"))
    assert inbox.expected >= 1 and inbox.waiting <= CAPACITY


def test_of_65_pieces_behind_a_gap_64_are_kept() -> None:
    inbox = Inbox()
    for number in range(1, PIECES + 2):
        inbox.add(Piece(2 * number, b"x"))
    assert inbox.size == PIECES


# --- what is sent again, and when -------------------------------------------------------------------------------------


def writes(one: RelayedMachine, count: int, now: float) -> list[bytes]:
    """So many pieces, each written and sent by itself."""
    found: list[bytes] = []
    for _ in range(count):
        one.outgoing.write(b"move")
        found += sent_by(one, now)
    return found


def test_a_frame_that_three_have_overtaken_is_sent_again_at_once_and_one_that_two_have_is_not() -> None:
    a = machine(True)
    writes(a, 4, 0.0)
    a.receive(sealed(False, 1, segment(seen=3)), 0, 0.1)
    assert sent_by(a, 0.1) == []
    a.receive(sealed(False, 2, segment(seen=4)), 0, 0.1)
    assert len(sent_by(a, 0.1)) == 1 and a.outgoing.resent == 1


def test_what_is_not_acknowledged_is_sent_again_sooner_where_answers_came_fast() -> None:
    a, now = machine(True), 0.0
    assert len(writes(a, 1, now)) == 1 and a.next_time() == 1.5
    for number in range(1, 30):
        a.receive(sealed(False, number, segment(acknowledged=4 * number, seen=number)), 0, now := now + 0.05)
        writes(a, 1, now)
    assert a.round_trip is not None and a.round_trip < 0.1 < a.next_time() - now < 0.3


def test_a_caller_who_has_heard_nothing_tries_seven_times_before_the_waiter_gives_up() -> None:
    a, now, sent = machine(True), 0.0, 0
    a.outgoing.write(b"hello")
    while now < HALF_OPEN:
        sent += len([payload for payload in sent_by(a, now) if len(payload) == 54 + 5])
        now = a.next_time()
    assert sent == 7


def test_64_pieces_are_on_the_way_at_most() -> None:
    a = machine(True)
    assert len(writes(a, 100, 0.0)) == PIECES


def test_where_the_other_side_has_no_room_one_byte_asks_for_it_and_goes_out_at_once_when_there_is() -> None:
    a = machine(True)
    a.receive(sealed(False, 1, Segment(0, 0, 0, 0, 0)), 0, 0.0)
    a.outgoing.write(bytes(LONGEST))
    sent_by(a, 0.0)
    a.outgoing.write(bytes(LONGEST))
    a.receive(sealed(False, 2, Segment(LONGEST, 0, 1, 0, 0)), 0, 0.1)
    (probe,) = sent_by(a, 0.1)
    assert len(probe) == 54 + 1
    a.receive(sealed(False, 3, Segment(LONGEST, CAPACITY, 2, 0, 0)), 0, 0.2)
    assert [len(payload) - 54 for payload in sent_by(a, 0.2)] == [1, LONGEST - 1]


def test_frames_through_three_brokers_count_three_times() -> None:
    sizes = []
    for brokers in (1, 3):
        a = machine(True, brokers=brokers)
        a.outgoing.acknowledge(0, CAPACITY, 0)
        a.outgoing.write(bytes(CAPACITY))
        sizes.append(len(sent_by(a, 0.0)))
    assert sizes[0] > 2 * sizes[1] > 0


def test_acknowledgements_of_what_was_never_sent_do_nothing() -> None:
    outbox = Outbox()
    outbox.write(b"move")
    outbox.next_piece(1)
    outbox.acknowledge(2**32 - 1, 2**32 - 1, 2**32 - 1)
    assert outbox.size == 4 and not outbox.is_done


# --- brokers ----------------------------------------------------------------------------------------------------------


def test_frames_go_through_the_broker_that_was_first_and_after_a_time_out_through_all() -> None:
    a = machine(True, brokers=3)
    a.receive(sealed(False, 2, segment()), 2, 0.0)
    assert not a.receive(sealed(False, 2, segment()), 0, 0.0) and a.receive(sealed(False, 1, segment()), 0, 0.0)
    a.outgoing.write(b"move")
    assert (out := a.output(0.0)) is not None and out.path == 2
    assert a.output(0.1) is None
    assert (out := a.output(a.next_time())) is not None and out.path is None
    a.receive(sealed(False, 3, segment(acknowledged=4, seen=1)), 1, 5.0)
    a.outgoing.write(b"move")
    assert (out := a.output(5.0)) is not None and out.path == 1


# --- direct paths and signals -----------------------------------------------------------------------------------------


def frame_on(one: RelayedMachine, other: RelayedMachine, path: int, now: float) -> None:
    """A frame of `one` that comes on this path."""
    one.probe(path)
    out = one.output(now)
    assert out is not None and out.path == path
    assert other.receive(out.payload, path, now)


def test_a_direct_path_is_preferred_and_the_caller_chooses_one_of_several() -> None:
    a, b = machine(True, brokers=2), machine(False, brokers=2)
    for one in (a, b):
        sent_by(one, 0.0)
    frame_on(a, b, 2, 1.0)
    frame_on(b, a, 3, 1.0)
    assert (a.path, b.path) == (3, 2)
    frame_on(b, a, 2, 1.1)
    frame_on(a, b, 3, 1.1)
    assert (a.path, b.path) == (3, 3), "the waiter does as the caller"
    frame_on(b, a, 0, 1.2)
    frame_on(a, b, 1, 1.2)
    assert (a.path, b.path) == (3, 3), "no broker is better"
    a.lose_path(3)
    assert a.path is None


def test_a_caller_without_its_direct_path_goes_back_to_a_broker() -> None:
    a, b = machine(True, brokers=2), machine(False, brokers=2)
    for payload in sent_by(a, 0.0):
        b.receive(payload, 0, 0.0)
    frame_on(b, a, 2, 1.0)
    assert a.is_direct
    a.lose_path(2)
    frame_on(b, a, 1, 1.3)
    assert a.path == 1


def test_what_goes_on_a_direct_path_does_not_count_towards_the_rate() -> None:
    for path, at_once in ((0, RATE // 2), (1, CAPACITY)):
        a, b = machine(True), machine(False)
        for payload in sent_by(a, 0.0):
            b.receive(payload, 0, 0.0)
        sent_by(b, 0.0)
        b.probe(path)
        for payload in sent_by(b, 0.0):
            a.receive(payload, path, 0.0)
        a.outgoing.write(bytes(CAPACITY))
        size = sum(len(payload) for payload in sent_by(a, 1.0))
        assert at_once <= size < 1.2 * at_once + PAYLOAD


@given(st.lists(st.binary(max_size=20), max_size=12), st.floats(0, 0.5), st.randoms(use_true_random=False))
def test_signals_arrive_once_and_in_order_whatever_is_lost(texts: list[bytes], lost: float, chance: Random) -> None:
    a, b = machine(True), machine(False)
    for payload in sent_by(a, 0.0):
        b.receive(payload, 0, 0.0)
    for number, text in enumerate(texts):
        (a, b)[number % 2].signals.send(Signal(1, number, text), 0.0)
    arrived: dict[int, list[Signal]] = {0: [], 1: []}
    now = 0.0
    while now < 5000 and sum(map(len, arrived.values())) < len(texts):
        for to, (one, other) in enumerate(((b, a), (a, b))):
            for payload in sent_by(one, now):
                for _ in range(1 + (chance.random() < 0.2)):
                    if chance.random() >= lost:
                        other.receive(payload, 0, now)
            arrived[to] += other.signals.arrived
            other.signals.arrived.clear()
        now += 0.5
    dead = a.is_over or b.is_over  # nothing has come through for a minute
    for to in (0, 1):
        sent = [Signal(1, number, text) for number, text in enumerate(texts) if number % 2 != to]
        assert arrived[to] == (sent[: len(arrived[to])] if dead else sent)


def test_of_signals_that_nobody_looks_at_sixteen_are_kept() -> None:
    a, b = machine(True), machine(False)
    for number in range(3 * UNREAD_SIGNALS):
        a.signals.send(Signal(1, 1, bytes([number])), 0.0)
    for second in range(100):
        for one, other in ((a, b), (b, a)):
            for payload in sent_by(one, float(second)):
                other.receive(payload, 0, float(second))
    assert len(b.signals.arrived) == UNREAD_SIGNALS
    assert a.signals.due > 99.0, "it is sent again, ever more slowly"


def test_a_signal_that_is_not_the_next_one_is_passed_over() -> None:
    b = machine(False)
    key = ChaCha20Poly1305(KEYS.caller)
    for number, sent in enumerate((2, 1, 1, 3, 2), 1):
        plaintext = sent.to_bytes(2, "big") + bytes(2) + (7).to_bytes(2, "big") + bytes([1, sent])
        assert b.receive(seal(key, SIGNAL, CONNECTION, number, plaintext), 0, 0.0)
    assert [one.data for one in b.signals.arrived] == [b"\1", b"\2"]


# --- beginning and end ------------------------------------------------------------------------------------------------


def test_an_answer_goes_out_once_and_again_when_it_is_asked_for_again_a_second_later() -> None:
    ben = machine(False)
    assert sent_by(ben, 0.0) == [b"answer"]
    ben.asked_again(0.5)
    assert sent_by(ben, 0.5) == []
    ben.asked_again(1.0)
    assert sent_by(ben, 1.0) == [b"answer"]
    ben.receive(sealed(True, 1, segment()), 0, 1.1)
    ben.asked_again(9.0)
    assert b"answer" not in sent_by(ben, 9.0)


def test_a_caller_who_says_nothing_is_dropped_after_ten_seconds() -> None:
    ben = machine(False)
    ben.outgoing.write(b"nothing of this is sent")
    assert sent_by(ben, 0.0) == [b"answer"] and ben.next_time() == HALF_OPEN
    assert sent_by(ben, HALF_OPEN) == [] and ben.is_over and ben.failure


def test_a_stream_of_which_nothing_is_heard_is_dead_after_a_minute() -> None:
    a = machine(True)
    sent_by(a, 0.0)
    while not a.is_over:
        assert a.next_time() <= SILENCE
        sent_by(a, now := a.next_time())
    assert now == SILENCE and a.failure and "60 s" in a.failure


def test_two_who_say_nothing_stay_connected_for_a_message_each_20_seconds() -> None:
    a, b = End(machine(True), b""), End(machine(False), b"")
    now, count = 0.0, 0
    while now < 600:
        for end, other in ((a, b), (b, a)):
            while (out := end.machine.output(now)) is not None:
                count += 1
                other.machine.receive(out.payload, 0, now)
        now = min(a.machine.next_time(), b.machine.next_time())
    assert a.machine.failure is b.machine.failure is None and count <= 2 * 600 / KEEP + 5


def test_who_closes_brings_over_what_was_written_and_is_over_when_the_other_side_has_closed_too() -> None:
    a, b = machine(True), machine(False)
    for payload in sent_by(a, 0.0):
        b.receive(payload, 0, 0.0)
    a.outgoing.write(b"goodbye")
    a.close(1.0)
    for payload in sent_by(a, 1.0):
        b.receive(payload, 0, 1.0)
    assert b.incoming.read(None) == b"goodbye" and b.incoming.is_whole and b.is_left and not b.failure
    b.close(1.0)
    for payload in sent_by(b, 1.0):
        a.receive(payload, 0, 1.0)
    assert sent_by(a, 1.1) == sent_by(b, 1.1) == []
    assert a.is_over and b.is_over


def test_who_closes_lingers_for_ten_seconds_where_nothing_is_answered() -> None:
    a = machine(True)
    a.outgoing.write(b"goodbye")
    a.close(1.0)
    now = 1.0
    while not a.is_over:
        sent_by(a, now)
        now = max(now, min(a.next_time(), 100))
    assert a.failure is None and now >= 1.0 + LINGER


def test_who_abandons_says_so_in_one_message_and_the_other_side_waits_for_nothing() -> None:
    a, b = machine(True), machine(False)
    a.outgoing.write(b"half a message")
    sent_by(a, 0.0)
    a.abandon(1.0)
    (last,) = sent_by(a, 1.0)
    assert a.is_over and b.receive(last, 0, 1.0) and b.is_over
    assert b.failure and "before everything had arrived" in b.failure


def test_after_gone_what_does_not_come_in_ten_seconds_does_not_come() -> None:
    b = machine(False)
    b.receive(sealed(True, 1, segment(flags=GONE)), 0, 1.0)
    sent_by(b, 10.9)
    assert b.failure is None
    sent_by(b, 11.0)
    assert "before everything had arrived" in str(b.failure)


def test_bytes_that_arrived_can_be_read_however_late_when_the_other_side_is_gone() -> None:
    b = machine(False)
    b.receive(sealed(True, 1, segment(b"goodbye", flags=END | GONE)), 0, 1.0)
    sent_by(b, 1.1)
    assert b.next_time() == inf and sent_by(b, 1000.0) == []
    assert not b.failure and b.incoming.read(None) == b"goodbye"


def test_the_course_of_a_stream_has_no_way_back_from_its_end() -> None:
    assert not any(before is RelayPhase.OVER for before, _ in COURSE)
    assert {event for _, event in COURSE} == set(RelayEvent)
    assert {*COURSE.values()} == {RelayPhase.OPEN, RelayPhase.CLOSING, RelayPhase.OVER}


def test_a_stream_that_has_run_out_of_numbers_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relayed, "LAST", 3)
    a = machine(True)
    a.outgoing.write(b"move")
    sent_by(a, 0.0)
    assert a.failure and a.is_over


# --- the opening ------------------------------------------------------------------------------------------------------


def test_both_sides_come_to_the_same_keys() -> None:
    opening = make_opening(CONNECTION, ANNS_SHARE, MEETING_KEY)
    assert opening_is_sealed(opening, MEETING_KEY) and read_greeting(bytes(opening)) == opening
    answered = answer_opening(opening, BOBS, MEETING_KEY)
    assert answered and keys_of_answer(opening, answered[0], ANNS, MEETING_KEY) == answered[1]
    assert answered[1].caller != answered[1].waiter


def test_without_the_meeting_key_nobody_opens_and_nobody_answers() -> None:
    opening = make_opening(CONNECTION, ANNS_SHARE, MEETING_KEY)
    assert not opening_is_sealed(make_opening(CONNECTION, ANNS_SHARE, b""), MEETING_KEY)
    answered = answer_opening(opening, BOBS, b"")
    assert answered and keys_of_answer(opening, answered[0], ANNS, MEETING_KEY) is None


@pytest.mark.parametrize("place", [1, 20, 60])
def test_an_opening_or_answer_that_was_changed_is_none(place: int) -> None:
    opening = make_opening(CONNECTION, ANNS_SHARE, MEETING_KEY)
    answered = answer_opening(opening, BOBS, MEETING_KEY)
    assert answered
    for greeting in (opening, answered[0]):
        data = bytearray(bytes(greeting))
        data[place] ^= 1
        changed = read_greeting(bytes(data))
        assert changed
        if greeting.kind == OPENING:
            assert not opening_is_sealed(changed, MEETING_KEY)
        else:
            assert keys_of_answer(opening, changed, ANNS, MEETING_KEY) is None


def test_a_share_of_low_order_is_not_taken() -> None:
    for share in (bytes(32), b"\1" + bytes(31)):
        opening = make_opening(CONNECTION, share, b"")
        assert answer_opening(opening, BOBS, b"") is None
        mine = make_opening(CONNECTION, ANNS_SHARE, b"")
        assert keys_of_answer(mine, relayed.Greeting(relayed.ANSWER, CONNECTION, share, bytes(16)), ANNS, b"") is None


def test_the_derivation_is_that_of_rfc_5869() -> None:
    """Its test case 3, without salt and info."""
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    assert derive(b"\x0b" * 22, b"", 42).hex() == expected
