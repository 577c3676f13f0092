"""The rules of a game and its options as text and as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.names import preset_in_words
from p2pcards.games.options import Option, declared, in_words, value_text
from p2pcards.games.prose import ITEM, differing_keys, nearest_preset, rules_in_brief, rules_in_words, spaced, summary
from p2pcards.games.telling import PLAYERS, level_texts, told_of
from p2pcards.present.width import COLUMNS, wrap


def rules_lines(game: AnyGame, values: Mapping[str, Any], preset: str = "", columns: int = COLUMNS) -> list[str]:
    """The rules in words as these options make them, then every option with its meaning. values: of the options by key;
    what is missing has its default."""
    told = rules_in_words(game, values)
    wrapped = ["\n".join(wrap(one.replace("`", ""), columns, "  " * one.startswith(ITEM))) for one in told]
    lines = [*spaced(wrapped).split("\n"), ""]
    lines.append(f"Options{f', {preset_in_words(preset)}' if preset in game.presets else ''}:")
    for option in declared(game.options):
        value = value_text(values.get(option.key, option.default))
        lines += wrap(f"{option.key} = {value}: {option.meaning}", columns, "    ", "  ")
    return lines


def about_lines(game: AnyGame) -> list[str]:
    """Where a game comes from, which levels play alike in it, and where its rules are."""
    alike = [line for text in level_texts([game], PLAYERS) for line in ("", *wrap(text))]
    return [game.name, "", *wrap(told_of(game.key).about), *alike, "", f"How to play: p2pcards rules {game.key}"]


def preset_values(game: AnyGame, preset: str) -> dict[str, Any]:
    """The options of a preset by key, nothing for ""."""
    return {one.key: getattr(game.presets[preset], one.key) for one in declared(game.options)} if preset else {}


def own_rules_text(game: AnyGame, values: Mapping[str, Any]) -> str:
    """``Rules: as in The Real Deal, but moon = add``, by the preset that differs least; "" where none does."""
    nearest = nearest_preset(game, values)
    changed = [f"{key} = {value_text(values[key])}" for key in differing_keys(game, nearest, values)]
    return f"Rules: {preset_in_words(nearest)}, but {', '.join(changed)}." if changed else ""


def rules_in_force(game: AnyGame, values: Mapping[str, Any]) -> list[str]:
    """The preset from which the rules differ least, the options that it has otherwise, then all others."""
    nearest = nearest_preset(game, values)
    changed = differing_keys(game, nearest, values)
    told = {
        one.key: f"{in_words(one.key)}: {in_words(value_text(values.get(one.key, one.default)))}"
        for one in declared(game.options)
    }
    whose = f"{game.name} {preset_in_words(nearest)}"
    first = [f"{whose}, but", *[told[key] for key in changed], "and"] if changed else [whose]
    return [*first, *[line for key, line in told.items() if key not in changed]]


def option_rows(game: AnyGame, values: Mapping[str, Any], sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every option as plain data: option, type, range, default, meaning, its value in each preset by name, the value in
    force and where that comes from."""
    first = next(iter(game.presets.values()))
    return [
        {
            "option": option.key,
            "type": option.kind,
            "range": option.range,
            "default": getattr(first, option.key),
            "meaning": option.meaning,
            "presets": {name: getattr(options, option.key) for name, options in game.presets.items()},
            "value": values[option.key],
            "from": sources[option.key],
        }
        for option in declared(game.options)
    ]


def options_lines(
    game: AnyGame,
    values: Mapping[str, Any] | None = None,
    sources: Mapping[str, str] | None = None,
    columns: int = COLUMNS,
) -> list[str]:
    """Every option with type, range, default, meaning and the presets that set it otherwise. values: those in force,
    shown before the rest; sources: where they come from."""
    options = declared(game.options)
    presets = [f"{name} ({preset_in_words(name)})" for name in game.presets]
    lines = wrap(f"Options of {game.name}; presets: {', '.join(presets)}.", columns, "    ")
    for option in options:
        now = "" if values is None else f"now {value_text(values.get(option.key, option.default))}"
        now += f" ({sources[option.key]})" if sources else ""
        facts = f"{now}{'; ' * bool(now)}{option.kind}, {option.range}; default {value_in_preset(game, option)}"
        lines += wrap(f"{option.key}: {facts}", columns, "    ")
        lines += wrap(f"{option.meaning}{_presets(game, option)}", columns, "    ", "    ")
    return lines


def games_lines(games: Mapping[str, AnyGame]) -> list[str]:
    """Every game with its key and name, what else it is called, the first sentence of its rules, how it is played where
    nothing else is said, its other presets, and which levels play alike there."""
    lines = []
    for key, game in games.items():
        also = f", or {game.also[0]}" if game.also else ""
        first, *others = game.presets
        lines += wrap(f"{key}{also} ({game.name}): {summary(game)}", indent="    ")
        lines += wrap(rules_in_brief(game, preset_values(game, first)), indent="    ", first="    ")
        named = [f"{name} ({preset_in_words(name)})" for name in others]
        lines += wrap(f"Or {', '.join(named)}.", indent="    ", first="    ") if named else []
        lines += wrap(" ".join(level_texts([game], PLAYERS)), indent="    ", first="    ")
    return lines


def value_in_preset(game: AnyGame, option: Option, preset: str = "") -> str:
    """As it is typed. preset: "" for the first, which holds where nothing else is said."""
    return value_text(getattr(game.presets[preset or next(iter(game.presets))], option.key))


def values_otherwise(game: AnyGame, option: Option) -> list[tuple[str, str]]:
    """The presets in which an option is not as in the first, each with its value."""
    values = [(name, value_in_preset(game, option, name)) for name in game.presets]
    return [(name, value) for name, value in values if value != value_in_preset(game, option)]


def _presets(game: AnyGame, option: Option) -> str:
    other = [f"{value} in {name}" for name, value in values_otherwise(game, option)]
    return f" ({', '.join(other)})" if other else ""
