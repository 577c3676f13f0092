"""The session machines, made from what a front end asked for and what the player has set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import trio

from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.control.messages import Persona, TimeLimits
from p2pcards.daemon.acquaintance import known_looks, proof_of_key
from p2pcards.games.deals.bits import COMPILED
from p2pcards.players.characters import CHARACTERS, UnknownCharacter, find_character, own_character
from p2pcards.players.levels import LEVELS, UnknownLevel, edition_of, find_level, has_player
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.doubt import StandingNow, stranger
from p2pcards.session.effects import Effect, Look, Me, PeerId, TakeTable, Think, YieldTable
from p2pcards.session.listener import Listener
from p2pcards.session.lobby import LeftOpen, deal_numbers
from p2pcards.store.files import Home, clean_name, login_name
from p2pcards.store.logs import read_log
from p2pcards.store.settings import Settings
from p2pcards.views.advice import Rated
from p2pcards.views.standpoint import Cast, CastMember
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.keys import PrivateKey, public_bytes
from p2pcards.wire.names import given_name
from p2pcards.wire.packing import Refused

Entropy = Callable[[int], bytes]

TURN_CLOCK = 180
"""Seconds, where nothing else is asked for."""

CAST: Cast = tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])


class Machine(Protocol):
    """What `Coordinator` and `Listener` have in common; docs/design.md has the table."""

    def joined(
        self,
        peer: PeerId,
        key: bytes,
        where: str,
        now: float,
        address: str = "",
        pace: float = 0.0,
        standing: StandingNow = stranger,
    ) -> list[Effect]:
        """A channel is open to the peer with this key. where, address: their end, for people and for calling back;
        pace: seconds per byte; standing: how well our player knows them."""

    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        """A message has come from this peer."""

    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        """The link to this peer has ended. why: the end of a sentence, after their name."""

    def dial_failed(self, address: str, why: str, now: float, again: bool = True, there: bool = False) -> list[Effect]:
        """A `Dial` did not succeed. again: it may be tried again; there: their machine was seen."""

    def attend(self, attended: bool) -> list[Effect]:
        """Our player came to the table or left."""

    def command(self, command: Command, now: float) -> list[Effect]:
        """Carry out a command of our player. Raises CommandError."""

    def thought(self, think: Think, action: Any, now: float) -> list[Effect]:
        """The decision of a computer player, for this `Think`."""

    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]:
        """The answer to a `Think` for a hint. weighed: the choices, best first."""

    def awaits(self, think: Think) -> bool:
        """True if the answer to this `Think` would still be used."""

    def tick(self, now: float) -> list[Effect]:
        """Do what is due at this time."""

    def after_effects(self, now: float) -> list[Effect]:
        """Effects that follow once all earlier ones are carried out; call until it returns none."""

    def next_time(self) -> float | None:
        """When to call `tick`; None for not before something happens."""

    def stopping(self) -> list[Effect]:
        """Say goodbye to peers, since the program ends."""

    def view(self, now: float) -> TableView:
        """The view of the table now."""

    def look(self, now: float) -> Look:
        """A function that makes the view of this moment whenever it is called."""

    def room(self) -> int:
        """How many more people may sit down."""

    def watches(self, peer: PeerId) -> bool:
        """True if a watcher is at the other end of this link."""

    def members(self) -> Collection[bytes]:
        """The keys of the others who are at the table, or were there when its coordinator was lost."""


def me_of(home: Home, identity: PrivateKey, persona: Persona, settings: Settings, opponents: Sequence[str] = ()) -> Me:
    """The player who sits down: without a name the login name, without a character the one that goes with the identity,
    or the next that is no opponent. opponents: characters, with :LEVEL or without. Raises Declined."""
    word = persona.character or settings.character
    try:
        taken = [opponent.partition(":")[0] for opponent in opponents]
        character = (find_character(word) if word else own_character(public_bytes(identity), taken)).key
        auto = None if persona.auto is None else find_level(persona.auto)
    except (UnknownCharacter, UnknownLevel) as unknown:
        raise Declined(str(unknown), USAGE) from None
    name = given_name(clean_name(persona.name or settings.name or login_name())) or clean_name("")
    return Me(identity, name, character, auto, partial(known_looks, home), partial(proof_of_key, home))


def make_coordinator(
    me: Me,
    limits: TimeLimits,
    entropy: Entropy,
    *,
    alone: bool = False,
    deal: int | None = None,
    left_open: Sequence[LeftOpen] = (),
) -> Coordinator:
    """A coordinator for a new table. alone: nobody can be invited; deal: the number of the first deal, while nobody
    else is here; left_open: as in `Table`."""
    return Coordinator(
        me,
        entropy=entropy,
        now=trio.current_time(),
        cast=CAST,
        grace=limits.grace,
        turn_clock=TURN_CLOCK if limits.turn_clock is None else limits.turn_clock,
        between_hands=limits.between_hands or 0,
        alone=alone,
        levels=LEVELS,
        edition_of=edition_here,
        deals=None if alone and deal is None else deal_numbers(deal, entropy),
        left_open=left_open,
    )


def edition_here(game: str, level: str) -> int:
    """The edition of a level at tables of this daemon."""
    return edition_of(game, level, slow=not COMPILED)


def resume_coordinator(me: Me, entropy: Entropy, path: Path, now: float) -> Coordinator:
    """The coordinator that goes on with the game of this log, which is read whole: call it from a thread. Raises
    Declined when the log does not hold, and StoreError."""
    try:
        return Coordinator(
            me,
            entropy=entropy,
            now=now,
            cast=CAST,
            log=read_log(path).payloads,
            levels=LEVELS,
            edition_of=edition_here,
            deals=deal_numbers(None, entropy),
        )
    except Refused as refused:
        raise Declined(f"This log is invalid, so it can't be resumed: {refused}", DAMAGED) from None


def change_machine(
    machine: Coordinator | Listener, effect: TakeTable | YieldTable, attended: bool
) -> Coordinator | Listener:
    """The machine that replaces this one. attended: our player is at the table."""
    now, table = trio.current_time(), machine.table
    me = replace(table.me, auto=table.deputy.auto)
    if isinstance(effect, TakeTable):
        return Coordinator(
            me,
            entropy=table.entropy,
            now=now,
            cast=CAST,
            turn_clock=TURN_CLOCK,
            levels=LEVELS,
            edition_of=edition_here,
            deals=deal_numbers(None, table.entropy),
            takes=effect,
        )
    return Listener(
        me,
        entropy=table.entropy,
        now=now,
        cast=CAST,
        levels=LEVELS,
        attended=attended,
        has_player=has_player,
        yields=effect,
    )


def make_listener(me: Me, entropy: Entropy, *, watches: bool = False) -> Listener:
    """A listener for a new table. watches: as in `Listener`."""
    return Listener(
        me,
        entropy=entropy,
        now=trio.current_time(),
        cast=CAST,
        levels=LEVELS,
        attended=False,
        has_player=has_player,
        watches=watches,
    )
