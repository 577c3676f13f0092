"""What the coordinator owes the log, whatever anybody else does: their course through a game is the table `COURSE`.
protocol/coordinator.md is printed from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from p2pcards.games.game import Stage
from p2pcards.ledger.fullness import is_full
from p2pcards.ledger.position import Position
from p2pcards.ledger.roll import awaited, is_needed
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.being_here import stands_still
from p2pcards.session.guest import Guest
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.reasons import CloseReason

Guests = Mapping[int, Guest]


class Case(StrEnum):
    """What is the case in a phase, for the book; the first that holds counts."""

    ENDS = "the coordinator ends the game, or the log is full, or a hand was broken off"
    IN_VAIN = (
        "a side on the roll has not checked, can be done without, and its time is over, or it has no seat that is kept"
    )
    MAY_CHECK = "a side that is here may check yet and has time, or the deal cannot do without one"
    WON = "the game is won"
    GOES_ON = "a hand is to be dealt, or the rest of one"
    TO_SHOW = "the dealer is to turn something up"
    TO_ACT = "seats owe actions, and a person is here"
    NOBODY = "seats owe actions, and no person is here"
    OVER = "the hand is over, or was given up"


COURSE: Mapping[tuple[Phase, Case], EntryKind | None] = {
    (Phase.CHECKS, Case.ENDS): EntryKind.CLOSE,
    (Phase.CHECKS, Case.IN_VAIN): EntryKind.ABSENT,
    (Phase.CHECKS, Case.MAY_CHECK): None,
    (Phase.CHECKS, Case.WON): EntryKind.CLOSE,
    (Phase.CHECKS, Case.GOES_ON): EntryKind.DEAL,
    (Phase.DEALING, Case.ENDS): EntryKind.CLOSE,
    (Phase.DEALING, Case.GOES_ON): EntryKind.DEAL,
    (Phase.PLAY, Case.ENDS): EntryKind.OPENING,
    (Phase.PLAY, Case.TO_SHOW): EntryKind.OUTCOME,
    (Phase.PLAY, Case.NOBODY): EntryKind.PAUSE,
    (Phase.PLAY, Case.TO_ACT): None,
    (Phase.PAUSED, Case.ENDS): EntryKind.OPENING,
    (Phase.PAUSED, Case.NOBODY): None,
    (Phase.PAUSED, Case.TO_ACT): EntryKind.CONTINUE,
    (Phase.OPENING, Case.ENDS): EntryKind.OPENING,
    (Phase.OPENING, Case.OVER): EntryKind.OPENING,
}
"""What the coordinator's side writes next; None where somebody else has to act first."""

_MAKES: Mapping[EntryKind, Callable[[LedgerWriter], Logged]] = {
    EntryKind.CLOSE: lambda writer: writer.close(_ending(writer.position)),
    EntryKind.DEAL: LedgerWriter.deal,
    EntryKind.OPENING: LedgerWriter.open_hand,
    EntryKind.OUTCOME: LedgerWriter.show,
    EntryKind.PAUSE: LedgerWriter.pause,
    EntryKind.CONTINUE: LedgerWriter.go_on,
}


def owed(writer: LedgerWriter, guests: Guests, auto: str | None, in_time: bool) -> Logged | None:
    """The next record that is owed, made; None when somebody has to act. guests, auto: as `stands_still` takes them;
    in_time: there is still time for checks that have not come."""
    position = writer.position
    gone = _gone(position, guests, in_time)
    case = _case(position, guests, auto, in_time, bool(gone))
    kind = COURSE[position.phase, case]
    if kind is EntryKind.ABSENT:
        return writer.absent(gone[0])
    return None if kind is None else _MAKES[kind](writer)


def closing(writer: LedgerWriter) -> Logged:
    """The next record of a game that the coordinator ends: the hand is opened, then the log closed."""
    kind = COURSE[writer.position.phase, Case.ENDS]
    assert kind is not None
    return _MAKES[kind](writer)


def _ending(position: Position) -> CloseReason:
    return CloseReason.WON if position.state.stage == Stage.OVER else CloseReason.ENDED


def _case(position: Position, guests: Guests, auto: str | None, in_time: bool, anybody_gone: bool) -> Case:
    """What is the case now, one of those that `COURSE` has for this phase."""
    if is_full(position) or position.broken_off:  # the last run of the program came no further than to break it off
        return Case.ENDS
    match position.phase:
        case Phase.CHECKS:
            return _case_of_checks(position, guests, in_time, anybody_gone)
        case Phase.DEALING:
            return Case.GOES_ON
        case Phase.OPENING:
            return Case.OVER
        case Phase.PLAY if position.state.stage == Stage.SHOW:
            return Case.TO_SHOW
        case _:
            return Case.NOBODY if stands_still(position, guests, auto) else Case.TO_ACT


def _case_of_checks(position: Position, guests: Guests, in_time: bool, anybody_gone: bool) -> Case:
    """It waits for whoever may check while there is time, and for whom the deal needs as long as it takes."""
    if anybody_gone:
        return Case.IN_VAIN
    may_come = in_time and any(guest.complete and side not in position.checked for side, guest in guests.items())
    if may_come or awaited(position):
        return Case.MAY_CHECK
    return Case.WON if position.state.stage == Stage.OVER else Case.GOES_ON


def _gone(position: Position, guests: Guests, in_time: bool) -> list[int]:
    """Those whom the deal would wait for in vain, first who may come back last."""
    return [
        side
        for side in sorted(awaited(position), key=lambda side: (not guests[side].left, guests[side].complete, side))
        if not is_needed(position, side) and not (in_time and _may_check(position, side, guests[side]))
    ]


def _may_check(position: Position, side: int, guest: Guest) -> bool:
    """Whether a listener is here, or may come back to a seat that is kept for them."""
    return guest.complete or not (guest.left or position.header.seat_of(side) in position.substituted)
