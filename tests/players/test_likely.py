"""Worlds that agree with what the others have played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import SearchPosition, finish_at_random
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.players.search import READERS, chain_of_worlds, random_world
from rigs.decisions import random_positions

OF_TRICKS = [
    (key, preset)
    for key in ("hearts", "whist", "spades", "oh_hell", "euchre", "auction_pitch", "pinochle")
    for preset in GAMES[key].presets
]


def readings(key: str, preset: str, number: int) -> Iterator[tuple[Reading, int]]:
    """Of random play in which somebody has played a card already, each with its seat."""
    rng, found = Random(f"{key} {preset}"), 0
    for state, seat in random_positions(GAMES[key], GAMES[key].presets[preset], rng):
        reading = READERS[key](redact(state, eyes_of_viewer(seat)), seat)
        if reading.played:
            yield reading, seat
            found += 1
        if found == number:
            return


def replayed(reading: Reading, world: SearchPosition) -> SearchPosition:
    assert reading.start is not None
    before = reading.start.copy()
    before.add_hands_of(world)
    for card in reading.played:
        assert before.legal_moves() >> card & 1
        before.make_move(card)
    return before


def strangeness(reading: Reading, world: SearchPosition, seat: int) -> int:
    """How many cards of the others rules of thumb would not have played."""
    assert reading.start is not None
    before, found = reading.start.copy(), 0
    before.add_hands_of(world)
    for card in reading.played:
        found += before.turn != seat and before.rule_of_thumb_move(Chance(1)) != card
        before.make_move(card)
    return found


@pytest.mark.parametrize(("key", "preset"), OF_TRICKS)
def test_the_cards_played_again_from_the_start_lead_to_where_the_hand_stands(key: str, preset: str) -> None:
    for reading, _ in readings(key, preset, 25):
        world, chance = reading.position.copy(), Chance(7)
        reading.worlds.fill_world(world, chance)
        again = replayed(reading, world)
        assert (again.turn, again.legal_moves()) == (world.turn, world.legal_moves())
        finish_at_random(world, Chance(9))
        finish_at_random(again, Chance(9))
        assert [again.final_worth(seat) for seat in range(4)] == [world.final_worth(seat) for seat in range(4)]


@pytest.mark.parametrize("key", ["whist", "hearts", "pinochle", "euchre"])
def test_worlds_of_a_chain_are_less_strange_than_those_that_are_drawn_evenly(key: str) -> None:
    even = likely = 0
    for reading, seat in readings(key, next(iter(GAMES[key].presets)), 30):
        chance, chain = Chance(11), chain_of_worlds(reading)
        even += sum([strangeness(reading, random_world(reading, chance), seat) for _ in range(3)])
        likely += sum([strangeness(reading, chain.next_world(chance), seat) for _ in range(3)])
    assert likely < even


@pytest.mark.parametrize(("key", "preset"), OF_TRICKS)
def test_a_world_of_a_chain_agrees_with_what_is_known(key: str, preset: str) -> None:
    for reading, _ in readings(key, preset, 8):
        chance, chain = Chance(3), chain_of_worlds(reading)
        for _ in range(4):
            world = chain.next_world(chance)
            again = replayed(reading, world)
            assert (again.turn, again.legal_moves()) == (world.turn, world.legal_moves())


@pytest.mark.parametrize("key", ["euchre", "auction_pitch", "spades", "oh_hell"])
def test_calls_tell_of_hands_in_the_play_too(key: str) -> None:
    even = likely = 0
    for reading, _ in readings(key, next(iter(GAMES[key].presets)), 30):
        chance, chain = Chance(13), chain_of_worlds(reading)
        even += sum([reading.worlds.doubts_about(random_world(reading, chance)) for _ in range(3)])
        likely += sum([reading.worlds.doubts_about(chain.next_world(chance)) for _ in range(3)])
    assert likely < even
