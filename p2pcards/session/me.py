"""Who sits at this end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from p2pcards.wire.header import Header
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.names import ByLook, known_by_look, shown_names


def nobody() -> ByLook:
    """Whom somebody knows who knows nobody."""
    return {}


@dataclass(frozen=True)
class Me:
    """auto: the level of computer player that plays my seat, or None if I do. knows: whom I know, by the look of their
    names."""

    identity: PrivateKey
    name: str
    character: str
    auto: str | None = None
    knows: Callable[[], ByLook] = nobody

    @cached_property
    def key(self) -> bytes:
        return public_bytes(self.identity)

    def shown(self, people: Sequence[tuple[bytes, str]]) -> tuple[str, ...]:
        """The names of those at a table, with their keys, as they are shown to me; as in `shown_names`."""
        return shown_names(people, self.knows(), known_by_look([(self.key, self.name)]))

    def shown_sides(self, header: Header) -> tuple[str, ...]:
        return self.shown([(side.key, side.name) for side in header.sides])
