"""What keys do to what is chosen."""

from __future__ import annotations

from dataclasses import replace

from p2pcards.cards.card import Card
from p2pcards.tui.choices import CHOOSE, NOWHERE, Deed, carry_selection, play_card, press_enter, press_key, push_button
from p2pcards.tui.picture.scene import BUTTONS, HAND, Scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_shown import what_to_do_in as to_do
from rigs.screen_scenes import scene_of


def after(table: Scene, *keys: str) -> Scene:
    for key in keys:
        deed = press_key(table, key)
        assert deed is not None and not deed.line
        table = replace(table, mind=deed.mind)
    return table


def test_arrows_go_round_the_hand() -> None:
    table = scene_of("hearts")
    assert after(table, "left").mind.at == 12
    assert after(table, "left", "right", "right").mind.at == 1
    assert after(table, "end", "home").mind.at == 0
    assert press_key(table, "k") is None


def test_cards_are_marked_until_they_are_enough() -> None:
    table = after(scene_of("hearts"), "1", "3", "right", "space")
    assert table.mind.marked == {0, 2, 3}
    assert to_do(table) == "Three cards marked. Press Enter, or click beside your hand, to go ahead."
    deed = press_enter(table)
    assert deed.line.split()[0] == "pass" and len(deed.line.split()) == 4
    assert after(table, "3").mind.marked == {0, 3}
    assert after(table, "escape").mind.marked == frozenset()


def test_too_few_cards_are_counted_and_refused_by_the_rules() -> None:
    one, table = after(scene_of("hearts"), "1"), after(scene_of("hearts"), "1", "2")
    assert to_do(one) == "One card marked, two to go." and to_do(table) == "Two cards marked, one to go."
    assert (
        press_enter(one).line == f"pass {one.hand[0]}"
        and press_enter(table).line == f"pass {table.hand[0]} {table.hand[1]}"
    )
    assert to_do(after(table, "3", "4")) == "Four cards marked, one too many."


def test_enter_marks_one_card_after_the_other() -> None:
    table = after(scene_of("hearts"), "1", "right")
    assert press_enter(table).mind.marked == {0, 1} and press_enter(table).line == ""


def test_enter_on_a_single_card_marks_it_where_several_go_together() -> None:
    assert press_enter(scene_of("hearts")).mind.marked == {0}


def test_a_card_that_may_be_played_in_several_ways_is_asked_about() -> None:
    table = scene_of("crazy_eights", until="8")
    place = next(number for number, card in enumerate(table.hand) if card.rank == 8)
    deed = play_card(table, place)
    assert deed.line == "" and {words.split()[1] for words in deed.several} == {"c", "d", "h", "s"}


def test_a_knock_is_a_button_with_a_letter_and_a_discard_never_asks() -> None:
    table = scene_of("gin_rummy", until="knock")
    knocks = [words for words in table.view.legal if words.startswith("knock")]
    place = next(number for number, card in enumerate(table.hand) if str(card) == knocks[0].split()[1])
    assert play_card(table, place).line == f"discard {table.hand[place]}"
    (button,) = [button for button in table.buttons if button.label == "knock"]
    assert button.key == "K"
    deed = press_key(table, "k")
    assert deed is not None and (deed.several or (deed.line,)) == tuple(knocks)
    assert dict(table.view.calls)[knocks[0]].startswith(f"knock with {table.hand[place]}, deadwood ")


def test_nothing_that_is_taken_on_is_chosen_before_the_player_has() -> None:
    spades = scene_of("spades")
    spades = replace(spades, mind=carry_selection(spades, replace(spades, view=replace(spades.view, legal=()))))
    assert (spades.mind.focus, spades.mind.at) == (BUTTONS, NOWHERE)
    for key in ("enter", "space"):
        deed = press_key(spades, key)
        assert deed is not None and (deed.line, deed.told) == ("", CHOOSE)
    assert after(spades, "right").mind.at == 0 and after(spades, "left").mind.at == len(spades.buttons) - 1
    assert carry_selection(spades, spades).at == NOWHERE
    assert draw_scene(spades, 80, 24).cursor is None
    euchre = scene_of("euchre", until="accept")
    begun = carry_selection(euchre, replace(euchre, view=replace(euchre.view, legal=())))
    assert euchre.buttons[begun.at].line == "pass"


def test_what_is_said_at_the_table_is_on_the_buttons() -> None:
    first = scene_of("euchre", until="accept")
    turned = next(pile for pile in first.view.piles if pile.name == "upcard").cards[0]
    suit = Card(turned).suit.name.lower()
    labels = [button.label for button in first.buttons]
    assert labels[0] == "pass" and labels[2] == "alone" and len(labels) == 3
    assert labels[1] in (f"order up {suit}", f"pick up {suit}")
    assert first.buttons[2].line == "accept alone"
    assert to_do(first).endswith(f"pass or {labels[1]}.")
    second = scene_of("euchre", until="name")
    assert [button.label.split()[0] for button in second.buttons] == ["pass", "make", "make", "make", "alone..."]
    assert len(second.buttons[-1].several) == 3


def test_bids_are_buttons_and_digits_choose_them() -> None:
    table = scene_of("spades")
    assert [button.label for button in table.buttons[:3]] == ["bid nil", "1", "2"]
    assert press_key(table, "3") == push_button(table, 3)
    assert push_button(table, 3).line == "bid 3"
    assert push_button(table, 0).line == "bid 0" and press_key(table, "b") == push_button(table, 0)
    assert push_button(table, 99) == Deed(table.mind)


def test_many_bids_are_chosen_from_a_list() -> None:
    table = scene_of("pinochle", until="bid")
    number = next(number for number, button in enumerate(table.buttons) if button.several)
    assert len(push_button(table, number).several) > 50


def test_nothing_is_played_while_others_are_waited_for() -> None:
    table = scene_of("whist")
    waits = replace(table, view=replace(table.view, legal=()), actions=(), buttons=())
    assert press_enter(waits) == Deed(waits.mind) and play_card(waits, 3).line == ""


def test_up_goes_to_the_buttons_and_down_back() -> None:
    table = scene_of("gin_rummy", until="draw")
    assert after(table, "down").mind.focus == HAND
    up = after(table, "down", "up")
    assert up.mind.focus == BUTTONS and after(up, "up").mind == up.mind
    assert press_enter(up).line == table.buttons[0].line


def test_two_rows_of_a_hand_are_above_each_other() -> None:
    table = scene_of("pinochle", "double-pack", until="bid")
    table = replace(table, mind=replace(table.mind, focus=HAND, at=3))
    assert after(table, "down").mind.at == 13
    assert after(table, "down", "up").mind.at == 3


def test_a_new_turn_goes_to_what_can_be_played_first() -> None:
    table = scene_of("whist")
    waits = replace(table, view=replace(table.view, legal=()), mind=replace(table.mind, at=9))
    mind = carry_selection(replace(table, mind=waits.mind), waits)
    assert str(table.hand[mind.at]) in table.view.legal
    assert carry_selection(replace(table, hand=table.hand[:3], mind=waits.mind), table).at == 2


def test_what_there_is_to_do_is_told() -> None:
    assert to_do(scene_of("hearts")) == "Your turn: pass three cards."
    assert to_do(scene_of("gin_rummy", until="draw")).startswith("Your turn: draw")
    assert to_do(scene_of("cribbage", until="discard")) == "Your turn: discard two cards."
    waits = scene_of("whist")
    waits = replace(waits, view=replace(waits.view, legal=(), waiting="Bob"))
    assert to_do(waits) == "Waiting for Bob."
