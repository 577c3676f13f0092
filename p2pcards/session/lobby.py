"""Before and between games at a coordinator's table: the choice of the game, who is to sit and where, the offer of a
new game, and who wants to play again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any

from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.nearest import did_you_mean, unknown_character_text
from p2pcards.games.options import OptionError, header_values, set_options
from p2pcards.games.registry import UnknownGame, find_game
from p2pcards.games.telling import PLAYERS, level_texts
from p2pcards.ledger.branches import kept_at, quorum_of_next, quorum_of_successor
from p2pcards.ledger.position import Position
from p2pcards.session.effects import CommandError
from p2pcards.views.standpoint import Cast, CastMember, cast_level
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import (
    ALL_ASSISTS,
    EDITIONS,
    NO_ASSISTS,
    VERSION,
    Assist,
    Header,
    SeatEntry,
    Side,
    assist_names,
)

# --- which computer characters were wished for, and at which level ----------------------------------------------------


SEATS = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class Opponent:
    character: str  # its key
    level: str


def read_seat(word: str) -> int:
    """The seat, from 0, of a number that people count from 1. Raises CommandError."""
    if word not in SEATS:
        raise CommandError(f"Which seat, 1 to {SEATS[-1]}? For example: computer 2 betty:novice")
    return SEATS.index(word)


def read_opponent(words: str, cast: Cast, levels: Sequence[str]) -> Opponent:
    """The opponent in words such as ``betty``, ``Reddy Betty`` or ``betty:carefree``. levels: those available. Raises
    CommandError."""
    name, colon, level = words.strip().lower().partition(":")
    member = _find_character(name.strip(), cast)
    level = level.strip() if colon else member.level
    check_level(level, levels)
    return Opponent(member.key, level)


def check_level(level: str, levels: Sequence[str]) -> None:
    """Raise CommandError for a level that is not among these."""
    if level not in levels:
        meant = did_you_mean(level, levels, 0.6) or f"Levels: {', '.join(levels)}."
        raise CommandError(f"There's no level {level[:20]!r}. {meant}")


def _find_character(name: str, cast: Cast) -> CastMember:
    """The character with this key or name. Raises CommandError."""
    found = next((member for member in cast if name in (member.key, member.name.lower())), None)
    if found is None:
        keys = [member.key for member in cast]
        raise CommandError(unknown_character_text(name[:20], keys, "'p2pcards characters' lists them."))
    return found


class LevelNotes:
    """What was said at a table of levels that play otherwise than in most games: each sentence once, however many
    seats it is about."""

    def __init__(self) -> None:
        self._said = set[str]()

    def new_notes(self, game: AnyGame | None, levels: Iterable[str]) -> str:
        """Sentences about levels that play this game in an unusual way, unless said before at this table; "" for none.
        game: None if none is chosen yet."""
        new = [text for text in level_texts([game] if game else [], levels) if text not in self._said]
        self._said.update(new)
        return " ".join(new)


# --- who sits where ---------------------------------------------------------------------------------------------------


COMMON_DEALS = 999_999
"""A number that was not asked for is at most this, so that it is easily told to somebody."""


EditionOf = Callable[[str, str], int]
"""(the key of a game, a level) -> the edition of the computer player that plays there."""


def first_edition(_game: str, _level: str) -> int:
    """Edition 1 for every level: the default for tests and tables without a daemon."""
    return 1


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A game of this coordinator that was never finished."""

    listeners: frozenset[bytes]  # their keys
    head: bytes  # after its last record


@dataclass(frozen=True, slots=True)
class Company:
    """The people who begin a game, and the computer players."""

    sides: tuple[Side, ...]  # the coordinator first
    # the side to sit opposite the coordinator in a game with four seats; None if none is chosen
    partner: int | None = None
    named: tuple[int, ...] = ()  # sides that sit, in this order; () for all, as far as there are seats
    # computer players by seat, for seats where no side sits
    opponents: Mapping[Seat, Opponent] = field(default_factory=dict)
    edition_of: EditionOf = first_edition  # editions of the computer players at this end


def seating(company: Company, seats: int) -> list[int | None]:
    """The side that sits in each seat, None for a computer. Named people sit in that order, and nobody else. If none
    are named, the coordinator has seat 0, the partner is opposite, the others follow. Those without a seat watch."""
    if company.named:
        return [*company.named[:seats], *[None] * (seats - len(company.named))]
    order = list(range(1, len(company.sides)))
    chairs: list[int | None] = [0, *[None] * (seats - 1)]
    if company.partner is not None and seats == 4:
        chairs[2] = company.partner
        order.remove(company.partner)
    free = [seat for seat in range(1, seats) if chairs[seat] is None]
    for seat, side in zip(free, order, strict=False):
        chairs[seat] = side
    return chairs


def deal_numbers(first: int | None, entropy: Callable[[int], bytes]) -> Iterator[int]:
    """Numbers of deals for a player alone: the one asked for, if any, then random ones."""
    if first is not None:
        yield first
    while True:
        yield 1 + int.from_bytes(entropy(4), "big") % COMMON_DEALS


def make_header(
    company: Company,
    choice: Choice,
    cast: Cast,
    nonce: bytes,
    *,
    grace: int,
    turn_clock: int,
    between_hands: int,
    previous: Position | None,
    before: bytes,
    assists: Assist,
    deal: int | None,
) -> Header:
    """Make the header of a new game. grace, turn_clock, between_hands: seconds (no turn clock for a player alone);
    previous: the last game at this table, if any; before: the head to name as that of the game before; assists: allowed
    with people; deal: the number of a numbered deal, None for a shuffle."""
    game, options = choice.game, choice.options
    seats, sides = game.seats(options), company.sides
    chairs = seating(company, seats)
    wished = {seat: one for seat, one in company.opponents.items() if seat < seats and chairs[seat] is None}
    taken = {side.character for side in sides} | {one.character for one in wished.values()}
    free = iter([Opponent(member.key, member.level) for member in cast if member.key not in taken])
    players = [
        wished.get(seat) or next(free) if side is None else _stand_in(company, game.key, cast, side)
        for seat, side in enumerate(chairs)
    ]
    first_dealer = None
    same_game = previous is not None and previous.game is game and len(previous.header.seats) == seats
    drawn = deal is not None and game.start(options, None).dealer is None
    if previous is not None and same_game and not drawn:
        first_dealer = game.next_first_dealer(previous.state)
    return Header(
        game.key,
        header_values(options),
        sides,
        tuple(
            [
                SeatEntry(side, one.character, one.level, company.edition_of(game.key, one.level))
                for side, one in zip(chairs, players, strict=True)
            ]
        ),
        grace,
        turn_clock if len(sides) > 1 else 0,
        before,
        first_dealer,
        nonce,
        assists,
        deal,
        between_hands,
    )


def make_continuing_header(
    company: Company,
    cast: Cast,
    nonce: bytes,
    before: Position,
    changes: Mapping[Seat, bytes],
    *,
    turn_clock: int,
    succeeds: bool = False,
) -> Header:
    """Make the header of a log that continues a game with other people. company: the people here; before: the last
    position of the game so far, the base of a successor, or the end of an undealt log that was to continue the game;
    changes: the key of each new player, by seat; succeeds: the coordinator before was another. A seat whose player is
    gone goes to their character."""
    header = before.header
    again = not (succeeds or before.ended is CloseReason.CONTINUED)  # the log that was to do so had no card dealt
    sides = {side.key: number for number, side in enumerate(company.sides)}
    if succeeds:
        quorum: tuple[bytes, ...] | None = quorum_of_successor(before)
    else:
        quorum = header.quorum if again else quorum_of_next(before, company.sides)

    def entry(seat: Seat, old: SeatEntry) -> SeatEntry:
        taker = sides.get(changes[seat]) if seat in changes else None
        if taker is None:
            side = None if old.side is None else sides.get(header.sides[old.side].key)
            if not succeeds:
                return replace(old, side=side)
            level = old.level if side == 0 else _repeatable_level(company, header.game, old.level)
            return replace(old, side=side, level=level, edition=company.edition_of(header.game, level))
        one = _stand_in(company, header.game, cast, taker)
        return SeatEntry(taker, one.character, one.level, company.edition_of(header.game, one.level))

    return replace(
        header,
        sides=company.sides,
        seats=tuple([entry(seat, old) for seat, old in enumerate(header.seats)]),
        previous=header.previous if again else before.head,
        first_dealer=None if before.state.hand else header.first_dealer,
        nonce=nonce,
        continues=kept_at(before),
        quorum=quorum,
        turn_clock=turn_clock if len(company.sides) > 1 else 0,
        deal=None,
        version=VERSION,
    )


def _stand_in(company: Company, game: str, cast: Cast, side: int) -> Opponent:
    """The opponent who plays for a side while it is away: its character."""
    character = company.sides[side].character
    own = cast_level(cast, character)
    return Opponent(character, _repeatable_level(company, game, own) if side else own)


def _repeatable_level(company: Company, game: str, own: str) -> str:
    """This level, or a lower one whose decisions anybody can repeat, where this machine is too slow for it or lacks
    what it needs."""
    levels = tuple(PLAYERS)
    fitting = [own, *reversed(levels[: levels.index(own)])] if own in levels else [own]
    return next((one for one in fitting if company.edition_of(game, one) != EDITIONS), own)


# --- before and between games at a coordinator's table ----------------------------------------------------------------


CHOOSE_FIRST = "Pick a game first: game NAME"


@dataclass(frozen=True, slots=True)
class Choice:
    """A game and its rule options."""

    game: AnyGame
    options: Any


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """A game that is about to begin."""

    nonce: bytes
    ends: float  # when the game begins without those who have given no stake, in seconds
    asked_of: frozenset[bytes]  # keys of those who are asked for a stake
    stakes: Mapping[bytes, bytes]  # by key, the ends of new hash chains


class Lobby:
    """sitting: the keys of those who are to sit, if they were named; the others watch. opponents: the computer
    characters that were wished for, by seat. assists: what is allowed to help people in the games to come."""

    def __init__(self) -> None:
        self.choice: Choice | None = None
        self.sitting: tuple[bytes, ...] = ()
        self.opponents: Mapping[Seat, Opponent] = {}
        self.offer: PendingOffer | None = None
        self.assists = NO_ASSISTS
        self.seats_open = False  # newcomers take a computer's seat after the hand
        self._again: dict[bytes, bool] = {}
        self._told_away = frozenset[bytes]()  # guests whom the next start leaves out
        self._preset = ""  # from which the choice was made, and what was set in it since
        self._set: set[str] = set()
        self._settled: frozenset[bytes] = frozenset()

    # --- the choice ---------------------------------------------------------------------------------------------------

    def apply_choice(self, choice: Choice) -> None:
        """Make this the chosen game."""
        self.choice = choice

    def choose(self, arguments: Sequence[str]) -> tuple[Choice, str, list[str]]:
        """Read a choice from words (game, preset, KEY=VALUE ...); returns it, the name of the preset, and the options
        set. Raises CommandError."""
        if not arguments:
            raise CommandError("Which game? 'games' lists them.")
        try:
            game = find_game(arguments[0])
        except UnknownGame as error:
            raise CommandError(str(error)) from error
        preset = arguments[1] if len(arguments) > 1 else next(iter(game.presets))
        if preset not in game.presets:
            raise CommandError(f"{game.name} has no preset {preset!r}. Presets: {', '.join(game.presets)}.")
        changes = {key: value for key, _, value in [word.partition("=") for word in arguments[2:]]}
        self.choice = Choice(game, _with_changes(game.presets[preset], changes))
        self._preset, self._set = preset, set(changes)
        return self.choice, preset, list(changes)

    def set_option(self, arguments: Sequence[str]) -> tuple[Choice, str]:
        """Read a rule option from words and set it; returns the choice and the key of the option. Raises
        CommandError."""
        if self.choice is None:
            raise CommandError(CHOOSE_FIRST)
        key, _, value = "=".join(arguments).replace(" ", "").partition("=")
        if not value:
            raise CommandError("Set an option like this: set end_score=50")
        options = _with_changes(self.choice.options, {key: value})
        self.choice = replace(self.choice, options=options)
        self._set.add(key)
        return self.choice, key

    def left_open(self) -> str:
        """The option that the preset leaves to the players; "" if none is left to set."""
        question = self.choice.game.question if self.choice else None
        return question.key if question and question.preset == self._preset and question.key not in self._set else ""

    def sit(self, arguments: Sequence[str], people: Mapping[str, bytes]) -> str:
        """Name the people who sit, from the first seat on; returns a sentence. people: keys by name. Raises
        CommandError."""
        said = " ".join(arguments).lower()
        if said == "all":
            self.sitting = ()
            return "Everyone plays, if there are enough seats."
        names = {name.lower(): name for name in people}
        seated = [names[name] for name in read_names(said, names)]
        self.sitting = tuple([people[name] for name in seated])
        watching = [name for name in people if name not in seated]
        others = f" {', '.join(watching)} {'watches' if len(watching) == 1 else 'watch'}." if watching else ""
        return f"Seats in order: {', '.join(seated)}.{others}"

    def place(self, seat: Seat, opponent: Opponent | None) -> None:
        """Set who plays in a seat without a person; None: any free character. Raises CommandError."""
        others = {other: one for other, one in self.opponents.items() if other != seat}
        if opponent is not None:
            there = next((other for other, one in others.items() if one.character == opponent.character), None)
            if there is not None:
                raise CommandError(f"That character already plays in seat {there + 1}.")
            others[seat] = opponent
        self.opponents = others

    def settle_partner(self, keys: Collection[bytes]) -> None:
        """Note that the partner question is settled for these guests."""
        self._settled = frozenset(keys)

    def wants_partner(self, keys: Collection[bytes]) -> bool:
        """True if the chosen game has partners and the coordinator's is not settled among these guests."""
        if self.choice is None or self.sitting or self._settled.issuperset(keys):
            return False
        return any(len(side) > 1 for side in self.choice.game.sides(self.choice.options))

    def open_seats(self, opened: bool) -> None:
        """Set whether newcomers take a computer's seat after the hand."""
        self.seats_open = opened

    def allow(self, arguments: Sequence[str]) -> str:
        """Read which assists people may use from the next game on; returns a sentence. Raises CommandError."""
        said = [word.lower().strip(",") for word in arguments]
        names = assist_names(ALL_ASSISTS)
        known = {**dict(zip(names, Assist, strict=True)), "all": ALL_ASSISTS, "none": NO_ASSISTS}
        unknown = next((word for word in said if word not in known), None)
        if unknown is not None:
            raise CommandError(f"You can't allow {unknown[:30]!r}. Choose from {', '.join(names)}, all or none.")
        if said:
            self.assists = reduce(or_, [known[word] for word in said])
        allowed = ", ".join(assist_names(self.assists)) or "nothing"
        return f"Help allowed in the next game with friends: {allowed}. When you play alone, you can use it all."

    def check_choice(self) -> None:
        """Raise CommandError unless a game can begin."""
        if self.choice is None:
            raise CommandError(CHOOSE_FIRST)
        game, seats = self.choice.game, self.choice.game.seats(self.choice.options)
        if len(self.sitting) > seats:
            raise CommandError(
                f"{game.name} has {seats} seats, but you seated {len(self.sitting)} players. Use 'sit' again."
            )

    # --- the offer ----------------------------------------------------------------------------------------------------

    def note_away(self, away: Collection[bytes]) -> bool:
        """True if the host was told before that all of these are away; noted as told."""
        known = self._told_away.issuperset(away)
        self._told_away = frozenset(away)
        return known

    def make_offer(self, nonce: bytes, ends: float, asked_of: Collection[bytes]) -> None:
        """Offer a game, which these listeners have to answer with stakes. ends: when to stop waiting."""
        self.offer = PendingOffer(nonce, ends, frozenset(asked_of), {})
        self._again.clear()
        self._told_away = frozenset()

    def note_arrival(self, key: bytes) -> None:
        """Ask somebody who has just sat down for a stake as well."""
        self._told_away -= {key}
        if self.offer is not None:
            self.offer = replace(self.offer, asked_of=self.offer.asked_of | {key})

    def stake(self, key: bytes, nonce: bytes, end: bytes) -> None:
        """Take the end of somebody's new chain; ignored if it is for another offer."""
        if self.offer is not None and nonce == self.offer.nonce:
            self.offer = replace(self.offer, stakes={**self.offer.stakes, key: end})

    def withdraw_stake(self, key: bytes) -> None:
        """Forget the stake of somebody whose link is lost; they are asked again."""
        if self.offer is not None:
            stakes = {other: end for other, end in self.offer.stakes.items() if other != key}
            self.offer = replace(self.offer, stakes=stakes)

    def expect_no_stake(self, key: bytes) -> None:
        """Stop waiting for the stake of this guest."""
        if self.offer is not None:
            self.offer = replace(self.offer, asked_of=self.offer.asked_of - {key})

    def end_offer(self) -> None:
        """Forget the offer."""
        self.offer = None

    # --- again --------------------------------------------------------------------------------------------------------

    def answer(self, key: bytes, yes: bool) -> None:
        """Note somebody's answer to "play again?"."""
        self._again[key] = yes

    def answered(self, key: bytes) -> bool | None:
        """Somebody's answer to "play again?", None if there is none."""
        return self._again.get(key)

    def all_agree(self, keys: Collection[bytes]) -> bool:
        """True if all of these want to play again."""
        return all(self._again.get(key) for key in keys)

    def forget(self, key: bytes) -> None:
        """Forget somebody who has left."""
        self._again.pop(key, None)
        self.withdraw_stake(key)
        self.expect_no_stake(key)


def _with_changes(options: Any, changes: Mapping[str, str]) -> Any:
    """The options with these changes, given as words. Raises CommandError."""
    try:
        return set_options(options, changes)
    except OptionError as error:
        raise CommandError(str(error)) from error


def read_names(said: str, known: Collection[str]) -> list[str]:
    """The names in a line such as "bob cy"; names may hold spaces. Raises CommandError."""
    at_table = f"At the table: {', '.join(known)}. 'sit all' seats everyone."
    names: list[str] = []
    rest = said.replace(",", " ").strip()
    while rest:
        name = max([name for name in known if f"{rest} ".startswith(f"{name} ")], key=len, default="")
        if not name or name in names:
            wrong = f"You named {name} twice." if name else f"Nobody here is called {rest.split()[0]!r}."
            raise CommandError(f"{wrong} {at_table}")
        names.append(name)
        rest = rest[len(name) :].strip()
    if not names:
        raise CommandError(f"Who plays? {at_table}")
    return names
