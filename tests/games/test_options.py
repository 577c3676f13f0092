"""Rule options: what is read, and the sentences for what is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.options import (
    Option,
    OptionError,
    Question,
    declared_options,
    header_values,
    options_from_header,
    set_options,
)
from p2pcards.games.registry import GAMES, UnknownGame, find_game

DEFAULTS = hearts.Options()


def test_values_are_read_as_a_person_writes_them() -> None:
    changed = set_options(DEFAULTS, {"end_score": " 50 ", "passing": "None", "jack_of_diamonds": "on", "moon": "ADD"})
    assert changed == hearts.Options(end_score=50, passing="none", jack_of_diamonds=True, moon="add")
    for word, value in (("yes", True), ("1", True), ("TRUE", True), ("no", False), ("off", False), ("0", False)):
        assert set_options(DEFAULTS, {"break_hearts": word}).break_hearts is value
    assert set_options(DEFAULTS, {}) == DEFAULTS


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("end_score", "24", "end_score must be a number from 25 to 10000, not 24."),
        ("end_score", "10001", "end_score must be a number from 25 to 10000, not 10001."),
        ("end_score", "-5", "end_score must be a number from 25 to 10000, not -5."),
        ("end_score", "lots", "end_score must be a number from 25 to 10000, not 'lots'."),
        ("end_score", "٣٣", "end_score must be a number from 25 to 10000, not '٣٣'."),
        ("end_score", "9" * 5000, "end_score must be a number from 25 to 10000, not"),
        ("break_hearts", "maybe", "break_hearts must be true or false, not 'maybe'."),
        ("moon", "dedukt", "moon must be one of deduct, add, not 'dedukt'. Did you mean 'deduct'?"),
        ("moon", "x", "moon must be one of deduct, add, not 'x'."),
        ("brake_hearts", "on", "There's no option 'brake_hearts' here. Did you mean 'break_hearts'?"),
        ("zzz", "on", "There's no option 'zzz' here. The options are end_score, end_when,"),
    ],
)
def test_a_wrong_option_gets_a_sentence(key: str, text: str, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        set_options(DEFAULTS, {key: text})
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("key", GAMES)
def test_d_gen_7_a_number_out_of_range_is_refused_and_the_range_named(key: str) -> None:
    for option in declared_options(GAMES[key].options):
        for outside in (option.low - 1, option.high + 1) if option.kind == "number" else ():
            with pytest.raises(OptionError) as caught:
                set_options(GAMES[key].options(), {option.key: str(outside)})
            assert (
                str(caught.value) == f"{option.key} must be a number from {option.low} to {option.high}, not {outside}."
            )


def test_a_header_holds_the_values_in_declared_order() -> None:
    for game in GAMES.values():
        for options in game.presets.values():
            values = header_values(options)
            assert len(values) <= len(declared_options(game.options))
            assert options_from_header(game.options, list(values)) == options


def test_an_option_that_was_added_is_left_out_of_a_header_that_ends_with_its_default() -> None:
    """So what was signed before there was this option stays as it is."""
    before = [5, True, "32"]
    assert list(header_values(euchre.Options())) == before
    assert options_from_header(euchre.Options, before) == euchre.Options()
    assert list(header_values(euchre.Options(stick_the_dealer=True))) == [*before, True]
    assert list(header_values(euchre.Options(dealer_takes_up=True))) == [*before, False, True]
    assert options_from_header(euchre.Options, [*before, False, True]) == euchre.Options(dealer_takes_up=True)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([5, True, "32", False], "stick_the_dealer must be left out when it's at its default."),
        ([5, True, "32", True, False], "dealer_takes_up must be left out when it's at its default."),
        ([5, True, "32", False, False], "dealer_takes_up must be left out when it's at its default."),
        ([5, True], "There are 3 to 5 options, but 2 values."),
        ([5, True, "32", True, True, True], "There are 3 to 5 options, but 6 values."),
        ([5, True, "32", 1], "stick_the_dealer must be true or false, not 1."),
    ],
)
def test_a_header_has_one_way_to_hold_options_that_were_added(values: list[object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        options_from_header(euchre.Options, values)
    assert str(caught.value) == sentence


def test_options_that_were_added_stand_behind_all_others() -> None:
    for game in GAMES.values():
        added = [option.added for option in declared_options(game.options)]
        assert added == sorted(added), game.key


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([100, False, False, False, False], "There are 6 options, but 5 values."),
        ([100, False, False, False, False, 5], "players must be a number from 2 to 4, not 5."),
        ([True, False, False, False, False, 4], "winning_score must be 1 to 10000, not True."),
        ([100, 1, False, False, False, 4], "two_draws_two must be true or false, not 1."),
        ([100, None, False, False, False, 4], "two_draws_two must be true or false, not None."),
    ],
)
def test_a_header_with_wrong_values_is_refused(values: list[object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        options_from_header(crazy_eights.Options, values)
    assert str(caught.value) == sentence


def test_every_option_has_a_default_in_its_range_and_a_meaning() -> None:
    for game in GAMES.values():
        for option in declared_options(game.options):
            assert option.meaning and option.range
            assert options_from_header(game.options, header_values(game.options()))


ANY = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.integers(), max_size=2))


@given(st.sampled_from(sorted(GAMES)), st.lists(ANY, max_size=16))
def test_whatever_stands_in_a_header_gives_options_or_a_sentence(key: str, values: list[Any]) -> None:
    kind: type[Any] = GAMES[key].options
    try:
        options = options_from_header(kind, values)
    except OptionError as error:
        assert str(error)
    else:
        assert list(header_values(options)) == values


@given(
    st.sampled_from([*declared_options(hearts.Options), *declared_options(crazy_eights.Options)]), st.text(max_size=12)
)
def test_whatever_a_person_writes_gives_options_or_a_sentence(option: Option, text: str) -> None:
    kind: type[Any] = hearts.Options if option in declared_options(hearts.Options) else crazy_eights.Options
    try:
        options = set_options(kind(), {option.key: text})
    except OptionError as error:
        assert option.key in str(error)
    else:
        assert options_from_header(kind, header_values(options)) == options


def test_an_unknown_game_gets_the_nearest_name() -> None:
    assert find_game("hearts") is hearts.GAME
    for key, near in (
        ("heart", "hearts"),
        ("Crazy-Eihgts", "crazy_eights"),
        ("crazy8s", "crazy_eights"),
        ("pich", "pitch"),
    ):
        with pytest.raises(UnknownGame, match=f"There's no game '{key}'. Did you mean '{near}'?"):
            find_game(key)
    with pytest.raises(UnknownGame, match="The games are hearts, crazy_eights"):
        find_game("xyzzy")


def test_what_a_preset_leaves_open_is_answered_by_a_letter_or_the_value() -> None:
    question = Question("plain", "counting", "Who counts?", {"H": ("manual", "you do"), "A": ("auto", "the program")})
    assert question.text() == "Who counts? H: you do; A: the program."
    assert [question.value_typed(typed) for typed in ("h", " A ", "Manual", "m", "")] == [
        "manual",
        "auto",
        "manual",
        None,
        None,
    ]
    assert (question.letters, question.letter_of("auto")) == ("H or A", "A")


def test_every_question_is_about_an_option_of_its_game() -> None:
    for game in GAMES.values():
        if game.question:
            option = {option.key: option for option in declared_options(game.options)}[game.question.key]
            assert game.question.preset in game.presets
            assert {value for value, _ in game.question.answers.values()} == set(option.choices)
