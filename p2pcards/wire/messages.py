"""Messages on a channel, to and from bytes; protocol/messages.md has the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from p2pcards.wire.packing import (
    Cause,
    Check,
    Refused,
    array,
    blob,
    blob_or_none,
    blob_up_to,
    boolean,
    elements,
    find_kind,
    match,
    maybe,
    member,
    pack,
    row,
    rule_value,
    text,
    uint,
    unpack,
)
from p2pcards.wire.reasons import PHRASES, ByeCode, RefusalCode, whose_is_older
from p2pcards.wire.records import MAX_SIDES, NAME, SIGNATURE, VALUE, VERSION, EntryKind
from p2pcards.wire.shown_hand import MAX_SEALED

NO_SUCH_MESSAGE = "There is no message of this kind."
CHAT_SIZE = 400  # characters
PART_SIZE = 400  # bytes of a header in one message
MAX_MESSAGE = 4096
MAX_WATCHERS = 16  # behind a table
SHARE, PROOF = 32, 16  # bytes
ADDRESS_SIZE = 300  # characters
HEAD_SHOWN = 4  # bytes of a head that tell it from that of another record


@dataclass(frozen=True, slots=True)
class RecordMessage:
    number: int  # of the record, modulo 256
    record: bytes  # its bytes


@dataclass(frozen=True, slots=True)
class MoveMessage:
    record: bytes  # bytes of a record with one ACTION, COMMIT (with its opening) or CHECK


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer to a move: its record is in the log."""

    number: int  # as in RecordMessage
    head: bytes  # the first bytes of the head after it
    rest: bytes  # the record without the recipient's own entry and its opening


@dataclass(frozen=True, slots=True)
class Hello:
    version: int
    coordinates: bool
    name: str
    character: str


@dataclass(frozen=True, slots=True)
class Bye:
    code: ByeCode
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    number: int


@dataclass(frozen=True, slots=True)
class Pong:
    number: int


@dataclass(frozen=True, slots=True)
class Chat:
    author: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Quick:
    author: int  # index in the people of the table
    phrase: int  # index in `reasons.PHRASES`


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    character: str
    seat: int | None
    here: bool


@dataclass(frozen=True, slots=True)
class People:
    """The people at the table, and the game chosen."""

    people: tuple[Person, ...]
    you: int | None  # the recipient's index in people; None for a watcher, who isn't among them
    game: str | None  # None until one is chosen
    options: tuple[bool | int | str, ...]  # in declared order; () without a game


@dataclass(frozen=True, slots=True)
class Offer:
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Stake:
    nonce: bytes
    end: bytes


@dataclass(frozen=True, slots=True)
class HeaderPart:
    part: int
    parts: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Resume:
    game_id: bytes
    count: int
    head: bytes


@dataclass(frozen=True, slots=True)
class RefusedMove:
    base: int
    code: RefusalCode
    text: str


@dataclass(frozen=True, slots=True)
class Away:
    away: bool


class ClockState(IntEnum):
    """Who plays a seat."""

    HERE = 0
    AWAY = 1
    CHARACTER = 2


@dataclass(frozen=True, slots=True)
class Clocks:
    """For each seat its state, and the seconds until the character takes over, or None."""

    clocks: tuple[tuple[ClockState, int | None], ...]


@dataclass(frozen=True, slots=True)
class Again:
    side: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Ask:
    first: int


@dataclass(frozen=True, slots=True)
class Have:
    number: int
    record: bytes


@dataclass(frozen=True, slots=True)
class GiveCode:
    """The opener of the stream has a code."""

    number: int  # of the code
    share: bytes  # the opener's part of SPAKE2


@dataclass(frozen=True, slots=True)
class CodeAnswer:
    share: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class CodeProof:
    proof: bytes


@dataclass(frozen=True, slots=True)
class WordsCommitment:
    commitment: bytes


@dataclass(frozen=True, slots=True)
class WordsNonce:
    nonce: bytes


@dataclass(frozen=True, slots=True)
class WordsReveal:
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Proposal:
    """A side proposes an UNDO or REDEAL on this base."""

    what: EntryKind
    base: int
    side: int  # the one that proposes
    signature: bytes  # of that side's yes; b"" from the coordinator


@dataclass(frozen=True, slots=True)
class Vote:
    """A yes to the proposal on this base, by its signature; a no without one."""

    base: int
    side: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class LookOn:
    """A game is in progress in which the recipient has no side."""

    game_id: bytes
    count: int  # number of records sent right after its header


@dataclass(frozen=True, slots=True)
class Give:
    """The sender's seat is to go to somebody who watches, when the hand is over."""

    name: str | None  # theirs, as in PEOPLE; None: to nobody any more


@dataclass(frozen=True, slots=True)
class Watch:
    """In place of HELLO: the sender wants to watch behind the table, without a seat."""

    version: int
    name: str


@dataclass(frozen=True, slots=True)
class WatcherNow:
    """Somebody who watches behind the table."""

    name: str
    key: bytes
    sees: str | None = None  # the name of the player whose hand they are shown


@dataclass(frozen=True, slots=True)
class WatchersNow:
    """Everyone who watches behind the table."""

    watchers: tuple[WatcherNow, ...]


@dataclass(frozen=True, slots=True)
class ShowHand:
    """A player's hand, for one watcher."""

    key: bytes  # of the watcher; to the watcher that of the player
    sealed: bytes  # by `wire.shown_hand`; b"" to show it no longer


@dataclass(frozen=True, slots=True)
class NoSeat:
    """The answer to a watcher who asked for a seat: there is none."""


@dataclass(frozen=True, slots=True)
class Handover:
    """The coordinator hands the table over."""

    key: bytes  # of the person who coordinates from now on


@dataclass(frozen=True, slots=True)
class Door:
    """Where somebody at the table can be called."""

    place: int  # theirs in PEOPLE
    key: bytes
    address: str  # "" if the coordinator knows none


@dataclass(frozen=True, slots=True)
class Doors:
    """Where the listeners who are here can be called, in the order in which they would take the table over."""

    doors: tuple[Door, ...]


Message = (
    RecordMessage
    | MoveMessage
    | Taken
    | Hello
    | Bye
    | Ping
    | Pong
    | Chat
    | Quick
    | People
    | Offer
    | Stake
    | HeaderPart
    | Resume
    | RefusedMove
    | Away
    | Clocks
    | Again
    | Ask
    | Have
    | GiveCode
    | CodeAnswer
    | CodeProof
    | WordsCommitment
    | WordsNonce
    | WordsReveal
    | Proposal
    | Vote
    | LookOn
    | Give
    | Watch
    | WatchersNow
    | ShowHand
    | NoSeat
    | Handover
    | Doors
)

_NUMBER = uint()
_HEAD = blob(32)
_GAME_ID = blob(16)
_PERSON = row(Person, text(NAME), text(NAME), maybe(uint(3)), boolean)
_CLOCK = row(lambda state, seconds: (state, seconds), member(ClockState), maybe(uint(86400)))


def _check_proposed_kind(value: Any) -> EntryKind:
    """Check that a PROPOSAL is about an UNDO or a REDEAL. Raises Refused."""
    kind = member(EntryKind)(value)
    if kind not in (EntryKind.UNDO, EntryKind.REDEAL):
        raise Refused(Cause.SHAPE, "Only UNDO and REDEAL are proposed.")
    return kind


# kind -> the message and the checks of its fields, in order
_ARRAYS: dict[int, tuple[type, tuple[Check[Any], ...]]] = {
    16: (Hello, (uint(255), boolean, text(NAME), text(NAME))),
    17: (Bye, (member(ByeCode), text(200))),
    18: (Ping, (_NUMBER,)),
    19: (Pong, (_NUMBER,)),
    20: (Chat, (uint(MAX_SIDES - 1), _NUMBER, text(CHAT_SIZE))),
    21: (People, (array(_PERSON, MAX_SIDES), maybe(uint(MAX_SIDES - 1)), maybe(text(40)), array(rule_value, 64))),
    22: (Offer, (blob(16),)),
    23: (Stake, (blob(16), blob(VALUE))),
    24: (HeaderPart, (uint(15), uint(16, 1), blob_up_to(PART_SIZE))),
    25: (Resume, (_GAME_ID, _NUMBER, _HEAD)),
    26: (RefusedMove, (_NUMBER, member(RefusalCode), text(200))),
    27: (Away, (boolean,)),
    28: (Clocks, (array(_CLOCK, 4),)),
    29: (Again, (uint(MAX_SIDES - 1), boolean)),
    30: (Ask, (_NUMBER,)),
    31: (Have, (_NUMBER, blob_up_to(4000))),
    32: (GiveCode, (uint(99_999, 1), blob(SHARE))),
    33: (CodeAnswer, (blob(SHARE), blob(PROOF))),
    34: (CodeProof, (blob(PROOF),)),
    35: (WordsCommitment, (blob(32),)),
    36: (WordsNonce, (blob(16),)),
    37: (WordsReveal, (blob(16),)),
    38: (Proposal, (_check_proposed_kind, _NUMBER, uint(MAX_SIDES - 1), blob_or_none(SIGNATURE))),
    39: (Vote, (_NUMBER, uint(MAX_SIDES - 1), blob_or_none(SIGNATURE))),
    40: (LookOn, (_GAME_ID, _NUMBER)),
    41: (Give, (maybe(text(NAME)),)),
    42: (Watch, (uint(255), text(NAME))),
    43: (WatchersNow, (array(row(WatcherNow, text(NAME), blob(32), maybe(text(NAME))), MAX_WATCHERS),)),
    44: (Handover, (blob(32),)),
    45: (Doors, (array(row(Door, uint(MAX_SIDES - 1), blob(32), text(ADDRESS_SIZE)), MAX_SIDES),)),
    46: (ShowHand, (blob(32), blob_up_to(MAX_SEALED))),
    48: (NoSeat, ()),
}
_KINDS = {kind: number for number, (kind, _) in _ARRAYS.items()}


def encode_message(message: Message) -> bytes:
    """The bytes of a message as they travel in a frame."""
    if isinstance(message, RecordMessage):
        return bytes((0, message.number & 255)) + message.record
    if isinstance(message, MoveMessage):
        return b"\x01" + message.record
    if isinstance(message, Taken):
        return bytes((3, message.number & 255)) + message.head + message.rest
    if isinstance(message, Quick):
        return bytes((2, message.author << 6 | message.phrase))
    return pack([_KINDS[type(message)], *elements(message)])


def is_of_play(data: bytes) -> bool:
    """True if these bytes can only be a RECORD, MOVE, TAKEN or QUICK, none of which is msgpack."""
    return data[:1] < b"\x80"


def is_goodbye(data: bytes) -> bool:
    """True if these bytes can only be a BYE; only two are read."""
    return data[:2] == b"\x93\x11"


def resumed_game_id(data: bytes) -> bytes | None:
    """The id of the game that a RESUME names; b"" for an OFFER, which begins a new game; None for any other message."""
    if data[:2] not in (b"\x94\x19", b"\x92\x16"):
        return None
    try:
        said = decode_message(data)
    except Refused:
        return None
    return said.game_id if isinstance(said, Resume) else b""


def bye_to_other_version(theirs: int) -> Bye:
    """The BYE for a program that speaks another version of the protocol. theirs: its version."""
    return Bye(ByeCode.OTHER_VERSION, whose_is_older(VERSION, theirs))


def hello_version(data: bytes) -> int | None:
    """The protocol version in a HELLO or WATCH; None for any other message."""
    try:
        said = decode_message(data)
    except Refused:
        return None
    return said.version if isinstance(said, Hello | Watch) else None


def asks_to_watch(data: bytes) -> bool:
    """True if these bytes can only be a WATCH; only two are read."""
    return data[:2] == b"\x93\x2a"


def is_talk(data: bytes) -> bool:
    """True if these bytes can only be a CHAT or QUICK, which a slow line carries after everything else."""
    return data[:2] == b"\x94\x14" or data[:1] == b"\x02"


def compares_words(data: bytes) -> bool:
    """True if these bytes can only be a message about words to compare; only two are read."""
    return data[:1] == b"\x92" and data[1:2] in (b"\x23", b"\x24", b"\x25")


def decode_message(data: bytes) -> Message:
    """The message in these bytes. Raises Refused."""
    if not 0 < len(data) <= MAX_MESSAGE:
        raise Refused(Cause.LENGTH, f"A message cannot have {len(data)} bytes.")
    if data[0] < 0x80:
        return _decode_short(data)
    values = unpack(data)
    build, checks = find_kind(_ARRAYS, values, NO_SUCH_MESSAGE)
    if build is Hello and len(values) > 1 and values[1] != VERSION:  # the rest may look otherwise in another version
        return Hello(uint(255)(values[1]), False, "", "")
    if build is Watch and len(values) > 1 and values[1] != VERSION:
        return Watch(uint(255)(values[1]), "")
    message: Message = build(*match(values[1:], *checks))
    return message


def _decode_short(data: bytes) -> Message:
    """Decode a message that isn't msgpack (RECORD, MOVE, QUICK or TAKEN): its first byte is its kind. Raises
    Refused."""
    kind, size = data[0], len(data)
    if kind == 0 and size > 2:
        return RecordMessage(data[1], data[2:])
    if kind == 1:
        return MoveMessage(data[1:])
    if kind == 2 and size == 2 and data[1] & 63 < len(PHRASES):
        return Quick(data[1] >> 6, data[1] & 63)
    if kind == 3 and size >= 2 + HEAD_SHOWN:
        return Taken(data[1], data[2 : 2 + HEAD_SHOWN], data[2 + HEAD_SHOWN :])
    raise Refused(Cause.SHAPE, _SHORT.get(kind, NO_SUCH_MESSAGE))


_SHORT = {
    0: "A RECORD is its number and the record.",
    2: f"A QUICK is one byte, and names a phrase from 0 to {len(PHRASES) - 1}.",
    3: f"A TAKEN is a number, {HEAD_SHOWN} bytes of a head, and what follows an entry.",
}
"""What becomes of a message that is no msgpack, by its kind, where it is not as it should be."""
