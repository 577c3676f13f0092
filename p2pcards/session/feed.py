"""Where the records of a live game go: into the log, to the listeners who have all that came before, and told to the
person at this end, in this order."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import Effect, Remember, Send, Tell
from p2pcards.session.guest import Guest
from p2pcards.views.cast import Cast
from p2pcards.views.telling import tell
from p2pcards.wire.entries import CheckEntry
from p2pcards.wire.frame import Frame
from p2pcards.wire.header import abridged
from p2pcards.wire.messages import PART_SIZE, HeaderPart, LookOn


class Feed:
    """guests: the listeners of the game by side. untold: the side that made the record which was sent to the others
    last, and the record, until that side and the person at this end have it too."""

    def __init__(self, writer: LedgerWriter, guests: Mapping[int, Guest], cast: Cast) -> None:
        self.untold: tuple[int, Logged] | None = None
        self._writer = writer
        self._guests = guests
        self._cast = cast
        self._onlookers: list[Guest] = []

    def publish(self, logged: Logged) -> list[Effect]:
        """A record of the coordinator's."""
        return self._spread(logged) + self._story(logged)

    def relay(self, logged: Logged, mover: int) -> list[Effect]:
        """A listener's record. What follows from it waits for `catch_up_mover`, so that it reaches the others first."""
        self.untold = mover, logged
        return self._spread(logged, mover)

    def catch_up_mover(self) -> list[Effect]:
        """The mover is answered when the others have the record: they know what they did."""
        untold, self.untold = self.untold, None
        if untold is None:
            return []
        mover, logged = untold
        return self._answer(mover, logged) + self._story(logged)

    def new_header(self, side: int) -> list[Effect]:
        """To a listener who has just staked: without what they know."""
        key = self._writer.position.header.sides[side].key
        return self._in_parts(self._guests[side], abridged(self._writer.frame, key))

    def header(self, guest: Guest) -> list[Effect]:
        return self._in_parts(guest, self._writer.frame)

    def _in_parts(self, guest: Guest, whole: Frame) -> list[Effect]:
        frame = bytes(whole)
        pieces = [frame[i : i + PART_SIZE] for i in range(0, len(frame), PART_SIZE)]
        parts = [HeaderPart(number, len(pieces), piece) for number, piece in enumerate(pieces)]
        return [effect for part in parts for effect in guest.send(part)]

    def records_from(self, count: int, side: int) -> list[Effect]:
        """As the function below."""
        return records_from(self._writer, count, self._guests[side], side)

    def look_on(self, guest: Guest) -> list[Effect]:
        """Somebody without a side gets the header, all records so far, and each that comes, as everybody sees them."""
        self._onlookers = [*[one for one in self._onlookers if one.looks_on and one is not guest], guest]
        position = self._writer.position
        effects = guest.send(LookOn(position.game_id, position.count)) + self.header(guest)
        return effects + [effect for logged in self._writer.log for effect in _show([guest], logged)]

    def audience(self) -> list[Guest]:
        """Everybody who has all records."""
        return [guest for guest in (*self._guests.values(), *self._onlookers) if guest.complete or guest.looks_on]

    def _spread(self, logged: Logged, mover: int = 0) -> list[Effect]:
        """A record, remembered before it is sent, to everybody but the mover."""
        others = [side for side in self._guests if side != mover]
        return [
            Remember(RECORD + bytes(logged.record)),
            *[effect for side in others for effect in self._send(side, logged)],
            *_show(self._onlookers, logged),
        ]

    def _send(self, side: int, logged: Logged) -> list[Effect]:
        guest, entry = self._guests[side], logged.entries[0]
        if isinstance(entry, CheckEntry) and entry.side == side:
            return []  # they know it, and where it stands by the number of what comes next
        return [Send(guest.link.peer, logged.message_for(side))] if guest.complete and guest.link else []

    def _answer(self, mover: int, logged: Logged) -> list[Effect]:
        guest = self._guests[mover]
        if isinstance(logged.entries[0], CheckEntry) or not guest.complete or guest.link is None:
            return []
        return [Send(guest.link.peer, logged.answer_for(mover))]

    def _story(self, logged: Logged) -> list[Effect]:
        return [Tell(happening) for happening in tell(logged.before, logged.after, logged.entries[0], self._cast)]


def records_from(writer: LedgerWriter, count: int, guest: Guest, side: int) -> list[Effect]:
    """All records of a game from this number on, for a listener who has those before."""
    return [Send(guest.link.peer, one.message_for(side)) for one in writer.log[count:] if guest.link]


def _show(onlookers: list[Guest], logged: Logged) -> list[Effect]:
    """A record as it is public, to those who look on."""
    links = [one.link for one in onlookers if one.looks_on and one.link]
    return [Send(link.peer, logged.message_for(None)) for link in links]
