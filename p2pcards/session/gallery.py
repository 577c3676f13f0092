"""The gallery of a coordinator's table: watchers on links of their own, without a seat; how they are let in, and what
they see, and when. Nothing in a game waits for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import NamedTuple

from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.doubt import StandingNow
from p2pcards.session.effects import Close, Effect, PeerId, Send
from p2pcards.session.feed import header_parts
from p2pcards.session.guests import GuestLink
from p2pcards.wire.messages import (
    MAX_WATCHERS,
    Bye,
    Clocks,
    Door,
    Doors,
    LookOn,
    Message,
    Ping,
    WatcherNow,
    WatchersNow,
    encode_message,
)
from p2pcards.wire.reasons import ByeCode

CLOCKS = encode_message(Clocks(()))[:2]
"""How a CLOCKS begins."""

LONGEST_DELAY = 600
"""Seconds."""

REFUSED_KEPT = 64
"""Keys that are turned away at once when they call again: the last ones, as keys cost nothing."""


class Policy(StrEnum):
    """Which of the people who could join may watch."""

    OFF = "off"  # nobody
    ASK = "ask"  # those to whom the host says yes
    ON = "on"  # everyone


@dataclass(frozen=True, slots=True)
class Watcher:
    key: bytes
    name: str  # at the table
    shown: str  # the name as the player at this end sees it
    link: GuestLink
    standing: StandingNow  # how well our player knows them
    asks: bool = False  # the host has not answered yet, so they are shown nothing
    sees: bytes = b""  # the key of the player whose hand they are shown

    def send(self, message: Message) -> list[Effect]:
        return [Send(self.link.peer, encode_message(message))]

    def hang_up(self, code: ByeCode) -> list[Effect]:
        """Say BYE and close the link."""
        return [*self.send(Bye(code)), Close(self.link.peer)]


class ForOne(NamedTuple):
    """A message for one watcher."""

    key: bytes
    message: bytes


Sight = LedgerWriter | Logged | bytes | ForOne
"""A game that begins, a record of it, or a message."""


class Coming(NamedTuple):
    """Something that watchers are shown later."""

    due: float  # seconds
    what: Sight


class Gallery:
    """everyone: in the order in which they came, those included who wait for the host's answer. delay: seconds by which
    watchers see everything later."""

    def __init__(self) -> None:
        self.policy = Policy.ASK
        self.delay = 0
        self.everyone: list[Watcher] = []
        self._welcome = set[bytes]()  # keys to which the host has said yes
        self.followed = frozenset[bytes]()  # keys of those who watched this table at the host before
        self._refused: list[bytes] = []
        self._doors: tuple[Door, ...] = ()
        self._noted: list[bytes | ForOne] = []  # messages that are still to be queued
        self._coming = deque[Coming]()
        self._queued: tuple[LedgerWriter, int] | None = None  # the last game, and how many records of it were queued
        self._shown: tuple[LedgerWriter, int] | None = None  # the same of what watchers have been shown
        self._clocks = b""  # the CLOCKS that they have been shown last in this game

    # --- who watches --------------------------------------------------------------------------------------------------

    @property
    def watching(self) -> list[Watcher]:
        """Those who have been let in."""
        return [one for one in self.everyone if not one.asks]

    def watcher_at(self, peer: PeerId) -> Watcher | None:
        """The watcher on this link, None if there is none."""
        return next((one for one in self.everyone if one.link.peer == peer), None)

    def watcher_with_key(self, key: bytes) -> Watcher | None:
        """The watcher with this public key, None if there is none."""
        return next((one for one in self.everyone if one.key == key), None)

    def refusal(self, key: bytes, *, stranger: bool) -> ByeCode | None:
        """Why the caller with this key may not watch, None if they may, or may ask."""
        if self.policy is Policy.OFF or key in self._refused:
            return ByeCode.NO_WATCHING
        full = len(self.everyone) >= MAX_WATCHERS and self.watcher_with_key(key) is None
        return ByeCode.NO_ROOM_TO_WATCH if full and (stranger or self.who_gives_way() is None) else None

    def who_gives_way(self) -> Watcher | None:
        """The stranger who came last, who has to go when someone known wants to watch and there is no place."""
        strangers = [one for one in self.everyone if one.standing().since is None]
        return strangers[-1] if strangers and len(self.everyone) >= MAX_WATCHERS else None

    def has_to_ask(self, key: bytes) -> bool:
        """True if the host is asked whether the caller with this key may watch."""
        return self.policy is Policy.ASK and key not in self._welcome and key not in self.followed

    def expect(self, keys: frozenset[bytes]) -> None:
        """Let in without asking the people with these keys, who watched this table at the host before."""
        self.followed = keys

    def add(self, watcher: Watcher) -> None:
        self.everyone.append(watcher)

    def remove(self, watcher: Watcher) -> None:
        self.everyone.remove(watcher)

    def remove_all(self) -> None:
        self.everyone.clear()

    def let_in(self, watcher: Watcher) -> Watcher:
        """The host says yes; the watcher as they are now."""
        let_in = replace(watcher, asks=False)
        self.everyone[self.everyone.index(watcher)] = let_in
        self._welcome.add(watcher.key)
        return let_in

    def show_hand(self, watcher: Watcher, player: bytes) -> None:
        """Note whose hand a watcher is shown. player: the key, b"" for nobody."""
        self.everyone[self.everyone.index(watcher)] = replace(watcher, sees=player)

    def refuse(self, key: bytes) -> None:
        """The host says no, also to later calls of the same key."""
        self._welcome.discard(key)
        self.followed -= {key}
        self._refused = [*[one for one in self._refused if one != key], key][-REFUSED_KEPT:]

    def set_policy(self, policy: Policy) -> None:
        """Set the policy; anyone refused so far may ask again."""
        self.policy, self._refused = policy, []

    def who_watches(self, names: Mapping[bytes, str], first: Watcher | None = None) -> WatchersNow:
        """The list of watchers. names: of the players, by key; first: the watcher it is sent to, who comes first."""
        others = [one for one in self.watching if one is not first]
        everyone = [first, *others] if first else others
        return WatchersNow(tuple([WatcherNow(one.name, one.key, names.get(one.sees)) for one in everyone]))

    def tell_doors(self, doors: tuple[Door, ...]) -> list[Effect]:
        """Tell those who watch where the players can be called, if that is news."""
        news, self._doors = doors != self._doors, doors
        return [effect for one in self.watching for effect in self.show_doors(one)] if news else []

    def show_doors(self, watcher: Watcher) -> list[Effect]:
        """Tell a watcher where the players can be called. One whom our player neither knows nor was asked about is told
        no address, and finds them at the meeting points."""
        trusted = watcher.key in self._welcome or watcher.standing().since is not None
        return watcher.send(Doors(self._doors if trusted else tuple([replace(one, address="") for one in self._doors])))

    # --- what they see, and when --------------------------------------------------------------------------------------

    def set_delay(self, seconds: int, now: float) -> None:
        """Show everything so many seconds later; what waits is due no later than it would be from now on."""
        self.delay = seconds
        self._coming = deque([Coming(min(due, now + seconds), what) for due, what in self._coming])

    def note(self, message: Message) -> None:
        """Have everyone who watches shown a message, when players have theirs."""
        self._noted.append(encode_message(message))

    def note_for(self, key: bytes, message: Message) -> None:
        """Have the watcher with this key shown a message, behind the records of now."""
        self._noted.append(ForOne(key, encode_message(message)))

    def follow(self, writer: LedgerWriter | None, now: float) -> list[Effect]:
        """Show what is new in the game in progress, if there is one, and the messages noted meanwhile."""
        if writer is not None:
            known, count = self._queued or (None, 0)
            if known is not writer:
                self._queue([writer], now)
                count = 0
            if count < len(writer.log):
                self._queue(writer.log[count:], now)
            self._queued = writer, len(writer.log)
        if self._noted:
            self._queue(self._noted, now)
            self._noted = []
        return self.show_due(now)

    def _queue(self, what: Sequence[Sight], now: float) -> None:
        due = max(now + self.delay, self._coming[-1].due if self._coming else now)
        self._coming.extend([Coming(due, one) for one in what])

    def show_due(self, now: float) -> list[Effect]:
        """Show what is due."""
        effects: list[Effect] = []
        while self._coming and self._coming[0].due <= now:
            effects += self._show(self._coming.popleft().what)
        return effects

    def _show(self, what: Sight) -> list[Effect]:
        """Show a game that begins, a record or a message to everyone who watches, or to the one it is for."""
        if isinstance(what, ForOne):
            return [Send(one.link.peer, what.message) for one in self.watching if one.key == what.key]
        if isinstance(what, LedgerWriter):
            self._shown, self._clocks = (what, 0), b""
            return [effect for watcher in self.watching for effect in self.show_game(watcher)]
        if isinstance(what, Logged) and self._shown is not None:
            self._shown = self._shown[0], self._shown[1] + 1
        if isinstance(what, bytes) and what.startswith(CLOCKS):
            self._clocks = what
        watching = self.watching
        said = what.message_for(None) if isinstance(what, Logged) and watching else what
        return [Send(one.link.peer, said) for one in watching if isinstance(said, bytes)]

    def show_game(self, watcher: Watcher) -> list[Effect]:
        """Show a newcomer the game in progress, as far as the others have seen it."""
        if self._shown is None:
            return []
        writer, count = self._shown
        if count and count == len(writer.log) and writer.position.phase is Phase.CLOSED:
            return []
        told: list[Message] = [LookOn(writer.position.game_id, count), *header_parts(writer.frame)]
        records = [Send(watcher.link.peer, one.message_for(None)) for one in writer.log[:count]]
        clocks: list[Effect] = [Send(watcher.link.peer, self._clocks)] if self._clocks else []
        return [*[effect for message in told for effect in watcher.send(message)], *records, *clocks]

    # --- time ---------------------------------------------------------------------------------------------------------

    def silent(self, now: float) -> list[Watcher]:
        """Watchers from whom nothing came for too long."""
        return [one for one in self.everyone if one.link.pulse.is_lost(now)]

    def tick(self, now: float) -> list[Effect]:
        """Show what is due, and send pings."""
        effects = self.show_due(now)
        for one in self.everyone:
            number = one.link.pulse.ping_due(now)
            effects += [] if number is None else one.send(Ping(number))
        return effects

    def next_time(self) -> float:
        """When to call `tick`; infinite for not before something happens."""
        waits: Iterable[float] = [one.link.pulse.next_time() for one in self.everyone]
        return min([*waits, *[one.due for one in [*self._coming][:1]]], default=inf)
