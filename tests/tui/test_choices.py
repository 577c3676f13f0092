"""What keys do to what is chosen."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.tui.choices import Deed, entered, played, pressed, pushed, taken_over
from p2pcards.tui.picture.scene import BUTTONS, HAND, Scene
from p2pcards.tui.table_shown import to_do
from rigs.screen_scenes import scene_of


def after(table: Scene, *keys: str) -> Scene:
    for key in keys:
        deed = pressed(table, key)
        assert deed is not None and not deed.line
        table = replace(table, mind=deed.mind)
    return table


def test_arrows_go_round_the_hand() -> None:
    table = scene_of("hearts")
    assert after(table, "left").mind.at == 12
    assert after(table, "left", "right", "right").mind.at == 1
    assert after(table, "end", "home").mind.at == 0
    assert pressed(table, "k") is None


def test_cards_are_marked_until_they_are_enough() -> None:
    table = after(scene_of("hearts"), "1", "3", "right", "space")
    assert table.mind.marked == {0, 2, 3}
    assert to_do(table) == "Three cards marked; Enter, or a click beside the hand, goes on with them."
    deed = entered(table)
    assert deed.line.split()[0] == "pass" and len(deed.line.split()) == 4
    assert after(table, "3").mind.marked == {0, 3}
    assert after(table, "escape").mind.marked == frozenset()


def test_too_few_cards_are_refused_by_the_rules() -> None:
    table = after(scene_of("hearts"), "1", "2")
    line = entered(table).line
    assert line == f"pass {table.hand[0]} {table.hand[1]}"


def test_enter_on_a_single_card_marks_it_where_several_go_together() -> None:
    assert entered(scene_of("hearts")).mind.marked == {0}


def test_a_card_that_may_be_played_in_several_ways_is_asked_about() -> None:
    table = scene_of("crazy_eights", until="8")
    place = next(number for number, card in enumerate(table.hand) if card.rank == 8)
    deed = played(table, place)
    assert deed.line == "" and {words.split()[1] for words in deed.several} == {"c", "d", "h", "s"}


def test_knocking_is_chosen_beside_discarding() -> None:
    table = scene_of("gin_rummy", until="knock")
    cards = {words.split()[1] for words in table.view.legal if words.startswith("knock")}
    place = next(number for number, card in enumerate(table.hand) if str(card) in cards)
    assert {words.split()[0] for words in played(table, place).several} == {"discard", "knock"}


def test_bids_are_buttons_and_digits_choose_them() -> None:
    table = scene_of("spades")
    assert [button.label for button in table.buttons[:3]] == ["bid 0", "1", "2"]
    assert pressed(table, "3") == pushed(table, 3)
    assert pushed(table, 3).line == "bid 3"
    assert pushed(table, 99) == Deed(table.mind)


def test_many_bids_are_chosen_from_a_list() -> None:
    table = scene_of("pinochle", until="bid")
    number = next(number for number, button in enumerate(table.buttons) if button.several)
    assert len(pushed(table, number).several) > 50


def test_nothing_is_played_while_others_are_waited_for() -> None:
    table = scene_of("whist")
    waits = replace(table, view=replace(table.view, legal=()), actions=(), buttons=())
    assert entered(waits) == Deed(waits.mind) and played(waits, 3).line == ""


def test_up_goes_to_the_buttons_and_down_back() -> None:
    table = scene_of("gin_rummy", until="draw")
    assert after(table, "down").mind.focus == HAND
    up = after(table, "down", "up")
    assert up.mind.focus == BUTTONS and after(up, "up").mind == up.mind
    assert entered(up).line == table.buttons[0].line


def test_two_rows_of_a_hand_are_above_each_other() -> None:
    table = scene_of("pinochle", "double-pack", until="bid")
    table = replace(table, mind=replace(table.mind, focus=HAND, at=3))
    assert after(table, "down").mind.at == 13
    assert after(table, "down", "up").mind.at == 3


def test_a_new_turn_goes_to_what_can_be_played_first() -> None:
    table = scene_of("whist")
    waits = replace(table, view=replace(table.view, legal=()), mind=replace(table.mind, at=9))
    mind = taken_over(replace(table, mind=waits.mind), waits)
    assert str(table.hand[mind.at]) in table.view.legal
    assert taken_over(replace(table, hand=table.hand[:3], mind=waits.mind), table).at == 2


def test_what_there_is_to_do_is_told() -> None:
    assert to_do(scene_of("hearts")) == "Your turn: pass three cards."
    assert to_do(scene_of("gin_rummy", until="draw")).startswith("Your turn: draw")
    assert to_do(scene_of("cribbage", until="discard")) == "Your turn: discard two cards."
    waits = scene_of("whist")
    waits = replace(waits, view=replace(waits.view, legal=(), waiting="Bob"))
    assert to_do(waits) == "Waiting for Bob."
