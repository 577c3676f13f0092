"""How a listener stands to a table, as a table of transitions. Both sides keep it: the coordinator one for each guest,
a listener one for itself. protocol/machines.md is printed from it."""

from __future__ import annotations

from enum import StrEnum


class Presence(StrEnum):
    INVITED = "invited"  # called, or on the line: no HELLO yet
    GREETED = "greeted"  # at the table, with no side in a game
    CATCHING_UP = "catching up"  # has a side, and lacks records, or is asked how many it has
    AT_THE_TABLE = "at the table"  # has a side, and every record
    LOOKING_ON = "looking on"  # at the table, with no side in the game that is on
    AWAY = "away"  # the link is lost, the seat is kept
    LEFT = "left"  # for good


class PresenceStep(StrEnum):
    """What changes it."""

    HELLO = "HELLO"
    RESUME = "RESUME"  # there is a game with a side of theirs: how far does their log go?
    COMPLETE = "the last record"
    HEADER = "HEADER of a new game"
    LOOK_ON = "LOOK ON"  # there is a game without a side of theirs
    LOST = "the link is lost"
    LEAVES = "BYE 0 or 7"


ASKED_FOR_NONE = (Presence.GREETED, Presence.LOOKING_ON)
"""Those whose log of no game was asked for on their link."""

_HERE = (Presence.GREETED, Presence.CATCHING_UP, Presence.AT_THE_TABLE, Presence.LOOKING_ON)

PRESENCE: dict[tuple[Presence, PresenceStep], Presence] = {
    **{(presence, PresenceStep.HELLO): Presence.GREETED for presence in Presence},
    **{(presence, PresenceStep.HEADER): Presence.AT_THE_TABLE for presence in _HERE},
    **{(presence, PresenceStep.RESUME): Presence.CATCHING_UP for presence in _HERE},
    (Presence.GREETED, PresenceStep.LOOK_ON): Presence.LOOKING_ON,
    (Presence.CATCHING_UP, PresenceStep.COMPLETE): Presence.AT_THE_TABLE,
    (Presence.AT_THE_TABLE, PresenceStep.COMPLETE): Presence.AT_THE_TABLE,
    **{(presence, PresenceStep.LOST): Presence.AWAY for presence in (Presence.INVITED, *_HERE)},
    (Presence.LEFT, PresenceStep.LOST): Presence.LEFT,
    **{(presence, PresenceStep.LEAVES): Presence.LEFT for presence in Presence if presence is not Presence.LEFT},
}


def is_here(presence: Presence) -> bool:
    """Whether there is a link on which HELLO was said."""
    return presence in _HERE
