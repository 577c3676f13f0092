"""How a table looks on the screen, and how somebody sits at it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2pcards.frontend.manner import Manner
from p2pcards.tui.colours import Palette
from p2pcards.tui.picture.faces import Look


@dataclass(frozen=True, slots=True)
class Appearance:
    """look: of cards and lines; pace: seconds of a computer player's action; stays: seconds that a trick lies there
    when it is over, None until a key is pressed; marks: what others do is marked for a moment, "plays" and "stock";
    moving: seconds that a card is on its way."""

    look: Look
    palette: Palette = Palette()  # noqa: RUF009 - it is frozen
    pace: float = 0.0
    stays: float | None = 0.0
    marks: frozenset[str] = frozenset()
    moving: float = 0.0


@dataclass(frozen=True, slots=True)
class Sitting:
    """As the settings have it. faults: what is wrong with these, in sentences."""

    manner: Manner
    appearance: Appearance
    faults: tuple[str, ...] = ()


ReadSitting = Callable[[], Sitting]
"""Reads the settings as they are now."""
