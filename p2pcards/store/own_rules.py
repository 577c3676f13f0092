"""The rules that a player has saved for a game: a preset, and what is otherwise in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.options import OptionError, Value, differences, with_values
from p2pcards.store.files import Home, StoreError
from p2pcards.store.settings import Settings, load_settings, set_rules


@dataclass(frozen=True, slots=True)
class OwnRules:
    """The player's own rules for one game."""

    preset: str
    values: Mapping[str, Value]  # options that differ from the preset


def own_rules(settings: Settings, game: AnyGame) -> OwnRules:
    """The player's saved rules for a game, with its first preset where nothing is saved."""
    return OwnRules(settings.presets.get(game.key) or next(iter(game.presets)), settings.options.get(game.key, {}))


def own_options(game: AnyGame, own: OwnRules) -> Any:
    """The options of a game under these rules. Raises StoreError for an unknown preset or values that don't go
    together."""
    if own.preset not in game.presets:
        meant = did_you_mean(own.preset, game.presets) or f"Presets: {', '.join(game.presets)}."
        raise StoreError(f"Your settings give {game.name} the preset {own.preset!r}, which doesn't exist.", meant)
    try:
        return with_values(game.presets[own.preset], own.values)
    except OptionError as error:
        raise StoreError(f"Your options for {game.key} conflict: {error}") from None


def save_rules(home: Home, game: AnyGame, options: Any) -> OwnRules:
    """Save options as the player's own rules, relative to the nearest preset. Raises StoreError."""
    usual = own_rules(load_settings(home), game).preset
    found = {name: differences(options, preset) for name, preset in game.presets.items()}
    preset = min(found, key=lambda name: (len(found[name]), name != usual))
    # Where a profile has its preset from the Default profile, options of its own would go with another one some day.
    named = preset != usual or home.fallback is not None
    set_rules(home, game.key, preset if named else "", found[preset])
    return OwnRules(preset, found[preset])
