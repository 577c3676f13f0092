"""Records, from the bytes up: frames, signatures and the chain of heads; entries and the faces beside them; the
signed header of a game; what is logged, sent and counted as one. The bytes are those of protocol/records.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar

from p2pcards.cards.card import Card, is_card_byte
from p2pcards.games.outcome import Outcome
from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey, InvalidSignature
from p2pcards.wire.keys import RefusedKey, admit
from p2pcards.wire.packing import (
    Cause,
    Check,
    Kind,
    Refused,
    array,
    blob,
    blob_or_none,
    blob_up_to,
    boolean,
    cards_from,
    elements,
    find_kind,
    flags,
    kept_value,
    match,
    maybe,
    member,
    pack,
    raw_fields,
    row,
    rule_value,
    text,
    uint,
    unpack,
)
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict

# --- frames, signatures and the chain of heads ------------------------------------------------------------------------


SIGNATURE = 64
MAX_FRAME = 4094
HEADER_LABEL = b"p2pcards header 1"
ENTRY_LABEL = b"p2pcards entry 1"
FACES_LABEL = b"p2pcards faces 1"
YES_LABEL = b"p2pcards yes 1"
HEAD_LABEL = b"p2pcards head 1"


@dataclass(frozen=True, slots=True)
class Frame:
    """A signed body. Nothing about it has been checked yet but its length."""

    body: bytes
    signature: bytes

    @property
    def size(self) -> int:
        """The number of bytes that travel."""
        return 2 + len(self.body) + SIGNATURE

    def __bytes__(self) -> bytes:
        """The frame as it travels, length first."""
        size = len(self.body) + SIGNATURE
        return size.to_bytes(2, "big") + self.body + self.signature


def sign(key: Ed25519PrivateKey, label: bytes, context: bytes, body: bytes) -> Frame:
    """Sign a body. context: what the body is bound to, usually a head."""
    return Frame(body, key.sign(label + context + body))


def check_signature(key: bytes, label: bytes, context: bytes, frame: Frame) -> None:
    """Raise Refused unless this key signed the frame in this context."""
    try:
        _admitted(key).verify(frame.signature, label + context + frame.body)
    except (InvalidSignature, RefusedKey) as error:
        raise Refused(Cause.SIGNATURE, "A signature doesn't match.") from error


@lru_cache(maxsize=64)
def _admitted(key: bytes) -> Ed25519PublicKey:
    """The key object behind 32 bytes, cached. Raises RefusedKey."""
    return admit(key)


def next_head(head: bytes, frame: Frame) -> bytes:
    """The head after this frame; head is empty before the header."""
    return sha256(HEAD_LABEL + head + frame.body + frame.signature).digest()


def split_frame(data: bytes, cap: int = MAX_FRAME) -> tuple[Frame, bytes]:
    """The first frame and what follows it. Raises Refused for a length that cannot be."""
    size = int.from_bytes(data[:2], "big")
    if len(data) < 2 or not SIGNATURE < size <= cap:
        raise Refused(Cause.LENGTH, f"A frame cannot have {size} bytes.")
    if len(data) < 2 + size:
        raise Refused(Cause.LENGTH, f"A frame of {size} bytes ends after {len(data) - 2}.")
    body_end = 2 + size - SIGNATURE
    return Frame(data[2:body_end], data[body_end : 2 + size]), data[2 + size :]


# --- entries of the chain, and the faces beside it, to and from their bodies ------------------------------------------


VALUE = 24  # bytes of a chain value
COMMITMENT = 20
SALT = 10


class EntryKind(IntEnum):
    """The first element of a body."""

    ACTION = 0
    COMMIT = 1
    OUTCOME = 2
    DEAL = 3
    TAKEOVER = 4
    RETURN = 5
    OPENING = 6
    CHECK = 7
    CLOSE = 8
    FACES = 9
    PAUSE = 10
    CONTINUE = 11
    UNDO = 12
    REDEAL = 13
    RESTART = 14
    SWAP = 15
    FACE_UP = 16
    ABSENT = 17


CONTINUED_SINCE = 3
"""The version of the protocol in which a game can go on in another log."""
FIRST_VERSION = {kind: 2 for kind in EntryKind if kind >= EntryKind.PAUSE}
"""The version of the protocol that brought an entry, where it was not the first."""


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """An open action of a seat; action and fields as `encode_action` gives them."""

    kind: ClassVar[EntryKind] = EntryKind.ACTION

    base: int
    seat: int
    action: int
    fields: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CommitEntry:
    """A private action of a seat, of which only the class and a commitment are seen."""

    kind: ClassVar[EntryKind] = EntryKind.COMMIT

    base: int
    seat: int
    action: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class OutcomeEntry:
    """What everybody learns of an action; alone, a SHOW event."""

    kind: ClassVar[EntryKind] = EntryKind.OUTCOME

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class DealEntry:
    kind: ClassVar[EntryKind] = EntryKind.DEAL

    base: int
    hand: int
    absent: tuple[int, ...]  # sides without a part in the shuffle
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class TakeoverEntry:
    kind: ClassVar[EntryKind] = EntryKind.TAKEOVER

    base: int
    seat: int
    reason: TakeoverReason


@dataclass(frozen=True, slots=True)
class ReturnEntry:
    kind: ClassVar[EntryKind] = EntryKind.RETURN

    base: int
    seat: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A private action made known."""

    record: int  # number of its COMMIT
    salt: bytes  # b"" if it is the one that the coordinator derived
    action: int
    fields: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class OpeningEntry:
    kind: ClassVar[EntryKind] = EntryKind.OPENING

    base: int
    hand: int
    value: bytes
    openings: tuple[Opened, ...]


@dataclass(frozen=True, slots=True)
class CheckEntry:
    kind: ClassVar[EntryKind] = EntryKind.CHECK

    base: int
    side: int
    hand: int
    verdict: Verdict
    value: bytes  # from the side's hash chain, for the next hand; b"" if it has none to give


@dataclass(frozen=True, slots=True)
class CloseEntry:
    kind: ClassVar[EntryKind] = EntryKind.CLOSE

    base: int
    reason: CloseReason


@dataclass(frozen=True, slots=True)
class PauseEntry:
    """No person is here who could act: nothing is played until the CONTINUE."""

    kind: ClassVar[EntryKind] = EntryKind.PAUSE

    base: int


@dataclass(frozen=True, slots=True)
class ContinueEntry:
    kind: ClassVar[EntryKind] = EntryKind.CONTINUE

    base: int


@dataclass(frozen=True, slots=True)
class Yes:
    """A side agrees to an entry: its signature over the entry without any yes."""

    side: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """The last event of the hand is taken back; alone, all events since the player's own last one."""

    kind: ClassVar[EntryKind] = EntryKind.UNDO

    base: int
    yeses: tuple[Yes, ...] = ()


@dataclass(frozen=True, slots=True)
class RedealEntry:
    """The hand is given up: once it is opened, it is dealt again from new values."""

    kind: ClassVar[EntryKind] = EntryKind.REDEAL

    base: int
    side: int  # the one that asked for it
    yeses: tuple[Yes, ...] = ()


@dataclass(frozen=True, slots=True)
class RestartEntry:
    """The same cards are dealt again."""

    kind: ClassVar[EntryKind] = EntryKind.RESTART

    base: int


@dataclass(frozen=True, slots=True)
class SwapEntry:
    """The person who plays alone and this seat exchange the cards in their hands."""

    kind: ClassVar[EntryKind] = EntryKind.SWAP

    base: int
    seat: int


@dataclass(frozen=True, slots=True)
class FaceUpEntry:
    """The person who plays alone sees everybody's hand from now on, or no longer."""

    kind: ClassVar[EntryKind] = EntryKind.FACE_UP

    base: int
    up: bool


@dataclass(frozen=True, slots=True)
class AbsentEntry:
    """This side gives nothing to the next pack, and those who have given something give other values."""

    kind: ClassVar[EntryKind] = EntryKind.ABSENT

    base: int
    side: int


Move = ActionEntry | CommitEntry
AboutTheTable = TakeoverEntry | ReturnEntry | PauseEntry | ContinueEntry | AbsentEntry
Agreed = UndoEntry | RedealEntry
Learning = RestartEntry | SwapEntry | FaceUpEntry
Entry = Move | OutcomeEntry | DealEntry | AboutTheTable | Agreed | Learning | OpeningEntry | CheckEntry | CloseEntry


def encode_entry(entry: Entry) -> bytes:
    """The body of an entry, in msgpack."""
    return pack([entry.kind, *_entry_elements(entry)])


def agreed_body(entry: Agreed) -> bytes:
    """The body that a yes signs: the entry without any yes."""
    return pack([entry.kind, *_entry_elements(entry)[:-1]])


def decode_entry(body: bytes) -> Entry:
    """The entry in a body. Raises Refused."""
    values = unpack(body)
    build, checks = find_kind(_ENTRIES, values, "There is no entry of this kind.")
    return build(*match(values[1:], *checks))


def encode_faces(faces: tuple[Card, ...]) -> bytes:
    """The body of the faces that one seat is shown beside a record."""
    return pack([EntryKind.FACES, bytes(faces)])


def decode_faces(body: bytes) -> tuple[Card, ...]:
    """The cards in the body of faces. Raises Refused."""
    kind, data = match(unpack(body), uint(255), blob_up_to(255))
    if kind != EntryKind.FACES or not data:
        raise Refused(Cause.SHAPE, "These are not faces.")
    return cards_from(data)


def encode_opening(salt: bytes, action: int, values: tuple[Any, ...]) -> bytes:
    """The opening of one commitment, as it stands in a record."""
    return pack([salt, action, *values])


def decode_opening(data: bytes) -> tuple[bytes, int, tuple[Any, ...]]:
    """(salt, action class number, fields) of the opening of a commitment. Raises Refused."""
    salt, action, values = match(unpack(data), *_OPENED)
    return salt, action, values


def _entry_elements(entry: Entry) -> list[Any]:
    """The elements of a body after its kind."""
    match entry:
        case OutcomeEntry(outcome):
            return _pack_outcome(outcome)
        case DealEntry(base, hand, absent, outcome):
            return [base, hand, bytes(absent), *_pack_outcome(outcome)]
    return elements(entry)


def _pack_outcome(outcome: Outcome) -> list[bytes]:
    """The two byte strings of an outcome: (place, card) pairs and (place, value) pairs."""
    return [
        bytes([byte for pair in outcome.cards for byte in pair]),
        bytes([byte for pair in outcome.values for byte in pair]),
    ]


def _split_pairs(data: bytes) -> list[tuple[int, int]]:
    """The (place, value) pairs in the bytes of an outcome. Raises Refused unless places ascend."""
    pairs = list(zip(data[::2], data[1::2], strict=False))
    places = [place for place, _ in pairs]
    if len(data) % 2 or places != sorted(set(places)):
        raise Refused(Cause.SHAPE, "Pairs of an outcome are out of order.")
    return pairs


def _decode_outcome(cards: bytes, seats: bytes) -> Outcome:
    """The outcome behind its two byte strings. Raises Refused."""
    shown = _split_pairs(cards)
    if not all(is_card_byte(byte) for _, byte in shown):
        raise Refused(Cause.SHAPE, "A byte of an outcome is not a card.")
    return Outcome(tuple([(place, Card(byte)) for place, byte in shown]), tuple(_split_pairs(seats)))


def _check_yeses(value: Any) -> tuple[Yes, ...]:
    """Decode the yeses of an agreed entry. Raises Refused unless they are in order of the sides."""
    yeses = array(row(Yes, _SIDE, blob(SIGNATURE)), 3)(value)
    sides = [yes.side for yes in yeses]
    if sides != sorted(set(sides)):
        raise Refused(Cause.SHAPE, "The sides that agreed are out of order.")
    return yeses


def _build_outcome(cards: bytes, seats: bytes) -> OutcomeEntry:
    """An OUTCOME from its elements. Raises Refused."""
    return OutcomeEntry(_decode_outcome(cards, seats))


def _build_deal(base: int, hand: int, absent: bytes, cards: bytes, seats: bytes) -> DealEntry:
    """A DEAL from its elements. Raises Refused."""
    if list(absent) != sorted(set(absent)):
        raise Refused(Cause.SHAPE, "The absent sides are out of order.")
    return DealEntry(base, hand, tuple(absent), _decode_outcome(cards, seats))


_BASE = uint()
_SEAT = uint(3)
_SIDE = uint(15)
_HAND = uint(low=1)
_ACTION = uint(63)
_OUTCOME = (blob_up_to(510), blob_up_to(510))
_OPENED = (blob_or_none(SALT), _ACTION, raw_fields)

_ENTRIES: dict[int, Kind[Entry]] = {
    ActionEntry.kind: (ActionEntry, (_BASE, _SEAT, _ACTION, raw_fields)),
    CommitEntry.kind: (CommitEntry, (_BASE, _SEAT, _ACTION, blob(COMMITMENT))),
    OutcomeEntry.kind: (_build_outcome, _OUTCOME),
    DealEntry.kind: (_build_deal, (_BASE, _HAND, blob_up_to(3), *_OUTCOME)),
    TakeoverEntry.kind: (TakeoverEntry, (_BASE, _SEAT, member(TakeoverReason))),
    ReturnEntry.kind: (ReturnEntry, (_BASE, _SEAT)),
    OpeningEntry.kind: (OpeningEntry, (_BASE, _HAND, blob(VALUE), array(row(Opened, _BASE, *_OPENED), 64))),
    CheckEntry.kind: (CheckEntry, (_BASE, _SIDE, uint(), member(Verdict), blob_or_none(VALUE))),
    CloseEntry.kind: (CloseEntry, (_BASE, member(CloseReason))),
    PauseEntry.kind: (PauseEntry, (_BASE,)),
    ContinueEntry.kind: (ContinueEntry, (_BASE,)),
    UndoEntry.kind: (UndoEntry, (_BASE, _check_yeses)),
    RedealEntry.kind: (RedealEntry, (_BASE, _SIDE, _check_yeses)),
    RestartEntry.kind: (RestartEntry, (_BASE,)),
    SwapEntry.kind: (SwapEntry, (_BASE, _SEAT)),
    FaceUpEntry.kind: (FaceUpEntry, (_BASE, boolean)),
    AbsentEntry.kind: (AbsentEntry, (_BASE, _SIDE)),
}


# --- the signed header of a game --------------------------------------------------------------------------------------


VERSION = 3
DRAFTS = (2, 3)
"""The versions that no release speaks: protocol/versions.md."""
READ = (1, 2, VERSION)
"""The versions whose headers are read: games of a released version are verified, and go on, for good; those of a draft
by the rules that it had last."""
NAME = 24  # characters of a person's name
MAX_SIDES = 4
LEAST_SEATS = 2
EDITIONS = 65535


@dataclass(frozen=True, slots=True)
class Side:
    """A person with an identity at the table."""

    key: bytes
    name: str
    character: str
    end: bytes  # of the side's hash chain


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Who plays a seat."""

    side: int | None  # None for a computer player of the coordinator's
    character: str  # plays the seat while the side is away; without a side, always
    level: str  # of the character
    edition: int = 1  # of the level in this game


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
    """The first record of a game."""

    game: str
    options: tuple[bool | int | str, ...]  # in declared order
    sides: tuple[Side, ...]
    seats: tuple[SeatEntry, ...]
    grace: int  # seconds that a player may be away before a character takes over the seat
    turn_clock: int  # seconds; 0 for no turn clock
    previous: bytes  # the last head of the game before; b"" if there was none
    first_dealer: int | None  # None if a card drawn from the pack decides
    nonce: bytes
    assists: Assist = NO_ASSISTS  # those allowed where people play with each other
    deal: int | None = None  # number of a numbered deal; None if the sides shuffle
    between_hands: int = 0  # seconds for looking at a hand that is over; 0 for none
    # what the game whose last head is `previous` keeps from hand to hand, where this one continues it; else None
    continues: tuple[Any, ...] | None = None
    # where another host goes on with a game: the keys of those of whom more than half make its hands count; () for a
    # game that counts for nobody; else None
    quorum: tuple[bytes, ...] | None = None
    version: int = VERSION  # of the protocol when the game began; the game keeps its rules

    def seat_of(self, side: int) -> int | None:
        """The seat of a side, None if it has none."""
        for seat, entry in enumerate(self.seats):
            if entry.side == side:
                return seat
        return None

    def side_of(self, key: bytes) -> int | None:
        """The side with this public key, None if there is none."""
        return next((number for number, side in enumerate(self.sides) if side.key == key), None)


def encode_header(header: Header) -> bytes:
    """The body of a header."""
    first = header.version == 1
    may_follow: list[Any] = [header.between_hands] if header.between_hands else []
    if header.continues is not None or header.quorum is not None:
        may_follow = [header.between_hands or None, header.continues]
    if header.quorum is not None:
        may_follow.append(header.quorum)
    of_version_2 = [] if first else [int(header.assists), header.deal, *may_follow]
    return pack(
        [
            "p2pcards",
            header.version,
            header.game,
            header.options,
            header.sides,
            [elements(seat)[: 3 if first else 4] for seat in header.seats],
            header.grace,
            header.turn_clock,
            header.previous,
            header.first_dealer,
            header.nonce,
            *of_version_2,
        ]
    )


def _header_fields(version: int) -> tuple[Check[Any], ...]:
    """The checks for the fields of a header of this version, after magic and version."""
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


_FIELDS = {version: _header_fields(version) for version in READ}
_BETWEEN_HANDS = uint(3600, 1)
_CONTINUES = array(kept_value, 16)
_QUORUM = array(blob(32), MAX_SIDES)


def _between_hands_or_nil(value: Any) -> int:
    """Check the seconds between hands in a header where another field follows; nil for 0. Raises Refused."""
    return 0 if value is None else _BETWEEN_HANDS(value)


_MAY_FOLLOW: tuple[tuple[Check[Any], ...], ...] = (
    (),
    (_BETWEEN_HANDS,),
    (_between_hands_or_nil, _CONTINUES),
    (_between_hands_or_nil, maybe(_CONTINUES), _QUORUM),
)
"""The fields that may follow, by how many there are."""
_MOST_TO_FOLLOW = {1: 0, 2: 1, 3: 3}
"""How many may follow, by version."""


def version_of(frame: Frame) -> int:
    """The protocol version in a header's frame; 0 if the frame is no header of p2pcards. Raises Refused."""
    magic, version = match(unpack(frame.body)[:2], text(8), uint(255))
    return int(version) if magic == "p2pcards" else 0


def decode_header(frame: Frame) -> Header:
    """The header of a frame that the coordinator named in it has signed. Raises Refused."""
    body = unpack(frame.body)
    version = version_of(frame)
    if version not in READ:
        raise Refused(Cause.SHAPE, f"This is not a header of p2pcards, version {' or '.join(map(str, READ))}.")
    known = _FIELDS[version]
    more = min(max(len(body) - 2 - len(known), 0), _MOST_TO_FOLLOW[version])
    fields = match(body[2:], *known, *_MAY_FOLLOW[more])
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


def abridge_header(frame: Frame, key: bytes) -> Frame:
    """A new header as it is sent to the side with this key: fields which that side knows already are nil. The signature
    is that of the whole header."""
    body = unpack(frame.body)
    for number, side in enumerate(body[SIDES]):
        mine = side[KEY] == key
        side[KEY] = None if mine or number == 0 else side[KEY]
        side[END] = None if mine else side[END]
    body[NONCE] = None
    return Frame(pack(body), frame.signature)


def complete_header(frame: Frame, known: Staked) -> Frame:
    """Undo `abridge_header`: the whole header, not yet checked. A frame that is whole already, or no header, is
    returned unchanged. Raises Refused."""
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
    """Raise Refused for a header whose seats and sides don't go together."""
    seated: list[Any] = [seat.side for seat in header.seats if seat.side is not None]
    keys = {side.key for side in header.sides}
    if not header.sides or len(keys) != len(header.sides):
        raise Refused(Cause.SHAPE, "The sides of the header aren't all different people.")
    if (
        len(header.seats) < LEAST_SEATS
        or len(seated) != len(set(seated))
        or any(side >= len(header.sides) for side in seated)
    ):
        raise Refused(Cause.SHAPE, "The seats of the header don't match its sides.")
    if header.first_dealer is not None and header.first_dealer >= len(header.seats):
        raise Refused(Cause.SHAPE, "The first dealer of the header has no seat.")
    if header.continues is not None and (not header.previous or header.first_dealer is not None):
        raise Refused(Cause.SHAPE, "A header that continues a game names its head, and no first dealer.")
    if header.quorum is not None and (not header.previous or len(set(header.quorum)) != len(header.quorum)):
        raise Refused(Cause.SHAPE, "A header with a quorum names the head before it, and nobody twice.")
    if header.deal is not None and len(header.sides) > 1:
        raise Refused(Cause.SHAPE, "Only a game played alone can have a numbered deal.")


# --- records ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    frames: tuple[Frame, ...]  # the entry, and the outcome of an action that has one
    faces: Frame | None = None  # the recipient's; None if there are none
    opening: bytes = b""  # of a private action by the recipient's own seat, as `encode_opening` makes it; otherwise b""

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
    """The kind of the first entry of a record, read from one byte; -1 if the record is too short."""
    return data[3] if len(data) > 3 else -1


def _check_order(entries: tuple[Entry, ...], has_faces: bool, has_opening: bool) -> None:
    """Raise Refused unless these entries, faces and opening may stand together in one record."""
    if not 1 <= len(entries) <= 2:
        raise Refused(Cause.SHAPE, "A record has one entry, or an action and its outcome.")
    is_move = isinstance(entries[0], ActionEntry | CommitEntry)
    if len(entries) == 2 and not (is_move and isinstance(entries[1], OutcomeEntry) and entries[1].outcome):
        raise Refused(Cause.SHAPE, "Only an action is followed by an outcome.")
    if has_faces and not isinstance(entries[0], ActionEntry | CommitEntry | OutcomeEntry | DealEntry):
        raise Refused(Cause.SHAPE, "Only an event of the game has faces.")
    if has_opening and not isinstance(entries[0], CommitEntry):
        raise Refused(Cause.SHAPE, "Only a private action has an opening.")
