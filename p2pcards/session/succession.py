"""Succession at a table that has lost its coordinator, as a table of states for listeners and coordinators.
protocol/machines.md is printed from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import inf

from p2pcards.ledger.branches import bases_at, continues_another, is_majority
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Dial, Effect, Inheritance, Neighbor, TakeTable, Tell
from p2pcards.views.happenings import Notice
from p2pcards.wire.reasons import CloseReason


class Succession(StrEnum):
    """A side's part in the succession."""

    APART = "no table"  # nobody has coordinated one here yet
    HOSTED = "hosted"  # the coordinator is here
    WAITING = "waiting"  # the coordinator is gone, and may come back
    EXPECTING = "expecting"  # somebody else is to take the table over
    GATHERING = "gathering"  # this side takes it over, and calls the others
    HOSTING = "hosting"  # this side coordinates


class SuccessionStep(StrEnum):
    """An event that changes it."""

    SEATED = "PEOPLE of a coordinator"
    LOST = "the link to them is lost, or they close their program"
    GIVEN_UP = "BYE 24: they have taken it over, and too few are here"
    NOT_GONE = "the link to them ends in another way"
    HANDED_TO_ME = "HANDOVER to this side"
    HANDED_ON = "HANDOVER to somebody else"
    NOT_TAKEN = "the one to whom it was handed over has not taken it within the grace"
    FIRST_IN_LINE = "the grace is over, and nobody comes before this side"
    IN_LINE = "the grace is over, and somebody comes before this side"
    NOBODY_CAME = "those who come before this side have not taken it in time"
    BEGUN = "HEADER of its game"
    ALONE = "not enough of the others have come in time"
    OUTRANKED = "somebody who comes before this side, or whose game counts, coordinates it"
    NOT_LET_IN = "BYE 25 of somebody in line: this watcher may not watch there"


SUCCESSION: Mapping[tuple[Succession, SuccessionStep], Succession] = {
    **{
        (state, SuccessionStep.SEATED): Succession.HOSTED
        for state in (Succession.APART, Succession.HOSTED, Succession.WAITING, Succession.EXPECTING)
    },
    (Succession.HOSTED, SuccessionStep.LOST): Succession.WAITING,
    (Succession.HOSTED, SuccessionStep.GIVEN_UP): Succession.WAITING,
    (Succession.HOSTED, SuccessionStep.NOT_GONE): Succession.APART,
    (Succession.HOSTED, SuccessionStep.HANDED_TO_ME): Succession.GATHERING,
    (Succession.HOSTED, SuccessionStep.HANDED_ON): Succession.EXPECTING,
    (Succession.WAITING, SuccessionStep.FIRST_IN_LINE): Succession.GATHERING,
    (Succession.WAITING, SuccessionStep.IN_LINE): Succession.EXPECTING,
    (Succession.EXPECTING, SuccessionStep.NOT_TAKEN): Succession.WAITING,
    (Succession.EXPECTING, SuccessionStep.NOBODY_CAME): Succession.GATHERING,
    (Succession.GATHERING, SuccessionStep.BEGUN): Succession.HOSTING,
    (Succession.GATHERING, SuccessionStep.ALONE): Succession.WAITING,
    (Succession.GATHERING, SuccessionStep.OUTRANKED): Succession.EXPECTING,
    (Succession.HOSTING, SuccessionStep.OUTRANKED): Succession.EXPECTING,
    (Succession.HOSTING, SuccessionStep.HANDED_ON): Succession.EXPECTING,
    (Succession.WAITING, SuccessionStep.NOT_LET_IN): Succession.APART,
    (Succession.EXPECTING, SuccessionStep.NOT_LET_IN): Succession.APART,
}

STEP = 10.0
"""Seconds that each in line has before the next one takes the table over."""
CALLS_FIRST = 1.0
"""Seconds that the others wait for the successor's call before they call."""
PATIENCE = 5.0
"""Seconds that a successor waits for the people of the table."""
EARLY = 5.0
"""Seconds by which the clocks of two listeners may differ."""
RETRY, TRIES = 60.0, 3
"""Seconds after which a successor who found too few tries again, and how often they try in all. The same for
a side without a place in line that found no coordinator."""


def too_few(former: str, tries: int, watches: bool = False) -> Notice:
    """The notice that too few are here to play on. former: the name of the host who is gone; tries: how often it was
    tried; watches: our player only watches."""
    again = "" if tries >= TRIES else f" Trying again in {RETRY:.0f} s."
    anyway = "" if watches else " To play on anyway: continue"
    return Notice(f"Too few players are here to go on without {former or 'the host'}.{again}{anyway}")


def can_continue(game: LedgerFollower) -> bool:
    """True if a successor may continue this game."""
    closed = game.position.phase is Phase.CLOSED and game.position.ended is not CloseReason.CONTINUED
    return not (closed or game.left)


def bases_of(game: LedgerFollower, games: Iterable[LedgerFollower] = ()) -> tuple[Position, ...]:
    """The positions from which a successor may continue this game, the latest last. games: as in `base_before`."""
    if game.left:
        return ()
    before = base_before(game, games)
    return (*([before] if before else []), *bases_at(game.position, game.bases))


def base_before(game: LedgerFollower, games: Iterable[LedgerFollower]) -> Position | None:
    """The base from which a game continues one of these, as long as it has no deal: where somebody has no log of it, a
    successor continues that one. No card can be dealt in it without a check of theirs."""
    header = game.start.header
    if game.position.dealt or not continues_another(header):
        return None
    bases = [base for one in games if one is not game for base in bases_at(one.position, one.bases)]
    return next((base for base in bases if base.head == header.previous), None)


def rank(line: tuple[Neighbor, ...], key: bytes) -> int | None:
    """A person's place in the line, 0 for the last coordinator; None if they are not in it."""
    return next((place for place, one in enumerate(line) if one.key == key), None)


def _is_in(base: Position, game: LedgerFollower) -> bool:
    """True for a base of this game, and not of the one that it continues."""
    return base.game_id == game.position.game_id


NO_LOG = -1
"""In place of the number of records in a log, where there is none."""

LOBBY_GRACE = 60.0
"""Seconds for which a coordinator may be gone between games."""


def grace_of(left: Inheritance) -> float:
    """Seconds for which the coordinator of this table may be gone: as in its game also once that is won."""
    positions = [*left.bases, *([left.follower.position] if left.follower else [])]
    return positions[0].header.grace if positions else LOBBY_GRACE


def line_behind(heir: bytes, line: tuple[Neighbor, ...]) -> tuple[Neighbor, ...]:
    """The line once the table was handed over: the new coordinator, the others in order, and the old one last."""
    others = [one for one in line[1:] if one.key != heir]
    return (*[one for one in line if one.key == heir], *others, line[0])


class Successor:
    """A listener's part. coordinator: the key of the present coordinator, or of the last one; handed_to: the key of the
    person they handed the table to, b"" for nobody."""

    def __init__(self, me: bytes, now: float) -> None:
        self.state = Succession.APART
        self.coordinator = b""
        self.handed_to = b""
        self.tries = 0  # how often this side has taken the table over and found too few
        self._me = me
        self._began = now
        self._lost_at = 0.0
        self._grace = 0.0
        self._gone = False  # nobody has to wait for the coordinator any more
        self._line: tuple[Neighbor, ...] = ()
        self._called = 0  # so many in line have been called
        self._calls = False  # this side calls the coordinator who is awaited
        self._next_call = 0.0
        self._taken_by = b""  # the key of a rightful successor

    def step(self, step: SuccessionStep) -> None:
        """Follow the table `SUCCESSION`."""
        self.state = SUCCESSION[self.state, step]

    def seated(self, coordinator: bytes, now: float) -> None:
        """A coordinator has told who is here."""
        if coordinator != self.coordinator:
            self._taken_by = coordinator if self.may_take(coordinator, now) else b""
        self.step(SuccessionStep.SEATED)
        self.coordinator, self.handed_to = coordinator, b""

    def part(self) -> None:
        """The link to the coordinator ended, but they are not gone."""
        if self.state is Succession.HOSTED:
            self.step(SuccessionStep.NOT_GONE)

    def lost(self, line: tuple[Neighbor, ...], grace: float, now: float, calls: bool = False) -> None:
        """The link to the coordinator is lost. line: as in `Inheritance`; grace: seconds for which they may be gone;
        calls: nobody else calls them again."""
        self.step(SuccessionStep.LOST)
        self.tries = 0
        self._wait(line, grace, now)
        self._calls, self._next_call = calls, now + CALLS_FIRST

    def expect(self, coordinator: bytes, line: tuple[Neighbor, ...], grace: float, now: float) -> None:
        """Somebody in line coordinates from now on, and is called until they are here. grace: as in `lost`."""
        self.state, self.coordinator, self.handed_to = Succession.EXPECTING, b"", coordinator
        self._wait(line, grace, now)
        self._calls, self._next_call = True, now

    def give_up(self, line: tuple[Neighbor, ...], now: float) -> None:
        """The coordinator took the table over, and found too few."""
        self.step(SuccessionStep.GIVEN_UP)
        self._wait(line, RETRY, now, gone=True)

    def try_again(self, line: tuple[Neighbor, ...], tries: int, now: float) -> None:
        """This side took the table over, and found too few; it tries again later."""
        self.state, self.coordinator, self.tries = Succession.WAITING, line[0].key, tries
        self._wait(line, RETRY, now, gone=True)

    def _wait(self, line: tuple[Neighbor, ...], grace: float, now: float, gone: bool = False) -> None:
        self._line, self._grace, self._lost_at, self._gone = line, grace, now, gone
        self._called, self._calls = 0, False

    @property
    def others_in_line(self) -> bool:
        """True if others could play on without the coordinator."""
        return any(one.key != self._me for one in self._line[1:])

    def has_in_line(self, key: bytes) -> bool:
        """True for a person who may coordinate the table next, and doesn't yet."""
        return self.state in (Succession.WAITING, Succession.EXPECTING) and rank(self._line, key) is not None

    def not_let_in(self) -> None:
        """Somebody in line coordinates the table, and does not let our player watch."""
        if self.state in (Succession.WAITING, Succession.EXPECTING):
            self.step(SuccessionStep.NOT_LET_IN)

    def may_take(self, key: bytes, now: float) -> bool:
        """True if this person may succeed the coordinator."""
        if key in (self.handed_to, self._taken_by):
            return True
        gone = self._gone or now >= self._lost_at + self._grace - EARLY
        waits = self.state in (Succession.WAITING, Succession.EXPECTING)
        return waits and gone and rank(self._line, key) is not None

    def believe(self, key: bytes, grace: float, now: float) -> bool:
        """True if this player may succeed the coordinator of a game after a restart here: the coordinator has not
        called in all this time."""
        if self.state is Succession.HOSTED and self.coordinator == key and now >= self._began + grace - EARLY:
            self._taken_by = key
        return self._taken_by == key

    def take(self) -> None:
        """Our player takes the table over. Raises CommandError."""
        if self.state not in (Succession.WAITING, Succession.EXPECTING) or not rank(self._line, self._me):
            raise CommandError("There's no game here to continue.")
        if not (self._called or self._gone):
            raise CommandError(f"Give {self._line[0].name} a little longer to come back.")
        self.step(SuccessionStep.NOBODY_CAME if self.state is Succession.EXPECTING else SuccessionStep.FIRST_IN_LINE)

    def due(self) -> float:
        """When to call `tick`."""
        return min(self._call_due(), self._take_due())

    def _call_due(self) -> float:
        """When to call the coordinator who is awaited."""
        waits = self._calls and self.state in (Succession.WAITING, Succession.EXPECTING)
        return self._next_call if waits and self._awaited.address else inf

    @property
    def _awaited(self) -> Neighbor:
        """The coordinator who is awaited: the one the table was handed to, or the one who is gone."""
        return next((one for one in self._line if one.key == self.handed_to), self._line[0])

    def _take_due(self) -> float:
        """When this side calls those before it in line, or takes the table over. One who is not in line calls all who
        are, a little later."""
        place = rank(self._line, self._me)
        if self.state not in (Succession.WAITING, Succession.EXPECTING) or place == 0 or self.tries >= TRIES:
            return inf
        if self.state is Succession.EXPECTING and self.handed_to:
            return self._lost_at + self._grace
        if self.state is Succession.WAITING and not self.others_in_line and self._called:
            return inf  # our player decides
        if place is None and not self.others_in_line:
            return inf  # nobody could coordinate the table
        later = EARLY + CALLS_FIRST if place is None else CALLS_FIRST if place > 1 else 0.0
        return self._lost_at + self._grace + later + STEP * self._called

    def tick(self, now: float) -> list[Effect] | None:
        """Calls that are due; None if this side takes the table over now."""
        if now < self.due() or self.due() == inf:
            return []
        if now < self._take_due():
            self._next_call = now + STEP
            return [Dial(self._awaited.address, self._awaited.key)]
        if self.state is Succession.EXPECTING and self.handed_to:
            self.step(SuccessionStep.NOT_TAKEN)
            self.handed_to = b""
            # Nobody answered there; somebody in line soon takes the table over.
            self._calls = self._calls and rank(self._line, self._me) is not None
            return []
        if self.state is Succession.WAITING and not self.others_in_line:
            self._called = 1
            return [Tell(Notice(f"{self._line[0].name} is still gone. To play on without them: continue"))]
        place = rank(self._line, self._me)
        before = self._line[1:place]
        if self._called >= len(before) and place is None:
            self._begin_again(now)
            return []
        if self._called >= len(before):
            self.step(
                SuccessionStep.NOBODY_CAME if self.state is Succession.EXPECTING else SuccessionStep.FIRST_IN_LINE
            )
            return None
        if self.state is Succession.WAITING:
            self.step(SuccessionStep.IN_LINE)
        one = before[self._called]
        self._called += 1
        return [Dial(one.address, one.key)] if one.address else []

    def _begin_again(self, now: float) -> None:
        """Nobody in line coordinates the table yet: call them all again later."""
        self.tries += 1
        calls = self._calls
        self._wait(self._line, RETRY, now, gone=True)
        self._calls = calls


class Hosting:
    """A coordinator's part. inheritance: of the table that this side took over; None if it opened the table itself."""

    def __init__(self, me: bytes, takes: TakeTable | None, now: float) -> None:
        self._me = me
        self.state = Succession.GATHERING if takes else Succession.HOSTING
        self.inheritance = takes.inheritance if takes else None
        self._until = self._next = now + PATIENCE
        self._gives_up = now + (grace_of(takes.inheritance) if takes and takes.inheritance.handed else PATIENCE)
        self._insists = takes is not None and takes.insists
        self._counts: dict[bytes, int] = {}  # by key, the number of records in a guest's log of the continued game
        self._sent: dict[bytes, int] = {}  # by key, that number when the guest was sent the rest

    @property
    def gathers(self) -> bool:
        """True while the people of the table are awaited."""
        return self.state is Succession.GATHERING

    @property
    def left_behind(self) -> LedgerFollower | None:
        """The game to be continued, as our log has it; None once it is, or if there is none or it is over."""
        follower = self.inheritance.follower if self.inheritance and self.gathers else None
        return follower if follower is not None and can_continue(follower) else None

    @property
    def bases(self) -> tuple[Position, ...]:
        """The positions from which our log could be continued, the latest last; () if this side has begun a game here,
        or there was none."""
        if not self.gathers or self.inheritance is None:
            return ()
        follower = self.inheritance.follower
        if follower is None:
            return self.inheritance.bases
        before = [] if follower.position.dealt else [one for one in self.inheritance.bases if not _is_in(one, follower)]
        return (*before, *bases_of(follower))

    @property
    def base(self) -> Position | None:
        """The latest of `bases` that is in the logs of everyone who can take part."""
        bases = self.bases
        counts = [count for count in self._counts.values() if bases and count >= self._needed(bases[0])]
        common = min(counts, default=inf)
        return next((base for base in reversed(bases) if self._needed(base) <= common), None)

    def _needed(self, base: Position) -> int:
        """The number of records with which a log of the continued game reaches a base; -1: none is needed."""
        follower = self.inheritance.follower if self.inheritance else None
        return base.count if follower is None or _is_in(base, follower) else NO_LOG

    @property
    def goes_back(self) -> bool:
        """True if the first of `bases` is in the log before, of which nobody lacks anything."""
        return bool(self.bases) and self._needed(self.bases[0]) == NO_LOG

    def can_take_part(self, guest: bytes) -> bool:
        """True if a guest's log is known to reach the first of `bases`, or there is none to compare."""
        if self.left_behind is None or not self.bases or not self.has_log_to_compare(guest):
            return True
        return guest in self._counts and self._counts[guest] >= self._needed(self.bases[0])

    def has_log_to_compare(self, guest: bytes) -> bool:
        """False for the coordinator of the game to be continued, who has every record, and whoever has no side in
        it."""
        side = None if self.left_behind is None else self.left_behind.start.header.side_of(guest)
        return bool(side)

    def compare(self, guest: bytes, count: int) -> int | None:
        """Note the number of records in a guest's log, or NO_LOG; returns the number of the first record to send them,
        None if they lack none or cannot use them."""
        latest = self.bases[-1].count if self.bases else 0
        if NO_LOG < count < latest and self._sent.get(guest) != count:
            self._sent[guest] = count
            return count
        self._counts[guest] = count
        return None

    def forget(self, guest: bytes) -> None:
        """Forget a guest's log, as they are gone."""
        self._counts.pop(guest, None)
        self._sent.pop(guest, None)

    @property
    def hand_was_begun(self) -> bool:
        """True if the hand that comes next was begun before."""
        follower, base = (self.inheritance.follower if self.inheritance else None), self.base
        return follower is not None and base is not None and follower.position.dealt > base.opened

    def begin(self) -> None:
        """The game of the table is continued, or there was none."""
        if self.gathers:
            self.state = SUCCESSION[self.state, SuccessionStep.BEGUN]

    def insist(self) -> None:
        """Our player wants to play on with anyone who is here."""
        self._insists = True

    def give_up(self, step: SuccessionStep) -> None:
        """Follow the table `SUCCESSION` to a listener's state."""
        self.state = SUCCESSION[self.state, step]

    def next_time(self) -> float:
        """When to look again."""
        return self._next if self.gathers else inf

    def is_ready(self, here: frozenset[bytes], now: float) -> bool | None:
        """True if the game can be continued now with the people of these keys; None if it never can; False: not yet."""
        assert self.inheritance is not None
        expected = {one.key for one in self.inheritance.others(self._me)}
        ready = {key for key in here if self.can_take_part(key)}
        self._next = self._until if now < self._until else self._gives_up
        if not expected <= ready and now < self._until:
            return False
        enough = not self.bases or is_majority(frozenset({*ready, self._me}), (self.base or self.bases[-1]).quorum)
        if self._insists or enough:
            return True
        return None if now >= self._gives_up else False
