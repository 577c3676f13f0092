"""The clocks of a live game: since when whose turn it is, how long a hand may be checked, and when a character plays
for somebody who does not."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.games.game import Seat
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import Logged
from p2pcards.session.guest import Guest
from p2pcards.session.liveness import allowed
from p2pcards.wire.entries import Move
from p2pcards.wire.messages import Clocks, ClockState
from p2pcards.wire.reasons import TakeoverReason

CHECK_SECONDS = 10.0
"""How long a listener who is connected may take for the check of a hand; then the game goes on without it."""


class GameClocks:
    """guests: the listeners of the game by side. started: when this side began with the game, in seconds."""

    def __init__(self, guests: Mapping[int, Guest], started: float) -> None:
        self.started = started
        self._guests = guests
        self._grace_began = started  # of whoever was away by then
        self._turn_began: dict[Seat, float] = {}
        self._away: dict[Seat, float] = {}  # seconds that whoever sits there has been away since they moved last
        self._renewed: set[Seat] = set()  # whose turn was begun anew, since they moved last
        self._checks_began = started
        self._shown: list[ClockState] | None = None

    # --- what happens -------------------------------------------------------------------------------------------------

    def mark(self, logged: Logged, now: float) -> None:
        """A new record."""
        before, after = logged.before, logged.after
        owing = after.state.to_act if after.phase is Phase.PLAY else ()
        same_decision = after.simultaneous and before.simultaneous
        runs_on = same_decision or not isinstance(logged.entries[0], Move)
        self._turn_began = {seat: self._turn_began.get(seat, now) if runs_on else now for seat in owing}
        if after.phase is Phase.CHECKS and (before.phase is not Phase.CHECKS or before.recalled < after.recalled):
            self._checks_began = now
        if before.phase is Phase.PAUSED:
            self._grace_began = now
            self._away.clear()
            self._renewed.clear()
        if isinstance(logged.entries[0], Move):
            self._away.pop(logged.entries[0].seat, None)
            self._renewed.discard(logged.entries[0].seat)

    def back(self, seat: Seat | None, guest: Guest, now: float) -> None:
        """Whoever has this seat, and was away, has every record again. Until they move the grace is shorter by the time
        that they were: a link that comes and goes holds nobody up."""
        if seat is None:
            return
        since = self._away_since(guest)
        self._away[seat] = self._away.get(seat, 0.0) + now - since
        if seat in self._turn_began:
            self._turn_began[seat] += now - max(since, self._turn_began[seat])
            self.renew_turn(seat, now)

    def renew_turn(self, seat: Seat, now: float) -> None:
        """Whoever has this seat plays again: if it is their turn, all of it is before them, but once for each move."""
        if seat in self._turn_began and seat not in self._renewed:
            self._renewed.add(seat)
            self._turn_began[seat] = now

    # --- what is due --------------------------------------------------------------------------------------------------

    def deadlines(self, position: Position, running: bool) -> dict[Seat, tuple[float, TakeoverReason]]:
        """When which seat is taken over, and why. running: the turn clocks run."""
        due: dict[Seat, tuple[float, TakeoverReason]] = {}
        if position.phase in (Phase.PAUSED, Phase.CLOSED):
            return due
        for seat, entry in enumerate(position.header.seats):
            if entry.side is None or seat in position.substituted:
                continue
            guest = self._guests.get(entry.side)
            if guest is not None and not guest.complete:
                left = max(0.0, position.header.grace - self._away.get(seat, 0.0))
                due[seat] = (self._away_since(guest) + left, TakeoverReason.LINE_LOST)
            elif seat in self._turn_began and position.header.turn_clock and running:
                due[seat] = (self._turn_began[seat] + position.header.turn_clock, TakeoverReason.CLOCK_RAN_OUT)
        return due

    def _away_since(self, guest: Guest) -> float:
        return max(guest.lost_at, self._grace_began)

    def countdown(self, position: Position, now: float) -> dict[Seat, float]:
        """Seconds until the characters take over for those who are away."""
        due = self.deadlines(position, running=False)
        return {seat: max(0.0, time - now) for seat, (time, _) in due.items()}

    def turn_seconds(self, position: Position, seat: Seat | None, running: bool, now: float) -> float | None:
        """What is left on the turn clock of a seat, while it runs."""
        found = self.deadlines(position, running).get(seat) if seat is not None else None
        if found is None or found[1] is not TakeoverReason.CLOCK_RAN_OUT:
            return None
        return max(0.0, found[0] - now)

    def checks_end(self) -> float:
        """When nobody waits for checks any more."""
        slowest = max([guest.pace for guest in self._guests.values()], default=0.0)
        return self._checks_began + allowed(CHECK_SECONDS, slowest)

    # --- what listeners are shown -------------------------------------------------------------------------------------

    def show_again(self) -> None:
        """Somebody has not seen the clocks."""
        self._shown = None

    def news(self, position: Position, now: float) -> Clocks | None:
        """The clocks, if the state of a seat is not the one that was shown last."""
        left = self.countdown(position, now)
        clocks = tuple([self._clock(position, seat, left.get(seat)) for seat in range(len(position.header.seats))])
        states = [state for state, _ in clocks]
        if states == self._shown:
            return None
        self._shown = states
        return Clocks(clocks)

    def _clock(self, position: Position, seat: Seat, left: float | None) -> tuple[ClockState, int | None]:
        if seat in position.substituted:
            return ClockState.CHARACTER, None
        guest = self._guests.get(position.header.seats[seat].side or 0)
        here = guest is None or guest.complete
        return (ClockState.HERE if here else ClockState.AWAY), None if left is None else round(left)
