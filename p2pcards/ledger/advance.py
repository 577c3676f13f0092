"""One record further: everything that is checked when a record is received, read from a log, or about to be written.

The order of the checks is that of protocol/records.md: shape (but for the fields of an action already done by
`read_record`), base, seat, signature, rules, faces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import DEALER, PUBLIC, eye, slots_of, viewer
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Event, IllegalAction, Seat, Stage, verify_sent
from p2pcards.games.outcome import NO_OUTCOME, Outcome, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.ledger.fair import chain_value, fits, hand_secret
from p2pcards.ledger.fair import commitment as commitment_to
from p2pcards.ledger.position import ALLOWED, Phase, Position, Step, faces_of
from p2pcards.ledger.replay import replay_hand
from p2pcards.wire.actions import decode_action
from p2pcards.wire.entries import (
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    DealEntry,
    Entry,
    Move,
    OpeningEntry,
    OutcomeEntry,
    ReturnEntry,
    TakeoverEntry,
    decode_faces,
    decode_opening,
)
from p2pcards.wire.frame import ENTRY_LABEL, FACES_LABEL, check_signature, next_head
from p2pcards.wire.reasons import CloseReason, Verdict
from p2pcards.wire.record import Record
from p2pcards.wire.refused import Cause, Refused


def advance(position: Position, record: Record, entries: tuple[Entry, ...]) -> Position:
    """The position after one more record, as `read_record` gave it. Raises Refused, the position unchanged."""
    check_entry(position, record, entries[0])
    return apply(position, record, entries)


def check_entry(position: Position, record: Record, entry: Entry) -> None:
    """Whether the entry may stand here and is signed by whom it must be. Raises Refused."""
    if isinstance(entry, ActionEntry):
        decode_action(position.game, entry.action, entry.fields)
    _check_base(position, entry)
    _check_signatures(position, record, entry)
    if not isinstance(entry, ALLOWED[position.phase]):
        raise Refused(Cause.RULES, f"{_name(entry)} cannot follow here ({position.phase}).")


def check_move(position: Position, record: Record, entry: Entry) -> None:
    """Whether this is a move that its seat may make now, whatever it brings about. Raises Refused."""
    if not isinstance(entry, Move):
        raise Refused(Cause.SHAPE, "This is no move.")
    check_entry(position, record, entry)
    _move_maker(position, entry, _action(position, record, entry))


@dataclass(frozen=True, slots=True)
class Due:
    """What an entry brings about, seen with the coordinator's eyes. faces: the cards that each seat alone is shown."""

    event: Event
    outcome: Outcome
    faces: tuple[tuple[Card, ...], ...]


def apply(position: Position, record: Record, entries: tuple[Entry, ...], found: Due | None = None) -> Position:
    """`advance` for a record whose base and signatures are known to be right. found: what `due` says of its entry,
    where that is known already."""
    entry = entries[0]
    head = reduce(next_head, record.frames, position.head)
    after = position.changed(head=head, count=position.count + 1)
    match entry:
        case ActionEntry() | CommitEntry():
            outcome = entries[1].outcome if len(entries) == 2 and isinstance(entries[1], OutcomeEntry) else NO_OUTCOME
            return _move(position, after, record, entry, outcome, found)
        case OutcomeEntry(outcome):
            return _show(position, after, record, outcome, found)
        case DealEntry():
            return _deal(position, after, record, entry, found)
        case TakeoverEntry(seat=seat):
            return _takeover(after, seat)
        case ReturnEntry(seat=seat):
            return _return(after, seat)
        case OpeningEntry():
            return _open(after, entry)
        case CheckEntry():
            return _check(after, entry)
        case CloseEntry(reason=reason):
            return _close(after, reason)


def _name(entry: Entry) -> str:
    return type(entry).__name__.removesuffix("Entry").upper()


def _is_concurrent(position: Position, entry: Entry) -> bool:
    return position.simultaneous and isinstance(entry, ActionEntry | CommitEntry | CheckEntry)


def _check_base(position: Position, entry: Entry) -> None:
    if isinstance(entry, OutcomeEntry):
        return
    due = position.open_base if _is_concurrent(position, entry) else position.count
    if entry.base != due:
        raise Refused(Cause.BASE, f"{_name(entry)} builds on record {entry.base}, but {due} is due.")


def signing_side(position: Position, entry: Entry) -> int:
    """The side that must have signed an entry. Raises Refused for a seat or side that does not exist."""
    if isinstance(entry, CheckEntry):
        if not 0 < entry.side < len(position.header.sides):
            raise Refused(Cause.SEAT, f"There is no listener {entry.side}.")
        return entry.side
    if not isinstance(entry, ActionEntry | CommitEntry | TakeoverEntry | ReturnEntry):
        return 0
    if entry.seat >= len(position.header.seats):
        raise Refused(Cause.SEAT, f"There is no seat {entry.seat}.")
    return position.signer(entry.seat) if isinstance(entry, Move) else 0


def _check_signatures(position: Position, record: Record, entry: Entry) -> None:
    head = position.open_head if _is_concurrent(position, entry) else position.head
    sides = position.header.sides
    check_signature(sides[signing_side(position, entry)].key, ENTRY_LABEL, head, record.frames[0])
    if len(record.frames) == 2:
        after_action = next_head(position.head, record.frames[0])
        check_signature(sides[0].key, ENTRY_LABEL, after_action, record.frames[1])


# --- moves, shows and deals: events of the game -----------------------------------------------------------------------


def _move(
    position: Position, after: Position, record: Record, entry: Move, outcome: Outcome, found: Due | None
) -> Position:
    action = _action(position, record, entry)
    event = found.event if found else _event(position, after, record, outcome, _move_maker(position, entry, action))
    commitment = entry.commitment if isinstance(entry, CommitEntry) else b""
    return _play(position, after, Step(position.count, entry.base, entry.seat, action, commitment, event))


def _move_maker(position: Position, entry: Move, action: Any) -> Callable[[Any], Event]:
    """What makes the event of a move from a view of the state. Raises Refused unless the move is within the rules."""
    game = position.game
    try:
        verify_sent(game, position.state, entry.seat, action)
    except IllegalAction as error:
        raise Refused(Cause.RULES, str(error)) from error

    def decide(view: Any) -> Event:
        open_to_view = isinstance(entry, ActionEntry) or view.eyes & (DEALER | eye(entry.seat))
        return game.decide(view, entry.seat, action if open_to_view else _concealed(position, entry))

    return decide


def _action(position: Position, record: Record, entry: Move) -> Any:
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


def _show(position: Position, after: Position, record: Record, outcome: Outcome, found: Due | None) -> Position:
    if position.state.stage != Stage.SHOW:
        raise Refused(Cause.RULES, "Nothing is turned up now.")
    event = found.event if found else _event(position, after, record, outcome, position.game.show)
    return _play(position, after, Step(position.count, position.count, None, None, b"", event))


def _deal(position: Position, after: Position, record: Record, entry: DealEntry, found: Due | None) -> Position:
    if position.state.stage != Stage.DEAL or entry.hand != position.next_hand() or position.broken_off:
        raise Refused(Cause.RULES, f"Hand {entry.hand} cannot be dealt now.")
    parts, absent = parts_of_deal(position)
    if entry.absent != absent:
        raise Refused(Cause.FAIRNESS, "The deal names other absent sides than those who gave no part of the shuffle.")
    if position.phase is Phase.CHECKS:
        after = replace(after, parts=parts, absent=absent, steps=(), hand_start=position.state)
    event = found.event if found else _event(position, after, record, entry.outcome, _deal_maker(position))
    return _play(position, after, Step(position.count, position.count, None, None, b"", event))


def parts_of_deal(position: Position) -> tuple[tuple[tuple[int, bytes], ...], tuple[int, ...]]:
    """The listeners' values that go into the next deal, by side, and the sides that gave none."""
    if position.phase is Phase.DEALING:
        return position.parts, position.absent
    hand = position.next_hand()
    known = enumerate(position.known)
    parts = tuple([(side, value) for side, (number, value) in known if side and number == hand])
    given = [side for side, _ in parts]
    return parts, tuple([side for side in range(1, len(position.header.sides)) if side not in given])


def _deal_maker(position: Position) -> Callable[[Any], Event]:
    pack, draw = packs(position)
    backs = (BACK,) * len(pack)

    def deal(view: Any) -> Event:
        return position.game.deal(view, pack, draw) if view.eyes & DEALER else position.game.deal(view, backs, backs)

    return deal


def due(position: Position, entry: Move | DealEntry | OutcomeEntry, record: Record) -> Due:
    """What the coordinator owes with an entry of hers or of a seat; a record without signatures will do. Raises Refused
    for a move against the rules."""
    if isinstance(entry, DealEntry):
        return _due(position, _deal_maker(position))
    if isinstance(entry, OutcomeEntry):
        return _due(position, position.game.show)
    return _due(position, _move_maker(position, entry, _action(position, record, entry)))


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
    secret = hand_secret(position.first_head, hand, chain_value(position.seed, hand), dict(parts))
    return shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")


def _event(
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


def _play(position: Position, after: Position, step: Step) -> Position:
    """The position after an event: the state played on, the phase that follows, and who may move on which base."""
    try:
        state = position.game.play(position.state, step.shown)
    except (ValueError, LookupError) as error:
        raise Refused(Cause.FACES, "What the coordinator shows cannot be.") from error
    if not position.eyes & DEALER:
        _check_no_card_twice(position, step, state)
    dealt = step.seat is None and position.phase in (Phase.CHECKS, Phase.DEALING)
    if state.stage in (Stage.PLAY, Stage.SHOW):
        phase = Phase.PLAY
    elif dealt and state.stage == Stage.DEAL:
        phase = Phase.DEALING
    else:
        phase = Phase.OPENING
    changes: dict[str, Any] = {"state": state, "phase": phase, "steps": (*after.steps, step)}
    still_choosing = set(state.to_act) < set(position.state.to_act) and bool(state.to_act)
    if not (position.phase is Phase.PLAY and position.simultaneous and still_choosing):
        changes |= _opened_phase(after, len(state.to_act) > 1)
    return after.changed(**changes)


def _check_no_card_twice(position: Position, step: Step, state: Any) -> None:
    """A card that this view knows to be elsewhere, such as in its own hand, cannot come out of a hidden place. (With
    the dealer's eyes there is none.)"""
    shown = faces_of(step.shown)
    lying = shown if position.seen.isdisjoint(shown) else faces_of(state)
    pack = position.game.pack(state.options)
    for card in shown:
        if lying.count(card) > pack.count(card):
            cause = Cause.FACES if step.seat in (None, position.seat) else Cause.RULES
            raise Refused(cause, f"{card} cannot come from there: it is known to be elsewhere.")


def _opened_phase(position: Position, simultaneous: bool) -> dict[str, Any]:
    """The changes of a position where a phase opens."""
    return {"simultaneous": simultaneous, "open_base": position.count, "open_head": position.head}


# --- entries about the table ------------------------------------------------------------------------------------------


def _takeover(after: Position, seat: Seat) -> Position:
    if after.header.seats[seat].side is None or seat in after.substituted:
        raise Refused(Cause.RULES, f"Seat {seat} cannot be taken over now.")
    return replace(after, substituted=after.substituted | {seat})


def _return(after: Position, seat: Seat) -> Position:
    if seat not in after.substituted:
        raise Refused(Cause.RULES, f"Seat {seat} was not taken over.")
    return replace(after, substituted=after.substituted - {seat})


def _open(after: Position, entry: OpeningEntry) -> Position:
    if entry.hand != after.state.hand:
        raise Refused(Cause.RULES, f"Hand {entry.hand} is not the one to be opened.")
    good = fits(entry.value, entry.hand, after.known[0])
    finding = replay_hand(after, entry).verdict if good else Verdict.WRONG_VALUE
    known = ((entry.hand, entry.value), *after.known[1:]) if good else after.known
    broken_off = after.phase is Phase.PLAY
    return replace(
        after,
        phase=Phase.CHECKS,
        known=known,
        finding=finding,
        opened=entry.hand,
        checked=frozenset(),
        steps=(),
        broken_off=broken_off,
        **_opened_phase(after, True),
    )


def _check(after: Position, entry: CheckEntry) -> Position:
    if entry.hand != after.state.hand or entry.side in after.checked:
        raise Refused(Cause.RULES, f"A check of hand {entry.hand} is not due from side {entry.side}.")
    if not fits(entry.value, entry.hand + 1, after.known[entry.side]):
        raise Refused(Cause.FAIRNESS, "The value of a check does not fit its chain.")
    known = list(after.known)
    known[entry.side] = (entry.hand + 1, entry.value)
    return replace(
        after,
        known=tuple(known),
        checked=after.checked | {entry.side},
        verdicts=(*after.verdicts, (entry.hand, entry.side, entry.verdict)),
    )


def _close(after: Position, reason: CloseReason) -> Position:
    if (reason is CloseReason.WON) != (after.state.stage == Stage.OVER):
        raise Refused(Cause.RULES, "The closing entry does not say how the game ended.")
    return replace(after, phase=Phase.CLOSED, ended=reason)
