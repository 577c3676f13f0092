"""The rules of a game in words, as its options make them.

The rules of a game file, and what it says of the values of its options, are templates: ``{key}`` is the value of an
option; ``{key!}`` what that value changes; ``{key?one|other}`` one text where a flag is on and another where it is off;
``{key=value?one|other}`` where an option has this value and where not. The other text may be missing, and texts may
hold further parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.names import USUAL, preset_in_words
from p2pcards.games.options import Option, declared_options, value_text

ITEM = "- "
"""How an item of a list begins, on a line of its own."""

_PART = re.compile(r"\{(?P<key>\w+)(?:(?P<effect>!)|(?:=(?P<value>\w+))?\?(?P<one>[^{}|]*)(?:\|(?P<other>[^{}]*))?)?\}")


def rules_in_words(game: AnyGame, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules of a game with these option values, paragraph by paragraph; a missing value has its default. An item of
    a list begins with ITEM; names of options and what players type are in backticks. The last paragraph is about what
    newcomers often forget."""
    parts = re.split(rf"\n\s*\n|\n(?={ITEM})", _fill_template(game, game.rules, values))
    told = [" ".join(part.split()) for part in parts if part.strip()]
    forgotten = [_fill_template(game, pitfall, values) for pitfall in game.pitfalls]
    return (*told, f"Newcomers often forget: {' '.join(forgotten)}") if forgotten else tuple(told)


def join_paragraphs(paragraphs: Sequence[str]) -> str:
    """Paragraphs joined to one text, with an empty line between two of them, but none between two items of a list."""
    breaks = [
        "\n" if before.startswith(ITEM) and after.startswith(ITEM) else "\n\n" for before, after in pairwise(paragraphs)
    ]
    return "".join([text for pair in zip(paragraphs, [*breaks, ""], strict=True) for text in pair])


def one_sentence_summary(game: AnyGame) -> str:
    """The game in one sentence, by its first preset."""
    first = next(iter(game.presets.values()))
    values = {option.key: getattr(first, option.key) for option in declared_options(game.options)}
    return rules_in_words(game, values)[0].partition(": ")[2].replace("`", "")


def ends_text(game: AnyGame, values: Mapping[str, Any]) -> str:
    """What ends a game, such as ``to 100``; "" where a game does not tell it."""
    return _fill_template(game, game.ends, values)


def rules_in_brief(game: AnyGame, values: Mapping[str, Any]) -> str:
    """The most important rules as a short text, such as ``To 100. Pass left; shooting the moon takes 26 off.``"""
    ends = ends_text(game, values)
    return " ".join(
        filter(None, [f"{ends[:1].upper()}{ends[1:]}." if ends else "", _fill_template(game, game.brief, values)])
    )


def preset_and_differences(game: AnyGame, values: Mapping[str, Any]) -> str:
    """The nearest preset, the rules in brief, and the options that differ from it; the usual preset is not named by
    itself. A missing value has its default."""
    preset = nearest_preset(game, values)
    changed = [f"{key} = {value_text(values[key])}" for key in differing_keys(game, preset, values)]
    but = f", but {', '.join(changed)}" if changed else ""
    if preset == USUAL and not changed:
        return rules_in_brief(game, values)
    whose = preset_in_words(preset)
    return f"{whose[:1].upper()}{whose[1:]}{but}. {rules_in_brief(game, values)}".rstrip()


def option_effect_text(game: AnyGame, values: Mapping[str, Any], key: str) -> str:
    """What the value of this option makes of the rules, as a sentence or two."""
    return _fill_template(game, f"{{{key}!}}", values).replace("`", "")


def nearest_preset(game: AnyGame, values: Mapping[str, Any]) -> str:
    """The preset from which these values differ least; a missing value counts as equal."""
    return min(game.presets, key=lambda name: len(differing_keys(game, name, values)))


def differing_keys(game: AnyGame, preset: str, values: Mapping[str, Any]) -> list[str]:
    """The keys of the options whose values differ from a preset."""
    base = game.presets[preset]
    return [
        one.key for one in declared_options(game.options) if values.get(one.key, now := getattr(base, one.key)) != now
    ]


def effects_by_value(option: Option) -> dict[str, tuple[str, ...]]:
    """By sentence of an option's effect, the values, as typed, that have it; none for every number. The value is told
    by the option's name."""
    found: dict[str, tuple[str, ...]] = {}
    for value, effect in option.effects.items():
        told = re.sub(r"\{(\w+)\}", r"`\1`", effect)
        found[told] = (*found.get(told, ()), *((value,) if value else ()))
    return found


def _fill_template(game: AnyGame, text: str, values: Mapping[str, Any]) -> str:
    """A template text with the option values put in."""
    options = {option.key: option for option in declared_options(game.options)}

    def replacement(found: re.Match[str]) -> str:
        option = options[found["key"]]
        value = values.get(option.key, option.default)
        if found["effect"]:
            return option.effect(value)
        if found["one"] is None:
            return value_text(value)
        holds = value_text(value) == (found["value"] or "true")
        return found["one"] if holds else found["other"] or ""

    while _PART.search(text):  # the innermost first
        text = _PART.sub(replacement, text)
    return text
