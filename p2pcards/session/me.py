"""Who sits at this end."""

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
