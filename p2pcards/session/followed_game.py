"""The game that is on at a listener: its header, which comes in parts; its records as they come; games of before that
lack their end; and a game at which the listener looks on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action, Seat
from p2pcards.games.spelling import spell_action
from p2pcards.ledger.advance import advance, deciders
from p2pcards.ledger.branches import bases_after_record, bases_at, continues_another, successor_may_begin
from p2pcards.ledger.follower import LedgerFollower, Received
from p2pcards.ledger.payloads import CHECKED, PENDING, RECORD, LeftOut, PlaysOn, header_frame, note_payload
from p2pcards.ledger.position import Position, begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.effects import CommandError, Effect, PeerId, Remember, Tell, Think
from p2pcards.session.feed import Standing, compare_logs, records_from
from p2pcards.session.game_clocks import NO_PAUSE, Pause
from p2pcards.session.guests import Guest
from p2pcards.session.own_seat import Deputy, owed_seat
from p2pcards.session.presence import CoordinatorLink, Presence, PresenceStep
from p2pcards.views.happenings import ActionOutdated, ActionRefused, Happening, ShuffledAnew
from p2pcards.views.standpoint import Cast, tell_entry, tell_host_changed, tell_looking_on, tell_seats_changed
from p2pcards.wire.keys import PrivateKey
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
    ShowHand,
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
from p2pcards.wire.shown_hand import open_hand

# --- the header of a new game, which comes in parts -------------------------------------------------------------------


NEW_GAMES = VERSION
"""The version of a game that begins: an older one goes on where its log is, and nowhere else."""


def check_version(header: Header) -> None:
    """Raise Refused for a header of an older version, of a game of which no log is here."""
    if header.version < NEW_GAMES:
        raise Refused(Cause.RULES, f"A game of version {header.version} can only continue from its log.")


class HeaderParts:
    """Those that have come so far."""

    def __init__(self) -> None:
        self._data = b""
        self._count = 0

    def forget(self) -> None:
        """Forget the parts that have come."""
        self._data, self._count = b"", 0

    def add(self, said: HeaderPart) -> Frame | None:
        """Add a part of a header; returns the whole when it was the last. Raises Refused."""
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
        """True if the listener with this key has asked for an earlier game since the last offer."""
        return key in self._asked

    def know(self, key: bytes, game: LedgerWriter | None) -> None:
        """Keep the earlier game that a listener asked for; None if it is not theirs or not here."""
        self._asked[key] = game

    def forget(self) -> None:
        """Forget who has asked, as a new game is offered."""
        self._asked.clear()

    def missing(self, guest: Guest, said: Resume) -> list[Effect]:
        """Send the records that a listener's log of an earlier game lacks, if it is the beginning of ours."""
        writer = self._asked.get(guest.key)
        side = writer.position.header.side_of(guest.key) if writer else None
        if writer is None or side is None or writer.position.game_id != said.game_id:
            return []
        return records_from(writer, said.count, guest, side) if compare_logs(writer, said) is Standing.BEHIND else []


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
        """Note that the coordinator knows this side is here."""
        self._seen = True

    def lose(self) -> None:
        """Note that the coordinator may believe this side away until they show otherwise."""
        self._seen = False
        self.forget_turn()

    def forget_turn(self) -> None:
        """Forget when the turn began."""
        self._turn_began = None

    def ask(self) -> None:
        """Note that this side may have asked for its character to play."""
        self._may_have_asked = True

    def mark(self, received: Received, seat: Seat, now: float) -> None:
        """Follow the turn as the coordinator's clock has it: it begins anew with moves only."""
        before, after, entry = received.before, received.after, received.entries[0]
        if not _owes_action(after, seat) or (isinstance(entry, ReturnEntry) and entry.seat == seat):
            self._turn_began = None
        elif not _owes_action(before, seat) or (
            isinstance(entry, Move) and not (before.simultaneous and after.simultaneous)
        ):
            self._turn_began = now

    def untrue_reason(self, received: Received, seat: Seat, now: float) -> TakeoverReason | None:
        """The reason of a takeover of this seat if this side knows it to be untrue, else None."""
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
        """True if the coordinator's turn clock cannot have run out for this seat."""
        clock = position.header.turn_clock
        if not clock or not _owes_action(position, seat):
            return True
        return self._turn_began is not None and now - self._turn_began < clock - min(HASTE, clock / 2)


def _owes_action(position: Position, seat: Seat) -> bool:
    """True if an action of this seat is due."""
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
        """The position after the last record."""
        return self.follower.position

    @property
    def _catching_up(self) -> bool:
        """True until this side has every record."""
        return self._link.presence is Presence.CATCHING_UP

    def start_look(self, now: float) -> None:
        """Let the player look at the last hand of the game that this one continues."""
        self._pause.start_before_first_deal(self.position, now)

    def propose(self, said: Proposal | None) -> None:
        """Set the proposal that is open now; None: there is none to answer."""
        self._proposal = said

    @property
    def to_answer(self) -> Proposal | None:
        """Another side's proposal that waits for this player's yes or no; None once anything is logged."""
        said, position = self._proposal, self.position
        if said is None or said.base != position.count or said.side == position.side:
            return None
        return said if position.side in deciders(position) else None

    # --- catching up --------------------------------------------------------------------------------------------------

    def resume(self, count: int, now: float) -> list[Effect]:
        """Answer how far this log goes. count: the coordinator's number of records."""
        position, self._thinking = self.position, None
        self._attention.lose()
        effects = [*self._ask_player(), *self._link.send(Resume(position.game_id, position.count, position.head))]
        return effects + self.await_records(count, now)

    def ask_for_end(self, now: float) -> list[Effect]:
        """Ask for all records that follow ours, before another game begins; nothing is owed in this one."""
        return self.resume(MORE_THAN_ANY, now)

    def await_records(self, count: int, now: float) -> list[Effect]:
        """Owe nothing until both logs are equally long. count: the coordinator's number of records; if we have more,
        they ask for those."""
        self._awaited = MORE_THAN_ANY if count < self.position.count else count
        self._link.step(PresenceStep.RESUME)
        return [] if self.position.count < self._awaited else self._complete(now)

    def _complete(self, now: float) -> list[Effect]:
        """All records are here: a signed move that is not among them is sent again."""
        self._awaited = 0
        self._attention.forget_turn()
        self._link.step(PresenceStep.COMPLETE)
        self.turn_began = now if self.follower.owes_move() else None
        return self._send_again() or self.do_what_is_due()

    def give_records(self, said: Ask) -> list[Effect]:
        """Send the coordinator, who restored an older log, the records they ask for. Raises Refused."""
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
        """Check and remember a record; what follows from it waits for `after_effects`. Raises Refused."""
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
        """Take the answer that the pending move is logged; if it was another move, ask for the record. Raises
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
        """The note to log if the last record calls this side absent though its check is signed, else None."""
        last = self._untold[-1] if self._untold else None
        if last is None or last.before.count != self.follower.unanswered:
            return None
        return LeftOut(last.before.count, here=self._checked == (self._link.peer, last.before.open_base))

    def note_clocks(self, states: Sequence[ClockState]) -> None:
        """Take the coordinator's word on who plays each seat."""
        seat = self.position.seat
        if seat is not None and seat < len(states) and states[seat] is ClockState.HERE:
            self._attention.see()

    def note_away(self) -> None:
        """Note that this player asks for their character to play."""
        self._attention.ask()

    def taken_over_untruly(self, now: float) -> TakeoverReason | None:
        """The reason of the last record's takeover of this seat if it is untrue, else None."""
        last = self._untold[-1] if self._untold else None
        if last is None or self._catching_up or self.position.seat is None:
            return None
        return self._attention.untrue_reason(last, self.position.seat, now)

    @property
    def has_untold(self) -> bool:
        """True if records wait for `after_effects`."""
        return bool(self._untold)

    def forget_untold(self) -> None:
        """Forget the records that wait for `after_effects`."""
        self._untold = []

    def after_effects(self, now: float) -> list[Effect]:
        """Do what follows from the last records, now that they are on disk."""
        untold = self._untold
        self.forget_untold()
        stories = [tell_entry(one.before, one.after, one.entries[0], self._cast) for one in untold]
        effects: list[Effect] = [Tell(happening) for story in stories for happening in story]
        effects += self._ask_player() if self.follower.asks_about in [one.before.count for one in untold] else []
        effects += self._after_record(untold[-1], now)
        self.position.precompute()
        return effects

    def _after_record(self, received: Received, now: float) -> list[Effect]:
        """Do this side's duties after a new record."""
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
        return (self._send_again() if returned else []) or self.do_what_is_due()

    def _send_again(self) -> list[Effect]:
        """Send the signed move again if it can still be taken, as after a takeover."""
        pending = self.follower.pending
        if pending is None or not self.follower.is_current():
            return []
        return self._link.send(MoveMessage(bytes(pending.record)))

    # --- what my player is asked before this side signs anything ------------------------------------------------------

    @property
    def asks(self) -> bool:
        """True if the player has yet to agree to play on, since a side, or this one, was dropped from a shuffle."""
        open_question = self.follower.asks_about is not None and not self._deputy.is_left_alone
        return open_question and self.position.phase is not Phase.CLOSED

    def _ask_player(self) -> list[Effect]:
        """Tell the player why nothing is signed until they agree to play on; nothing if nothing is in doubt."""
        follower, position = self.follower, self.position
        if not self.asks or follower.asks_about is None:
            return []
        _, (entry, *_) = read_record(bytes(follower.records[follower.asks_about]))
        side = entry.side if isinstance(entry, AbsentEntry | CheckEntry) else position.side
        name = "" if side == position.side else position.names[side]
        met = self._met(position.header.sides[side].key)
        return [Tell(ShuffledAnew(name, position.names[0], met, follower.dropped[side]))]

    def agree(self) -> list[Effect]:
        """The player agrees to play on."""
        assert self.follower.asks_about is not None
        note = PlaysOn(self.follower.asks_about)
        self.follower.remember_note(note)
        here = self._link.peer is not None and not self._catching_up
        return [Remember(note_payload(note)), *(self.do_what_is_due() if here else [])]

    # --- what this side owes ------------------------------------------------------------------------------------------

    def do_what_is_due(self) -> list[Effect]:
        """Do what this side owes: sign and send the check, or have the computer think about a move."""
        follower = self.follower
        if follower.owes_check():
            return self._sign_check()
        pending = follower.pending
        if pending is None or follower.is_current() or not follower.owes_move() or self.asks:
            return self._think()
        if follower.still_meant():  # a move on an old base is never taken, so this one cannot come twice
            return self.play(pending.action)
        follower.give_up_pending()
        return [Tell(ActionOutdated(spell_action(pending.action))), *self._think()]

    def _sign_check(self) -> list[Effect]:
        """Sign the check and keep it; it is sent when the player is done with the hand."""
        if self._link.peer is None or self.holds_check:
            return []
        check = bytes(self.follower.check())
        self._checked = self._link.peer, self.position.open_base
        kept: list[Effect] = [Remember(CHECKED + check)] if self.follower.keep_check(check) else []
        return kept if self._is_looking else [*kept, *self._link.send(MoveMessage(check))]

    @property
    def _has_sent_check(self) -> bool:
        """True if this side's check was sent and is not in the log yet."""
        return self.follower.owes_check() and not (self._is_looking or self.holds_check)

    @property
    def holds_check(self) -> bool:
        """True if this side's check is held back until its player comes to the table or agrees; nothing is dealt
        before."""
        follower = self.follower
        if not follower.owes_check():
            return False
        agrees = not follower.has_checked and self.position.seat is not None
        return self.asks or (agrees and not self._deputy.plays)

    # --- between two hands --------------------------------------------------------------------------------------------

    @property
    def _is_looking(self) -> bool:
        """True while the player looks at the hand that was just finished."""
        return self._pause.lasts(self.position, self._deputy.auto)

    def pause_left(self, now: float) -> int | None:
        """Seconds left to look at the finished hand; see `Pause.left`."""
        return self._pause.left(self.position, self._deputy.auto, now)

    def next_hand(self) -> list[Effect]:
        """The player is done with the finished hand. Raises CommandError."""
        if not self._is_looking:
            raise CommandError(NO_PAUSE)
        self._pause.end_look()
        return self.do_what_is_due()

    def tick(self, now: float) -> list[Effect]:
        """Go on if the time to look at the hand is over."""
        return self.do_what_is_due() if self._pause.tick(now) else []

    def next_time(self) -> float | None:
        """When to call `tick`."""
        return self._pause.next_time()

    def _think(self) -> list[Effect]:
        """Have the computer think about this seat's move, if it plays here."""
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
        """Decide again, since another plays this seat now."""
        self._thinking = None
        return self.do_what_is_due() if self.follower.owes_check() else self._think()

    def awaits(self, think: Think) -> bool:
        """True if the answer to this `Think` would still be used."""
        return think is self._thinking

    def thought(self, think: Think, action: Action) -> list[Effect]:
        """Play the computer's decision, unless the table has moved on."""
        if not self.awaits(think):
            return []
        self._thinking = None
        return [] if self.follower.pending else self.play(action)

    def turn(self) -> int:
        """The player's seat, if they may act now. Raises CommandError."""
        seat = owed_seat(self.position)
        if self.asks:
            raise CommandError(ASKED_FIRST)
        if self.follower.pending is not None:
            raise CommandError("You already played. Waiting for the host to confirm.")
        return seat

    def play(self, action: Action) -> list[Effect]:
        """Sign an action, remember it, and send it."""
        record = bytes(self.follower.move(action, self._entropy(SALT)))
        return [Remember(PENDING + record), *self._link.send(MoveMessage(record))]

    def refused(self, said: RefusedMove, why: str) -> list[Effect]:
        """Take the refusal of a move. A move on a base still due stays the only one, so that the coordinator never has
        two to choose from. why: the message's text, safe to show."""
        follower, pending = self.follower, self.follower.pending
        if pending is None or pending.entry.base != said.base:
            return []
        if not follower.is_current():
            return self.do_what_is_due()
        return [Tell(ActionRefused(spell_action(pending.action), why))]


# --- the game that is on at a table where the listener here has no side in it -----------------------------------------


class LookedOnGame:
    """awaited: how many records were made before the listener came, of which nothing is told one by one. names: of the
    sides, as they are shown here. kept: how many records are in a log here, and the head after them; None where no log
    is kept. before: the game that was watched before, which this one may continue; handed: its coordinator gave the
    table to another."""

    def __init__(
        self,
        said: LookOn,
        frame: Frame,
        header: Header,
        cast: Cast,
        names: tuple[str, ...],
        kept: tuple[int, bytes] | None = None,
        before: LookedOnGame | None = None,
        handed: bool = False,
    ) -> None:
        """Raises Refused unless this is the header of the game that was announced."""
        self._position = begin(frame, header, len(header.sides), b"").changed(names=names)
        self._awaited = said.count
        self._cast = cast
        self._log = kept
        self.shown_hand: tuple[Seat, tuple[int, ...]] | None = None  # a seat whose hand we are shown, and its cards
        self._shown_at = 0  # number of records after which it was so
        self._bases = [self._position]
        self._before = before if continues_another(header) else None  # until that is told
        self._handed = handed
        if self._position.game_id != said.game_id:
            raise Refused(Cause.HISTORY, "The header is for a different game from the one announced.")

    def take_shown_hand(self, watcher: PrivateKey, said: ShowHand) -> None:
        """Take the hand that a player shows our player; one that cannot be read or is older is passed over."""
        header = self._position.header
        side = header.side_of(said.key)
        seat = next((seat for seat, entry in enumerate(header.seats) if entry.side == side), None)
        if side is None or seat is None:
            return
        if not said.sealed:
            self.shown_hand = None if self.shown_hand and self.shown_hand[0] == seat else self.shown_hand
            return
        hand = open_hand(watcher, said.key, self._position.game_id, said.sealed)
        if hand is not None and hand.count >= self._shown_at:
            self.shown_hand, self._shown_at = (seat, hand.cards), hand.count

    @property
    def position(self) -> Position | None:
        """The position, None until all earlier records are here."""
        return self._position if self._position.count >= self._awaited else None

    def receive_header(self) -> list[Effect]:
        """Start to watch, as the header has come."""
        if self.position is None:
            return []
        before, self._before = self._before, None
        told = None if before is None else self._tell_continued(self.position, before)
        return [Tell(told or tell_looking_on(self.position, self._cast, behind=self._log is not None))]

    def _tell_continued(self, position: Position, before: LookedOnGame) -> Happening | None:
        """The happening of a game that continues the one watched before; None if it does not, as far as we know."""
        header, last = position.header, before.position
        if before.host == self.host:
            same = last is not None and last.head == header.previous
            return tell_seats_changed(position, last, self._cast) if same else None
        base = next((one for one in before.bases if one.head == header.previous), None)
        if last is None or base is None or not successor_may_begin(base, header):
            return None
        return tell_host_changed(position, base, handed=self._handed, again=last.dealt > base.opened)

    @property
    def host(self) -> bytes:
        """The key of its coordinator."""
        return self._position.header.sides[0].key

    @property
    def bases(self) -> tuple[Position, ...]:
        """The positions from which a successor may continue this game, the latest last."""
        return bases_at(self._position, self._bases)

    @property
    def kept(self) -> tuple[int, bytes]:
        """How many records are in the log here, and the head after them."""
        return self._log or (0, b"")

    def receive_record(self, said: RecordMessage) -> list[Effect]:
        """Take a record of the watched game. Raises Refused, nothing changed."""
        before = self._position
        if said.number != before.count & 255:
            raise Refused(Cause.BASE, "A record is missing or came twice.")
        record, entries = read_record(said.record)
        after = advance(before, record, entries)
        logged = self._keep(after, said.record)
        self._position, self._bases = after, bases_after_record(self._bases, after)
        if after.count <= self._awaited:
            return logged + self.receive_header()
        return logged + [Tell(happening) for happening in tell_entry(before, after, entries[0], self._cast)]

    def _keep(self, after: Position, record: bytes) -> list[Effect]:
        """Put a record into the log, if it is not there. Raises Refused if the log has another in its place."""
        if self._log is None:
            return []
        count, head = self._log
        if after.count == count and after.head != head:
            raise Refused(Cause.HISTORY, "This game has another history than when it was watched before.")
        if after.count <= count:
            return []
        self._log = after.count, after.head
        return [Remember(RECORD + record)]
