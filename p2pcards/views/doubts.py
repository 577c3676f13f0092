"""Why a listener's player is asked before their program plays on with a coordinator."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeftOutOfDeal:
    """The coordinator calls me absent, though I have signed my part of the shuffle, and is hung up on until the player
    agrees. here: I was here all the time; otherwise it may have been lost with my line. times: how often they did so in
    the games that are known here, this time included."""

    name: str
    here: bool
    times: int


@dataclass(frozen=True, slots=True)
class GameWithoutLog:
    """The coordinator goes on with a game of which there is no log here, and is hung up on until the player agrees.
    game: its name."""

    name: str
    game: str
