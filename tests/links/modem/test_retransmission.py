"""Two machines and whatever a line does between them: the data is equal and in order, or the call breaks in time."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import chain, count, cycle, repeat
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.pump import Noise
from p2pcards.links.modem import retransmission
from p2pcards.links.modem.retransmission import (
    ANSWER,
    ANSWERER,
    CALLER,
    CAPACITY,
    LONGEST,
    SHORTEST,
    WINDOW,
    LineHello,
    Outgoing,
    Retransmission,
    Sizing,
    beat,
    call_seed,
    frame,
    longest_payload,
    write_hello,
)

RATE = 2400
ANNA, BEN = b"anna", b"ben."
LATENCY = 0.1
Line = Callable[[bytes], bytes]


def machine(calls: bool, *, rate: int = RATE, nonce: bytes | None = None, now: float = 0.0) -> Retransmission:
    return Retransmission(rate=rate, calls=calls, nonce=nonce or (ANNA if calls else BEN), now=now)


class Side:
    """A machine, what is still to be written to it, and what was read from it."""

    def __init__(self, calls: bool, data: bytes, line: Line, *, rate: int = RATE) -> None:
        self.machine = machine(calls, rate=rate)
        self.unwritten = data
        self.line = line
        self.read = b""
        self.longest_wait = 0.0

    def work(self, now: float) -> Iterator[bytes]:
        """Writes, ends, reads; yields what goes on the line."""
        self.unwritten = self.unwritten[self.machine.outgoing.write(self.unwritten) :]
        if not self.unwritten:
            self.machine.outgoing.end()
        self.read += self.machine.incoming.read(None)
        while wire := self.machine.output(now):
            yield wire
            self.unwritten = self.unwritten[self.machine.outgoing.write(self.unwritten) :]
        assert self.machine.is_over or self.machine.next_time() > now, "it would spin"

    @property
    def is_done(self) -> bool:
        done = not self.unwritten and self.machine.outgoing.is_done and self.machine.incoming.is_whole
        return done or self.machine.is_over


def converse(a: Side, b: Side, *, until: float, rate: int = RATE) -> float:
    """Run both until they are done; returns the time. Fails where that takes longer than `until`."""
    coming: list[tuple[float, int, Side, bytes]] = []
    number = count()
    now = 0.0
    while not (a.is_done and b.is_done):
        for side, other in ((a, b), (b, a)):
            for wire in side.work(now):
                leaves = now + len(wire) * 10 / rate  # the machines themselves see to it that the line is free
                heapq.heappush(coming, (leaves + LATENCY, next(number), other, side.line(wire)))
        now = min(a.machine.next_time(), b.machine.next_time(), coming[0][0] if coming else inf)
        if a.is_done and b.is_done:
            break
        assert now < until, "it would wait for ever"
        while coming and coming[0][0] <= now:
            _, _, side, data = heapq.heappop(coming)
            side.machine.receive(data, now)
    return now


def nothing_wrong(wire: bytes) -> bytes:
    return wire


def judge(a: Side, b: Side, sent_by_a: bytes, sent_by_b: bytes) -> None:
    """Nothing wrong was read by anybody, and nothing is missing where nothing broke."""
    for reader, sent in ((b, sent_by_a), (a, sent_by_b)):
        assert sent.startswith(reader.read)
    if a.machine.failure is None and b.machine.failure is None:
        assert (b.read, a.read) == (sent_by_a, sent_by_b)
    for side in (a, b):
        assert side.machine.failure is None or side.machine.failure.endswith(".")


# --- whatever the line does -------------------------------------------------------------------------------------------

FAULTS = st.one_of(
    st.just(("passes", 0)),
    st.tuples(st.sampled_from(["lost", "twice", "cut", "hit", "short", "junk"]), st.integers(0, 2**16)),
    st.tuples(st.just("before"), st.binary(max_size=40)),
)


def faulty(faults: Iterator[tuple[str, int | bytes]]) -> Line:
    def line(wire: bytes) -> bytes:
        kind, value = next(faults)
        if isinstance(value, bytes):
            return value + wire
        place = value % len(wire)
        match kind:
            case "lost":
                return b""
            case "twice":
                return wire + wire
            case "cut":
                return wire[:place]
            case "hit":
                return wire[:place] + bytes([wire[place] ^ (1 + value // 256 % 255)]) + wire[place + 1 :]
            case "short":
                return wire[:place] + wire[place + 1 :]
            case "junk":
                return wire[:place] + Random(value).randbytes(value % 50) + wire[place:]
        return wire

    return line


SENT = st.binary(max_size=3000)


@given(SENT, SENT, st.lists(FAULTS, max_size=6), st.lists(FAULTS, max_size=6))
def test_a_few_faults_anywhere_cost_nothing_but_time(
    one: bytes, two: bytes, there: list[tuple[str, int | bytes]], back: list[tuple[str, int | bytes]]
) -> None:
    clean = repeat(("passes", 0))
    a, b = Side(True, one, faulty(chain(there, clean))), Side(False, two, faulty(chain(back, clean)))
    converse(a, b, until=300)
    assert a.machine.failure is b.machine.failure is None
    judge(a, b, one, two)


@given(SENT, SENT, st.lists(FAULTS, min_size=1, max_size=12), st.lists(FAULTS, min_size=1, max_size=12))
def test_faults_without_end_lose_nothing_or_break_the_call_in_time(
    one: bytes, two: bytes, there: list[tuple[str, int | bytes]], back: list[tuple[str, int | bytes]]
) -> None:
    a, b = Side(True, one, faulty(cycle(there))), Side(False, two, faulty(cycle(back)))
    converse(a, b, until=3000)
    judge(a, b, one, two)


@given(
    st.integers(0, 2**32),
    st.sampled_from([0, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 0.1]),
    st.sampled_from([1.0, 5.0]),
    st.sampled_from([300, 2400, 33600]),
)
def test_a_line_of_any_badness(seed: int, errors: float, burst: float, rate: int) -> None:
    rng = Random(seed)
    one, two = rng.randbytes(2000), rng.randbytes(500)
    a = Side(True, one, Noise(Random(rng.random()), errors, burst), rate=rate)
    b = Side(False, two, Noise(Random(rng.random()), errors, burst), rate=rate)
    took = converse(a, b, until=5000, rate=rate)
    judge(a, b, one, two)
    if errors <= 1e-3:
        assert a.machine.failure is b.machine.failure is None
        assert took < 10 + 5 * 2000 * 10 / rate


@given(st.lists(st.binary(max_size=300), max_size=20), st.booleans())
def test_any_bytes_may_come_at_any_time(chunks: list[bytes], agreed: bool) -> None:
    subject = machine(True)
    if agreed:
        subject.receive(write_hello(LineHello(ANSWERER, BEN, ANNA)), 0)
    for now, chunk in enumerate(chunks):
        subject.receive(chunk, now)
        while subject.output(now):
            pass
    assert subject.incoming.waiting == 0


@given(st.lists(st.binary(min_size=4, max_size=250), max_size=60))
def test_a_peer_who_keeps_no_rule_gets_no_further_than_nonsense(bodies: list[bytes]) -> None:
    """Frames with the right CRC and anything in them: no exception, bounded memory."""
    subject = machine(True)
    subject.receive(write_hello(LineHello(ANSWERER, BEN, ANNA)), 0)
    subject.outgoing.write(bytes(200))
    seed = call_seed(ANSWERER, ANNA, BEN)
    for number, body in enumerate(bodies):
        subject.receive(frame(body, seed), number / 10)
        while subject.output(number / 10):
            pass
    assert len(subject.incoming._early) < WINDOW
    assert len(subject._trip._left) <= 128


# --- losses are known exactly -----------------------------------------------------------------------------------------


def agreed(*machines: Retransmission) -> list[bool]:
    return [machine.is_agreed for machine in machines]


def greeted(*, rate: int = RATE) -> tuple[Retransmission, Retransmission]:
    a, b = machine(True, rate=rate), machine(False, rate=rate)
    pass_on(a, b, 0)
    assert a.is_agreed
    assert b.is_agreed
    return a, b


def pass_on(a: Retransmission, b: Retransmission, now: float) -> None:
    """Deliver at once whatever is to go, until nothing is, answers too; no pacing."""
    talking = True
    while talking:
        talking = False
        for one, other in ((a, b), (b, a)):
            one._free = now
            if wire := one.output(now) or one.output(now + ANSWER):
                other.receive(wire, now)
                talking = True


def outputs(subject: Retransmission, now: float) -> list[bytes]:
    """What is to go now, an answer too."""
    found: list[bytes] = []
    while True:
        subject._free = now
        wire = subject.output(now) or subject.output(now + ANSWER)
        if not wire:
            return found
        found.append(wire)


def alone(
    subject: Retransmission, now: float, sent: Callable[[bytes, float], object] = lambda wire, now: None
) -> tuple[list[float], float]:
    """Run a machine that hears nothing to its end; returns when it said something, and when it ended."""
    said = []
    while not subject.is_over:
        now = max(now, subject.next_time())
        while wire := subject.output(now):
            said.append(now)
            sent(wire, now)
    return said, now


def test_a_lost_frame_goes_out_again_as_soon_as_a_later_one_is_acknowledged() -> None:
    a, b = greeted()
    a.rate, rng = RATE, Random(1)
    data = rng.randbytes(240)
    a.outgoing._sizing = Sizing(30)
    a.outgoing.write(data)
    sent = outputs(a, 1.0)
    assert len(sent) == WINDOW
    for wire in sent[:2] + sent[3:]:
        b.receive(wire, 1.1)
    (answer,) = outputs(b, 1.1)
    a.receive(answer, 1.2)
    (again,) = outputs(a, 1.2)
    b.receive(again, 1.3)
    assert b.incoming.read(None) == data
    assert a.outgoing.resent == 1
    assert a.quality(1.3).frames == WINDOW + 1


def test_a_lost_last_frame_goes_out_again_after_a_round_trip_or_two() -> None:
    a, b = greeted()
    for now in range(1, 8):
        a.outgoing.write(b"x")
        (wire,) = outputs(a, now)
        b.receive(wire, now + 0.1)
        (answer,) = outputs(b, now + 0.1)
        a.receive(answer, now + 0.2)
    a.outgoing.write(b"last")
    assert len(outputs(a, 8)) == 1
    assert 8.2 < a.next_time() < 8.6
    (again,) = outputs(a, a.next_time())
    b.receive(again, 9)
    assert b.incoming.read(None) == b"xxxxxxxlast"


def test_a_lost_acknowledgement_costs_no_byte_twice() -> None:
    a, b = greeted()
    a.outgoing.write(b"once")
    (wire,) = outputs(a, 1)
    b.receive(wire, 1)
    outputs(b, 1)
    b.receive(wire, 1.5)
    (again,) = outputs(a, a.next_time())
    b.receive(again, 2)
    pass_on(a, b, 2)
    assert b.incoming.read(None) == b"once"
    assert not a.outgoing.is_out


def test_who_does_not_read_makes_the_other_wait_and_nothing_is_lost() -> None:
    a, b = greeted(rate=115200)
    rng = Random(3)
    data = rng.randbytes(CAPACITY + 20_000)
    written, now = 0, 1.0
    while now < 15:
        written += a.outgoing.write(data[written:])
        pass_on(a, b, now)
        now += 0.05
    assert CAPACITY <= b.incoming.waiting < CAPACITY + WINDOW * LONGEST
    assert written < len(data)
    read = b""
    while len(read) < len(data) and now < 60:
        read += b.incoming.read(1000)
        written += a.outgoing.write(data[written:])
        pass_on(a, b, now)
        now += 0.05
    assert read == data


def test_no_more_is_written_than_goes_out_in_about_a_second() -> None:
    for rate in (300, 2400, 33600):
        subject = machine(True, rate=rate)
        taken = subject.outgoing.write(bytes(100_000))
        assert taken == max(rate // 10, longest_payload(rate))
        assert subject.outgoing.room == 0


def test_output_is_paced_by_the_rate() -> None:
    a, _ = greeted()
    a._free = 5.0
    out, now = 0, 5.0
    while now < 9:
        a.outgoing.write(bytes(1000))
        a.receive(b"", now)
        a._silence.heard(now)
        a.outgoing.heard(a.outgoing._next, 0, a._count)
        while wire := a.output(now):
            out += len(wire)
        now = max(a.next_time(), now + 1e-6)
    assert 4 * RATE / 10 <= out <= 4 * RATE / 10 + LONGEST + 300


def test_an_acknowledgement_waits_a_moment_for_a_piece_to_go_with() -> None:
    a, b = greeted()
    for now, answers in ((1.0, True), (2.0, False)):
        a.outgoing.write(b"question")
        (wire,) = outputs(a, now)
        b.receive(wire, now)
        assert b.next_time() == now + ANSWER
        assert b.output(now) == b""
        if answers:
            b.outgoing.write(b"answer")
        (said,) = outputs(b, now)
        a.receive(said, now)
        assert not a.outgoing.is_out
        assert a.incoming.read(None) == (b"answer" if answers else b"")
        pass_on(a, b, now + 0.1)


# --- the size of a frame ----------------------------------------------------------------------------------------------


def test_frames_shrink_with_the_losses_and_grow_again() -> None:
    rng = Random(5)
    sizing = Sizing(LONGEST)

    def after(frames: int, hit: float) -> float:
        sizes = []
        for _ in range(frames):
            size = sizing.payload
            sizes.append(size)
            if rng.random() < (1 - hit) ** (size + 11):
                sizing.arrived(size)
            else:
                sizing.lost(size)
        return sum(sizes[frames // 2 :]) / (frames - frames // 2)

    assert after(300, 0) == LONGEST
    assert 85 <= after(400, 1e-3) <= 120
    assert 24 <= after(400, 1e-2) <= 38
    assert after(400, 0.1) == SHORTEST
    assert after(600, 0) > 200


def test_a_short_rest_goes_along() -> None:
    usual = Sizing(LONGEST).payload
    longest = usual + usual // 4
    for size, cuts in ((longest, [longest]), (longest + 1, [usual, longest + 1 - usual])):
        outgoing = Outgoing(RATE)
        outgoing.write(bytes(size))
        taken = [outgoing.next_piece(number) for number in range(len(cuts))]
        assert [len(cut.payload) for cut in taken if cut] == cuts
        assert not outgoing.is_ready


def test_frames_of_slow_lines_do_not_keep_others_waiting() -> None:
    assert [longest_payload(rate) for rate in (300, 1200, 2400, 115200)] == [64, 120, 240, 240]


# --- the greeting -----------------------------------------------------------------------------------------------------


def test_hello_is_repeated_for_longer_than_a_modem_rings() -> None:
    a = machine(True)
    said, now = alone(a, 0)
    assert now == retransmission.GREETING_PATIENCE > 60
    assert len(said) > 100
    assert a.failure is not None
    assert "No p2pcards answered" in a.failure


def test_an_echo_is_not_the_other_side() -> None:
    a = machine(True)
    alone(a, 0, a.receive)
    assert a.failure is not None
    assert "only echoed this side" in a.failure


@given(SENT, SENT)
def test_an_echo_beside_the_other_side_does_no_harm(one: bytes, two: bytes) -> None:
    a, b = Side(True, one, nothing_wrong), Side(False, two, nothing_wrong)

    def echoing(wire: bytes) -> bytes:
        a.machine.receive(wire, 0)
        return wire

    a.line = echoing
    converse(a, b, until=300)
    judge(a, b, one, two)


@pytest.mark.parametrize(
    ("calls", "sentence"), [(True, "Both of you are calling"), (False, "Both of you are listening")]
)
def test_two_of_the_same_role_part_with_a_reason(calls: bool, sentence: str) -> None:
    a, b = machine(calls), machine(calls, nonce=b"else")
    for now in range(6):
        pass_on(a, b, float(now))
    for side in (a, b):
        assert side.failure is not None
        assert sentence in side.failure


def test_another_version_is_named() -> None:
    a = machine(True)
    a.receive(write_hello(LineHello(ANSWERER, BEN, version=2)), 0)
    assert a.failure is not None
    assert "version 2" in a.failure


def test_what_an_older_call_left_in_a_buffer_is_not_the_other_side() -> None:
    a, b = machine(True), machine(False)
    a.receive(write_hello(LineHello(ANSWERER, b"old1")), 0)
    a.receive(write_hello(LineHello(ANSWERER, b"old2", b"old3")), 0)
    assert agreed(a, b) == [False, False]
    pass_on(a, b, 0.1)
    assert agreed(a, b) == [True, True]
    a.outgoing.write(b"fresh")
    pass_on(a, b, 1)
    assert b.incoming.read(None) == b"fresh"


def test_a_late_hello_of_this_call_is_answered() -> None:
    a, b = machine(True), machine(False)
    (hello,) = outputs(a, 0)
    b.receive(hello, 0)
    (answer,) = outputs(b, 0)
    a.receive(answer, 0)
    outputs(a, 0)  # lost
    assert agreed(a, b) == [True, False]
    now = b.next_time()
    (late,) = outputs(b, now)
    a.receive(late, now)
    (confirmed,) = outputs(a, now)
    b.receive(confirmed, now)
    assert agreed(a, b) == [True, True]


def test_a_new_hello_in_a_call_breaks_it() -> None:
    a, _ = greeted()
    a.receive(write_hello(LineHello(CALLER, b"noto")), 1)  # an echo of an older call of ours
    assert not a.is_over
    a.receive(write_hello(LineHello(ANSWERER, b"anew")), 1)
    assert a.failure is not None
    assert "restarted" in a.failure


# --- silence ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [300, 2400, 115200])
def test_an_idle_line_is_asked_now_and_then(rate: int) -> None:
    a, b = (Side(calls, b"", nothing_wrong, rate=rate) for calls in (True, False))
    sent = 0

    def counted(wire: bytes) -> bytes:
        nonlocal sent
        sent += len(wire)
        return wire

    a.line = b.line = counted
    a.unwritten = b.unwritten = b"x"
    subjects = (a, b)
    coming: list[tuple[float, int, Side, bytes]] = []
    now, number = 0.0, count()
    while now < 600:
        for side, other in (subjects, subjects[::-1]):
            while wire := side.machine.output(now):
                heapq.heappush(coming, (now + len(wire) * 10 / rate, next(number), other, side.line(wire)))
        now = min(a.machine.next_time(), b.machine.next_time(), coming[0][0] if coming else inf)
        while coming and coming[0][0] <= now:
            _, _, side, data = heapq.heappop(coming)
            side.machine.receive(data, now)
    assert a.machine.failure is b.machine.failure is None
    assert sent * 10 / rate < 0.12 * 600


@pytest.mark.parametrize("rate", [300, 2400, 115200])
def test_a_dead_line_is_noticed_within_three_beats(rate: int) -> None:
    a, _ = greeted(rate=rate)
    asked, now = alone(a, 0)
    assert now == pytest.approx(3 * beat(rate))
    assert len(asked) >= 3
    assert a.failure is not None
    assert "Nothing came" in a.failure


def test_a_machine_that_has_slept_asks_before_it_gives_up() -> None:
    a, b = greeted()
    (question,) = outputs(a, 3600)
    assert not a.is_over
    b.receive(question, 3600.1)
    for answer in outputs(b, 3600.1):
        a.receive(answer, 3600.2)
    assert a.next_time() > 3602


# --- the end ----------------------------------------------------------------------------------------------------------


def test_closing_brings_over_what_was_written() -> None:
    a, b = greeted()
    a.outgoing.write(b"last words")
    a.close(1)
    pass_on(a, b, 1)
    assert a.is_over
    assert a.failure is None
    assert b.incoming.read(None) == b"last words"
    assert b.incoming.is_whole
    assert b.is_left
    b.fail("The line was hung up.")
    assert b.failure is None


def test_closing_without_an_answer_takes_a_bounded_time() -> None:
    a, _ = greeted()
    a.outgoing.write(bytes(200))
    a.close(1)
    _, now = alone(a, 1)
    assert now < 10
    assert a.failure is None


def test_who_closes_tells_that_nothing_is_taken_any_more() -> None:
    a, b = greeted()
    b.outgoing.write(bytes(200))
    sent = outputs(b, 1)
    a.abandon(1)
    (last,) = outputs(a, 1)
    assert a.is_over
    b.receive(last, 1.1)
    assert sent
    assert b.is_left
    assert not b.outgoing.is_out
