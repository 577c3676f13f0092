"""The rules of a game and its options as text and as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from p2pcards.games import prose
from p2pcards.games.game import AnyGame
from p2pcards.games.names import preset_in_words
from p2pcards.games.options import Option, declared_options, readable_key, value_text
from p2pcards.games.telling import PLAYERS, level_texts, load_told
from p2pcards.present.width import wrap_words


def rules_lines(game: AnyGame, values: Mapping[str, Any], preset: str = "") -> list[str]:
    """The rules in words under these options, then every option with its meaning. values: by key; a missing one has its
    default."""
    told = prose.rules_in_words(game, values)
    wrapped = ["\n".join(wrap_words(one.replace("`", ""), indent="  " * one.startswith(prose.ITEM))) for one in told]
    lines = [*prose.join_paragraphs(wrapped).split("\n"), ""]
    lines.append(f"Options{f', {preset_in_words(preset)}' if preset in game.presets else ''}:")
    for option in declared_options(game.options):
        value = value_text(values.get(option.key, option.default))
        lines += wrap_words(f"{option.key} = {value}: {option.meaning}", indent="    ", first="  ")
    return lines


def history_lines(game: AnyGame) -> list[str]:
    """The history of a game, which levels play alike in it, and where its rules are."""
    alike = [line for text in level_texts([game], PLAYERS) for line in ("", *wrap_words(text))]
    about = wrap_words(load_told(game.key).about)
    return [game.name, "", *about, *alike, "", f"How to play: p2pcards rules {game.key}"]


def preset_values(game: AnyGame, preset: str) -> dict[str, Any]:
    """The options that a preset sets, by key; none for ""."""
    return {one.key: getattr(game.presets[preset], one.key) for one in declared_options(game.options)} if preset else {}


def own_rules_text(game: AnyGame, values: Mapping[str, Any]) -> str:
    """``Rules: as in The Real Deal, but moon = add``, by the nearest preset; "" where no option differs."""
    nearest = prose.nearest_preset(game, values)
    changed = [f"{key} = {value_text(values[key])}" for key in prose.differing_keys(game, nearest, values)]
    return f"Rules: {preset_in_words(nearest)}, but {', '.join(changed)}." if changed else ""


def rules_in_force(game: AnyGame, values: Mapping[str, Any]) -> list[str]:
    """The nearest preset, the options that differ from it, then all others, as lines."""
    nearest = prose.nearest_preset(game, values)
    changed = prose.differing_keys(game, nearest, values)
    told = {
        one.key: f"{readable_key(one.key)}: {readable_key(value_text(values.get(one.key, one.default)))}"
        for one in declared_options(game.options)
    }
    whose = f"{game.name} {preset_in_words(nearest)}"
    first = [f"{whose}, but", *[told[key] for key in changed], "and"] if changed else [whose]
    return [*first, *[line for key, line in told.items() if key not in changed]]


def option_rows(game: AnyGame, values: Mapping[str, Any], sources: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every option as data: option, type, range, default, meaning, its value in each preset by name, the value in force
    and its source."""
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
        for option in declared_options(game.options)
    ]


def option_table_lines(
    game: AnyGame, values: Mapping[str, Any] | None = None, sources: Mapping[str, str] | None = None
) -> list[str]:
    """Every option with type, range, default, meaning, and the presets that set it otherwise. values: those in force,
    shown first; sources: where they come from."""
    options = declared_options(game.options)
    presets = [f"{name} ({preset_in_words(name)})" for name in game.presets]
    lines = wrap_words(f"Options of {game.name}; presets: {', '.join(presets)}.", indent="    ")
    for option in options:
        now = "" if values is None else f"now {value_text(values.get(option.key, option.default))}"
        now += f" ({sources[option.key]})" if sources else ""
        facts = f"{now}{'; ' * bool(now)}{option.kind}, {option.range}; default {value_in_preset(game, option)}"
        lines += wrap_words(f"{option.key}: {facts}", indent="    ")
        lines += wrap_words(f"{option.meaning}{_presets_text(game, option)}", indent="    ", first="    ")
    return lines


def games_lines(games: Mapping[str, AnyGame]) -> list[str]:
    """Every game: key, name, other names, first sentence of its rules, usual rules, other presets, and which levels
    play alike."""
    lines = []
    for key, game in games.items():
        also = f", or {game.also[0]}" if game.also else ""
        first, *others = game.presets
        lines += wrap_words(f"{key}{also} ({game.name}): {prose.one_sentence_summary(game)}", indent="    ")
        lines += wrap_words(prose.rules_in_brief(game, preset_values(game, first)), indent="    ", first="    ")
        named = [f"{name} ({preset_in_words(name)})" for name in others]
        lines += wrap_words(f"Or {', '.join(named)}.", indent="    ", first="    ") if named else []
        lines += wrap_words(" ".join(level_texts([game], PLAYERS)), indent="    ", first="    ")
    return lines


def value_in_preset(game: AnyGame, option: Option, preset: str = "") -> str:
    """An option's value in a preset, as it is typed. preset: "" for the first, the usual one."""
    return value_text(getattr(game.presets[preset or next(iter(game.presets))], option.key))


def presets_with_other_value(game: AnyGame, option: Option) -> list[tuple[str, str]]:
    """(preset, value) of each preset that sets the option otherwise than the first."""
    values = [(name, value_in_preset(game, option, name)) for name in game.presets]
    return [(name, value) for name, value in values if value != value_in_preset(game, option)]


def _presets_text(game: AnyGame, option: Option) -> str:
    other = [f"{value} in {name}" for name, value in presets_with_other_value(game, option)]
    return f" ({', '.join(other)})" if other else ""
