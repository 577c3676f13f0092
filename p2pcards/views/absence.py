"""The reasons for which a player does not play their own seat, the stand-in, and the way back, as a table.
protocol/machines.md is printed from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from p2pcards.wire.reasons import TakeoverReason


class Absence(StrEnum):
    CUT_OFF = "cut off"
    TIMED_OUT = "timed out"
    LEFT = "left"
    AWAY = "away"
    NOBODY_HERE = "nobody here"


class WayBack(StrEnum):
    LINK = "the link is back, and their log complete"
    ANY_SIGN = "any sign of life at their table: a key, a tap, a click, a typed word"
    WISH = "Enter, the button for it, or the word `back`"
    NONE = "nothing"
    OTHERS = "one of them is back"


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """One way to be absent from a seat, in words."""

    reason: TakeoverReason | None  # of the TAKEOVER that follows; None if none does
    begins: str  # the condition that starts the absence
    plays: str  # the player of the seat meanwhile
    ends: WayBack


ABSENCES: Mapping[Absence, AbsenceRow] = {
    Absence.CUT_OFF: AbsenceRow(
        TakeoverReason.LINE_LOST,
        "the link is lost",
        "nobody for `grace` seconds, then the character",
        WayBack.LINK,
    ),
    Absence.TIMED_OUT: AbsenceRow(
        TakeoverReason.CLOCK_RAN_OUT,
        "they are here, and their turn has lasted `turn_clock` seconds",
        "the character",
        WayBack.ANY_SIGN,
    ),
    Absence.LEFT: AbsenceRow(
        TakeoverReason.LEFT, "they leave the game, or are put out", "the character, to the end", WayBack.NONE
    ),
    Absence.AWAY: AbsenceRow(TakeoverReason.ASKED_FOR, "they say `away`", "the character", WayBack.WISH),
    Absence.NOBODY_HERE: AbsenceRow(
        None, "all players with a seat are one of these, and a seat is to act", "nobody: PAUSE", WayBack.OTHERS
    ),
}


def absence_row_of(reason: TakeoverReason) -> Absence:
    return next(absence for absence, row in ABSENCES.items() if row.reason is reason)


def link_text(link: str) -> str:
    """A person's link in words. link: as in `PersonView`."""
    return Absence.CUT_OFF.value if link == "away" else link


def any_key_ends_absence(absence: str) -> bool:
    """Return whether any key, tap, click or word takes the seat back, not only an explicit request. absence: as in
    `SeatView`."""
    return absence not in [one for one, row in ABSENCES.items() if row.ends is WayBack.WISH]


def all_timed_out(reasons: Iterable[TakeoverReason | None]) -> bool:
    """Return whether every seat's player ran out of time. reasons: of each person's seat, None where it isn't taken
    over."""
    return all(reason is TakeoverReason.CLOCK_RAN_OUT for reason in reasons)
