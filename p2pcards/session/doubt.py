"""Where a coordinator is taken at their word no longer: they begin a game while another is on, throw deal after deal
away, or call a side absent that is here. The player is asked before this side plays on with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import BrokenOff
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError
from p2pcards.session.thrown import TOO_OFTEN, ThrownAway
from p2pcards.wire.header import Header
from p2pcards.wire.reasons import CloseReason

NONE: Mapping[bytes, float] = {}


class Doubt:
    """key, name: of the coordinator who waits for the player's word; b"" and "" while nobody does. thrown: how many
    deals they have thrown away within a day, where it is about that, else 0."""

    def __init__(self) -> None:
        self.key = b""
        self.name = ""
        self.thrown = 0
        self._begins = b""  # the game that they have begun, b"" where it is not about that
        self._accepted = b""  # such a game, once the player has agreed to it
        self._borne: dict[bytes, int] = {}  # of those whom the player has accepted, how many deals were thrown away

    def arise(self, key: bytes, name: str, begins: bytes = b"", thrown: int = 0) -> None:
        """begins: the id of the game that they have begun while another was on, where it is about that."""
        self.key, self.name, self.thrown, self._begins = key, name, thrown, begins

    def accept(self) -> str:
        """The player plays on with them; their name. Raises CommandError."""
        if not self.key:
            raise CommandError("There is nothing to accept: nobody waits for your word.")
        name, accepted = self.name, self._begins
        if self.thrown:
            self._borne[self.key] = self.thrown
        self.key, self.name, self.thrown, self._begins = b"", "", 0, b""
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

    def bears(self, key: bytes, thrown: int) -> bool:
        """Whether somebody who has thrown so many deals away may begin another game without the player's yes."""
        return thrown < TOO_OFTEN or thrown <= self._borne.get(key, 0)


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is not over, as its log has it. name: of what is played; checked: a check of this side stands in it,
    so its coordinator can know a pack."""

    game_id: bytes
    name: str
    records: int
    head: bytes
    checked: bool


@dataclass(frozen=True, slots=True)
class Beginning:
    """A game that this coordinator begins. broken_off: the one that it breaks off, game: what is played in that;
    checked: a pack of that can be known; times: how many games they have left so. unnamed: its header does not say so,
    and the player has not agreed; thrown: how many deals they have thrown away within a day, 0 where that needs no
    yes."""

    coordinator: bytes
    game_id: bytes
    broken_off: BrokenOff | None
    game: str
    checked: bool
    times: int
    unnamed: bool
    thrown: int

    @property
    def asks(self) -> bool:
        """Whether the player has to agree first."""
        return self.unnamed or self.thrown > 0


class OpenGames:
    """The games with one coordinator that are not over, or were thrown away: those that have been on at this table, and
    what the logs of this home say of the others. looked: whose logs were looked at."""

    def __init__(self) -> None:
        self.looked = b""
        self._thrown_away = ThrownAway()
        self._last: OpenGame | None = None
        self._open: frozenset[bytes] = frozenset()
        self._passed: set[bytes] = set()

    def look(
        self,
        coordinator: bytes,
        last: OpenGame | None,
        unfinished: frozenset[bytes],
        thrown: Mapping[bytes, float] = NONE,
    ) -> None:
        """What the logs say. last: the game that was on last with this coordinator, None where that is over;
        unfinished: the ids of those that are not; thrown: as `ThrownAway.learn` takes them."""
        self.looked, self._last, self._open = coordinator, last, unfinished
        self._thrown_away.learn(coordinator, thrown)

    def forget_logs(self) -> None:
        """The logs may say something else by now."""
        self.look(b"", None, frozenset())

    def judge(
        self, header: Header, game_id: bytes, here: Collection[LedgerFollower], doubt: Doubt, now: float
    ) -> Beginning:
        """What is to be said of a game that this header begins. here: the games of this table."""
        key = header.sides[0].key
        one = self.open_with(key, here)
        left = self.broken_off_by(header, here)
        checked = one is not None and one.checked
        thrown = self._thrown_away.count(key, now, one.game_id if one and checked else b"")
        return Beginning(
            key,
            game_id,
            left,
            one.name if one else "",
            checked,
            self._count(key, here),
            unnamed=left is not None and not (left.named or doubt.accepts(game_id)),
            thrown=0 if doubt.bears(key, thrown) else thrown,
        )

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

    def _count(self, coordinator: bytes, here: Iterable[LedgerFollower]) -> int:
        """How many games this coordinator has left so."""
        live = {game.game_id for game in _all_open(here, coordinator)}
        over = {game.position.game_id for game in here} - live
        return len(live | (self._open - over if self.looked == coordinator else set()))

    def pass_over(self, begins: Beginning, now: float) -> None:
        """This game has begun, in the place of the one that it breaks off."""
        assert begins.broken_off is not None
        self._passed.add(begins.broken_off.game_id)
        if begins.checked:
            self._thrown_away.learn(begins.coordinator, {begins.broken_off.game_id: now})

    def note_end(self, game: LedgerFollower, now: float) -> None:
        """After a record: where its coordinator has ended the game though they could know a pack of it, they have
        thrown it away."""
        if game.position.ended is CloseReason.ENDED and game.has_checked:
            self._thrown_away.learn(game.start.header.sides[0].key, {game.position.game_id: now})


def _all_open(games: Iterable[LedgerFollower], coordinator: bytes = b"") -> list[OpenGame]:
    """Those of this coordinator, or of all, that are not over, and that this side has not left."""
    return [
        OpenGame(
            game.position.game_id, game.position.game.name, game.position.count, game.position.head, game.has_checked
        )
        for game in games
        if game.start.header.sides[0].key == (coordinator or game.start.header.sides[0].key)
        and game.position.phase is not Phase.CLOSED
        and not game.left
    ]
