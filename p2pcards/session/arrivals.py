"""Somebody new on a link to the coordinator's table, until she has sat down or was turned away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.session.effects import Close, Effect, Peer, Send, Tell
from p2pcards.session.guests import Guest, Stranger, send
from p2pcards.views.cast import character_name
from p2pcards.views.happenings import PlayerBack, PlayerJoined, Unreachable
from p2pcards.wire.clean import clean
from p2pcards.wire.header import MAX_SIDES, NAME, VERSION
from p2pcards.wire.messages import Bye, Hello, Message, Offer, encode_message
from p2pcards.wire.reasons import ByeCode

if TYPE_CHECKING:
    from p2pcards.session.coordinator import Coordinator


def greeted(table: Coordinator, peer: Peer, stranger: Stranger, message: Message, now: float) -> list[Effect]:
    match message:
        case Hello(version=version) if version != VERSION:
            return turn_away(table, peer, stranger, ByeCode.OTHER_VERSION, now)
        case Hello(coordinates=True):
            return turn_away(table, peer, stranger, ByeCode.SAME_ROLE, now)
        case Hello(name=name, character=character):
            return seat_guest(table, peer, stranger, clean(name, NAME), clean(character, NAME), now)
        case Bye(code, text):
            del table.strangers[peer]
            why = f"{stranger.where} {code.sentence}" + (f" ({clean(text, 200)})" if text else "")
            return [Close(peer), *table.dial_failed(stranger.address, why, now)]
        case _:
            return table.throw_out(peer, "a link begins with HELLO", now)


def turn_away(table: Coordinator, peer: Peer, stranger: Stranger, code: ByeCode, now: float) -> list[Effect]:
    del table.strangers[peer]
    table.invited.pop(stranger.address, None)
    ours = {
        ByeCode.OTHER_VERSION: "speaks another version of the protocol; both need the same version of p2pcards",
        ByeCode.SAME_ROLE: "coordinates too; one of the two must listen",
        ByeCode.FULL: "cannot sit down: a coordinator and three listeners are the most",
    }
    why = f"{stranger.where} {ours[code]}"
    unreachable = Tell(Unreachable(address=stranger.address or stranger.where, why=why))
    again = table.call_later(stranger.address, why, now)
    return [Send(peer, encode_message(Bye(code))), Close(peer), unreachable, *again]


def room(table: Coordinator) -> int:
    """How many listeners may still sit down. Between games whoever is away can be replaced."""
    if table.running is None or table.running.over:
        return MAX_SIDES - 1 - sum(guest.here for guest in table.guests)
    return MAX_SIDES - 1 - len(table.guests)


def seat_guest(
    table: Coordinator, peer: Peer, stranger: Stranger, name: str, character: str, now: float
) -> list[Effect]:
    partner = table.invited.pop(stranger.address, False)
    known = next((guest for guest in table.guests if guest.key == stranger.key), None)
    if known is None and room(table) < 1:
        return turn_away(table, peer, stranger, ByeCode.FULL, now)
    if known is None and len(table.guests) >= MAX_SIDES - 1:
        table.guests.remove(next(guest for guest in table.guests if not guest.here))
    effects: list[Effect] = []
    if known is None:
        known = Guest(stranger.key, free_name(table, name), character, stranger.address, partner)
        table.guests.append(known)
        arrival = Tell(
            PlayerJoined(name=known.name, character=character_name(table.cast, character), where=stranger.where)
        )
    else:
        known.gone = False
        if known.peer is not None:
            effects += [Send(known.peer, encode_message(Bye(ByeCode.REPLACED))), Close(known.peer)]
        known.address = stranger.address or known.address
        arrival = Tell(PlayerBack(name=known.name))
    del table.strangers[peer]
    known.peer, known.pulse, known.where = peer, stranger.pulse, stranger.where
    known.synced, known.dialling, known.redial_at = False, False, None
    effects += [arrival, *table.tell_people()]
    if table.running is not None and table.side_of(known) is not None:
        effects += table.running.greet(known)
    return effects + (send(known, Offer(table.offer)) if table.offer is not None else [])


def free_name(table: Coordinator, name: str) -> str:
    taken = {table.me.name, *[guest.name for guest in table.guests]}
    name = name or "stranger"
    free = (f"{name[: NAME - 2]} {number}" for number in range(2, 9))
    return name if name not in taken else next(other for other in free if other not in taken)
