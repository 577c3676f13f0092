"""What one side still has to bring over: the bytes that wait, the frames that are out, which of them are lost."""

from collections import deque
from dataclasses import dataclass

from p2pcards.links.modem.sizing import LONGEST, OVERHEAD, WINDOW, Sizing, longest_payload

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
        """Lost again and again, as long frames are when a line turns bad: nothing is gained by leaving the line idle
        while one waits for the answer to it."""
        return self.losses >= STUBBORN and not self.arrived

    def send(self, sent_as: int) -> None:
        """It goes out once more, under this number."""
        self.lost, self.sent_as = False, sent_as

    def arrive(self) -> None:
        self.arrived, self.lost = True, False

    def lose(self) -> None:
        """It is known not to have arrived."""
        self.lost = True
        self.losses += 1

    def miss(self) -> None:
        """It may not have arrived: no answer came."""
        self.lost = True


class Outgoing:
    """Numbers are 8 bits and go around. An empty payload is the end.

    `write` takes no more than about a second of the line (`room`), so that what is urgent does not stand behind much.
    """

    def __init__(self, rate: int) -> None:
        self.pace(rate)
        self._waiting = bytearray()
        self._out: deque[Cut] = deque()
        self._next = 0
        self.ended = False
        """Nothing more will be written."""
        self._end_cut = False
        self.resent = 0

    def pace(self, rate: int) -> None:
        """From here on the line carries so many bits a second."""
        self.longest = longest_payload(rate)
        self._capacity = max(rate // 10, self.longest)
        self._sizing = Sizing(self.longest)

    @property
    def room(self) -> int:
        return max(self._capacity - len(self._waiting), 0)

    @property
    def size(self) -> int:
        """Bytes that have not certainly arrived."""
        return len(self._waiting) + sum(len(cut.payload) for cut in self._out if not cut.arrived)

    @property
    def is_done(self) -> bool:
        """Everything that was given, and the end, has arrived."""
        return self._end_cut and not self._out

    @property
    def is_out(self) -> bool:
        """Something is on its way, or was and is lost."""
        return bool(self._out)

    @property
    def is_ready(self) -> bool:
        """There is something to send at once."""
        return self._may_cut() or any(cut.lost or cut.is_stubborn for cut in self._out)

    def _may_cut(self) -> bool:
        return len(self._out) < WINDOW and (bool(self._waiting) or (self.ended and not self._end_cut))

    def write(self, data: bytes | memoryview) -> int:
        """How many of these bytes were taken."""
        taken = data[: self.room]
        self._waiting += taken
        return len(taken)

    def end(self) -> None:
        self.ended = True

    def drop(self) -> None:
        """Nobody is there any more to take it."""
        self._waiting.clear()
        self._out.clear()
        self.ended = self._end_cut = True

    def take(self, sent_as: int) -> Cut | None:
        """What is to be sent next, which is then on its way under this transmission number."""
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
        size = self._sizing.payload
        if len(self._waiting) <= min(size + size // 4, LONGEST):
            size = len(self._waiting)  # a short rest costs less here than as a frame of its own
        cut = Cut(self._next, bytes(self._waiting[:size]), sent_as)
        del self._waiting[:size]
        self._end_cut = not cut.payload
        self._next = (self._next + 1) % 256
        self._out.append(cut)
        return cut

    def heard(self, expected: int, beyond: int, seen: int | None) -> list[Cut]:
        """The other side expects the frame of this number next, has those of the 7 behind it whose bits are set in
        `beyond`, and had received what was sent as `seen`, if that is known. Returns what is newly known to be there.

        A line does not change the order: what was sent before that and has not arrived never will.
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
        """No answer came in time: the oldest frame goes out again and asks for one."""
        oldest = next((cut for cut in self._out if not cut.arrived), None)
        if oldest is not None:
            oldest.miss()
            self._sizing.lost(len(oldest.payload))

    @property
    def wire_of_a_window(self) -> int:
        """Bytes on the line, about, of as many of the longest frames as may be out at once."""
        return WINDOW * (self.longest + OVERHEAD)
