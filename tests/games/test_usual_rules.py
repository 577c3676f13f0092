"""Each game has the rules that most people play today, listed first, and says in a few words what its rules are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pcards.games.auction_pitch import rules as auction_pitch
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.names import PRESETS_IN_WORDS, USUAL, preset_in_words
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.options import declared_options, values_by_key
from p2pcards.games.prose import ends_text, preset_and_differences, rules_in_brief
from p2pcards.games.registry import GAMES
from p2pcards.games.spades import rules as spades
from p2pcards.present.width import text_width

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]
PAGE = (Path(__file__).resolve().parents[2] / "docs/usual-rules.md").read_text()


@pytest.mark.parametrize("key", GAMES)
def test_the_usual_rules_come_first_and_have_their_source(key: str) -> None:
    game = GAMES[key]
    assert next(iter(game.presets)) == USUAL
    assert f"## {game.name}\n" in PAGE or f"\n| {game.name} | " in PAGE


def test_the_usual_rules_are_those_that_most_people_play() -> None:
    assert GAMES["hearts"].presets[USUAL] == hearts.Options(
        end_score=100, passing="left_right_across_none", moon="add", jack_of_diamonds=False
    )
    assert GAMES["euchre"].presets[USUAL] == euchre.Options(
        winning_score=10, deck_size="24", stick_the_dealer=False, dealer_takes_up=True
    )
    assert GAMES["spades"].presets[USUAL] == spades.Options(
        winning_score=500, nil="plain", bag_penalty=True, double_nil_costs=True
    )
    assert GAMES["gin_rummy"].presets[USUAL] == gin_rummy.Options(
        winning_score=100, gin_bonus=25, undercut_bonus=25, game_bonus=100, box_bonus=25, shutout_double=True
    )
    assert GAMES["cribbage"].presets[USUAL] == cribbage.Options(winning_score="121", counting="auto")
    assert GAMES["oh_hell"].presets[USUAL] == oh_hell.Options(made_bid="bid", hook=True)
    pitch = GAMES["auction_pitch"].presets[USUAL]
    assert isinstance(pitch, auction_pitch.Options) and pitch.winning_score == "21"
    assert GAMES["rummy_500"].presets[USUAL].winning_score == 500


@pytest.mark.parametrize("key", GAMES)
def test_what_a_log_of_before_was_played_by_stays_a_preset(key: str) -> None:
    """The defaults of the options are the protocol's, and some preset other than the usual one has them."""
    game = GAMES[key]
    assert game.options() in [options for name, options in game.presets.items() if name != USUAL]


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_the_rules_in_brief_are_words_in_two_lines_at_the_most(key: str, preset: str) -> None:
    game, values = GAMES[key], values_by_key(GAMES[key].presets[preset])
    ends, brief = ends_text(game, values), rules_in_brief(game, values)
    assert ends and brief.lower().startswith(f"{ends}. ".lower()) and brief.endswith(".")
    assert text_width(f"{game.name}: {brief}") <= 2 * 76
    assert not re.search(r"[{}|_`]|  | [,.;:]|\.\.", brief), brief
    assert preset_and_differences(game, values).endswith(brief)


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_in_brief_hold_for_any_values(key: str) -> None:
    game = GAMES[key]
    for option in declared_options(game.options):
        for value in option.choices or ((True, False) if option.kind == "flag" else (option.low, option.high)):
            brief = rules_in_brief(game, {option.key: value})
            assert not re.search(r"[{}|_`]|  | [,.;:]|\.\.", brief), brief


def test_a_number_that_ends_the_game_is_said() -> None:
    assert ends_text(GAMES["hearts"], {"end_score": 30}) == "to 30"
    assert ends_text(GAMES["oh_hell"], {"start_cards": 5, "end_cards": 1}) == "deals of 5 to 1 card"
    assert ends_text(GAMES["thirty_one"], {}) == "last player standing; 3 lives"
    assert ends_text(GAMES["thirty_one"], {"starting_points": 1}) == "last player standing; 1 life"


def test_every_preset_has_words_of_its_own() -> None:
    assert {preset for _, preset in PRESETS} == set(PRESETS_IN_WORDS)
    assert len(set(PRESETS_IN_WORDS.values())) == len(PRESETS_IN_WORDS)
    assert preset_in_words("mine") == "as mine"
