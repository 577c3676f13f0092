"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.frontend.choosing import Button
from p2pcards.tui.choices import ASKS, Deed, about, drawn, entered, pointed
from p2pcards.tui.picture.scene import HAND, Scene
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


def test_a_pile_is_drawn_from_when_it_is_pressed() -> None:
    table = scene_of("crazy_eights", until="draw")
    found = drawn(table, "pile stock")
    assert found is not None and found.line == "draw" and drawn(table, "pile discard pile") is None
    assert clicked(table, "pile stock") == Deed(table.mind), "it was done when it was pressed"
    table = scene_of("gin_rummy", until="take")
    lines = {zone: deed.line for zone in ("pile stock", "pile discard pile") if (deed := drawn(table, zone))}
    assert lines == {"pile discard pile": "take"}, "the turn-up alone is offered first"
    assert drawn(table, "button 0") is None and drawn(scene_of("cribbage"), "pile stock") is None


def test_of_several_cards_that_can_be_taken_one_is_chosen() -> None:
    table = scene_of("rummy_500", until="take")
    take = Button("Take KS", "T", "take KS")
    two = replace(table, buttons=(Button("Draw", "D", "draw"), take, replace(take, line="take 9S")))
    assert clicked(two, "piles").several == ("take KS", "take 9S") and drawn(two, "piles") is None
    one = drawn(replace(table, buttons=(take,)), "piles")
    assert one is not None and one.line == "take KS"


@pytest.mark.parametrize(("zone", "line"), ASKS.items())
def test_a_click_on_a_part_of_the_screen_tells_more_of_it(zone: str, line: str) -> None:
    table = scene_of("whist")
    assert clicked(table, zone).line == line
    assert about(zone) != about("")


def test_a_click_on_a_seat_offers_what_can_be_said_of_it() -> None:
    table = scene_of("whist")
    assert clicked(table, "seat 0").line == "config"
    assert clicked(table, "seat 1").several == (f"mute {table.view.seats[1].name}", "swap 2")
