"""A listener is connected again: how far her log goes, and the records that she or the coordinator lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.ledger.fair import commitment, derived_salt
from p2pcards.session.effects import Close, Effect, Send, Tell
from p2pcards.session.guests import Guest, send
from p2pcards.views.happenings import Notice
from p2pcards.wire.actions import encode_action
from p2pcards.wire.entries import CommitEntry, encode_opening
from p2pcards.wire.messages import Ask, Bye, Have, Resume
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.record import Record, read_record
from p2pcards.wire.refused import Refused

if TYPE_CHECKING:
    from p2pcards.session.running import Running

NO_HEAD = bytes(32)


def resume(running: Running, side: int, message: Resume, now: float) -> list[Effect]:
    """Her answer to `greet`."""
    guest, position = running.guests[side], running.position
    if message.game_id != position.game_id:
        return []
    if message.count > position.count and running.restored:
        guest.ahead = message.count
        return send(guest, Ask(position.count))
    new = message.count == 0 and message.head == NO_HEAD
    if message.count > position.count or (not new and running.writer.head_at(message.count) != message.head):
        return other_history(running, guest, now)
    effects = running.send_header(guest) if new else []
    return effects + sync(running, side, message.count, now)


def other_history(running: Running, guest: Guest, now: float) -> list[Effect]:
    """Nothing can mend that, so she is not called again."""
    text = f"The log of {guest.name} tells another history of this game. Neither log can be continued with the other."
    effects = send(guest, Bye(ByeCode.OTHER_HISTORY))
    effects += [Close(guest.peer)] if guest.peer is not None else []
    guest.lose(now)
    guest.redial_at = None
    return [*effects, Tell(Notice(text=text)), *running.proceed(now)]


def sync(running: Running, side: int, count: int, now: float) -> list[Effect]:
    guest = running.guests[side]
    effects: list[Effect] = []
    for logged in running.writer.log[count:]:
        if guest.peer is not None:
            effects.append(Send(guest.peer, logged.message_for(side)))
    guest.synced, guest.ahead = True, 0
    running.clocks_sent = ()  # she has not seen them
    effects += running.settle(side, now)
    seat = running.position.header.seat_of(side)
    if seat in running.turn_began:
        running.turn_began[seat] = now
    return effects + running.proceed(now)


def have(running: Running, side: int, message: Have, now: float) -> list[Effect]:
    """A record of a log that goes further than ours. Raises Refused."""
    guest = running.guests[side]
    if message.number != running.position.count or guest.ahead <= message.number:
        return []
    data = with_opening(running, message.record)
    if data is None:
        if running.asked != running.position.count:
            return ask_ahead(running)
        text = "A private move of somebody who is still away is missing; the game goes on when she is back."
        return [Tell(Notice(text=text))]
    try:
        logged = running.writer.restore(data)
    except Refused:
        return other_history(running, guest, now)
    effects = running.publish(logged, now)
    if guest.ahead > running.position.count:
        return effects
    for other in running.guests.values():
        if 0 < other.ahead <= running.position.count:
            other.ahead = 0
            effects += running.greet(other)
    return effects + ask_ahead(running)


def ask_ahead(running: Running) -> list[Effect]:
    """Those whose logs go further are asked for the rest, now that more is known."""
    running.asked = count = running.position.count
    ahead = [guest for guest in running.guests.values() if guest.ahead > count]
    return [effect for guest in ahead for effect in send(guest, Ask(count))]


def with_opening(running: Running, data: bytes) -> bytes | None:
    """A record from a listener's log as the coordinator's own log holds it; None if an opening is not known."""
    record, entries = read_record(data)
    entry = entries[0]
    if not isinstance(entry, CommitEntry) or record.opening:
        return bytes(Record(record.frames, None, record.opening))
    for move in running.early.values():
        early, _ = read_record(move)
        if early.frames == record.frames[:1]:
            return bytes(Record(record.frames, None, early.opening))
    game, view = running.position.game, running.position.views[entry.seat]
    salt = derived_salt(running.writer.value(), entry.seat, entry.base)
    for action in game.legal(view, entry.seat):
        number, fields = encode_action(game, action)
        if commitment(salt, number, fields) == entry.commitment:
            return bytes(Record(record.frames, None, encode_opening(salt, number, fields)))
    return None
