"""How a table looks on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.tui.picture.faces import Look


@dataclass(frozen=True, slots=True)
class Appearance:
    """look: of cards and lines; suits: "four" colours, "two" or "none"; pace: seconds of a computer player's action."""

    look: Look
    suits: str = "four"
    pace: float = 0.0
