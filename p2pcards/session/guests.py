"""The people at a coordinator's table besides the coordinator."""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.session.effects import Effect, Peer, Send
from p2pcards.session.liveness import Pulse
from p2pcards.wire.messages import Message, encode_message

REDIAL_MOST = 30.0
"""Seconds between two calls at the most; before, 1, 2, 4, 8, 16."""


@dataclass
class Stranger:
    """A link that has not said hello yet."""

    key: bytes
    where: str
    address: str
    pulse: Pulse


@dataclass
class Guest:
    """A listener. peer: her link, None while she is away. address: where she was called, empty if she called. seed:
    nothing of hers is known here but her end. synced: she has every record that there is.

    consent: the person at this end agrees to having her telephone called again in this game. asked: she asked her
    character to play. gone: she left for good, or was put out. again: her answer to "play again?".
    """

    key: bytes
    name: str
    character: str
    address: str
    partner: bool = False
    peer: Peer | None = None
    pulse: Pulse | None = None
    where: str = ""
    synced: bool = False
    asked: bool = False
    gone: bool = False
    lost_at: float = 0.0
    redial_at: float | None = None
    redial_delay: float = 1.0
    dialling: bool = False
    consent: bool = False
    ahead: int = 0
    stake: bytes | None = None
    again: bool | None = None
    chats: int = 0
    said_at: tuple[float, ...] = ()

    @property
    def here(self) -> bool:
        return self.peer is not None

    def lose(self, now: float) -> None:
        """The link is gone: she is called again after a second, if there is a number to call."""
        self.peer, self.pulse, self.synced, self.stake = None, None, False, None
        self.lost_at = now
        self.redial_delay = 1.0
        self.redial_at = now + 1.0 if self.address else None

    def redialled(self) -> None:
        self.redial_at = None
        self.dialling = True

    @property
    def pace(self) -> float:
        """Seconds that a byte takes on her line, 0 where that is nothing."""
        return self.pulse.pace if self.pulse else 0.0

    def dial_failed(self, now: float, again: bool) -> None:
        self.dialling = False
        self.consent = self.consent and again
        self.redial_delay = min(self.redial_delay * 2, REDIAL_MOST)
        self.redial_at = now + self.redial_delay


def send(guest: Guest, message: Message) -> list[Effect]:
    """A message to her, if she is here."""
    return [Send(guest.peer, encode_message(message))] if guest.peer is not None else []
