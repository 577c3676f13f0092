"""One record further: whether an entry may stand at the end of a log, what it brings about, and the position after it.

Everything that is checked when a record is received, read from a log, or about to be written is checked here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from p2pcards.cards.card import BACK, Card
from p2pcards.cards.eyes import DEALER, PUBLIC, TRUTH, eye_of_seat, eyes_of_viewer, known_faces_in, redact, slots_of
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Action, Event, IllegalAction, Seat, Stage
from p2pcards.games.naming import verify_sent, verify_showable
from p2pcards.games.outcome import NO_OUTCOME, Outcome, add_faces, add_outcome, private_faces, public_outcome
from p2pcards.ledger.branches import count_continued, count_hand, counts, present_players, without_player
from p2pcards.ledger.fair import (
    awaited_sides,
    call_roll,
    chain_value,
    commitment,
    derived_salt,
    drop_out,
    fits_chain,
    is_needed,
    parts_of_deal,
    secret_of,
)
from p2pcards.ledger.position import Position, Step, Takeover, opened_phase
from p2pcards.ledger.transitions import Phase, may_follow, phase_after
from p2pcards.wire.packing import Cause, Refused, decode_action
from p2pcards.wire.reasons import BY_A_CLOCK, CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    CONTINUED_SINCE,
    ENTRY_LABEL,
    FACES_LABEL,
    FIRST_VERSION,
    YES_LABEL,
    AbsentEntry,
    ActionEntry,
    Agreed,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    Entry,
    EntryKind,
    FaceUpEntry,
    Frame,
    Learning,
    Move,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    Record,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    Yes,
    agreed_body,
    check_signature,
    decode_faces,
    decode_opening,
    next_head,
)

ONLY_MOVES = "Only a move can be pending."

# --- how long the log of a game may become ----------------------------------------------------------------------------


MOST_RECORDS = 65_536
MOST_BYTES = 16 << 20
"""Of all frames together; with faces and openings a log takes less than twice as much."""

LAST = (EntryKind.OPENING, EntryKind.CHECK, EntryKind.CLOSE)
"""What may follow yet in a log that is full."""


def log_is_full(position: Position) -> bool:
    """True if the log has as many records or bytes as a game may have."""
    return position.count >= MOST_RECORDS or position.size >= MOST_BYTES


def full_log_reason() -> str:
    """The end of a sentence that says a game is over because its log is full."""
    return f"its log is full, as no game may have more than {MOST_RECORDS:,} records"


# --- who may pick a place, and so which card comes --------------------------------------------------------------------


WHY_NOT = "The player who shuffles could know where each card is, so they can't pick a place: they get the next card."


def may_pick(position: Position, seat: Seat) -> bool:
    """True if the player of this seat may choose a place to draw from now: a listener in their own seat, or a player
    alone."""
    side = position.header.seats[seat].side
    return side is not None and seat not in position.taken_over and (side > 0 or position.alone)


def check_pick(position: Position, seat: Seat, action: Action) -> None:
    """Raise Refused for a pick by a player who may not pick."""
    if position.game.picks(position.state, action) and not may_pick(position, seat):
        raise Refused(Cause.RULES, WHY_NOT)


def offered_actions(position: Position, seat: Seat) -> tuple[Action, ...]:
    """The legal actions that the player of a seat is offered. Where a card is picked from a spread: each place for
    those who may pick, else just the next card. The position must hold the view of that seat."""
    game = position.game
    view = position.views[seat] if position.coordinates else position.state
    legal = game.legal(view, seat)
    picks = [action for action in legal if game.picks(view, action)]
    if picks and may_pick(position, seat):
        return tuple(picks)
    return tuple([action for action in legal if action not in picks])


# --- whether an entry may stand at the end of a log, and is signed by whom it must be ---------------------------------


def check_entry(position: Position, record: Record, entry: Entry) -> None:
    """Raise Refused unless the entry may follow at this position and is signed by the right side."""
    if FIRST_VERSION.get(entry.kind, 1) > position.header.version:
        raise Refused(Cause.SHAPE, f"Version {position.header.version} has no {entry.kind.name}.")
    if isinstance(entry, ActionEntry):
        decode_action(position.game, entry.action, entry.fields)
    _check_base(position, entry)
    _check_signatures(position, record, entry)
    if not may_follow(position.phase, entry.kind):
        raise Refused(Cause.RULES, f"{entry.kind.name} can't follow here ({position.phase}).")
    if log_is_full(position) and entry.kind not in LAST:
        raise Refused(Cause.RULES, f"The log is full: {entry.kind.name} can't follow, and the game can only end.")
    if isinstance(entry, UndoEntry | RedealEntry):
        check_yeses(position, entry)


def _is_concurrent(position: Position, entry: Entry) -> bool:
    """True for an entry of a phase in which several seats move at once, all on one base."""
    return position.simultaneous and isinstance(entry, ActionEntry | CommitEntry | CheckEntry)


def _check_base(position: Position, entry: Entry) -> None:
    """Raise Refused unless the entry builds on the record that is due."""
    if isinstance(entry, OutcomeEntry):
        return
    due = position.open_base if _is_concurrent(position, entry) else position.count
    if entry.base != due:
        raise Refused(Cause.BASE, f"{entry.kind.name} builds on record {entry.base}, but {due} is due.")


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
    """Raise Refused unless the entry, and the outcome after it, are signed by the right sides."""
    head = position.open_head if _is_concurrent(position, entry) else position.head
    sides = position.header.sides
    check_signature(sides[signing_side(position, entry)].key, ENTRY_LABEL, head, record.frames[0])
    if len(record.frames) == 2:
        after_action = next_head(position.head, record.frames[0])
        check_signature(sides[0].key, ENTRY_LABEL, after_action, record.frames[1])


# --- the replay of a hand with the dealer's eyes, once its pack has been opened ---------------------------------------


@dataclass(frozen=True, slots=True)
class TrueStep:
    """An event of an opened hand as it really was."""

    record: int  # its number in the log
    before: Any  # the state with the dealer's eyes
    action: Action  # None for a dealer's event, and where two seats exchanged hands
    event: Event  # None where two seats exchanged hands
    after: Any  # the state with the dealer's eyes


@dataclass(frozen=True, slots=True)
class Replay:
    verdict: Verdict
    steps: tuple[TrueStep, ...] = ()  # as far as the hand could be replayed; all of it if the verdict is GOOD
    fault: int | None = None  # number of the wrong record; None if no record is wrong, or the opening itself is


class _Finding(Exception):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def replay_hand(position: Position, entry: OpeningEntry) -> Replay:
    """Play an opened hand again from its true packs and compare it with the position's steps. The value of the entry is
    known to fit the coordinator's chain."""
    game = position.game
    pack = game.pack(position.state.options)
    secret = secret_of(position.header, position.first_head, entry.hand, entry.value, dict(position.parts))
    packs = shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")
    state = redact(position.hand_start, TRUTH)
    try:
        actions = _open_actions(position, entry)
    except _Finding as finding:
        return Replay(finding.verdict)
    steps: list[TrueStep] = []
    for step in position.steps:
        if step.swapped:
            assert game.swap is not None
            after = game.swap(state, *step.swapped)
            steps.append(TrueStep(step.record, state, None, None, after))
            state = after
            continue
        action = actions[step.record] if step.commitment else step.action
        try:
            event = _true_event(position, state, step, action, packs)
            if redact(event, position.eyes) != step.shown:
                return Replay(Verdict.WRONG_EVENT, tuple(steps), step.record)
            after = game.play(state, event)
        except _Finding as finding:
            return Replay(finding.verdict, tuple(steps), step.record)
        except (ValueError, LookupError):
            return Replay(Verdict.WRONG_EVENT, tuple(steps), step.record)
        steps.append(TrueStep(step.record, state, action, event, after))
        state = after
    return Replay(Verdict.GOOD, tuple(steps))


def _open_actions(position: Position, entry: OpeningEntry) -> dict[int, Any]:
    """Check the openings of a hand against its commitments; returns the private actions by number of the record. Raises
    _Finding."""
    commits = [step for step in position.steps if step.commitment]
    if [step.record for step in commits] != [opened.record for opened in entry.openings]:
        raise _Finding(Verdict.WRONG_OPENING)
    actions = {}
    for step, opened in zip(commits, entry.openings, strict=True):
        assert step.seat is not None
        salt = opened.salt or derived_salt(entry.value, step.seat, step.base)
        if commitment(salt, opened.action, opened.fields) != step.commitment:
            raise _Finding(Verdict.WRONG_OPENING)
        try:
            actions[step.record] = decode_action(position.game, opened.action, opened.fields)
        except Refused as error:
            raise _Finding(Verdict.WRONG_OPENING) from error
    return actions


def _true_event(position: Position, state: Any, step: Step, action: Action, packs: tuple[Any, Any]) -> Event:
    """The event that a step really was, given the full state and the packs. Raises _Finding for an illegal action."""
    game = position.game
    if step.seat is None:
        return game.deal(state, *packs) if state.stage == Stage.DEAL else game.show(state)
    try:
        verify_sent(game, state, step.seat, action)
    except IllegalAction as error:
        raise _Finding(Verdict.ILLEGAL_ACTION) from error
    return game.decide(state, step.seat, action)


# --- what an entry brings about ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Due:
    """What an entry brings about, seen with the coordinator's eyes."""

    event: Event
    outcome: Outcome
    faces: tuple[tuple[Card, ...], ...]  # by seat, the cards that it alone is shown


def due(position: Position, entry: Move | DealEntry | OutcomeEntry, record: Record) -> Due:
    """Work out what the coordinator owes with a move, deal or show: the event, its public outcome and each seat's
    faces. A record without signatures will do. Raises Refused for a move against the rules."""
    if isinstance(entry, DealEntry):
        return _due_of_event(position, deal_maker(position))
    if isinstance(entry, OutcomeEntry):
        return _due_of_event(position, position.game.show)
    return _due_of_event(position, move_maker(position, entry, action_of(position, record, entry)))


def check_move(position: Position, record: Record, entry: Entry) -> None:
    """Raise Refused unless the entry is a move that its seat may make now; its outcome is not worked out."""
    if not isinstance(entry, Move):
        raise Refused(Cause.SHAPE, "This is not a move.")
    check_entry(position, record, entry)
    move_maker(position, entry, action_of(position, record, entry))


def move_maker(position: Position, entry: Move, action: Any) -> Callable[[Any], Event]:
    """A function that makes the event of a move from any view of the state. Raises Refused for a move against the
    rules."""
    game = position.game
    try:
        verify_sent(game, position.state, entry.seat, action)
    except IllegalAction as error:
        raise Refused(Cause.RULES, str(error)) from error
    check_pick(position, entry.seat, action)

    def decide(view: Any) -> Event:
        """The event of the move for this view, which may see only a concealed action."""
        open_to_view = isinstance(entry, ActionEntry) or view.eyes & (DEALER | eye_of_seat(entry.seat))
        return game.decide(view, entry.seat, action if open_to_view else _concealed_action(position, entry))

    return decide


def action_of(position: Position, record: Record, entry: Move) -> Any:
    """The action of a move as these eyes see it: a private one may be concealed. Raises Refused for a seat that owes
    none."""
    if entry.seat not in position.state.to_act:
        raise Refused(Cause.RULES, "it's not your turn")
    if isinstance(entry, CommitEntry):
        behind = _action_behind(position, record, entry)
        return _concealed_action(position, entry) if behind is None else behind
    action = decode_action(position.game, entry.action, entry.fields)
    if type(action) in position.game.private:
        raise Refused(Cause.RULES, "A private action was sent openly.")
    return action


def _concealed_action(position: Position, entry: Move) -> Any:
    """The public stand-in for a private action. Raises Refused where actions of this class are not private."""
    game = position.game
    kind = game.actions[entry.action] if entry.action < len(game.actions) else None
    if kind is None or kind not in game.private:
        raise Refused(Cause.RULES, "Only a private action can be committed to.")
    return game.private[kind](position.state)


def _action_behind(position: Position, record: Record, entry: CommitEntry) -> Any:
    """The private action behind a commitment, checked against its opening; None where these eyes may not see it. Raises
    Refused."""
    if not (position.eyes & DEALER or position.seat == entry.seat):
        if record.opening:
            raise Refused(Cause.FACES, "An opening belongs to another seat.")
        return None
    if not record.opening:
        raise Refused(Cause.FACES, "The opening of a private action is missing.")
    salt, number, values = decode_opening(record.opening)
    if not salt:
        raise Refused(Cause.FACES, "The salt of a private action is missing.")
    if number != entry.action or commitment(salt, number, values) != entry.commitment:
        raise Refused(Cause.FACES, "An opening doesn't match its commitment.")
    _concealed_action(position, entry)
    return decode_action(position.game, number, values)


def deal_maker(position: Position) -> Callable[[Any], Event]:
    """A function that makes the event of the next deal from any view of the state."""
    pack, draw = shuffled_packs(position)
    backs = (BACK,) * len(pack)

    def deal(view: Any) -> Event:
        """The event of the deal for this view, which may see only backs."""
        return position.game.deal(view, pack, draw) if view.eyes & DEALER else position.game.deal(view, backs, backs)

    return deal


def _due_of_event(position: Position, make: Callable[[Any], Event]) -> Due:
    """The event, the public outcome and the private faces that follow when `make` is run with the dealer's view."""
    event = make(position.state)
    outcome = public_outcome(event, make(position.views[-1]))
    return Due(event, outcome, _faces_due(position, event, outcome, make))


def shuffled_packs(position: Position) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The shuffled pack and draw pack of the next deal; only backs for anyone but the coordinator."""
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
    """The event as these eyes see it: made from the own view, completed by the outcome and by the faces received.
    Raises Refused where they don't fit."""
    if position.eyes & DEALER:
        if record.faces is not None:
            raise Refused(Cause.FACES, "Faces came for the coordinator, who sees every card.")
        event = make(position.state)
        if outcome != public_outcome(event, make(position.views[-1])):
            raise Refused(Cause.FACES, "The outcome doesn't follow from the cards.")
        return event
    faces = _faces_received(position, after, record)
    try:
        verify_showable(position.game.pack(position.state.options), [*[card for _, card in outcome.cards], *faces])
        event = add_outcome(make(position.state), outcome, len(position.header.seats))
        return add_faces(event, faces, position.eyes)
    except (ValueError, LookupError) as error:
        raise Refused(Cause.FACES, "What the coordinator shows doesn't match the event.") from error


def _faces_due(
    position: Position, event: Event, outcome: Outcome, make: Callable[[Any], Event]
) -> tuple[tuple[Card, ...], ...]:
    """The cards that each seat alone must be shown of this event, by seat."""
    if all(slot.eyes & PUBLIC for slot in slots_of(event)):
        return ()
    seats = len(position.header.seats)
    return tuple(
        [
            private_faces(event, add_outcome(make(position.views[seat]), outcome, seats), eyes_of_viewer(seat))
            for seat in range(seats)
        ]
    )


def _faces_received(position: Position, after: Position, record: Record) -> tuple[Card, ...]:
    """The cards in the signed faces of a record, for this side's seat. Raises Refused."""
    if record.faces is None:
        return ()
    if position.seat is None:
        raise Refused(Cause.FACES, "Faces came for a side without a seat.")
    context = after.head + bytes((position.seat,))
    check_signature(position.header.sides[0].key, FACES_LABEL, context, record.faces)
    return decode_faces(record.faces.body)


# --- entries that change the course of a hand otherwise than by play --------------------------------------------------


def voters(position: Position) -> tuple[int, ...]:
    """The listeners, ascending, who have to agree to a change of course: those who play their own seats now."""
    signers = {position.signer(seat) for seat in range(len(position.header.seats))}
    return tuple(sorted(signers - {0}))


def deciders(position: Position) -> tuple[int, ...]:
    """All sides that have to agree to a change of course; the coordinator, if among them, agrees by signing the
    entry."""
    seat = position.header.seat_of(0)
    mine = () if seat is None or seat in position.taken_over else (0,)
    return (*mine, *voters(position))


def check_yeses(position: Position, entry: Agreed) -> None:
    """Raise Refused unless every voter has signed this very entry."""
    if tuple([yes.side for yes in entry.yeses]) != voters(position):
        raise Refused(Cause.SIGNATURE, "The players who agreed aren't the ones who had to.")
    for yes in entry.yeses:
        check_yes(position, entry, yes)


def check_yes(position: Position, entry: Agreed, yes: Yes) -> None:
    """Raise Refused unless this side has signed this entry at this head."""
    key = position.header.sides[yes.side].key
    check_signature(key, YES_LABEL, position.head, Frame(agreed_body(entry), yes.signature))


def events_to_take_back(position: Position) -> tuple[Step, ...]:
    """The events that an UNDO would take back now, earliest first: alone, all since the last move of the player; with
    others, the last event. Raises Refused with a sentence for the player."""
    return _events_since_own_move(position) if position.alone else (_last_event_to_undo(position),)


def _events_since_own_move(position: Position) -> tuple[Step, ...]:
    """Alone: the events since the player's own last move, that one included. Raises Refused."""
    seat = position.header.seat_of(0)
    if seat is None or seat in position.taken_over:
        raise Refused(Cause.RULES, "You can't take anything back: the computer is playing for you.")
    place = next((n for n in reversed(range(len(position.steps))) if position.steps[n].seat == seat), None)
    if place is None:
        raise Refused(Cause.RULES, "There's nothing to take back: you haven't moved since the deal.")
    steps = position.steps[place:]
    if any(_reveals_card(position, seat, step) for step in steps):
        raise Refused(Cause.RULES, "You can't take that back: you've seen a new card since.")
    return steps


def _reveals_card(position: Position, seat: Seat, step: Step) -> bool:
    """True if an event showed this seat a card that it could not have known from its own view."""
    if step.seat is None:
        return True
    game, view, action = position.game, redact(step.before, eyes_of_viewer(seat)), step.action
    if step.seat != seat and type(action) in game.private:
        action = game.private[type(action)](view)
    event = game.decide(view, step.seat, action)
    return any(slot.eyes & eyes_of_viewer(seat) and not slot.card for slot in slots_of(event))


def _last_event_to_undo(position: Position) -> Step:
    """The last event, if the rules of a game with people let it be taken back. Raises Refused."""
    step = position.steps[-1] if position.steps else None
    if step is None or step.seat is None:
        raise Refused(Cause.RULES, "There's nothing to take back: nobody has moved since the deal.")
    entry = position.header.seats[step.seat]
    if entry.side is None or step.seat in position.taken_over:
        raise Refused(Cause.RULES, "There's nothing to take back: a computer player moved last.")
    if type(step.action) not in position.game.takes_back:
        raise Refused(Cause.RULES, _take_back_rule(position))
    if position.state.to_act != (step.seat,):
        raise Refused(Cause.RULES, "You can't take that back: your turn is over.")
    return step


def _take_back_rule(position: Position) -> str:
    """The sentence for the player that says what, if anything, may be taken back in this game."""
    if not position.game.takes_back:
        return f"With friends at the table, a card laid is a card played in {position.game.name}."
    kinds = " or ".join([f"a {kind.__name__.lower()}" for kind in position.game.takes_back])
    return f"You can't take that back. In {position.game.name} you can only take back {kinds}, before your next move."


def after_course_change(position: Position, after: Position, entry: Agreed | Learning) -> Position:
    """The position after an UNDO, REDEAL, RESTART, SWAP or FACE_UP, except for its phase. after: `position` with the
    new head and count. Raises Refused."""
    match entry:
        case UndoEntry():
            undone = events_to_take_back(position)
            state, steps = undone[0].before, position.steps[: -len(undone)]
            return after.changed(state=state, steps=steps, **opened_phase(after, simultaneous=len(state.to_act) > 1))
        case RedealEntry(side=side):
            if position.header.seat_of(side) is None:
                raise Refused(Cause.SEAT, f"Side {side} has no seat, and nothing to say about the deal.")
            return after.changed(given_up=side)
        case RestartEntry():
            _require_alone(position)
            opened = opened_phase(after, simultaneous=False)
            return after.changed(state=position.hand_start, dealt=position.dealt - 1, steps=(), **opened)
        case SwapEntry(seat=seat):
            return _after_swap(position, after, seat)
        case FaceUpEntry(up=up):
            _require_alone(position)
            if up is position.face_up:
                raise Refused(Cause.RULES, "All hands are already face up." if up else "The hands aren't face up.")
            return after.changed(face_up=up)


def _after_swap(position: Position, after: Position, seat: int) -> Position:
    """The position after a player who is alone swaps hands with this seat. Raises Refused."""
    _require_alone(position)
    game, mine, state = position.game, position.seat, position.state
    if game.swap is None or mine is None:
        raise Refused(Cause.RULES, f"You can't swap hands in {game.name}.")
    if seat >= len(position.header.seats) or seat == mine:
        raise Refused(Cause.SEAT, "Swap hands with another seat.")
    if position.simultaneous:
        raise Refused(Cause.RULES, "You can't swap hands while several players choose at once.")
    try:
        exchanged = game.swap(state, mine, seat)
    except IllegalAction as error:
        raise Refused(Cause.RULES, str(error)) from error
    step = Step(position.count, position.count, None, None, b"", None, state, (mine, seat))
    return after.changed(state=exchanged, steps=(*position.steps, step), **opened_phase(after, simultaneous=False))


def _require_alone(position: Position) -> None:
    """Raise Refused if anybody but computer players takes part."""
    if not position.alone:
        raise Refused(Cause.RULES, "You can only do that alone.")


# --- one record further -----------------------------------------------------------------------------------------------


def advance(position: Position, record: Record, entries: tuple[Entry, ...]) -> Position:
    """The position after one more record, as `read_record` gave it. Raises Refused; the position itself never
    changes."""
    check_entry(position, record, entries[0])
    return apply(position, record, entries)


def apply(position: Position, record: Record, entries: tuple[Entry, ...], found: Due | None = None) -> Position:
    """Like `advance`, for a record whose base and signatures are known to be right. found: what `due` returned for its
    entry, if known."""
    after = _after_entry(position, record, entries, found)
    has_cards = after.state.hand - after.hands_before + len(after.redeals) + after.recalled == after.dealt
    phase = phase_after(position.phase, entries[0].kind, after.state.stage, has_cards=has_cards)
    if phase is None:
        raise Refused(Cause.RULES, f"{entries[0].kind.name} can't lead there from here ({position.phase}).")
    return after if phase is after.phase else after.changed(phase=phase)


def _after_entry(position: Position, record: Record, entries: tuple[Entry, ...], found: Due | None) -> Position:
    """The position after a record, except for its phase. found: as in `apply`."""
    entry = entries[0]
    head = reduce(next_head, record.frames, position.head)
    size = position.size + sum([frame.size for frame in record.frames])
    mine = signing_side(position, entry) == position.side
    moved = position.moved or (mine and isinstance(entry, Move))
    signed = position.signed or mine
    after = position.changed(head=head, count=position.count + 1, size=size, signed=signed, moved=moved)
    match entry:
        case ActionEntry() | CommitEntry():
            outcome = entries[1].outcome if len(entries) == 2 and isinstance(entries[1], OutcomeEntry) else NO_OUTCOME
            return _after_move(position, after, record, entry, outcome, found)
        case OutcomeEntry(outcome):
            return _after_show(position, after, record, outcome, found)
        case DealEntry():
            return _after_deal(position, after, record, entry, found)
        case TakeoverEntry():
            return _after_takeover(after, entry)
        case ReturnEntry(seat=seat):
            return _after_return(after, seat)
        case PauseEntry() | ContinueEntry():
            return after
        case AbsentEntry(side=side):
            return drop_out(after, side)
        case UndoEntry() | RedealEntry() | RestartEntry() | SwapEntry() | FaceUpEntry():
            return after_course_change(position, after, entry)
        case OpeningEntry():
            return _after_opening(after, entry)
        case CheckEntry():
            return _after_check(after, entry)
        case CloseEntry(reason=reason):
            return _after_close(after, reason)


# --- moves, shows and deals: events of the game -----------------------------------------------------------------------


def _after_move(
    position: Position, after: Position, record: Record, entry: Move, outcome: Outcome, found: Due | None
) -> Position:
    """The position after a move with this outcome. found: as in `apply`."""
    action = action_of(position, record, entry)
    event = found.event if found else event_of(position, after, record, outcome, move_maker(position, entry, action))
    committed = entry.commitment if isinstance(entry, CommitEntry) else b""
    return _after_event(
        position, after, Step(position.count, entry.base, entry.seat, action, committed, event, position.state)
    )


def _after_show(position: Position, after: Position, record: Record, outcome: Outcome, found: Due | None) -> Position:
    """The position after the dealer shows a card. found: as in `apply`."""
    if position.state.stage != Stage.SHOW:
        raise Refused(Cause.RULES, "Nothing is turned up now.")
    event = found.event if found else event_of(position, after, record, outcome, position.game.show)
    return _after_event(position, after, Step(position.count, position.count, None, None, b"", event, position.state))


def _after_deal(position: Position, after: Position, record: Record, entry: DealEntry, found: Due | None) -> Position:
    """The position after a deal; checks the hand number, the absent sides and the fairness. Raises Refused."""
    if position.state.stage != Stage.DEAL or entry.hand != position.next_hand() or position.broken_off:
        raise Refused(Cause.RULES, f"Hand {entry.hand} can't be dealt now.")
    parts, absent = parts_of_deal(position)
    if entry.absent != absent:
        raise Refused(Cause.FAIRNESS, "The absent sides of the deal aren't the ones that took no part in the shuffle.")
    if position.phase is Phase.CHECKS:
        after = replace(after, dealt=entry.hand, parts=parts, absent=absent, steps=(), hand_start=position.state)
    event = found.event if found else event_of(position, after, record, entry.outcome, deal_maker(position))
    return _after_event(position, after, Step(position.count, position.count, None, None, b"", event, position.state))


def _after_event(position: Position, after: Position, step: Step) -> Position:
    """The position after an event: state, phase, and the base on which the next moves build."""
    try:
        state = position.game.play(position.state, step.shown)
    except (ValueError, LookupError) as error:
        raise Refused(Cause.FACES, "What the coordinator shows is impossible.") from error
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
    """Raise Refused if a card comes out of a hidden place that this view knows to be elsewhere, such as in its own
    hand."""
    shown = known_faces_in(step.shown)
    known = not position.seen.isdisjoint(shown)
    lying = known_faces_in(state) if known else shown
    # What keeps cards in sets has one of two that are alike: then a card is gone.
    gone = known and position.state.stage != Stage.DEAL and len(slots_of(state)) < len(slots_of(position.state))
    pack = position.game.pack(state.options)
    for card in shown:
        if max(lying.count(card), shown.count(card)) > pack.count(card) or (gone and card in position.seen):
            cause = Cause.FACES if step.seat in (None, position.seat) else Cause.RULES
            raise Refused(cause, f"{card} can't come from there: it's known to be elsewhere.")


# --- entries about the table ------------------------------------------------------------------------------------------


def _after_takeover(after: Position, entry: TakeoverEntry) -> Position:
    """The position once a character plays a seat. Raises Refused."""
    seat = entry.seat
    if after.header.seats[seat].side is None or seat in after.taken_over:
        raise Refused(Cause.RULES, f"Seat {seat} can't be taken over now.")
    if after.phase is Phase.PAUSED and entry.reason in BY_A_CLOCK:
        raise Refused(Cause.RULES, "No clock runs while the table is paused.")
    takeover = Takeover(entry.reason, after.count - 1, after.hand_in_progress())
    quorum = without_player(after, seat) if entry.reason is TakeoverReason.LEFT else after.quorum
    return replace(after, taken_over={**after.taken_over, seat: takeover}, quorum=quorum)


def _after_return(after: Position, seat: Seat) -> Position:
    """The position once a player has a seat back from the character. Raises Refused."""
    if seat not in after.taken_over:
        raise Refused(Cause.RULES, f"Seat {seat} wasn't taken over.")
    return replace(after, taken_over={held: why for held, why in after.taken_over.items() if held != seat})


def _after_opening(after: Position, entry: OpeningEntry) -> Position:
    """The position after an OPENING, which is replayed and judged here."""
    if entry.hand != after.dealt:
        raise Refused(Cause.RULES, f"Hand {entry.hand} isn't the one to open.")
    counted_before = counts(after)
    good = fits_chain(entry.value, entry.hand, after.known[0])
    finding = replay_hand(after, entry).verdict if good else Verdict.WRONG_VALUE
    known = ((entry.hand, entry.value), *after.known[1:]) if good else after.known
    if after.given_up is not None:
        after = after.changed(state=after.hand_start, redeals=(*after.redeals, after.given_up), given_up=None)
    after = replace(
        after,
        known=known,
        finding=finding,
        opened=entry.hand,
        checked=frozenset(),
        silent=frozenset(),
        present=frozenset(present_players(after)),
        checkers=frozenset(),
        steps=(),
        broken_off=after.phase is not Phase.OPENING,
        **call_roll(after, entry.hand),
        **opened_phase(after, simultaneous=True),
    )
    return count_hand(after, counted_before)


def _after_check(after: Position, entry: CheckEntry) -> Position:
    """The position after a side's CHECK of the opened hand. Raises Refused."""
    if entry.hand != after.dealt or entry.side in after.checked:
        raise Refused(Cause.RULES, f"Side {entry.side} doesn't owe a check of hand {entry.hand}.")
    after = count_hand(replace(after, checkers=after.checkers | {entry.side}))
    if not entry.value and is_needed(after, entry.side):
        raise Refused(Cause.FAIRNESS, f"The next hand can't be dealt without a value of side {entry.side}.")
    if not entry.value and after.has_roll:
        if entry.side in awaited_sides(after):
            after = drop_out(after.changed(silent=after.silent | {entry.side}), entry.side)
        return replace(after, checked=after.checked | {entry.side})
    if not fits_chain(entry.value, entry.hand + 1, after.known[entry.side]):
        raise Refused(Cause.FAIRNESS, "The value of a check doesn't match its chain.")
    known = list(after.known)
    known[entry.side] = (entry.hand + 1, entry.value)
    agreed = after.agreed or (entry.hand == 0 and entry.side == after.side)
    return replace(after, known=tuple(known), checked=after.checked | {entry.side}, agreed=agreed)


def _after_close(after: Position, reason: CloseReason) -> Position:
    """The position after the game is closed. Raises Refused if the reason doesn't fit the state."""
    if (reason is CloseReason.WON) != (after.state.stage == Stage.OVER):
        raise Refused(Cause.RULES, "The closing entry doesn't match how the game ended.")
    if reason is CloseReason.CONTINUED and not may_be_continued(after):
        raise Refused(Cause.RULES, "A game can be closed as continued only after a hand and before its first check.")
    return replace(count_continued(after) if reason is CloseReason.CONTINUED else after, ended=reason)


def may_be_continued(position: Position) -> bool:
    """True if the game may continue in another log: a hand was opened, and nobody has given a value for the next pack,
    so nobody can know it."""
    just_opened = position.phase is Phase.CHECKS and position.opened == position.dealt > 0
    unknown = not (position.checked or position.broken_off) and position.state.stage == Stage.DEAL
    return just_opened and unknown and position.header.version >= CONTINUED_SINCE
