"""The rules in words: what becomes of the parts of a template."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import pytest

from p2pcards.games.crazy_eights.rules import GAME
from p2pcards.games.game import AnyGame
from p2pcards.games.options import choice, declared, flag, number
from p2pcards.games.prose import effects_in_general, rules_in_words, summary


@dataclass(frozen=True, slots=True)
class Options:
    goal: int = number(7, 1, 9, "the goal", "The first at {goal} wins.")
    twos: bool = flag(False, "twos", on="Twos draw, up to {goal}.", off="Twos do nothing.")
    way: str = choice("left", "where to", {"left": "To the left.", "none": "Nowhere."})


PLAIN: AnyGame = replace(cast(AnyGame, GAME), options=Options, presets={"usual": Options(twos=True)})


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
    goal, twos, way = declared(Options)
    assert effects_in_general(goal) == {"The first at `goal` wins.": ()}
    assert effects_in_general(twos) == {"Twos draw, up to `goal`.": ("true",), "Twos do nothing.": ("false",)}
    assert effects_in_general(way) == {"To the left.": ("left",), "Nowhere.": ("none",)}
    both = replace(way, effects={"left": "To the `way`.", "right": "To the `way`."})
    assert effects_in_general(both) == {"To the `way`.": ("left", "right")}


def test_the_summary_is_that_of_the_first_preset() -> None:
    assert summary(replace(PLAIN, rules="Name: {twos?`with`|without} twos.\n\nMore.")) == "with twos."


def test_a_part_that_names_no_option_is_a_fault_of_the_game() -> None:
    with pytest.raises(KeyError):
        told("{threes!}")
