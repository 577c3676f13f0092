"""A reliable conversation over a line that loses, alters and inserts bytes: the greeting with which it begins, line
frames and how long they are, what is out and what has come, and whether the other side is still there. No I/O, no
clock."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from zlib import crc32

from p2pcards.links.modem.hayes import SLOWEST
from p2pcards.links.stream_ends import ReceivingEnd, SendingEnd
from p2pcards.wire.clean import ESCAPE_SEQUENCE, clean

# --- somebody at the other end who is not p2pcards --------------------------------------------------------------------


KEPT = 400
"""Bytes of what came last."""
LEAST = 6
"""Bytes below which nothing can be said."""
SHARE = 0.95
"""Of the bytes of a text can be read; of noise, three quarters once the parity bit is stripped."""
LAYOUT = b"\0\a\b\t\n\r\x1b"
SHOWN = 160
"""Characters."""


class Stranger:
    """What came before any HELLO; began: when the first byte did, inf until then."""

    def __init__(self) -> None:
        self.began = inf
        self._said = b""

    def came(self, data: bytes, now: float) -> None:
        """Take bytes that came before any HELLO."""
        self.began = min(self.began, now)
        self._said = (self._said + bytes(byte & 0x7F for byte in data))[-KEPT:]

    @property
    def is_there(self) -> bool:
        """True if what came is text, not noise or frames."""
        readable = sum(32 <= byte < 126 or byte in LAYOUT for byte in self._said)
        return len(self._said) >= LEAST and readable >= SHARE * len(self._said)

    @property
    def words(self) -> str:
        """The text that came, safe to show."""
        return clean(ESCAPE_SEQUENCE.sub(" ", self._said.decode("ascii")), SHOWN)


# --- line frames on a serial line -------------------------------------------------------------------------------------


FLAG, ESCAPE, FLIP = 0x7E, 0x7D, 0x20
KEPT_OFF = b"\x7e\x7d\r+\x11\x13\x91\x93\x1a\xff"
"""Bytes that never stand in a frame as they are: FLAG and ESCAPE; CR and +, which speak to a modem; XON and XOFF, with
the parity bit too, which speak to flow control; 0x1A, which ends a file in DOS; 0xFF, a command of telnet."""

CRC_SIZE = 4
LONGEST_BODY = 245
LONGEST_WIRE = 2 + 2 * (LONGEST_BODY + CRC_SIZE)

_CR = b"\r"
_PLAIN = re.compile(b"[" + re.escape(KEPT_OFF) + b"]")
_STUFFED = re.compile(rb"\x7d(.?)", re.DOTALL)
_PAIRS = {bytes([byte]): bytes([ESCAPE, byte ^ FLIP]) for byte in KEPT_OFF}
_BACK = {pair[1:]: plain for plain, pair in _PAIRS.items()}
_STRAY = bytes(set(KEPT_OFF) - {ESCAPE, FLAG})


def frame(body: bytes, seed: int) -> bytes:
    """A frame for the line, with this body of 1 to LONGEST_BODY bytes."""
    contents = body + crc32(body, seed).to_bytes(CRC_SIZE, "big")
    return b"\x7e" + _PLAIN.sub(lambda found: _PAIRS[found[0]], contents) + b"\x7e"


def unframe(piece: bytes, seed: int) -> bytes | None:
    """The body of a frame, given what stood between two flags; None if damaged or of another seed. XON and XOFF put in
    by flow control are removed."""
    contents = _STUFFED.sub(lambda found: _BACK.get(found[1], b""), piece.translate(None, _STRAY))
    body = contents[:-CRC_SIZE]
    whole = body and crc32(body, seed) == int.from_bytes(contents[-CRC_SIZE:], "big")
    return body if whole else None


class Deframer:
    """Takes whatever comes from the line, in any cuts; keeps no more than LONGEST_WIRE bytes and never raises."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Possible frames completed by these bytes, for `unframe`."""
        *ended, self._rest = (self._rest + data).split(b"\x7e")
        if _is_noise(self._rest):
            # However long it goes on, all up to the next flag is.
            self._rest = _CR
        return [piece for piece in ended if piece and not _is_noise(piece)]


def _is_noise(piece: bytes) -> bool:
    """True for bytes that cannot be a frame."""
    return _CR in piece or len(piece) > LONGEST_WIRE


# --- HELLO, with which a call begins ----------------------------------------------------------------------------------


VERSION = 1
CALLER, ANSWERER = 1, 2
NONCE_SIZE = 4
HELLO_SEED = crc32(b"p2pcards line")
CALL_LABEL = b"p2pcards line 1"


@dataclass(frozen=True, slots=True)
class LineHello:
    role: int  # the sender's, CALLER or ANSWERER; 0 in another version
    nonce: bytes  # the sender's; b"" in another version
    seen: bytes = b""  # the other side's nonce; b"" if not received yet
    version: int = VERSION


def write_hello(hello: LineHello) -> bytes:
    """The frame, as it goes on the line."""
    return frame(bytes([hello.version, hello.role]) + hello.nonce + hello.seen, HELLO_SEED)


def read_hello(piece: bytes) -> LineHello | None:
    """The HELLO between two flags, or None for anything else; of another version only that is known."""
    body = unframe(piece, HELLO_SEED)
    if body is None:
        return None
    if body[0] != VERSION:
        return LineHello(0, b"", version=body[0])
    if len(body) not in (2 + NONCE_SIZE, 2 + 2 * NONCE_SIZE) or body[1] not in (CALLER, ANSWERER):
        return None
    return LineHello(body[1], body[2 : 2 + NONCE_SIZE], body[2 + NONCE_SIZE :])


def call_seed(sender: int, caller: bytes, answerer: bytes) -> int:
    """The seed of the frames that the side with this role sends, from both nonces."""
    return crc32(CALL_LABEL + bytes([sender]) + caller + answerer)


# --- how much a line frame carries ------------------------------------------------------------------------------------


OVERHEAD = 11
"""Bytes around the payload of a data frame: two flags, five of header, four of CRC."""

WINDOW = 8
"""Data frames that may be out at once; an acknowledgement tells of each of them."""

SHORTEST, LONGEST = 24, 240
"""Bytes of a payload."""
MEMORY = 100
"""Frames over which the losses are counted."""


def longest_payload(rate: int) -> int:
    """Bytes of the longest payload at this many bits a second: about a second of the line, for what waits behind it."""
    return min(LONGEST, max(64, rate // 10))


class Sizing:
    """Learns from what arrived and what was lost. With q the chance that a byte is hit, h the overhead and L the length
    of a frame, the share of the line that is of use, (L - h) / L * exp(-q L), is largest where L (L - h) = h / q."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        # A guess to begin with, half a hit strong: three frames that are lost outweigh it.
        self._hits = 0.5
        self._bytes = 700.0

    def arrived(self, payload: int) -> None:
        """Note that a payload of this size arrived."""
        self._count(payload + OVERHEAD, 0)

    def lost(self, payload: int) -> None:
        """Note that a payload of this size was lost."""
        # On average the first hit was in the middle; nothing is known of what came behind it.
        self._count((payload + OVERHEAD) / 2, 1)

    def _count(self, size: float, hits: int) -> None:
        """Count bytes carried and hits on them, older ones fading."""
        kept = 1 - 1 / MEMORY
        self._hits = self._hits * kept + hits
        self._bytes = self._bytes * kept + size

    @property
    def payload(self) -> int:
        """The best size of the next payload."""
        hit = max(self._hits / self._bytes, 1e-9)
        best = (sqrt(OVERHEAD * OVERHEAD + 4 * OVERHEAD / hit) - OVERHEAD) / 2
        return round(min(self._longest, max(SHORTEST, best)))


# --- what a line turns out to be like ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quality:
    goodput: float  # bytes per second that certainly arrived lately, both directions together
    frames: int  # number of data frames sent, including the resent ones
    resent: int


class RoundTrip:
    """How long to wait for an answer, from how long answers took (RFC 6298)."""

    def __init__(self, first: float) -> None:
        """first: the seconds to wait while nothing is known."""
        self.smoothed: float | None = None
        """Seconds from the end of a frame to its answer; None while none has come."""
        self._spread = 0.0
        self._first = first
        self._left: dict[int, float] = {}

    def sent(self, sent_as: int, leaves: float) -> None:
        """Note that a transmission leaves the line's own queue at that time."""
        self._left[sent_as] = leaves

    def seen(self, sent_as: int, now: float) -> bool:
        """Note the answer to a transmission, after which none comes for earlier ones; False if it was noted before."""
        leaves = self._left.get(sent_as)
        if leaves is None:
            return False
        self._left = {other: at for other, at in self._left.items() if (other - sent_as) % 256 in range(1, 128)}
        took = max(now - leaves, 0.0)
        if self.smoothed is None:
            self.smoothed, self._spread = took, took / 2
        else:
            # An answer that was lost, and came with a later frame, says nothing about the line.
            took = min(took, 2 * self.smoothed + 0.1)
            self._spread += (abs(took - self.smoothed) - self._spread) / 4
            self.smoothed += (took - self.smoothed) / 8
        return True

    @property
    def patience(self) -> float:
        """Seconds after which an answer is unlikely."""
        return self._first if self.smoothed is None else self.smoothed + max(4 * self._spread, 0.1)


class Clocking:
    """The rate of a line of which the modem does not say it, from how fast bytes come in."""

    RATES = (300, 1200, 2400, 4800, 9600)
    """Bits a second. What comes faster counts for the last: modems with a buffer of their own give what they have at
    the speed of the port, and hold back who writes too fast."""
    GAP = 0.25
    """Seconds without a byte after which another burst begins: at 300 bits a second a byte takes 0.033."""
    HELD = 4
    """Bytes, about, that a port may hold back before it gives any."""

    def __init__(self) -> None:
        self._began = self._last = -inf
        self._bytes = 0

    def came(self, count: int, now: float) -> None:
        """Note that so many bytes have come."""
        if now - self._last > self.GAP:
            self._began, self._bytes = now, 0
        else:
            self._bytes += count
        self._last = now

    @property
    def rate(self) -> int:
        """Bits a second of the last burst."""
        took = self._last - self._began
        if not took > 0:
            return self.RATES[-1]
        found = 10 * (self._bytes + self.HELD) / took
        return min(self.RATES, key=lambda rate: abs(log(rate / found)))


class Recently:
    """An amount a second, of the last seconds more than of those before."""

    MEMORY = 10.0
    """Seconds after which an amount counts for a third of what it did, about."""

    def __init__(self) -> None:
        self._amount = 0.0
        self._at = 0.0

    def add(self, amount: float, now: float) -> None:
        self._amount = self.rate(now) + amount / self.MEMORY
        self._at = now

    def rate(self, now: float) -> float:
        """The amount a second, recent seconds counting more."""
        return self._amount * exp(min(self._at - now, 0) / self.MEMORY)


# --- whether the other side is still there ----------------------------------------------------------------------------


SILENT_BEATS = 3
"""Beats of silence, and questions, after which a line counts as dead."""


RETRAIN = 30.0
"""Seconds of silence that may pass while a carrier is there: modems that train anew take 10 to 20."""


def beat(rate: int) -> float:
    """Seconds without a frame after which a side asks for one, at this rate in bits a second."""
    return 2 + 1500 / rate


class Silence:
    """Counted from the last frame that was heard. Who called asks first: there is no need for both to ask."""

    def __init__(self, rate: int, *, calls: bool, now: float) -> None:
        self._beat = beat(rate)
        self._asks_after = self._beat if calls else 1.25 * self._beat
        self._heard_at = now
        self._asked: list[float] = []

    def heard(self, now: float) -> None:
        """Note that a frame came."""
        self._heard_at = now
        self._asked.clear()

    def ask(self, now: float) -> None:
        """Note that a question was sent."""
        self._asked.append(now)

    @property
    def ask_at(self) -> float:
        """When to ask next; four times per beat once it is time, as even short frames get lost."""
        return self._asked[-1] + self._beat / 4 if self._asked else self._heard_at + self._asks_after

    def patience(self, carrier: bool) -> float:
        """Seconds of silence after which the line counts as dead. carrier: DCD shows one."""
        beats = SILENT_BEATS * self._beat
        return max(beats, RETRAIN) if carrier else beats

    def dead_at(self, carrier: bool) -> float:
        """When the line counts as dead; inf until a few questions had their time, as this machine may have slept."""
        if len(self._asked) < SILENT_BEATS:
            return inf
        return max(self._heard_at + self.patience(carrier), self._asked[SILENT_BEATS - 1] + self._beat / 4)


# --- what has arrived from the other side -----------------------------------------------------------------------------


CAPACITY = 131072
"""Bytes that may wait to be read, as with TCP; beyond them nothing is taken from the line, and the other side waits."""


class Incoming(ReceivingEnd):
    """Numbers are 8 bits and go around. An empty payload is the end."""

    def __init__(self) -> None:
        super().__init__()
        self._early: dict[int, bytes] = {}

    @property
    def has_room(self) -> bool:
        """True if more bytes can be kept for reading."""
        return len(self._ready) < CAPACITY

    @property
    def beyond(self) -> int:
        """A bit for each of the 7 frames after the expected one, set if it is here."""
        return sum(1 << place for place in range(WINDOW - 1) if (self.expected + 1 + place) % 256 in self._early)

    def add(self, number: int, payload: bytes) -> int:
        """Take a frame; returns how many more bytes can be read. Repeats change nothing."""
        if (number - self.expected) % 256 >= WINDOW or self.is_whole:
            return 0
        self._early.setdefault(number, payload)
        before = len(self._ready)
        while not self.is_whole and (piece := self._early.pop(self.expected, None)) is not None:
            self.expected = (self.expected + 1) % 256
            self.is_whole = not piece
            self._keep(piece)
        return len(self._ready) - before


# --- what one side still has to bring over ----------------------------------------------------------------------------


STUBBORN = 2
"""Losses, known as such, after which a frame is sent for as long as nothing else is."""


@dataclass(slots=True)
class Cut:
    """A piece of the bytes that has a number of its own for good, and another one each time that it is sent."""

    number: int
    payload: bytes
    sent_as: int
    losses: int = 0
    arrived: bool = False
    lost: bool = False

    @property
    def is_stubborn(self) -> bool:
        """True if lost again and again, as long frames are on a bad line; then others are sent meanwhile."""
        return self.losses >= STUBBORN and not self.arrived

    def send(self, sent_as: int) -> None:
        """Note that it is sent once more, under this number."""
        self.lost, self.sent_as = False, sent_as

    def arrive(self) -> None:
        """Note that it has arrived."""
        self.arrived, self.lost = True, False

    def lose(self) -> None:
        """Note that it is lost."""
        self.lost = True
        self.losses += 1

    def miss(self) -> None:
        """Note that no answer came, so that it may be lost."""
        self.lost = True


class Outgoing(SendingEnd[Cut]):
    """Numbers are 8 bits and go around. An empty payload is the end.

    `write` takes no more than about a second of the line (`room`), so that what is urgent does not stand behind much.
    """

    def __init__(self, rate: int) -> None:
        super().__init__()
        self.pace(rate)

    def pace(self, rate: int) -> None:
        """Set the rate of the line in bits a second."""
        self.longest = longest_payload(rate)
        self._capacity = max(rate // 10, self.longest)
        self._sizing = Sizing(self.longest)

    @property
    def room(self) -> int:
        """Bytes that `write` takes now."""
        return max(self._capacity - len(self._waiting), 0)

    @property
    def size(self) -> int:
        """Bytes not known to have arrived."""
        return len(self._waiting) + sum(len(cut.payload) for cut in self._out if not cut.arrived)

    @property
    def is_ready(self) -> bool:
        """True if something can be sent at once."""
        return self._may_cut() or any(cut.lost or cut.is_stubborn for cut in self._out)

    def _may_cut(self) -> bool:
        """True if a new piece can be sent."""
        return len(self._out) < WINDOW and self._has_more

    def next_piece(self, sent_as: int) -> Cut | None:
        """The next piece to send, noted as sent under this number; None if there is none."""
        cut = next((cut for cut in self._out if cut.lost), None)
        if cut is None and self._may_cut():
            return self._cut(sent_as)
        if cut is None:
            cut = next((cut for cut in self._out if cut.is_stubborn), None)
        if cut is not None:
            self.resent += 1
            cut.send(sent_as)
        return cut

    def _cut(self, sent_as: int) -> Cut:
        """Cut a new piece from the waiting bytes."""
        size = self._sizing.payload
        if len(self._waiting) <= min(size + size // 4, LONGEST):
            size = len(self._waiting)  # a short rest costs less here than as a frame of its own
        cut = Cut(self._next, self._cut_bytes(size), sent_as)
        self._is_end_cut = not cut.payload
        self._next = (self._next + 1) % 256
        self._out.append(cut)
        return cut

    def heard(self, expected: int, beyond: int, seen: int | None) -> list[Cut]:
        """Take an acknowledgement; returns the pieces newly known to have arrived. expected: the frame expected next;
        beyond: a bit for each of the 7 after it that is there; seen: the latest transmission received, if known.

        A line keeps the order, so what was sent before `seen` and has not arrived is lost.
        """
        first = self._out[0].number if self._out else self._next
        ahead = (expected - first) % 256
        if ahead > len(self._out):
            return []  # older than what is known, or nonsense
        arrived: list[Cut] = []
        for place, cut in enumerate(self._out):
            if cut.arrived:
                continue
            if place < ahead or (place > ahead and beyond >> (place - ahead - 1) & 1):
                cut.arrive()
                arrived.append(cut)
                self._sizing.arrived(len(cut.payload))
            elif not cut.lost and seen is not None and (seen - cut.sent_as) % 256 < 128:
                cut.lose()
                self._sizing.lost(len(cut.payload))
        while self._out and self._out[0].arrived:
            self._out.popleft()
        return arrived

    def give_up_waiting(self) -> None:
        """Send the oldest piece again, as no answer came in time."""
        oldest = next((cut for cut in self._out if not cut.arrived), None)
        if oldest is not None:
            oldest.miss()
            self._sizing.lost(len(oldest.payload))

    @property
    def wire_of_a_window(self) -> int:
        """About the bytes on the line of as many of the longest frames as may be out at once."""
        return WINDOW * (self.longest + OVERHEAD)


# --- a reliable conversation over a line that loses, alters and inserts bytes -----------------------------------------


BITS = 10
"""Of a byte on the line: a start bit, eight, a stop bit."""

GREETING_PATIENCE = 90.0
"""Seconds to wait for the other side's HELLO: CONNECT may come before anybody answers, up to S7 = 60 s."""

AHEAD = 0.05
"""Seconds of output that may wait behind what is on the line now; what is urgent waits no longer behind us."""

ANSWER = 0.02
"""Seconds that an acknowledgement waits for a piece to go with: a program that answers has done so by then."""

STRANGER_PATIENCE = 20.0
"""Seconds for the HELLO of a side that says something else first."""

CLOSED = 0x80
HEADER = 4


def hello_interval(rate: int) -> float:
    """Seconds from one HELLO to the next."""
    return 0.5 + 480 / rate


class Retransmission:
    """One side of a call: `outgoing` is written to, `incoming` read from. `failure` is a sentence that says why it
    broke."""

    def __init__(
        self,
        *,
        rate: int | None,
        calls: bool,
        nonce: bytes,
        now: float,
        patience: float = GREETING_PATIENCE,
        carrier: Callable[[], bool] = lambda: False,
    ) -> None:
        """rate: bits a second; None: measured by the greeting. calls: this side called. nonce: NONCE_SIZE random bytes.
        patience: seconds for the greeting. carrier: whether DCD shows one at this moment."""
        self.failure: str | None = None
        self.is_agreed = False
        """Both sides have seen each other's HELLO."""
        self.is_closed = False
        self.is_left = False
        """The other side has closed: it takes nothing any more."""
        self._is_finished = False
        self.incoming = Incoming()
        self.outgoing = Outgoing(rate or SLOWEST)
        self._clocking = Clocking() if rate is None else None
        self._stranger = Stranger()
        self._carrier = carrier
        self._role = CALLER if calls else ANSWERER
        self._nonce = nonce
        self._peer = b""
        self._ours = self._theirs = 0
        self._deframer = Deframer()
        self._count = self._seen = 0
        self._refused = False
        self._answer_at = inf
        self._was_asked = False
        self._echoes = self._rivals = 0
        self._backoff = 1
        self._free = now
        self._hello_at = now
        self._agree_by = now + patience
        self._patience = patience
        self._moved_at = now
        self._expires = self.linger_until = inf
        self._pace(rate or SLOWEST, now)
        self._recently = Recently()
        self._frames = 0

    def _pace(self, rate: int, now: float) -> None:
        """Set the rate, as the greeting is over."""
        self.rate = rate
        self.outgoing.pace(rate)
        self._trip = RoundTrip(1 + 2 * (self.outgoing.longest + OVERHEAD) * BITS / rate)
        self._beat = beat(rate)
        self._silence = Silence(rate, calls=self._role == CALLER, now=now)
        self.stall = RETRAIN + 4 * self.outgoing.wire_of_a_window * BITS / rate

    # --- for the stream above ---

    @property
    def is_over(self) -> bool:
        """True if nothing more is to be done for this call."""
        nothing_left = self.outgoing.is_done if self.is_agreed else self.outgoing.size == 0
        done = self.is_closed and nothing_left and self._answer_at == inf
        return self._is_finished or self.failure is not None or done

    def close(self, now: float) -> None:
        """Close: what was written is still brought over, for a bounded time."""
        if self.is_closed:
            return
        self.is_closed = True
        self._answer_at = now if self.is_agreed else inf
        self.incoming.stop()
        self.outgoing.end()
        self.linger_until = now + SILENT_BEATS * self._beat + 4 * (self.outgoing.size + OVERHEAD) * BITS / self.rate

    def abandon(self, now: float) -> None:
        """Close without bringing anything over; a last frame says so."""
        self.close(now)
        self.outgoing.drop()

    def fail(self, sentence: str) -> None:
        """End because the line is gone, a failure only if something was still to come over it. The first reason
        stays."""
        if self.is_closed or (self.is_left and self.incoming.is_whole):
            self._is_finished = True
        elif not self.is_over:
            stranger = not self.is_agreed and self._stranger.is_there
            self.failure = self._why_not_greeted() if stranger else sentence

    def quality(self, now: float) -> Quality:
        """The quality of the line now."""
        return Quality(self._recently.rate(now), self._frames, self.outgoing.resent)

    # --- from the line ---

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes that came."""
        if not self.is_agreed:
            self._stranger.came(data, now)
            if self._clocking:
                self._clocking.came(len(data), now)
        for piece in self._deframer.feed(data):
            body = unframe(piece, self._theirs) if self._peer else None
            if body is not None and HEADER <= len(body) <= LONGEST_BODY:
                self._take_sealed(body, now)
            elif (hello := read_hello(piece)) is not None:
                self._take_hello(hello, now)

    def _take_hello(self, hello: LineHello, now: float) -> None:
        """Take the other side's HELLO."""
        if hello.version != VERSION:
            self.fail(_OTHER_VERSION.format(theirs=hello.version, ours=VERSION))
        elif hello.role == self._role:
            self._echoes += hello.nonce == self._nonce
            self._rivals += hello.nonce != self._nonce
        elif self.is_agreed and hello.nonce != self._peer:
            self.fail(_ANEW)
        elif hello.seen == self._nonce:
            self._meet(hello.nonce)
            self._agree(now)
            self._answer_at = now  # at once: the other side may measure the rate by what comes behind a HELLO
        else:
            self._meet(hello.nonce)
            self._hello_at = now

    def _meet(self, nonce: bytes) -> None:
        """Derive the frame seeds from both nonces."""
        self._peer = nonce
        both = (self._nonce, nonce) if self._role == CALLER else (nonce, self._nonce)
        self._ours = call_seed(self._role, *both)
        self._theirs = call_seed(CALLER + ANSWERER - self._role, *both)

    def _agree(self, now: float) -> None:
        """Note that both sides have greeted."""
        if not self.is_agreed:
            self.is_agreed = True
            if self._clocking:
                self._pace(self._clocking.rate, now)
                self._free = min(self._free, now)  # which was reckoned with the slowest
            self._moved_at = now
            self._owe_answer(now)
            self._hello_at = inf
        self._silence.heard(now)

    def _owe_answer(self, now: float) -> None:
        """Have a frame sent soon that acknowledges what came."""
        self._answer_at = min(self._answer_at, now + ANSWER)

    def _take_sealed(self, body: bytes, now: float) -> None:
        """Take the body of a frame."""
        self._agree(now)
        flags, expected, seen, sent_as = body[:HEADER]
        self._take_acknowledgement(expected, flags & ~CLOSED, seen, now)
        is_new = (sent_as - self._seen) % 256 in range(1, 128)
        if is_new:
            self._owe_answer(now)
        if len(body) > HEADER:
            self._take_data(body[HEADER], body[HEADER + 1 :], now)
        else:
            self._was_asked |= is_new
        if self.incoming.has_room:
            self._refused = False
        if is_new and not self._refused:
            self._seen = sent_as
        if flags & CLOSED and not self.is_left:
            self.is_left = True
            self.outgoing.drop()

    def _take_data(self, number: int, payload: bytes, now: float) -> None:
        """Take a payload, if there is room for it."""
        # A frame that there is no room for has not been seen: nor has anything behind it, or it would count as lost.
        self._refused = not self.incoming.has_room
        if not self._refused:
            self._recently.add(self.incoming.add(number, payload), now)

    def _take_acknowledgement(self, expected: int, beyond: int, seen: int, now: float) -> None:
        """Take the acknowledgement in a frame."""
        known = (self._count - seen) % 256 < 128
        if known and self._trip.seen(seen, now):
            self._backoff = 1
        arrived = self.outgoing.heard(expected, beyond, seen if known else None)
        if arrived:
            self._moved_at = now
            self._recently.add(sum(len(cut.payload) for cut in arrived), now)

    # --- to the line ---

    def output(self, now: float) -> bytes:
        """The bytes to put on the line now; b"" for none before `next_time`."""
        self._watch(now)
        if self.is_over or now < self._free - AHEAD:
            return b""
        if now >= self._hello_at:
            return self._say_hello(now)
        if not self.is_agreed:
            return b""
        if now >= self._ask_at:
            self._silence.ask(now)
            return self._seal(now, counted=True)
        if self._was_asked:
            # At once and short: the asker has heard nothing for long, and a short frame gets through more easily.
            return self._seal(now)
        if self.outgoing.is_out and now >= self._expires:
            self.outgoing.give_up_waiting()
            self._backoff = min(self._backoff * 2, 64)
            self._expires = inf
        if self.outgoing.is_ready:
            return self._send_data(now)
        return self._seal(now) if now >= self._answer_at else b""

    def next_time(self) -> float:
        """When to ask for `output` again if nothing comes; inf for never."""
        if self.is_over:
            return inf
        if not self.is_agreed:
            return min(max(self._hello_at, self._free - AHEAD), self._greeted_by, self.linger_until)
        waits = min(self._hello_at, self._ask_at, self._expires if self.outgoing.is_out else inf, self._answer_at)
        due = -inf if self.outgoing.is_ready or self._was_asked else waits
        return min(max(due, self._free - AHEAD), self._dead_at, self._stalled_at, self.linger_until)

    def _say_hello(self, now: float) -> bytes:
        """A HELLO for the line."""
        self._hello_at = inf if self.is_agreed else now + hello_interval(self.rate)
        wire = self._put(write_hello(LineHello(self._role, self._nonce, self._peer)), now)
        if self._rivals >= RIVALS and not self.is_agreed:
            # Not before this HELLO, from which the other one is to know it too.
            self.fail(_BOTH_CALL if self._role == CALLER else _BOTH_WAIT)
        return wire

    def _send_data(self, now: float) -> bytes:
        """A frame with the next piece for the line."""
        if not self.outgoing.is_out:
            self._moved_at = now
        cut = self.outgoing.next_piece((self._count + 1) % 256)
        assert cut is not None
        self._frames += 1
        wire = self._seal(now, bytes([cut.number]) + cut.payload, counted=True)
        patience = self._trip.patience
        self._expires = self._free + min(patience * self._backoff, max(patience, self._beat))
        return wire

    def _seal(self, now: float, rest: bytes = b"", *, counted: bool = False) -> bytes:
        """A frame with acknowledgement and `rest`. counted: under a new number."""
        self._count = (self._count + counted) % 256
        flags = self.incoming.beyond | (CLOSED if self.is_closed else 0)
        self._answer_at = inf
        self._was_asked = False
        header = bytes([flags, self.incoming.expected, self._seen, self._count])
        wire = self._put(frame(header + rest, self._ours), now)
        if counted:
            self._trip.sent(self._count, self._free)
        return wire

    def _put(self, wire: bytes, now: float) -> bytes:
        """Reckon the time that these bytes take on the line, and return them."""
        self._free = max(self._free, now) + len(wire) * BITS / self.rate
        return wire

    # --- the clock ---

    @property
    def _ask_at(self) -> float:
        """When to ask for a sign of life; inf for never."""
        return inf if self._expects_nothing else self._silence.ask_at

    @property
    def _dead_at(self) -> float:
        """When the line counts as dead; inf for never."""
        return inf if self._expects_nothing else self._silence.dead_at(self._carrier())

    @property
    def _greeted_by(self) -> float:
        """When the greeting must be over."""
        return min(self._agree_by, self._stranger.began + STRANGER_PATIENCE if self._stranger.is_there else inf)

    @property
    def _stalled_at(self) -> float:
        """When the line counts as stalled; inf if nothing is out."""
        return self._moved_at + self.stall if self.outgoing.is_out else inf

    @property
    def _expects_nothing(self) -> bool:
        """True if the other side has said its last word and may be gone."""
        return self.is_left and (self.incoming.is_whole or self.is_closed)

    def _watch(self, now: float) -> None:
        """End the call if a time limit has passed."""
        if now >= self.linger_until:
            self._is_finished = True
        elif not self.is_agreed and now >= self._greeted_by:
            self.fail(self._why_not_greeted())
        elif self.is_agreed and now >= self._dead_at:
            self.fail(_DEAD.format(seconds=self._silence.patience(self._carrier())))
        elif self.is_agreed and now >= self._stalled_at:
            self.fail(_STALLED.format(seconds=self.stall))

    def _why_not_greeted(self) -> str:
        """The sentence for a greeting that failed."""
        why = _STRANGER if self._stranger.is_there else _ONLY_ECHO if self._echoes else _NOBODY
        return why.format(words=self._stranger.words, seconds=self._patience)


RIVALS = 3
"""HELLOs of our own role from somebody else that cannot be what an older call has left in a buffer."""

_NOBODY = (
    "No p2pcards answered at the other end within {seconds:.0f} s. Check that it's running there, "
    "and that both sides use the same speed."
)
_STRANGER = 'The other end isn\'t p2pcards. It says: "{words}". Check the number, and that p2pcards is listening there.'
_ONLY_ECHO = (
    "The line has only echoed this side for {seconds:.0f} s. The modem may be in echo mode (ATE0 turns it off), or the "
    "cable leads back to this machine."
)
_BOTH_CALL = "Both of you are calling. One of you has to listen: p2pcards listen"
_BOTH_WAIT = "Both of you are listening. One of you has to call: p2pcards dial or p2pcards connect"
_OTHER_VERSION = (
    "The other side uses version {theirs} of the line protocol, this side version {ours}. Use the same version of "
    "p2pcards on both sides."
)
_ANEW = "The other side restarted, so this call is over. Connect again to resume the game."
_DEAD = (
    "Nothing came over the line for {seconds:.1f} s: the other side hung up, or the line is cut. "
    "Call again to continue."
)
_STALLED = (
    "The line is too noisy: nothing got through for {seconds:.0f} s, though the other side is still there. Call again, "
    "at a lower speed if you can."
)
