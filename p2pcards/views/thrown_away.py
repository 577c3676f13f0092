"""What is told of deals that a coordinator has thrown away."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealsThrownAway:
    """The coordinator begins another game, and has ended or broken off so many within a day after they could know the
    cards: they are hung up on until the player agrees."""

    name: str
    times: int
