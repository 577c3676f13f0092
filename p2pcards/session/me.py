"""Who sits at this end, and the characters that play for people and in empty seats."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.wire.keys import PrivateKey, public_bytes


@dataclass(frozen=True)
class Me:
    """auto: the level of computer player that plays my seat, or None if I do."""

    identity: PrivateKey
    name: str
    character: str
    auto: str | None = None

    @property
    def key(self) -> bytes:
        return public_bytes(self.identity)


@dataclass(frozen=True, slots=True)
class CastMember:
    """A character: key as in a header, name for people, level: the one that plays today."""

    key: str
    name: str
    level: str


Cast = tuple[CastMember, ...]


def level_of(cast: Cast, character: str) -> str:
    return next((member.level for member in cast if member.key == character), "novice")


def character_name(cast: Cast, character: str) -> str:
    return next((member.name for member in cast if member.key == character), character)
