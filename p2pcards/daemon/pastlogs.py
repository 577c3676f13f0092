"""The logs of games that we have coordinated, of which a listener lacks the end."""

from __future__ import annotations

import trio

from p2pcards.daemon.beside import beside
from p2pcards.daemon.gamelogs import coordinated_game
from p2pcards.session.coordinator import Coordinator
from p2pcards.store.home import Home
from p2pcards.wire.keys import PrivateKey


class PastLogs:
    """Those of a home. They are read beside the event loop, one at a time."""

    def __init__(self, home: Home, identity: PrivateKey) -> None:
        self._home = home
        self._identity = identity
        self._lane = trio.CapacityLimiter(1)

    async def gather(self, machine: Coordinator, listener: bytes, game_id: bytes) -> None:
        """A listener asks at the table of this machine for a game: it is known there what its log tells, if it may be
        asked for."""
        if game_id and machine.wants_past(listener, game_id):
            found = await beside(coordinated_game, self._home, self._identity, listener, game_id, lane=self._lane)
            machine.know_past(listener, found)
