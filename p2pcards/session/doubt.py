"""Where a coordinator is taken at their word no longer: they begin a game while another is on, or call a side absent
that is here. The player is asked before this side plays on with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import BrokenOff
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError
from p2pcards.wire.header import Header


class Doubt:
    """key, name: of the coordinator who waits for the player's word; "" and b"" while nobody does."""

    def __init__(self) -> None:
        self.key = b""
        self.name = ""
        self._begins = b""  # the game that they have begun, b"" where it is not about that
        self._accepted = b""  # such a game, once the player has agreed to it

    def arise(self, key: bytes, name: str, begins: bytes = b"") -> None:
        """begins: the id of the game that they have begun while another was on, where it is about that."""
        self.key, self.name, self._begins = key, name, begins

    def accept(self) -> str:
        """The player plays on with them; their name. Raises CommandError."""
        if not self.key:
            raise CommandError("There is nothing to accept: nobody waits for your word.")
        name, accepted = self.name, self._begins
        self.key, self.name, self._begins = b"", "", b""
        self._accepted = accepted or self._accepted
        return name

    def accepts(self, game_id: bytes) -> bool:
        """Whether the player has agreed to this game."""
        return self._accepted == game_id


def unfinished_with(games: Iterable[LedgerFollower], coordinator: bytes) -> list[LedgerFollower]:
    """The games with this coordinator that are not over, and that this side has not left."""
    theirs = [game for game in games if game.start.header.sides[0].key == coordinator]
    return [game for game in theirs if game.position.phase is not Phase.CLOSED and not game.left]


def broken_off_by(header: Header, games: Iterable[LedgerFollower], passed: Collection[bytes]) -> BrokenOff | None:
    """The game that is broken off when that of the header begins. passed: those in whose place another has begun."""
    for game in unfinished_with(games, header.sides[0].key):
        position = game.position
        if position.game_id not in passed:
            return BrokenOff(position.game_id, position.count, position.head, position.head == header.previous)
    return None
