"""What has arrived from the other side: in order for whoever reads, and what came early."""

from p2pcards.links.modem.sizing import WINDOW

CAPACITY = 131072
"""Bytes that may wait to be read, as with TCP; beyond them nothing is taken from the line, and the other side waits."""


class Incoming:
    """Numbers are 8 bits and go around. An empty payload is the end."""

    def __init__(self) -> None:
        self.expected = 0
        self.is_whole = False
        """The end has come, and everything before it."""
        self._early: dict[int, bytes] = {}
        self._ready = bytearray()
        self._deaf = False

    @property
    def has_room(self) -> bool:
        return len(self._ready) < CAPACITY

    @property
    def beyond(self) -> int:
        """One bit for each of the 7 frames behind the next one, set for those that are here already."""
        return sum(1 << place for place in range(WINDOW - 1) if (self.expected + 1 + place) % 256 in self._early)

    @property
    def waiting(self) -> int:
        """Bytes to be read."""
        return len(self._ready)

    def add(self, number: int, payload: bytes) -> int:
        """Returns how many bytes can be read more than before; a frame that was here before changes nothing."""
        if (number - self.expected) % 256 >= WINDOW or self.is_whole:
            return 0
        self._early.setdefault(number, payload)
        before = len(self._ready)
        while not self.is_whole and (piece := self._early.pop(self.expected, None)) is not None:
            self.expected = (self.expected + 1) % 256
            self.is_whole = not piece
            if not self._deaf:
                self._ready += piece
        return len(self._ready) - before

    def read(self, limit: int | None) -> bytes:
        data = bytes(self._ready[:limit])
        del self._ready[: len(data)]
        return data

    def stop(self) -> None:
        """Nobody reads any more."""
        self._deaf = True
        self._ready.clear()
