"""Games of before, of which a listener lacks the end: while another is offered, or one goes on of which they have no
log, they may ask for what follows their last record."""

from __future__ import annotations

from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.catching_up import Standing, standing
from p2pcards.session.effects import Effect
from p2pcards.session.feed import records_from
from p2pcards.session.guest import Guest
from p2pcards.wire.messages import Resume


class PastGames:
    """Those that were asked for since a game was offered last: one for each listener, so that nobody has log after log
    read."""

    def __init__(self) -> None:
        self._asked: dict[bytes, LedgerWriter | None] = {}

    def asked(self, key: bytes) -> bool:
        """Whether the listener with this key has asked for one."""
        return key in self._asked

    def know(self, key: bytes, game: LedgerWriter | None) -> None:
        """The game that they have asked for, as its log tells it; None where there is none of theirs."""
        self._asked[key] = game

    def forget(self) -> None:
        self._asked.clear()

    def missing(self, guest: Guest, said: Resume) -> list[Effect]:
        """The records that follow those of the listener, where their log is the beginning of ours."""
        writer = self._asked.get(guest.key)
        side = writer.position.header.side_of(guest.key) if writer else None
        if writer is None or side is None or writer.position.game_id != said.game_id:
            return []
        return records_from(writer, said.count, guest, side) if standing(writer, said) is Standing.BEHIND else []
