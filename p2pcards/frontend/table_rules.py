"""The page of the rules of a game that is about to be played: the coordinator changes them there."""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.frontend.option_pages import Row, preset_row, rule_rows
from p2pcards.games.registry import GAMES
from p2pcards.present.rules import nearest_preset, preset_values
from p2pcards.present.story import value_text
from p2pcards.views.tableview import TableView


def can_change_rules(view: TableView) -> bool:
    return view.role == "coordinator" and view.phase in ("lobby", "over") and view.game in GAMES


class TableRulesPage:
    """view: the table as it is; say: says a line to it, whose answer comes with the next view or as a refusal."""

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
        return [("", [preset_row(game, preset), *rule_rows(game, preset, dict(view.options))])]

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
