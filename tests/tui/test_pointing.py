"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.tui.choices import Deed, entered
from p2pcards.tui.picture.scene import HAND, Scene
from p2pcards.tui.pointing import pointed
from rigs.screen_scenes import scene_of


def clicked(table: Scene, zone: str, *, right: bool = False) -> Deed:
    return pointed(table, zone, zone, right=right)


def test_one_click_chooses_and_another_plays() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    table = replace(table, mind=replace(table.mind, focus=HAND, at=(place + 1) % 13))
    chosen = clicked(table, f"hand {place}")
    assert chosen.line == "" and chosen.mind.at == place
    assert clicked(replace(table, mind=chosen.mind), f"hand {place}").line == str(table.hand[place])
    assert clicked(table, f"hand {place}", right=True).line == str(table.hand[place])


def test_a_card_is_dragged_to_the_table() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    for zone in ("trick", "seat 2"):
        assert pointed(table, f"hand {place}", zone, right=False).line == str(table.hand[place])
    for zone in ("", "log"):
        assert pointed(table, "hand 0", zone, right=False) == Deed(table.mind)


def test_a_card_is_moved_within_the_hand() -> None:
    table = scene_of("whist")
    first, last = str(table.hand[0]), str(table.hand[12])
    assert pointed(table, "hand 12", "hand 0", right=False).line == f"move {last} {first}"
    assert pointed(table, "hand 0", "rest", right=False).line == f"move {first}"


def test_what_is_let_go_elsewhere_is_not_done() -> None:
    table = scene_of("gin_rummy", until="draw")
    assert pointed(table, "button 0", "button 1", right=False) == Deed(table.mind)
    assert clicked(table, "button 0").line == table.buttons[0].line


def test_marked_cards_are_played_by_a_click_beside_the_hand() -> None:
    table = scene_of("hearts")
    for number in (1, 2, 3):
        table = replace(table, mind=clicked(table, f"hand {number}", right=True).mind)
    assert table.mind.marked == {1, 2, 3}
    assert clicked(table, "rest") == entered(table) and entered(table).line.startswith("pass ")
    assert clicked(table, "hand 2").mind.marked == {1, 3}


def test_the_stock_is_drawn_from_where_nothing_else_can_be_done() -> None:
    table = scene_of("crazy_eights", until="draw")
    assert clicked(table, "pile stock").line == "draw"
    assert clicked(scene_of("gin_rummy", until="take"), "pile stock").line == ""
