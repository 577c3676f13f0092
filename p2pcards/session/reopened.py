"""A coordinator's game read back from its log: the records, who listened, and how each of them stood to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.games.game import Seat
from p2pcards.ledger.payloads import ADDRESS, Start, read_address
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.guest import Guest, GuestIdentity
from p2pcards.session.me import Me
from p2pcards.session.presence import Presence
from p2pcards.wire.entries import TakeoverEntry
from p2pcards.wire.reasons import TakeoverReason


@dataclass(frozen=True, slots=True)
class Reopened:
    """guests: the listeners by side, those who had left for good among them. substituted: the sides that had asked
    their characters to play."""

    writer: LedgerWriter
    guests: dict[int, Guest]
    substituted: tuple[int, ...]


def reopen(me: Me, start: Start, log: Sequence[bytes], now: float) -> Reopened:
    """log: the payloads, of which start is the beginning. Raises Refused."""
    header, names = start.header, me.shown_sides(start.header)
    writer = LedgerWriter.restored(me.identity, start.frame, start.position.changed(names=names), log)
    addresses = dict([read_address(payload) for payload in log if payload[:1] == ADDRESS])
    takeovers = [entry for logged in writer.log if isinstance(entry := logged.entries[0], TakeoverEntry)]
    reasons: dict[Seat | None, TakeoverReason] = {entry.seat: entry.reason for entry in takeovers}
    seats = {side: header.seat_of(side) for side in range(1, len(header.sides))}
    why = {side: reasons[seat] for side, seat in seats.items() if seat in writer.position.substituted}
    guests: dict[int, Guest] = {}
    for side, person in enumerate(header.sides[1:], 1):
        identity = GuestIdentity(person.key, person.name, person.character, names[side])
        presence = Presence.LEFT if why.get(side) is TakeoverReason.LEFT else Presence.INVITED
        guests[side] = Guest(identity, addresses.get(side, ""), presence)
        guests[side].expect(now)
    asked = [side for side, reason in why.items() if reason is TakeoverReason.ASKED_FOR]
    return Reopened(writer, guests, tuple(asked))
