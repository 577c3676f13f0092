"""The machine of a log as data: which entry may follow in which phase, and where it leads.

`advance` works from this table and `scripts/made` prints protocol/machines.md from it. It knows no side and no game:
where a game decides what follows, it does so by the stage that its event leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from p2pcards.games.game import Stage
from p2pcards.wire.records import EntryKind


class Phase(StrEnum):
    """The phase of a log: the entries it waits for."""

    CHECKS = "checks"  # the listeners check the hand before (hand 0: the header); then a deal, or the end
    DEALING = "dealing"  # the dealer is drawn; the cards are still to come
    PLAY = "play"
    PAUSED = "paused"  # in play, but no person is here who could act
    OPENING = "opening"  # the hand is over or given up; its pack must be opened
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
AFTER_CUT: ByStage = {Stage.PLAY: Phase.PLAY, Stage.DEAL: Phase.DEALING}
FIRST_DEAL: ByStage = {Stage.DEAL: Phase.DEALING, Stage.PLAY: Phase.PLAY}
SECOND_DEAL: ByStage = {Stage.PLAY: Phase.PLAY}

TRANSITIONS: dict[tuple[Phase, EntryKind], Phase | ByStage] = {
    (Phase.CHECKS, EntryKind.DEAL): FIRST_DEAL,
    (Phase.CHECKS, EntryKind.TAKEOVER): Phase.CHECKS,
    (Phase.CHECKS, EntryKind.RETURN): Phase.CHECKS,
    (Phase.CHECKS, EntryKind.CHECK): Phase.CHECKS,
    (Phase.CHECKS, EntryKind.ABSENT): Phase.CHECKS,
    (Phase.CHECKS, EntryKind.CLOSE): Phase.CLOSED,
    (Phase.DEALING, EntryKind.DEAL): SECOND_DEAL,
    (Phase.DEALING, EntryKind.TAKEOVER): Phase.DEALING,
    (Phase.DEALING, EntryKind.RETURN): Phase.DEALING,
    (Phase.DEALING, EntryKind.CLOSE): Phase.CLOSED,
    (Phase.PLAY, EntryKind.ACTION): AFTER_ACTION,
    (Phase.PLAY, EntryKind.COMMIT): AFTER_COMMIT,
    (Phase.PLAY, EntryKind.OUTCOME): AFTER_SHOW,
    (Phase.PLAY, EntryKind.TAKEOVER): Phase.PLAY,
    (Phase.PLAY, EntryKind.RETURN): Phase.PLAY,
    (Phase.PLAY, EntryKind.PAUSE): Phase.PAUSED,
    (Phase.PLAY, EntryKind.UNDO): Phase.PLAY,
    (Phase.PLAY, EntryKind.REDEAL): Phase.OPENING,
    (Phase.PLAY, EntryKind.RESTART): Phase.CHECKS,
    (Phase.PLAY, EntryKind.SWAP): Phase.PLAY,
    (Phase.PLAY, EntryKind.FACE_UP): Phase.PLAY,
    (Phase.PLAY, EntryKind.OPENING): Phase.CHECKS,
    (Phase.PAUSED, EntryKind.TAKEOVER): Phase.PAUSED,
    (Phase.PAUSED, EntryKind.RETURN): Phase.PAUSED,
    (Phase.PAUSED, EntryKind.CONTINUE): Phase.PLAY,
    (Phase.PAUSED, EntryKind.OPENING): Phase.CHECKS,
    (Phase.OPENING, EntryKind.TAKEOVER): Phase.OPENING,
    (Phase.OPENING, EntryKind.RETURN): Phase.OPENING,
    (Phase.OPENING, EntryKind.OPENING): Phase.CHECKS,
}

BEFORE_THE_CARDS: dict[tuple[Phase, EntryKind], ByStage] = {(Phase.PLAY, EntryKind.ACTION): AFTER_CUT}
"""What holds instead while a hand is being dealt and has no cards yet: players cut for its dealer."""


def may_follow(phase: Phase, kind: EntryKind) -> bool:
    """True if an entry of this kind may stand in this phase."""
    return (phase, kind) in TRANSITIONS


def phase_after(phase: Phase, kind: EntryKind, stage: Stage, *, has_cards: bool) -> Phase | None:
    """The phase that an entry leads to, None if it cannot stand there. stage: that of the game after the entry;
    has_cards: whether the hand that is on has its cards then."""
    before_cards = None if has_cards else BEFORE_THE_CARDS.get((phase, kind))
    leads_to = before_cards or TRANSITIONS.get((phase, kind))
    return leads_to if leads_to is None or isinstance(leads_to, Phase) else leads_to.get(stage)
