"""The clocks of a game: the look at a hand that is over, turns, absences, and the wait for checks."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, inf

from p2pcards.games.game import Seat, Stage
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import Logged
from p2pcards.session.bounds import time_allowed
from p2pcards.session.guests import Guest
from p2pcards.wire.messages import Clocks, ClockState
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import Move

NO_PAUSE = "There's no finished hand to move on from."


def is_looked_at(before: Position, after: Position) -> bool:
    """True if this record ends a hand that was played out and another follows: players look at the result meanwhile."""
    return (
        before.phase is Phase.OPENING
        and after.phase is Phase.CHECKS
        and before.given_up is None
        and after.state.stage == Stage.DEAL
        and after.header.between_hands > 0
    )


class Pause:
    """How long the person at this end may look at the hand that is over. It is over at once where the computer plays
    their seat."""

    def __init__(self, alone: bool) -> None:
        self._alone = alone
        self._until: float | None = None

    def mark(self, before: Position, after: Position, now: float) -> None:
        """Start or end the pause after a new record."""
        if is_looked_at(before, after):
            self._until = inf if self._alone else now + after.header.between_hands
        elif after.phase is not Phase.CHECKS or before.recalled < after.recalled:
            self._until = None

    def start_before_first_deal(self, position: Position, now: float) -> None:
        """Start the pause after the last hand of the log that this one continues, if it was shown here."""
        if position.sheets and not position.dealt and position.header.between_hands:
            self._until = now + position.header.between_hands

    def end_look(self) -> None:
        """End the pause: the player is done."""
        self._until = None

    def tick(self, now: float) -> bool:
        """End the pause if its time is over; True if it ends now."""
        over = self._until is not None and now >= self._until
        self._until = None if over else self._until
        return over

    def lasts(self, position: Position, auto: str | None) -> bool:
        """True while the player may look at the hand. auto: the level that plays their seat, None if they play."""
        mine = position.seat is not None and position.seat not in position.taken_over and not auto
        return mine and self._until is not None

    def left(self, position: Position, auto: str | None, now: float) -> int | None:
        """Whole seconds left of the pause; 0 if it has no end, None if there is none. auto: as in `lasts`."""
        if self._until is None or not self.lasts(position, auto):
            return None
        return 0 if self._until == inf else max(1, ceil(self._until - now))

    def next_time(self) -> float | None:
        """When to call `tick`."""
        return None if self._until == inf else self._until


CHECK_SECONDS = 10.0
"""How long a listener who is connected may take for the check of a hand; then the game goes on without it."""


ASKED_SECONDS = 300.0
"""How long a player is asked whether they play on where there is no turn clock."""


Deadlines = Mapping[Seat, tuple[float, TakeoverReason]]
"""When which seat is taken over, and why."""


class GameClocks:
    """guests: the listeners of the game by side. started: when this side began with the game, in seconds."""

    def __init__(self, guests: Mapping[int, Guest], started: float) -> None:
        self.started = started
        self._guests = guests
        self._grace_began = started  # of those who were away by then
        self._turn_began: dict[Seat, float] = {}
        self._away: dict[Seat, float] = {}  # seconds that the player there has been away since they moved last
        self._renewed: set[Seat] = set()  # whose turn was begun anew, since they moved last
        self._checks_began = started
        self._looked_at = 0
        self._asked_until = started
        self._shown: list[ClockState] | None = None

    # --- what happens -------------------------------------------------------------------------------------------------

    def mark(self, logged: Logged, now: float) -> None:
        """Set the clocks after a new record."""
        before, after = logged.before, logged.after
        owing = after.state.to_act if after.phase is Phase.PLAY else ()
        same_decision = after.simultaneous and before.simultaneous
        runs_on = same_decision or not isinstance(logged.entries[0], Move)
        self._turn_began = {seat: self._turn_began.get(seat, now) if runs_on else now for seat in owing}
        if after.phase is Phase.CHECKS and (before.phase is not Phase.CHECKS or before.recalled < after.recalled):
            self._checks_began = now
            self._looked_at = after.header.between_hands if is_looked_at(before, after) else 0
            anew = before.recalled < after.recalled
            self._asked_until = now + (after.header.turn_clock or ASKED_SECONDS) if anew else now
        if before.phase is Phase.PAUSED:
            self._grace_began = now
            self._away.clear()
            self._renewed.clear()
        if isinstance(logged.entries[0], Move):
            self._away.pop(logged.entries[0].seat, None)
            self._renewed.discard(logged.entries[0].seat)

    def note_return(self, seat: Seat | None, guest: Guest, now: float) -> None:
        """Note that the player of this seat is back with a complete log. Until they move, their grace is shorter by the
        time they were away, so that a flapping link holds nobody up."""
        if seat is None:
            return
        since = self._away_since(guest)
        self._away[seat] = self._away.get(seat, 0.0) + now - since
        if seat in self._turn_began:
            self._turn_began[seat] += now - max(since, self._turn_began[seat])
            self.renew_turn(seat, now)

    def renew_turn(self, seat: Seat, now: float) -> None:
        """Give a player who is back their whole turn again, once for each move."""
        if seat in self._turn_began and seat not in self._renewed:
            self._renewed.add(seat)
            self._turn_began[seat] = now

    # --- what is due --------------------------------------------------------------------------------------------------

    def deadlines(self, position: Position, running: bool) -> Deadlines:
        """For each seat on a clock, when its character takes over and why. running: turn clocks run."""
        due: dict[Seat, tuple[float, TakeoverReason]] = {}
        if position.phase in (Phase.PAUSED, Phase.CLOSED):
            return due
        for seat, entry in enumerate(position.header.seats):
            if entry.side is None or seat in position.taken_over:
                continue
            guest = self._guests.get(entry.side)
            if guest is not None and not guest.complete:
                left = max(0.0, position.header.grace - self._away.get(seat, 0.0))
                due[seat] = (self._away_since(guest) + left, TakeoverReason.LINE_LOST)
            elif seat in self._turn_began and position.header.turn_clock and running:
                due[seat] = (self._turn_began[seat] + position.header.turn_clock, TakeoverReason.CLOCK_RAN_OUT)
        return due

    def _away_since(self, guest: Guest) -> float:
        """When the grace of a guest who is away began."""
        return max(guest.lost_at, self._grace_began)

    def countdown(self, position: Position, now: float) -> dict[Seat, float]:
        """Seconds until the characters take over for those who are away."""
        due = self.deadlines(position, running=False)
        return {seat: max(0.0, time - now) for seat, (time, _) in due.items()}

    def checks_end(self) -> float:
        """When to stop waiting for checks."""
        slowest = max([guest.pace for guest in self._guests.values()], default=0.0)
        return self._checks_began + self._looked_at + time_allowed(CHECK_SECONDS, slowest)

    def asked_end(self) -> float:
        """When to stop waiting for players who are asked whether they play on after a dropout."""
        return max(self.checks_end(), self._asked_until)

    # --- what listeners are shown -------------------------------------------------------------------------------------

    def show_again(self) -> None:
        """Have `news` return the clocks again, for somebody who has not seen them."""
        self._shown = None

    def news(self, position: Position, now: float) -> Clocks | None:
        """The CLOCKS message if a seat's state has changed since the last one, else None."""
        left = self.countdown(position, now)
        clocks = tuple([self._clock_of(position, seat, left.get(seat)) for seat in range(len(position.header.seats))])
        states = [state for state, _ in clocks]
        if states == self._shown:
            return None
        self._shown = states
        return Clocks(clocks)

    def _clock_of(self, position: Position, seat: Seat, left: float | None) -> tuple[ClockState, int | None]:
        """The state of a seat, and the seconds left until its character takes over."""
        if seat in position.taken_over:
            return ClockState.CHARACTER, None
        guest = self._guests.get(position.header.seats[seat].side or 0)
        here = guest is None or guest.complete
        return (ClockState.HERE if here else ClockState.AWAY), None if left is None else round(left)
