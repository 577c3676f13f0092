"""A tree of moves that grows over many worlds: information set Monte Carlo tree search from the eyes of one seat
(Cowling, Powley and Whitehouse, 2012), with hands played to their end by rules of thumb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.players.kernels.bits import BIT, Chance, highest, lowest
from p2pcards.players.kernels.position import Position, finish

if TYPE_CHECKING:
    from mypy_extensions import i64


class Node:
    """A move at a place of the tree. seat: who made it. seen: in how many worlds it could have been made; visits: in
    how many it was; total: what those hands came to for this seat. Below it are the moves that came next, in whatever
    world; known: a mask of them."""

    def __init__(self, move: i64, seat: i64) -> None:
        self.move: i64 = move
        self.seat: i64 = seat
        self.seen: i64 = 0
        self.visits: i64 = 0
        self.total: i64 = 0
        self.known: i64 = 0
        self.below: list[Node] = []

    def choose(self, can: i64, spread: i64) -> Node:
        """The move below that promises most: what it came to on the average, and more the seldomer it was tried of the
        times it could be (UCB1 in whole numbers, in 64ths)."""
        best: Node = self
        most: i64 = -(1 << 60)
        for child in self.below:
            if not can & BIT[child.move]:
                continue
            child.seen += 1
            doubt: i64 = root_of(4096 * (highest(child.seen) + 1) // child.visits)
            worth: i64 = 64 * child.total // child.visits + spread * doubt
            if worth > most:
                most = worth
                best = child
        return best

    def add(self, world: Position, can: i64, chance: Chance) -> Node:
        """A move that was not made here before: that of the rules of thumb, or any."""
        new: i64 = can & ~self.known
        move: i64 = lowest(new)
        if new & (new - 1):
            thumb: i64 = world.thumb(chance)
            if new & BIT[thumb]:
                move = thumb
        child = Node(move, world.turn)
        self.known |= BIT[move]
        self.below.append(child)
        for other in self.below:
            if can & BIT[other.move]:
                other.seen += 1
        return child

    def count(self, world: Position) -> None:
        """A hand that went through here has come to its end."""
        self.visits += 1
        if self.seat >= 0:
            self.total += world.worth(self.seat)


def grow(root: Node, world: Position, spread: i64, chance: Chance) -> None:
    """Follow a world down the tree, add a move to it, and play the hand to its end. spread: how far the worths of two
    hands are apart, as a rule. The world is used up."""
    path: list[Node] = [root]
    node = root
    while world.turn >= 0:
        can: i64 = world.moves()
        new = bool(can & ~node.known)
        node = node.add(world, can, chance) if new else node.choose(can, spread)
        path.append(node)
        world.do(node.move)
        if new:
            break
    finish(world, chance)
    for node in path:
        node.count(world)


def root_of(number: i64) -> i64:
    """The whole part of the square root."""
    if number < 2:
        return number
    guess: i64 = BIT[highest(number) // 2 + 1]
    while True:
        better: i64 = (guess + number // guess) // 2
        if better >= guess:
            return guess
        guess = better
