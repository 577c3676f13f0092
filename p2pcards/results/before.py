"""What figures count in results of before version 3 of the book, which have nothing but the words of score sheets. Only
games without their log are still told by these."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from p2pcards.games.figures import POINTS, Measured
from p2pcards.games.game import Items, Seat, sum_of_items

Counted = Callable[[Items], int | None]
"""What there was to count among what a seat was scored for."""


def measured_before(game: str, sheet: tuple[Items, ...], dealer: Seat | None) -> tuple[Measured, ...]:
    """The figures of each seat in a hand of an older result, worked out from the words of the score sheet."""
    return tuple([_of_seat(game, items, dealer == seat) for seat, items in enumerate(sheet)])


def _of_seat(game: str, items: Items, dealt: bool) -> Measured:
    """The figures of one seat. dealt: this seat was the dealer."""
    found = [(key, counted(items)) for key, counted in COUNTED.get(game, {}).items() if key != "crib" or dealt]
    return ((POINTS, sum_of_items(items)), *[(key, number) for key, number in found if number is not None])


def _has(*labels: str) -> Counted:
    """A counter: 1 if there is one of these items, else 0."""
    return lambda items: int(any(what.startswith(labels) for what, _ in items))


def _gained(label: str) -> Counted:
    """A counter: 1 if such items brought points, 0 if not, None if there are none."""

    def counted(items: Items) -> int | None:
        """1 if such items brought points, 0 if not, None if there are none."""
        found = [points for what, points in items if what.startswith(label)]
        return int(sum(found) > 0) if found else None

    return counted


def _points(*labels: str) -> Counted:
    """A counter: the points of items that begin with one of these labels."""
    return lambda items: sum([points for what, points in items if what.startswith(labels)])


def _points_but(*labels: str) -> Counted:
    """A counter: the points of all items except these."""
    return lambda items: sum([points for what, points in items if not what.startswith(labels)])


COUNTED: Mapping[str, Mapping[str, Counted]] = {
    "auction_pitch": {"set": _has("set back")},
    "crazy_eights": {"won": _has("")},
    "cribbage": {"crib": _points("crib"), "hand": _points("hand"), "play": _points("play")},
    "euchre": {"made": _has("made", "march"), "march": _has("march"), "euchre": _has("euchre")},
    "gin_rummy": {"gin": _has("gin", "big gin"), "undercut": _has("undercut")},
    "hearts": {"moon": _has("shot the moon"), "queen": _has("queen of spades")},
    "oh_hell": {"bid": _has("bid", "no trick")},
    "pinochle": {"set": _has("set: "), "melds": _points_but("tricks", "set: ")},
    "pinochle2": {"melds": _points_but("cards taken", "last trick"), "tricks": _points("cards taken")},
    "pinochle_bid": {"set": _has("set: "), "melds": _points_but("cards", "set: ")},
    "rummy_500": {"melded": _points("melds", "laid off"), "left": _points("left in hand")},
    "spades": {"contract": _gained("contract"), "nil": _gained("Nil"), "overtricks": _points("overtricks")},
    "thirty_one": {"lost": _has("")},
    "whist": {"odd tricks": _points("odd tricks")},
}
"""By game and measure, by how the labels began."""
