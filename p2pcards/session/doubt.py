"""Where a coordinator is taken at their word no longer, and where another comes before them: what a listener asks its
player before this side plays on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import BrokenOff
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError
from p2pcards.wire.messages import RecordMessage
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import DealEntry, Header

# --- deals that a coordinator has thrown away -------------------------------------------------------------------------


DAY = 86400.0
"""Seconds for which such a game counts."""
TOO_OFTEN = 3
"""Games in that time after which the player has to agree to the next one."""


class ThrownAway:
    """Such games, by their ids, each once, from when it is first known. Each method is told what time it is, or was."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[bytes, float]] = {}

    def learn(self, coordinator: bytes, games: Mapping[bytes, float]) -> None:
        """Add games that a coordinator has thrown away. games: ids, with the time of each."""
        for game_id, when in games.items():
            self._known.setdefault(game_id, (coordinator, when))

    def count(self, coordinator: bytes, now: float, also: bytes = b"") -> int:
        """The number of this coordinator's games thrown away within a day. also: the id of a game about to be one, b""
        for none."""
        self._known = {game: one for game, one in self._known.items() if now < one[1] + DAY}
        theirs = {game for game, (key, _) in self._known.items() if key == coordinator}
        return len(theirs | ({also} if also else set()))


# --- where a coordinator is taken at their word no longer -------------------------------------------------------------


NONE: Mapping[bytes, float] = {}


HasPlayer = Callable[[str, str, int], bool]
"""(the key of a game, a level, an edition) -> whether this program has such a computer player."""


def any_player(_game: str, _level: str, _edition: int) -> bool:
    """True for every player: the default where no computer players are limited."""
    return True


class Doubt:
    """key, name: of the coordinator who waits for the player's word; b"" and "" while nobody does. thrown: how many
    deals they have thrown away within a day, where it is about that, else 0."""

    def __init__(self) -> None:
        self.key = b""
        self.name = ""
        self.thrown = 0
        self._begins = b""  # the game that they have begun, b"" where it is not about that
        self._accepted = b""  # such a game, once the player has agreed to it
        self._stand_in = ""  # who is to stand in for the player, where it is about that
        self._stand_ins: set[tuple[bytes, str]] = set()  # those whom the player has accepted, by coordinator
        self._borne: dict[bytes, int] = {}  # of those whom the player has accepted, how many deals were thrown away

    def arise(self, key: bytes, name: str, begins: bytes = b"", thrown: int = 0, stand_in: str = "") -> None:
        """Begin to doubt a coordinator until the player accepts them. begins: the id of the game that they began while
        another was in progress, if that is why; stand_in: as in `Beginning`."""
        self.key, self.name, self.thrown, self._begins, self._stand_in = key, name, thrown, begins, stand_in

    def accept(self) -> str:
        """The player plays on with the doubted coordinator; returns their name. Raises CommandError."""
        if not self.key:
            raise CommandError("Nothing to accept right now.")
        name, accepted = self.name, self._begins
        if self.thrown:
            self._borne[self.key] = self.thrown
        if self._stand_in:
            self._stand_ins.add((self.key, self._stand_in))
        self.key, self.name, self.thrown, self._begins, self._stand_in = b"", "", 0, b"", ""
        self._accepted = accepted or self._accepted
        return name

    def spend(self, game_id: bytes) -> bool:
        """True once for a game that the player agreed to; the agreement is used up."""
        agreed = self._accepted == game_id
        self._accepted = b"" if agreed else self._accepted
        return agreed

    def accepts(self, game_id: bytes) -> bool:
        """True if the player has agreed to this game."""
        return self._accepted == game_id

    def takes_stand_in(self, key: bytes, stand_in: str) -> bool:
        """True if the player has agreed to this stand-in in games of this coordinator."""
        return (key, stand_in) in self._stand_ins

    def bears(self, key: bytes, thrown: int) -> bool:
        """True if a coordinator who has thrown away so many deals may begin a game without the player's yes."""
        return thrown < TOO_OFTEN or thrown <= self._borne.get(key, 0)


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that is not over, as its log has it."""

    game_id: bytes
    name: str  # of what is played
    records: int  # number of records
    head: bytes  # after the last record
    checked: bool  # this side signed a check in it, so the coordinator may know a pack


@dataclass(frozen=True, slots=True)
class Beginning:
    """A game that a coordinator begins, and what is doubtful about that."""

    coordinator: bytes
    game_id: bytes
    broken_off: BrokenOff | None  # the game that it breaks off; None if there is none
    game: str  # what is played in that one; "" if there is none
    checked: bool  # this side signed a check in that one, so the coordinator may know a pack
    times: int  # number of games that this coordinator has left unfinished
    unnamed: bool  # the header does not name the broken-off game, and the player has not agreed
    thrown: int  # number of deals that this coordinator threw away within a day; 0 if the player need not agree
    # the computer player that would stand in for the player, if this program does not have it and the player has not
    # agreed; otherwise ""
    stand_in: str = ""

    @property
    def asks(self) -> bool:
        """True if the player has to agree before the game begins."""
        return self.unnamed or self.thrown > 0 or bool(self.stand_in)


class OpenGames:
    """The games with one coordinator that are not over, or were thrown away: those that have been on at this table, and
    what the logs of this home say of the others. looked: whose logs were looked at."""

    def __init__(self) -> None:
        self.looked = b""
        self._thrown_away = ThrownAway()
        self._last: OpenGame | None = None
        self._open: frozenset[bytes] = frozenset()
        self._passed: set[bytes] = set()

    def read_logs(
        self,
        coordinator: bytes,
        last: OpenGame | None,
        unfinished: frozenset[bytes],
        thrown: Mapping[bytes, float] = NONE,
    ) -> None:
        """Take what the logs say of a coordinator's games. last: their last game, None if it is over; unfinished: ids;
        thrown: as in `ThrownAway.learn`."""
        self.looked, self._last, self._open = coordinator, last, unfinished
        self._thrown_away.learn(coordinator, thrown)

    def forget_logs(self) -> None:
        """Forget what the logs said, which may be out of date."""
        self.read_logs(b"", None, frozenset())

    def judge(
        self, header: Header, game_id: bytes, here: Collection[LedgerFollower], doubt: Doubt, now: float
    ) -> Beginning:
        """Find what is doubtful about the game that this header begins. here: the games of this table."""
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
        """The note about the game that is broken off when this header's game begins, None if there is none. here: the
        games of this table."""
        one = self.open_with(header.sides[0].key, here)
        return BrokenOff(one.game_id, one.records, one.head, one.head == header.previous) if one else None

    def open_with(self, coordinator: bytes, here: Iterable[LedgerFollower]) -> OpenGame | None:
        """The unfinished game with this coordinator that another game would break off, None if there is none. here: the
        games of this table."""
        found = [game for game in _open_games_of(here, coordinator) if game.game_id not in self._passed]
        known = {game.position.game_id for game in here} | self._passed
        if not found and self._last and self.looked == coordinator and self._last.game_id not in known:
            found = [self._last]
        return found[0] if found else None

    def _count(self, coordinator: bytes, here: Iterable[LedgerFollower]) -> int:
        """The number of games that this coordinator has left unfinished."""
        live = {game.game_id for game in _open_games_of(here, coordinator)}
        over = {game.position.game_id for game in here} - live
        return len(live | (self._open - over if self.looked == coordinator else set()))

    def pass_over(self, begins: Beginning, now: float) -> None:
        """Note that a game has begun in place of the one that it breaks off."""
        assert begins.broken_off is not None
        self._passed.add(begins.broken_off.game_id)
        if begins.checked:
            self._thrown_away.learn(begins.coordinator, {begins.broken_off.game_id: now})

    def note_end(self, game: LedgerFollower, now: float) -> None:
        """After a record: count the game as thrown away if the coordinator ended it when they could know a pack of
        it."""
        if game.position.ended is CloseReason.ENDED and game.has_checked:
            self._thrown_away.learn(game.start.header.sides[0].key, {game.position.game_id: now})


def _open_games_of(games: Iterable[LedgerFollower], coordinator: bytes = b"") -> list[OpenGame]:
    """The unfinished games of this coordinator, or of all for b"", that this side has not left."""
    return [
        OpenGame(
            game.position.game_id, game.position.game.name, game.position.count, game.position.head, game.has_checked
        )
        for game in games
        if game.start.header.sides[0].key == (coordinator or game.start.header.sides[0].key)
        and game.position.phase is not Phase.CLOSED
        and not (game.left or game.succeeded)
    ]


# --- a game that a coordinator goes on with, and of which there is no log here ----------------------------------------


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
        """The name of the card game."""
        return self._follower.position.game.name

    def receive_record(self, said: RecordMessage) -> bool:
        """Check a record; True once the first hand is dealt, which needs a check that this side signed. Raises Refused,
        also if all records are here without a deal, so that nothing has to be restored."""
        if said.number != self._follower.position.count & 255:
            raise Refused(Cause.BASE, "A record of a lost game came out of order.")
        received = self._follower.receive_record(said.record)
        if isinstance(received.entries[0], DealEntry):
            return True
        if received.after.count >= self._count:
            raise Refused(
                Cause.FAIRNESS, "The header gives me a chain that isn't mine, and nothing has been dealt yet."
            )
        return False


# --- who comes before whom --------------------------------------------------------------------------------------------


QUIET = 60.0
"""Seconds without a record after which a hand is not waited for."""
LATEST = 300.0
"""Seconds from the first call after which it is not either."""
KEPT = 120.0
"""Seconds for which a table that was given away is kept for whom it is."""


@dataclass(frozen=True, slots=True)
class Familiarity:
    """How well the player knows another person."""

    sure: bool = False  # the player has verified their key
    since: int | None = None  # when they first met, in seconds of Unix time; None for a stranger

    def comes_before(self, other: Familiarity) -> bool:
        """True if this person is known better than the other: by a sure key, or for longer."""
        if self.since is None or other.sure:
            return False
        return self.sure or other.since is None or self.since < other.since


def stranger() -> Familiarity:
    """The familiarity of a person who is not known."""
    return Familiarity()


StandingNow = Callable[[], Familiarity]
"""How well somebody is known when it is called: that may change."""


class GivingWay:
    """A place at the table of a listener. holder: how well the one who has it is known. next: the key of the next
    one, b"" while nobody does. Each method is told what time it is."""

    def __init__(self) -> None:
        self.next = b""
        self.holder: StandingNow = stranger
        self._standing: StandingNow = stranger
        self._asked = 0.0
        self._kept_until: float | None = None  # while the table is not theirs yet

    def arrive(self, standing: StandingNow) -> None:
        """Note that somebody has the table now. standing: how well the player knows them."""
        self.holder = standing
        self.next, self._kept_until = b"", None

    def claims(self, key: bytes, standing: StandingNow, now: float) -> bool:
        """Note a caller with this key while another has the table; True if they come next."""
        self._expire(now)
        wanted = standing()
        if not wanted.comes_before(self.holder()):
            return False
        if self.next and self.next != key and not wanted.comes_before(self._standing()):
            return False
        if not self.next:
            self._asked = now
        self.next, self._standing = key, standing
        return True

    def keeps_out(self, key: bytes, standing: StandingNow, now: float) -> bool:
        """True if the free place is kept for somebody whom this caller doesn't come before."""
        self._expire(now)
        return bool(self.next) and self.next != key and not standing().comes_before(self._standing())

    def keep(self, now: float) -> None:
        """Keep the free table for the next one, for a time."""
        if self.next and self._kept_until is None:
            self._kept_until = now + KEPT

    def due_at(self, last_record: float) -> float:
        """When the table goes to the next one even during a hand. last_record: when the last record came."""
        return min(last_record + QUIET, self._asked + LATEST)

    def _expire(self, now: float) -> None:
        """Stop keeping the place when its time is over."""
        if self._kept_until is not None and now >= self._kept_until:
            self.next, self._kept_until = b"", None
