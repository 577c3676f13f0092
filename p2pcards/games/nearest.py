"""What somebody may have meant who typed a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.4) -> str:
    """``Did you mean 'hearts'?`` with the known word nearest to this one; "" where none is near. cutoff: how like it a
    word must be, from 0, anything, to 1, the same."""
    near = get_close_matches(word, list(known), 1, cutoff)
    return f"Did you mean '{near[0]}'?" if near else ""


def no_character(word: str, keys: Iterable[str], otherwise: str) -> str:
    """otherwise: what is said where none of the keys is like it."""
    return f"There's no character {word!r}. {did_you_mean(word.strip().lower(), keys) or otherwise}"
