"""Pages of rules: those that a player has of a game, and those of a game that is about to be played at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from p2pcards.frontend.option_pages import NotTaken, Row
from p2pcards.frontend.option_words import value_words
from p2pcards.games.game import AnyGame
from p2pcards.games.options import OptionError, declared, set_options, value_text
from p2pcards.games.registry import GAMES
from p2pcards.present.rules import nearest_preset, preset_values
from p2pcards.present.story import sentence
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.own_rules import OwnRules, own_options, own_rules, save_rules
from p2pcards.store.settings_file import set_rules
from p2pcards.store.settings_read import load_settings
from p2pcards.views.tableview import TableView


class RulesPage:
    """The rules that a player has of a game, for tables that they begin."""

    looks = False

    def __init__(self, home: Home, game: AnyGame) -> None:
        self._home = home
        self._game = game
        self._before = own_rules(load_settings(home), game)

    @property
    def title(self) -> str:
        return f"Your rules of {self._game.name}"

    def groups(self) -> list[tuple[str, list[Row]]]:
        """Raises StoreError where the settings cannot be read, or name a preset that does not exist."""
        own, options = self._now()
        values = {one.key: getattr(options, one.key) for one in declared(self._game.options)}
        return [("", [_preset_row(self._game, own.preset), *_rule_rows(self._game, own.preset, values)])]

    def change(self, key: str, text: str) -> None:
        """With another preset all options are as that has them. Raises NotTaken."""
        _, options = self._now()
        try:
            if key == "preset":
                set_rules(self._home, self._game.key, text, {})
            else:
                save_rules(self._home, self._game, set_options(options, {key: text}))
        except (OptionError, StoreError) as fault:
            raise NotTaken(str(fault)) from None

    def reset(self, key: str) -> None:
        """As the preset has it; the preset as the program has it. Raises NotTaken."""
        own, _ = self._now()
        first = next(iter(self._game.presets))
        self.change(key, first if key == "preset" else value_text(getattr(self._game.presets[own.preset], key)))

    def start_over(self) -> None:
        """Raises NotTaken."""
        try:
            set_rules(self._home, self._game.key, self._before.preset, self._before.values)
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def trial(self, key: str) -> None:
        """Rules are not heard."""

    def _now(self) -> tuple[OwnRules, Any]:
        own = own_rules(load_settings(self._home), self._game)
        return own, own_options(self._game, own)


def can_change_rules(view: TableView) -> bool:
    return view.role == "coordinator" and view.phase in ("lobby", "over") and view.game in GAMES


class TableRulesPage:
    """The rules of the next game at a table, which its coordinator changes. view: the table as it is; say: says a line
    to it, whose answer comes with the next view or as a refusal."""

    looks = False

    def __init__(self, view: Callable[[], TableView], say: Callable[[str], None]) -> None:
        self._view = view
        self._say = say
        self._before = view()

    @property
    def title(self) -> str:
        return f"The rules of {self._view().game_name} at this table"

    def groups(self) -> list[tuple[str, list[Row]]]:
        view = self._view()
        if not can_change_rules(view):
            return []
        game, preset = GAMES[view.game or ""], _preset(view)
        return [("", [_preset_row(game, preset), *_rule_rows(game, preset, dict(view.options))])]

    def change(self, key: str, text: str) -> None:
        game = self._view().game
        self._say(f"game {game} {text}" if key == "preset" else f"set {key}={text.strip()}")

    def reset(self, key: str) -> None:
        """As the preset has it; the preset as the game has it first."""
        view = self._view()
        presets = GAMES[view.game or ""].presets
        usual = next(iter(presets)) if key == "preset" else value_text(getattr(presets[_preset(view)], key))
        self.change(key, usual)

    def trial(self, key: str) -> None:
        """Rules are not heard."""

    def start_over(self) -> None:
        before, now = self._before, self._view()
        preset = _preset(before)
        if preset == _preset(now):
            usual = dict(now.options)
        else:
            self.change("preset", preset)
            usual = preset_values(GAMES[before.game or ""], preset)
        for key, value in before.options:
            if usual.get(key) != value:
                self.change(key, value_text(value))


def _preset(view: TableView) -> str:
    """The preset, or where the rules are the players' own the one that is nearest to them."""
    game = GAMES[view.game or ""]
    return view.preset if view.preset in game.presets else nearest_preset(game, dict(view.options))


def _preset_row(game: AnyGame, preset: str) -> Row:
    """Which rules all others are changes of."""
    presets = tuple(game.presets)
    meaning = "The rules to begin with; with another preset all options are as that has them."
    return Row("preset", preset, meaning, f"one of {', '.join(presets)}", presets, preset == presets[0])


def _rule_rows(game: AnyGame, preset: str, values: Mapping[str, object]) -> Iterator[Row]:
    """Every rule option of a game. values: by key; usual is what the preset has."""
    for one in declared(game.options):
        usual = values[one.key] == getattr(game.presets[preset], one.key)
        choices = tuple(value_words(game, one.key))
        typed = one.kind == "number" and len(choices) <= one.high - one.low
        yield Row(one.key, value_text(values[one.key]), sentence(one.meaning), one.range, choices, usual, typed)
