"""What an entry brings about: the event of the game behind it, as the eyes of a side are shown it, and what the
coordinator has to add for everybody and for each seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import DEALER, PUBLIC, eye, slots_of, viewer
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Event, IllegalAction, verify_sent
from p2pcards.games.outcome import Outcome, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.ledger.checking import check_entry
from p2pcards.ledger.fair import chain_value, secret_of
from p2pcards.ledger.fair import commitment as commitment_to
from p2pcards.ledger.picking import check_pick
from p2pcards.ledger.position import Position
from p2pcards.ledger.roll import parts_of_deal
from p2pcards.wire.actions import decode_action
from p2pcards.wire.entries import (
    ActionEntry,
    CommitEntry,
    DealEntry,
    Entry,
    Move,
    OutcomeEntry,
    decode_faces,
    decode_opening,
)
from p2pcards.wire.frame import FACES_LABEL, check_signature
from p2pcards.wire.record import Record
from p2pcards.wire.refused import Cause, Refused


@dataclass(frozen=True, slots=True)
class Due:
    """What an entry brings about, seen with the coordinator's eyes. faces: the cards that each seat alone is shown."""

    event: Event
    outcome: Outcome
    faces: tuple[tuple[Card, ...], ...]


def due(position: Position, entry: Move | DealEntry | OutcomeEntry, record: Record) -> Due:
    """What the coordinator owes with an entry of their own or of a seat; a record without signatures will do. Raises
    Refused for a move against the rules."""
    if isinstance(entry, DealEntry):
        return _due(position, deal_maker(position))
    if isinstance(entry, OutcomeEntry):
        return _due(position, position.game.show)
    return _due(position, move_maker(position, entry, action_of(position, record, entry)))


def check_move(position: Position, record: Record, entry: Entry) -> None:
    """Whether this is a move that its seat may make now, whatever it brings about. Raises Refused."""
    if not isinstance(entry, Move):
        raise Refused(Cause.SHAPE, "This is not a move.")
    check_entry(position, record, entry)
    move_maker(position, entry, action_of(position, record, entry))


def move_maker(position: Position, entry: Move, action: Any) -> Callable[[Any], Event]:
    """What makes the event of a move from a view of the state. Raises Refused unless the move is within the rules."""
    game = position.game
    try:
        verify_sent(game, position.state, entry.seat, action)
    except IllegalAction as error:
        raise Refused(Cause.RULES, str(error)) from error
    check_pick(position, entry.seat, action)

    def decide(view: Any) -> Event:
        open_to_view = isinstance(entry, ActionEntry) or view.eyes & (DEALER | eye(entry.seat))
        return game.decide(view, entry.seat, action if open_to_view else _concealed(position, entry))

    return decide


def action_of(position: Position, record: Record, entry: Move) -> Any:
    """The action of a move as these eyes see it. Raises Refused for a seat that owes none."""
    if entry.seat not in position.state.to_act:
        raise Refused(Cause.RULES, "it is not your turn")
    if isinstance(entry, CommitEntry):
        behind = _behind(position, record, entry)
        return _concealed(position, entry) if behind is None else behind
    action = decode_action(position.game, entry.action, entry.fields)
    if type(action) in position.game.private:
        raise Refused(Cause.RULES, "A private action was sent openly.")
    return action


def _concealed(position: Position, entry: Move) -> Any:
    game = position.game
    kind = game.actions[entry.action] if entry.action < len(game.actions) else None
    if kind is None or kind not in game.private:
        raise Refused(Cause.RULES, "Only a private action is committed to.")
    return game.private[kind](position.state)


def _behind(position: Position, record: Record, entry: CommitEntry) -> Any:
    """The private action behind a commitment, for those who may see it; None for others."""
    if not (position.eyes & DEALER or position.seat == entry.seat):
        if record.opening:
            raise Refused(Cause.FACES, "An opening came that is another seat's.")
        return None
    if not record.opening:
        raise Refused(Cause.FACES, "The opening of a private action is missing.")
    salt, number, values = decode_opening(record.opening)
    if not salt:
        raise Refused(Cause.FACES, "The salt of a private action is missing.")
    if number != entry.action or commitment_to(salt, number, values) != entry.commitment:
        raise Refused(Cause.FACES, "An opening does not fit its commitment.")
    _concealed(position, entry)
    return decode_action(position.game, number, values)


def deal_maker(position: Position) -> Callable[[Any], Event]:
    pack, draw = packs(position)
    backs = (BACK,) * len(pack)

    def deal(view: Any) -> Event:
        return position.game.deal(view, pack, draw) if view.eyes & DEALER else position.game.deal(view, backs, backs)

    return deal


def _due(position: Position, make: Callable[[Any], Event]) -> Due:
    event = make(position.state)
    outcome = public_outcome(event, make(position.views[-1]))
    return Due(event, outcome, _faces_due(position, event, outcome, make))


def packs(position: Position) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The shuffled pack and draw pack of the next deal, for the coordinator; face-down ones for everybody else."""
    pack = position.game.pack(position.state.options)
    if not position.eyes & DEALER:
        return (BACK,) * len(pack), (BACK,) * len(pack)
    hand = position.next_hand()
    parts, _ = parts_of_deal(position)
    value = chain_value(position.seed, hand)
    secret = secret_of(position.header, position.first_head, hand, value, dict(parts))
    return shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")


def event_of(
    position: Position, after: Position, record: Record, outcome: Outcome, make: Callable[[Any], Event]
) -> Event:
    """The event as these eyes are shown it."""
    if position.eyes & DEALER:
        if record.faces is not None:
            raise Refused(Cause.FACES, "Faces came for the coordinator, who sees every card.")
        event = make(position.state)
        if outcome != public_outcome(event, make(position.views[-1])):
            raise Refused(Cause.FACES, "The outcome is not what the cards give.")
        return event
    try:
        event = add_outcome(make(position.state), outcome, len(position.header.seats))
        return add_faces(event, _faces_received(position, after, record), position.eyes)
    except (ValueError, LookupError) as error:
        raise Refused(Cause.FACES, "What the coordinator shows does not fit the event.") from error


def _faces_due(
    position: Position, event: Event, outcome: Outcome, make: Callable[[Any], Event]
) -> tuple[tuple[Card, ...], ...]:
    if all(slot.eyes & PUBLIC for slot in slots_of(event)):
        return ()
    seats = len(position.header.seats)
    return tuple(
        [
            private_faces(event, add_outcome(make(position.views[seat]), outcome, seats), viewer(seat))
            for seat in range(seats)
        ]
    )


def _faces_received(position: Position, after: Position, record: Record) -> tuple[Card, ...]:
    if record.faces is None:
        return ()
    if position.seat is None:
        raise Refused(Cause.FACES, "Faces came for somebody who has no seat.")
    context = after.head + bytes((position.seat,))
    check_signature(position.header.sides[0].key, FACES_LABEL, context, record.faces)
    return decode_faces(record.faces.body)
