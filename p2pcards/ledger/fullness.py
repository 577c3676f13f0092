"""How long the log of a game may become: far beyond any game that people play, so that nobody fills a disk with one."""

from __future__ import annotations

from p2pcards.ledger.position import Position
from p2pcards.wire.entries import EntryKind

MOST_RECORDS = 65_536
MOST_BYTES = 16 << 20
"""Of all frames together; with faces and openings a log takes less than twice as much."""

LAST = (EntryKind.OPENING, EntryKind.CHECK, EntryKind.CLOSE)
"""What may follow yet in a log that is full."""


def is_full(position: Position) -> bool:
    return position.count >= MOST_RECORDS or position.size >= MOST_BYTES


def full_sentence() -> str:
    """Why the game is over, without its subject."""
    return f"its log is full, as no game may have more than {MOST_RECORDS:,} records"
