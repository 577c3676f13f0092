"""What a game tells of itself beside its rules: a table in the file told.py of its folder, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol, TypeVar

from p2pcards.cards.card import Card, Suit
from p2pcards.games.certain import Aim
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.options import Value
from p2pcards.games.parts import part_of

A = TypeVar("A")

Found = list[tuple[str, str]]
"""What was found in a hand: a few words each, and what follows them."""


Board = Callable[[Mapping[str, Any], Sequence[int], Sequence[int]], tuple[list[str], list[tuple[str, str]]]]
"""(options, scores, scores before the last change) -> the lines of a board on which scores are pegged, and by seat its
peg with where that stands."""


class Way(Enum):
    """By what a player decides: chance; the rules of thumb of its game's novice; those of its deal, which count cards;
    tables that were learned, and where these know nothing the same; or hands that it plays to their end."""

    LOT = "lot"
    NOVICE = "novice"
    THUMB = "thumb"
    TABLES = "tables"
    SEARCH = "search"


class Skill(NamedTuple):
    """How a level decides. playouts: how many hands it plays to their end; nested: each card of these is the best of
    one more hand that is played on from every card; nodes: how many positions of an ending it looks at, 0 where it
    plays endings as it plays all."""

    way: Way
    playouts: int = 0
    nodes: int = 0
    nested: bool = False


@dataclass(frozen=True, slots=True)
class Playing:
    """How computers play a game, as far as its rules of thumb and its deal do not say it.

    by_lot(legal) -> the actions among which a carefree player draws, lest they ruin themselves at once. levels: those
    with another skill than in most games. merged: levels that would play no better than a lower one, by the
    level as which they play. editions: of the levels that have changed in this game alone.
    """

    by_lot: Callable[[Sequence[Any]], Sequence[Any]] = lambda legal: legal
    levels: Mapping[str, Skill] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)
    editions: Mapping[str, int] = field(default_factory=dict)


def lowest(bid: type) -> Callable[[Sequence[A]], Sequence[A]]:
    """For `Playing.by_lot`: passes or makes the lowest bid. bid: the class of bids."""

    def narrowed(legal: Sequence[A]) -> Sequence[A]:
        others = [action for action in legal if not isinstance(action, bid)]
        return others + [action for action in legal if isinstance(action, bid)][:1]

    return narrowed


@dataclass(frozen=True, slots=True)
class Tricks:
    """What tricks are to a game, beyond its `Ranking`, for somebody who is told what a card is for.

    counted: as which card a card counts while trump is not known; as_trump(card, suit): as which it counts if this suit
    becomes trump. avoids(view, seat): whether the seat wants no more tricks, or none that costs it; kept: what it keeps
    by that, as words that follow others. nil(view, seat): whether this seat has bid that it takes none, and has taken
    none yet. bids(view): what each seat has bid to take; () where nothing is bid. aims(view, seat): how many of
    the tricks left the seat is to take, what it needs first before more. gives: whether a card that scores is given to
    a partner's trick. dangers(held, out): what a hand may cost.

    leading, winning, losing, discarding: (sight, card) -> what a card is for in this game alone that is led, would win,
    follows suit and does not win, or does neither; "" where nothing is certain, None where it is as in other games.
    sight: a `TrickSight`, out: what is `Outstanding`, both of games/advice.
    """

    counted: Callable[[Card], Card] = lambda card: card
    as_trump: Callable[[Card, Suit], Card] = lambda card, _suit: card
    avoids: Callable[[Any, Seat], bool] = lambda _view, _seat: False
    kept: str = ""
    nil: Callable[[Any, Seat], bool] = lambda _view, _seat: False
    bids: Callable[[Any], Sequence[int | None]] = lambda _view: ()
    aims: Callable[[Any, Seat], Sequence[Aim]] = lambda _view, _seat: ()
    gives: bool = False
    dangers: Callable[[Sequence[Card], Any], Found] = lambda _held, _out: []
    leading: Callable[[Any, Card], str | None] = lambda _sight, _card: None
    winning: Callable[[Any, Card], str | None] = lambda _sight, _card: None
    losing: Callable[[Any, Card], str | None] = lambda _sight, _card: None
    discarding: Callable[[Any, Card], str | None] = lambda _sight, _card: None


class Weighed(Protocol):
    """What a search has made of an action, as `views.advice.Rated` has it."""

    @property
    def action(self) -> Action: ...
    @property
    def hands(self) -> int: ...
    @property
    def mishaps(self) -> Sequence[int]: ...
    @property
    def obvious(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Told:
    """about: where the game comes from, a paragraph. words: a sentence for each word with which its players act. short:
    the options with which a game is soon over.

    aim(view, seat, action): what an action is for that is not the play of a card to a trick, words that begin with "to"
    or "as"; "" where nothing is certain. fear(view, weighed): a danger that a search has found, in words that follow
    the aim of the action that stands first; "" for none. mishaps: what may go wrong in a hand, by its bit in the game's
    `Position.mishaps`, in words that follow "would"; blamed(action, place): whether an action itself, and not the play
    after it, can bring about that of them. analysis(game, view, seat): what is in a hand, where more is
    looked at than tricks. Both look at nothing but what the seat sees. tricks: what these are to the game; board: on
    which its score is pegged, beside the cards. figures: what players like to know of their own play. strategy: the
    page of the guide about how it is played well, "" for none. apart: presets that count as games of their own, and how
    they differ.
    """

    about: str
    words: Mapping[str, str]
    short: Mapping[str, Value]
    aim: Callable[[Any, Seat, Action], str] = lambda _view, _seat, _action: ""
    fear: Callable[[Any, Sequence[Weighed]], str] = lambda _view, _weighed: ""
    mishaps: Sequence[str] = ()
    blamed: Callable[[Action, int], bool] = lambda _action, _place: True
    analysis: Callable[[AnyGame, Any, Seat], Found] | None = None
    tricks: Tricks = Tricks()
    board: Board | None = None
    figures: tuple[Figure, ...] = ()
    strategy: str = ""
    apart: Mapping[str, str] = field(default_factory=dict)
    playing: Playing = Playing()


BY_THUMB = ("carefree", "novice")
"""The levels that search in no game."""


def is_searched(key: str) -> bool:
    """Whether a search can play the game of this key: its folder has seen.py, which reads a seat's view for one."""
    return find_spec(f"p2pcards.games.{key}.seen") is not None


PLAYERS: Mapping[str, str] = {
    "carefree": "a carefree player",
    "novice": "a novice",
    "standard": "a standard player",
    "expert": "an expert",
    "champion": "a champion",
    "master": "a master",
}
"""The levels, from the weakest on, and what a player of each is called in a sentence."""


def level_texts(games: Iterable[AnyGame], levels: Iterable[str]) -> list[str]:
    """What somebody should know who has chosen these levels, as sentences; none where each plays as it does in most
    games."""
    chosen = [level for level in PLAYERS if level in set(levels)]
    by_thumb, alike = list[str](), dict[str, list[str]]()
    for game in games:
        if not is_searched(game.key):
            by_thumb += [game.name] if set(chosen).difference(BY_THUMB) else []
            continue
        lower = {level: told_of(game.key).playing.merged.get(level, level) for level in chosen}
        for as_one in dict.fromkeys(lower.values()):
            if who := [PLAYERS[level] for level in chosen if lower[level] == as_one != level]:
                told = f"{in_row(who)} {'plays' if len(who) == 1 else 'play'} as {PLAYERS[as_one]} does"
                alike.setdefault(told, []).append(game.name.lower())
    return [
        *[f"The players of {name} play by rules of thumb at every level." for name in by_thumb],
        *[f"In {in_row(names)} {told}." for told, names in alike.items()],
    ]


def in_row(words: Sequence[str]) -> str:
    """``whist, spades and hearts``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def told_of(key: str) -> Told:
    told: Told = part_of(key, "told")
    return told
