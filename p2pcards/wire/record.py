"""Records: what is logged, sent and counted as one; protocol/records.md."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.wire.entries import (
    ActionEntry,
    CommitEntry,
    DealEntry,
    Entry,
    OutcomeEntry,
    decode_entry,
    decode_faces,
    decode_opening,
)
from p2pcards.wire.frame import MAX_FRAME, Frame, split_frame
from p2pcards.wire.refused import Cause, Refused


@dataclass(frozen=True, slots=True)
class Record:
    """frames: the entry, and the outcome of an action if it has one. faces: the recipient's. opening: of a private
    action of the recipient's own seat, as `encode_opening` gives it, or empty."""

    frames: tuple[Frame, ...]
    faces: Frame | None = None
    opening: bytes = b""

    def __bytes__(self) -> bytes:
        whole = b""
        for frame in self.frames:
            whole += bytes(frame)
        if self.faces is not None:
            whole += bytes(self.faces)
        return whole + b"\0\0" + self.opening if self.opening else whole


FACES_START = b"\x92\x09"  # msgpack: an array of two, the first element FACES


def read_record(data: bytes, cap: int = MAX_FRAME) -> tuple[Record, tuple[Entry, ...]]:
    """The record and its entries (one, or an action and its outcome), decoded. Raises Refused."""
    frames: list[Frame] = []
    faces: Frame | None = None
    opening = b""
    while data:
        if data[:2] == b"\0\0":
            data, opening = b"", data[2:]
            decode_opening(opening)
            continue
        if faces is not None:
            raise Refused(Cause.SHAPE, "Something follows the faces of a record.")
        frame, data = split_frame(data, cap)
        if frame.body.startswith(FACES_START):
            faces = frame
            decode_faces(frame.body)
        else:
            frames.append(frame)
    entries = tuple([decode_entry(frame.body) for frame in frames])
    _check_order(entries, faces is not None, bool(opening))
    return Record(tuple(frames), faces, opening), entries


def first_kind(data: bytes) -> int:
    """The kind of the first entry of a record, of which nothing else is read; -1 where there is none."""
    return data[3] if len(data) > 3 else -1


def _check_order(entries: tuple[Entry, ...], has_faces: bool, has_opening: bool) -> None:
    if not 1 <= len(entries) <= 2:
        raise Refused(Cause.SHAPE, "A record has one entry, or an action and its outcome.")
    is_move = isinstance(entries[0], ActionEntry | CommitEntry)
    if len(entries) == 2 and not (is_move and isinstance(entries[1], OutcomeEntry) and entries[1].outcome):
        raise Refused(Cause.SHAPE, "Only an action is followed by an outcome.")
    if has_faces and not isinstance(entries[0], ActionEntry | CommitEntry | OutcomeEntry | DealEntry):
        raise Refused(Cause.SHAPE, "Only an event of the game has faces.")
    if has_opening and not isinstance(entries[0], CommitEntry):
        raise Refused(Cause.SHAPE, "Only a private action has an opening.")
