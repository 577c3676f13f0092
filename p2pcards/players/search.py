"""Choosing by trying out: every choice in the same imagined worlds, and more often those that do well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from p2pcards.games.game import Action, Seat
from p2pcards.players.kernels.bits import Chance
from p2pcards.players.kernels.search import try_out
from p2pcards.players.reading import (
    auction_pitch,
    crazy_eights,
    cribbage,
    euchre,
    gin_rummy,
    hearts,
    oh_hell,
    pinochle,
    pinochle2,
    pinochle_bid,
    rummy_500,
    spades,
    thirty_one,
    whist,
)
from p2pcards.players.reading.reading import Reading

READERS: Mapping[str, Callable[[Any, Seat], Reading]] = {
    "hearts": hearts.read,
    "crazy_eights": crazy_eights.read,
    "spades": spades.read,
    "whist": whist.read,
    "oh_hell": oh_hell.read,
    "euchre": euchre.read,
    "auction_pitch": auction_pitch.read,
    "gin_rummy": gin_rummy.read,
    "cribbage": cribbage.read,
    "rummy_500": rummy_500.read,
    "thirty_one": thirty_one.read,
    "pinochle": pinochle.read,
    "pinochle2": pinochle2.read,
    "pinochle_bid": pinochle_bid.read,
}


def best_choice(reading: Reading, seat: Seat, playouts: int, rng: Random) -> Action:
    """The action that does best. playouts: how many hands are played to their end, in rounds; the worse half of the
    choices is left out after each (sequential halving: Karnin, Koren and Somekh, 2013)."""
    choices = list(reading.choices)
    if len(choices) == 1:
        return choices[0]
    chance = Chance(rng.getrandbits(62) + 1)
    totals = [0] * len(choices)
    rounds = (len(choices) - 1).bit_length()
    for _ in range(rounds):
        moves = [list(reading.moves(choice)) for choice in choices]
        for _ in range(max(1, playouts // rounds // len(choices))):
            world = reading.position.copy()
            reading.worlds.fill(world, chance)
            try_out(world, seat, moves, chance, totals)
        order = sorted(range(len(choices)), key=lambda i: -totals[i])[: (len(choices) + 1) // 2]
        choices, totals = [choices[i] for i in order], [totals[i] for i in order]
    return choices[0]
