"""The machine of a log as data: which entry may follow in which phase, and where it leads.

`advance` works from this table and `scripts/book` prints protocol/machines.md from it. It knows no side and no game:
where a game decides what follows, it does so by the stage that its event leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from p2pcards.games.game import Stage
from p2pcards.wire.entries import Kind


class Phase(StrEnum):
    """What a log waits for."""

    CHECKS = "checks"  # the listeners check the hand before (hand 0: the header); then a deal, or the end
    DEALING = "dealing"  # the dealer is drawn; the cards are still to come
    PLAY = "play"
    OPENING = "opening"  # the hand is over; its pack must be opened
    CLOSED = "closed"


ByStage = Mapping[Stage, Phase]
"""Where an event of the game leads, by the stage of the game after it; it cannot lead to a stage that is missing."""

AFTER_ACTION: ByStage = {
    Stage.PLAY: Phase.PLAY,
    Stage.SHOW: Phase.PLAY,
    Stage.DEAL: Phase.OPENING,
    Stage.OVER: Phase.OPENING,
}
AFTER_COMMIT: ByStage = {Stage.PLAY: Phase.PLAY, Stage.SHOW: Phase.PLAY}
AFTER_SHOW: ByStage = {Stage.PLAY: Phase.PLAY, Stage.DEAL: Phase.OPENING, Stage.OVER: Phase.OPENING}
FIRST_DEAL: ByStage = {Stage.DEAL: Phase.DEALING, Stage.PLAY: Phase.PLAY}
SECOND_DEAL: ByStage = {Stage.PLAY: Phase.PLAY}

TRANSITIONS: dict[tuple[Phase, Kind], Phase | ByStage] = {
    (Phase.CHECKS, Kind.DEAL): FIRST_DEAL,
    (Phase.CHECKS, Kind.TAKEOVER): Phase.CHECKS,
    (Phase.CHECKS, Kind.RETURN): Phase.CHECKS,
    (Phase.CHECKS, Kind.CHECK): Phase.CHECKS,
    (Phase.CHECKS, Kind.CLOSE): Phase.CLOSED,
    (Phase.DEALING, Kind.DEAL): SECOND_DEAL,
    (Phase.DEALING, Kind.TAKEOVER): Phase.DEALING,
    (Phase.DEALING, Kind.RETURN): Phase.DEALING,
    (Phase.DEALING, Kind.CLOSE): Phase.CLOSED,
    (Phase.PLAY, Kind.ACTION): AFTER_ACTION,
    (Phase.PLAY, Kind.COMMIT): AFTER_COMMIT,
    (Phase.PLAY, Kind.OUTCOME): AFTER_SHOW,
    (Phase.PLAY, Kind.TAKEOVER): Phase.PLAY,
    (Phase.PLAY, Kind.RETURN): Phase.PLAY,
    (Phase.PLAY, Kind.OPENING): Phase.CHECKS,
    (Phase.OPENING, Kind.TAKEOVER): Phase.OPENING,
    (Phase.OPENING, Kind.RETURN): Phase.OPENING,
    (Phase.OPENING, Kind.OPENING): Phase.CHECKS,
}


def may_follow(phase: Phase, kind: Kind) -> bool:
    return (phase, kind) in TRANSITIONS


def phase_after(phase: Phase, kind: Kind, stage: Stage) -> Phase | None:
    """The phase that an entry leads to, None if it cannot stand there. stage: that of the game after the entry."""
    leads_to = TRANSITIONS.get((phase, kind))
    return leads_to if leads_to is None or isinstance(leads_to, Phase) else leads_to.get(stage)
