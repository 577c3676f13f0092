"""Notes of a log that are numbered and counted, so that one that is left out, or stands there twice, is found: no
signature covers them. protocol/log.md has the rules; a log that does not say so at its beginning has none of it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from p2pcards.ledger.payloads import COUNT, ME, NOTE, RECORD, no_such_payload, note_number, numbered_note, read_count
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.packing import pack, unpack
from p2pcards.wire.record import first_kind
from p2pcards.wire.refused import Cause, Refused


class Numbering:
    """That of one log, as far as it has been read or written. numbered: whether it says so at its beginning; notes: how
    many stand there."""

    def __init__(self) -> None:
        self.numbered = False
        self.notes = 0
        self._last = b""

    @classmethod
    def of(cls, payloads: Iterable[bytes]) -> Numbering:
        """Of a log that is to be gone on with, whether or not it holds."""
        numbering = cls()
        for payload in payloads:
            with suppress(Refused):
                numbering.take(payload)
        return numbering

    def dress(self, payload: bytes) -> list[bytes]:
        """How this is to be written after what stands there. Whoever begins a log says there that notes are numbered.
        Written again it is the same, where it could not be written before."""
        kind = payload[:1]
        if kind == ME and not self._last:
            return [ME + pack([*unpack(payload[1:])[:2], True])]
        if kind == NOTE and self.numbered:
            return [numbered_note(payload, self.notes)]
        if self.numbered and _closes(payload):
            return [COUNT + pack([self.notes]), payload]
        return [payload]

    def take(self, payload: bytes) -> None:
        """The next payload. Raises Refused where notes were left out before it, or stand there twice."""
        kind = payload[:1]
        if kind == ME and not self._last:
            self.numbered = len(unpack(payload[1:])) == 3
        elif kind == NOTE:
            self._take_number(note_number(payload))
        elif kind == COUNT:
            if not self.numbered:
                raise no_such_payload()
            self._check(read_count(payload))
        elif self.numbered and _closes(payload) and self._last != COUNT:
            raise Refused(Cause.SHAPE, "The game is closed here, and its notes are not counted.")
        self._last = kind

    def _take_number(self, number: int | None) -> None:
        if (number is not None) != self.numbered:
            raise Refused(Cause.SHAPE, "This note has a number, and others have none.")
        if number is not None:
            self._check(number)
        self.notes += 1

    def _check(self, number: int) -> None:
        if number != self.notes:
            raise Refused(
                Cause.SHAPE,
                f"A note was left out of this log, or stands there twice: {self.notes} stand before this, where "
                f"{number} should.",
            )


def _closes(payload: bytes) -> bool:
    return payload[:1] == RECORD and first_kind(payload[1:]) == EntryKind.CLOSE


def check_notes(payloads: Iterable[bytes]) -> None:
    """Raises Refused where notes of this log were left out, or stand there twice."""
    numbering = Numbering()
    for payload in payloads:
        numbering.take(payload)
