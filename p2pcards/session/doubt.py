"""Where a coordinator is taken at their word no longer: they begin a game while another is on, or call a side absent
that is here. The player is asked before this side plays on with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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

    def spend(self, game_id: bytes) -> bool:
        """Whether the player has agreed to this game, which counts once."""
        agreed = self._accepted == game_id
        self._accepted = b"" if agreed else self._accepted
        return agreed

    def accepts(self, game_id: bytes) -> bool:
        """Whether the player has agreed to this game."""
        return self._accepted == game_id


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is not over, as its log has it. name: of what is played."""

    game_id: bytes
    name: str
    records: int
    head: bytes


class OpenGames:
    """The games with one coordinator that are not over: those that have been on at this table, and what the logs of
    this home say of the others. looked: whose logs were looked at."""

    def __init__(self) -> None:
        self.looked = b""
        self._last: OpenGame | None = None
        self._open: frozenset[bytes] = frozenset()
        self._passed: set[bytes] = set()

    def look(self, coordinator: bytes, last: OpenGame | None, unfinished: frozenset[bytes]) -> None:
        """What the logs say. last: the game that was on last with this coordinator, None where that is over;
        unfinished: the ids of those that are not."""
        self.looked, self._last, self._open = coordinator, last, unfinished

    def forget_logs(self) -> None:
        """The logs may say something else by now."""
        self.look(b"", None, frozenset())

    def broken_off_by(self, header: Header, here: Iterable[LedgerFollower]) -> BrokenOff | None:
        """The game that is broken off when that of the header begins. here: the games of this table."""
        one = self.open_with(header.sides[0].key, here)
        return BrokenOff(one.game_id, one.records, one.head, one.head == header.previous) if one else None

    def open_with(self, coordinator: bytes, here: Iterable[LedgerFollower]) -> OpenGame | None:
        """The game with this coordinator that would be broken off if another began. here: the games of this table."""
        found = [game for game in _all_open(here, coordinator) if game.game_id not in self._passed]
        known = {game.position.game_id for game in here} | self._passed
        if not found and self._last and self.looked == coordinator and self._last.game_id not in known:
            found = [self._last]
        return found[0] if found else None

    def name_of(self, game_id: bytes, here: Iterable[LedgerFollower]) -> str:
        games = [*_all_open(here), *([self._last] if self._last else [])]
        return next(game.name for game in games if game.game_id == game_id)

    def count(self, coordinator: bytes, here: Iterable[LedgerFollower]) -> int:
        """How many games this coordinator has left so."""
        live = {game.game_id for game in _all_open(here, coordinator)}
        over = {game.position.game_id for game in here} - live
        return len(live | (self._open - over if self.looked == coordinator else set()))

    def pass_over(self, game_id: bytes) -> None:
        """Another game has begun in its place."""
        self._passed.add(game_id)


def _all_open(games: Iterable[LedgerFollower], coordinator: bytes = b"") -> list[OpenGame]:
    """Those of this coordinator, or of all, that are not over, and that this side has not left."""
    return [
        OpenGame(game.position.game_id, game.position.game.name, game.position.count, game.position.head)
        for game in games
        if game.start.header.sides[0].key == (coordinator or game.start.header.sides[0].key)
        and game.position.phase is not Phase.CLOSED
        and not game.left
    ]
