"""Whether anybody is here to play: a game at which nobody is stands still, as far as its version lets it."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.ledger.position import Position
from p2pcards.session.guest import Guest
from p2pcards.wire.entries import FIRST_VERSION, EntryKind


def stands_still(position: Position, guests: Mapping[int, Guest], auto: str | None) -> bool:
    """Whether no person who has a seat is here to play, in a game that can be paused. guests: the listeners by side;
    auto: the level that plays the coordinator's seat, or None. The coordinator is here also without a front end."""
    if position.header.version < FIRST_VERSION[EntryKind.PAUSE]:
        return False
    for seat, entry in enumerate(position.header.seats):
        if entry.side == 0 and auto:
            return False
        if entry.side is not None and seat not in position.substituted:
            guest = guests.get(entry.side)
            if guest is None or guest.complete:
                return False
    return True
