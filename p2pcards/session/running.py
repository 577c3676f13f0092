"""The game that is on at a coordinator's table: whose turn it is, who is away, what the dealer owes, what goes to
whom."""

from __future__ import annotations

from p2pcards.games.game import Action, Seat, Stage
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.position import Phase, Position
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import CommandError, Effect, Proceed, Remember, Send, Tell, Think
from p2pcards.session.guests import Guest, send
from p2pcards.session.liveness import allowed
from p2pcards.session.me import Cast, Me
from p2pcards.session.resuming import ask_ahead
from p2pcards.session.telling import tell
from p2pcards.wire.entries import CheckEntry, Move
from p2pcards.wire.messages import PART_SIZE, Clocks, ClockState, HeaderPart, RefusedMove, Resume
from p2pcards.wire.reasons import CloseReason, RefusalCode, TakeoverReason
from p2pcards.wire.record import Record, read_record
from p2pcards.wire.refused import Cause, Refused

CHECK_SECONDS = 10.0
"""How long a listener who is connected may take for the check of a hand before she counts as absent from the next
deal."""
WAITS = "The game waits until the others have said how far their logs go."


class Running:
    """guests: the listeners of the header by side. held: after a restart nothing new is made until everybody has said
    how far her log goes, or the grace has run out: a shorter chain must never be continued."""

    def __init__(
        self, me: Me, writer: LedgerWriter, guests: dict[int, Guest], cast: Cast, now: float, held: bool
    ) -> None:
        self.me = me
        self.writer = writer
        self.guests = guests
        self.cast = cast
        self.held = held
        self.restored = held  # so that a listener's log may go further than this one
        self.started = now
        self.thinking: Think | None = None  # what a computer player was asked, and has not answered
        self.early: dict[int, bytes] = {}  # by side: what must wait, for the coordinator's own choice or while held
        self.asked = -1  # the record from which everybody with a longer log was asked last
        self.turn_began: dict[Seat, float] = {}
        self.checks_began = now
        self.ending = False
        self.clocks_sent: tuple[tuple[ClockState, int | None], ...] = ()
        self.fresh: tuple[int, Logged] | None = None  # a record that is on its way from this side, and not yet told of

    @property
    def position(self) -> Position:
        return self.writer.position

    @property
    def over(self) -> bool:
        return self.position.phase is Phase.CLOSED

    @property
    def grace(self) -> float:
        return float(self.position.header.grace)

    @property
    def check_seconds(self) -> float:
        return allowed(CHECK_SECONDS, max([guest.pace for guest in self.guests.values()], default=0.0))

    def absent(self) -> frozenset[int]:
        return frozenset(side for side, guest in self.guests.items() if not guest.synced)

    # --- what goes to whom --------------------------------------------------------------------------------------------

    def publish(self, logged: Logged, now: float) -> list[Effect]:
        """The effects of a new record."""
        return self._spread(logged) + self._story(logged, now)

    def _spread(self, logged: Logged, mover: int = 0) -> list[Effect]:
        """A record, remembered before it is sent, to everybody but the mover."""
        others = [side for side in self.guests if side != mover]
        return [
            Remember(RECORD + bytes(logged.record)),
            *[effect for side in others for effect in self._send_record(side, logged)],
        ]

    def _send_record(self, side: int, logged: Logged) -> list[Effect]:
        guest, entry = self.guests[side], logged.entries[0]
        if isinstance(entry, CheckEntry) and entry.side == side:
            return []  # she knows it, and where it stands by the number of what comes next
        return [Send(guest.peer, logged.message_for(side))] if guest.synced and guest.peer is not None else []

    def _story(self, logged: Logged, now: float) -> list[Effect]:
        self._mark_time(logged, now)
        return [Tell(happening) for happening in tell(logged.before, logged.after, logged.entries[0], self.cast)]

    def after_record(self, now: float) -> list[Effect]:
        """What follows from a listener's move or check when it is on its way."""
        return self._tell_fresh(now) + self.proceed(now)

    def _tell_fresh(self, now: float) -> list[Effect]:
        """The mover is sent her record when the others have theirs: she knows what she did."""
        fresh, self.fresh = self.fresh, None
        if fresh is None:
            return []
        mover, logged = fresh
        return self._send_record(mover, logged) + self._story(logged, now)

    def _mark_time(self, logged: Logged, now: float) -> None:
        owing = logged.after.state.to_act if logged.after.phase is Phase.PLAY else ()
        same_decision = logged.after.simultaneous and logged.before.simultaneous
        again = not isinstance(logged.entries[0], Move) or same_decision
        self.turn_began = {seat: self.turn_began.get(seat, now) if again else now for seat in owing}
        if logged.after.phase is Phase.CHECKS and logged.before.phase is not Phase.CHECKS:
            self.checks_began = now
        if self.thinking and not isinstance(logged.entries[0], CheckEntry):
            self.thinking = None

    def send_header(self, guest: Guest) -> list[Effect]:
        frame = bytes(self.writer.frame)
        pieces = [frame[i : i + PART_SIZE] for i in range(0, len(frame), PART_SIZE)]
        parts = [HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]
        return [effect for part in parts for effect in send(guest, part)]

    def greet(self, guest: Guest) -> list[Effect]:
        """A listener of this game is connected again: how far does her log go?"""
        position = self.position
        return send(guest, Resume(position.game_id, position.count, position.head))

    # --- moves --------------------------------------------------------------------------------------------------------

    def take(self, side: int, data: bytes) -> list[Effect]:
        """A move or check from a listener. Raises Refused when she broke the protocol."""
        effects = self._admit(side, data)
        return [*effects, Proceed()] if self.fresh else effects

    def _admit(self, side: int, data: bytes) -> list[Effect]:
        guest = self.guests[side]
        record, entries = read_record(data)
        entry = entries[0]
        if isinstance(entry, CheckEntry):
            if entry.side != side:
                raise Refused(Cause.SEAT, "A check came for another side.")
        elif not isinstance(entry, Move):
            raise Refused(Cause.SHAPE, "A listener sends moves and checks only.")
        elif self.position.header.seat_of(side) != entry.seat:
            raise Refused(Cause.SEAT, "A move came for another seat.")
        try:
            if self.held or (self._mine_first() and not isinstance(entry, CheckEntry)):
                self.writer.check(record, entries)
                self.early[side] = data
                return ask_ahead(self)
            logged = self.writer.take(record, entries)
        except Refused as refusal:
            return self._refuse(guest, record, entry.base, refusal)
        self.fresh = side, logged
        return self._spread(logged, side)

    def _mine_first(self) -> bool:
        """Whether a seat of the coordinator's must choose before she may see what the others chose."""
        position = self.position
        choosing = position.phase is Phase.PLAY and position.simultaneous
        return choosing and any(position.signer(seat) == 0 for seat in position.state.to_act)

    def _refuse(self, guest: Guest, record: Record, base: int, refusal: Refused) -> list[Effect]:
        if self.writer.was_taken(record.frames[0]):
            return []  # a repeated move: she has its record, or it is on the way
        match refusal.cause:
            case Cause.BASE | Cause.SEAT | Cause.SIGNATURE if base < self.position.count:
                return send(guest, RefusedMove(base, RefusalCode.LATE, str(refusal)))
            case Cause.RULES | Cause.FAIRNESS | Cause.BASE:
                rules = refusal.cause is Cause.RULES
                code = RefusalCode.AGAINST_THE_RULES if rules else RefusalCode.LATE
                return send(guest, RefusedMove(base, code, str(refusal)[:200]))
            case _:
                raise refusal

    def own_turn(self) -> Seat:
        """The coordinator's own seat, in which she may act now. Raises CommandError."""
        seat = self.position.seat
        if seat is None:
            raise CommandError("You are watching this game.")
        if seat in self.position.substituted:
            raise CommandError("Your character plays for you. Say 'back' to play again yourself.")
        if self.held:
            raise CommandError(WAITS)
        if seat not in self.position.state.to_act or self.position.phase is not Phase.PLAY:
            raise CommandError("It is not your turn.")
        return seat

    def act(self, seat: Seat, action: Action, now: float) -> list[Effect]:
        """The coordinator's own action, already read."""
        return self.publish(self.writer.move(seat, action), now) + self.proceed(now)

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """A computer player's decision; dropped if the table has moved on meanwhile."""
        if think is not self.thinking:
            return []
        self.thinking = None
        return self.publish(self.writer.move(think.seat, action), now) + self.proceed(now)

    # --- who plays ----------------------------------------------------------------------------------------------------

    def settle(self, side: int, now: float) -> list[Effect]:
        """Who plays the seat of a listener, now that she is here, has left or has asked for something."""
        if self.held:
            return [] if self._awaits_logs() else self._release(now)
        guest, seat = self.guests[side], self.position.header.seat_of(side)
        if seat is None:
            return []
        if guest.gone or guest.asked:
            return self.takeover(seat, TakeoverReason.LEFT if guest.gone else TakeoverReason.ASKED_FOR, now)
        return self.give_back(seat, now) if guest.synced else []

    def _awaits_logs(self) -> bool:
        return any(not guest.synced and not guest.gone for guest in self.guests.values())

    def _release(self, now: float) -> list[Effect]:
        """The game goes on after a restart."""
        self.held = False
        effects = [effect for side in self.guests for effect in self.settle(side, now)]
        return effects + self.proceed(now)

    def takeover(self, seat: Seat, reason: TakeoverReason, now: float) -> list[Effect]:
        if self.over or self.held or seat in self.position.substituted:
            return []
        return self.publish(self.writer.takeover(seat, reason), now) + self.proceed(now)

    def give_back(self, seat: Seat, now: float) -> list[Effect]:
        if self.over or self.held or seat not in self.position.substituted:
            return []
        self.turn_began.pop(seat, None)
        effects = self.publish(self.writer.give_back(seat), now)
        if seat in self.turn_began:
            self.turn_began[seat] = now
        return effects + self.proceed(now)

    def end(self, now: float) -> list[Effect]:
        """The coordinator ends the game: the hand is opened, the log closed."""
        self.ending = True
        effects: list[Effect] = []
        while not self.over:
            phase = self.position.phase
            opening = phase in (Phase.PLAY, Phase.OPENING)
            won = self.position.state.stage == Stage.OVER
            logged = (
                self.writer.open_hand() if opening else self.writer.close(CloseReason.WON if won else CloseReason.ENDED)
            )
            effects += self.publish(logged, now)
        return effects

    # --- what the coordinator owes ------------------------------------------------------------------------------------

    def proceed(self, now: float) -> list[Effect]:
        """Everything that the coordinator's side owes now, until somebody else has to act."""
        effects: list[Effect] = []
        while not self.held and not self.over and not self.ending:
            logged = self._owed(now)
            if logged is None:
                break
            effects += self.publish(logged, now)
        if not self.held and not self.over and not self.ending:
            effects += self._take_early(now) + self._think()
            self.position.precompute()
        return effects + self._tell_clocks(now)

    def _owed(self, now: float) -> Logged | None:
        position, writer = self.position, self.writer
        stage = position.state.stage
        if position.broken_off:
            return writer.close(CloseReason.ENDED)  # the last run of the program came no further
        if position.phase is Phase.PLAY and stage == Stage.SHOW:
            return writer.show()
        if position.phase is Phase.OPENING:
            return writer.open_hand()
        if position.phase is Phase.DEALING:
            return writer.deal()
        if position.phase is Phase.CHECKS and not self._awaited_checks(now):
            return writer.close(CloseReason.WON) if stage == Stage.OVER else writer.deal()
        return None

    def _awaited_checks(self, now: float) -> bool:
        if now >= self.checks_began + self.check_seconds:
            return False
        position = self.position
        return any(guest.synced and side not in position.checked for side, guest in self.guests.items())

    def _take_early(self, now: float) -> list[Effect]:
        if not self.early or self._mine_first():
            return []
        early, self.early = self.early, {}
        effects: list[Effect] = []
        for side, data in early.items():
            if self.guests[side].synced:
                effects += self._admit(side, data) + self._tell_fresh(now)
        return effects + self.proceed(now)

    def _think(self) -> list[Effect]:
        position = self.position
        if self.thinking is not None or position.phase is not Phase.PLAY:
            return []
        for seat in position.state.to_act:
            level = self._computer_level(seat)
            if level is not None:
                seed = self.writer.thinking_seed(seat)
                self.thinking = Think(seat, position.game, position.views[seat], level, seed)
                return [self.thinking]
        return []

    def _computer_level(self, seat: Seat) -> str | None:
        """The level that the coordinator's side must ask for this seat's action; None if a person decides."""
        entry = self.position.header.seats[seat]
        if entry.side is None or seat in self.position.substituted:
            return entry.level
        return self.me.auto if entry.side == 0 else None

    # --- clocks -------------------------------------------------------------------------------------------------------

    def deadlines(self) -> dict[Seat, tuple[float, TakeoverReason]]:
        """When which seat is taken over, and for what reason."""
        due: dict[Seat, tuple[float, TakeoverReason]] = {}
        position = self.position
        if self.over:
            return due
        for seat, entry in enumerate(position.header.seats):
            if entry.side is None or seat in position.substituted:
                continue
            guest = self.guests.get(entry.side)
            if guest is not None and not guest.synced:
                due[seat] = (max(guest.lost_at, self.started) + self.grace, TakeoverReason.LINE_LOST)
            elif seat in self.turn_began and position.header.turn_clock and not self.held:
                due[seat] = (self.turn_began[seat] + position.header.turn_clock, TakeoverReason.CLOCK_RAN_OUT)
        return due

    def my_turn_seconds(self, now: float) -> float | None:
        """What is left on the turn clock of the coordinator's own seat, while it runs."""
        time, reason = self.deadlines().get(
            self.position.seat if self.position.seat is not None else -1, (now, TakeoverReason.LINE_LOST)
        )
        return max(0.0, time - now) if reason == TakeoverReason.CLOCK_RAN_OUT else None

    def tick(self, now: float) -> list[Effect]:
        effects: list[Effect] = []
        if self.held and now >= self.started + self.grace:
            effects += self._release(now)
        for seat, (time, reason) in self.deadlines().items():
            if now >= time and not self.held:
                effects += self.takeover(seat, reason, now)
        return effects + self.proceed(now)

    def next_time(self) -> float | None:
        times = [time for time, _ in self.deadlines().values()]
        if self.position.phase is Phase.CHECKS and not self.held:
            times.append(self.checks_began + self.check_seconds)
        if self.held:
            times.append(self.started + self.grace)
        return min(times, default=None)

    def countdown(self, now: float) -> dict[Seat, float]:
        """Seconds until the characters take over for those who are away."""
        return {
            seat: max(0.0, time - now)
            for seat, (time, reason) in self.deadlines().items()
            if reason == TakeoverReason.LINE_LOST
        }

    def _tell_clocks(self, now: float) -> list[Effect]:
        """The clocks for the listeners, when they have changed."""
        left = self.countdown(now)
        clocks = tuple(
            [
                (ClockState.CHARACTER, None)
                if seat in self.position.substituted
                else (ClockState.AWAY, round(left[seat]))
                if seat in left
                else (ClockState.HERE, None)
                for seat in range(len(self.position.header.seats))
            ]
        )
        if [state for state, _ in clocks] == [state for state, _ in self.clocks_sent]:
            return []
        self.clocks_sent = clocks
        return [effect for guest in self.guests.values() if guest.synced for effect in send(guest, Clocks(clocks))]
