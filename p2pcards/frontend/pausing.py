"""How long eyes need for what happens in a game that goes on by itself."""

from __future__ import annotations

from p2pcards.views.happenings import Acted, HandDealt, HandScored, Happening


def pause_after(happening: Happening) -> int:
    """How many times the pace of an action."""
    return {HandScored: 5, HandDealt: 1, Acted: 1}.get(type(happening), 0)
