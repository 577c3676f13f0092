"""A reliable conversation over a line that loses, alters and inserts bytes: the greeting, both halves, the end.

A machine without I/O: it is given what came (`receive`) and asked what goes (`output`), with the time in seconds.

    body of a sealed frame: CLOSED and beyond, 7 bits | expected | seen | sent as [| number | payload]

Each side counts what it sends (`sent as`; an acknowledgement alone is not counted) and says what it saw last of the
other's count (`seen`). A serial line cannot change the order, so what was sent before that, and is not acknowledged in
the same breath, is lost: it goes out again at once. Only where nothing followed a timer has to ask.
"""

from collections.abc import Callable
from math import inf

from p2pcards.links.modem.framing import LONGEST_BODY, Deframer, frame, unframe
from p2pcards.links.modem.greeting import ANSWERER, CALLER, VERSION, LineHello, call_seed, read_hello, write_hello
from p2pcards.links.modem.incoming import Incoming
from p2pcards.links.modem.measuring import Clocking, Quality, Recently, RoundTrip
from p2pcards.links.modem.outgoing import Outgoing
from p2pcards.links.modem.results import SLOWEST
from p2pcards.links.modem.silence import RETRAIN, SILENT_BEATS, Silence, beat
from p2pcards.links.modem.sizing import OVERHEAD
from p2pcards.links.modem.stranger import Stranger

BITS = 10
"""Of a byte on the line: a start bit, eight, a stop bit."""

GREETING_PATIENCE = 90.0
"""Seconds to wait for the other side's HELLO: CONNECT may come before anybody answers, up to S7 = 60 s."""

AHEAD = 0.05
"""Seconds of output that may wait behind what is on the line now; what is urgent waits no longer behind us."""

ANSWER = 0.02
"""Seconds that an acknowledgement waits for a piece to go with: a program that answers has done so by then."""

STRANGER_PATIENCE = 20.0
"""Seconds for the HELLO of whoever says something else first."""

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
        """Nothing but HELLO was sent until now, and what follows from the rate begins here."""
        self.rate = rate
        self.outgoing.pace(rate)
        self._trip = RoundTrip(1 + 2 * (self.outgoing.longest + OVERHEAD) * BITS / rate)
        self._beat = beat(rate)
        self._silence = Silence(rate, calls=self._role == CALLER, now=now)
        self.stall = RETRAIN + 4 * self.outgoing.wire_of_a_window * BITS / rate

    # --- for the stream above ---

    @property
    def is_over(self) -> bool:
        """There is nothing more to be done for this call."""
        nothing_left = self.outgoing.is_done if self.is_agreed else self.outgoing.size == 0
        done = self.is_closed and nothing_left and self._answer_at == inf
        return self._is_finished or self.failure is not None or done

    def close(self, now: float) -> None:
        """Nothing more is written or read here. What was written is still brought over, for a bounded time."""
        if self.is_closed:
            return
        self.is_closed = True
        self._answer_at = now if self.is_agreed else inf
        self.incoming.stop()
        self.outgoing.end()
        self.linger_until = now + SILENT_BEATS * self._beat + 4 * (self.outgoing.size + OVERHEAD) * BITS / self.rate

    def abandon(self, now: float) -> None:
        """Close without bringing anything over; one last frame says so."""
        self.close(now)
        self.outgoing.drop()

    def fail(self, sentence: str) -> None:
        """The line is gone. That is a failure only if something was still to come over it; the first reason stays."""
        if self.is_closed or (self.is_left and self.incoming.is_whole):
            self._is_finished = True
        elif not self.is_over:
            stranger = not self.is_agreed and self._stranger.is_there
            self.failure = self._why_not_greeted() if stranger else sentence

    def quality(self, now: float) -> Quality:
        return Quality(self._recently.rate(now), self._frames, self.outgoing.resent)

    # --- from the line ---

    def receive(self, data: bytes, now: float) -> None:
        """Take what came, any bytes."""
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
        self._peer = nonce
        both = (self._nonce, nonce) if self._role == CALLER else (nonce, self._nonce)
        self._ours = call_seed(self._role, *both)
        self._theirs = call_seed(CALLER + ANSWERER - self._role, *both)

    def _agree(self, now: float) -> None:
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
        self._answer_at = min(self._answer_at, now + ANSWER)

    def _take_sealed(self, body: bytes, now: float) -> None:
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
        # A frame that there is no room for has not been seen: nor has anything behind it, or it would count as lost.
        self._refused = not self.incoming.has_room
        if not self._refused:
            self._recently.add(self.incoming.add(number, payload), now)

    def _take_acknowledgement(self, expected: int, beyond: int, seen: int, now: float) -> None:
        known = (self._count - seen) % 256 < 128
        if known and self._trip.seen(seen, now):
            self._backoff = 1
        arrived = self.outgoing.heard(expected, beyond, seen if known else None)
        if arrived:
            self._moved_at = now
            self._recently.add(sum(len(cut.payload) for cut in arrived), now)

    # --- to the line ---

    def output(self, now: float) -> bytes:
        """What is to go on the line at once; b"" where nothing is, before `next_time`."""
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
            # At once and short: whoever asks has heard nothing for long, and a short frame gets through more easily.
            return self._seal(now)
        if self.outgoing.is_out and now >= self._expires:
            self.outgoing.give_up_waiting()
            self._backoff = min(self._backoff * 2, 64)
            self._expires = inf
        if self.outgoing.is_ready:
            return self._send_data(now)
        return self._seal(now) if now >= self._answer_at else b""

    def next_time(self) -> float:
        """When to ask for `output` again if nothing comes before; inf for never."""
        if self.is_over:
            return inf
        if not self.is_agreed:
            return min(max(self._hello_at, self._free - AHEAD), self._greeted_by, self.linger_until)
        waits = min(self._hello_at, self._ask_at, self._expires if self.outgoing.is_out else inf, self._answer_at)
        due = -inf if self.outgoing.is_ready or self._was_asked else waits
        return min(max(due, self._free - AHEAD), self._dead_at, self._stalled_at, self.linger_until)

    def _say_hello(self, now: float) -> bytes:
        self._hello_at = inf if self.is_agreed else now + hello_interval(self.rate)
        wire = self._put(write_hello(LineHello(self._role, self._nonce, self._peer)), now)
        if self._rivals >= RIVALS and not self.is_agreed:
            # Not before this HELLO, from which the other one is to know it too.
            self.fail(_BOTH_CALL if self._role == CALLER else _BOTH_WAIT)
        return wire

    def _send_data(self, now: float) -> bytes:
        if not self.outgoing.is_out:
            self._moved_at = now
        cut = self.outgoing.take((self._count + 1) % 256)
        assert cut is not None
        self._frames += 1
        wire = self._seal(now, bytes([cut.number]) + cut.payload, counted=True)
        patience = self._trip.patience
        self._expires = self._free + min(patience * self._backoff, max(patience, self._beat))
        return wire

    def _seal(self, now: float, rest: bytes = b"", *, counted: bool = False) -> bytes:
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
        self._free = max(self._free, now) + len(wire) * BITS / self.rate
        return wire

    # --- the clock ---

    @property
    def _ask_at(self) -> float:
        return inf if self._expects_nothing else self._silence.ask_at

    @property
    def _dead_at(self) -> float:
        return inf if self._expects_nothing else self._silence.dead_at(self._carrier())

    @property
    def _greeted_by(self) -> float:
        return min(self._agree_by, self._stranger.began + STRANGER_PATIENCE if self._stranger.is_there else inf)

    @property
    def _stalled_at(self) -> float:
        return self._moved_at + self.stall if self.outgoing.is_out else inf

    @property
    def _expects_nothing(self) -> bool:
        """The other side has said its last word: it may be gone."""
        return self.is_left and (self.incoming.is_whole or self.is_closed)

    def _watch(self, now: float) -> None:
        if now >= self.linger_until:
            self._is_finished = True
        elif not self.is_agreed and now >= self._greeted_by:
            self.fail(self._why_not_greeted())
        elif self.is_agreed and now >= self._dead_at:
            self.fail(_DEAD.format(seconds=self._silence.patience(self._carrier())))
        elif self.is_agreed and now >= self._stalled_at:
            self.fail(_STALLED.format(seconds=self.stall))

    def _why_not_greeted(self) -> str:
        why = _STRANGER if self._stranger.is_there else _ONLY_ECHO if self._echoes else _NOBODY
        return why.format(words=self._stranger.words, seconds=self._patience)


RIVALS = 3
"""HELLOs of our own role from somebody else that cannot be what an older call has left in a buffer."""

_NOBODY = (
    "Nobody at the other end of the line answered as p2pcards does within {seconds:.0f} s. Check that it runs there, "
    "and that both sides use the same speed."
)
_STRANGER = 'Whoever answered is not p2pcards, but says: "{words}". Check the number, and that p2pcards listens there.'
_ONLY_ECHO = (
    "For {seconds:.0f} s the line has only given back what this side sends. The modem may be in its echo mode "
    "(ATE0 ends it), or the cable leads back to this machine."
)
_BOTH_CALL = "Both ends of this line want to call. One of them has to listen: 'p2pcards listen'."
_BOTH_WAIT = "Both ends of this line wait to be called. One of them has to call: 'p2pcards dial' or 'p2pcards connect'."
_OTHER_VERSION = (
    "The other side speaks version {theirs} of the line protocol, this one version {ours}. "
    "Use the same version of p2pcards on both sides."
)
_ANEW = "The other side has begun anew, so this call is over. Connect again to go on with the game."
_DEAD = (
    "Nothing has come over the line for {seconds:.1f} s: the other side hung up, or the line is cut. "
    "Call again to go on."
)
_STALLED = (
    "Nothing of ours has come through for {seconds:.0f} s, though the other side is still there: the line is too bad. "
    "Call again, at a lower speed if you can choose one."
)
