"""The game that is on at a table where the listener here has no side in it: they follow it with a watcher's eyes, owe
nothing, and keep no log."""

from __future__ import annotations

from p2pcards.ledger.advance import advance
from p2pcards.ledger.position import Position, begin
from p2pcards.session.effects import Effect, Tell
from p2pcards.views.cast import Cast
from p2pcards.views.telling import tell, tell_looking_on
from p2pcards.wire.frame import Frame
from p2pcards.wire.header import Header
from p2pcards.wire.messages import LookOn, RecordMessage
from p2pcards.wire.record import read_record
from p2pcards.wire.refused import Cause, Refused


class LookedOnGame:
    """awaited: how many records were made before the listener came, of which nothing is told one by one. names: of the
    sides, as they are shown here."""

    def __init__(self, said: LookOn, frame: Frame, header: Header, cast: Cast, names: tuple[str, ...]) -> None:
        """Raises Refused unless this is the header of the game that was announced."""
        self._position = begin(frame, header, len(header.sides), b"").changed(names=names)
        self._awaited = said.count
        self._cast = cast
        if self._position.game_id != said.game_id:
            raise Refused(Cause.HISTORY, "The header is that of another game than the one to look on at.")

    @property
    def position(self) -> Position | None:
        """None until everything is here that was made before."""
        return self._position if self._position.count >= self._awaited else None

    def begin(self) -> list[Effect]:
        """The header has come."""
        return [] if self.position is None else [Tell(tell_looking_on(self.position, self._cast))]

    def take(self, said: RecordMessage) -> list[Effect]:
        """Raises Refused, nothing changed."""
        before = self._position
        if said.number != before.count & 255:
            raise Refused(Cause.BASE, "A record is missing, or has come twice.")
        record, entries = read_record(said.record)
        self._position = advance(before, record, entries)
        if self._position.count <= self._awaited:
            return self.begin()
        happenings = tell(before, self._position, entries[0], self._cast)
        return [Tell(happening) for happening in happenings]
