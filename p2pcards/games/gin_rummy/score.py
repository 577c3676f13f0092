"""What a hand of gin rummy scores, and the score sheet of one game or, in Hollywood, three. Two seats; points are whole
numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2pcards.cards.card import Card
from p2pcards.games.game import Items, Seat, sum_of_items, with_seat_replaced
from p2pcards.games.gin_rummy.deadwood import Meld, best_arrangement, deadwood, lay_offs

SEATS = 2
BIG = 11  # cards of a hand that goes big gin


class Stakes(Protocol):
    """Those of the options of gin rummy that say what counts, and how much."""

    @property
    def winning_score(self) -> int: ...
    @property
    def gin_bonus(self) -> int: ...
    @property
    def big_gin_bonus(self) -> int: ...
    @property
    def undercut_bonus(self) -> int: ...
    @property
    def layoff(self) -> bool: ...
    @property
    def game_bonus(self) -> int: ...
    @property
    def box_bonus(self) -> int: ...
    @property
    def shutout_double(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Column:
    """A game on the score sheet, by seat: the points, and how many hands were won."""

    points: tuple[int, ...] = (0,) * SEATS
    boxes: tuple[int, ...] = (0,) * SEATS


def hand_items(
    stakes: Stakes, hand: Sequence[Card], melds: Sequence[Meld], other: Sequence[Card], doubled: bool = False
) -> tuple[bool, Items]:
    """Return whether the knocker wins, and what the winner scores, item by item.

    hand: the knocker's after the discard, or all eleven cards. melds: as they are laid down, () for the usual way.
    other: the defender's hand. doubled: every point counts twice. Raises ValueError for a card named twice.
    """
    points, theirs = deadwood(hand), deadwood(other)
    if points and stakes.layoff:  # never against gin (D-GI-2)
        theirs = lay_offs(melds or best_arrangement(hand).melds, other).own.points
    wins = not points or points < theirs
    loser, winner = (theirs, points) if wins else (points, theirs)
    items = [(f"deadwood {loser} to {winner}", loser - winner)]
    if not points:
        items.append(("big gin", stakes.big_gin_bonus) if len(hand) == BIG else ("gin", stakes.gin_bonus))
    elif not wins:
        items.append(("undercut", stakes.undercut_bonus))
    if doubled:
        items.append(("spades double", sum_of_items(items)))
    return wins, _nonzero_items(items)


def enter_win(
    stakes: Stakes, columns: Sequence[Column], seat: Seat, items: Items
) -> tuple[tuple[Column, ...], tuple[Items, ...]]:
    """The score sheet after a hand won by a seat with these items, and what each seat scores for it, bonuses of games
    that this ends included.

    It counts in every open game in which they have won already, and in the first open one in which they have not
    (D-GI-7).
    """
    won = sum_of_items(items)
    after: list[Column] = []
    scored: tuple[list[tuple[str, int]], ...] = ([], [])
    started = True
    for place, column in enumerate(columns, 1):
        if is_closed(stakes, column) or not (started or column.boxes[seat]):
            after.append(column)
            continue
        started = started and column.boxes[seat] > 0
        points, boxes = column.points[seat] + won, column.boxes[seat] + 1
        entered = Column(with_seat_replaced(column.points, seat, points), with_seat_replaced(column.boxes, seat, boxes))
        after.append(entered)
        name = f"game {place}: " if len(columns) > 1 else ""
        for side in range(SEATS):
            counted = (*(items if side == seat else ()), *end_items(stakes, entered, side))
            scored[side].extend([(name + what, value) for what, value in counted])
    return tuple(after), tuple([tuple(side) for side in scored])


def is_closed(stakes: Stakes, column: Column) -> bool:
    """Return whether this game is over."""
    return max(column.points) >= stakes.winning_score


def end_items(stakes: Stakes, column: Column, seat: Seat) -> Items:
    """Bonus items of a seat when a game is over (D-GI-6); none before."""
    points, theirs = column.points[seat], column.points[1 - seat]
    if not is_closed(stakes, column):
        return ()
    items = [("boxes", stakes.box_bonus * column.boxes[seat])]
    if points > theirs:
        items.append(("game bonus", stakes.game_bonus))
        if stakes.shutout_double and not theirs:
            items.append(("shutout", points + stakes.game_bonus))
    return _nonzero_items(items)


def _nonzero_items(items: Sequence[tuple[str, int]]) -> Items:
    """The items that count anything."""
    return tuple([item for item in items if item[1]])
