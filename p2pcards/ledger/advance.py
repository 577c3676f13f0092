"""One record further: everything that is checked when a record is received, read from a log, or about to be written.

The order of the checks is that of protocol/records.md: shape (but for the fields of an action already done by
`read_record`), base, seat, signature, rules, faces.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from p2pcards.cards.eyes import DEALER
from p2pcards.games.game import Seat, Stage
from p2pcards.games.outcome import NO_OUTCOME, Outcome
from p2pcards.ledger.checking import check_entry, signing_side
from p2pcards.ledger.course import changed_course
from p2pcards.ledger.events import Due, action_of, deal_maker, event_of, move_maker
from p2pcards.ledger.fair import fits
from p2pcards.ledger.position import Position, Step, faces_of, opened_phase
from p2pcards.ledger.replay import replay_hand
from p2pcards.ledger.roll import awaited, call_roll, drop_out, is_needed, parts_of_deal
from p2pcards.ledger.transitions import Phase, phase_after
from p2pcards.wire.entries import (
    AbsentEntry,
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    Entry,
    FaceUpEntry,
    Move,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
)
from p2pcards.wire.frame import next_head
from p2pcards.wire.reasons import BY_A_CLOCK, CloseReason, Verdict
from p2pcards.wire.record import Record
from p2pcards.wire.refused import Cause, Refused


def advance(position: Position, record: Record, entries: tuple[Entry, ...]) -> Position:
    """The position after one more record, as `read_record` gave it. Raises Refused, the position unchanged."""
    check_entry(position, record, entries[0])
    return apply(position, record, entries)


def apply(position: Position, record: Record, entries: tuple[Entry, ...], found: Due | None = None) -> Position:
    """`advance` for a record whose base and signatures are known to be right. found: what `due` says of its entry,
    where that is known already."""
    after = _grown(position, record, entries, found)
    has_cards = after.state.hand + len(after.redeals) + after.recalled == after.dealt
    phase = phase_after(position.phase, entries[0].kind, after.state.stage, has_cards=has_cards)
    if phase is None:
        raise Refused(Cause.RULES, f"{entries[0].kind.name} cannot lead from here ({position.phase}) to where it does.")
    return after if phase is after.phase else after.changed(phase=phase)


def _grown(position: Position, record: Record, entries: tuple[Entry, ...], found: Due | None) -> Position:
    """The position after a record, all but its phase."""
    entry = entries[0]
    head = reduce(next_head, record.frames, position.head)
    size = position.size + sum([len(bytes(frame)) for frame in record.frames])
    signed = position.signed or signing_side(position, entry) == position.side
    after = position.changed(head=head, count=position.count + 1, size=size, signed=signed)
    match entry:
        case ActionEntry() | CommitEntry():
            outcome = entries[1].outcome if len(entries) == 2 and isinstance(entries[1], OutcomeEntry) else NO_OUTCOME
            return _move(position, after, record, entry, outcome, found)
        case OutcomeEntry(outcome):
            return _show(position, after, record, outcome, found)
        case DealEntry():
            return _deal(position, after, record, entry, found)
        case TakeoverEntry():
            return _takeover(after, entry)
        case ReturnEntry(seat=seat):
            return _return(after, seat)
        case PauseEntry() | ContinueEntry():
            return after
        case AbsentEntry(side=side):
            return drop_out(after, side)
        case UndoEntry() | RedealEntry() | RestartEntry() | SwapEntry() | FaceUpEntry():
            return changed_course(position, after, entry)
        case OpeningEntry():
            return _open(after, entry)
        case CheckEntry():
            return _check(after, entry)
        case CloseEntry(reason=reason):
            return _close(after, reason)


# --- moves, shows and deals: events of the game -----------------------------------------------------------------------


def _move(
    position: Position, after: Position, record: Record, entry: Move, outcome: Outcome, found: Due | None
) -> Position:
    action = action_of(position, record, entry)
    event = found.event if found else event_of(position, after, record, outcome, move_maker(position, entry, action))
    commitment = entry.commitment if isinstance(entry, CommitEntry) else b""
    return _play(
        position, after, Step(position.count, entry.base, entry.seat, action, commitment, event, position.state)
    )


def _show(position: Position, after: Position, record: Record, outcome: Outcome, found: Due | None) -> Position:
    if position.state.stage != Stage.SHOW:
        raise Refused(Cause.RULES, "Nothing is turned up now.")
    event = found.event if found else event_of(position, after, record, outcome, position.game.show)
    return _play(position, after, Step(position.count, position.count, None, None, b"", event, position.state))


def _deal(position: Position, after: Position, record: Record, entry: DealEntry, found: Due | None) -> Position:
    if position.state.stage != Stage.DEAL or entry.hand != position.next_hand() or position.broken_off:
        raise Refused(Cause.RULES, f"Hand {entry.hand} cannot be dealt now.")
    parts, absent = parts_of_deal(position)
    if entry.absent != absent:
        raise Refused(Cause.FAIRNESS, "The deal names other absent sides than those who gave no part of the shuffle.")
    if position.phase is Phase.CHECKS:
        after = replace(after, dealt=entry.hand, parts=parts, absent=absent, steps=(), hand_start=position.state)
    event = found.event if found else event_of(position, after, record, entry.outcome, deal_maker(position))
    return _play(position, after, Step(position.count, position.count, None, None, b"", event, position.state))


def _play(position: Position, after: Position, step: Step) -> Position:
    """The position after an event: the state played on, the phase that follows, and who may move on which base."""
    try:
        state = position.game.play(position.state, step.shown)
    except (ValueError, LookupError) as error:
        raise Refused(Cause.FACES, "What the coordinator shows cannot be.") from error
    if not position.eyes & DEALER:
        _check_no_card_twice(position, step, state)
    changes: dict[str, Any] = {"state": state, "steps": (*after.steps, step)}
    if state.sheet is not None:
        changes["sheets"] = (*after.sheets, (state.hand, state.sheet))
    still_choosing = set(state.to_act) < set(position.state.to_act) and bool(state.to_act)
    if not (position.phase is Phase.PLAY and position.simultaneous and still_choosing):
        changes |= opened_phase(after, simultaneous=len(state.to_act) > 1)
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


# --- entries about the table ------------------------------------------------------------------------------------------


def _takeover(after: Position, entry: TakeoverEntry) -> Position:
    seat = entry.seat
    if after.header.seats[seat].side is None or seat in after.substituted:
        raise Refused(Cause.RULES, f"Seat {seat} cannot be taken over now.")
    if after.phase is Phase.PAUSED and entry.reason in BY_A_CLOCK:
        raise Refused(Cause.RULES, "No clock runs while the table is paused.")
    return replace(after, substituted=after.substituted | {seat})


def _return(after: Position, seat: Seat) -> Position:
    if seat not in after.substituted:
        raise Refused(Cause.RULES, f"Seat {seat} was not taken over.")
    return replace(after, substituted=after.substituted - {seat})


def _open(after: Position, entry: OpeningEntry) -> Position:
    if entry.hand != after.dealt:
        raise Refused(Cause.RULES, f"Hand {entry.hand} is not the one to be opened.")
    good = fits(entry.value, entry.hand, after.known[0])
    finding = replay_hand(after, entry).verdict if good else Verdict.WRONG_VALUE
    known = ((entry.hand, entry.value), *after.known[1:]) if good else after.known
    if after.given_up is not None:
        after = after.changed(state=after.hand_start, redeals=(*after.redeals, after.given_up), given_up=None)
    return replace(
        after,
        known=known,
        finding=finding,
        opened=entry.hand,
        checked=frozenset(),
        steps=(),
        broken_off=after.phase is not Phase.OPENING,
        **call_roll(after, entry.hand),
        **opened_phase(after, simultaneous=True),
    )


def _check(after: Position, entry: CheckEntry) -> Position:
    if entry.hand != after.dealt or entry.side in after.checked:
        raise Refused(Cause.RULES, f"A check of hand {entry.hand} is not due from side {entry.side}.")
    if not entry.value and is_needed(after, entry.side):
        raise Refused(Cause.FAIRNESS, f"The next hand cannot be dealt without a value of side {entry.side}.")
    if not entry.value and after.has_roll:
        dropped = drop_out(after, entry.side) if entry.side in awaited(after) else after
        return replace(dropped, checked=dropped.checked | {entry.side})
    if not fits(entry.value, entry.hand + 1, after.known[entry.side]):
        raise Refused(Cause.FAIRNESS, "The value of a check does not fit its chain.")
    known = list(after.known)
    known[entry.side] = (entry.hand + 1, entry.value)
    agreed = after.agreed or (entry.hand == 0 and entry.side == after.side)
    return replace(after, known=tuple(known), checked=after.checked | {entry.side}, agreed=agreed)


def _close(after: Position, reason: CloseReason) -> Position:
    if (reason is CloseReason.WON) != (after.state.stage == Stage.OVER):
        raise Refused(Cause.RULES, "The closing entry does not say how the game ended.")
    return replace(after, ended=reason)
