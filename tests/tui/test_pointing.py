"""What the mouse does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pcards.frontend.choosing import Button
from p2pcards.tui.choices import (
    ASKS,
    BESIDE_OTHERS,
    NO_FRAME,
    STRAY,
    Click,
    Deed,
    click_at,
    describe_zone,
    drop_hint,
    press_enter,
    press_pile,
)
from p2pcards.tui.picture.scene import HAND, Scene
from rigs.screen_scenes import scene_of


def clicked(table: Scene, zone: str, *, right: bool = False) -> Deed:
    return click_at(table, Click(zone, zone, right=right))


def dragged(table: Scene, card: str, zone: str) -> Deed:
    return click_at(table, Click(card, zone))


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
        assert dragged(table, f"hand {place}", zone).line == str(table.hand[place])
    for zone in ("", "log"):
        assert dragged(table, "hand 0", zone) == Deed(table.mind)


def test_a_card_is_moved_within_the_hand() -> None:
    table = scene_of("whist")
    assert dragged(table, "hand 0", "hand 5").line == "move 1 7", "to the right it goes behind"
    assert dragged(table, "hand 0", "hand 12").line == "move 1"
    assert dragged(table, "hand 12", "hand 0").line == "move 13 1"
    assert dragged(table, "hand 0", "rest").line == "move 1"


def test_what_is_let_go_elsewhere_is_not_done() -> None:
    table = scene_of("gin_rummy", until="draw")
    assert dragged(table, "button 0", "button 1") == Deed(table.mind)
    assert clicked(table, "button 0").line == table.buttons[0].line


@pytest.mark.parametrize("right", [False, True])
def test_cards_that_go_together_are_marked_by_clicks_and_played_by_one_beside_the_hand(right: bool) -> None:
    table = scene_of("hearts")
    for number in (1, 2, 3):
        table = replace(table, mind=clicked(table, f"hand {number}", right=right).mind)
    assert table.mind.marked == {1, 2, 3}
    for zone in ("rest", "table", "trick"):
        assert clicked(table, zone) == press_enter(table) and press_enter(table).line.startswith("pass ")
    assert clicked(table, "hand 2").mind.marked == {1, 3}


def test_where_a_card_goes_alone_too_another_click_on_it_plays_it() -> None:
    table = scene_of("rummy_500", until="meld")
    place = next(place for place, card in enumerate(table.hand) if f"discard {card}" in table.view.legal)
    one = replace(table, mind=clicked(table, f"hand {place}").mind)
    assert one.mind.marked == {place}
    deed = clicked(one, f"hand {place}")
    assert f"discard {table.hand[place]}" in (deed.line, *deed.several)
    two = replace(table, mind=clicked(one, f"hand {place + 1}").mind)
    assert two.mind.marked == {place, place + 1} and clicked(two, f"hand {place}").mind.marked == {place + 1}


def test_four_jacks_are_marked_by_four_clicks_and_melded_by_one_on_the_table() -> None:
    table = scene_of("pinochle2", seed=4, until="meld JC JD JH JS")
    words = ["JC", "JD", "JH", "JS"]
    for word in words:
        place = next(place for place, card in enumerate(table.hand) if str(card) == word)
        table = replace(table, mind=clicked(table, f"hand {place}").mind)
    assert len(table.mind.marked) == len(words)
    assert clicked(table, "table").line == f"meld {' '.join(words)}"
    last = f"hand {max(table.mind.marked)}"
    others = replace(table, mind=replace(table.mind, marked=table.mind.marked - {max(table.mind.marked)}))
    assert dragged(others, last, "rest").line == f"meld {' '.join(words)}", "the last of them is dragged there"
    wrong = next(place for place in range(len(table.hand)) if place not in table.mind.marked)
    deed = dragged(others, f"hand {wrong}", "table")
    assert deed.line.startswith("meld ") and deed.line not in table.view.legal
    assert deed.mind.marked == others.mind.marked | {wrong}, "the rules say why not, and they stay marked"


def test_a_card_is_not_played_by_the_right_button_while_others_are_marked() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    other = (place + 1) % 13
    marks = replace(table, mind=replace(table.mind, marked=frozenset({other})))
    deed = clicked(marks, f"hand {place}", right=True)
    assert (deed.line, deed.told, deed.wrong) == ("", BESIDE_OTHERS.format(cards="One card is"), True)
    assert deed.mind.marked == {other}
    alone = replace(table, mind=replace(table.mind, marked=frozenset({place})))
    assert clicked(alone, f"hand {place}", right=True).line == str(table.hand[place])


def test_a_stray_second_click_does_nothing() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    table = replace(table, mind=replace(table.mind, focus=HAND, at=place))
    stray = click_at(table, Click(f"hand {place}", f"hand {place}", again=True))
    assert (stray.line, stray.told) == ("", STRAY)
    gin = scene_of("gin_rummy", until="draw")
    assert click_at(gin, Click("button 0", "button 0", again=True)) == Deed(gin.mind)
    marks = replace(scene_of("hearts"), mind=replace(table.mind, marked=frozenset({0, 1, 2})))
    for zone in ("rest", "trick", "hand 1"):
        assert click_at(marks, Click(zone, zone, again=True)) == Deed(marks.mind)


def test_a_click_on_the_table_knocks() -> None:
    table = scene_of("pinochle2", seed=2, until="knock")
    assert clicked(table, "trick").line == clicked(table, "table").line == "knock"
    assert clicked(scene_of("whist"), "trick").line == ""


def test_a_click_on_a_key_of_the_last_row_does_the_same() -> None:
    table = scene_of("hearts")
    lines = {"H": "hint", "O": "do", "Z": "undo", "F2": "sort", ",": "stagger", ".": "tint", "V": "score", "?": "help"}
    assert {key: clicked(table, f"key {key}").line for key in lines} == lines
    unsorted = replace(table, order="off")
    assert clicked(unsorted, "key F2", right=True).line == "sort suit"
    assert clicked(table, "key F2", right=True).line == "sort off" and clicked(table, "key Ctrl+Q").line == "detach"
    for key in ("Enter", "Space", "Tab", "F10"):
        assert clicked(table, f"key {key}") == Deed(table.mind, presses=key.lower())


def test_what_comes_of_a_card_is_told_while_it_is_dragged() -> None:
    table = scene_of("whist")
    place = next(number for number, card in enumerate(table.hand) if str(card) in table.view.legal)
    assert "here." in drop_hint(table, place, "trick")
    assert drop_hint(table, 0, "hand 5").endswith("here to move it.")
    assert drop_hint(table, 0, "log").endswith("on the table instead.")


def test_a_pile_is_drawn_from_when_it_is_pressed() -> None:
    table = scene_of("crazy_eights", until="draw")
    found = press_pile(table, "pile stock")
    assert found is not None and found.line == "draw" and press_pile(table, "pile discard pile") is None
    assert clicked(table, "pile stock") == Deed(table.mind), "it was done when it was pressed"
    table = scene_of("gin_rummy", until="take")
    lines = {zone: deed.line for zone in ("pile stock", "pile discard pile") if (deed := press_pile(table, zone))}
    assert lines == {"pile discard pile": "take"}, "the turn-up alone is offered first"
    assert press_pile(table, "button 0") is None and press_pile(scene_of("cribbage"), "pile stock") is None


def test_of_several_cards_that_can_be_taken_one_is_chosen() -> None:
    table = scene_of("rummy_500", until="take")
    take = Button("Take KS", "T", "take KS")
    two = replace(table, buttons=(Button("Draw", "D", "draw"), take, replace(take, line="take 9S")))
    assert clicked(two, "piles").several == ("take KS", "take 9S") and press_pile(two, "piles") is None
    one = press_pile(replace(table, buttons=(take,)), "piles")
    assert one is not None and one.line == "take KS"


@pytest.mark.parametrize(("zone", "line"), ASKS.items())
def test_a_click_on_a_part_of_the_screen_tells_more_of_it(zone: str, line: str) -> None:
    table = scene_of("whist")
    assert clicked(table, zone).line == line
    assert describe_zone(zone) != describe_zone("")


def test_a_click_on_the_frame_of_the_rules_takes_it_away() -> None:
    table = scene_of("pinochle2", "usual")
    assert clicked(table, "rules").line == NO_FRAME and "brings them back" in describe_zone("rules")


def test_a_click_on_a_seat_offers_what_can_be_said_of_it() -> None:
    table = scene_of("whist")
    assert clicked(table, "seat 0").menu == "Players"
    assert clicked(table, "seat 1").several == (f"mute {table.view.seats[1].name}", "swap 2")
