"""The effects that a session machine asks for, and who sits at this end; docs/design.md has the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from p2pcards.games.game import AnyGame, Seat
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.position import Position
from p2pcards.views.happenings import Happening
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.names import ByLook, known_by_look, shown_names
from p2pcards.wire.records import Header

# --- who sits at this end ---------------------------------------------------------------------------------------------


def nobody() -> ByLook:
    """An empty set of known people."""
    return {}


def never_met(_key: bytes) -> str:
    """ "": a player without friends has met nobody."""
    return ""


MOST_SHOWN = 64
"""Sets of people whose names are kept as they are shown: every view asks for them, and a card changes none."""


@dataclass(frozen=True)
class Me:
    """The player at this end."""

    identity: PrivateKey
    name: str
    character: str
    auto: str | None = None  # level of the computer player in this player's seat; None if there is none
    knows: Callable[[], ByLook] = nobody  # the people known here, by the look of their names
    # how the person with a key is known, as the list of peers says it; "" for a stranger
    met: Callable[[bytes], str] = never_met
    # by (key, name) of the people at a table: the people known then, and the names
    _shown: dict[tuple[tuple[bytes, str], ...], tuple[ByLook, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def key(self) -> bytes:
        """The public key."""
        return public_bytes(self.identity)

    def shown(self, people: Sequence[tuple[bytes, str]]) -> tuple[str, ...]:
        """The names of the people at a table as they are shown to me. people: (key, name); see `shown_names`."""
        asked, known = tuple(people), self.knows()
        kept = self._shown.get(asked)
        if kept is None or kept[0] is not known:
            if len(self._shown) >= MOST_SHOWN:
                self._shown.clear()
            kept = self._shown[asked] = known, shown_names(people, known, known_by_look([(self.key, self.name)]))
        return kept[1]

    def shown_sides(self, header: Header) -> tuple[str, ...]:
        """The names of a header's sides as they are shown to me."""
        return self.shown([(side.key, side.name) for side in header.sides])


# --- what a session machine asks of the program that runs it ----------------------------------------------------------


PeerId = int
"""The number of a link, which the runner chose."""


@dataclass(frozen=True, slots=True)
class UseLog:
    """From here on payloads go to the log of this game."""

    game: str  # its key
    game_id: bytes  # the first 16 bytes of the first head
    new: bool  # the game begins now, in a log of its own; False: it continues in the log from which it was read


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
    """Connect to an address."""

    address: str  # as a person writes it
    key: bytes | None = None  # the identity that must answer; None for any


Look = Callable[[], TableView]
"""What makes the view of a moment, also later."""


@dataclass(frozen=True, slots=True)
class Tell:
    happening: Happening
    # of the table after this happening; None unless more happens in the same step
    look: Look | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Think:
    """Ask a computer player. The answer is `thought`, or `hinted` for a hint, with this same Think."""

    seat: Seat
    game: AnyGame
    view: Any
    level: str
    seed: int  # for the player's `Random`
    hint: bool = False  # for a person: the answer rates all actions weighed
    # anyone may check the decision by the log, so it must not depend on the speed of this machine
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Faulted:
    """Note a mistake of this program, which cost one link."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Finished:
    """The table is closed for good."""


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A person at a table, as the others would find them without the coordinator."""

    key: bytes
    name: str
    character: str
    address: str  # where they can be called; "" if that is not known


@dataclass(frozen=True, slots=True)
class Inheritance:
    """What is left of a table whose coordinator is gone."""

    line: tuple[Neighbor, ...]  # everyone who was here: the last coordinator, then the successors in order
    choice: tuple[AnyGame, Any] | None  # game and options; None if none was chosen
    follower: LedgerFollower | None  # the game to be continued; None between games, and at its coordinator
    bases: tuple[Position, ...]  # the positions from which it may be continued, the latest last
    handed: bool = False  # the last coordinator handed it over, and stays
    tries: int = 0  # how often it was taken over by this side, who found too few
    watchers: frozenset[bytes] = frozenset()  # the keys of those who watched

    def others(self, me: bytes) -> tuple[Neighbor, ...]:
        """The people whom the successor expects. me: the successor's key."""
        return tuple([one for one in (self.line if self.handed else self.line[1:]) if one.key != me])


@dataclass(frozen=True, slots=True)
class TakeTable:
    """Go on with a `Coordinator` that begins with this, in place of this machine; all links are closed."""

    inheritance: Inheritance
    insists: bool = False  # our player plays on with anyone who comes, or alone


@dataclass(frozen=True, slots=True)
class YieldTable:
    """Go on with a `Listener` that begins with this, in place of this machine; all links are closed."""

    inheritance: Inheritance
    host: bytes  # the key of the coordinator from now on; b"" for nobody, as too few were here


Effect = UseLog | Remember | Send | Close | Dial | Tell | Think | Faulted | Finished | TakeTable | YieldTable


def seen(effects: list[Effect], look: Look) -> list[Effect]:
    """The effects with the table's view after them attached to the last that tells something."""
    if effects and isinstance(last := effects[-1], Tell):
        return [*effects[:-1], replace(last, look=look)]
    return effects


class CommandError(Exception):
    """Why a command of the person at this table was not carried out, as a sentence."""


FAULT_TOLD = "ran into an error in p2pcards"
"""Follows a name."""


def no_such_command(command: Command) -> CommandError:
    """The CommandError for a command that doesn't exist at this table."""
    return CommandError(f"There's no command {command.name!r} here.")
