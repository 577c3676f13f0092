"""A message broker as a meeting point: short messages, addressed by topic, to everyone who subscribed to it."""

from typing import Protocol


class BrokerLost(Exception):
    """The broker is out of reach for now. The argument is a sentence that a player understands."""


class Broker(Protocol):
    """Delivers nothing twice on purpose and promises nothing: messages may be lost, reordered or forged."""

    @property
    def address(self) -> str:
        """As the settings have it, without a password."""

    async def subscribe(self, topic: str) -> None:
        """Ask for the messages of a topic, now and after every reconnection; does not wait for the broker."""

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send to a topic; dropped when there is no connection or too much is waiting already."""

    async def receive(self) -> tuple[str, bytes]:
        """The next (topic, payload); one task at a time. Raises BrokerLost once for each failure to connect and each
        lost connection; the next call waits for the connection to come back."""
