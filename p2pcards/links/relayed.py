"""A reliable stream of bytes through brokers, as a machine: the opening, the frames, and what is sent again. No I/O, no
clock, no chance of its own. protocol/reach.md has the bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256
from hmac import compare_digest, digest
from math import inf
from struct import Struct

from p2pcards.links.stream_ends import ReceivingEnd, SendingEnd
from p2pcards.wire.crypto import ChaCha20Poly1305, InvalidTag, X25519PrivateKey, X25519PublicKey

# --- the opening ------------------------------------------------------------------------------------------------------


OPENING, ANSWER, FRAME, SIGNAL = 1, 2, 3, 4
CONNECTION, SHARE, TAG = 16, 32, 16
"""Bytes."""
PAYLOAD = 4096
"""Bytes of the longest message."""
KEYS_LABEL = b"p2pcards relayed 1"


@dataclass(frozen=True, slots=True)
class Greeting:
    """An OPENING or an ANSWER."""

    kind: int
    connection: bytes
    share: bytes
    tag: bytes = b""

    @property
    def head(self) -> bytes:
        """The bytes that the tag authenticates."""
        return bytes([self.kind]) + self.connection + self.share

    def __bytes__(self) -> bytes:
        return self.head + self.tag


def read_greeting(payload: bytes) -> Greeting | None:
    """Parse an OPENING or ANSWER, None for anything else."""
    if len(payload) != 1 + CONNECTION + SHARE + TAG or payload[0] not in (OPENING, ANSWER):
        return None
    behind = 1 + CONNECTION
    return Greeting(payload[0], payload[1:behind], payload[behind : behind + SHARE], payload[behind + SHARE :])


def make_opening(connection: bytes, share: bytes, meeting_key: bytes) -> Greeting:
    """An OPENING with its tag. share: the caller's public key."""
    opening = Greeting(OPENING, connection, share)
    return Greeting(OPENING, connection, share, _opening_tag(opening, meeting_key))


def opening_is_sealed(opening: Greeting, meeting_key: bytes) -> bool:
    """True if the opening's tag shows knowledge of the meeting key."""
    return compare_digest(opening.tag, _opening_tag(opening, meeting_key))


def _opening_tag(opening: Greeting, meeting_key: bytes) -> bytes:
    return digest(meeting_key, opening.head, "sha256")[:TAG]


@dataclass(frozen=True, slots=True)
class StreamKeys:
    """The key under which each side seals what it sends."""

    caller: bytes
    waiter: bytes


def answer_opening(opening: Greeting, own: X25519PrivateKey, meeting_key: bytes) -> tuple[Greeting, StreamKeys] | None:
    """The ANSWER of a waiter with this private key; None where the share of the caller is of low order."""
    answer = Greeting(ANSWER, opening.connection, own.public_key().public_bytes_raw())
    keys = _agreed_keys(own, opening.share, opening.share + answer.share, opening.connection, meeting_key)
    if keys is None:
        return None
    return Greeting(ANSWER, answer.connection, answer.share, _answer_tag(answer, keys)), keys


def keys_of_answer(opening: Greeting, answer: Greeting, own: X25519PrivateKey, meeting_key: bytes) -> StreamKeys | None:
    """The stream keys after an ANSWER, None if the answerer lacks the meeting key."""
    keys = _agreed_keys(own, answer.share, opening.share + answer.share, opening.connection, meeting_key)
    return keys if keys and compare_digest(answer.tag, _answer_tag(answer, keys)) else None


def _agreed_keys(
    own: X25519PrivateKey, other: bytes, shares: bytes, connection: bytes, meeting_key: bytes
) -> StreamKeys | None:
    """The keys of both directions, None for a share of low order. shares: both public shares in order."""
    try:
        secret = own.exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        return None
    both = derive(secret + meeting_key, KEYS_LABEL + connection + shares, 64)
    return StreamKeys(both[:32], both[32:])


def _answer_tag(answer: Greeting, keys: StreamKeys) -> bytes:
    return ChaCha20Poly1305(keys.waiter).encrypt(_nonce(0), b"", answer.head)


def derive(secret: bytes, info: bytes, size: int) -> bytes:
    """Derive `size` bytes by HKDF-SHA-256 without a salt (RFC 5869)."""
    root, block, derived = digest(bytes(32), secret, sha256), b"", b""
    for number in range(1, -(-size // 32) + 1):
        block = digest(root, block + info + bytes([number]), sha256)
        derived += block
    return derived[:size]


# --- frames -----------------------------------------------------------------------------------------------------------


END, GONE, CUT = 1, 2, 4
FLAGS = (0, END, GONE, END | GONE, GONE | CUT)
LAST = 2**32 - 1
"""The last number, and the last place in a stream."""
HEADER = 1 + CONNECTION + 4
_FIELDS = Struct(">IIIIB")
_SIGNAL_FIELDS = Struct(">HHHB")
LONGEST = PAYLOAD - HEADER - _FIELDS.size - TAG
"""Bytes of the stream in one frame."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The plaintext of a frame."""

    acknowledged: int
    room: int
    seen: int
    place: int
    flags: int
    data: bytes = b""

    def plaintext(self) -> bytes:
        return _FIELDS.pack(self.acknowledged, self.room, self.seen, self.place, self.flags) + self.data


def read_segment(plaintext: bytes) -> Segment:
    """Parse the plaintext of a frame."""
    acknowledged, room, seen, place, flags = _FIELDS.unpack_from(plaintext)
    return Segment(acknowledged, room, seen, place, flags, plaintext[_FIELDS.size :])


def seal(key: ChaCha20Poly1305, kind: int, connection: bytes, number: int, plaintext: bytes) -> bytes:
    """Seal a FRAME or SIGNAL."""
    header = bytes([kind]) + connection + number.to_bytes(4, "big")
    return header + key.encrypt(_nonce(number), plaintext, header)


def connection_of(payload: bytes) -> bytes | None:
    """The connection id of a possible FRAME or SIGNAL, None for anything else."""
    fields = {FRAME: _FIELDS.size, SIGNAL: _SIGNAL_FIELDS.size}.get(payload[0] if payload else 0)
    fits = fields is not None and HEADER + fields + TAG <= len(payload) <= PAYLOAD
    return payload[1 : 1 + CONNECTION] if fits else None


def number_of(payload: bytes) -> int:
    """The number of a FRAME or SIGNAL, 0 for anything else."""
    return 0 if connection_of(payload) is None else int.from_bytes(payload[HEADER - 4 : HEADER], "big")


def unseal(key: ChaCha20Poly1305, payload: bytes) -> bytes | None:
    """The plaintext; None for what was not sealed under this key."""
    try:
        return key.decrypt(_nonce(number_of(payload)), payload[HEADER:], payload[:HEADER])
    except InvalidTag:
        return None


def _nonce(number: int) -> bytes:
    """The nonce of a message with this number."""
    return number.to_bytes(12, "big")


class SeenNumbers:
    """The numbers of frames that have arrived, so that none counts twice."""

    WINDOW = 64

    def __init__(self) -> None:
        self.highest = 0
        self._bits = 0  # bit n: number highest - n

    def is_new(self, number: int) -> bool:
        """True for a number not seen before and not too old."""
        age = self.highest - number
        return number > 0 and age < self.WINDOW and (age < 0 or not self._bits >> age & 1)

    def add(self, number: int) -> None:
        """Note a number as seen."""
        ahead = max(number - self.highest, 0)
        self.highest += ahead
        self._bits = (self._bits << min(ahead, self.WINDOW) | 1 << self.highest - number) & (1 << self.WINDOW) - 1


# --- what has arrived -------------------------------------------------------------------------------------------------


CAPACITY = 65536
"""Bytes that wait to be read, and bytes that wait to be sent or acknowledged."""
PIECES = 64
"""On the way at once, and kept at once by a receiver that misses one before them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a stream."""

    place: int  # index of the first byte in the stream
    data: bytes
    is_last: bool = False  # the stream ends after them, which counts as one byte more

    @property
    def end(self) -> int:
        """The place after its last byte; the end of the stream counts as one."""
        return self.place + len(self.data) + self.is_last


class Inbox(ReceivingEnd):
    """expected: how many bytes have arrived without a gap."""

    def __init__(self) -> None:
        super().__init__()
        self._early: dict[int, Piece] = {}

    @property
    def room(self) -> int:
        """Bytes that may still come."""
        return CAPACITY - len(self._ready)

    @property
    def size(self) -> int:
        """Bytes kept, read or not in order yet."""
        return len(self._ready) + sum(len(piece.data) for piece in self._early.values())

    def add(self, piece: Piece) -> None:
        """Take a piece; repeats and what goes beyond the room are ignored."""
        if self.is_whole or not self.expected < piece.end <= self.expected + self.room:
            return
        if piece.place > self.expected and len(self._early) >= PIECES:
            return
        kept = self._early.get(piece.place)
        if kept is None or kept.end < piece.end:
            self._early[piece.place] = piece
        while (ready := next((one for one in self._early.values() if one.place <= self.expected), None)) is not None:
            del self._early[ready.place]
            self._append(ready)

    def _append(self, piece: Piece) -> None:
        """Append a piece that continues what is here."""
        if piece.end <= self.expected or self.is_whole:
            return
        self._keep(piece.data[self.expected - piece.place :])
        self.expected = piece.end
        self.is_whole = piece.is_last


# --- what is being sent -----------------------------------------------------------------------------------------------


OVERTAKEN = 3
"""Frames by which one may be overtaken before it counts as lost."""


@dataclass(slots=True)
class Sending:
    """A piece on the way."""

    piece: Piece
    number: int  # of the frame in which it was last sent
    is_lost: bool = False

    def send(self, number: int) -> None:
        """Note that it was sent in the frame of this number."""
        self.number, self.is_lost = number, False

    def lose(self) -> None:
        """Note that it is lost."""
        self.is_lost = True


class Outbox(SendingEnd[Sending]):
    def __init__(self) -> None:
        super().__init__()
        self._limit = LONGEST

    @property
    def size(self) -> int:
        """Bytes not acknowledged."""
        return len(self._waiting) + sum(len(one.piece.data) for one in self._out)

    @property
    def room(self) -> int:
        """Bytes that `write` takes now."""
        return CAPACITY - self.size

    @property
    def is_ready(self) -> bool:
        """True if something can be sent at once."""
        return self._may_cut or any(one.is_lost for one in self._out)

    @property
    def is_spent(self) -> bool:
        """True if no places are left for what waits."""
        return self._next + len(self._waiting) + 1 > LAST

    @property
    def next_place(self) -> int:
        """The place of the next new byte."""
        return self._next

    @property
    def _may_cut(self) -> bool:
        """True if a new piece can be sent."""
        has_room = self._next < self._limit or not self._out
        return self._has_more and has_room and len(self._out) < PIECES

    def next_piece(self, number: int) -> Piece | None:
        """The piece to send in the frame of this number, None if there is none."""
        for one in self._out:
            if one.is_lost:
                self.resent += 1
                one.send(number)
                return one.piece
        return self._cut(number) if self._may_cut else None

    def _cut(self, number: int) -> Piece:
        """Cut a new piece from the waiting bytes."""
        size = max(self._limit - self._next, 1)
        data = self._cut_bytes(min(size, LONGEST))
        self._is_end_cut = self.ended and not self._waiting and len(data) < size
        piece = Piece(self._next, data, self._is_end_cut)
        self._next = piece.end
        self._out.append(Sending(piece, number))
        return piece

    def acknowledge(self, acknowledged: int, room: int, seen: int) -> None:
        """Take an acknowledgement. room: what the other side takes beyond it; seen: the latest frame it has."""
        if acknowledged > self._next:
            return  # of what was never sent
        before, self._limit = self._limit, max(self._limit, acknowledged + room)
        while self._out and self._out[0].piece.end <= acknowledged:
            self._out.popleft()
        if self._out:
            first = self._out[0]
            if seen - first.number >= OVERTAKEN or before < first.piece.end <= self._limit:
                first.lose()

    def lose_all(self) -> None:
        """Count all sent pieces as lost, as no acknowledgement came in time."""
        for one in self._out:
            one.lose()


# --- signals ----------------------------------------------------------------------------------------------------------


UNREAD_SIGNALS = 16
LAST_SIGNAL = 2**16 - 1
AGAIN, AGAIN_AT_MOST = 1.0, 8.0
"""Seconds until a signal is sent again."""
LONGEST_SIGNAL = PAYLOAD - HEADER - _SIGNAL_FIELDS.size - TAG


@dataclass(frozen=True, slots=True)
class Signal:
    attempt: int  # which attempt at a direct path it belongs to, from 1
    kind: int  # ADDRESSES or DATA_CHANNEL
    data: bytes


class Signals:
    """The signals of a stream, one at a time on the way in each direction."""

    def __init__(self) -> None:
        self.arrived: deque[Signal] = deque()
        self._waiting: deque[Signal] = deque()
        self._sent = self._got = 0
        self._at, self._again = inf, AGAIN
        self._owes_answer = False

    def send(self, signal: Signal, now: float) -> None:
        """Queue a signal."""
        if self._sent + len(self._waiting) < LAST_SIGNAL:
            self._waiting.append(signal)
            if len(self._waiting) == 1:
                self._begin(now)

    def _begin(self, now: float) -> None:
        """Have the next signal sent now."""
        self._sent += 1
        self._at, self._again = now, AGAIN

    def receive(self, plaintext: bytes, now: float) -> None:
        """Take the plaintext of a SIGNAL."""
        sent, got, attempt, kind = _SIGNAL_FIELDS.unpack_from(plaintext)
        if self._waiting and got == self._sent:
            self._waiting.popleft()
            self._at = inf
            if self._waiting:
                self._begin(now)
        if sent == self._got + 1 and len(self.arrived) < UNREAD_SIGNALS:
            self._got = sent
            self.arrived.append(Signal(attempt, kind, plaintext[_SIGNAL_FIELDS.size :]))
        self._owes_answer |= sent != 0

    @property
    def due(self) -> float:
        """When to send next; inf for not before something happens."""
        return -inf if self._owes_answer else self._at

    def next_plaintext(self, now: float) -> bytes:
        """The plaintext of the SIGNAL to send now."""
        self._owes_answer = False
        if now < self._at:
            return _SIGNAL_FIELDS.pack(0, self._got, 0, 0)
        signal = self._waiting[0]
        self._at, self._again = now + self._again, min(2 * self._again, AGAIN_AT_MOST)
        return _SIGNAL_FIELDS.pack(self._sent, self._got, signal.attempt, signal.kind) + signal.data


# --- how long to wait -------------------------------------------------------------------------------------------------


class Patience:
    """How long to wait for an acknowledgement, from how long they took (RFC 6298)."""

    LEAST, MOST = 0.1, 8.0
    """Seconds: added to the measured round trip at least, and waited at most."""

    def __init__(self) -> None:
        self._smoothed, self._spread = 0.5, 0.25
        self._is_measured = False
        self._doubled = 1
        self._left: dict[int, float] = {}

    @property
    def round_trip(self) -> float | None:
        """Seconds, smoothed; None before the first measurement."""
        return self._smoothed if self._is_measured else None

    @property
    def seconds(self) -> float:
        """Seconds to wait for an acknowledgement."""
        return min((self._smoothed + max(4 * self._spread, self.LEAST)) * self._doubled, self.MOST)

    def sent(self, number: int, now: float) -> None:
        """Note when a frame was sent."""
        self._left[number] = now
        if len(self._left) > PIECES:
            del self._left[next(iter(self._left))]

    def seen(self, number: int, now: float) -> None:
        """Note when a frame was acknowledged."""
        left = self._left.get(number)
        if left is None:
            return
        self._left = {other: at for other, at in self._left.items() if other > number}
        # An acknowledgement that was lost, and came with a later frame, says nothing about the way.
        took = min(now - left, 2 * self._smoothed + 0.1)
        self._doubled = 1
        if not self._is_measured:
            self._is_measured = True
            self._smoothed, self._spread = took, took / 2
            return
        self._spread += (abs(took - self._smoothed) - self._spread) / 4
        self._smoothed += (took - self._smoothed) / 8

    def run_out(self) -> None:
        """Double the patience, as no acknowledgement came."""
        self._doubled = min(2 * self._doubled, 64)


# --- the machine ------------------------------------------------------------------------------------------------------


class RelayPhase(Enum):
    ANSWERED = auto()
    """A waiter has answered; no frame has arrived."""
    OPEN = auto()
    CLOSING = auto()
    """Closed here; what was written before is still brought over."""
    OVER = auto()


class RelayEvent(Enum):
    HEARD = auto()
    CLOSED = auto()
    DONE = auto()
    FAILED = auto()


COURSE: Mapping[tuple[RelayPhase, RelayEvent], RelayPhase] = {
    (RelayPhase.ANSWERED, RelayEvent.HEARD): RelayPhase.OPEN,
    (RelayPhase.ANSWERED, RelayEvent.CLOSED): RelayPhase.OVER,
    (RelayPhase.ANSWERED, RelayEvent.FAILED): RelayPhase.OVER,
    (RelayPhase.OPEN, RelayEvent.CLOSED): RelayPhase.CLOSING,
    (RelayPhase.OPEN, RelayEvent.FAILED): RelayPhase.OVER,
    (RelayPhase.CLOSING, RelayEvent.DONE): RelayPhase.OVER,
    (RelayPhase.CLOSING, RelayEvent.FAILED): RelayPhase.OVER,
}
"""What is not listed changes nothing."""

RATE = 32768
"""Bytes a second through all brokers together."""
BURST = 0.5
"""Seconds of that rate that may go out at once."""
ACKNOWLEDGE = 0.02
"""Seconds that an acknowledgement waits for bytes to go with."""
REPEAT = 1.0
"""Seconds between two ANSWERs to the same OPENING."""
HALF_OPEN = 10.0
"""Seconds until the first frame of the caller."""
KEEP = 20.0
"""Seconds without sending, after which an empty frame is sent."""
SILENCE = 60.0
"""Seconds without hearing, after which the stream is dead."""
LINGER = 10.0
"""Seconds for what is still to be brought over once a side has closed."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A message to send."""

    payload: bytes
    path: int | None  # the number of a broker, or of a direct path (numbered after the brokers); None for all of them


class RelayedMachine:
    """One side of a stream. failure: a sentence, once it broke. is_left: the other side has closed."""

    def __init__(
        self,
        connection: bytes,
        keys: StreamKeys,
        *,
        calls: bool,
        now: float,
        answer: bytes = b"",
        brokers: int = 1,
        rate: int = RATE,
    ) -> None:
        """answer: that of a waiter, which is sent first. brokers: how many there are. rate: bytes a second."""
        self.phase = RelayPhase.OPEN if calls else RelayPhase.ANSWERED
        self.failure: str | None = None
        self.is_closed = self.is_left = False
        self.incoming, self.outgoing = Inbox(), Outbox()
        own, theirs = (keys.caller, keys.waiter) if calls else (keys.waiter, keys.caller)
        self._own, self._theirs = ChaCha20Poly1305(own), ChaCha20Poly1305(theirs)
        self._connection = connection
        self._brokers = brokers
        self._rate = rate
        self._calls = calls
        self._numbers, self._patience = SeenNumbers(), Patience()
        self._number = self._seen = 0
        self._path: int | None = None
        self._to_probe: deque[int] = deque()
        self.signals = Signals()
        self._answer = answer
        self._repeat_at = inf if calls else now
        self._is_asked = not calls
        self._tell_at = now if calls else inf
        self._expires = inf
        self._heard_at = self._sent_at = self._free = now
        self._ends_at = inf if calls else now + HALF_OPEN
        self._is_cut = False
        self._told_room = LONGEST

    # --- for the stream above ---

    @property
    def is_over(self) -> bool:
        """True if the stream is over."""
        return self.phase is RelayPhase.OVER

    @property
    def is_said(self) -> bool:
        """True if everything written is acknowledged and an end was told."""
        return self.is_over or (self._tell_at == inf and self.outgoing.is_done)

    @property
    def path(self) -> int | None:
        """The broker or direct path that frames take now, None for all brokers."""
        return self._path

    @property
    def is_direct(self) -> bool:
        """True if frames take a direct path."""
        return self._path is not None and self._path >= self._brokers

    @property
    def round_trip(self) -> float | None:
        """Seconds on the present path, None before any acknowledgement there."""
        return self._patience.round_trip

    def close(self, now: float) -> None:
        """Close: what was written is still brought over, for a bounded time."""
        if self.is_closed:
            return
        self.is_closed = True
        self.incoming.stop()
        self.outgoing.end()
        self._tell_at, self._ends_at = now, now + LINGER
        self._turn(RelayEvent.CLOSED)

    def abandon(self, now: float) -> None:
        """Close without bringing anything over; a last frame says so."""
        self.close(now)
        self._is_cut = True
        self._tell_at = now
        self.outgoing.drop()

    def fail(self, sentence: str) -> None:
        """Break the stream; the first reason stays."""
        if not self.is_over and not self.is_closed:
            self.failure = self.failure or sentence
        self._turn(RelayEvent.FAILED)

    def probe(self, path: int) -> None:
        """Send a frame on a path that has just opened."""
        self._to_probe.append(path)

    def lose_path(self, path: int) -> None:
        """Stop using a direct path that is over."""
        if self._path == path:
            self._path = None

    def has_read(self, now: float) -> None:
        """Note that bytes were read, which the other side may wait for."""
        if self.phase is RelayPhase.OPEN and self.incoming.room >= CAPACITY // 2 > self._told_room:
            self._tell_at = min(self._tell_at, now)

    def _turn(self, event: RelayEvent) -> None:
        """Follow the table `COURSE`."""
        self.phase = COURSE.get((self.phase, event), self.phase)

    # --- what arrives ---

    def asked_again(self, now: float) -> None:
        """Note that the OPENING was repeated, so that the ANSWER is, too."""
        self._is_asked |= self.phase is RelayPhase.ANSWERED and now >= self._repeat_at

    def receive(self, payload: bytes, path: int, now: float) -> bool:
        """Take a payload; True if it was a new FRAME or SIGNAL of this stream."""
        number = number_of(payload)
        if self.is_over or not self._numbers.is_new(number):
            return False
        plaintext = unseal(self._theirs, payload)
        if plaintext is None:
            return False
        if number > self._numbers.highest:
            self._follow(path, now)
        self._numbers.add(number)
        self._heard_at = now
        if self.phase is RelayPhase.ANSWERED:
            self._ends_at = inf
            self._turn(RelayEvent.HEARD)
        if payload[0] == SIGNAL:
            self.signals.receive(plaintext, now)
        else:
            self._take(read_segment(plaintext), number, now)
        return True

    def _follow(self, path: int, now: float) -> None:
        """Send where the latest frame came from; among direct paths the caller chooses."""
        is_direct = path >= self._brokers
        if path == self._path or (self.is_direct and (self._calls or not is_direct)):
            return
        if is_direct != self.is_direct:
            self._patience = Patience()
        self._path = path
        if is_direct:
            self._tell_at = now  # so that the other side hears of it at once

    def _take(self, segment: Segment, number: int, now: float) -> None:
        """Take a frame's segment."""
        piece = Piece(segment.place, segment.data, bool(segment.flags & END))
        if segment.flags not in FLAGS or piece.end > LAST:
            self.fail(_BROKEN)
            return
        self._patience.seen(segment.seen, now)
        self.outgoing.acknowledge(segment.acknowledged, segment.room, segment.seen)
        if piece.data or piece.is_last:
            self._seen = max(self._seen, number)
            self.incoming.add(piece)
            self._tell_at = min(self._tell_at, now + ACKNOWLEDGE)
        if segment.flags & GONE and not self.is_left:
            self.is_left = True
            self.outgoing.drop()
            self._ends_at = min(self._ends_at, now + LINGER)
        if segment.flags & CUT and not self.incoming.is_whole:
            self.fail(_LEFT_EARLY)

    # --- what is sent ---

    def output(self, now: float) -> Publication | None:
        """The message to send now; None for none before `next_time`."""
        self._watch(now)
        if self.is_over or now < self._may_send_at:
            return None
        if self.phase is RelayPhase.ANSWERED:
            return self._repeat_answer(now)
        if self._number == LAST or self.outgoing.is_spent:
            self.fail(_SPENT)
            return None
        if self.outgoing.is_out and now >= self._expires:
            self.outgoing.lose_all()
            if self._numbers.highest:  # a waiter that has heard nothing gives up soon
                self._patience.run_out()
            self._path, self._expires = None, inf
        if self._to_probe:
            return self._seal(now, path=self._to_probe.popleft())
        if now >= self.signals.due:
            return self._put(self._sealed(SIGNAL, self.signals.next_plaintext(now)), self._path, now)
        if self.outgoing.is_ready:
            return self._send_piece(now)
        return self._seal(now) if now >= self._due else None

    @property
    def _may_send_at(self) -> float:
        """When the rate allows sending."""
        return -inf if self.is_direct else self._free - BURST

    def next_time(self) -> float:
        """When to ask for `output` again if nothing comes; inf for never."""
        if self.is_over:
            return inf
        due = min(self._due, self._expires if self.outgoing.is_out else inf, self.signals.due)
        if self.phase is RelayPhase.ANSWERED:
            due = -inf if self._is_asked else inf
        elif self.outgoing.is_ready or self._to_probe:
            due = -inf
        return min(max(due, self._may_send_at), self._dead_at)

    @property
    def _due(self) -> float:
        """When to send a frame without data."""
        return min(self._tell_at, inf if self.is_left else self._sent_at + KEEP)

    @property
    def _dead_at(self) -> float:
        """When the other side counts as gone."""
        if self.is_left and self.incoming.is_whole and not self.is_closed:
            return inf  # all has arrived that ever will
        return min(self._ends_at, self._heard_at + SILENCE)

    def _repeat_answer(self, now: float) -> Publication | None:
        """The ANSWER once more, if it was asked for."""
        if not self._is_asked:
            return None
        self._is_asked, self._repeat_at = False, now + REPEAT
        return self._put(self._answer, None, now)

    def _send_piece(self, now: float) -> Publication:
        """A frame with the next piece."""
        piece = self.outgoing.next_piece(self._number + 1)
        assert piece is not None
        self._patience.sent(self._number + 1, now)
        self._expires = now + self._patience.seconds
        return self._seal(now, piece)

    def _seal(self, now: float, piece: Piece | None = None, path: int | None = None) -> Publication:
        """A frame with this piece, or none, for a path."""
        piece = piece or Piece(self.outgoing.next_place, b"")
        flags = (END if piece.is_last else 0) | (GONE if self.is_closed else 0) | (CUT if self._is_cut else 0)
        self._told_room = self.incoming.room
        segment = Segment(self.incoming.expected, self._told_room, self._seen, piece.place, flags, piece.data)
        payload = self._sealed(FRAME, segment.plaintext())
        self._tell_at = inf
        return self._put(payload, self._path if path is None else path, now)

    def _sealed(self, kind: int, plaintext: bytes) -> bytes:
        """A sealed message under the next number."""
        self._number += 1
        return seal(self._own, kind, self._connection, self._number, plaintext)

    def _put(self, payload: bytes, path: int | None, now: float) -> Publication:
        """Reckon the message against the rate."""
        copies = self._brokers if path is None else int(path < self._brokers)
        self._free = max(self._free, now) + copies * len(payload) / self._rate
        self._sent_at = now
        return Publication(payload, path)

    # --- the clock ---

    def _watch(self, now: float) -> None:
        """End or break the stream if a time limit has passed."""
        if self.is_closed:
            if now >= self._dead_at or (self.is_said and (self.is_left or self._is_cut)):
                self._turn(RelayEvent.DONE)
        elif now >= self._dead_at:
            self.fail(_LEFT_EARLY if self.is_left else _NOBODY if self.phase is RelayPhase.ANSWERED else _SILENT)


_BROKEN = "The meeting point passed on something invalid, so the connection was closed."
_LEFT_EARLY = "The other side closed the connection before everything had arrived."
_NOBODY = "The other side called through the meeting point, then went silent."
_SILENT = "Nothing came through the meeting point for 60 s. Check that both of you are online, then connect again."
_SPENT = "This connection has reached its limit. Connect again to continue."
