"""What the coordinator owes the log, whatever anybody else does: the table COURSE, and whom the next deal waits for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from p2pcards.games.game import Stage
from p2pcards.ledger.advance import log_is_full, may_be_continued
from p2pcards.ledger.branches import is_majority
from p2pcards.ledger.fair import awaited_sides, is_needed
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import Effect, Tell
from p2pcards.session.guests import Guest
from p2pcards.views.happenings import Notice
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import FIRST_VERSION, EntryKind


def stands_still(position: Position, guests: Mapping[int, Guest], auto: str | None) -> bool:
    """True if no person with a seat is here to play, in a game that can be paused. guests: the listeners by side; auto:
    the level that plays the coordinator's seat, None if they play. The coordinator counts as here even without a front
    end."""
    if position.header.version < FIRST_VERSION[EntryKind.PAUSE]:
        return False
    for seat, entry in enumerate(position.header.seats):
        if entry.side == 0 and auto:
            return False
        if entry.side is not None and seat not in position.taken_over:
            guest = guests.get(entry.side)
            if guest is None or guest.complete:
                return False
    return True


Guests = Mapping[int, Guest]


class Case(StrEnum):
    """What is the case in a phase, for the book; the first that holds counts."""

    ENDS = "the coordinator ends the game, or the log is full, or a hand was broken off"
    CHANGES = (
        "seats are to change hands and every player is here, or the table is and enough are; nobody has checked the "
        "hand yet"
    )
    IN_VAIN = (
        "a side on the roll has not checked, can be done without, and its time is over, or it has no seat that is kept"
    )
    MAY_CHECK = "a side that is here may check yet and has time, or the deal cannot do without one"
    LOOKED_AT = "the coordinator's player looks at the hand that is over, and has time"
    WON = "the game is won"
    GOES_ON = "a hand is to be dealt, or the rest of one"
    TO_SHOW = "the dealer is to turn something up"
    TO_ACT = "seats owe actions, and a person is here"
    NOBODY = "seats owe actions, and no person is here"
    OVER = "the hand is over, or was given up"


COURSE: Mapping[tuple[Phase, Case], EntryKind | None] = {
    (Phase.CHECKS, Case.ENDS): EntryKind.CLOSE,
    (Phase.CHECKS, Case.CHANGES): EntryKind.CLOSE,
    (Phase.CHECKS, Case.IN_VAIN): EntryKind.ABSENT,
    (Phase.CHECKS, Case.MAY_CHECK): None,
    (Phase.CHECKS, Case.LOOKED_AT): None,
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
    EntryKind.CLOSE: lambda writer: writer.close(_close_reason(writer.position)),
    EntryKind.DEAL: LedgerWriter.deal,
    EntryKind.OPENING: LedgerWriter.open_hand,
    EntryKind.OUTCOME: LedgerWriter.show,
    EntryKind.PAUSE: LedgerWriter.pause,
    EntryKind.CONTINUE: LedgerWriter.resume,
}


def next_owed_record(
    writer: LedgerWriter,
    guests: Guests,
    auto: str | None,
    in_time: bool,
    asked: bool,
    looks: bool,
    changes: bool = False,
    hands_over: bool = False,
) -> Logged | None:
    """Make the next record that the coordinator owes; None when somebody else has to act. guests, auto: as in
    `stands_still`; in_time: there is still time for checks to come; asked: there is still time for those here to say
    whether they play on; looks: the coordinator's player looks at the finished hand; changes: seats are to change
    hands; hands_over: the table is."""
    position = writer.position
    gone = _sides_to_drop(position, guests, in_time, asked)
    here = (changes and _all_are_here(position, guests)) or (hands_over and _enough_are_here(position, guests))
    case = (
        Case.CHANGES
        if here and may_be_continued(position)
        else _case_now(position, guests, auto, in_time, looks, bool(gone))
    )
    kind = COURSE[position.phase, case]
    if case is Case.CHANGES:
        return writer.close(CloseReason.CONTINUED)
    if kind is EntryKind.ABSENT:
        return writer.absent(gone[0])
    return None if kind is None else _MAKES[kind](writer)


def next_closing_record(writer: LedgerWriter) -> Logged:
    """Make the next record of a game that the coordinator is ending: the OPENING of the hand, then the CLOSE."""
    kind = COURSE[writer.position.phase, Case.ENDS]
    assert kind is not None
    return _MAKES[kind](writer)


def _close_reason(position: Position) -> CloseReason:
    """WON if the game is over by its rules, else ENDED."""
    return CloseReason.WON if position.state.stage == Stage.OVER else CloseReason.ENDED


def _case_now(
    position: Position, guests: Guests, auto: str | None, in_time: bool, looks: bool, anybody_gone: bool
) -> Case:
    """The first case of `COURSE` for this phase that holds now."""
    if log_is_full(position) or position.broken_off:  # the last run of the program came no further than to break it off
        return Case.ENDS
    match position.phase:
        case Phase.CHECKS:
            return _case_of_checks(position, guests, in_time, looks, anybody_gone)
        case Phase.DEALING:
            return Case.GOES_ON
        case Phase.OPENING:
            return Case.OVER
        case Phase.PLAY if position.state.stage == Stage.SHOW:
            return Case.TO_SHOW
        case _:
            return Case.NOBODY if stands_still(position, guests, auto) else Case.TO_ACT


def _case_of_checks(position: Position, guests: Guests, in_time: bool, looks: bool, anybody_gone: bool) -> Case:
    """The case while checks are awaited: as long as there is time, and without limit for those the deal needs."""
    if anybody_gone:
        return Case.IN_VAIN
    may_come = in_time and any(guest.complete and side not in position.checked for side, guest in guests.items())
    if may_come or awaited_sides(position):
        return Case.MAY_CHECK
    if looks:
        return Case.LOOKED_AT
    return Case.WON if position.state.stage == Stage.OVER else Case.GOES_ON


def _all_are_here(position: Position, guests: Guests) -> bool:
    """True if every player is here, or has left for good."""
    sides = [entry.side for entry in position.header.seats if entry.side]
    return all(guests[side].complete or guests[side].left for side in sides)


def _enough_are_here(position: Position, guests: Guests) -> bool:
    """True if whoever takes the table over can continue the game: nobody is waited for whose seat a character plays, as
    long as the others decide."""
    sides, taken_over = position.header.sides, position.taken_over
    here = frozenset({sides[0].key, *[guest.key for guest in guests.values() if guest.complete]})
    awaited = [entry.side for seat, entry in enumerate(position.header.seats) if entry.side and seat not in taken_over]
    return is_majority(here, position.quorum) and all(guests[side].complete or guests[side].left for side in awaited)


def _sides_to_drop(position: Position, guests: Guests, in_time: bool, asked: bool) -> list[int]:
    """The sides for which the deal would wait in vain, those who may still come back first."""
    return [
        side
        for side in sorted(
            awaited_sides(position), key=lambda side: (not guests[side].left, guests[side].complete, side)
        )
        if not is_needed(position, side)
        and not (in_time and _may_check(position, side, guests[side]))
        and not (asked and guests[side].complete)
    ]


def _may_check(position: Position, side: int, guest: Guest) -> bool:
    """True if a listener is here, or may return to a seat that is kept for them."""
    return guest.complete or not (guest.left or position.header.seat_of(side) in position.taken_over)


# --- what keeps the game from its next deal ---------------------------------------------------------------------------


class NextDeal:
    """guests: the listeners of the game by side. without_chain: of them those who have lost the chain that the header
    names, before the first deal."""

    def __init__(self, guests: Mapping[int, Guest]) -> None:
        self.without_chain: set[int] = set()
        self._guests = guests
        self._unheard: set[int] = set()  # the sides that had no header when they were asked, before the first deal
        self._told = -1  # where the phase of checks began of which it was told for whom it waits

    def is_out_of_reach(self, position: Position, side: int) -> bool:
        """True if this side has no log of the game and would refuse the header again."""
        if position.dealt == 0:
            self._unheard.add(side)
        return side in self.without_chain

    def refuses_header(self, position: Position, side: int | None) -> None:
        """Note a listener who hung up over the header: it names a chain that they have lost."""
        if side is not None and side in self._unheard and position.dealt == 0:
            self.without_chain.add(side)

    def never_comes(self) -> bool:
        """True if a listener has lost the chain for the first deal, and all are here for another game."""
        here = all(guest.here or guest.left for guest in self._guests.values())
        return bool(self.without_chain) and here

    def names(self) -> str:
        """The names of those who have lost their chain."""
        return " and ".join([self._guests[side].name for side in sorted(self.without_chain)])

    def waits(self, position: Position) -> bool:
        """True if our player was told for whom this deal waits."""
        return self._told == position.open_base

    def tell(self, position: Position, asked: bool) -> list[Effect]:
        """Tell, as the time for checks is over, for whom the deal waits all the same. asked: players here are still
        being asked."""
        missing = [self._guests[side] for side in sorted(awaited_sides(position))]
        if not missing or self.waits(position):
            return []
        self._told = position.open_base
        names = " and ".join([guest.name for guest in missing])
        verb = "is" if len(missing) == 1 else "are"
        if asked and all(guest.complete for guest in missing):
            text = f"A player dropped out, so {names} {verb} being asked whether to play on before the next hand."
            return [Tell(Notice(f"{text} To end the game now, type 'end'."))]
        if position.header.continues is not None and not position.dealt:
            text = f"Hand {position.hand_in_progress()} begins when {names} {verb} ready."
        elif not position.dealt and all(guest.complete for guest in missing):
            text = f"The game begins when {names} {'joins' if len(missing) == 1 else 'join'} the table."
        else:
            text = f"The game is waiting for {names}, who must take part in the next shuffle."
        return [Tell(Notice(f"{text} To end it now, type 'end'."))]
