"""Before and between games at a coordinator's table: the choice of the game, who is to sit, the offer of a new game,
and who wants to play again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.options import OptionError, Value, set_options
from p2pcards.games.registry import UnknownGame, find_game
from p2pcards.session.effects import CommandError
from p2pcards.session.opponents import Opponent
from p2pcards.wire.header import ALL_ASSISTS, NO_ASSISTS, Assist, assist_names

CHOOSE_FIRST = "Choose a game first: game NAME"


@dataclass(frozen=True, slots=True)
class Choice:
    """A game and its rule options."""

    game: AnyGame
    options: Any


@dataclass(frozen=True, slots=True)
class PendingOffer:
    """A game that is about to begin. ends: when those who have given no stake are put out, in seconds; stakes: by key
    the ends of new chains."""

    nonce: bytes
    ends: float
    stakes: Mapping[bytes, bytes]


class Lobby:
    """sitting: the keys of those who are to sit, if they were named; the others watch. opponents: the computer
    characters that were wished for, by seat. assists: what is allowed to help people in the games to come."""

    def __init__(self) -> None:
        self.choice: Choice | None = None
        self.sitting: tuple[bytes, ...] = ()
        self.opponents: Mapping[Seat, Opponent] = {}
        self.offer: PendingOffer | None = None
        self.assists = NO_ASSISTS
        self._again: dict[bytes, bool] = {}
        self._preset = ""  # from which the choice was made, and what was set in it since
        self._set: set[str] = set()
        self._settled: frozenset[bytes] = frozenset()

    # --- the choice ---------------------------------------------------------------------------------------------------

    def take(self, choice: Choice) -> None:
        self.choice = choice

    def choose(self, arguments: Sequence[str]) -> tuple[AnyGame, str, list[tuple[str, Value]]]:
        """Choose by words, KEY=VALUE after game and preset; the game, the name of its preset, and what was set in it.
        Raises CommandError."""
        if not arguments:
            raise CommandError("Which game? 'games' lists them.")
        try:
            game = find_game(arguments[0])
        except UnknownGame as error:
            raise CommandError(str(error)) from error
        preset = arguments[1] if len(arguments) > 1 else next(iter(game.presets))
        if preset not in game.presets:
            raise CommandError(f"{game.name} has no preset {preset!r}. There are {', '.join(game.presets)}.")
        changes = {key: value for key, _, value in [word.partition("=") for word in arguments[2:]]}
        self.choice = Choice(game, _changed(game.presets[preset], changes))
        self._preset, self._set = preset, set(changes)
        return game, preset, [(key, getattr(self.choice.options, key)) for key in changes]

    def set_option(self, arguments: Sequence[str]) -> tuple[str, Value]:
        """Set a rule option by words; its key and value. Raises CommandError."""
        if self.choice is None:
            raise CommandError(CHOOSE_FIRST)
        key, _, value = "=".join(arguments).replace(" ", "").partition("=")
        if not value:
            raise CommandError("An option is set like this: set end_score=50")
        options = _changed(self.choice.options, {key: value})
        self.choice = replace(self.choice, options=options)
        self._set.add(key)
        return key, getattr(options, key)

    def left_open(self) -> str:
        """The option that the preset leaves to the players, "" where nothing is left to set."""
        question = self.choice.game.question if self.choice else None
        return question.key if question and question.preset == self._preset and question.key not in self._set else ""

    def sit(self, arguments: Sequence[str], people: Mapping[str, bytes]) -> str:
        """Name who sits, from the first seat on; a sentence. people: keys by name. Raises CommandError."""
        said = " ".join(arguments).lower()
        if said == "all":
            self.sitting = ()
            return "Everybody sits, as far as there are seats."
        names = {name.lower(): name for name in people}
        seated = [names[name] for name in read_names(said, names)]
        self.sitting = tuple([people[name] for name in seated])
        watching = [name for name in people if name not in seated]
        others = f" {', '.join(watching)} {'watches' if len(watching) == 1 else 'watch'}." if watching else ""
        return f"Seats from the first: {', '.join(seated)}.{others}"

    def place(self, seat: Seat, opponent: Opponent | None) -> None:
        """Who plays in a seat where no person sits; None: any free character. Raises CommandError."""
        others = {other: one for other, one in self.opponents.items() if other != seat}
        if opponent is not None:
            there = next((other for other, one in others.items() if one.character == opponent.character), None)
            if there is not None:
                raise CommandError(f"That character is to play in seat {there + 1} already.")
            others[seat] = opponent
        self.opponents = others

    def settle_partner(self, keys: Collection[bytes]) -> None:
        """It was said which of these guests is the coordinator's partner, or that none is."""
        self._settled = frozenset(keys)

    def wants_partner(self, keys: Collection[bytes]) -> bool:
        """Whether partners play in the chosen game, and it was not said yet whether one of these guests is the
        coordinator's: neither so nor by naming who sits."""
        if self.choice is None or self.sitting or self._settled.issuperset(keys):
            return False
        return any(len(side) > 1 for side in self.choice.game.sides(self.choice.options))

    def allow(self, arguments: Sequence[str]) -> str:
        """What is allowed to help people from the next game on; a sentence. Raises CommandError."""
        said = [word.lower().strip(",") for word in arguments]
        names = assist_names(ALL_ASSISTS)
        known = {**dict(zip(names, Assist, strict=True)), "all": ALL_ASSISTS, "none": NO_ASSISTS}
        unknown = next((word for word in said if word not in known), None)
        if unknown is not None:
            raise CommandError(f"There is no {unknown[:30]!r} to allow. There are {', '.join(names)}; all; none.")
        if said:
            self.assists = reduce(or_, [known[word] for word in said])
        allowed = ", ".join(assist_names(self.assists)) or "nothing"
        return f"Allowed from the next game with people on: {allowed}. Who plays alone may use everything."

    def check_choice(self) -> None:
        """Whether a game can begin. Raises CommandError."""
        if self.choice is None:
            raise CommandError(CHOOSE_FIRST)
        game, seats = self.choice.game, self.choice.game.seats(self.choice.options)
        if len(self.sitting) > seats:
            raise CommandError(
                f"{game.name} has {seats} seats here, and {len(self.sitting)} are to sit: say 'sit' again."
            )

    # --- the offer ----------------------------------------------------------------------------------------------------

    def make_offer(self, nonce: bytes, ends: float) -> None:
        self.offer = PendingOffer(nonce, ends, {})
        self._again.clear()

    def stake(self, key: bytes, nonce: bytes, end: bytes) -> None:
        """Somebody has given the end of a new chain; for another offer it counts for nothing."""
        if self.offer is not None and nonce == self.offer.nonce:
            self.offer = replace(self.offer, stakes={**self.offer.stakes, key: end})

    def end_offer(self) -> None:
        self.offer = None

    # --- again --------------------------------------------------------------------------------------------------------

    def answer(self, key: bytes, yes: bool) -> None:
        """Somebody's answer to "play again?"."""
        self._again[key] = yes

    def answered(self, key: bytes) -> bool | None:
        return self._again.get(key)

    def all_agree(self, keys: Collection[bytes]) -> bool:
        return all(self._again.get(key) for key in keys)

    def forget(self, key: bytes) -> None:
        """Somebody has gone."""
        self._again.pop(key, None)
        if self.offer is not None:
            stakes = {other: end for other, end in self.offer.stakes.items() if other != key}
            self.offer = replace(self.offer, stakes=stakes)


def _changed(options: Any, changes: Mapping[str, str]) -> Any:
    try:
        return set_options(options, changes)
    except OptionError as error:
        raise CommandError(str(error)) from error


def read_names(said: str, known: Collection[str]) -> list[str]:
    """The names of a line such as "bob cy", which may have spaces in them. Raises CommandError."""
    names: list[str] = []
    rest = said.replace(",", " ").strip()
    while rest:
        name = max([name for name in known if f"{rest} ".startswith(f"{name} ")], key=len, default="")
        if not name or name in names:
            wrong = f"{name} is named twice" if name else f"nobody here is called {rest.split()[0]!r}"
            raise CommandError(f"Who is to sit? {wrong}. Here are {', '.join(known)}; 'sit all' lets everybody sit.")
        names.append(name)
        rest = rest[len(name) :].strip()
    if not names:
        raise CommandError(f"Who is to sit? Here are {', '.join(known)}; 'sit all' lets everybody sit.")
    return names
