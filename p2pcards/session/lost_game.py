"""A game that a coordinator goes on with, and of which there is no log here. It may be one that was lost, or one that
never was: nothing is kept of it before it shows what this side has signed, and its player has agreed."""

from __future__ import annotations

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.wire.entries import DealEntry
from p2pcards.wire.messages import RecordMessage
from p2pcards.wire.refused import Cause, Refused


class LostGame:
    """count: so many records the coordinator has."""

    def __init__(self, follower: LedgerFollower, count: int) -> None:
        self._follower = follower
        self._count = count

    @property
    def game_id(self) -> bytes:
        return self._follower.position.game_id

    @property
    def name(self) -> str:
        """Of what is played."""
        return self._follower.position.game.name

    def take(self, said: RecordMessage) -> bool:
        """Whether its first hand is dealt: it could not be without a check that this side has signed. Raises Refused,
        also where all of its records are here, and none is a deal: then there is nothing to restore."""
        if said.number != self._follower.position.count & 255:
            raise Refused(Cause.BASE, "A record of a game that is not here came out of turn.")
        received = self._follower.take(said.record)
        if isinstance(received.entries[0], DealEntry):
            return True
        if received.after.count >= self._count:
            raise Refused(Cause.FAIRNESS, "The header gives me another chain than mine, and nothing is dealt yet.")
        return False
