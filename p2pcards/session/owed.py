"""What the coordinator owes the log, whatever anybody else does."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.games.game import Stage
from p2pcards.ledger.fullness import is_full
from p2pcards.ledger.position import Position
from p2pcards.ledger.roll import awaited, is_needed
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.being_here import stands_still
from p2pcards.session.guest import Guest
from p2pcards.wire.reasons import CloseReason


def owed(writer: LedgerWriter, guests: Mapping[int, Guest], auto: str | None, in_time: bool) -> Logged | None:
    """The next record that is owed, made; None when somebody has to act. guests, auto: as `stands_still` takes them;
    in_time: there is still time for checks that have not come."""
    position = writer.position
    if is_full(position):
        return closing(writer)
    if position.broken_off:
        return writer.close(CloseReason.ENDED)  # the last run of the program came no further
    if position.phase is Phase.PLAY and position.state.stage == Stage.SHOW:
        return writer.show()
    if position.phase is Phase.OPENING:
        return writer.open_hand()
    if position.phase is Phase.DEALING:
        return writer.deal()
    if position.phase is Phase.CHECKS:
        return _after_checks(writer, position, guests, in_time)
    return _pause(writer, position, guests, auto)


def closing(writer: LedgerWriter) -> Logged:
    """The next record of a game that the coordinator ends: the hand is opened, then the log closed."""
    position = writer.position
    if position.phase in (Phase.PLAY, Phase.PAUSED, Phase.OPENING):
        return writer.open_hand()
    return writer.close(CloseReason.WON if position.state.stage == Stage.OVER else CloseReason.ENDED)


def _after_checks(
    writer: LedgerWriter, position: Position, guests: Mapping[int, Guest], in_time: bool
) -> Logged | None:
    """Whoever the deal would wait for in vain is absent, those first who may come back last; it waits for the others
    while there is time, and for whom it needs as long as it takes."""
    gone = [
        side
        for side in sorted(awaited(position), key=lambda side: (not guests[side].left, guests[side].complete, side))
        if not is_needed(position, side) and not (in_time and _may_check(position, side, guests[side]))
    ]
    if gone:
        return writer.absent(gone[0])
    if in_time and any(guest.complete and side not in position.checked for side, guest in guests.items()):
        return None
    if awaited(position):
        return None
    return writer.close(CloseReason.WON) if position.state.stage == Stage.OVER else writer.deal()


def _may_check(position: Position, side: int, guest: Guest) -> bool:
    """Whether a listener is here, or may come back to a seat that is kept for them."""
    return guest.complete or not (guest.left or position.header.seat_of(side) in position.substituted)


def _pause(writer: LedgerWriter, position: Position, guests: Mapping[int, Guest], auto: str | None) -> Logged | None:
    if position.phase not in (Phase.PLAY, Phase.PAUSED):
        return None
    stands = stands_still(position, guests, auto)
    if stands is (position.phase is Phase.PAUSED):
        return None
    return writer.pause() if stands else writer.go_on()
