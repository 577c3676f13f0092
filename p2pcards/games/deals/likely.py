"""Worlds in which the others would have bid and played as they did: of a few that are drawn the one that agrees best
with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import Position
from p2pcards.games.deals.worlds import Room, Worlds

if TYPE_CHECKING:
    from mypy_extensions import i64

DRAWINGS: Final[int] = 4
"""How many worlds are drawn, and looked at, in the time in which a hand is played."""


class Drawn(Position):
    """What was drawn: which card for which place."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[i64] = []
        self.cards: list[i64] = []

    def hold(self, place: i64, card: i64) -> None:
        self.places.append(place)
        self.cards.append(card)

    def put(self, position: Position) -> None:
        number: i64 = 0
        while number < len(self.cards):
            position.hold(self.places[number], self.cards[number])
            number += 1


def likeliest(
    position: Position, worlds: Worlds, start: Position, played: list[i64], tries: i64, chance: Chance
) -> Position:
    """Of so many worlds the one in which the others than whose turn it is would have played most of their cards by
    rules of thumb. start: the hand before the first of these cards, without those that are not played yet."""
    seat: i64 = position.turn
    best = position
    least: i64 = 1 << 40
    while tries > 0 and least > 0:
        tries -= 1
        world = position.copy()
        worlds.fill(world, chance)
        before = start.copy()
        before.add_hands(world)
        strange: i64 = 0
        for card in played:
            if before.turn != seat and before.thumb(chance) != card:
                strange += 1
            if strange >= least:
                break
            before.do(card)
        if strange < least:
            least = strange
            best = world
    return best


class LikelyWorlds(Worlds):
    def __init__(self, cards: list[i64], rooms: list[Room], tries: i64) -> None:
        """tries: how many worlds are drawn at the most."""
        super().__init__(cards, rooms, max(1, int(tries) // DRAWINGS))
        self.tries: i64 = tries

    def fill(self, position: Position, chance: Chance) -> None:
        best = Drawn()
        least: i64 = 1 << 40
        tried: i64 = 0
        while tried < self.tries and least > 0:
            drawn = Drawn()
            super().fill(drawn, chance)
            world = position.copy()
            drawn.put(world)
            misfit: i64 = self.misfit(world)
            if misfit < least:
                least = misfit
                best = drawn
            tried += 1
        best.put(position)

    def misfit(self, world: Position) -> i64:
        """How badly a world agrees with what the others did; 0 where it does."""
        raise NotImplementedError
