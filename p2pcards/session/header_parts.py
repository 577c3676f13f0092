"""The header of a new game, which comes in parts."""

from __future__ import annotations

from p2pcards.wire.frame import MAX_FRAME, Frame, split_frame
from p2pcards.wire.header import Header
from p2pcards.wire.messages import HeaderPart
from p2pcards.wire.refused import Cause, Refused

NEW_GAMES = 2
"""The version of a game that begins: an older one goes on where its log is, and nowhere else."""


def check_version(header: Header) -> None:
    """Raises Refused for a header of a game of which there is no log here, and which is of an older version."""
    if header.version < NEW_GAMES:
        raise Refused(
            Cause.RULES, "A game of version 1, in which one side may choose among packs, goes on only where its log is."
        )


class HeaderParts:
    """Those that have come so far."""

    def __init__(self) -> None:
        self._data = b""
        self._count = 0

    def forget(self) -> None:
        self._data, self._count = b"", 0

    def add(self, said: HeaderPart) -> Frame | None:
        """The whole header when this was its last part. Raises Refused."""
        if said.part == 0:
            self.forget()
        fits = said.part == self._count and said.part < said.parts
        if not fits or len(self._data) + len(said.data) > MAX_FRAME + 2:
            raise Refused(Cause.SHAPE, "The parts of a header came out of order.")
        self._data += said.data
        self._count += 1
        if self._count < said.parts:
            return None
        frame, rest = split_frame(self._data)
        if rest:
            raise Refused(Cause.LENGTH, "Something follows the header.")
        return frame
