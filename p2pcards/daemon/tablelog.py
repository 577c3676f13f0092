"""The log of the game that is on at a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from p2pcards.daemon.audience import Audience
from p2pcards.ledger.numbering import Numbering
from p2pcards.session.effects import UseLog
from p2pcards.store.logfile import LogFile
from p2pcards.views.happenings import Notice

OpenLog = Callable[[UseLog], LogFile]
"""The log that is asked for. Raises StoreError."""


class TableLog:
    """file: the log of the game that the table was opened to go on with, None where it begins with none."""

    def __init__(self, open_log: OpenLog, file: LogFile | None, audience: Audience) -> None:
        self._open_log = open_log
        self._file = file
        self._game_id = b""
        self._numbering: Numbering | None = None  # of the file, once it is written to
        self._audience = audience

    @property
    def path(self) -> Path | None:
        return self._file.path if self._file else None

    @property
    def is_new(self) -> bool:
        """Whether nothing stands in it yet."""
        return self._file is not None and self._file.is_empty

    def holds(self, game_id: bytes) -> bool:
        """Whether it is the log of this game, by its identity."""
        return self._game_id == game_id

    def use(self, wanted: UseLog) -> bool:
        """From here on it is the log of this game; whether it was not before. Raises StoreError."""
        if self.holds(wanted.game_id):
            return False
        self.close()
        self._file, self._game_id, self._numbering = None, b"", None
        self._file, self._game_id = self._open_log(wanted), wanted.game_id
        self.tell_torn()
        return True

    def append(self, payload: bytes) -> None:
        """Returns when it is on disk, a note with its number, and the end of a game after the count of its notes.
        Raises StoreError; then the same payload may come again."""
        assert self._file is not None, "UseLog comes before Remember"
        if self._numbering is None:
            self._numbering = Numbering.of(self._file.asides)
        for one in self._numbering.dress(payload):
            self._file.append(one)
            self._numbering.take(one)

    def tell_torn(self) -> None:
        """What our player is told of a log whose last record was never finished."""
        if self._file and (torn := self._file.torn):
            text = (
                f"The last record of the log was never finished ({torn.size} bytes at offset {torn.offset}). "
                f"It is kept in {torn.path}; the game goes on from the record before it."
            )
            self._audience.tell(Notice(text))

    def close(self) -> None:
        if self._file:
            self._file.close()
