"""How somebody sits at a table, from their settings and what their terminal takes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from p2pcards.cli.command import Seating, takes_suits
from p2pcards.frontend.manner import manner_of, own_back, tempo_of
from p2pcards.store.files import Home, StoreError
from p2pcards.store.settings import BACKS, OWN_BACKS, Settings, usable_settings

if TYPE_CHECKING:
    from p2pcards.tui.appearance import Appearance, ReadSitting, Shows, Sitting


def screen_sitting(home: Home, seating: Seating) -> ReadSitting:
    """How somebody sits at the full screen of this terminal, as the settings are whenever that is asked."""
    from p2pcards.tui.appearance import Sitting

    ascii_only = seating.ascii or not takes_suits()
    coloured, rings = not os.environ.get("NO_COLOR"), sys.stdout.isatty()
    asked = usable_settings(home)[0].card_pictures
    shows = _pictures(asked) if coloured and not ascii_only else None

    def read() -> Sitting:
        settings, faults = usable_settings(home)
        pattern, missing = _own_pattern(home, settings.card_back)
        manner = manner_of(home, settings, terminal=True, rings=rings, changeable=not faults)
        shown = shows if settings.card_pictures != "off" else None
        return Sitting(manner, _appearance(settings, pattern, ascii_only, coloured, shown), (*faults, *missing))

    return read


def _pictures(asked: str) -> Shows | None:
    """What the terminal says that it can show; asked: of `CARD_PICTURES`."""
    from p2pcards.tui.pictured import ask_terminal, may_show

    return ask_terminal() if asked == "on" or (asked == "auto" and may_show(os.environ)) else None


def _appearance(
    settings: Settings, pattern: tuple[str, ...], ascii_only: bool, coloured: bool, shows: Shows | None
) -> Appearance:
    """pattern: of a card back of one's own; ascii_only, coloured, shows: what the terminal takes."""
    from p2pcards.tui.appearance import Appearance, Palette
    from p2pcards.tui.picture.faces import Look

    palette = Palette(settings.suits if coloured else "none", tuple(settings.colours.items()))
    look = Look(
        ascii_only,
        settings.square_corners,
        settings.card_back if settings.card_back in BACKS else BACKS[0],
        settings.card_size,
        pattern,
        settings.stagger,
        settings.tint_melds,
        settings.shaded,
        shows is not None,
        settings.rules_frame,
    )
    tempo = tempo_of(settings)
    marks = frozenset([name for name in ("plays", "stock") if getattr(settings, f"mark_{name}")])
    return Appearance(look, palette, tempo.pace, tempo.stays, marks, tempo.moving, shows)


def _own_pattern(home: Home, back: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is drawn on the backs of cards, where it is a player's own, and why that cannot be read."""
    if back not in OWN_BACKS:
        return (), ()
    try:
        return own_back(home, back), ()
    except StoreError as fault:
        return (), (f"{fault.with_advice} Until then, you get the first built-in card back.",)
