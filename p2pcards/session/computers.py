"""The seats that computer players decide for at a coordinator's table: one is asked at a time, and an answer counts for
its very question."""

from __future__ import annotations

from p2pcards.games.game import Seat
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.deputy import Deputy
from p2pcards.session.effects import Effect, Think


class Computers:
    """deputy: that of the coordinator's own seat."""

    def __init__(self, deputy: Deputy) -> None:
        self._deputy = deputy
        self._asked: Think | None = None

    def ask(self, writer: LedgerWriter) -> list[Effect]:
        """What is to be thought about now."""
        position = writer.position
        if self._asked is not None or position.phase is not Phase.PLAY:
            return []
        for seat in position.state.to_act:
            level = self._level(position, seat)
            if level is not None:
                seed = writer.thinking_seed(seat)
                self._asked = Think(seat, position.game, position.views[seat], level, seed)
                mine = position.header.seats[seat].side == 0
                return [*(self._deputy.note(position) if mine else []), self._asked]
        return []

    def _level(self, position: Position, seat: Seat) -> str | None:
        """The level that decides for a seat; None if a person does."""
        entry = position.header.seats[seat]
        if entry.side is None or seat in position.substituted:
            return entry.level
        return self._deputy.level(position) if entry.side == 0 else None

    def awaits(self, think: Think) -> bool:
        return think is self._asked

    def take(self, think: Think) -> bool:
        """An answer came: whether it is the one that is awaited."""
        if not self.awaits(think):
            return False
        self._asked = None
        return True

    def table_moved_on(self) -> None:
        """The question that was asked is no longer the one to be decided."""
        self._asked = None
