"""Which computer characters were wished for, and at which level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.games.nearest import did_you_mean
from p2pcards.session.effects import CommandError
from p2pcards.views.cast import Cast, CastMember

SEATS = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class Opponent:
    """character: its key."""

    character: str
    level: str


def read_seat(word: str) -> int:
    """A seat as people count them, from 1. Raises CommandError."""
    if word not in SEATS:
        raise CommandError(f"Which seat? They have the numbers 1 to {SEATS[-1]}; for example: computer 2 betty:novice")
    return SEATS.index(word)


def read_opponent(words: str, cast: Cast, levels: Sequence[str]) -> Opponent:
    """``betty``, ``Reddy Betty`` or ``betty:carefree``. levels: those that there are. Raises CommandError."""
    name, colon, level = words.strip().lower().partition(":")
    member = _member(name.strip(), cast)
    level = level.strip() if colon else member.level
    check_level(level, levels)
    return Opponent(member.key, level)


def check_level(level: str, levels: Sequence[str]) -> None:
    """levels: those that there are. Raises CommandError."""
    if level not in levels:
        meant = did_you_mean(level, levels, 0.6) or f"There are {', '.join(levels)}."
        raise CommandError(f"No computer plays at the level {level[:20]!r}. {meant}")


def _member(name: str, cast: Cast) -> CastMember:
    found = next((member for member in cast if name in (member.key, member.name.lower())), None)
    if found is None:
        meant = did_you_mean(name, [member.key for member in cast]) or "'p2pcards characters' lists them."
        raise CommandError(f"There is no character {name[:20]!r}. {meant}")
    return found
