"""The game at a coordinator's table: every record passes here, from its making to the clocks that it stops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from p2pcards.games.game import Action, Seat, Stage
from p2pcards.ledger.fair import awaited, is_needed
from p2pcards.ledger.payloads import ADDRESS, Start, read_address
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import CommandError, Effect, Look, Me, PeerId, Tell, Think, seen
from p2pcards.session.feed import Feed, LogsAhead, Standing, standing, with_opening
from p2pcards.session.game_clocks import NO_PAUSE, GameClocks, Pause
from p2pcards.session.guests import Guest, GuestIdentity
from p2pcards.session.owed import NextDeal, closing, owed
from p2pcards.session.own_seat import Deputy, kept_seat, owed_seat
from p2pcards.session.presence import Presence, PresenceStep
from p2pcards.session.proposals import Proposals
from p2pcards.views.happenings import Notice
from p2pcards.views.standpoint import Cast
from p2pcards.wire.messages import Ask, Have, RefusedMove, Resume
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode, RefusalCode, TakeoverReason
from p2pcards.wire.records import EDITIONS, CheckEntry, Entry, Move, Record, read_record

# --- the seats that computer players decide for -----------------------------------------------------------------------


class Computers:
    """deputy: that of the coordinator's own seat."""

    def __init__(self, deputy: Deputy) -> None:
        self._deputy = deputy
        self._asked: Think | None = None

    def ask(self, writer: LedgerWriter) -> list[Effect]:
        """What is to be thought about now."""
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
        return think is self._asked

    def accept_answer(self, think: Think) -> bool:
        """An answer came: whether it is the one that is awaited."""
        if not self.awaits(think):
            return False
        self._asked = None
        return True

    def table_moved_on(self) -> None:
        """The question that was asked is no longer the one to be decided."""
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
        """The record of a move, now in the log, or why there is none. Raises Refused when the side broke the
        protocol."""
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
        """The moves that need not wait any more."""
        if self.mine_first():
            return {}
        deferred, self.deferred = self.deferred, {}
        return deferred

    def mine_first(self) -> bool:
        """Whether a seat of the coordinator's must choose before this side may see what the others chose."""
        position = self._writer.position
        choosing = position.phase is Phase.PLAY and position.simultaneous
        return choosing and any(position.signer(seat) == 0 for seat in position.state.to_act)

    def _check_author(self, side: int, entry: Entry) -> Move | CheckEntry:
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
    """log: the payloads, of which start is the beginning. Raises Refused."""
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
        restored: bool = False,
        wants_substitute: Collection[int] = (),
    ) -> None:
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

    @property
    def position(self) -> Position:
        return self._writer.position

    @property
    def over(self) -> bool:
        return self.position.phase is Phase.CLOSED

    def side_of(self, guest: Guest) -> int | None:
        for side, other in self.guests.items():
            if other is guest:
                return side
        return None

    def seat_of(self, guest: Guest | None) -> Seat | None:
        """guest: None for the coordinator."""
        side = 0 if guest is None else self.side_of(guest)
        return None if side is None else self.position.header.seat_of(side)

    def absent(self) -> frozenset[int]:
        """The sides that are not there to move."""
        return frozenset(side for side, guest in self.guests.items() if not guest.complete)

    def send_header(self) -> list[Effect]:
        """To everybody, as a new game begins."""
        effects: list[Effect] = []
        for side, guest in self.guests.items():
            guest.step(PresenceStep.HEADER)
            effects += self._feed.new_header(side)
        return effects

    def look_on(self, guest: Guest, now: float) -> list[Effect]:
        """Somebody who has no side in this game follows it from here on."""
        guest.step(PresenceStep.LOOK_ON)
        self.clocks.show_again()
        return self._feed.look_on(guest) + self._tell_clocks(now)

    # --- records ------------------------------------------------------------------------------------------------------

    def _publish(self, logged: Logged, now: float) -> list[Effect]:
        self._mark(logged, now)
        return self._seen(self._feed.publish(logged), now)

    def _seen(self, effects: list[Effect], now: float) -> list[Effect]:
        """With the table as it stands now, where more may follow in the same step: where somebody is to act it ends."""
        position = self.position
        if position.phase is Phase.PLAY and position.state.stage == Stage.PLAY:
            return effects
        return seen(effects, self._look(now))

    def _mark(self, logged: Logged, now: float) -> None:
        self.clocks.mark(logged, now)
        self._pause.mark(logged.before, logged.after, now)
        if not isinstance(logged.entries[0], CheckEntry):
            self.computers.table_moved_on()

    @property
    def untold_mover(self) -> PeerId | None:
        """The link of the listener whose record waits for `after_effects`."""
        guest = self.guests[self._feed.untold[0]] if self._feed.untold else None
        return guest.link.peer if guest and guest.link else None

    def forget_untold(self) -> None:
        self._feed.forget_untold()

    def after_effects(self, now: float) -> list[Effect]:
        """What follows from a listener's move or check once it is on its way to the others."""
        return self._follow_up(now) + self.proceed(now) if self._feed.untold else []

    def _follow_up(self, now: float) -> list[Effect]:
        if not self._feed.untold:
            return []
        self._mark(self._feed.untold[1], now)
        return self._seen(self._feed.catch_up_mover(), now)

    # --- moves --------------------------------------------------------------------------------------------------------

    def receive_move(self, side: int, data: bytes) -> list[Effect]:
        """A move or check from a listener. Raises Refused when they broke the protocol."""
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
        deferred = self._intake.take_deferred()
        effects: list[Effect] = []
        for side, data in deferred.items():
            if self.guests[side].complete:
                effects += self.receive_move(side, data) + self._follow_up(now)
        return effects + self.proceed(now) if deferred else []

    def turn(self) -> Seat:
        """The coordinator's own seat, in which they may act now. Raises CommandError."""
        self._check_logs()
        return owed_seat(self.position)

    def act(self, seat: Seat, action: Action, now: float) -> list[Effect]:
        """An action of a seat that this side decides for, already verified."""
        return self._publish(self._writer.move(seat, action), now) + self.proceed(now)

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """A computer player's decision; dropped if the table has moved on meanwhile."""
        return self.act(think.seat, action, now) if self.computers.accept_answer(think) else []

    def change_course(self, change: Callable[[LedgerWriter], Logged | None], now: float) -> list[Effect]:
        """What changes the course of the hand otherwise than by play, if there is a record of it. Raises Refused, and
        CommandError."""
        self._check_logs()
        logged = change(self._writer)
        return self._publish(logged, now) + self.proceed(now) if logged else []

    def _check_logs(self) -> None:
        if self.awaiting_logs:
            raise CommandError(WAITS)

    # --- catching up --------------------------------------------------------------------------------------------------

    def ask_how_far(self, guest: Guest) -> list[Effect]:
        """A listener of this game is connected again: how far does their log go?"""
        guest.step(PresenceStep.RESUME)
        position = self.position
        self._logs_ahead.tell(guest.key, position.count)
        return guest.send(Resume(position.game_id, position.count, position.head))

    def resume(self, side: int, said: Resume, now: float) -> list[Effect]:
        """Their answer."""
        guest = self.guests[side]
        if said.game_id != self.position.game_id:
            return []
        found = standing(self._writer, said)
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
            self.clocks.back(self.position.header.seat_of(side), guest, now)
        guest.step(PresenceStep.COMPLETE)
        self._logs_ahead.caught_up(side)
        self.clocks.show_again()
        effects += self.settle(side, now)
        return effects + self.proceed(now)

    def _other_history(self, guest: Guest, now: float) -> list[Effect]:
        """Nothing can mend that, so they are not called again."""
        text = f"{guest.name}'s log of this game differs from yours, so you can't play on together."
        effects = guest.hang_up(ByeCode.OTHER_HISTORY)
        guest.lose(now)
        guest.redial.stop()
        return [*effects, Tell(Notice(text)), *self.proceed(now)]

    def have(self, side: int, said: Have, now: float) -> list[Effect]:
        """A record of a log that goes further than ours. Raises Refused."""
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
        """Those whose logs go further are asked for the rest, now that more is known."""
        count = self.position.count
        return [effect for side in self._logs_ahead.ask(count) for effect in self.guests[side].send(Ask(count))]

    # --- who plays ----------------------------------------------------------------------------------------------------

    def be_away(self, away: bool, now: float) -> list[Effect]:
        """The coordinator's character plays, or the coordinator again. Raises CommandError."""
        seat = kept_seat(self.position)
        self._check_logs()
        return self._take_over(seat, TakeoverReason.ASKED_FOR, now) if away else self._give_back(seat, now)

    def decide_anew(self, now: float) -> list[Effect]:
        """Who plays the coordinator's seat has changed."""
        self.computers.table_moved_on()
        return self.proceed(now)

    def ask_substitute(self, side: int, away: bool, now: float) -> list[Effect]:
        """A listener asks their character to play, or wants to play again."""
        (self._wants_substitute.add if away else self._wants_substitute.discard)(side)
        return self.settle(side, now)

    def settle(self, side: int, now: float) -> list[Effect]:
        """Who plays the seat of a listener, now that they are here, have left or have asked for something."""
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
        """The game goes on after a restart, or ends."""
        self.awaiting_logs = False
        if self._ending:
            return self.end_game(now)
        effects = [effect for side in self.guests for effect in self.settle(side, now)]
        return effects + self.proceed(now)

    def _take_over(self, seat: Seat, reason: TakeoverReason, now: float) -> list[Effect]:
        if self.over or self.awaiting_logs or seat in self.position.substituted:
            return []
        return self._publish(self._writer.takeover(seat, reason), now) + self.proceed(now)

    def _give_back(self, seat: Seat, now: float) -> list[Effect]:
        if self.over or self.awaiting_logs or seat not in self.position.substituted:
            return []
        effects = self._publish(self._writer.give_back(seat), now)
        self.clocks.renew_turn(seat, now)
        return effects + self.proceed(now)

    # --- what the coordinator owes ------------------------------------------------------------------------------------

    def end_game(self, now: float) -> list[Effect]:
        """The coordinator ends the game, as soon as nobody can know more of it: the hand is opened, the log closed."""
        self._ending = True
        if self.awaiting_logs:
            seconds = round(self._logs_awaited_until() - now)
            return [Tell(Notice(f"{WAITS[:-1]}, for {seconds} s at most. Then it ends."))]
        effects: list[Effect] = []
        while not self.over:
            effects += self._publish(closing(self._writer), now)
        return effects

    def proceed(self, now: float) -> list[Effect]:
        """Everything that the coordinator's side owes now, until somebody else has to act."""
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
        return self.awaiting_logs or self.over or self._ending

    def _owed(self, now: float) -> Logged | None:
        in_time, asked = now < self.clocks.checks_end(), now < self.clocks.asked_end()
        looks = self._pause.lasts(self.position, self._deputy.auto)
        return owed(self._writer, self.guests, self._deputy.auto, in_time, asked, looks)

    def pause_left(self, now: float) -> int | None:
        """As `Pause.left` has it."""
        return self._pause.left(self.position, self._deputy.auto, now)

    def next_hand(self, now: float) -> list[Effect]:
        """The coordinator's player is done with the hand that is over. Raises CommandError."""
        if self.pause_left(now) is None:
            raise CommandError(NO_PAUSE)
        self._pause.end_look()
        return self.proceed(now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def _logs_awaited_until(self) -> float:
        return self.clocks.started + self.position.header.grace

    def tick(self, now: float) -> list[Effect]:
        self._pause.tick(now)
        late = self.awaiting_logs and now >= self._logs_awaited_until()
        effects = self._release(now) if late else []
        for seat, (time, reason) in self.clocks.deadlines(self.position, not self.awaiting_logs).items():
            if now >= time and self.position.phase is not Phase.PAUSED:  # the takeover of another seat may pause it
                effects += self._take_over(seat, reason, now)
        return effects + self.proceed(now)

    def next_time(self) -> float | None:
        """When to look again; None if only somebody's move can change anything."""
        times = [time for time, _ in self.clocks.deadlines(self.position, not self.awaiting_logs).values()]
        if self.awaiting_logs:
            times.append(self._logs_awaited_until())
        elif self._pause.lasts(self.position, self._deputy.auto):
            times += [] if (over := self._pause.next_time()) is None else [over]
        elif self.position.phase is Phase.CHECKS:
            times += [] if self.next_deal.waits(self.position) else [self.clocks.checks_end()]
            others = [side for side in awaited(self.position) if not is_needed(self.position, side)]
            times += [self.clocks.asked_end()] if others else []
        return min(times, default=None)

    def _tell_clocks(self, now: float) -> list[Effect]:
        """The clocks for the listeners, when they have changed."""
        clocks = self.clocks.news(self.position, now)
        if clocks is None:
            return []
        return [effect for guest in self._feed.receivers() for effect in guest.send(clocks)]
