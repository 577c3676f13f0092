"""What a game needs besides its own file: nothing that it lacks goes unnoticed."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from p2pcards.cards.eyes import PUBLIC, redact, slots_of
from p2pcards.games.game import Stage
from p2pcards.games.registry import GAMES, UnknownGame, find_game, names_to_type, plain_name
from rigs.laws import NOVICE, event_of, random_move

ROOT = Path(__file__).resolve().parents[2]


def test_every_folder_of_a_game_is_registered_under_its_name() -> None:
    files = (ROOT / "p2pcards/games").glob("*/rules.py")
    games = {path.parent.name for path in files if re.search("^GAME\\b", path.read_text(), re.MULTILINE)}
    assert games == set(GAMES), "the key of a game is the name of its folder, and games/names.py lists it"


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_tests_of_its_rules_and_of_its_novice(key: str) -> None:
    for file in (f"tests/games/test_{key}.py", f"tests/players/test_novice_{key}.py"):
        assert (ROOT / file).exists(), f"write {file}"


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("Hearts", "hearts"),
        ("Crazy-Eights", "crazy_eights"),
        ("Gin Rummy", "gin_rummy"),
        ("GIN", "gin_rummy"),
        ("pitch", "auction_pitch"),
        ("500", "rummy_500"),
        ("500 rum", "rummy_500"),
        ("31", "thirty_one"),
        ("Eights", "crazy_eights"),
        ("two-handed pinochle", "pinochle2"),
        ("bid pinochle", "pinochle_bid"),
    ],
)
def test_a_game_is_found_by_the_names_that_people_type(typed: str, key: str) -> None:
    assert find_game(typed) is GAMES[key]


def test_a_name_is_that_of_one_game() -> None:
    names = [name for game in GAMES.values() for name in {*map(plain_name, names_to_type(game))}]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in names)


@pytest.mark.no_cover
@pytest.mark.parametrize(("key", "preset"), [(key, preset) for key, game in GAMES.items() for preset in game.presets])
def test_partners_have_one_score(key: str, preset: str) -> None:
    """And a sheet says the same of both. A player without one scores alone."""
    game, rng = GAMES[key], Random(1)
    options = game.presets[preset]
    sides = game.sides(options)
    assert sorted(seat for side in sides for seat in side) == (list(range(game.seats(options))) if sides else [])
    state, alike = game.start(options, None), True
    for _ in range(600):
        if state.stage == Stage.OVER:
            state = game.start(options, None)
        state = game.play(state, event_of(game, state, random_move(game, state, rng, NOVICE)))
        for side in sides:
            assert len({(state.scores[seat], state.sheet and state.sheet.items[seat]) for seat in side}) == 1
        alike &= state.scores[0] == state.scores[game.seats(options) // 2]
    assert alike == bool(sides), "opposite seats always have the same score exactly where they are partners"


@pytest.mark.parametrize("key", GAMES)
def test_what_everybody_has_seen_lies_in_the_layout(key: str) -> None:
    """But for cards in hands, which are drawn as hands."""
    game, rng = GAMES[key], Random(1)
    state = game.start(game.options(), None)
    for _ in range(200):
        if state.stage == Stage.OVER:
            state = game.start(game.options(), None)
        state = game.play(state, event_of(game, state, random_move(game, state, rng, NOVICE)))
        drawn = {slot.card for slot in slots_of(game.layout(redact(state, PUBLIC)))}
        names = {field.name for field in fields(state)}
        if hasattr(state, "IN_DEAL"):
            names = names - {"deal"} | {*state.IN_DEAL}
        for name in names - {"hands"}:
            seen = {slot.card for slot in slots_of(getattr(state, name)) if slot.eyes & PUBLIC}
            assert seen <= drawn, f"layout does not show what lies in `{name}`"


def test_where_no_game_is_named_or_picked_a_sentence_says_so() -> None:
    with pytest.raises(UnknownGame, match=r"^No game picked yet\. The games are hearts, "):
        find_game("")
    with pytest.raises(UnknownGame, match=r"^There's no game 'heart'\. Did you mean 'hearts'\?"):
        find_game("heart")
