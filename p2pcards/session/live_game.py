"""The game at a coordinator's table: every record passes here, from its making to the clocks that it stops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from p2pcards.games.game import Action, Seat, Stage
from p2pcards.ledger.fair import awaited_sides, is_needed
from p2pcards.ledger.payloads import ADDRESS, Start, read_address
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import CommandError, Effect, Look, Me, PeerId, Tell, Think, seen
from p2pcards.session.feed import Feed, LogsAhead, Standing, compare_logs, with_opening
from p2pcards.session.game_clocks import NO_PAUSE, GameClocks, Pause
from p2pcards.session.guests import Guest, GuestIdentity
from p2pcards.session.owed import NextDeal, next_closing_record, next_owed_record
from p2pcards.session.own_seat import Deputy, kept_seat, owed_seat
from p2pcards.session.presence import Presence, PresenceStep
from p2pcards.session.proposals import Proposals
from p2pcards.views.happenings import Notice
from p2pcards.views.standpoint import Cast
from p2pcards.wire.messages import Ask, Have, Message, RefusedMove, Resume
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode, CloseReason, RefusalCode, TakeoverReason
from p2pcards.wire.records import EDITIONS, CheckEntry, Entry, Move, Record, read_record

# --- the seats that computer players decide for -----------------------------------------------------------------------


class Computers:
    """deputy: that of the coordinator's own seat."""

    def __init__(self, deputy: Deputy) -> None:
        self._deputy = deputy
        self._asked: Think | None = None

    def ask(self, writer: LedgerWriter) -> list[Effect]:
        """Ask the computer player whose turn it is to think."""
        position = writer.position
        if self._asked is not None or position.phase is not Phase.PLAY:
            return []
        for seat in position.state.to_act:
            level = self._level(position, seat)
            if level is not None:
                seed = writer.thinking_seed(seat)
                entry = position.header.seats[seat]
                repeatable = position.is_computers(seat) and entry.edition != EDITIONS
                self._asked = Think(seat, position.game, position.views[seat], level, seed, repeatable=repeatable)
                mine = entry.side == 0
                return [*(self._deputy.note(position) if mine else []), self._asked]
        return []

    def _level(self, position: Position, seat: Seat) -> str | None:
        """The level that decides for a seat; None if a person does."""
        entry = position.header.seats[seat]
        if position.is_computers(seat):
            return entry.level
        return self._deputy.level(position) if entry.side == 0 else None

    def awaits(self, think: Think) -> bool:
        """True if this is the question that was asked last."""
        return think is self._asked

    def accept_answer(self, think: Think) -> bool:
        """True if this answers the question asked last, which is then settled."""
        if not self.awaits(think):
            return False
        self._asked = None
        return True

    def table_moved_on(self) -> None:
        """Forget the question asked last."""
        self._asked = None


# --- moves and checks that listeners send -----------------------------------------------------------------------------


class Untaken(Enum):
    """What becomes of a move that is neither taken nor refused."""

    DEFERRED = auto()
    REPEATED = auto()  # its author has the record, or it is on the way


class Intake:
    """deferred: by side the moves that wait for the coordinator's own choice, or until logs are complete."""

    def __init__(self, writer: LedgerWriter) -> None:
        self.deferred: dict[int, bytes] = {}
        self._writer = writer

    def record_move(self, side: int, data: bytes, awaiting_logs: bool) -> Logged | RefusedMove | Untaken:
        """Log a listener's move or check; else return the refusal, or what else became of it. awaiting_logs: moves must
        wait. Raises Refused when the side broke the protocol."""
        record, entries = read_record(data)
        entry = self._check_author(side, entries[0])
        try:
            if awaiting_logs or (self.mine_first() and not isinstance(entry, CheckEntry)):
                self._writer.check(record, entries)
                self.deferred[side] = data
                return Untaken.DEFERRED
            return self._writer.add_sent(record, entries)
        except Refused as refusal:
            return self._refuse(record, entry.base, refusal)

    def take_deferred(self) -> dict[int, bytes]:
        """The moves that need not wait any longer, by side; they are removed here."""
        if self.mine_first():
            return {}
        deferred, self.deferred = self.deferred, {}
        return deferred

    def mine_first(self) -> bool:
        """True if the coordinator's own seat must choose before they may see what others chose."""
        position = self._writer.position
        choosing = position.phase is Phase.PLAY and position.simultaneous
        return choosing and any(position.signer(seat) == 0 for seat in position.state.to_act)

    def _check_author(self, side: int, entry: Entry) -> Move | CheckEntry:
        """The entry, if this side may send it. Raises Refused."""
        if isinstance(entry, CheckEntry):
            if entry.side != side:
                raise Refused(Cause.SEAT, "That check is for another side.")
            return entry
        if not isinstance(entry, Move):
            raise Refused(Cause.SHAPE, "A listener can only send moves and checks.")
        if self._writer.position.header.seat_of(side) != entry.seat:
            raise Refused(Cause.SEAT, "A move came for another seat.")
        return entry

    def _refuse(self, record: Record, base: int, refusal: Refused) -> RefusedMove | Untaken:
        """The answer to a move that was refused. Raises the refusal again if the side broke the protocol."""
        if self._writer.was_taken(record.frames[0]):
            return Untaken.REPEATED
        match refusal.cause:
            case Cause.BASE | Cause.SEAT | Cause.SIGNATURE if base < self._writer.position.count:
                return RefusedMove(base, RefusalCode.LATE, str(refusal))
            case Cause.RULES | Cause.FAIRNESS | Cause.BASE:
                rules = refusal.cause is Cause.RULES
                code = RefusalCode.AGAINST_THE_RULES if rules else RefusalCode.LATE
                return RefusedMove(base, code, str(refusal)[:200])
            case _:
                raise refusal


# --- a game read back from its log ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reopened:
    """A coordinator's game, read back from its log."""

    writer: LedgerWriter
    guests: dict[int, Guest]  # the listeners by side, including those who had left for good
    substituted: tuple[int, ...]  # sides whose players had asked their characters to play


def reopen(me: Me, start: Start, log: Sequence[bytes], now: float) -> Reopened:
    """Read a coordinator's game back from its log. log: the payloads, which begin with `start`. Raises Refused."""
    header, names = start.header, me.shown_sides(start.header)
    writer = LedgerWriter.restored(me.identity, start.frame, start.position.changed(names=names), log)
    addresses = dict([read_address(payload) for payload in log if payload[:1] == ADDRESS])
    seats = {side: header.seat_of(side) for side in range(1, len(header.sides))}
    held = writer.position.taken_over
    why = {side: held[seat].reason for side, seat in seats.items() if seat is not None and seat in held}
    guests: dict[int, Guest] = {}
    for side, person in enumerate(header.sides[1:], 1):
        identity = GuestIdentity(person.key, person.name, person.character, names[side])
        presence = Presence.LEFT if why.get(side) is TakeoverReason.LEFT else Presence.INVITED
        guests[side] = Guest(identity, addresses.get(side, ""), presence)
        guests[side].expect(now)
    asked = [side for side, reason in why.items() if reason is TakeoverReason.ASKED_FOR]
    return Reopened(writer, guests, tuple(asked))


# --- the game ---------------------------------------------------------------------------------------------------------


WAITS = "The game is waiting for the other players' logs."


class LiveGame:
    """guests: the listeners of the header by side. deputy: who plays the coordinator's seat where they do not. look:
    the table as its person sees it at this time.

    restored: this side was started again, so that a listener's log may go further than ours. awaiting_logs: then
    nothing new is made until everybody has said how far theirs goes, or the grace has run out: a shorter chain must
    never be continued. wants_substitute: the sides that have asked their characters to play.
    """

    def __init__(
        self,
        writer: LedgerWriter,
        guests: Mapping[int, Guest],
        cast: Cast,
        deputy: Deputy,
        now: float,
        look: Callable[[float], Look],
        *,
        tell_gallery: Callable[[Message], None] = lambda _: None,
        restored: bool = False,
        wants_substitute: Collection[int] = (),
    ) -> None:
        self._tell_gallery = tell_gallery
        self.guests = guests
        self.awaiting_logs = restored
        self.clocks = GameClocks(guests, now)
        self._writer = writer
        self._look = look
        self._restored = restored
        self._feed = Feed(writer, guests, cast)
        self._intake = Intake(writer)
        self.proposals = Proposals(writer, guests)
        self.computers = Computers(deputy)
        self._deputy = deputy
        self._logs_ahead = LogsAhead()
        self._wants_substitute = set(wants_substitute)
        self._ending = False
        self.next_deal = NextDeal(guests)
        self._pause = Pause(alone=not guests)
        self._pause.start_before_first_deal(self.position, now)
        self._handed_over = False  # after this hand
        self.changes: Mapping[Seat, bytes] = {}  # by seat, the key of the person who takes it after this hand

    @property
    def position(self) -> Position:
        """The position after the last record."""
        return self._writer.position

    @property
    def writer(self) -> LedgerWriter:
        """The log of the game."""
        return self._writer

    @property
    def base(self) -> Position:
        """The latest position from which a successor can continue the game."""
        return self._writer.base

    @property
    def over(self) -> bool:
        """True if the game is closed."""
        return self.position.phase is Phase.CLOSED

    def side_of(self, guest: Guest) -> int | None:
        """The guest's side in this game, None if they watch."""
        for side, other in self.guests.items():
            if other is guest:
                return side
        return None

    def seat_of(self, guest: Guest | None) -> Seat | None:
        """The seat of a guest, or of the coordinator for None."""
        side = 0 if guest is None else self.side_of(guest)
        return None if side is None else self.position.header.seat_of(side)

    def absent(self) -> frozenset[int]:
        """The sides that are not connected with a complete log."""
        return frozenset(side for side, guest in self.guests.items() if not guest.complete)

    def send_header(self) -> list[Effect]:
        """Send the header to everybody as the game begins."""
        effects: list[Effect] = []
        for side, guest in self.guests.items():
            guest.step(PresenceStep.HEADER)
            effects += self._feed.new_header(side)
        return effects

    def look_on(self, guest: Guest, now: float) -> list[Effect]:
        """Let a guest without a side watch from here on."""
        guest.step(PresenceStep.LOOK_ON)
        self.clocks.show_again()
        return self._feed.look_on(guest) + self._tell_clocks(now)

    # --- records ------------------------------------------------------------------------------------------------------

    def _publish(self, logged: Logged, now: float) -> list[Effect]:
        """Send a record of the coordinator to everybody, and set the clocks."""
        self._mark(logged, now)
        return self._seen(self._feed.publish(logged), now)

    def _seen(self, effects: list[Effect], now: float) -> list[Effect]:
        """The effects with the table's view after them, where somebody has to act now."""
        position = self.position
        if position.phase is Phase.PLAY and position.state.stage == Stage.PLAY:
            return effects
        return seen(effects, self._look(now))

    def _mark(self, logged: Logged, now: float) -> None:
        """Set clocks and pause after a record."""
        self.clocks.mark(logged, now)
        self._pause.mark(logged.before, logged.after, now)
        if not isinstance(logged.entries[0], CheckEntry):
            self.computers.table_moved_on()

    @property
    def untold_mover(self) -> PeerId | None:
        """The link of the listener whose record waits for `after_effects`, None if there is none."""
        guest = self.guests[self._feed.untold[0]] if self._feed.untold else None
        return guest.link.peer if guest and guest.link else None

    def forget_untold(self) -> None:
        """Forget the record that waits for `after_effects`."""
        self._feed.forget_untold()

    def after_effects(self, now: float) -> list[Effect]:
        """Do what follows from a listener's move or check, now that the others have it."""
        return self._follow_up(now) + self.proceed(now) if self._feed.untold else []

    def _follow_up(self, now: float) -> list[Effect]:
        """Answer the mover whose record was sent to the others."""
        if not self._feed.untold:
            return []
        self._mark(self._feed.untold[1], now)
        return self._seen(self._feed.catch_up_mover(), now)

    # --- moves --------------------------------------------------------------------------------------------------------

    def receive_move(self, side: int, data: bytes) -> list[Effect]:
        """Take a move or check from a listener. Raises Refused when they broke the protocol."""
        taken = self._intake.record_move(side, data, self.awaiting_logs)
        match taken:
            case Logged():
                self.guests[side].redial.useful()
                return self._feed.relay(taken, side)
            case RefusedMove():
                return self.guests[side].send(taken)
            case Untaken.DEFERRED:
                return self._ask_ahead()
            case Untaken.REPEATED:
                return []

    def _take_deferred(self, now: float) -> list[Effect]:
        """Take the moves that had to wait."""
        deferred = self._intake.take_deferred()
        effects: list[Effect] = []
        for side, data in deferred.items():
            if self.guests[side].complete:
                effects += self.receive_move(side, data) + self._follow_up(now)
        return effects + self.proceed(now) if deferred else []

    def turn(self) -> Seat:
        """The coordinator's own seat, if they may act now. Raises CommandError."""
        self._check_logs()
        return owed_seat(self.position)

    def act(self, seat: Seat, action: Action, now: float) -> list[Effect]:
        """Log an action, already verified, of a seat that this side decides for."""
        return self._publish(self._writer.move(seat, action), now) + self.proceed(now)

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """Play a computer player's decision, unless the table has moved on."""
        return self.act(think.seat, action, now) if self.computers.accept_answer(think) else []

    def change_course(self, change: Callable[[LedgerWriter], Logged | None], now: float) -> list[Effect]:
        """Log a change of course such as an undo, if `change` makes a record. Raises Refused and CommandError."""
        self._check_logs()
        logged = change(self._writer)
        return self._publish(logged, now) + self.proceed(now) if logged else []

    def _check_logs(self) -> None:
        """Raise CommandError while it is unknown how far the listeners' logs go."""
        if self.awaiting_logs:
            raise CommandError(WAITS)

    # --- catching up --------------------------------------------------------------------------------------------------

    def ask_how_far(self, guest: Guest) -> list[Effect]:
        """Ask a listener who is connected again how far their log goes."""
        guest.step(PresenceStep.RESUME)
        position = self.position
        self._logs_ahead.tell(guest.key, position.count)
        return guest.send(Resume(position.game_id, position.count, position.head))

    def resume(self, side: int, said: Resume, now: float) -> list[Effect]:
        """Take a listener's answer how far their log goes, and send what it lacks."""
        guest = self.guests[side]
        if said.game_id != self.position.game_id:
            return []
        found = compare_logs(self._writer, said)
        if found is Standing.AHEAD and self._restored:
            self._logs_ahead.note(side, said.count)
            return guest.send(Ask(self.position.count))
        if found in (Standing.AHEAD, Standing.OTHER):
            return self._other_history(guest, now)
        if self._logs_ahead.waits(guest.key, said.count):  # what it has came from somebody else meanwhile
            return self.ask_how_far(guest)
        if found is Standing.EMPTY and self.next_deal.is_out_of_reach(self.position, side):
            return []
        effects = self._feed.header(guest) if found is Standing.EMPTY else []
        effects += self._feed.records_from(said.count, side)
        if not guest.complete:
            self.clocks.note_return(self.position.header.seat_of(side), guest, now)
        guest.step(PresenceStep.COMPLETE)
        self._logs_ahead.caught_up(side)
        self.clocks.show_again()
        effects += self.settle(side, now)
        return effects + self.proceed(now)

    def _other_history(self, guest: Guest, now: float) -> list[Effect]:
        """End the link of a listener whose log has forked from ours; nothing mends that."""
        text = f"{guest.name}'s log of this game differs from yours, so you can't play on together."
        effects = guest.hang_up(ByeCode.OTHER_HISTORY)
        guest.lose(now)
        guest.redial.stop()
        return [*effects, Tell(Notice(text)), *self.proceed(now)]

    def have(self, side: int, said: Have, now: float) -> list[Effect]:
        """Take a record that our restored log lacks. Raises Refused."""
        guest, count = self.guests[side], self.position.count
        if said.number != count or self._logs_ahead.of(side) <= count:
            return []
        data = with_opening(self._writer, self._intake.deferred.values(), said.record)
        if data is None:
            if self._logs_ahead.may_ask(count):
                return self._ask_ahead()
            text = "A hidden move by a player who's away is missing. The game resumes when they're back."
            return [Tell(Notice(text))] if self._logs_ahead.lacks(count) else []
        try:
            logged = self._writer.restore(data)
        except Refused:
            return self._other_history(guest, now)
        effects = self._publish(logged, now)
        if self._logs_ahead.of(side) > self.position.count:
            return effects
        for other in self._logs_ahead.reached(self.position.count):
            if self.guests[other].here:  # one who is away is asked when they are back
                effects += self.ask_how_far(self.guests[other])
        return effects + self._ask_ahead()

    def _ask_ahead(self) -> list[Effect]:
        """Ask listeners whose logs are ahead of ours for the rest."""
        count = self.position.count
        return [effect for side in self._logs_ahead.ask(count) for effect in self.guests[side].send(Ask(count))]

    # --- who plays ----------------------------------------------------------------------------------------------------

    def be_away(self, away: bool, now: float) -> list[Effect]:
        """Have the coordinator's character play, or the coordinator again. Raises CommandError."""
        seat = kept_seat(self.position)
        self._check_logs()
        return self._take_over(seat, TakeoverReason.ASKED_FOR, now) if away else self._give_back(seat, now)

    def decide_anew(self, now: float) -> list[Effect]:
        """Decide again, since another plays the coordinator's seat now."""
        self.computers.table_moved_on()
        return self.proceed(now)

    def ask_substitute(self, side: int, away: bool, now: float) -> list[Effect]:
        """A listener asks for their character to play, or for their seat back."""
        (self._wants_substitute.add if away else self._wants_substitute.discard)(side)
        return self.settle(side, now)

    def settle(self, side: int, now: float) -> list[Effect]:
        """Have the seat of a listener taken over or given back, as their presence and wishes require."""
        if self.awaiting_logs:
            waits = any(not guest.complete and not guest.left for guest in self.guests.values())
            return [] if waits else self._release(now)
        guest, seat = self.guests[side], self.position.header.seat_of(side)
        if seat is None:
            return []
        if guest.left or side in self._wants_substitute:
            return self._take_over(seat, TakeoverReason.LEFT if guest.left else TakeoverReason.ASKED_FOR, now)
        return self._give_back(seat, now) if guest.complete else []

    def _release(self, now: float) -> list[Effect]:
        """Stop waiting for logs after a restart, and go on."""
        self.awaiting_logs = False
        if self._ending:
            return self.end_game(now)
        effects = [effect for side in self.guests for effect in self.settle(side, now)]
        return effects + self.proceed(now)

    def _take_over(self, seat: Seat, reason: TakeoverReason, now: float) -> list[Effect]:
        """Log that a character plays this seat, unless that is so."""
        if self.over or self.awaiting_logs or seat in self.position.taken_over:
            return []
        return self._publish(self._writer.takeover(seat, reason), now) + self.proceed(now)

    def _give_back(self, seat: Seat, now: float) -> list[Effect]:
        """Log that the player has this seat again, unless that is so."""
        if self.over or self.awaiting_logs or seat not in self.position.taken_over:
            return []
        effects = self._publish(self._writer.give_back(seat), now)
        self.clocks.renew_turn(seat, now)
        return effects + self.proceed(now)

    # --- what the coordinator owes ------------------------------------------------------------------------------------

    @property
    def is_continued(self) -> bool:
        """True if the game is closed here and is to continue in another log."""
        return self.position.ended is CloseReason.CONTINUED

    def hand_over(self, now: float) -> list[Effect]:
        """Close this log as continued after the hand: another coordinator takes over."""
        self._handed_over = True
        return self.proceed(now)

    def plan_changes(self, changes: Mapping[Seat, bytes], now: float) -> list[Effect]:
        """Set the new players of seats, by key, from the next hand on, which is in another log."""
        self.changes = dict(changes)
        return self.proceed(now)

    def end_game(self, now: float) -> list[Effect]:
        """End the game as soon as nobody gains by it: the hand is opened, the log closed."""
        self._ending = True
        if self.awaiting_logs:
            seconds = round(self._logs_awaited_until() - now)
            return [Tell(Notice(f"{WAITS[:-1]}, for {seconds} s at most. Then it ends."))]
        effects: list[Effect] = []
        while not self.over:
            effects += self._publish(next_closing_record(self._writer), now)
        return effects

    def proceed(self, now: float) -> list[Effect]:
        """Log all that the coordinator's side owes now, until somebody else has to act."""
        effects: list[Effect] = []
        while not self._stands and (logged := self._owed(now)) is not None:
            effects += self._publish(logged, now)
        if not self._stands and self.position.phase is not Phase.PAUSED:
            effects += self._take_deferred(now) + self.computers.ask(self._writer)
            self.position.precompute()
        late = now >= self.clocks.checks_end() and not self._stands
        told = self.next_deal.tell(self.position, now < self.clocks.asked_end()) if late else []
        return effects + told + self._tell_clocks(now)

    @property
    def _stands(self) -> bool:
        """True if nothing may be logged: logs are awaited, or the game is over or ending."""
        return self.awaiting_logs or self.over or self._ending

    def _owed(self, now: float) -> Logged | None:
        """The next record that is owed, None if somebody else has to act."""
        in_time, asked = now < self.clocks.checks_end(), now < self.clocks.asked_end()
        looks = self._pause.lasts(self.position, self._deputy.auto)
        changes, hands_over = bool(self.changes), self._handed_over
        return next_owed_record(
            self._writer, self.guests, self._deputy.auto, in_time, asked, looks, changes, hands_over
        )

    def pause_left(self, now: float) -> int | None:
        """Seconds left to look at the finished hand; see `Pause.left`."""
        return self._pause.left(self.position, self._deputy.auto, now)

    def next_hand(self, now: float) -> list[Effect]:
        """The coordinator's player is done with the finished hand. Raises CommandError."""
        if self.pause_left(now) is None:
            raise CommandError(NO_PAUSE)
        self._pause.end_look()
        return self.proceed(now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def _logs_awaited_until(self) -> float:
        """When to stop waiting for the listeners' logs."""
        return self.clocks.started + self.position.header.grace

    def tick(self, now: float) -> list[Effect]:
        """Do what is due at this time, such as takeovers."""
        self._pause.tick(now)
        late = self.awaiting_logs and now >= self._logs_awaited_until()
        effects = self._release(now) if late else []
        for seat, (time, reason) in self.clocks.deadlines(self.position, not self.awaiting_logs).items():
            if now >= time and self.position.phase is not Phase.PAUSED:  # the takeover of another seat may pause it
                effects += self._take_over(seat, reason, now)
        return effects + self.proceed(now)

    def next_time(self) -> float | None:
        """When to call `tick`; None for not before somebody moves."""
        times = [time for time, _ in self.clocks.deadlines(self.position, not self.awaiting_logs).values()]
        if self.awaiting_logs:
            times.append(self._logs_awaited_until())
        elif self._pause.lasts(self.position, self._deputy.auto):
            times += [] if (over := self._pause.next_time()) is None else [over]
        elif self.position.phase is Phase.CHECKS:
            times += [] if self.next_deal.waits(self.position) else [self.clocks.checks_end()]
            others = [side for side in awaited_sides(self.position) if not is_needed(self.position, side)]
            times += [self.clocks.asked_end()] if others else []
        return min(times, default=None)

    def _tell_clocks(self, now: float) -> list[Effect]:
        """Send the clocks to the listeners if they have changed."""
        clocks = self.clocks.news(self.position, now)
        if clocks is None:
            return []
        self._tell_gallery(clocks)
        return [effect for guest in self._feed.receivers() for effect in guest.send(clocks)]
