"""A table that goes on without the one who coordinated it: who takes it over, and when, as a table of states. Listeners
and coordinators keep it alike; protocol/machines.md is printed from it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import inf

from p2pcards.ledger.branches import is_majority
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Dial, Effect, Neighbor, TakeTable, Tell
from p2pcards.views.happenings import Notice


class Stand(StrEnum):
    """How a side stands to the one who coordinates its table."""

    APART = "no table"  # nobody has coordinated one here yet
    HOSTED = "hosted"  # the coordinator is here
    WAITING = "waiting"  # the coordinator is gone, and may come back
    EXPECTING = "expecting"  # somebody else is to take the table over
    GATHERING = "gathering"  # this side takes it over, and calls the others
    HOSTING = "hosting"  # this side coordinates


class Turn(StrEnum):
    """What changes it."""

    SEATED = "PEOPLE of a coordinator"
    LOST = "the link to them is lost, or they close their program"
    NOT_GONE = "the link to them ends in another way"
    HANDED_TO_ME = "HANDOVER to this side"
    HANDED_ON = "HANDOVER to somebody else"
    FIRST_IN_LINE = "the grace is over, and nobody comes before this side"
    IN_LINE = "the grace is over, and somebody comes before this side"
    NOBODY_CAME = "those who come before this side have not taken it in time"
    BEGUN = "HEADER of its game"
    ALONE = "not enough of the others have come in time"
    OUTRANKED = "somebody who comes before this side, or whose game counts, coordinates it"


SUCCESSION: Mapping[tuple[Stand, Turn], Stand] = {
    **{(stand, Turn.SEATED): Stand.HOSTED for stand in (Stand.APART, Stand.HOSTED, Stand.WAITING, Stand.EXPECTING)},
    (Stand.HOSTED, Turn.LOST): Stand.WAITING,
    (Stand.HOSTED, Turn.NOT_GONE): Stand.APART,
    (Stand.HOSTED, Turn.HANDED_TO_ME): Stand.GATHERING,
    (Stand.HOSTED, Turn.HANDED_ON): Stand.EXPECTING,
    (Stand.WAITING, Turn.FIRST_IN_LINE): Stand.GATHERING,
    (Stand.WAITING, Turn.IN_LINE): Stand.EXPECTING,
    (Stand.EXPECTING, Turn.NOBODY_CAME): Stand.GATHERING,
    (Stand.GATHERING, Turn.BEGUN): Stand.HOSTING,
    (Stand.GATHERING, Turn.ALONE): Stand.WAITING,
    (Stand.GATHERING, Turn.OUTRANKED): Stand.EXPECTING,
    (Stand.HOSTING, Turn.OUTRANKED): Stand.EXPECTING,
    (Stand.HOSTING, Turn.HANDED_ON): Stand.EXPECTING,
}

STEP = 10.0
"""Seconds that each in line has before the next one takes the table over."""
CALLS_FIRST = 1.0
"""Seconds for which the others leave it to somebody who takes a table over to call them."""
PATIENCE = 5.0
"""Seconds for which somebody who takes a table over waits for those who were there."""
EARLY = 5.0
"""Seconds by which the clocks of two who lost a coordinator may differ."""


def rank(line: tuple[Neighbor, ...], key: bytes) -> int | None:
    """The place of somebody in the line, 0 for the one who coordinated before; None if they are not in it."""
    return next((place for place, one in enumerate(line) if one.key == key), None)


class Successor:
    """A listener's part. stand: see `Stand`. coordinator: the key of the one who coordinates, or did; handed_to: of the
    one to whom they have handed the table, b"" for nobody."""

    def __init__(self, me: bytes, now: float) -> None:
        self.stand = Stand.APART
        self.coordinator = b""
        self.handed_to = b""
        self._me = me
        self._began = now
        self._lost_at = 0.0
        self._grace = 0.0
        self._line: tuple[Neighbor, ...] = ()
        self._called = 0  # so many in line have been called
        self._taken_by = b""  # the key of somebody who took the table over rightly

    def turn(self, turn: Turn) -> None:
        """Follow the table `SUCCESSION`."""
        self.stand = SUCCESSION[self.stand, turn]

    def seated(self, coordinator: bytes, now: float) -> None:
        """A coordinator has told who is here."""
        if coordinator != self.coordinator:
            self._taken_by = coordinator if self.may_take(coordinator, now) else b""
        self.turn(Turn.SEATED)
        self.coordinator, self.handed_to = coordinator, b""

    def part(self) -> None:
        """The link to the coordinator ended, but they are not gone."""
        if self.stand is Stand.HOSTED:
            self.turn(Turn.NOT_GONE)

    def lost(self, line: tuple[Neighbor, ...], grace: float, now: float) -> None:
        """The link to the coordinator is lost. line: as in `Inheritance`; grace: seconds for which they may be gone."""
        self.turn(Turn.LOST)
        self._wait(line, grace, now)

    def expect(self, coordinator: bytes, line: tuple[Neighbor, ...], now: float) -> None:
        """Somebody in line coordinates from now on, and is called at once."""
        self.stand, self.coordinator, self.handed_to = Stand.EXPECTING, line[0].key, coordinator
        self._wait(line, inf, now)

    def wait(self, line: tuple[Neighbor, ...]) -> None:
        """Nobody takes the table over, until the coordinator is back or our player says so."""
        self.stand, self.coordinator = Stand.WAITING, line[0].key
        self._wait(line, inf, 0.0)
        self._called = len(line)

    def _wait(self, line: tuple[Neighbor, ...], grace: float, now: float) -> None:
        self._line, self._grace, self._lost_at, self._called = line, grace, now, 0

    @property
    def others_in_line(self) -> bool:
        """True if others could take part if the table went on without its coordinator."""
        return any(one.key != self._me for one in self._line[1:])

    def may_take(self, key: bytes, now: float) -> bool:
        """True if this person may coordinate in place of the one who is gone."""
        if key in (self.handed_to, self._taken_by):
            return True
        gone = self.stand in (Stand.WAITING, Stand.EXPECTING) and now >= self._lost_at + self._grace - EARLY
        return gone and bool(rank(self._line, key))

    def believe(self, key: bytes, grace: float, now: float) -> bool:
        """After a restart: True if somebody who played in a game may go on with it, as its coordinator has not called
        in all this time."""
        if self.stand is Stand.HOSTED and self.coordinator == key and now >= self._began + grace - EARLY:
            self._taken_by = key
        return self._taken_by == key

    def take(self) -> None:
        """Our player takes the table over. Raises CommandError."""
        if self.stand not in (Stand.WAITING, Stand.EXPECTING) or not rank(self._line, self._me):
            raise CommandError("There's no game here to continue.")
        if not self._called:
            raise CommandError(f"Give {self._line[0].name} a little longer to come back.")
        self.turn(Turn.NOBODY_CAME if self.stand is Stand.EXPECTING else Turn.FIRST_IN_LINE)

    def due(self) -> float:
        """When to call `tick`."""
        if self.stand is Stand.EXPECTING and self.handed_to:
            return self._lost_at if not self._called else inf
        if self.stand not in (Stand.WAITING, Stand.EXPECTING) or not rank(self._line, self._me):
            return inf
        if self.stand is Stand.WAITING and not self.others_in_line and self._called:
            return inf  # our player decides
        first = self._line[1].key == self._me
        return self._lost_at + self._grace + (0.0 if first else CALLS_FIRST) + STEP * self._called

    def tick(self, now: float) -> list[Effect] | None:
        """Calls of those who come before this side; None if this side takes the table over now."""
        if now < self.due() or self.due() == inf:
            return []
        if self.stand is Stand.EXPECTING and self.handed_to:
            self._called = 1
            return [Dial(one.address, one.key) for one in self._line if one.key == self.handed_to and one.address]
        if self.stand is Stand.WAITING and not self.others_in_line:
            self._called = 1
            return [Tell(Notice(f"{self._line[0].name} is still gone. To play on without them: continue"))]
        before = self._line[1 : rank(self._line, self._me)]
        if self._called >= len(before):
            self.turn(Turn.NOBODY_CAME if self.stand is Stand.EXPECTING else Turn.FIRST_IN_LINE)
            return None
        if self.stand is Stand.WAITING:
            self.turn(Turn.IN_LINE)
        one = before[self._called]
        self._called += 1
        return [Dial(one.address, one.key)] if one.address else []


class Hosting:
    """A coordinator's part. inheritance: of the table that this side took over; None where it opened it."""

    def __init__(self, me: bytes, takes: TakeTable | None, now: float) -> None:
        self._me = me
        self.stand = Stand.GATHERING if takes else Stand.HOSTING
        self.inheritance = takes.inheritance if takes else None
        self._until = now + PATIENCE
        self._insists = takes is not None and takes.insists
        self._counts: dict[bytes, int] = {}  # by key, how many records of the game that goes on a guest's log has
        self._sent: dict[bytes, int] = {}  # by key, how many it had when they were sent the rest

    @property
    def gathers(self) -> bool:
        """True while those who were at the table are awaited."""
        return self.stand is Stand.GATHERING

    @property
    def left_behind(self) -> LedgerFollower | None:
        """The game that goes on, as our log has it; None once it does, or if there is none or it is closed."""
        follower = self.inheritance.follower if self.inheritance and self.gathers else None
        return None if follower is None or follower.position.phase is Phase.CLOSED else follower

    @property
    def bases(self) -> tuple[Position, ...]:
        """Where the game could go on by our log, the latest last; () if this side has begun a game here, or there was
        none."""
        if not self.gathers or self.inheritance is None:
            return ()
        return tuple(self.left_behind.bases) if self.left_behind else self.inheritance.bases

    @property
    def base(self) -> Position | None:
        """Where the game goes on: the latest of `bases` that is in the logs of all who can take part."""
        bases = self.bases
        counts = [count for count in self._counts.values() if bases and count >= bases[0].count]
        common = min(counts, default=inf)
        return next((base for base in reversed(bases) if base.count <= common), None)

    def can_take_part(self, guest: bytes) -> bool:
        """True if a guest's log is known to go as far as the game has to go on from, or there is none to compare."""
        return self.left_behind is None or not self.bases or self._counts.get(guest, -1) >= self.bases[0].count

    def compare(self, guest: bytes, count: int) -> int | None:
        """A guest's log has so many records; returns the number of the first that they are to be sent, None if they
        lack none or cannot use them."""
        latest = self.bases[-1].count if self.bases else 0
        if count < latest and self._sent.get(guest) != count:
            self._sent[guest] = count
            return count
        self._counts[guest] = count
        return None

    def forget(self, guest: bytes) -> None:
        """A guest who was compared with is gone."""
        self._counts.pop(guest, None)
        self._sent.pop(guest, None)

    @property
    def hand_was_begun(self) -> bool:
        """True if the hand that comes next was begun before."""
        follower, base = (self.inheritance.follower if self.inheritance else None), self.base
        return follower is not None and base is not None and follower.position.dealt > base.opened

    def begin(self) -> None:
        """The game of the table goes on, or there was none."""
        if self.gathers:
            self.stand = SUCCESSION[self.stand, Turn.BEGUN]

    def insist(self) -> None:
        """Our player wants to play on with anyone who is here."""
        self._insists = True

    def give_up(self, turn: Turn) -> None:
        """Follow the table `SUCCESSION` to a listener's state."""
        self.stand = SUCCESSION[self.stand, turn]

    def next_time(self) -> float:
        """When to look again."""
        return self._until if self.gathers else inf

    def is_ready(self, here: frozenset[bytes], now: float) -> bool | None:
        """True if the game goes on now with those here, by their keys; None if it cannot; False: not yet."""
        assert self.inheritance is not None
        expected = {one.key for one in self.inheritance.others(self._me)}
        ready = {key for key in here if self.can_take_part(key)}
        if not expected <= ready and now < self._until:
            return False
        return (
            self._insists or not self.bases or is_majority(frozenset({*ready, self._me}), self.bases[-1].quorum) or None
        )
