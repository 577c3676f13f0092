"""What the person at one end may do in their own seat, as far as the game alone decides it."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.game import Action, IllegalAction, Seat
from p2pcards.games.spelling import read_action
from p2pcards.ledger.picking import may_pick
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Think
from p2pcards.wire.header import assist_names

NO_PICK = (
    "Your program shuffles for this table and could know where each card lies, so you do not pick a place. Say 'cut', "
    "and the next card is taken."
)
ASSISTS = {
    "hint": "Nobody is advised",
    "recall": "The cards that you have seen are not told",
    "review": "Tricks are not looked at again",
    "melds": "Melds are not looked at again",
    "distribution": "The distribution of the cards is not shown",
}
"""By its name, of each help for one player alone what its coordinator has to have allowed where people play."""


def owed_seat(position: Position) -> Seat:
    """My seat, in which an action is owed now that I may decide on. Raises CommandError."""
    seat = position.seat
    if seat is None:
        raise CommandError("You are watching this game.")
    if seat in position.substituted:
        raise CommandError("Your character plays for you. Say 'back' to play again yourself.")
    if position.phase is not Phase.PLAY or seat not in position.state.to_act:
        raise CommandError("It is not your turn.")
    return seat


def check_assist(position: Position, name: str) -> None:
    """Raises CommandError where this one of `ASSISTS` is not allowed."""
    if name not in allowed_assists(position):
        raise CommandError(
            f"{ASSISTS[name]} at this table: its coordinator did not allow it (allow {name}, before a game)."
        )


def allowed_assists(position: Position) -> tuple[str, ...]:
    """Those of `ASSISTS` that may be used at this table: alone all, with people those that the header has."""
    return tuple(ASSISTS) if position.alone else assist_names(position.header.assists)


def read_own(position: Position, seat: Seat, arguments: Sequence[str]) -> Action:
    """The action that these words mean. Raises CommandError, in the rule's own words."""
    try:
        action = read_action(position.game, position.view, seat, " ".join(arguments).split())
    except IllegalAction as error:
        raise CommandError(str(error)) from error
    if position.game.picks(position.view, action) and not may_pick(position, seat):
        raise CommandError(NO_PICK)
    return action


def may_be_hinted(position: Position) -> bool:
    """Whether I am to act."""
    owing = position.state.to_act if position.phase is Phase.PLAY else ()
    return position.seat is not None and position.seat in owing and position.seat not in position.substituted


def hint_for(position: Position) -> Think:
    """What an expert is asked who is to give a hint. Raises CommandError. The seed of its chances is where the log
    stands: the same question has the same answer, and no chance of the game is used up for it."""
    if position.seat is None or not may_be_hinted(position):
        raise CommandError("It is not your turn; there is nothing to hint at.")
    seed = int.from_bytes(position.head[:8], "big")
    return Think(position.seat, position.game, position.own_view, "expert", seed, hint=True)


def kept_seat(position: Position) -> Seat:
    """My seat, in which a character can play for me. Raises CommandError."""
    if position.seat is None:
        raise CommandError("You are watching; nobody plays for you.")
    return position.seat
