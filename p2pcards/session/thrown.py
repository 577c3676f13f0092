"""Deals that a coordinator has thrown away: they ended a game after a check of ours, from which on they could know the
next pack, or began another over it. Whoever does so again and again looks at deals until one suits."""

from __future__ import annotations

from collections.abc import Mapping

DAY = 86400.0
"""Seconds for which such a game counts."""
TOO_OFTEN = 3
"""Games in that time after which the player has to agree to the next one."""


class ThrownAway:
    """Such games, by their ids, each once, from when it is first known. Each method is told what time it is, or was."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[bytes, float]] = {}

    def learn(self, coordinator: bytes, games: Mapping[bytes, float]) -> None:
        """games: of this coordinator, each with when it was thrown away."""
        for game_id, when in games.items():
            self._known.setdefault(game_id, (coordinator, when))

    def count(self, coordinator: bytes, now: float, also: bytes = b"") -> int:
        """How many of this coordinator's count now. also: the id of a game that is about to be one, b"" for none."""
        self._known = {game: one for game, one in self._known.items() if now < one[1] + DAY}
        theirs = {game for game, (key, _) in self._known.items() if key == coordinator}
        return len(theirs | ({also} if also else set()))
