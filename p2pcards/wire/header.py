"""The signed header of a game; protocol/records.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Any

from p2pcards.wire.entries import VALUE
from p2pcards.wire.frame import HEADER_LABEL, Frame, check_signature, split_frame
from p2pcards.wire.packing import (
    Check,
    array,
    blob,
    blob_or_none,
    flags,
    match,
    maybe,
    pack,
    row,
    rule_value,
    text,
    uint,
    unpack,
)
from p2pcards.wire.refused import Cause, Refused

VERSION = 2
READ = (1, VERSION)
"""The versions whose headers are read: games of version 1 are verified, and go on, for good."""
NAME = 24  # characters of a person's name
MAX_SIDES = 4
LEAST_SEATS = 2
EDITIONS = 65535


@dataclass(frozen=True, slots=True)
class Side:
    """Somebody at the table with an identity. end: the end of their hash chain."""

    key: bytes
    name: str
    character: str
    end: bytes


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Who plays a seat: a side, or a computer player of the coordinator's (side None). character, level and edition of
    the level in this game: who plays it when the side is away, or always."""

    side: int | None
    character: str
    level: str
    edition: int = 1


class Assist(IntFlag):
    """What helps a player to remember and to decide, and is allowed at a table with people only by its header."""

    HINT = 1
    RECALL = 2
    REVIEW = 4
    MELDS = 8
    DISTRIBUTION = 16


NO_ASSISTS, ALL_ASSISTS = Assist(0), Assist(sum(Assist))


def assist_names(assists: Assist) -> tuple[str, ...]:
    """The words by which people name them: ``hint``."""
    return tuple([str(one.name).lower() for one in assists])


@dataclass(frozen=True, slots=True)
class Header:
    """grace and turn_clock in seconds, turn_clock 0: none. previous: the last head of the game before, or empty.
    assists: those that are allowed where people play with each other; deal: the number of a numbered deal, None where
    the sides shuffle. version: of the protocol under which the game began, whose rules it keeps."""

    game: str
    options: tuple[bool | int | str, ...]
    sides: tuple[Side, ...]
    seats: tuple[SeatEntry, ...]
    grace: int
    turn_clock: int
    previous: bytes
    first_dealer: int | None
    nonce: bytes
    assists: Assist = NO_ASSISTS
    deal: int | None = None
    version: int = VERSION

    def seat_of(self, side: int) -> int | None:
        for seat, entry in enumerate(self.seats):
            if entry.side == side:
                return seat
        return None

    def side_of(self, key: bytes) -> int | None:
        return next((number for number, side in enumerate(self.sides) if side.key == key), None)


def encode_header(header: Header) -> bytes:
    first = header.version == 1
    of_version_2 = [] if first else [int(header.assists), header.deal]
    return pack(
        [
            "p2pcards",
            header.version,
            header.game,
            header.options,
            [[side.key, side.name, side.character, side.end] for side in header.sides],
            [[seat.side, seat.character, seat.level, *([] if first else [seat.edition])] for seat in header.seats],
            header.grace,
            header.turn_clock,
            header.previous,
            header.first_dealer,
            header.nonce,
            *of_version_2,
        ]
    )


def _fields(version: int) -> tuple[Check[Any], ...]:
    """What follows magic and version in a header of this version."""
    edition = () if version == 1 else (uint(EDITIONS, 1),)
    newer = () if version == 1 else (flags(Assist), maybe(uint()))
    return (
        text(40),
        array(rule_value, 64),
        array(row(Side, blob(32), text(NAME), text(NAME), blob(VALUE)), MAX_SIDES),
        array(row(SeatEntry, maybe(uint(MAX_SIDES - 1)), text(NAME), text(NAME), *edition), 4),
        uint(86400),
        uint(86400),
        blob_or_none(32),
        maybe(uint(3)),
        blob(16),
        *newer,
    )


_FIELDS = {version: _fields(version) for version in READ}


def decode_header(frame: Frame) -> Header:
    """The header of a frame that the coordinator named in it has signed. Raises Refused."""
    body = unpack(frame.body)
    magic, version = match(body[:2], text(8), uint(255))
    if magic != "p2pcards" or version not in READ:
        raise Refused(Cause.SHAPE, f"This is not a header of p2pcards, version {' or '.join(map(str, READ))}.")
    fields = match(body[2:], *_FIELDS[version])
    header = replace(Header(*fields), version=version)
    _check_header(header)
    check_signature(header.sides[0].key, HEADER_LABEL, b"", frame)
    return header


@dataclass(frozen=True, slots=True)
class Staked:
    """What a listener knows of the header that is to come: the coordinator's key, their own, the nonce of the offer and
    the end that they gave."""

    coordinator: bytes
    me: bytes
    nonce: bytes
    end: bytes


SIDES, NONCE = 4, 10
"""Places in the array of a header."""
KEY, END, SIDE = 0, 3, 4
"""Places in that of a side, and its length."""


def abridged(frame: Frame, key: bytes) -> Frame:
    """A new header as it travels to the side with this key: what that side knows is nil. The signature is that of the
    whole header."""
    body = unpack(frame.body)
    for number, side in enumerate(body[SIDES]):
        mine = side[KEY] == key
        side[KEY] = None if mine or number == 0 else side[KEY]
        side[END] = None if mine else side[END]
    body[NONCE] = None
    return Frame(pack(body), frame.signature)


def completed(frame: Frame, known: Staked) -> Frame:
    """The whole header behind an abridged one, not yet checked; a whole one, or what is none, as it is. Raises
    Refused."""
    body = unpack(frame.body)
    if len(body) <= NONCE or type(body[SIDES]) is not list:
        return frame
    for number, side in enumerate(body[SIDES]):
        if type(side) is list and len(side) == SIDE:
            key = known.me if number else known.coordinator
            side[KEY] = key if side[KEY] is None else side[KEY]
            side[END] = known.end if side[END] is None else side[END]
    body[NONCE] = known.nonce if body[NONCE] is None else body[NONCE]
    return split_frame(bytes(Frame(pack(body), frame.signature)))[0]


def _check_header(header: Header) -> None:
    seated: list[Any] = [seat.side for seat in header.seats if seat.side is not None]
    keys = {side.key for side in header.sides}
    if not header.sides or len(keys) != len(header.sides):
        raise Refused(Cause.SHAPE, "The sides of the header are not different people.")
    if (
        len(header.seats) < LEAST_SEATS
        or len(seated) != len(set(seated))
        or any(side >= len(header.sides) for side in seated)
    ):
        raise Refused(Cause.SHAPE, "The seats of the header do not fit its sides.")
    if header.first_dealer is not None and header.first_dealer >= len(header.seats):
        raise Refused(Cause.SHAPE, "The first dealer of the header has no seat.")
    if header.deal is not None and len(header.sides) > 1:
        raise Refused(Cause.SHAPE, "A numbered deal is for one side alone.")
