"""Who is at the other ends of a table's links: known or not, proven or not, how much they may make us write, and
whether somebody has to give way."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from enum import Enum
from math import inf

import trio

from p2pcards.daemon.acquaintance import find_known_peer, greet_stranger, has_own_allowance, remember_meeting
from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.connection import Connection
from p2pcards.daemon.engine import Engine
from p2pcards.session.bounds import Slots
from p2pcards.session.doubt import Familiarity
from p2pcards.store.files import Home
from p2pcards.store.identity import PROOFS
from p2pcards.views.happenings import Notice
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import hello_version
from p2pcards.wire.reasons import ByeCode

# --- how much somebody whose key is not verified may make us write ----------------------------------------------------


DAY = 86400.0
BYTES = 16 << 20
GAMES = 300


class Allowance:
    """What one may have written in a day: of the bytes, and of the new games, so many yet."""

    def __init__(self) -> None:
        self._bytes = 0
        self._games = 0

    def write(self, size: int) -> None:
        """Count bytes that went into the log."""
        self._bytes += size

    def begin_game(self) -> None:
        """Count a new game."""
        self._games += 1

    @property
    def spent(self) -> bool:
        """True if more was written today than is allowed."""
        return self._bytes > BYTES or self._games > GAMES


class Whose(Enum):
    """Whose allowance somebody uses up."""

    OWN = "their own"
    KNOWN = "that of all who are known and have none of their own"
    STRANGERS = "that of all strangers"


class Allowances:
    """Those of one table. Whom our player has made sure of, or we have known longest, has one of their own, so that
    nobody else can use it up; all others whom we know have one together, and so have all strangers, as anybody can make
    as many keys as they like, and can have each known by one move. No clock: each method is told what time it is, in
    seconds."""

    def __init__(self) -> None:
        self._since = 0.0
        self._shared: dict[Whose, Allowance] = {}
        self._own: dict[bytes, Allowance] = {}

    def allowance_of(self, key: bytes, now: float, whose: Whose) -> Allowance:
        """The allowance that the peer with this key uses up today: their own, or one shared. now: seconds."""
        if now >= self._since + DAY:
            self._since, self._shared, self._own = now, {}, {}
        if whose is Whose.OWN:
            return self._own.setdefault(key, Allowance())
        return self._shared.setdefault(whose, Allowance())


def proof_from_meeting(proven: str, *, called: bool) -> str:
    """The proof of a key that a meeting gives, one of PROOFS. proven: "code", "link" or "". A link proves the key of
    the one who answers, not of the one who calls."""
    return "code" if proven == "code" or (proven == "link" and called) else PROOFS[0]


# --- the one at the other end of a table's link,  as far as we know them --------------------------------------------


class Counterpart:
    """One of them, as long as the link lasts.

    number: the machine's name for them. proven: "code" if they have proven one on this link, "link" if a link brought
    us together, else "". proof: how we know their key, as the list of known peers has it. stranger: they came by
    themselves, without a code or a link, and are not in that list. since: when they came, in seconds of the runner's
    clock.

    met: our player has heard of them. played: we have moved in a game with them. kept: the list of known peers has
    been seen to. version: that their HELLO named. watches: they watch behind the table. goodbye: the code of the BYE
    that they said.
    """

    def __init__(
        self, connection: Connection, number: int, *, known_by: str | None, proven: str = "", since: float
    ) -> None:
        """known_by: as `proof`, None for somebody who is not in the list."""
        self.connection = connection
        self.number = number
        self.proven = proven
        self.shown = proof_from_meeting(proven, called=bool(connection.address))
        self.proof = max(self.shown, known_by or PROOFS[0], key=PROOFS.index)
        self.stranger = known_by is None and not proven and not connection.address
        self.since = since
        self.met = False
        self.played = False
        self.kept = False
        self.version: int | None = None
        self.watches = False
        self.goodbye: ByeCode | None = None

    @property
    def key(self) -> bytes:
        """Their public key."""
        return self.connection.link.peer

    def meet(self) -> None:
        """Note that our player has heard of them."""
        self.met = True

    def play(self) -> None:
        """Note that we have moved in a game with them."""
        self.played = True

    def keep(self) -> None:
        """Note that they are in the list of friends now."""
        self.kept, self.stranger = True, False

    def learn(self, proof: str) -> None:
        """Note that our player has verified their key meanwhile."""
        self.proof = proof

    def greet(self, message: bytes) -> None:
        """Take the version from their message if it is HELLO."""
        if self.version is None:
            self.version = hello_version(message)

    def note_watching(self, watches: bool) -> None:
        """Note whether they watch, and so take no place at the table."""
        self.watches = watches

    def part(self, goodbye: ByeCode) -> None:
        """Note the code of their BYE."""
        self.goodbye = goodbye


# --- who is at the other ends of a table's links ----------------------------------------------------------------------


PEERS = 8
"""Links at once: more than a table has peers, as a new link may come while the old one is not known to be lost. Those
of watchers do not count."""

STRANGERS = 4
"""Of these at the most with people we do not know: they never keep out somebody we do."""

ARRIVALS, EACH = 12, 3.0
"""Strangers who are let in one right after the other, and the seconds after which one more is. Keys cost nothing, so it
is all of them together; the machine counts those of each key."""

TOO_MANY = (
    f"Too many strangers are calling, so only one is let in every {EACH:.0f} s. Friends, and anyone with the code, "
    "still get in."
)

GREETED = 64
"""Strangers of whom we remember that our player has met them, as keys cost nothing."""

LOOK_EVERY = 1.0
"""Seconds."""

IDLE = 120.0
"""Seconds after which a stranger who has begun no game gives way to another stranger."""


class Introductions:
    """Those of one table. listens: it is a listener's. changed: rings when somebody has sat down or has left."""

    def __init__(self, home: Home, engine: Engine, attachments: Attachments, *, listens: bool) -> None:
        self.changed = Bell()
        self._home = home
        self._engine = engine
        self._attachments = attachments
        self._listens = listens
        self._here: dict[int, Counterpart] = {}
        self._waiting: dict[int, tuple[Counterpart, trio.CancelScope]] = {}
        self._arrivals = Slots(ARRIVALS, EACH)
        self._crowded = False
        self._last_number = 0
        self._proven: dict[bytes, int] = {}  # by a code, at this table, and when
        self._greeted: dict[bytes, str] = {}  # the latest strangers, and the name under which they came
        self._allowances = Allowances()
        self._any_spent = False  # since the table was opened
        self._whose: dict[int, tuple[float, Whose]] = {}  # and when that was looked at
        self._because_of: Counterpart | None = None  # what is done now was said by them

    # --- who comes and goes -------------------------------------------------------------------------------------------

    def take_role(self, listens: bool) -> None:
        """Our player's end coordinates the table from now on, or listens."""
        self._listens = listens

    def takes(self, connection: Connection, proven: str) -> Counterpart | None:
        """The counterpart for a new link, None if there is no place; during a pause only friends may wait. proven: as
        in `Counterpart`."""
        peer = find_known_peer(self._home, connection.link.peer)
        number, known_by = self._last_number + 1, peer.proof if peer else None
        who = Counterpart(connection, number, known_by=known_by, proven=proven, since=trio.current_time())
        others = [*self.everybody, *[other for other, _ in self._waiting.values() if other.key != who.key]]
        others = [other for other in others if not other.watches]
        strangers = sum(other.stranger for other in others)
        if len(others) >= PEERS:
            return None
        if who.stranger and (self._engine.paused or strangers >= STRANGERS or not self._admits_stranger(who.since)):
            return None
        self._last_number = number
        if who.shown != PROOFS[0]:
            self._proven.setdefault(who.key, int(time.time()))
        return who

    def _admits_stranger(self, now: float) -> bool:
        """True if one more stranger may come in; our player is told once when there are too many."""
        if now >= self._arrivals.all_free_at():
            self._crowded = False
        if self._arrivals.acquire(now):
            return True
        if not self._crowded:
            self._attachments.announce(Notice(TOO_MANY))
        self._crowded = True
        return False

    @contextmanager
    def waiting(self, who: Counterpart) -> Iterator[trio.CancelScope]:
        """While in this context, a caller waits for a paused table and keeps their place. A newer link of theirs
        cancels the scope."""
        for other, scope in self._waiting.values():
            if other.key == who.key:
                scope.cancel()
        with trio.CancelScope() as scope:
            self._waiting[who.number] = who, scope
            try:
                yield scope
            finally:
                del self._waiting[who.number]

    def enter(self, who: Counterpart) -> None:
        """Add a counterpart to the table."""
        self._here[who.number] = who

    def leave(self, who: Counterpart) -> None:
        """Remove a counterpart from the table."""
        del self._here[who.number]
        self._whose.pop(who.number, None)
        self.changed.ring()

    @property
    def everybody(self) -> Collection[Counterpart]:
        """All counterparts at the table."""
        return self._here.values()

    def counterpart_at(self, number: int) -> Counterpart | None:
        """The counterpart with this number at the machine, None if they are gone."""
        return self._here.get(number)

    def standing_of(self, who: Counterpart) -> Familiarity:
        """How well our player knows a counterpart now."""
        peer, proven = find_known_peer(self._home, who.key), self._proven.get(who.key)
        if peer is None:
            return Familiarity() if proven is None else Familiarity(sure=True, since=proven)
        return Familiarity(proven is not None or peer.proof != PROOFS[0], peer.first_seen)

    def who_gives_way(self, newcomer: Counterpart) -> list[Counterpart]:
        """The strangers who must leave at once for a newcomer. When a listener's coordinator gives way to a friend, its
        machine decides."""
        if self._listens and not newcomer.stranger:
            return []
        at_table = [other for other in self.everybody if not (other.watches or other.connection.closing)]
        strangers = [other for other in at_table if other.stranger]
        if not strangers:
            return []
        view = self._engine.view()
        if newcomer.stranger:
            idle = trio.current_time() - IDLE
            return [other for other in strangers if self._listens and other.since <= idle and view.phase == "lobby"]
        if fingerprint(newcomer.key) in [person.key for person in view.people]:
            return []  # their place is kept
        if view.phase == "play":
            onlookers = [person.key for person in view.people if person.looks_on]
            strangers = [other for other in strangers if fingerprint(other.key) in onlookers]
        return [] if self.has_room() else strangers[-1:]

    def has_room(self) -> bool:
        """True if somebody may still sit down: a listener has one coordinator, a coordinator three listeners."""
        arriving = sum(bool(each.proven) and not (each.met or each.watches) for each in self.everybody)
        return not self._engine.over and arriving < self._engine.room()

    def meet(self) -> None:
        """Introduce newcomers to our player and add them to the list of friends: at once if we called, or by a code or
        link; uninvited strangers after we played with them."""
        new = [each for each in self.everybody if not each.met or (each.played and not each.kept)]
        names = self._names() if new else {}
        for who in new:
            name = names.get(fingerprint(who.key))
            if name is not None:
                for sentence in self._acquaint(who, name):
                    self._attachments.announce(Notice(sentence))

    def _acquaint(self, who: Counterpart, name: str) -> list[str]:
        """Introduce one counterpart by this name; returns sentences for our player."""
        if not who.met:
            self.changed.ring()
        who.meet()
        if who.stranger and not who.played:
            return greet_stranger(self._home, who.key, name) if self._is_new(who.key, name) else []
        who.keep()
        return remember_meeting(
            self._home, who.key, name, who.connection.address, who.shown, by_link=who.proven == "link"
        )

    def _is_new(self, key: bytes, name: str) -> bool:
        """True the first time that a stranger with this key and name is met."""
        new = self._greeted.pop(key, None) != name
        self._greeted[key] = name
        if len(self._greeted) > GREETED:
            del self._greeted[next(iter(self._greeted))]
        return new

    def name_of(self, key: bytes) -> str:
        """The name of the person with this key at the table; "" if they are not here."""
        return self._names().get(fingerprint(key), "")

    def _names(self) -> dict[str, str]:
        """The names of the people here by fingerprint."""
        view = self._engine.view()
        return {person.key: person.name for person in (*view.people, *view.watchers) if person.link == "here"}

    # --- what strangers may make us do --------------------------------------------------------------------------------

    def charge_to(self, who: Counterpart, do: Callable[[], None]) -> None:
        """Run `do`, and charge what it writes to the allowance of this peer."""
        self._because_of = who
        try:
            do()
        finally:
            self._because_of = None

    def begin_game(self, *, new: bool) -> None:
        """Charge a game to the coordinator who began it. new: nothing of it was in a log before."""
        if not self._listens:
            self.play()
        elif new and self._because_of is not None:
            self._use_up(self._because_of, Allowance.begin_game)

    def play(self) -> None:
        """Note that we have moved in a game with the people here."""
        for who in self.everybody:
            if not who.watches:
                who.play()

    def write(self, size: int) -> None:
        """Charge bytes written to the log to whoever caused it."""
        if self._listens and self._because_of is not None:
            self._use_up(self._because_of, lambda allowance: allowance.write(size))

    def _use_up(self, who: Counterpart, use: Callable[[Allowance], None]) -> None:
        """Charge something to the allowance of a counterpart."""
        allowance = self._allowance_of(who)
        use(allowance)
        self._any_spent = self._any_spent or allowance.spent

    def _allowance_of(self, who: Counterpart) -> Allowance:
        """The allowance that a counterpart uses."""
        now = trio.current_time()
        return self._allowances.allowance_of(
            who.key, now, Whose.STRANGERS if who.stranger else self._whose_of(who, now)
        )

    def _whose_of(self, who: Counterpart, now: float) -> Whose:
        """Whose allowance a friend uses; the list of friends is read at most once a second."""
        looked, whose = self._whose.get(who.number, (-inf, Whose.KNOWN))
        if now >= looked + LOOK_EVERY:
            whose = Whose.OWN if has_own_allowance(self._home, who.key) else Whose.KNOWN
            self._whose[who.number] = now, whose
        return whose

    def too_much(self, who: Counterpart) -> bool:
        """True if somebody whose key is not verified has made us write more than is allowed."""
        if who.proof != PROOFS[0] or not self._any_spent or not self._allowance_of(who).spent:
            return False
        peer = find_known_peer(self._home, who.key)
        who.learn(peer.proof if peer else PROOFS[0])
        return who.proof == PROOFS[0]
