"""What a session machine asks of the program that runs it; docs/design.md has the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2pcards.games.game import AnyGame, Seat
from p2pcards.views.happenings import Happening

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


@dataclass(frozen=True, slots=True)
class Tell:
    happening: Happening


@dataclass(frozen=True, slots=True)
class Think:
    """Ask a computer player; the answer is `thought` of this very Think. hint: it is asked for a person, and the answer
    is `hinted`, of all that it has weighed. seed: the number for its `Random`."""

    seat: Seat
    game: AnyGame
    view: Any
    level: str
    seed: int
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The table is closed for good."""


Effect = UseLog | Remember | Send | Close | Dial | Tell | Think | Finished


class CommandError(Exception):
    """Why a command of the person at this table was not carried out, as a sentence."""
