"""How a game begins at the coordinator's table, and the next one after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import address_payload, start_payloads
from p2pcards.ledger.position import begin
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.casting import make_header
from p2pcards.session.effects import Effect, Remember, Tell, UseLog
from p2pcards.session.guests import Guest, send
from p2pcards.session.liveness import allowed
from p2pcards.session.running import Running
from p2pcards.views.game_view import seat_name
from p2pcards.views.happenings import GameStarted
from p2pcards.wire.entries import VALUE
from p2pcards.wire.frame import HEADER_LABEL, sign
from p2pcards.wire.header import encode_header
from p2pcards.wire.messages import Again, Offer

if TYPE_CHECKING:
    from p2pcards.session.coordinator import Coordinator

STAKING = 10.0
"""Seconds that a listener has to give the end of her chain when a game is to begin."""
GRACE, LINE_GRACE = 60, 180
"""Seconds from a drop to the takeover, unless the coordinator has said otherwise; on telephone lines."""


def offer_game(table: Coordinator, now: float) -> list[Effect]:
    """Ask every listener for the end of a new chain; the game begins when all have answered."""
    table.my_again = None
    table.guests = [guest for guest in table.guests if guest.here]
    slowest = max([guest.pace for guest in table.guests], default=0.0)
    table.offer, table.offer_ends = table.entropy(16), now + allowed(STAKING, slowest)
    effects: list[Effect] = []
    for guest in table.guests:
        guest.stake, guest.again, guest.asked = None, None, False
        effects += send(guest, Offer(table.offer))
    return effects + start_if_ready(table, now)


def start_if_ready(table: Coordinator, now: float) -> list[Effect]:
    """Begin the game once every listener has given the end of her chain."""
    if table.offer is None or table.chosen is None or any(guest.stake is None for guest in table.guests):
        return []
    game, options = table.chosen
    previous = table.running
    seed = table.entropy(VALUE)
    header = make_header(
        table.me,
        chain_value(seed, 0),
        table.guests,
        (game, options),
        table.cast,
        (grace_of(table), table.turn_clock),
        table.offer,
        previous.position if previous else None,
        table.sitting,
    )
    table.offer = None
    frame = sign(table.me.identity, HEADER_LABEL, b"", encode_header(header))
    position = begin(frame, header, 0, seed)
    guests = dict(enumerate(table.guests, 1))
    table.running = Running(
        table.me, LedgerWriter(table.me.identity, frame, position), guests, table.cast, now, held=False
    )
    effects: list[Effect] = [UseLog(game.key, position.game_id)]
    effects += [Remember(payload) for payload in start_payloads(0, seed, frame)]
    effects += [Remember(address_payload(side, guest.address)) for side, guest in guests.items() if guest.address]
    for guest in table.guests:
        guest.synced = True
        effects += table.running.send_header(guest)
    names = tuple([seat_name(position, seat, table.cast) for seat in range(len(header.seats))])
    effects += [Tell(GameStarted(game=game.name, seats=names)), *table.tell_people()]
    return effects + table.running.proceed(now)


def grace_of(table: Coordinator) -> int:
    """Seconds: what was asked for, or more where a line has to be dialled again."""
    if table.grace is not None:
        return table.grace
    return LINE_GRACE if any(guest.pace for guest in table.guests) else GRACE


def tell_again(table: Coordinator, guest: Guest, yes: bool, now: float) -> list[Effect]:
    side = 1 + table.guests.index(guest)
    others = [other for other in table.guests if other is not guest]
    sent = [effect for other in others for effect in send(other, Again(side, yes))]
    return sent + play_again_if_agreed(table, now)


def play_again_if_agreed(table: Coordinator, now: float) -> list[Effect]:
    """The next game begins when everybody who is here and had a seat has said yes."""
    running = table.running
    if running is None or not running.over or not table.my_again:
        return []
    seated = [table.guests[i] for i in range(len(table.guests)) if table.seat_number(table.guests[i]) is not None]
    if not all(guest.again for guest in seated if guest.here):
        return []
    return offer_game(table, now)
