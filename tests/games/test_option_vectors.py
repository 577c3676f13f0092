"""For every value of every option: a case that plays over, that no other value would allow, and a page that says what
the value changes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from making.option_cases import fault, values_of
from p2pcards.games.options import Option, OptionError, declared_options, options_from_header, value_text, with_values
from p2pcards.games.prose import effects_by_value, rules_in_words
from p2pcards.games.registry import GAMES
from p2pcards.games.thirty_one import rules as thirty_one
from rigs.shown import shown_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "protocol/vectors/options"


@cache
def cases(key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{key}.json").read_text())
    return found


def variants(key: str, option: Option) -> list[Any]:
    """The options that differ in the values of one, where these go together with what stands beside it."""
    base, found = with_values(GAMES[key].options(), shown_of(key).beside.get(option.key, {})), []
    for value in values_of(option):
        try:
            found.append(with_values(base, {option.key: value}))
        except OptionError:
            continue
    return found


def test_there_are_no_other_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{key}.json" for key in GAMES}, (
        "run scripts/made --part options"
    )


@pytest.mark.parametrize("key", GAMES)
def test_every_value_of_an_option_has_one_case(key: str) -> None:
    for option in declared_options(GAMES[key].options):
        there = [case for case in cases(key) if case.get("option") == option.key]
        assert [case["value"] for case in there] == list(values_of(option)), f"run scripts/made {key}"
        given = [options_from_header(GAMES[key].options, case["options"]) for case in there]
        assert given == variants(key, option), option.key


@pytest.mark.parametrize("key", GAMES)
def test_only_options_that_there_are_have_cases(key: str) -> None:
    named = {case["option"] for case in cases(key) if "option" in case}
    assert named == {option.key for option in declared_options(GAMES[key].options)}
    assert all(("option" in case) != ("what" in case) for case in cases(key))


@pytest.mark.parametrize("key", GAMES)
def test_every_case_can_be_played_over(key: str) -> None:
    game = GAMES[key]
    for case in cases(key):
        assert fault(game, options_from_header(game.options, case["options"]), case["steps"]) == "", case["options"]
        assert case["steps"][-1][0] == "then"


@pytest.mark.parametrize("key", GAMES)
def test_a_case_cannot_be_played_over_with_another_value(key: str) -> None:
    """It shows what its value changes; nothing in play depends on the board of cribbage."""
    game, known = GAMES[key], {option.key: option for option in declared_options(GAMES[key].options)}
    for case in [case for case in cases(key) if "option" in case]:
        own = options_from_header(game.options, case["options"])
        for other in variants(key, known[case["option"]]):
            if other != own:
                alike = fault(game, other, case["steps"]) == ""
                told = f"{case['option']} {case['value']!r} looks like {other}"
                assert alike == (case["option"] in shown_of(key).alone), told


@pytest.mark.parametrize("key", GAMES)
def test_values_that_change_one_another_show_it(key: str) -> None:
    game = GAMES[key]
    for case in [case for case in cases(key) if "what" in case]:
        options = options_from_header(game.options, case["options"])
        for told in case["told"]:
            usual = replace(options, **{told: getattr(game.options(), told)})
            assert fault(game, usual, case["steps"]), f"{case['what']}: {told} makes no difference"


def test_a_case_that_is_tampered_with_cannot_be_played_over() -> None:
    """Each kind of step is checked."""
    game, case = (
        GAMES["crazy_eights"],
        next(case for case in cases("crazy_eights") if case.get("option") == "jack_skips"),
    )
    options, steps = options_from_header(game.options, case["options"]), case["steps"]
    scores = next(i for i, step in enumerate(steps) if step[0] == "scores")
    first = next(i for i, step in enumerate(steps) if step[0] == "deal") + 1
    for place, wrong in (
        (0, ["deal", steps[0][1]]),
        (first - 1, ["deal", steps[first - 1][1][2:]]),
        (first, [(steps[first][0] + 1) % 4, *steps[first][1:]]),
        (first, ["refused", *steps[first]]),
        (scores, ["scores", [part + 1 for part in steps[scores][1]]]),
        (len(steps) - 1, ["then", "over", [0]]),
    ):
        assert fault(game, options, [*steps[:place], wrong, *steps[place + 1 :]]).startswith(f"Step {place + 1} ")


# --- the pages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_the_page_of_rules_says_what_every_value_changes(key: str) -> None:
    page = " ".join((ROOT / f"protocol/rules/{key}.md").read_text().split())
    for option in declared_options(GAMES[key].options):
        told = effects_by_value(option)
        for effect, values in told.items():
            named = ", ".join([f"`{value}`" for value in values])
            assert (f"- {named}: {effect}" if values else f"### `{option.key}` {effect}") in page
        listed = [value for values in told.values() for value in values]
        expected = [] if option.kind == "number" else sorted(map(value_text, values_of(option)))
        assert sorted(listed) == expected, option.key
        if (key, option.key) != ("auction_pitch", "winning_score"):
            assert len(told) == max(len(listed), 1), f"two values of {option.key} are told alike"


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_in_words_follow_every_option(key: str) -> None:
    """No part of the template is left, and two values never make the same rules."""
    game = GAMES[key]
    for option in declared_options(game.options):
        told = []
        for options in variants(key, option):
            values = {each.key: getattr(options, each.key) for each in declared_options(game.options)}
            words = rules_in_words(game, values)
            assert not re.search(r"[{}|]|  | [,.;:]|\.\.|\( ", "\n".join(words)), words
            told.append(words)
        assert all(one != other for one, other in pairwise(sorted(told))), option.key


@pytest.mark.parametrize("key", GAMES)
def test_what_a_value_changes_depends_on_numbers_alone(key: str) -> None:
    """So that it can be told without the values of others."""
    known = {option.key: option for option in declared_options(GAMES[key].options)}
    for option in known.values():
        for effect in option.effects.values():
            assert effect[0].isupper() and effect.endswith("."), effect
            for named in re.findall(r"\{([^}]*)\}", effect):
                assert known[named].kind == "number" or named == option.key, effect


# --- readings ---------------------------------------------------------------------------------------------------------


def blitz_of_the_stock_alone(state: Any, seat: int) -> tuple[thirty_one.Blitz, ...]:
    """A card that was taken from the discards makes no blitz in that turn."""
    return () if state.taken is not None else as_it_is(state, seat)


def blitz_at_will(_state: Any, _seat: int) -> tuple[thirty_one.Blitz, ...]:
    return ()


as_it_is = thirty_one._blitzes


@pytest.mark.parametrize(
    ("what", "other"),
    [
        ("a blitz with a card from the discards", blitz_of_the_stock_alone),
        ("a blitz as it was dealt", blitz_at_will),
        ("a blitz with a card from the stock", blitz_at_will),
    ],
)
def test_thirty_one_by_another_reading_fails_a_case(what: str, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["thirty_one"]
    case = next(case for case in cases("thirty_one") if case.get("what") == what)
    options = options_from_header(game.options, case["options"])
    assert fault(game, options, case["steps"]) == ""
    monkeypatch.setattr(thirty_one, "_blitzes", other)
    assert fault(game, options, case["steps"])
