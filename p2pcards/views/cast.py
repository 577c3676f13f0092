"""The characters that play for people and in empty seats, as a table knows them."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.wire.names import given_name


@dataclass(frozen=True, slots=True)
class CastMember:
    """A character: key as in a header, name for people, level: at which it plays."""

    key: str
    name: str
    level: str


Cast = tuple[CastMember, ...]


def level_of(cast: Cast, character: str) -> str:
    return next((member.level for member in cast if member.key == character), "novice")


def character_name(cast: Cast, character: str) -> str:
    """For people; a key that is not in this cast came from somebody else, and is made safe to show."""
    return next((member.name for member in cast if member.key == character), given_name(character))
