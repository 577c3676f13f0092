"""The rules that a player has saved for a game."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2pcards.games.game import AnyGame
from p2pcards.games.options import OptionError, declared_options, differences, with_values
from p2pcards.games.registry import GAMES
from p2pcards.store.files import Home, StoreError, find_home
from p2pcards.store.own_rules import OwnRules, own_options, own_rules, save_rules
from p2pcards.store.settings import load_settings
from rigs.in_part import every_nth


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def some_options(game: AnyGame, rng: Random) -> Any:
    """Options with any value each, as far as they go together."""
    while True:
        values = {
            one.key: rng.randint(one.low, one.high)
            if one.kind == "number"
            else rng.choice((True, False) if one.kind == "flag" else one.choices)
            for one in declared_options(game.options)
        }
        with suppress(OptionError):
            return with_values(game.options(), values)


@pytest.mark.parametrize("key", every_nth(3, GAMES))
def test_what_is_saved_comes_back_whatever_was_saved_before(home: Home, key: str) -> None:
    game, rng = GAMES[key], Random(1)
    for options in [*[some_options(game, rng) for _ in range(8)], *game.presets.values()]:
        kept = save_rules(home, game, options)
        own = own_rules(load_settings(home), game)
        assert own == kept and own_options(game, own) == options
    assert not own.values, "a preset is saved by its name"


@pytest.mark.parametrize("key", GAMES)
def test_differences_make_one_set_of_options_out_of_another(key: str) -> None:
    game, rng = GAMES[key], Random(2)
    for _ in range(20):
        options, base = some_options(game, rng), some_options(game, rng)
        assert with_values(base, differences(options, base)) == options
        assert differences(base, base) == {}


def test_nothing_saved_is_the_first_preset(home: Home) -> None:
    assert own_rules(load_settings(home), GAMES["cribbage"]) == OwnRules("usual", {})


def test_saving_leaves_comments_and_other_games_alone(home: Home) -> None:
    hearts = "# mine\n[options.hearts]\nend_score = 50 # short\njack_of_diamonds = true\n"
    text = hearts + "[options.cribbage]\nboard = 's_shape'\n[presets]\nhearts = 'real-deal'\n"
    home.settings.write_text(text)
    game = GAMES["hearts"]
    save_rules(home, game, with_values(game.presets["real-deal"], {"end_score": 50}))
    assert home.settings.read_text() == text.replace("jack_of_diamonds = true\n", "")


def test_a_preset_that_there_is_not_gets_a_sentence() -> None:
    with pytest.raises(StoreError) as wrong:
        own_options(GAMES["hearts"], OwnRules("real-del", {}))
    assert wrong.value.with_advice == (
        "Your settings give Hearts the preset 'real-del', which doesn't exist. Did you mean 'real-deal'?"
    )
