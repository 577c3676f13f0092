"""The end of a hand, played out exactly."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import Chance, lowest_place
from p2pcards.games.deals.ending import Ending, settled_worth
from p2pcards.games.deals.pinochle_tricks import PinochleTricks
from p2pcards.games.deals.position import SearchPosition, TooLong, finish_at_random
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose
from p2pcards.players.search import READERS
from rigs.decisions import random_positions

PLAYED_OUT = tuple(
    [
        (key, preset)
        for key in ("hearts", "spades", "whist", "oh_hell", "euchre", "auction_pitch")
        for preset in GAMES[key].presets
    ]
    + [(key, preset) for key in ("pinochle", "pinochle2", "pinochle_bid") for preset in GAMES[key].presets]
)


def by_hand(position: SearchPosition, seats: int) -> list[int]:
    """By seat what a hand comes to when each, or each of two sides, does its best; what rules of thumb do where that is
    as good. Looks at everything."""
    if position.turn < 0:
        return [settled_worth(position, seat) for seat in range(seats)]
    turn, found = position.turn, list[list[int]]()
    thumb, can = position.rule_of_thumb_move(Chance(1)), position.legal_moves()
    for move in sorted([move for move in range(63) if can >> move & 1], key=lambda move: (move != thumb, move)):
        after = position.copy()
        after.make_move(move)
        found.append(by_hand(after, seats))
    return max(found, key=lambda worths: worths[turn])


def endings(key: str, preset: str, number: int, *, racing: bool = False) -> list[tuple[SearchPosition, int]]:
    """As `endings_of`, by the options of a preset."""
    return endings_of(key, GAMES[key].presets[preset], number, racing=racing, seed=f"{key} {preset}")


def endings_of(
    key: str, options: Any, number: int, *, racing: bool = False, seed: str = "endings"
) -> list[tuple[SearchPosition, int]]:
    """Worlds of random play near the end of a hand, each with a seat. racing: they are played to win the game."""
    game, found = GAMES[key], list[tuple[SearchPosition, int]]()
    rng = Random(seed)
    for state, seat in random_positions(game, options, rng):
        reading = READERS[key](redact(state, eyes_of_viewer(seat)), seat)
        world, chance = reading.position.copy(), Chance(rng.getrandbits(60) + 1)
        if not racing:
            world.set_race(None)
        reading.worlds.fill_world(world, chance)
        moves = 0
        if world.sides_in_ending():
            there = world.copy()
            while there.turn >= 0:
                there.make_move(lowest_place(there.legal_moves()))
                moves += 1
        if 4 <= moves <= (10 if world.sides_in_ending() == 2 else 8):
            found.append((world, seat))
            if len(found) == number:
                break
    return found


@pytest.mark.parametrize(("key", "preset"), PLAYED_OUT)
def test_an_ending_comes_to_what_it_comes_to_when_everything_is_looked_at(key: str, preset: str) -> None:
    ending = {seat: Ending(1_000_000) for seat in range(4)}
    seats = GAMES[key].seats(GAMES[key].presets[preset])
    for world, seat in endings(key, preset, 12):
        assert ending[seat].exact_worth(world.copy(), seat) == by_hand(world, seats)[seat]


STRICT = {
    "overplay": {"must_overplay": True},
    "last trick": {"bonus_last_trick": True},
    "simplified": {"simplified_scoring": True, "deck_64": True},
}


@pytest.mark.parametrize("changes", STRICT.values(), ids=STRICT)
def test_an_ending_of_two_handed_pinochle_obeys_its_options(changes: dict[str, bool]) -> None:
    options = replace(GAMES["pinochle2"].presets["usual"], **changes)
    for world, seat in endings_of("pinochle2", options, 6):
        assert Ending(1_000_000).exact_worth(world.copy(), seat) == by_hand(world, 2)[seat]


@pytest.mark.parametrize(("key", "preset"), PLAYED_OUT)
def test_an_ending_is_played_to_win_the_game(key: str, preset: str) -> None:
    seats = GAMES[key].seats(GAMES[key].presets[preset])
    for world, seat in endings(key, preset, 3, racing=True):
        assert Ending(1_000_000).exact_worth(world.copy(), seat) == by_hand(world, seats)[seat]


@pytest.mark.parametrize("key", ["whist", "euchre", "pinochle2"])
def test_who_plays_exactly_never_gets_less_than_was_promised_between_two_sides(key: str) -> None:
    preset, rng = next(iter(GAMES[key].presets)), Random(key)
    for world, seat in endings(key, preset, 10):
        promised = Ending(1_000_000).exact_worth(world.copy(), seat)
        while world.turn >= 0 and not world.is_turn_of_side(seat):
            moves = [move for move in range(63) if world.legal_moves() >> move & 1]
            world.make_move(rng.choice(moves))
        assert Ending(1_000_000).exact_worth(world.copy(), seat) >= promised


@pytest.mark.parametrize("tricks", [Tricks(4), PinochleTricks(4, 0, True, 0, [])], ids=["tricks", "pinochle"])
def test_a_mark_tells_apart_who_leads_and_who_holds_what(tricks: Tricks | PinochleTricks) -> None:
    met, places = set[int](), len(list(tricks.hands))
    copies = places // 4
    for leader in range(4):
        tricks.begin_trick(leader)
        for holders in product((*range(4), None), repeat=6):
            for place in range(places):
                tricks.hands[place] = 0
            for card, holder in enumerate(holders):
                if holder is not None:
                    tricks.hands[copies * holder] |= 1 << card
            met.add(tricks.transposition_key())
    assert len(met) == 4 * 5**6 and 0 not in met


def test_an_ending_that_is_too_long_is_left() -> None:
    world, seat = endings("whist", "real-deal", 1)[0]
    with pytest.raises(TooLong):
        Ending(3).exact_worth(world, seat)


def test_a_hand_that_is_over_is_worth_what_it_was_worth() -> None:
    world, seat = endings("whist", "real-deal", 1)[0]
    finish_at_random(world, Chance(5))
    assert Ending(0).exact_worth(world.copy(), seat) == world.final_worth(seat)


def test_a_master_plays_the_second_part_of_two_handed_pinochle_as_well_as_it_can_be_played() -> None:
    """As all cards that it does not see are the other's, it knows them."""
    game, rng = GAMES["pinochle2"], Random(5)
    decided = 0
    for state, seat in random_positions(game, game.options(), rng):
        view = redact(state, eyes_of_viewer(seat))
        reading = READERS["pinochle2"](view, seat)
        if not reading.position.sides_in_ending() or len(state.hands[seat].cards) > 5 or reading.worlds.number != 1:
            continue
        world = reading.position.copy()
        reading.worlds.fill_world(world, Chance(1))
        promised = Ending(100_000).exact_worth(world.copy(), seat)
        for move in reading.moves(choose(game, view, seat, "master", Random(1))):
            world.make_move(move)
        assert Ending(100_000).exact_worth(world.copy(), seat) == promised
        decided += 1
        if decided == 25:
            break
