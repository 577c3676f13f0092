"""The rules in words: what becomes of the parts of a template."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import pytest

from p2pcards.games.crazy_eights.rules import GAME
from p2pcards.games.game import AnyGame
from p2pcards.games.options import choice_option, declared_options, flag_option, number_option, values_by_key
from p2pcards.games.prose import effects_by_value, join_paragraphs, one_sentence_summary, rules_in_words
from p2pcards.games.registry import GAMES


@dataclass(frozen=True, slots=True)
class Options:
    goal: int = number_option(7, 1, 9, "the goal", "The first at {goal} wins.")
    twos: bool = flag_option(False, "twos", on="Twos draw, up to {goal}.", off="Twos do nothing.")
    way: str = choice_option("left", "where to", {"left": "To the left.", "none": "Nowhere."})


PLAIN: AnyGame = replace(cast(AnyGame, GAME), options=Options, presets={"usual": Options(twos=True)}, pitfalls=())


def told(rules: str, **values: object) -> tuple[str, ...]:
    return rules_in_words(replace(PLAIN, rules=rules), values)


@pytest.mark.parametrize(
    ("rules", "usual", "changed"),
    [
        ("To {goal}, {way}.", "To 7, left.", "To 9, none."),
        ("{twos!} {way!}", "Twos do nothing. To the left.", "Twos draw, up to 9. Nowhere."),
        ("A{twos?, twos|, no twos} and more.", "A, no twos and more.", "A, twos and more."),
        ("Always.{twos? {twos!}}", "Always.", "Always. Twos draw, up to 9."),
        ("{way=none?|Pass {goal=7?seven|{goal}} cards.} Play.", "Pass seven cards. Play.", "Play."),
        ("{goal!}", "The first at 7 wins.", "The first at 9 wins."),
    ],
)
def test_parts_follow_the_options(rules: str, usual: str, changed: str) -> None:
    assert told(rules) == (usual,)
    assert told(rules, goal=9, twos=True, way="none") == (changed,)


def test_paragraphs_stay_and_an_empty_one_is_left_out() -> None:
    assert told("One\nline.\n\n{twos?{twos!}}\n\nTwo.") == ("One line.", "Two.")
    assert told("One.\n\n{twos?{twos!}}\n\nTwo.", twos=True) == ("One.", "Twos draw, up to 7.", "Two.")


def test_in_general_a_number_is_told_by_the_name_of_its_option() -> None:
    goal, twos, way = declared_options(Options)
    assert effects_by_value(goal) == {"The first at `goal` wins.": ()}
    assert effects_by_value(twos) == {"Twos draw, up to `goal`.": ("true",), "Twos do nothing.": ("false",)}
    assert effects_by_value(way) == {"To the left.": ("left",), "Nowhere.": ("none",)}
    both = replace(way, effects={"left": "To the `way`.", "right": "To the `way`."})
    assert effects_by_value(both) == {"To the `way`.": ("left", "right")}


def test_the_summary_is_that_of_the_first_preset() -> None:
    assert one_sentence_summary(replace(PLAIN, rules="Name: {twos?`with`|without} twos.\n\nMore.")) == "with twos."


def test_a_part_that_names_no_option_is_a_fault_of_the_game() -> None:
    with pytest.raises(KeyError):
        told("{threes!}")


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_of_every_game_are_short_and_end_with_what_newcomers_forget(key: str) -> None:
    """At the options of the first preset: 250 words, marks of a list not counted."""
    game = GAMES[key]
    told = rules_in_words(game, values_by_key(next(iter(game.presets.values()))))
    words = [word for part in told for word in part.split() if any(map(str.isalnum, word))]
    assert len(words) <= 250
    assert len(game.pitfalls) == 3
    assert told[-1].startswith("Newcomers often forget: ") and told[-1].endswith(".")


def test_what_newcomers_forget_follows_the_options() -> None:
    game = replace(PLAIN, rules="Name: play.", pitfalls=("To {goal}.", "{twos?Twos draw|No twos}."))
    assert rules_in_words(game, {}) == ("Name: play.", "Newcomers often forget: To 7. No twos.")


def test_a_list_in_the_rules_keeps_its_items_together() -> None:
    parts = told("It scores:\n- {goal}\n  a trick{twos?\n- ten a two}\n- none else\n\nThat is all.", twos=True)
    assert parts == ("It scores:", "- 7 a trick", "- ten a two", "- none else", "That is all.")
    assert join_paragraphs(parts) == "It scores:\n\n- 7 a trick\n- ten a two\n- none else\n\nThat is all."
