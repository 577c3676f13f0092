"""How a table looks on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.tui.colours import Palette
from p2pcards.tui.picture.faces import Look


@dataclass(frozen=True, slots=True)
class Appearance:
    """look: of cards and lines; pace: seconds of a computer player's action."""

    look: Look
    palette: Palette = Palette()  # noqa: RUF009 - it is frozen
    pace: float = 0.0
