"""What somebody may have meant who typed a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.4) -> str:
    """A suggestion such as ``Did you mean 'hearts'?`` of the nearest known word; "" if none is near. cutoff: how
    similar it must be, from 0 (anything) to 1 (equal)."""
    near = get_close_matches(word, list(known), 1, cutoff)
    return f"Did you mean '{near[0]}'?" if near else ""


def unknown_character_text(word: str, keys: Iterable[str], otherwise: str) -> str:
    """The sentence for a character that does not exist, with the nearest key; otherwise: what is said where none is
    near."""
    return f"There's no character {word!r}. {did_you_mean(word.strip().lower(), keys) or otherwise}"
