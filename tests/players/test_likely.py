"""Worlds that agree with what the others have played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from p2pcards.cards.eyes import redact, viewer
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import Position, finish_at_random
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.players.search import READERS, rated, world_of
from rigs.decisions import random_positions

OF_TRICKS = [
    (key, preset)
    for key in ("hearts", "whist", "oh_hell", "euchre", "auction_pitch", "pinochle")
    for preset in GAMES[key].presets
]


def readings(key: str, preset: str, number: int) -> Iterator[tuple[Reading, int]]:
    """Of random play in which somebody has played a card already, each with its seat."""
    rng, found = Random(f"{key} {preset}"), 0
    for state, seat in random_positions(GAMES[key], GAMES[key].presets[preset], rng):
        reading = READERS[key](redact(state, viewer(seat)), seat)
        if reading.played:
            yield reading, seat
            found += 1
        if found == number:
            return


def replayed(reading: Reading, world: Position) -> Position:
    assert reading.start is not None
    before = reading.start.copy()
    before.add_hands(world)
    for card in reading.played:
        assert before.moves() >> card & 1
        before.do(card)
    return before


def strangeness(reading: Reading, world: Position, seat: int) -> int:
    """How many cards of the others rules of thumb would not have played."""
    assert reading.start is not None
    before, found = reading.start.copy(), 0
    before.add_hands(world)
    for card in reading.played:
        found += before.turn != seat and before.thumb(Chance(1)) != card
        before.do(card)
    return found


@pytest.mark.parametrize(("key", "preset"), OF_TRICKS)
def test_the_cards_played_again_from_the_start_lead_to_where_the_hand_stands(key: str, preset: str) -> None:
    for reading, _ in readings(key, preset, 25):
        world, chance = reading.position.copy(), Chance(7)
        reading.worlds.fill(world, chance)
        again = replayed(reading, world)
        assert (again.turn, again.moves()) == (world.turn, world.moves())
        finish_at_random(world, Chance(9))
        finish_at_random(again, Chance(9))
        assert [again.worth(seat) for seat in range(4)] == [world.worth(seat) for seat in range(4)]


@pytest.mark.parametrize("key", ["whist", "hearts", "pinochle"])
def test_of_more_worlds_the_one_that_is_taken_is_less_strange(key: str) -> None:
    few = many = 0
    for reading, seat in readings(key, next(iter(GAMES[key].presets)), 30):
        chance = Chance(11)
        few += strangeness(reading, world_of(reading, 1, chance), seat)
        many += strangeness(reading, world_of(reading, 8, chance), seat)
    assert many < few


@pytest.mark.parametrize(("key", "takes"), [("whist", 1), ("euchre", 5)])
def test_what_drawing_more_worlds_takes_comes_off_the_hands_that_are_played(key: str, takes: int) -> None:
    of_two = [one for one in readings(key, next(iter(GAMES[key].presets)), 12) if len(one[0].choices) == 2]
    assert of_two
    for reading, seat in of_two:  # one round, in which each world is played in twice
        assert rated(reading, seat, 600, Random(1))[0].hands == 600 // 2
        assert rated(reading, seat, 600, Random(1), 9)[0].hands == 600 // (2 + 8 * takes)
