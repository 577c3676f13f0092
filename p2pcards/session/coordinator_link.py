"""A listener's link to the coordinator, while there is one, and how the listener stands to the table there."""

from __future__ import annotations

from p2pcards.session.effects import Close, Effect, PeerId, Send
from p2pcards.session.liveness import Pulse
from p2pcards.session.presence import PRESENCE, Presence, PresenceStep
from p2pcards.wire.messages import Bye, Message, Ping, encode_message
from p2pcards.wire.reasons import ByeCode


class CoordinatorLink:
    """peer: None while there is no link. key, where, name: of the coordinator who has it, or had it last; name: ""
    before HELLO."""

    def __init__(self) -> None:
        self.presence = Presence.AWAY
        self.peer: PeerId | None = None
        self.key = b""
        self.where = ""
        self.name = ""
        self._pulse = Pulse(0.0)

    @property
    def greeted(self) -> bool:
        return self.peer is not None and self.presence is not Presence.INVITED

    # --- what changes -------------------------------------------------------------------------------------------------

    def open(self, peer: PeerId, key: bytes, where: str, pulse: Pulse) -> None:
        self.presence = Presence.INVITED
        self.peer, self.key, self.where, self.name, self._pulse = peer, key, where, "", pulse

    def greet(self, name: str) -> None:
        """The coordinator has said HELLO."""
        self.name = name
        self.step(PresenceStep.HELLO)

    def step(self, step: PresenceStep) -> None:
        self.presence = PRESENCE[self.presence, step]

    def end(self, step: PresenceStep = PresenceStep.LOST) -> None:
        """There is no link any more. step: LOST or LEAVES."""
        if self.peer is not None or step is PresenceStep.LEAVES:
            self.step(step)
        self.peer = None

    def hear(self, now: float) -> None:
        self._pulse.hear(now)

    # --- what is sent -------------------------------------------------------------------------------------------------

    def send(self, message: Message) -> list[Effect]:
        return [Send(self.peer, encode_message(message))] if self.peer is not None else []

    def hang_up(self, code: ByeCode, text: str = "") -> list[Effect]:
        """The end of the link, if there is one."""
        return [*self.send(Bye(code, text)), *self.close()]

    def close(self) -> list[Effect]:
        return [Close(self.peer)] if self.peer is not None else []

    # --- time ---------------------------------------------------------------------------------------------------------

    def is_lost(self, now: float) -> bool:
        return self.peer is not None and self._pulse.is_lost(now)

    def tick(self, now: float) -> list[Effect]:
        number = self._pulse.ping_due(now) if self.peer is not None else None
        return [] if number is None else self.send(Ping(number))

    def next_time(self) -> float | None:
        return self._pulse.next_time() if self.peer is not None else None
