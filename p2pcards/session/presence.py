"""How a listener stands to a table, as a table of transitions. Both sides keep it: the coordinator one for each guest,
a listener one for itself, with its link. protocol/machines.md is printed from it."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.session.bounds import Pulse
from p2pcards.session.effects import Close, Effect, PeerId, Send
from p2pcards.wire.messages import Bye, Message, Ping, encode_message
from p2pcards.wire.reasons import ByeCode

# --- how a listener stands to a table, as a table of transitions ------------------------------------------------------


class Presence(StrEnum):
    INVITED = "invited"  # called, or on the line: no HELLO yet
    GREETED = "greeted"  # at the table, with no side in a game
    CATCHING_UP = "catching up"  # has a side, and lacks records, or is asked how many it has
    AT_THE_TABLE = "at the table"  # has a side, and every record
    LOOKING_ON = "looking on"  # at the table, with no side in the game that is on
    WATCHING = "watching"  # behind the table, without a seat in any game
    AWAY = "away"  # the link is lost, the seat is kept
    LEFT = "left"  # for good


class PresenceStep(StrEnum):
    """What changes it."""

    HELLO = "HELLO"
    RESUME = "RESUME"  # there is a game with a side of theirs: how far does their log go?
    COMPLETE = "the last record"
    HEADER = "HEADER of a new game"
    LOOK_ON = "LOOK ON"  # there is a game without a side of theirs
    WATCH = "WATCH"  # in place of HELLO
    LOST = "the link is lost"
    LEAVES = "BYE 0 or 7"


ASKED_FOR_NONE = (Presence.GREETED, Presence.LOOKING_ON)
"""Those whose log of no game was asked for on their link."""

_HERE = (Presence.GREETED, Presence.CATCHING_UP, Presence.AT_THE_TABLE, Presence.LOOKING_ON)
_ON_A_LINK = (Presence.INVITED, *_HERE, Presence.WATCHING)

PRESENCE: dict[tuple[Presence, PresenceStep], Presence] = {
    **{(presence, PresenceStep.HELLO): Presence.GREETED for presence in Presence},
    **{(presence, PresenceStep.HEADER): Presence.AT_THE_TABLE for presence in _HERE},
    **{(presence, PresenceStep.RESUME): Presence.CATCHING_UP for presence in _HERE},
    (Presence.GREETED, PresenceStep.LOOK_ON): Presence.LOOKING_ON,
    (Presence.INVITED, PresenceStep.WATCH): Presence.WATCHING,
    (Presence.WATCHING, PresenceStep.LOOK_ON): Presence.WATCHING,
    (Presence.CATCHING_UP, PresenceStep.COMPLETE): Presence.AT_THE_TABLE,
    (Presence.AT_THE_TABLE, PresenceStep.COMPLETE): Presence.AT_THE_TABLE,
    **{(presence, PresenceStep.LOST): Presence.AWAY for presence in _ON_A_LINK},
    (Presence.LEFT, PresenceStep.LOST): Presence.LEFT,
    **{(presence, PresenceStep.LEAVES): Presence.LEFT for presence in Presence if presence is not Presence.LEFT},
}


def is_here(presence: Presence) -> bool:
    """True if there is a link on which HELLO was said."""
    return presence in _HERE


# --- a listener's link to the coordinator -----------------------------------------------------------------------------


class CoordinatorLink:
    """peer: None while there is no link. key, where, name, address: of the coordinator who has it, or had it last;
    name: "" before HELLO; address: where they were called, "" if they called."""

    def __init__(self) -> None:
        self.presence = Presence.AWAY
        self.peer: PeerId | None = None
        self.key = b""
        self.where = ""
        self.name = ""
        self.address = ""
        self._pulse = Pulse(0.0)

    @property
    def greeted(self) -> bool:
        """True if the coordinator has said HELLO on the link."""
        return self.peer is not None and self.presence is not Presence.INVITED

    # --- what changes -------------------------------------------------------------------------------------------------

    def open(self, peer: PeerId, key: bytes, where: str, address: str, pulse: Pulse) -> None:
        """Take a new link, on which HELLO is still to come."""
        self.presence = Presence.INVITED
        self.peer, self.key, self.where, self.address = peer, key, where, address
        self.name, self._pulse = "", pulse

    def greet(self, name: str, step: PresenceStep = PresenceStep.HELLO) -> None:
        """Note the coordinator's HELLO and name. step: HELLO, or WATCH where our player watches."""
        self.name = name
        self.step(step)

    def step(self, step: PresenceStep) -> None:
        """Follow the table `PRESENCE`."""
        self.presence = PRESENCE[self.presence, step]

    def drop(self, step: PresenceStep = PresenceStep.LOST) -> None:
        """Note that there is no link any more. step: LOST or LEAVES."""
        if self.peer is not None or step is PresenceStep.LEAVES:
            self.step(step)
        self.peer = None

    def note_heard(self, now: float) -> None:
        """Note that something came over the link."""
        self._pulse.note_heard(now)

    # --- what is sent -------------------------------------------------------------------------------------------------

    def send(self, message: Message) -> list[Effect]:
        return [Send(self.peer, encode_message(message))] if self.peer is not None else []

    def hang_up(self, code: ByeCode, text: str = "") -> list[Effect]:
        """Say BYE and close the link, if there is one."""
        return [*self.send(Bye(code, text)), *self.close()]

    def close(self) -> list[Effect]:
        """Close the link, if there is one, without BYE."""
        return [Close(self.peer)] if self.peer is not None else []

    # --- time ---------------------------------------------------------------------------------------------------------

    def is_lost(self, now: float) -> bool:
        """True if nothing came for too long."""
        return self.peer is not None and self._pulse.is_lost(now)

    def tick(self, now: float) -> list[Effect]:
        """Send a ping if one is due."""
        number = self._pulse.ping_due(now) if self.peer is not None else None
        return [] if number is None else self.send(Ping(number))

    def next_time(self) -> float | None:
        """When to call `tick`, None without a link."""
        return self._pulse.next_time() if self.peer is not None else None
