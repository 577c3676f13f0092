"""Collecting garbage while tables play. With hundreds of tables, whose games are kept move by move, it takes Python a
third of a second to look at everything, and meanwhile nobody's move goes on: so what has lasted through one such look
is left out of the next, until a table closes."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

EVERYTHING = 2
"""The generation that holds all others."""


@contextmanager
def sparing_what_lasts() -> Iterator[None]:
    gc.callbacks.append(_set_aside)
    try:
        yield
    finally:
        gc.callbacks.remove(_set_aside)
        gc.unfreeze()


def look_at_all_again() -> None:
    """Something large is no longer needed: the next look is at everything."""
    gc.unfreeze()


def _set_aside(phase: str, about: Mapping[str, int]) -> None:
    if phase == "stop" and about["generation"] == EVERYTHING:
        gc.freeze()
