"""Worlds of cribbage in which the other has laid away and played as rules of thumb do: they agree with all that is
known, and are more like hands that were kept than evenly drawn ones."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import combinations
from random import Random

import pytest

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact, slots_of
from p2pcards.games.cribbage.deal import LAID, worth_kept
from p2pcards.games.cribbage.rules import State
from p2pcards.games.cribbage.seen import number_of, read
from p2pcards.games.cribbage.worlds import KeptWorlds
from p2pcards.games.deals.bits import Chance, bit_count
from p2pcards.games.deals.likely import Drawn
from p2pcards.games.game import Seat
from p2pcards.games.registry import GAMES
from rigs.decisions import random_positions

CRIBBAGE = GAMES["cribbage"]
WORLDS = 60
SEVENS = sum([1 << number_of(one) for one in parse_cards("7C 7D 7H 7S")])

POSITIONS = import_module("players.judged.cribbage")
laying, playing = POSITIONS.laying, POSITIONS.playing


def placed(view: State, seat: Seat, number: int) -> Iterator[dict[int, int]]:
    """By place the cards that were drawn for it, in so many worlds."""
    worlds, chance = read(view, seat).worlds, Chance(5)
    for _ in range(number):
        drawn, found = Drawn(), dict[int, int]()
        worlds.fill_world(drawn, chance)
        assert len(drawn.cards) == len(set(drawn.cards))
        for place, one in zip(drawn.places, drawn.cards, strict=True):
            assert worlds.may_swap(place, one, place, one), "a card that is known not to be there"
            found[place] = found.get(place, 0) | 1 << one
        yield found


def share(view: State, place: int, wanted: int) -> float:
    """In how many worlds of seat 0 one of these cards lies there."""
    return sum([bool(world.get(place, 0) & wanted) for world in placed(view, 0, WORLDS)]) / WORLDS


def keeping_loss(hand: int, away: int) -> int:
    """How much worse it is for who does not deal to keep four cards than the best four of the six, in hundredths."""
    six = hand | away
    pairs = [1 << one | 1 << other for one, other in combinations([card for card in range(52) if six >> card & 1], 2)]
    return max([int(worth_kept(six & ~two, two, False)) for two in pairs]) - int(worth_kept(hand, away, False))


@pytest.mark.parametrize("preset", CRIBBAGE.presets)
def test_a_world_agrees_with_all_that_is_known(preset: str) -> None:
    positions, weighed = random_positions(CRIBBAGE, CRIBBAGE.presets[preset], Random(preset)), 0
    for _ in range(60):
        for _ in range(3):
            state, seat = next(positions)
        view = redact(state, eyes_of_viewer(seat))
        weighed += isinstance(read(view, seat).worlds, KeptWorlds)
        seen = sum([1 << number_of(slot.card) for slot in slots_of(view) if slot.card])
        for world in placed(view, seat, 3):
            assert not any(some & seen for some in world.values())
            for first, bags in ((0, view.hands), (LAID, view.laid)):
                for other, bag in enumerate(bags):
                    assert bit_count(world.get(first + other, 0)) == len(bag) - len(bag.cards)
    assert weighed > 10


def test_who_lays_away_keeps_the_best_four_of_the_six_or_nearly() -> None:
    """Half a point is lost on average at the most; by four drawn evenly it is two points and more."""
    view = playing("9D 2C 3D KH", ("1 4S",), dealer=0)
    led = 1 << number_of(parse_cards("4S")[0])
    losses = [keeping_loss(world[1] | led, world[LAID + 1]) for world in placed(view, 0, WORLDS)]
    assert sum(losses) < 50 * WORLDS


def test_who_did_not_make_fifteen_has_no_card_for_it() -> None:
    """A queen was played on an eight, where a seven makes fifteen; on an ace it does not."""
    on_eight, on_ace = [share(playing("2C 3D KH", (f"0 {card}", "1 QS")), 1, SEVENS) for card in ("8C", "AC")]
    assert on_eight < 0.1 < 0.2 < on_ace


def test_nothing_is_known_of_the_six_before_any_is_laid_away() -> None:
    view = laying("2C 3D 4H 9S TD QC", 1)
    assert not isinstance(read(view, 0).worlds, KeptWorlds)
    assert {bit_count(world[1]) for world in placed(view, 0, WORLDS)} == {6}
