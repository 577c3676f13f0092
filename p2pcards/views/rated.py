"""What somebody who thinks ahead makes of what they could do."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.games.game import Action


@dataclass(frozen=True, slots=True)
class Rated:
    """An action, and how it did where hands were imagined and played on. worth: what the side of whoever acts scored
    on average, times the number of sides, less what all sides did, the other way round where the lowest score wins; by
    how much it differs from the action of the rules of thumb is in points that do as much for winning the game, where
    that is searched for. error: the standard error of this difference; hands: how many it was tried in, 0 where nothing
    was, 1 where all cards are known."""

    action: Action
    worth: float = 0.0
    error: float = 0.0
    hands: int = 0
