"""Who may pick a place, and so which card comes: nobody whose program could know the cards.

Whoever shuffles knows the pack as soon as it is fixed. So a coordinator with people at the table never picks, for no
seat that is theirs to play; the next card is taken there (protocol/fair-deal.md).
"""

from __future__ import annotations

from p2pcards.games.game import Action, Seat
from p2pcards.ledger.position import Position
from p2pcards.wire.refused import Cause, Refused

WHY_NOT = "Whoever shuffles could know where each card lies, and may not pick a place: the next card is taken."


def may_pick(position: Position, seat: Seat) -> bool:
    """Whether a place is picked by whoever plays this seat now: its own listener, or a person who plays alone."""
    side = position.header.seats[seat].side
    return side is not None and seat not in position.substituted and (side > 0 or position.alone)


def check_pick(position: Position, seat: Seat, action: Action) -> None:
    """Raises Refused for a pick by somebody who may not pick."""
    if position.game.picks(position.state, action) and not may_pick(position, seat):
        raise Refused(Cause.RULES, WHY_NOT)


def offered(position: Position, seat: Seat) -> tuple[Action, ...]:
    """What is open to whoever plays a seat, by its view, which this side must have: where a place can be picked the
    places, and for whoever may not pick the one way to take the next card."""
    game = position.game
    view = position.views[seat] if position.coordinates else position.state
    legal = game.legal(view, seat)
    picks = [action for action in legal if game.picks(view, action)]
    if picks and may_pick(position, seat):
        return tuple(picks)
    return tuple([action for action in legal if action not in picks])
