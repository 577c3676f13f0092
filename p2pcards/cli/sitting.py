"""How somebody sits at a table, from their settings and what their terminal takes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from p2pcards.cli.options import Seating
from p2pcards.cli.terminal import can_print_suits
from p2pcards.frontend.manner import read_manner, read_own_back, read_tempo
from p2pcards.store.files import Home, StoreError
from p2pcards.store.settings import BACKS, OWN_BACKS, Settings, usable_settings

if TYPE_CHECKING:
    from p2pcards.tui.appearance import Appearance, ReadSitting, Shows, Sitting


def screen_manner_reader(home: Home, seating: Seating) -> ReadSitting:
    """A function that reads how the player sits at this terminal's full screen, from the settings of that moment."""
    from p2pcards.tui.appearance import Sitting

    ascii_only = seating.ascii or not can_print_suits()
    coloured, rings = not os.environ.get("NO_COLOR"), sys.stdout.isatty()
    asked = usable_settings(home)[0].card_pictures
    shows = _detect_pictures(asked) if coloured and not ascii_only else None

    def read() -> Sitting:
        settings, faults = usable_settings(home)
        pattern, missing = _read_own_pattern(home, settings.card_back)
        manner = read_manner(home, settings, terminal=True, rings=rings, changeable=not faults)
        shown = shows if settings.card_pictures != "off" else None
        return Sitting(manner, _make_appearance(settings, pattern, ascii_only, coloured, shown), (*faults, *missing))

    return read


def _detect_pictures(asked: str) -> Shows | None:
    """The pictures that the terminal says it can show, None for none. asked: one of `CARD_PICTURES`."""
    from p2pcards.tui.pictured import ask_terminal, is_worth_asking

    return ask_terminal() if asked == "on" or (asked == "auto" and is_worth_asking(os.environ)) else None


def _make_appearance(
    settings: Settings, pattern: tuple[str, ...], ascii_only: bool, coloured: bool, shows: Shows | None
) -> Appearance:
    """How the table looks. pattern: the rows of the player's own card back; ascii_only, coloured, shows: what the
    terminal can show."""
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
    tempo = read_tempo(settings)
    marked = {"plays": settings.mark_plays, "stock": settings.mark_stock}
    marks = frozenset([name for name, wanted in marked.items() if wanted])
    return Appearance(look, palette, tempo.pace, tempo.stays, marks, tempo.moving, shows)


def _read_own_pattern(home: Home, back: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(rows of the player's own card back, sentences why it cannot be read). back: the setting."""
    if back not in OWN_BACKS:
        return (), ()
    try:
        return read_own_back(home, back), ()
    except StoreError as fault:
        return (), (f"{fault.with_advice} Until then, you get the first built-in card back.",)
