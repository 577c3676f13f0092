"""The effects that a session machine asks for, and who sits at this end; docs/design.md has the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from p2pcards.games.game import AnyGame, Seat
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.names import ByLook, known_by_look, shown_names
from p2pcards.wire.records import Header

# --- who sits at this end ---------------------------------------------------------------------------------------------


def nobody() -> ByLook:
    """Whom somebody knows who knows nobody."""
    return {}


def never_met(_key: bytes) -> str:
    """How somebody who knows nobody has met the one with this key."""
    return ""


@dataclass(frozen=True)
class Me:
    """auto: the level of computer player that plays my seat, or None if I do. knows: whom I know, by the look of their
    names; met: how the one with a key is known, a word of the list of peers, "" for nobody I have met."""

    identity: PrivateKey
    name: str
    character: str
    auto: str | None = None
    knows: Callable[[], ByLook] = nobody
    met: Callable[[bytes], str] = never_met

    @cached_property
    def key(self) -> bytes:
        return public_bytes(self.identity)

    def shown(self, people: Sequence[tuple[bytes, str]]) -> tuple[str, ...]:
        """The names of those at a table, with their keys, as they are shown to me; as in `shown_names`."""
        return shown_names(people, self.knows(), known_by_look([(self.key, self.name)]))

    def shown_sides(self, header: Header) -> tuple[str, ...]:
        return self.shown([(side.key, side.name) for side in header.sides])


# --- what a session machine asks of the program that runs it ----------------------------------------------------------


PeerId = int
"""The number of a link, which the runner chose."""


@dataclass(frozen=True, slots=True)
class UseLog:
    """From here on payloads go to the log of this game. game is the key, game_id the first 16 bytes of the first head.
    new: it begins now, with a log of its own; otherwise it goes on in the one from which it was read."""

    game: str
    game_id: bytes
    new: bool


@dataclass(frozen=True, slots=True)
class Remember:
    """Append a payload to the log and sync it before any effect that follows is carried out."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Send:
    peer: PeerId
    message: bytes


@dataclass(frozen=True, slots=True)
class Close:
    peer: PeerId


@dataclass(frozen=True, slots=True)
class Dial:
    """Connect to an address as a person writes it; key is the identity that must answer, None for anybody."""

    address: str
    key: bytes | None = None


Look = Callable[[], TableView]
"""What makes the view of a moment, also later."""


@dataclass(frozen=True, slots=True)
class Tell:
    """look: of the table as it stood when this had happened, where more happens in the same step."""

    happening: Happening
    look: Look | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Think:
    """Ask a computer player; the answer is `thought` of this very Think. hint: it is asked for a person, and the answer
    is `hinted`, of all that it has weighed. seed: the number for its `Random`; repeatable: anyone may check the
    decision by the log, so it must not depend on how fast this machine is."""

    seat: Seat
    game: AnyGame
    view: Any
    level: str
    seed: int
    hint: bool = False
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Faulted:
    """Note a mistake of this program, which cost one link."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Finished:
    """The table is closed for good."""


Effect = UseLog | Remember | Send | Close | Dial | Tell | Think | Faulted | Finished


def seen(effects: list[Effect], look: Look) -> list[Effect]:
    """The same, with the table as it stands after the last of them, where that tells something."""
    if effects and isinstance(last := effects[-1], Tell):
        return [*effects[:-1], replace(last, look=look)]
    return effects


class CommandError(Exception):
    """Why a command of the person at this table was not carried out, as a sentence."""


FAULT_TOLD = "was disconnected, because p2pcards itself failed on that link"
"""Follows a name."""


def no_such(command: Command) -> CommandError:
    return CommandError(f"There is no command {command.name!r} here.")
