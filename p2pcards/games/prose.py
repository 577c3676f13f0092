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
from p2pcards.games.options import Option, declared, value_text

ITEM = "- "
"""How an item of a list begins, on a line of its own."""

_PART = re.compile(r"\{(?P<key>\w+)(?:(?P<effect>!)|(?:=(?P<value>\w+))?\?(?P<one>[^{}|]*)(?:\|(?P<other>[^{}]*))?)?\}")


def rules_in_words(game: AnyGame, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules as they are with these values of the options by key, paragraph by paragraph; what is missing has its
    default. An item of a list begins with ITEM; names of options and what players type are in backticks. The last
    paragraph is about what newcomers often forget."""
    parts = re.split(rf"\n\s*\n|\n(?={ITEM})", _filled(game, game.rules, values))
    told = [" ".join(part.split()) for part in parts if part.strip()]
    forgotten = [_filled(game, pitfall, values) for pitfall in game.pitfalls]
    return (*told, f"Newcomers often forget: {' '.join(forgotten)}") if forgotten else tuple(told)


def spaced(paragraphs: Sequence[str]) -> str:
    """Paragraphs as one text, with an empty line between two of them, but none between two items of a list."""
    breaks = [
        "\n" if before.startswith(ITEM) and after.startswith(ITEM) else "\n\n" for before, after in pairwise(paragraphs)
    ]
    return "".join([text for pair in zip(paragraphs, [*breaks, ""], strict=True) for text in pair])


def summary(game: AnyGame) -> str:
    """The game in one sentence, as its first preset has it."""
    first = next(iter(game.presets.values()))
    values = {option.key: getattr(first, option.key) for option in declared(game.options)}
    return rules_in_words(game, values)[0].partition(": ")[2].replace("`", "")


def what_ends(game: AnyGame, values: Mapping[str, Any]) -> str:
    """``to 100``; "" where a game does not tell it."""
    return _filled(game, game.ends, values)


def rules_in_brief(game: AnyGame, values: Mapping[str, Any]) -> str:
    """``To 100. Pass left; shooting the moon takes 26 off.``"""
    ends = what_ends(game, values)
    return " ".join(filter(None, [f"{ends[:1].upper()}{ends[1:]}." if ends else "", _filled(game, game.brief, values)]))


def rules_that_hold(game: AnyGame, values: Mapping[str, Any]) -> str:
    """The rules in brief after the preset that they are nearest to, with the options that differ from it; the usual
    preset is not named by itself. What is missing has its default."""
    preset = nearest_preset(game, values)
    changed = [f"{key} = {value_text(values[key])}" for key in differing_keys(game, preset, values)]
    but = f", but {', '.join(changed)}" if changed else ""
    if preset == USUAL and not changed:
        return rules_in_brief(game, values)
    whose = preset_in_words(preset)
    return f"{whose[:1].upper()}{whose[1:]}{but}. {rules_in_brief(game, values)}".rstrip()


def effect_in_words(game: AnyGame, values: Mapping[str, Any], key: str) -> str:
    """What the value of this option makes of the rules, as a sentence or two."""
    return _filled(game, f"{{{key}!}}", values).replace("`", "")


def nearest_preset(game: AnyGame, values: Mapping[str, Any]) -> str:
    """The preset from which these values differ least; what is missing is as a preset has it."""
    return min(game.presets, key=lambda name: len(differing_keys(game, name, values)))


def differing_keys(game: AnyGame, preset: str, values: Mapping[str, Any]) -> list[str]:
    """Of the options that a preset has otherwise."""
    base = game.presets[preset]
    return [one.key for one in declared(game.options) if values.get(one.key, now := getattr(base, one.key)) != now]


def effects_in_general(option: Option) -> dict[str, tuple[str, ...]]:
    """What the values of an option make of the rules, each with the values as they are typed, none for every number;
    the value of an option is told by its name."""
    found: dict[str, tuple[str, ...]] = {}
    for value, effect in option.effects.items():
        told = re.sub(r"\{(\w+)\}", r"`\1`", effect)
        found[told] = (*found.get(told, ()), *((value,) if value else ()))
    return found


def _filled(game: AnyGame, text: str, values: Mapping[str, Any]) -> str:
    options = {option.key: option for option in declared(game.options)}

    def part(found: re.Match[str]) -> str:
        option = options[found["key"]]
        value = values.get(option.key, option.default)
        if found["effect"]:
            return option.effect(value)
        if found["one"] is None:
            return value_text(value)
        holds = value_text(value) == (found["value"] or "true")
        return found["one"] if holds else found["other"] or ""

    while _PART.search(text):  # the innermost first
        text = _PART.sub(part, text)
    return text
