"""Whoever is at the other end of a table's link, as far as we know them."""

from __future__ import annotations

from p2pcards.daemon.connection import Connection
from p2pcards.store.peers import PROOFS
from p2pcards.wire.reasons import ByeCode


class Counterpart:
    """One of them, as long as the link lasts.

    number: the machine's name for them. proven: "code" if they have proven one on this link, else "". proof: how we
    know their key, as the list of known peers has it. stranger: they came by themselves, without a code, and are not in
    that list. since: when they came, in seconds of the runner's clock.

    met: our player has heard of them. played: we have moved in a game with them. kept: the list of known peers has
    been seen to. goodbye: the code of the BYE that they said.
    """

    def __init__(
        self, connection: Connection, number: int, *, known_by: str | None, proven: str = "", since: float
    ) -> None:
        """known_by: as `proof`, None for somebody who is not in the list."""
        self.connection = connection
        self.number = number
        self.proven = proven
        self.proof = max(proven or PROOFS[0], known_by or PROOFS[0], key=PROOFS.index)
        self.stranger = known_by is None and not proven and not connection.address
        self.since = since
        self.met = False
        self.played = False
        self.kept = False
        self.goodbye: ByeCode | None = None

    @property
    def key(self) -> bytes:
        return self.connection.link.peer

    def meet(self) -> None:
        self.met = True

    def play(self) -> None:
        self.played = True

    def keep(self) -> None:
        """They are in the list of known peers from now on."""
        self.kept, self.stranger = True, False

    def learn(self, proof: str) -> None:
        """Our player has made sure of their key meanwhile."""
        self.proof = proof

    def part(self, goodbye: ByeCode) -> None:
        self.goodbye = goodbye
