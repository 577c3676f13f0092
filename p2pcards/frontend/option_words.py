"""The rule options of a game and their values, as somebody types them who sets one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pcards.games.options import Option, Value, declared

if TYPE_CHECKING:
    from p2pcards.games.game import AnyGame

MOST = 20
"""Numbers that are all worth naming; of a longer range those that the presets have are."""


def key_words(game: AnyGame) -> list[str]:
    """The keys of all options."""
    return [option.key for option in declared(game.options)]


def value_words(game: AnyGame, key: str) -> list[str]:
    """The values that an option may have, or of a long range some of them; none for a key that there is not."""
    option = next((option for option in declared(game.options) if option.key == key), None)
    if option is None:
        return []
    if option.kind == "number":
        return [str(value) for value in _numbers(game, option)]
    return ["true", "false"] if option.kind == "flag" else list(option.choices)


def _numbers(game: AnyGame, option: Option) -> list[int]:
    if option.high - option.low < MOST:
        return list(range(option.low, option.high + 1))
    usual: list[Value] = [option.default, *[getattr(preset, option.key) for preset in game.presets.values()]]
    return sorted({int(value) for value in (*usual, *option.defaults)})
