"""Where the records of a game go: to each listener as they may see it, and to logs that lack some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto

from p2pcards.ledger.fair import commitment, derived_salt
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import Effect, Remember, Send, Tell
from p2pcards.session.guests import Guest
from p2pcards.views.standpoint import Cast, tell_entry
from p2pcards.wire.messages import PART_SIZE, HeaderPart, LookOn, Resume
from p2pcards.wire.packing import encode_action
from p2pcards.wire.records import CheckEntry, CommitEntry, Frame, Record, abridge_header, encode_opening, read_record

NO_HEAD = bytes(32)


class Standing(Enum):
    """Of a listener's log."""

    EMPTY = auto()  # not even the header
    BEHIND = auto()  # or level
    AHEAD = auto()
    OTHER = auto()  # it tells another history


def compare_logs(writer: LedgerWriter, said: Resume) -> Standing:
    """Judge a listener's log beside ours: complete, behind, ahead or forked. said: the listener's RESUME for this
    game."""
    count = writer.position.count
    if said.count > count:
        return Standing.AHEAD
    if said.count == 0 and said.head == NO_HEAD:
        return Standing.EMPTY
    return Standing.BEHIND if writer.head_at(said.count) == said.head else Standing.OTHER


def with_opening(writer: LedgerWriter, moves: Iterable[bytes], data: bytes) -> bytes | None:
    """A record from a listener's log as the coordinator's log would hold it, with its opening; None if that is not
    known. moves: waiting moves, with their openings."""
    record, entries = read_record(data)
    entry = entries[0]
    if not isinstance(entry, CommitEntry) or record.opening:
        return bytes(Record(record.frames, None, record.opening))
    for move in moves:
        waiting, _ = read_record(move)
        if waiting.frames == record.frames[:1]:
            return bytes(Record(record.frames, None, waiting.opening))
    game, view = writer.position.game, writer.position.views[entry.seat]
    salt = derived_salt(writer.hand_value(), entry.seat, entry.base)
    for action in game.legal(view, entry.seat):
        number, fields = encode_action(game, action)
        if commitment(salt, number, fields) == entry.commitment:
            return bytes(Record(record.frames, None, encode_opening(salt, number, fields)))
    return None


class LogsAhead:
    """The listeners whose logs go further than that of a restored coordinator, by side, and how far."""

    def __init__(self) -> None:
        self._ahead: dict[int, int] = {}
        self._told: dict[bytes, int] = {}  # by key how many records each listener was told that there are
        self._last_request = -1  # the record from which they were asked last
        self._lacked = -1  # the record that was found to lack its opening last

    def tell(self, key: bytes, count: int) -> None:
        """Note that a listener was told how many records are here, and asked how far their log goes."""
        self._told[key] = count

    def waits(self, key: bytes, count: int) -> bool:
        """True if a listener who has so many records waits to be asked again, as they took ours for a shorter log."""
        return self._told.get(key, count) < count

    def note(self, side: int, count: int) -> None:
        """Note that this side has so many records, more than we."""
        self._ahead[side] = count

    def of(self, side: int) -> int:
        """The number of records this side has; 0 if it is not ahead."""
        return self._ahead.get(side, 0)

    def caught_up(self, side: int) -> None:
        """Note that this side is ahead no longer."""
        self._ahead.pop(side, None)

    def reached(self, count: int) -> list[int]:
        """The sides that are ahead no longer, now that we have `count` records."""
        reached = [side for side, known in self._ahead.items() if known <= count]
        for side in reached:
            del self._ahead[side]
        return reached

    def may_ask(self, count: int) -> bool:
        """True if nobody was asked for this record yet."""
        return self._last_request != count

    def lacks(self, count: int) -> bool:
        """Note that nobody here has the opening of this record; True if that is news."""
        before, self._lacked = self._lacked, count
        return before != count

    def ask(self, count: int) -> list[int]:
        """The sides with more than `count` records, whom to ask for the rest; noted as asked."""
        self._last_request = count
        return [side for side, known in self._ahead.items() if known > count]


# --- new records ------------------------------------------------------------------------------------------------------


class Feed:
    """guests: the listeners of the game by side. untold: the side that made the record which was sent to the others
    last, and the record, until that side and the person at this end have it too."""

    def __init__(self, writer: LedgerWriter, guests: Mapping[int, Guest], cast: Cast) -> None:
        self.untold: tuple[int, Logged] | None = None
        self._writer = writer
        self._guests = guests
        self._cast = cast
        self._onlookers: list[Guest] = []

    def publish(self, logged: Logged) -> list[Effect]:
        """Send a record of the coordinator to everybody, remembered first."""
        return self._send_to_all(logged) + self._happenings_of(logged)

    def relay(self, logged: Logged, mover: int) -> list[Effect]:
        """Send a listener's record to the others. What follows from it waits for `catch_up_mover`."""
        self.untold = mover, logged
        return self._send_to_all(logged, mover)

    def forget_untold(self) -> None:
        """Forget the record that waits for `catch_up_mover`."""
        self.untold = None

    def catch_up_mover(self) -> list[Effect]:
        """Answer the mover, and tell the person here, now that the others have the record."""
        untold = self.untold
        self.forget_untold()
        if untold is None:
            return []
        mover, logged = untold
        return self._answer(mover, logged) + self._happenings_of(logged)

    def new_header(self, side: int) -> list[Effect]:
        """Send a new header to a listener who has just staked, without what they know."""
        key = self._writer.position.header.sides[side].key
        return self._send_in_parts(self._guests[side], abridge_header(self._writer.frame, key))

    def header(self, guest: Guest) -> list[Effect]:
        """Send a guest the whole header."""
        return self._send_in_parts(guest, self._writer.frame)

    def _send_in_parts(self, guest: Guest, whole: Frame) -> list[Effect]:
        """Send a header in parts."""
        return [effect for part in header_parts(whole) for effect in guest.send(part)]

    def records_from(self, count: int, side: int) -> list[Effect]:
        """Send a side all records from number `count` on."""
        return records_from(self._writer, count, self._guests[side], side)

    def look_on(self, guest: Guest) -> list[Effect]:
        """Send a watcher the header and all records so far; each new one follows."""
        self._onlookers = [*[one for one in self._onlookers if one.looks_on and one is not guest], guest]
        position = self._writer.position
        effects = guest.send(LookOn(position.game_id, position.count)) + self.header(guest)
        return effects + [effect for logged in self._writer.log for effect in _send_to_onlookers([guest], logged)]

    def receivers(self) -> list[Guest]:
        """Everybody who has all records, watchers included."""
        return [guest for guest in (*self._guests.values(), *self._onlookers) if guest.complete or guest.looks_on]

    def _send_to_all(self, logged: Logged, mover: int = 0) -> list[Effect]:
        """Remember a record, then send it to everybody but the mover."""
        others = [side for side in self._guests if side != mover]
        return [
            Remember(RECORD + bytes(logged.record)),
            *[effect for side in others for effect in self._send(side, logged)],
            *_send_to_onlookers(self._onlookers, logged),
        ]

    def _send(self, side: int, logged: Logged) -> list[Effect]:
        """Send a record to one side, unless it is the side's own check."""
        guest, entry = self._guests[side], logged.entries[0]
        if isinstance(entry, CheckEntry) and entry.side == side:
            return []  # they know it, and where it stands by the number of what comes next
        return [Send(guest.link.peer, logged.message_for(side))] if guest.complete and guest.link else []

    def _answer(self, mover: int, logged: Logged) -> list[Effect]:
        """Tell the mover that their move is logged."""
        guest = self._guests[mover]
        if isinstance(logged.entries[0], CheckEntry) or not guest.complete or guest.link is None:
            return []
        return [Send(guest.link.peer, logged.answer_for(mover))]

    def _happenings_of(self, logged: Logged) -> list[Effect]:
        """What the person at this end is told of a record."""
        return [Tell(happening) for happening in tell_entry(logged.before, logged.after, logged.entries[0], self._cast)]


def header_parts(whole: Frame) -> list[HeaderPart]:
    """A header in parts of at most PART_SIZE bytes."""
    frame = bytes(whole)
    pieces = [frame[i : i + PART_SIZE] for i in range(0, len(frame), PART_SIZE)]
    return [HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]


def records_from(writer: LedgerWriter, count: int, guest: Guest, side: int) -> list[Effect]:
    """Send a listener all records of a game from number `count` on."""
    return [Send(guest.link.peer, one.message_for(side)) for one in writer.log[count:] if guest.link]


def _send_to_onlookers(onlookers: list[Guest], logged: Logged) -> list[Effect]:
    """Send the public form of a record to those who watch."""
    links = [one.link for one in onlookers if one.looks_on and one.link]
    return [Send(link.peer, logged.message_for(None)) for link in links]
