"""What an action is for, as far as what its seat sees makes it certain."""

from __future__ import annotations

from typing import Any

from p2pcards.games.advice.trick_aims import Leads, trick_aim
from p2pcards.games.cutting import Cut
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.telling import told_of


def aim(game: AnyGame, view: Any, seat: Seat, action: Action, leads: Leads = ()) -> str:
    """A few words that begin with "to", such as "to duck under the JS", or with "as"; "" where no aim is certain. Cards
    as they are spelled, seats by `name_of`.

    view: as this seat sees it, which owes the action; leads: who has led which suit in this hand, in order. Nothing
    is looked at but what the seat sees.
    """
    if isinstance(action, Cut):
        return "as every place is as good as another"
    lies = game.layout(view)
    if type(action).__name__ == "Play" and lies.leader is not None and lies.called == "trick":
        kind = type(action)
        legal = [other.card for other in game.legal(view, seat) if isinstance(other, kind)]
        return trick_aim(game, view, seat, action.card, legal, leads)
    return told_of(game.key).aim(view, seat, action)
