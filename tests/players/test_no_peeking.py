"""No computer player decides by what it cannot see."""

from __future__ import annotations

import pytest

from p2pcards.games.telling import Skill, Way
from p2pcards.players.levels import LEVELS
from p2pcards.players.search import READERS
from rigs.decisions import search_less
from rigs.peeking import POSITIONS, TIMES, WORLDS, check_choices

pytestmark = pytest.mark.no_cover

TRIED = [
    pytest.param(3, 4, 1_000, id="3"),
    pytest.param(POSITIONS, WORLDS, TIMES, id=str(POSITIONS), marks=pytest.mark.slow),
]
"""How many positions of each game and level, how many worlds are imagined behind each, and how many times as short the
levels search that do so: in the slow tests 120 positions and 10 worlds, ten thousand positions in all. `rigs.peeking`
does the same in parts that are kept."""


@pytest.mark.parametrize(("number", "worlds", "times"), TRIED)
@pytest.mark.parametrize("key", READERS)
def test_other_hidden_cards_give_the_same_choice(
    key: str, number: int, worlds: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_less(monkeypatch, times)
    for level in LEVELS:
        check_choices(key, level, number, worlds)


WAYS = {
    "thumb": Skill(Way.THUMB),
    "search": Skill(Way.SEARCH, 1),
    "endings": Skill(Way.SEARCH, 1, 300),
    "nested": Skill(Way.SEARCH, 1, nested=True),
}
QUICK = ("euchre", "oh_hell")
"""Games with so few cards that hands in which every move is tried out take no time."""


@pytest.mark.parametrize(
    ("key", "way"),
    [
        pytest.param(key, way, marks=[pytest.mark.slow] if way == "nested" and key not in QUICK else [])
        for key in READERS
        for way in WAYS
    ],
)
def test_no_way_to_decide_looks_at_hidden_cards(key: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a level of the game decides so or not; each choice is tried out in a world or two."""
    monkeypatch.setattr("p2pcards.players.choose.skill_of", lambda _key, _level: WAYS[way])
    check_choices(key, way, 2, 1)
