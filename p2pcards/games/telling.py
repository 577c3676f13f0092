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
from p2pcards.games.parts import load_part
from p2pcards.games.wording import join_with_and

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
    """How a level decides."""

    way: Way
    playouts: int = 0  # hands that it plays to their end
    nodes: int = 0  # positions of an ending to look at; 0: endings are played like the rest
    nested: bool = False  # Each card of a playout is the best of one more hand that is played on from every card.


@dataclass(frozen=True, slots=True)
class Playing:
    """How computers play a game, beyond its rules of thumb and its deal."""

    # The legal actions from which a carefree player draws, so that it does not ruin itself at once.
    by_lot: Callable[[Sequence[Any]], Sequence[Any]] = lambda legal: legal
    levels: Mapping[str, Skill] = field(default_factory=dict)  # levels with another skill than in most games
    # levels that would play no better than a lower one -> that one
    merged: Mapping[str, str] = field(default_factory=dict)
    editions: Mapping[str, int] = field(default_factory=dict)  # of levels that have changed in this game alone


def pass_or_lowest_bid(bid: type) -> Callable[[Sequence[A]], Sequence[A]]:
    """For `Playing.by_lot`: passes or makes the lowest bid. bid: the class of bids."""

    def narrow(legal: Sequence[A]) -> Sequence[A]:
        others = [action for action in legal if not isinstance(action, bid)]
        return others + [action for action in legal if isinstance(action, bid)][:1]

    return narrow


@dataclass(frozen=True, slots=True)
class Tricks:
    """What tricks are for in a game, beyond its `Ranking`: how to explain a card. A sight is a `TrickSight` and `out`
    what is `Outstanding`, both of games/advice."""

    counted: Callable[[Card], Card] = lambda card: card  # the card as which it counts before trump is known
    as_trump: Callable[[Card, Suit], Card] = lambda card, _suit: card  # the same if this suit becomes trump
    # Whether the seat wants no more tricks, or none that costs it.
    avoids: Callable[[Any, Seat], bool] = lambda _view, _seat: False
    kept: str = ""  # what it keeps by that, in words that follow others
    # Whether the seat has bid to take no tricks, and has taken none.
    nil: Callable[[Any, Seat], bool] = lambda _view, _seat: False
    bids: Callable[[Any], Sequence[int | None]] = lambda _view: ()  # by seat, the tricks bid; () in games without
    # How many of the remaining tricks the seat is to take; the first need first.
    aims: Callable[[Any, Seat], Sequence[Aim]] = lambda _view, _seat: ()
    gives: bool = False  # a card that scores is thrown on a partner's trick
    dangers: Callable[[Sequence[Card], Any], Found] = lambda _held, _out: []  # (held, out): what a hand may cost
    # What a card is for that is led, in this game alone; "" if nothing is certain, None to say it as in other games.
    # The next three likewise: a card that would win, one that follows suit and loses, and one that does neither.
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
    """What a game has to say, beside its rules."""

    about: str  # where the game comes from, a paragraph
    words: Mapping[str, str]  # a sentence for each word that players type for an action
    short: Mapping[str, Value]  # options that make a game short
    # What an action is for, except the play of a card to a trick: words that begin with "to" or "since"; "" if nothing
    # is certain. Looks only at what the seat sees.
    aim: Callable[[Any, Seat, Action], str] = lambda _view, _seat, _action: ""
    # A danger that a search has found, in words that follow the aim of its first action; "" for none.
    fear: Callable[[Any, Sequence[Weighed]], str] = lambda _view, _weighed: ""
    # What may go wrong in a hand, by bit of `SearchPosition.mishap_bits`, in words that follow "would".
    mishaps: Sequence[str] = ()
    # Whether the action itself, and not the play after it, can cause the mishap with this number.
    blamed: Callable[[Action, int], bool] = lambda _action, _place: True
    # What is in a hand, in games with more to see than tricks. Looks only at what the seat sees.
    analysis: Callable[[AnyGame, Any, Seat], Found] | None = None
    tricks: Tricks = Tricks()
    board: Board | None = None  # pegs the score, beside the cards
    figures: tuple[Figure, ...] = ()  # what players like to know about their own play
    strategy: str = ""  # the guide's page on how to play it well; "" for none
    # presets that count as games of their own, and how they differ
    apart: Mapping[str, str] = field(default_factory=dict)
    playing: Playing = Playing()


BY_THUMB = ("carefree", "novice")
"""The levels that search in no game."""


def is_searched(key: str) -> bool:
    """Return whether a search can play the game of this key: its folder has seen.py, which reads a seat's view for
    one."""
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
    """Warnings for a player who has chosen these levels, as sentences; none where each plays these games as it does
    most."""
    chosen = [level for level in PLAYERS if level in set(levels)]
    by_thumb, alike = list[str](), dict[str, list[str]]()
    for game in games:
        if not is_searched(game.key):
            by_thumb += [game.name] if set(chosen).difference(BY_THUMB) else []
            continue
        lower = {level: load_told(game.key).playing.merged.get(level, level) for level in chosen}
        for as_one in dict.fromkeys(lower.values()):
            if who := [PLAYERS[level] for level in chosen if lower[level] == as_one != level]:
                told = f"{join_with_and(who)} {'plays' if len(who) == 1 else 'play'} like {PLAYERS[as_one]}"
                alike.setdefault(told, []).append(game.name.lower())
    return [
        *[f"In {name}, players use rules of thumb at every level." for name in by_thumb],
        *[f"In {join_with_and(names)}, {told}." for told, names in alike.items()],
    ]


def load_told(key: str) -> Told:
    """The `Told` of the game of this key, loaded when first asked for."""
    told: Told = load_part(key, "told")
    return told
