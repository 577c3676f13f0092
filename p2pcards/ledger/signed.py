"""What must stand signed by the side whose log it is before that log is acted upon, as data: every way in asks this
table, and `scripts/made` prints protocol/machines.md from it.

A coordinator has signed the header, and so every game of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from p2pcards.ledger.branches import counts
from p2pcards.ledger.position import Position
from p2pcards.wire.reasons import Verdict


class Use(StrEnum):
    """The uses of a log."""

    PLAY = "this side signs a move of a hand"
    PROVE = "a hand is called proven"
    FINISH = "the log of a game that is over is called finished"
    COUNT = "a game counts in the records"
    TAKE = "a save becomes a log"


@dataclass(frozen=True, slots=True)
class Needed:
    """What a side must have signed for one use of a log."""

    words: str  # what must be in the log
    # tells whether it is, at the end of the log; for PROVE, after the OPENING of the hand
    stands: Callable[[Position], bool]
    without: str  # what is true of a log that lacks it


def has_part(position: Position) -> bool:
    """True if this side has a part in the pack of the last hand, or could have none."""
    return position.looks_on or position.side not in position.absent


def _is_begun(position: Position) -> bool:
    """True if this side has agreed to the game by a check with a value; always in version 1."""
    return position.agreed or not position.has_roll


def _is_signed(position: Position) -> bool:
    """True if this side has signed anything, or only watches."""
    return position.signed or position.looks_on


def _is_played(position: Position) -> bool:
    """True if this side has moved, or is the coordinator, and enough people have checked the last hand."""
    return (position.moved or position.side == 0) and counts(position)


NEEDED: Mapping[Use, Needed] = {
    Use.PLAY: Needed(
        "its CHECK of hand 0, with the value after the end that the header gives it; in version 1 nothing, as its "
        "games go on only where their log is",
        _is_begun,
        "you haven't agreed to this game",
    ),
    Use.PROVE: Needed(
        "its CHECK with the value that is in the pack of this hand",
        lambda position: position.finding is Verdict.GOOD and has_part(position),
        "this log's owner took no part in its shuffle",
    ),
    Use.FINISH: Needed(
        "an entry of its own: a CHECK or a move",
        _is_signed,
        "its owner signed nothing in it",
    ),
    Use.COUNT: Needed(
        "a move of its own, by hand or by the computer player that it asked for; the last hand counts",
        _is_played,
        "its owner made no move in it, or too few people checked its last hand",
    ),
    Use.TAKE: Needed(
        "the same, or a CHECK of its own that was signed and not yet seen in a record",
        _is_signed,
        "its owner signed nothing in it",
    ),
}


def may_use_log(use: Use, position: Position) -> bool:
    """True if the side whose log this is has signed what this use of the log requires."""
    return NEEDED[use].stands(position)
