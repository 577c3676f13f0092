"""Entries that change the course of a hand otherwise than by play: taking back, dealing again, and what helps somebody
who is alone to learn a game."""

from __future__ import annotations

from p2pcards.games.game import IllegalAction
from p2pcards.ledger.position import Position, Step, opened_phase
from p2pcards.wire.entries import (
    Agreed,
    FaceUpEntry,
    Learning,
    RedealEntry,
    RestartEntry,
    SwapEntry,
    UndoEntry,
    Yes,
    agreed_body,
)
from p2pcards.wire.frame import YES_LABEL, Frame, check_signature
from p2pcards.wire.refused import Cause, Refused


def voters(position: Position) -> tuple[int, ...]:
    """The sides that have to say yes, ascending: the listeners who play their own seats now."""
    signers = {position.signer(seat) for seat in range(len(position.header.seats))}
    return tuple(sorted(signers - {0}))


def deciders(position: Position) -> tuple[int, ...]:
    """The sides that have to say yes, the coordinator among them, who does so by the entry itself."""
    seat = position.header.seat_of(0)
    mine = () if seat is None or seat in position.substituted else (0,)
    return (*mine, *voters(position))


def check_yeses(position: Position, entry: Agreed) -> None:
    """Whether everybody who has to has agreed to this very entry. Raises Refused."""
    if tuple([yes.side for yes in entry.yeses]) != voters(position):
        raise Refused(Cause.SIGNATURE, "Not exactly those have said yes who have to.")
    for yes in entry.yeses:
        check_yes(position, entry, yes)


def check_yes(position: Position, entry: Agreed, yes: Yes) -> None:
    """Whether this side has agreed to this entry, at this head. Raises Refused."""
    key = position.header.sides[yes.side].key
    check_signature(key, YES_LABEL, position.head, Frame(agreed_body(entry), yes.signature))


def to_take_back(position: Position) -> Step:
    """The event that can be taken back now. Raises Refused, with a sentence for the player."""
    step = position.steps[-1] if position.steps else None
    if step is None or step.seat is None:
        raise Refused(Cause.RULES, "There is nothing to take back: nothing has been played since the cards were dealt.")
    entry = position.header.seats[step.seat]
    if entry.side is None or step.seat in position.substituted:
        raise Refused(Cause.RULES, "There is nothing to take back: the last to play was a computer player.")
    if type(step.action) not in position.game.takes_back:
        raise Refused(Cause.RULES, _only(position))
    if position.state.to_act != (step.seat,):
        raise Refused(Cause.RULES, "That cannot be taken back: the turn has passed on since.")
    return step


def _only(position: Position) -> str:
    if not position.game.takes_back:
        return f"Nothing is taken back in {position.game.name}: a card laid is a card played."
    kinds = " or ".join([f"a {kind.__name__.lower()}" for kind in position.game.takes_back])
    return f"That cannot be taken back. In {position.game.name} {kinds} can, until you go on."


def changed_course(position: Position, after: Position, entry: Agreed | Learning) -> Position:
    """The position after such an entry, all but its phase. after: with its head and count. Raises Refused."""
    match entry:
        case UndoEntry():
            step = to_take_back(position)
            return after.changed(
                state=step.before, steps=position.steps[:-1], **opened_phase(after, simultaneous=False)
            )
        case RedealEntry(side=side):
            if position.header.seat_of(side) is None:
                raise Refused(Cause.SEAT, f"Side {side} has no seat, and nothing to say about the deal.")
            return after.changed(given_up=side)
        case RestartEntry():
            _check_alone(position)
            opened = opened_phase(after, simultaneous=False)
            return after.changed(state=position.hand_start, dealt=position.dealt - 1, steps=(), **opened)
        case SwapEntry(seat=seat):
            return _swap(position, after, seat)
        case FaceUpEntry(up=up):
            _check_alone(position)
            if up is position.face_up:
                raise Refused(Cause.RULES, "All hands are face up." if up else "The hands are not face up.")
            return after.changed(face_up=up)


def _swap(position: Position, after: Position, seat: int) -> Position:
    _check_alone(position)
    game, mine, state = position.game, position.seat, position.state
    if game.swap is None or mine is None:
        raise Refused(Cause.RULES, f"Hands are not exchanged in {game.name}: it could not go on with them.")
    if seat >= len(position.header.seats) or seat == mine:
        raise Refused(Cause.SEAT, "Hands are exchanged with another seat.")
    if position.simultaneous:
        raise Refused(Cause.RULES, "Hands are not exchanged while several players choose at once.")
    try:
        exchanged = game.swap(state, mine, seat)
    except IllegalAction as error:
        raise Refused(Cause.RULES, str(error)) from error
    step = Step(position.count, position.count, None, None, b"", None, state, (mine, seat))
    return after.changed(state=exchanged, steps=(*position.steps, step), **opened_phase(after, simultaneous=False))


def _check_alone(position: Position) -> None:
    if not position.alone:
        raise Refused(Cause.RULES, "That is for whoever plays alone.")
