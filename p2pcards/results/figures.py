"""What players like to know of their own play, counted from how their hands were scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2pcards.games.game import Items
from p2pcards.results.result import GameResult, HandResult

Counted = Callable[[Items, bool], tuple[int, int]]
"""(hits, tries) of a hand, by what a seat was scored for, and whether it had dealt."""


@dataclass(frozen=True, slots=True)
class Figure:
    """key: its name. meaning: how it is counted, for people. share: hits are a part of the tries, in percent; otherwise
    they are points, of which the figure is the average."""

    key: str
    meaning: str
    counted: Counted
    share: bool = True


def counts(result: GameResult) -> dict[str, tuple[int, int]]:
    """(hits, tries) by figure, for the seat of the player whose log it is."""
    seat = result.mine
    if seat is None:
        return {}
    hands = [hand for hand in result.hands if len(hand.items) > seat]
    return {figure.key: _sums(figure, hands, seat) for figure in FIGURES.get(result.game, ())}


def _sums(figure: Figure, hands: list[HandResult], seat: int) -> tuple[int, int]:
    pairs = [figure.counted(hand.items[seat], hand.dealer == seat) for hand in hands]
    return sum([hits for hits, _ in pairs]), sum([tries for _, tries in pairs])


def _with(*labels: str) -> Counted:
    """Hands that have one of these items, of all hands."""
    return lambda items, _dealt: (any(what.startswith(labels) for what, _ in items), 1)


def _gained(*labels: str) -> Counted:
    """Hands in which these items have brought points, of those that have them."""

    def counted(items: Items, _dealt: bool) -> tuple[int, int]:
        found = [points for what, points in items if what.startswith(labels)]
        return sum(found) > 0, bool(found)

    return counted


def _points(*labels: str) -> Counted:
    """The points of these items in every hand; of all items, without labels."""
    return lambda items, _dealt: (sum([points for what, points in items if what.startswith(labels or "")]), 1)


def _points_but(*labels: str) -> Counted:
    """The points of all other items."""
    return lambda items, _dealt: (sum([points for what, points in items if not what.startswith(labels)]), 1)


def _crib(items: Items, dealt: bool) -> tuple[int, int]:
    return sum([points for what, points in items if what.startswith("crib")]), dealt


_SET = Figure("set", "hands in which you bid and were set, of all hands", _with("set: "))

FIGURES: dict[str, tuple[Figure, ...]] = {
    "auction_pitch": (
        Figure("set back", "hands in which you bid and were set back, of all hands", _with("set back")),
        Figure("points a hand", "what your score changed by, on average", _points(), share=False),
    ),
    "crazy_eights": (Figure("hands won", "hands in which you scored, of all hands", _with("")),),
    "cribbage": (
        Figure("average crib", "points of your crib, in the hands that you dealt", _crib, share=False),
        Figure("average hand", "points of the cards that you kept, and the starter", _points("hand"), share=False),
        Figure("average play", "points that you pegged in the play of a hand", _points("play"), share=False),
    ),
    "euchre": (
        Figure("made", "hands in which your side chose trump and made it, of all hands", _with("made", "march")),
        Figure("marches", "hands in which your side took all five tricks as makers, of all hands", _with("march")),
        Figure("euchres", "hands in which your side euchred the makers, of all hands", _with("euchre")),
    ),
    "gin_rummy": (
        Figure("gin", "hands that you ended with gin or big gin, of all hands", _with("gin", "big gin")),
        Figure("undercuts", "hands in which you undercut the knocker, of all hands", _with("undercut")),
    ),
    "hearts": (
        Figure("moons shot", "hands in which you shot the moon, of all hands", _with("shot the moon")),
        Figure("queens taken", "hands in which you took the queen of spades, of all hands", _with("queen of spades")),
        Figure("points a hand", "what your score changed by, on average", _points(), share=False),
    ),
    "oh_hell": (Figure("bids made", "hands in which you took what you bid, of all hands", _with("bid", "no trick")),),
    "pinochle": (
        _SET,
        Figure("melds a hand", "points of your side's melds, when not set", _points_but("tricks", "set: "), False),
    ),
    "pinochle2": (
        Figure("melds a hand", "points that you melded, on average", _points_but("cards taken", "last trick"), False),
        Figure("tricks a hand", "points of the tricks that you took, on average", _points("cards taken"), share=False),
    ),
    "pinochle_bid": (
        _SET,
        Figure("melds a hand", "points of your melds, where you were not set", _points_but("cards", "set: "), False),
    ),
    "rummy_500": (
        Figure("melded a hand", "points that you melded and laid off", _points("melds", "laid off"), share=False),
        Figure("left a hand", "points of the cards that were left in your hand", _points("left in hand"), share=False),
    ),
    "spades": (
        Figure("contracts made", "hands in which your side made what it had bid", _gained("contract")),
        Figure("Nils made", "hands in which Nil was bid by your side and made", _gained("Nil")),
        Figure("overtricks a hand", "tricks of your side over what it had bid", _points("overtricks"), share=False),
    ),
    "thirty_one": (Figure("hands lost", "hands in which you lost a point, of all hands", _with("")),),
    "whist": (Figure("odd tricks a hand", "odd tricks of your side, on average", _points("odd tricks"), share=False),),
}
"""The labels are those of the items of a score sheet, as the rules in `games` name them."""
