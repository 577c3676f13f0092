"""Somebody at a coordinator's table besides the coordinator: who they are, their link, and calling them again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2pcards.session.effects import Close, Effect, PeerId, Send
from p2pcards.session.liveness import Pulse
from p2pcards.session.presence import PRESENCE, Presence, PresenceStep, is_here
from p2pcards.session.redial import Redial
from p2pcards.wire.messages import Bye, Message, encode_message
from p2pcards.wire.reasons import ByeCode


@dataclass(frozen=True, slots=True)
class GuestIdentity:
    """name: at the table; shown: to the person at this end. partner: whether they are to sit opposite the
    coordinator."""

    key: bytes
    name: str
    character: str
    shown: str
    partner: bool = False


@dataclass(frozen=True, slots=True)
class GuestLink:
    peer: PeerId
    where: str
    pulse: Pulse


class Guest:
    """link: None while they are away. where: the other end of it, or of the last one. lost_at: when it ended last, in
    seconds."""

    def __init__(self, identity: GuestIdentity, address: str, presence: Presence = Presence.INVITED) -> None:
        self.identity = identity
        self.presence = presence
        self.link: GuestLink | None = None
        self.redial = Redial(address)
        self.where = address
        self.lost_at = 0.0

    @property
    def key(self) -> bytes:
        return self.identity.key

    @property
    def name(self) -> str:
        """As it is shown here."""
        return self.identity.shown

    @property
    def here(self) -> bool:
        return is_here(self.presence)

    @property
    def complete(self) -> bool:
        """Whether they have every record that there is."""
        return self.presence is Presence.AT_THE_TABLE

    @property
    def left(self) -> bool:
        return self.presence is Presence.LEFT

    @property
    def looks_on(self) -> bool:
        """At the game that is on, or was the last."""
        return self.presence is Presence.LOOKING_ON

    @property
    def pace(self) -> float:
        """Seconds that a byte takes on their line, 0 where that is nothing."""
        return self.link.pulse.pace if self.link else 0.0

    # --- what changes -------------------------------------------------------------------------------------------------

    def greet(self, link: GuestLink, address: str, now: float) -> list[Effect]:
        """HELLO came on a link. address: where we called them, "" if they called. An older link gives way."""
        if self.link is not None:
            self.lost_at = now
        effects = self.hang_up(ByeCode.REPLACED)
        self.link, self.where = link, link.where
        self.redial.answered(now, address)
        self.step(PresenceStep.HELLO)
        return effects

    def step(self, step: PresenceStep) -> None:
        """HEADER, RESUME, COMPLETE or LOOK_ON, from outside; for the others there are `greet`, `lose` and `leave`."""
        self.presence = PRESENCE[self.presence, step]

    def pair(self, partner: bool) -> None:
        """Whether they sit opposite the coordinator from the next game on."""
        self.identity = replace(self.identity, partner=partner)

    def lose(self, now: float, behaved: bool = True) -> None:
        """The link is gone, and they are called again if there is an address. behaved: they did not break the
        protocol."""
        self.link, self.lost_at = None, now
        self.step(PresenceStep.LOST)
        if not self.left:
            self.redial.lost(now, behaved)

    def leave(self, now: float) -> None:
        """For good: nobody calls them again."""
        self.link, self.lost_at = None, now
        self.redial.stop()
        self.step(PresenceStep.LEAVES)

    def expect(self, now: float) -> None:
        """This side was started again, and calls them as soon as it can."""
        self.lost_at = now
        if not self.left:
            self.redial.restart(now)

    # --- what they are sent -------------------------------------------------------------------------------------------

    def send(self, message: Message) -> list[Effect]:
        """A message to them, if they are here."""
        return [Send(self.link.peer, encode_message(message))] if self.link else []

    def hang_up(self, code: ByeCode) -> list[Effect]:
        """The end of their link, if there is one."""
        return [*self.send(Bye(code)), Close(self.link.peer)] if self.link else []
