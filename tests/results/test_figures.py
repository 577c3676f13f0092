"""Figures of one's own play, counted by hand from score sheets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.games.game import Items
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import told_of
from p2pcards.results.book import counts
from p2pcards.results.reading import read_result
from p2pcards.results.result import HandResult
from rigs.quick_logs import quick_game

CRIB: list[Items] = [
    (("hand 15: 5H TC", 2), ("crib pair: 3C 3S", 2), ("play: go", 1), ("crib nobs: JS", 1)),
    (("hand run: 3C 4C 5D", 3), ("play: last card", 1)),
    (("play: pair", 2),),
]
CASES: list[tuple[str, list[Items], dict[str, tuple[int, int]]]] = [
    ("cribbage", CRIB, {"average crib": (3, 2), "average hand": (5, 3), "average play": (4, 3)}),
    (
        "spades",
        [
            (("contract", 40), ("overtricks", 2)),
            (("contract", -50),),
            (("Nil", 100), ("contract", 30)),
            (("Nil", -100),),
        ],
        {"contracts made": (2, 3), "Nils made": (1, 2), "overtricks a hand": (2, 4)},
    ),
    (
        "hearts",
        [(("hearts", 13), ("queen of spades", 13), ("shot the moon", -26)), (("hearts", 2),), ()],
        {"moons shot": (1, 3), "queens taken": (1, 3), "points a hand": (2, 3)},
    ),
    (
        "gin_rummy",
        [(("deadwood 20 to 0", 20), ("gin", 25)), (("undercut", 25),), (), (("big gin", 31),)],
        {"gin": (2, 4), "undercuts": (1, 4)},
    ),
    ("oh_hell", [(("bid made", 10), ("cards", 3)), (), (("no trick", 10),)], {"bids made": (2, 3)}),
    (
        "pinochle",
        [(("set: 197 of 200", -200),), (("aces", 100), ("tricks", 80))],
        {"set": (1, 2), "melds a hand": (100, 2)},
    ),
    (
        "euchre",
        [(("made", 1),), (("march", 2),), (("euchre", 2),), ()],
        {"made": (2, 4), "marches": (1, 4), "euchres": (1, 4)},
    ),
    ("thirty_one", [(("lowest hand", -1),), ()], {"hands lost": (1, 2)}),
    (
        "rummy_500",
        [(("melds", 40), ("laid off", 5), ("left in hand", -10))],
        {"melded a hand": (45, 1), "left a hand": (-10, 1)},
    ),
]


@pytest.mark.parametrize(("key", "hands", "expected"), CASES, ids=[case[0] for case in CASES])
def test_figures_of_known_hands(key: str, hands: list[Items], expected: dict[str, tuple[int, int]]) -> None:
    sheets = [
        HandResult(number, dealer=(number - 1) % 2, points=(0, 0), items=(items, ()))
        for number, items in enumerate(hands, 1)
    ]
    result = replace(read_result(quick_game(key, 1)), hands=tuple(sheets), mine=0)
    assert counts(result) == expected
    assert counts(replace(result, mine=None)) == {}


def test_every_game_has_figures_and_they_hold_in_real_games() -> None:
    for key in GAMES:
        figures = told_of(key).figures
        assert figures, f"count something in p2pcards/games/{key}/told.py"
        result = read_result(quick_game(key, 2))
        found = counts(result)
        assert list(found) == [figure.key for figure in figures]
        for figure in figures:
            hits, tries = found[figure.key]
            assert 0 <= tries <= len(result.hands) and (not figure.share or 0 <= hits <= tries), figure.key
