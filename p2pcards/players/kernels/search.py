"""Trying moves out: each is followed to the end of the hand in many worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.players.kernels.bits import Chance
from p2pcards.players.kernels.position import Position, finish

if TYPE_CHECKING:
    from mypy_extensions import i64


def try_out(world: Position, seat: i64, choices: list[list[i64]], chance: Chance, worths: list[i64]) -> None:
    """Add to each worth what its choice, moves one after another, comes to in this world for the seat."""
    number: i64 = 0
    while number < len(choices):
        position = world.copy()
        for move in choices[number]:
            position.do(move)
        finish(position, chance)
        worths[number] = worths[number] + position.worth(seat)
        number += 1
