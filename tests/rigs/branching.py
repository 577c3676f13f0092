"""A few people at a table whose host may be cut off, as small states: all that they may do about hands and branches, in
every order. What counts, and from where a table goes on, is asked of ledger/branches.py and `LedgerFollower`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from p2pcards.games.game import Stage
from p2pcards.games.registry import GAMES
from p2pcards.ledger import branches
from p2pcards.ledger.position import Position, Takeover, opened_phase
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.reasons import TakeoverReason
from p2pcards.wire.records import Header, SeatEntry, Side

# --- logs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A hand was played and opened. away: the people whose seats their characters played then."""

    away: frozenset[int]


@dataclass(frozen=True, slots=True)
class HandChecked:
    """This person's check of the hand opened last is in the log."""

    person: int


@dataclass(frozen=True, slots=True)
class BranchLog:
    """people: those of the header, its coordinator first. base: the log that it goes on from; None for the first."""

    people: tuple[int, ...]
    base: BranchLog | None = None
    records: tuple[HandPlayed | HandChecked, ...] = ()
    hash_: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash_", hash((self.people, self.base, self.records)))

    def __hash__(self) -> int:
        return self.hash_

    @property
    def host(self) -> int:
        return self.people[0]

    @property
    def branch(self) -> tuple[tuple[int, ...], BranchLog | None]:
        return self.people, self.base

    def first(self, count: int) -> BranchLog:
        return replace(self, records=self.records[:count])

    def then(self, record: HandPlayed | HandChecked) -> BranchLog:
        return replace(self, records=(*self.records, record))


KEYS = tuple([bytes([person + 1]) * 32 for person in range(4)])
GAME = GAMES["hearts"]


def key_of(log: BranchLog) -> bytes:
    return sha256(repr(log).encode()).digest()


@cache
def position_of(log: BranchLog) -> Position:
    """Where a log stands, by the functions of the program."""
    if not log.records:
        return first_position(log)
    before, record = position_of(log.first(len(log.records) - 1)), log.records[-1]
    if isinstance(record, HandChecked):
        side = log.people.index(record.person)
        after = before.changed(checkers=before.checkers | {side}, checked=before.checked | {side})
        return branches.count_hand(after.changed(count=before.count + 1, head=key_of(log)))
    return after_opening(log, before, record)


def first_position(log: BranchLog) -> Position:
    header = first_header(log.people) if log.base is None else successors_header(log.base, log.people)
    state: Any = SimpleNamespace(stage=Stage.DEAL, **dict.fromkeys(GAME.kept, 0))
    state.hand = 0 if log.base is None else position_of(log.base).state.hand
    keys = header.quorum or [side.key for side in header.sides]
    return Position(header, GAME, 0, 0, b"", 0, b"", key_of(log), state, quorum=frozenset(keys))


def after_opening(log: BranchLog, before: Position, record: HandPlayed) -> Position:
    header = before.header
    away = {header.seat_of(log.people.index(one)) for one in record.away}
    taken = {seat: Takeover(TakeoverReason.LINE_LOST, 0, 0) for seat in away if seat is not None}
    state: Any = SimpleNamespace(**vars(before.state) | {"hand": before.state.hand + 1})
    after = before.changed(
        count=before.count + 1,
        head=key_of(log),
        dealt=before.dealt + 1,
        opened=before.dealt + 1,
        taken_over=taken,
        checked=frozenset(),
        checkers=frozenset(),
        state=state,
        phase=Phase.CHECKS,
    )
    after = after.changed(present=frozenset(branches.present_players(after)))
    return branches.count_hand(after.changed(**opened_phase(after, simultaneous=True)))


def sides_of(people: tuple[int, ...]) -> tuple[Side, ...]:
    return tuple([Side(KEYS[one], f"{one}", "", b"") for one in people])


def first_header(people: tuple[int, ...]) -> Header:
    seats = tuple([SeatEntry(side, "", "", 0) for side in range(len(people))])
    return Header("hearts", (), sides_of(people), seats, 60, 0, b"", None, b"")


@cache
def successors_header(log: BranchLog, people: tuple[int, ...]) -> Header:
    base = position_of(log)
    here = {KEYS[one]: side for side, one in enumerate(people)}
    seats = [
        replace(seat, side=None if seat.side is None else here.get(base.header.sides[seat.side].key))
        for seat in base.header.seats
    ]
    return replace(
        base.header,
        sides=sides_of(people),
        seats=tuple(seats),
        previous=base.head,
        continues=branches.kept_at(base),
        quorum=branches.quorum_of_successor(base),
    )


# --- the people -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PersonApart:
    """log: the one that they follow, as far as they have it. bases: where they let a successor go on. signed: how many
    hands of it were opened when they signed their last check. linked: to the host of that log."""

    log: BranchLog
    bases: tuple[BranchLog, ...]
    signed: int = 0
    linked: bool = True


@dataclass(frozen=True, slots=True)
class BranchWorld:
    """left: logs that their hosts have given up. on_the_way: checks that were signed and not lost. cuts: how many links
    were lost so far."""

    people: tuple[PersonApart, ...]
    left: frozenset[BranchLog] = frozenset()
    on_the_way: frozenset[tuple[int, BranchLog]] = frozenset()
    cuts: int = 0

    def having(self, i: int, person: PersonApart, **others: Any) -> BranchWorld:
        return replace(self, people=(*self.people[:i], person, *self.people[i + 1 :]), **others)

    @property
    def logs(self) -> frozenset[BranchLog]:
        """The longest of every branch: its host has it."""
        return self.left | {person.log for i, person in enumerate(self.people) if person.log.host == i}


def beginning(people: int) -> BranchWorld:
    log = BranchLog(tuple(range(people)))
    return BranchWorld(tuple([PersonApart(log, (log,)) for _ in range(people)]))


Step = tuple[str, BranchWorld]


@dataclass(frozen=True, slots=True)
class SearchBounds:
    people: int = 3
    hands: int = 2  # in one log
    logs: int = 2
    cuts: int = 2
    host_away: bool = False  # a character may play the host's seat, too


def steps(world: BranchWorld, bounds: SearchBounds) -> Iterator[Step]:
    """All that can happen next."""
    for i, person in enumerate(world.people):
        if person.log.host == i:
            yield from hosting(world, i, person, bounds)
        else:
            yield from listening(world, i, person, bounds)
        if len(world.logs) < bounds.logs:
            yield from taking_over(world, i, person)


def hosting(world: BranchWorld, i: int, host: PersonApart, bounds: SearchBounds) -> Iterator[Step]:
    log = host.log
    if position_of(log).opened < bounds.hands:
        alone = [frozenset({log.host})] if bounds.host_away else []
        for away in (frozenset[int](), frozenset(log.people[1:]), *alone):
            longer = log.then(HandPlayed(away))
            opening = replace(host, log=longer, bases=(longer,))
            yield f"{i} opens a hand, away: {sorted(away)}", world.having(i, opening)
    for who, checked in world.on_the_way:
        linked = world.people[who].linked and world.people[who].log.branch == log.branch
        if linked and checked == log.first(len(checked.records)) and is_owed(log, checked, who):
            longer = log.then(HandChecked(who))
            arrived = world.on_the_way - {(who, checked)}
            yield (
                f"{who}'s check comes to {i}",
                world.having(i, replace(host, log=longer), on_the_way=arrived),
            )


def is_owed(log: BranchLog, checked: BranchLog, who: int) -> bool:
    """Whether a log still takes somebody's check of the hand that was opened last in a shorter one."""
    position = position_of(log)
    return position.opened == position_of(checked).opened and log.people.index(who) not in position.checked


def listening(world: BranchWorld, i: int, person: PersonApart, bounds: SearchBounds) -> Iterator[Step]:
    log, position = person.log, position_of(person.log)
    host = world.people[log.host]
    there = host.log.branch == log.branch
    if person.linked and there and len(host.log.records) > len(log.records):
        longer = host.log.first(len(log.records) + 1)
        kept = branches.bases_after_record([position_of(base) for base in person.bases], position_of(longer))
        bases = those_at((*person.bases, longer), kept)
        yield f"{i} hears of a record", world.having(i, replace(person, log=longer, bases=bases))
    if position.opened > person.signed and log.people.index(i) not in position.checked:
        yield f"{i} signs a check", signing(world, i, person)
    if person.linked and world.cuts < bounds.cuts:
        yield f"{i} loses the host", world.having(i, replace(person, linked=False), cuts=world.cuts + 1)
    if not person.linked and there:
        yield f"{i} has the host back", world.having(i, replace(person, linked=True))


def those_at(logs: tuple[BranchLog, ...], positions: list[Position]) -> tuple[BranchLog, ...]:
    heads = {position.head for position in positions}
    return tuple([log for log in logs if position_of(log).head in heads])


def signing(world: BranchWorld, i: int, person: PersonApart) -> BranchWorld:
    """Sign the check that is due, as `LedgerFollower.keep_check` does."""
    opened = position_of(person.log).opened
    kept = branches.bases_after_check([position_of(base) for base in person.bases], opened)
    signed = replace(person, signed=opened, bases=those_at(person.bases, kept))
    return world.having(i, signed, on_the_way=world.on_the_way | {(i, person.log)})


def taking_over(world: BranchWorld, i: int, person: PersonApart) -> Iterator[Step]:
    """Somebody who has no host goes on with whoever of the others has none; the header may be lost on its way."""
    if person.log.host == i or person.linked:
        return
    others = [one for one in range(len(world.people)) if one != i and is_free(world, one)]
    for reached in [group for size in range(len(others) + 1) for group in combinations(others, size)]:
        base = latest_common_base(world, person, reached)
        if base is not None and i in base.people and set(reached) <= set(base.people):
            yield from going_on(world, i, base, reached)


def is_free(world: BranchWorld, i: int) -> bool:
    """Whether somebody would follow another host: theirs is gone, or they are one, and give way."""
    person = world.people[i]
    return person.log.host == i or not person.linked


def latest_common_base(world: BranchWorld, person: PersonApart, reached: tuple[int, ...]) -> BranchLog | None:
    """As `Host.base` finds it."""
    for base in reversed(person.bases):
        logs = [world.people[one].log for one in reached]
        if all(log.branch == base.branch and log.first(len(base.records)) == base for log in logs):
            return base
    return None


def going_on(world: BranchWorld, i: int, base: BranchLog, reached: tuple[int, ...]) -> Iterator[Step]:
    log = BranchLog((i, *reached), base)
    if any(one.branch == log.branch for one in world.logs):
        return
    header = successors_header(base, log.people)
    agrees = [
        one
        for one in reached
        if base in world.people[one].bases and branches.successor_may_begin(position_of(base), header)
    ]
    for heard in [group for size in range(len(agrees) + 1) for group in combinations(agrees, size)]:
        after = world.having(i, PersonApart(log, (log,)))
        for one in heard:
            given_up = world.people[one].log
            left = after.left | {given_up} if given_up.host == one else after.left
            after = after.having(one, PersonApart(log, (log,)), left=left)
        yield f"{i} goes on after hand {position_of(base).opened} with {reached}, heard by {heard}", after


# --- what must hold ---------------------------------------------------------------------------------------------------


def counted_hands(log: BranchLog) -> Iterator[tuple[BranchLog, BranchLog]]:
    """Each hand that counts by a log, with the base that it was played from: the logs as they stood then."""
    position = position_of(log)
    counted = position.counted
    if not counted:
        return
    while True:
        yield from hands_up_to(log, counted)
        if log.base is None:
            return
        log, counted = log.base, position_of(log.base).opened


@cache
def counted_in(log: BranchLog) -> tuple[tuple[BranchLog, BranchLog], ...]:
    return tuple(counted_hands(log))


def hands_up_to(log: BranchLog, counted: int) -> Iterator[tuple[BranchLog, BranchLog]]:
    last = log.base or log.first(0)
    for number, record in enumerate(log.records):
        if isinstance(record, HandPlayed) and counted:
            opened = log.first(number + 1)
            yield last, opened
            last, counted = opened, counted - 1


def forked(world: BranchWorld) -> BranchLog | None:
    """A base after which hands of two branches count; None while there is none."""
    after: dict[BranchLog, BranchLog] = {}
    for log in world.logs:
        for base, hand in counted_in(log):
            if after.setdefault(base, hand) != hand:
                return base
    return None


# --- all orders -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExploredBranches:
    """worlds: how many were seen. fork: the steps to the first in which two branches count."""

    worlds: int
    depth: int
    fork: tuple[str, ...] | None = None


def explore(depth: int, bounds: SearchBounds) -> ExploredBranches:
    """Breadth first, up to so many steps."""
    position_of.cache_clear()
    successors_header.cache_clear()
    counted_in.cache_clear()
    start = beginning(bounds.people)
    came: dict[BranchWorld, tuple[BranchWorld, str] | None] = {start: None}
    layer = [start]
    for _ in range(depth):
        following: list[BranchWorld] = []
        for world in layer:
            for told, after in steps(world, bounds):
                if after in came:
                    continue
                came[after] = (world, told)
                if forked(after) is not None:
                    return ExploredBranches(len(came), depth, way_to(came, after))
                following.append(after)
        layer = following
    return ExploredBranches(len(came), depth)


def way_to(came: dict[BranchWorld, tuple[BranchWorld, str] | None], world: BranchWorld) -> tuple[str, ...]:
    way: list[str] = []
    while (step := came[world]) is not None:
        world, told = step
        way.append(told)
    return tuple(reversed(way))
