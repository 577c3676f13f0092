"""The pages of rules: of a player, and of a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2pcards.frontend.option_pages import NotTaken, RulesPage, TableRulesPage, can_change_rules
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.store.files import Home, find_home
from p2pcards.store.settings import load_settings
from p2pcards.views.tableview import TableView

HEARTS = GAMES["hearts"]
FIRST, OTHER, *_ = HEARTS.presets


def view_of(preset: str, **changes: object) -> TableView:
    options = HEARTS.presets[preset]
    values = {one.key: getattr(options, one.key) for one in declared_options(HEARTS.options)} | changes
    return TableView(
        "coordinator", "lobby", game="hearts", game_name="Hearts", preset=preset, options=tuple(values.items())
    )


class Table:
    """A table that takes no word: what was said, and what it looks like."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.said: list[str] = []

    def page(self) -> TableRulesPage:
        return TableRulesPage(lambda: self.view, self.said.append)


def test_the_rows_are_the_rules_in_force() -> None:
    page = Table(view_of(FIRST, end_score=50)).page()
    ((_, rows),) = page.groups()
    assert page.title == "Hearts: rules at this table"
    assert [row.key for row in rows] == ["preset", *[one.key for one in declared_options(HEARTS.options)]]
    assert [row.key for row in rows if not row.usual] == ["end_score"]


def test_the_rows_have_words_and_say_what_each_value_does() -> None:
    ((_, rows),) = Table(view_of("real-deal", end_score=50)).page().groups()
    shown = {row.label: (row.shown, row.effect) for row in rows}
    assert shown["rules"] == (
        "real-deal",
        "Hearts as in The Real Deal. To 100. Pass left; shooting the moon takes 26 off.",
    )
    assert shown["break hearts"][0] == "yes"
    assert shown["jack of diamonds"] == ("no", "The jack of diamonds counts nothing.")
    assert shown["opening lead"][0] == "two of clubs"
    assert "when a total reaches 50" in shown["end score"][1]


def test_rules_of_ones_own_are_changes_of_the_nearest_preset() -> None:
    ((_, rows),) = Table(replace(view_of(OTHER, end_score=50), preset="own rules")).page().groups()
    assert rows[0].value == OTHER and [row.key for row in rows if not row.usual] == ["preset", "end_score"]


def test_a_change_is_said_to_the_table() -> None:
    table = Table(view_of(FIRST, end_score=50))
    page = table.page()
    page.change("end_score", " 70 ")
    page.change("preset", OTHER)
    page.reset("end_score")
    page.reset("preset")
    usual = HEARTS.presets[FIRST].end_score
    assert table.said == [
        "set end_score=70",
        f"game hearts {OTHER}",
        f"set end_score={usual}",
        f"game hearts {FIRST}",
    ]


def test_to_start_over_says_what_brings_it_back() -> None:
    table = Table(view_of(FIRST, end_score=50))
    page = table.page()
    table.view = view_of(FIRST, end_score=80)
    page.undo_all()
    assert table.said == ["set end_score=50"]
    table.said.clear()
    table.view = view_of(OTHER)
    page.undo_all()
    assert table.said == [f"game hearts {FIRST}", "set end_score=50"]


def test_only_the_coordinator_changes_them_and_only_between_games() -> None:
    view = view_of(FIRST)
    assert can_change_rules(view) and can_change_rules(replace(view, phase="over"))
    for other in (replace(view, role="listener"), replace(view, phase="play"), replace(view, game=None)):
        assert not can_change_rules(other) and Table(other).page().groups() == []


# --- those of a player ---


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def rows_of(page: RulesPage) -> dict[str, tuple[str, bool]]:
    return {row.key: (row.value, row.usual) for _, group in page.groups() for row in group}


def test_the_rules_of_a_game_are_changed_in_its_preset(home: Home) -> None:
    page = RulesPage(home, GAMES["hearts"])
    before = rows_of(page)
    first, *others = GAMES["hearts"].presets
    page.change("end_score", "50")
    assert rows_of(page)["end_score"] == ("50", False)
    assert dict(load_settings(home).options["hearts"]) == {"end_score": 50}
    page.change("preset", others[0])
    assert rows_of(page)["preset"] == (others[0], False)
    page.undo_all()
    assert rows_of(page) == before and rows_of(page)["preset"] == (first, True)
    with pytest.raises(NotTaken, match="must be a number from"):
        page.change("end_score", "100000")
    with pytest.raises(NotTaken, match="There's no option"):
        page.change("no_such", "1")


@pytest.mark.parametrize("key", GAMES)
def test_every_rule_of_every_game_can_be_reset(home: Home, key: str) -> None:
    page = RulesPage(home, GAMES[key])
    before = rows_of(page)
    for _, group in page.groups():
        for row in group:
            if row.values:
                page.change(row.key, row.values[-1])
                page.reset(row.key)
                page.reset("preset")
    assert rows_of(page) == before
