"""What a search is given: the hand as far as a seat knows it, and what the seat could do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.worlds import Worlds
from p2pcards.games.game import Action


def side_scores(scores: Sequence[int], team_play: bool) -> list[int]:
    """The scores by side, where partners sit opposite each other; else by seat."""
    return list(scores[:2] if team_play else scores)


Recount = Callable[[Any, int, Any], bool]
"""(hand, seat, call) -> whether a hand that is over would have been played alike after another call of the seat; it
counts as after that call from then on."""


@dataclass(frozen=True, slots=True)
class Reading:
    position: SearchPosition  # the hand with the cards that the seat knows, at its turn
    worlds: Worlds  # where the other cards may be
    choices: Sequence[Action]  # the actions worth thinking about, at least one
    moves: Callable[[Action], Sequence[int]]  # the moves that make up a legal action
    # In games of tricks, the hand before the first card of `played`, with only those cards that were played since or
    # are known.
    start: SearchPosition | None = None
    played: list[int] = field(default_factory=list)
    recount: Recount | None = None  # None where no call comes before the play
