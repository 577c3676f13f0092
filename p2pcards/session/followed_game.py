"""The game that is on at a listener: its header, which comes in parts; its records as they come; games of before that
lack their end; and a game at which the listener looks on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action, Seat
from p2pcards.games.spelling import spell
from p2pcards.ledger.advance import advance, deciders
from p2pcards.ledger.follower import LedgerFollower, Received
from p2pcards.ledger.payloads import CHECKED, PENDING, RECORD, LeftOut, PlaysOn, header_frame, note_payload
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.effects import CommandError, Effect, PeerId, Remember, Tell, Think
from p2pcards.session.feed import Standing, records_from, standing
from p2pcards.session.game_clocks import NO_PAUSE, Pause
from p2pcards.session.guests import Guest
from p2pcards.session.own_seat import Deputy, owed_seat
from p2pcards.session.presence import CoordinatorLink, Presence, PresenceStep
from p2pcards.views.happenings import ActionOutdated, ActionRefused, ShuffledAnew
from p2pcards.views.standpoint import Cast, tell, tell_looking_on
from p2pcards.wire.messages import (
    Ask,
    ClockState,
    Have,
    HeaderPart,
    LookOn,
    MoveMessage,
    Proposal,
    RecordMessage,
    RefusedMove,
    Resume,
    Taken,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import (
    MAX_FRAME,
    SALT,
    VERSION,
    AbsentEntry,
    CheckEntry,
    Frame,
    Header,
    Move,
    Record,
    ReturnEntry,
    TakeoverEntry,
    read_record,
)

# --- the header of a new game, which comes in parts -------------------------------------------------------------------


NEW_GAMES = VERSION
"""The version of a game that begins: an older one goes on where its log is, and nowhere else."""


def check_version(header: Header) -> None:
    """Raises Refused for a header of a game of which there is no log here, and which is of an older version."""
    if header.version < NEW_GAMES:
        raise Refused(Cause.RULES, f"A game of version {header.version} can only continue from its log.")


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
        return header_frame(self._data)


# --- games of before, of which a listener lacks the end ---------------------------------------------------------------


class PastGames:
    """Those that were asked for since a game was offered last: one for each listener, so that nobody has log after log
    read."""

    def __init__(self) -> None:
        self._asked: dict[bytes, LedgerWriter | None] = {}

    def asked(self, key: bytes) -> bool:
        """Whether the listener with this key has asked for one."""
        return key in self._asked

    def know(self, key: bytes, game: LedgerWriter | None) -> None:
        """The game that they have asked for, as its log tells it; None where there is none of theirs."""
        self._asked[key] = game

    def forget(self) -> None:
        self._asked.clear()

    def missing(self, guest: Guest, said: Resume) -> list[Effect]:
        """The records that follow those of the listener, where their log is the beginning of ours."""
        writer = self._asked.get(guest.key)
        side = writer.position.header.side_of(guest.key) if writer else None
        if writer is None or side is None or writer.position.game_id != said.game_id:
            return []
        return records_from(writer, said.count, guest, side) if standing(writer, said) is Standing.BEHIND else []


# --- the game that is on at a listener --------------------------------------------------------------------------------


ASKED_FIRST = "The cards were reshuffled. Type 'accept' to play on, or 'leave'."
MORE_THAN_ANY = 1 << 32
"""Records: no log has so many."""


HASTE = 30.0
"""Seconds by which a turn may be shorter at a listener than at its coordinator, who heard of it first."""


class Attention:
    """What a listener knows by its own link of the coordinator's reasons to take its seat over. asked, begun: whether
    this program would know that it has asked for that."""

    def __init__(self, begins: bool) -> None:
        self._seen = begins  # the coordinator knows that this side is here, on this link
        self._may_have_asked = not begins
        self._turn_began: float | None = None  # None where there is no turn, or its beginning was not seen

    def see(self) -> None:
        self._seen = True

    def lose(self) -> None:
        """The coordinator may think that this side is away, until they show otherwise."""
        self._seen = False
        self.forget_turn()

    def forget_turn(self) -> None:
        self._turn_began = None

    def ask(self) -> None:
        self._may_have_asked = True

    def mark(self, received: Received, seat: Seat, now: float) -> None:
        """The turn as the coordinator's clock has it: it begins anew with a move alone."""
        before, after, entry = received.before, received.after, received.entries[0]
        if not _owes(after, seat) or (isinstance(entry, ReturnEntry) and entry.seat == seat):
            self._turn_began = None
        elif not _owes(before, seat) or (isinstance(entry, Move) and not (before.simultaneous and after.simultaneous)):
            self._turn_began = now

    def untrue_reason(self, received: Received, seat: Seat, now: float) -> TakeoverReason | None:
        entry = received.entries[0]
        if not self._seen or not isinstance(entry, TakeoverEntry) or entry.seat != seat:
            return None
        untrue = {
            TakeoverReason.LINE_LOST: True,
            TakeoverReason.LEFT: True,
            TakeoverReason.ASKED_FOR: not self._may_have_asked,
            TakeoverReason.CLOCK_RAN_OUT: self._has_time(received.before, seat, now),
        }
        return entry.reason if untrue[entry.reason] else None

    def _has_time(self, position: Position, seat: Seat, now: float) -> bool:
        clock = position.header.turn_clock
        if not clock or not _owes(position, seat):
            return True
        return self._turn_began is not None and now - self._turn_began < clock - min(HASTE, clock / 2)


def _owes(position: Position, seat: Seat) -> bool:
    return position.phase is Phase.PLAY and seat in position.state.to_act


class FollowedGame:
    """deputy: who plays my seat where I do not. turn_began: since when an action is owed here, or None."""

    def __init__(
        self,
        follower: LedgerFollower,
        link: CoordinatorLink,
        cast: Cast,
        deputy: Deputy,
        entropy: Callable[[int], bytes],
        met: Callable[[bytes], str],
        begins: bool = False,
    ) -> None:
        """met: as `Me` has it. begins: on this very link, with nobody played yet."""
        self._met = met
        self._attention = Attention(begins)
        self.follower = follower
        self.turn_began: float | None = None
        self._link = link
        self._cast = cast
        self._deputy = deputy
        self._entropy = entropy
        self._awaited = 0  # records that the coordinator had when it asked how far this log goes
        self._thinking: Think | None = None  # what my computer player was asked, and has not answered
        self._proposal: Proposal | None = None  # the last one, mine or another's
        self._untold: list[Received] = []  # records that are kept, of which nothing has been told yet
        self._pause = Pause(alone=False)
        self._checked: tuple[PeerId | None, int] = (None, 0)  # the link on which a check went out last, and its base

    @property
    def position(self) -> Position:
        return self.follower.position

    @property
    def _catching_up(self) -> bool:
        return self._link.presence is Presence.CATCHING_UP

    def propose(self, said: Proposal | None) -> None:
        """This is proposed now, by me or by another side; None: no answer of mine is awaited any more."""
        self._proposal = said

    @property
    def to_answer(self) -> Proposal | None:
        """What another side proposes, and I have yet to say yes or no to; it is over once anything is logged."""
        said, position = self._proposal, self.position
        if said is None or said.base != position.count or said.side == position.side:
            return None
        return said if position.side in deciders(position) else None

    # --- catching up --------------------------------------------------------------------------------------------------

    def resume(self, count: int, now: float) -> list[Effect]:
        """The coordinator, who has so many records, asks how far this log goes."""
        position, self._thinking = self.position, None
        self._attention.lose()
        effects = [*self._ask(), *self._link.send(Resume(position.game_id, position.count, position.head))]
        return effects + self.await_records(count, now)

    def ask_for_end(self, now: float) -> list[Effect]:
        """Whatever follows my records, however much: another game is about to begin, and nothing is due in this one."""
        return self.resume(MORE_THAN_ANY, now)

    def await_records(self, count: int, now: float) -> list[Effect]:
        """Nothing is due until both have as many: a coordinator who has so many, and fewer than are here, asks for the
        others, and then how far this log goes once more."""
        self._awaited = MORE_THAN_ANY if count < self.position.count else count
        self._link.step(PresenceStep.RESUME)
        return [] if self.position.count < self._awaited else self._complete(now)

    def _complete(self, now: float) -> list[Effect]:
        """Every record is here again: a move that was signed but is not among them goes out once more."""
        self._awaited = 0
        self._attention.forget_turn()
        self._link.step(PresenceStep.COMPLETE)
        self.turn_began = now if self.follower.owes_move() else None
        return self._send_again() or self.what_is_due()

    def give_records(self, said: Ask) -> list[Effect]:
        """The coordinator was restored from an older log. Raises Refused."""
        if said.first > self.position.count:
            raise Refused(Cause.HISTORY, "This side doesn't have those records.")
        records = self.follower.records[said.first :]
        return [
            effect
            for number, record in enumerate(records, said.first)
            for effect in self._link.send(Have(number, bytes(Record(record.frames, None, record.opening))))
        ]

    # --- records ------------------------------------------------------------------------------------------------------

    def receive_record(self, said: RecordMessage) -> list[Effect]:
        """A record. What follows from it waits for `after_effects`, so that it is written first. Raises Refused."""
        position = self.position
        ahead = (said.number - position.count) & 255
        if ahead == 0:
            self._untold = [self.follower.receive_record(said.record)]
        elif ahead == 1 and self._has_sent_check:  # mine stands before it, never sent back
            self._untold = self.follower.take_after_check(said.record)
        elif ahead > 128:
            return []  # a repeated record
        else:
            self._attention.lose()
            return self._link.send(Resume(position.game_id, position.count, position.head))
        if len(self._untold) > 1:
            self._attention.see()
        return [Remember(RECORD + bytes(received.record)) for received in self._untold]

    def take_answer(self, said: Taken) -> list[Effect]:
        """My move is in the log. Where that is not the move which is on its way, its record is asked for. Raises
        Refused."""
        position = self.position
        ahead = (said.number - position.count) & 255
        if ahead > 128:
            return []  # a repeated record
        received = self.follower.take_own(said.head, said.rest) if ahead == 0 else None
        if received is None:
            self._attention.lose()
            return self._link.send(Resume(position.game_id, position.count, position.head))
        self._untold = [received]
        self._attention.see()
        return [Remember(RECORD + bytes(received.record))]

    def left_out(self) -> LeftOut | None:
        """Whether the record that was taken last calls me absent, though my check is signed."""
        last = self._untold[-1] if self._untold else None
        if last is None or last.before.count != self.follower.unanswered:
            return None
        return LeftOut(last.before.count, here=self._checked == (self._link.peer, last.before.open_base))

    def note_clocks(self, states: Sequence[ClockState]) -> None:
        """The coordinator says of each seat who plays it."""
        seat = self.position.seat
        if seat is not None and seat < len(states) and states[seat] is ClockState.HERE:
            self._attention.see()

    def note_away(self) -> None:
        """I ask for my character to play."""
        self._attention.ask()

    def taken_over_untruly(self, now: float) -> TakeoverReason | None:
        """The reason for which the record that was taken last takes my seat over, where that is not so."""
        last = self._untold[-1] if self._untold else None
        if last is None or self._catching_up or self.position.seat is None:
            return None
        return self._attention.untrue_reason(last, self.position.seat, now)

    @property
    def has_untold(self) -> bool:
        return bool(self._untold)

    def forget_untold(self) -> None:
        self._untold = []

    def after_effects(self, now: float) -> list[Effect]:
        """What follows from the records that were taken last, once they are written."""
        untold = self._untold
        self.forget_untold()
        stories = [tell(one.before, one.after, one.entries[0], self._cast) for one in untold]
        effects: list[Effect] = [Tell(happening) for story in stories for happening in story]
        effects += self._ask() if self.follower.asks_about in [one.before.count for one in untold] else []
        effects += self._after_record(untold[-1], now)
        self.position.precompute()
        return effects

    def _after_record(self, received: Received, now: float) -> list[Effect]:
        """The duties that a new record brings this side."""
        self._pause.mark(received.before, received.after, now)
        if received.after.seat is not None:
            self._attention.mark(received, received.after.seat, now)
        still_choosing = received.after.simultaneous and self.turn_began is not None
        if not self.follower.owes_move():
            self.turn_began = None
        elif not still_choosing:
            self.turn_began = now
        self._thinking = None
        if self._catching_up:
            return self._complete(now) if received.after.count >= self._awaited else []
        called_again = received.before.open_base != received.after.open_base  # as a side has dropped out
        if isinstance(received.entries[0], CheckEntry) and not called_again:
            return []
        returned = isinstance(received.entries[0], ReturnEntry)
        return (self._send_again() if returned else []) or self.what_is_due()

    def _send_again(self) -> list[Effect]:
        """The move that I have signed, if it can still be taken: what was on its way when my seat was taken over."""
        pending = self.follower.pending
        if pending is None or not self.follower.is_current():
            return []
        return self._link.send(MoveMessage(bytes(pending.record)))

    # --- what my player is asked before this side signs anything ------------------------------------------------------

    @property
    def asks(self) -> bool:
        """Whether somebody has dropped out of a shuffle, or I had no part in it, and my player has yet to agree."""
        open_question = self.follower.asks_about is not None and not self._deputy.is_left_alone
        return open_question and self.position.phase is not Phase.CLOSED

    def _ask(self) -> list[Effect]:
        follower, position = self.follower, self.position
        if not self.asks or follower.asks_about is None:
            return []
        _, (entry, *_) = read_record(bytes(follower.records[follower.asks_about]))
        side = entry.side if isinstance(entry, AbsentEntry | CheckEntry) else position.side
        name = "" if side == position.side else position.names[side]
        met = self._met(position.header.sides[side].key)
        return [Tell(ShuffledAnew(name, position.names[0], met, follower.dropped[side]))]

    def agree(self) -> list[Effect]:
        """My player plays on."""
        assert self.follower.asks_about is not None
        note = PlaysOn(self.follower.asks_about)
        self.follower.remember_note(note)
        here = self._link.peer is not None and not self._catching_up
        return [Remember(note_payload(note)), *(self.what_is_due() if here else [])]

    # --- what this side owes ------------------------------------------------------------------------------------------

    def what_is_due(self) -> list[Effect]:
        """My check, or my computer's move."""
        follower = self.follower
        if follower.owes_check():
            return self._sign_check()
        pending = follower.pending
        if pending is None or follower.is_current() or not follower.owes_move() or self.asks:
            return self._think()
        if follower.still_meant():  # a move on an old base is never taken, so this one cannot come twice
            return self.play(pending.action)
        follower.give_up_pending()
        return [Tell(ActionOutdated(spell(pending.action))), *self._think()]

    def _sign_check(self) -> list[Effect]:
        """It is kept as soon as it is due, so that nobody can say that there was none, and sent when my player is done
        with the hand."""
        if self._link.peer is None or self.holds_check:
            return []
        check = bytes(self.follower.check())
        self._checked = self._link.peer, self.position.open_base
        kept: list[Effect] = [Remember(CHECKED + check)] if self.follower.keep_check(check) else []
        return kept if self._looking else [*kept, *self._link.send(MoveMessage(check))]

    @property
    def _has_sent_check(self) -> bool:
        """Whether my check is on its way, and not in the log yet."""
        return self.follower.owes_check() and not (self._looking or self.holds_check)

    @property
    def holds_check(self) -> bool:
        """Whether my agreement to this game waits for my player to come to the table, or my part of a pack for their
        word: nothing is dealt before."""
        follower = self.follower
        if not follower.owes_check():
            return False
        agrees = not follower.has_checked and self.position.seat is not None
        return self.asks or (agrees and not self._deputy.plays)

    # --- between two hands --------------------------------------------------------------------------------------------

    @property
    def _looking(self) -> bool:
        """Whether my player looks at the hand that is over."""
        return self._pause.lasts(self.position, self._deputy.auto)

    def pause_left(self, now: float) -> int | None:
        """As `Pause.left` has it."""
        return self._pause.left(self.position, self._deputy.auto, now)

    def next_hand(self) -> list[Effect]:
        """My player is done with it. Raises CommandError."""
        if not self._looking:
            raise CommandError(NO_PAUSE)
        self._pause.end_look()
        return self.what_is_due()

    def tick(self, now: float) -> list[Effect]:
        return self.what_is_due() if self._pause.tick(now) else []

    def next_time(self) -> float | None:
        """When to call `tick`."""
        return self._pause.next_time()

    def _think(self) -> list[Effect]:
        follower, position = self.follower, self.position
        level = self._deputy.level(position)
        if level is None or follower.pending or not follower.owes_move() or self.asks:
            return []
        if self._thinking is not None or position.seat is None:
            return []
        seed = int.from_bytes(self._entropy(8), "big")
        self._thinking = Think(position.seat, position.game, position.state, level, seed, repeatable=False)
        return [*self._deputy.note(position), self._thinking]

    def decide_anew(self) -> list[Effect]:
        """Who plays my seat has changed."""
        self._thinking = None
        return self.what_is_due() if self.follower.owes_check() else self._think()

    def awaits(self, think: Think) -> bool:
        return think is self._thinking

    def thought(self, think: Think, action: Action) -> list[Effect]:
        """My computer player's decision; dropped if the table has moved on meanwhile."""
        if not self.awaits(think):
            return []
        self._thinking = None
        return [] if self.follower.pending else self.play(action)

    def turn(self) -> int:
        """My seat, in which I may act now. Raises CommandError."""
        seat = owed_seat(self.position)
        if self.asks:
            raise CommandError(ASKED_FIRST)
        if self.follower.pending is not None:
            raise CommandError("You already played. Waiting for the host to confirm.")
        return seat

    def play(self, action: Action) -> list[Effect]:
        """Sign an action of my seat, remember it, send it."""
        record = bytes(self.follower.move(action, self._entropy(SALT)))
        return [Remember(PENDING + record), *self._link.send(MoveMessage(record))]

    def refused(self, said: RefusedMove, why: str) -> list[Effect]:
        """My move was not taken. Where it builds on a decision that is still due, it stays the only one: a coordinator
        who had two of mine could take the one that suits them. why: the text of the message, safe to show."""
        follower, pending = self.follower, self.follower.pending
        if pending is None or pending.entry.base != said.base:
            return []
        if not follower.is_current():
            return self.what_is_due()
        return [Tell(ActionRefused(spell(pending.action), why))]


# --- the game that is on at a table where the listener here has no side in it -----------------------------------------


class LookedOnGame:
    """awaited: how many records were made before the listener came, of which nothing is told one by one. names: of the
    sides, as they are shown here."""

    def __init__(self, said: LookOn, frame: Frame, header: Header, cast: Cast, names: tuple[str, ...]) -> None:
        """Raises Refused unless this is the header of the game that was announced."""
        self._position = begin(frame, header, len(header.sides), b"").changed(names=names)
        self._awaited = said.count
        self._cast = cast
        if self._position.game_id != said.game_id:
            raise Refused(Cause.HISTORY, "The header is for a different game from the one announced.")

    @property
    def position(self) -> Position | None:
        """None until everything is here that was made before."""
        return self._position if self._position.count >= self._awaited else None

    def receive_header(self) -> list[Effect]:
        """The header has come."""
        return [] if self.position is None else [Tell(tell_looking_on(self.position, self._cast))]

    def receive_record(self, said: RecordMessage) -> list[Effect]:
        """Raises Refused, nothing changed."""
        before = self._position
        if said.number != before.count & 255:
            raise Refused(Cause.BASE, "A record is missing or came twice.")
        record, entries = read_record(said.record)
        self._position = advance(before, record, entries)
        if self._position.count <= self._awaited:
            return self.receive_header()
        happenings = tell(before, self._position, entries[0], self._cast)
        return [Tell(happening) for happening in happenings]
