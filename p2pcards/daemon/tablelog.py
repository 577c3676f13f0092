"""The log of the game that is on at a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from p2pcards.daemon.audience import Audience
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
        self._file, self._game_id = None, b""
        self._file, self._game_id = self._open_log(wanted), wanted.game_id
        self.tell_torn()
        return True

    def append(self, payload: bytes) -> None:
        """Returns when it is on disk. Raises StoreError."""
        assert self._file is not None, "UseLog comes before Remember"
        self._file.append(payload)

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
