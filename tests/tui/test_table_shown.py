"""How a table stands on the screen, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.text import Text

from at_hand import TableAtHand
from p2pcards.control.messages import Happened
from p2pcards.frontend.at_table import Heard
from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.frontend.manner import BESIDE, IN_LINES, Manner, parse_beside
from p2pcards.frontend.words import NotUnderstood, move_card, sort_hand
from p2pcards.present.cards import Arrangement, Style, card_text
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.panels import ReadingPanel
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_shown import MOST_TOLD, TableShown
from p2pcards.views.happenings import Happening, Said
from p2pcards.views.tableview import Command, PersonView, TableView
from rigs.screen_table import PLAIN

QUIET = Sitting(Manner(), PLAIN)


def shown(sitting: Sitting = QUIET) -> TableShown:
    return TableShown(sitting, ["Welcome."], lambda: 0.0)


def hear(now: TableShown, happening: Happening) -> Heard | None:
    """As a table that is shown has it."""
    heard = now.table.describe_happening(Happened(happening), now.scene.look.style)
    if heard:
        now.show_happening(heard)
    return heard


def side(now: TableShown) -> str:
    """What can be read at 80x24."""
    return "\n".join(now.picture(80, 24).text())


def test_what_stands_beside_the_table_is_chosen() -> None:
    now = shown()
    now.see_view(TableAtHand("whist", "", 1).view())
    hear(now, Said("Bob", "Good luck!"))
    assert "Welcome." in side(now) and "Good luck!" in side(now)
    assert now.put_beside("") == "Beside the table: chat only."
    assert "Welcome." not in side(now) and "Good luck!" in side(now)
    assert now.put_beside("none") == "Beside the table: nothing, until someone chats."
    assert "Good luck!" not in side(now)
    hear(now, Said("Cat", "You too!"))
    assert "You too!" in side(now) and "Welcome." not in side(now)
    assert now.put_beside("all") and "Welcome." in side(now)


def test_what_is_asked_to_stand_there_is_one_of_a_few() -> None:
    assert [parse_beside((name.upper(),)) for name in BESIDE] == list(BESIDE) and parse_beside(()) == ""
    with pytest.raises(NotUnderstood, match=r"Usage: beside \[all\|talk\|rules\|none\]"):
        parse_beside(("chat",))
    assert all(said.endswith(".") for said in IN_LINES.values())


def test_who_is_muted_is_not_heard() -> None:
    now = shown()
    now.see_view(TableAtHand("whist", "", 1).view())
    name = now.scene.view.seats[1].name
    assert "is muted" in now.table.mute(name.split())
    assert hear(now, Said(name, "Ha!")) is None and "Ha!" not in side(now)


def test_an_answer_gives_way_at_the_next_trick_where_the_computer_plays_for_me() -> None:
    now = shown()
    view = replace(TableAtHand("whist", "", 1).view(), legal=())
    now.see_view(view)
    now.think(status="OK, you stay.")
    now.see_view(replace(view, trick=((1, 0),)))
    assert "OK, you stay." in side(now)
    now.see_view(replace(view, last_trick=((1, 0), (2, 1), (3, 2), (0, 3))))
    assert "OK, you stay." not in side(now)


def test_lines_that_are_told_are_bounded() -> None:
    now = shown()
    for number in range(MOST_TOLD + 50):
        hear(now, Said("Bob", str(number)))
    assert len(now.scene.mind.told) == MOST_TOLD


def test_what_others_play_stands_out_until_it_is_unmarked() -> None:
    table = TableAtHand("whist", "", 1)
    marking = replace(PLAIN, pace=0.3, marks=frozenset({"plays"}))
    now = shown(Sitting(Manner(), marking))
    first = table.view()
    now.see_view(replace(first, trick=()))
    assert now.scene.fresh == frozenset()
    table.say(Command("act", tuple(table.suggestion().split())))
    now.see_view(table.view())
    others = {f"seat {seat}" for seat, _ in table.view().trick if seat != 0}
    assert now.scene.fresh == others and others
    now.unmark()
    assert now.scene.fresh == frozenset()
    still = shown(Sitting(Manner(), replace(marking, pace=0.0)))
    still.see_view(replace(first, trick=()))
    still.see_view(table.view())
    assert still.scene.fresh == frozenset()


def drawing() -> tuple[TableShown, TableAtHand]:
    """A hand of gin that is not sorted, when a card is to be drawn."""
    table = TableAtHand("gin_rummy", "", 3)
    while "draw" not in table.view().legal:
        table.say(Command("act", tuple(table.suggestion().split())))
    now = shown()
    now.see_view(table.view())
    now.table.set_arrangement(sort_hand(("off",), now.showing().arrangement, table.view()))
    now.arranged()
    return now, table


def test_the_card_of_a_pile_is_seen_before_it_lies_in_the_hand() -> None:
    now, table = drawing()
    before = [zone.name for zone in now.picture(80, 24).zones]
    now.lift_from_pile(20, 8)
    assert not now.drag("table", 21, 9), "it has not come yet"
    old = now.scene
    table.say(Command("act", ("draw",)))
    now.see_view(table.view())
    new = now.scene.hand[-1]
    assert not list(now.moving(old, draw_scene(old, 80, 24), 4)), "it goes where the pointer does"
    assert [(card.card, card.column, card.row) for card in now.scene.air] == [(int(new), 19, 8)]
    assert now.drag("table", 30, 10) and [(card.column, card.row) for card in now.scene.air] == [(28, 9)]
    assert "hand 10" not in before
    card, lain = card_text(int(new), PLAIN.look.style), "\n".join(draw_scene(replace(now.scene, air=()), 80, 24).text())
    assert side(now).count(card) == lain.count(card) + 1, "it is in the air alone"
    assert now.drop("log") == "" and not now.scene.air and not now.scene.away


def test_it_lies_behind_the_card_on_which_it_is_dropped_in_a_hand_that_is_not_sorted() -> None:
    for zone, onto in (("hand 2", 3), ("hand 9", None), ("hand 10", None), ("rest", None)):
        now, table = drawing()
        now.lift_from_pile(20, 8)
        table.say(Command("act", ("draw",)))
        now.see_view(table.view())
        assert now.drop(zone) == (f"move 11 {onto + 1}" if onto else "")
    now, table = drawing()
    now.table.set_arrangement(sort_hand(("suit",), now.showing().arrangement, table.view()))
    now.arranged()
    now.lift_from_pile(20, 8)
    table.say(Command("act", ("draw",)))
    now.see_view(table.view())
    assert now.scene.air and now.drop("hand 2") == ""


def test_it_lies_there_also_among_cards_that_are_alike_and_after_others_have_played() -> None:
    """Two-handed pinochle has every card twice."""
    table, now, drawn = TableAtHand("pinochle2", "", 3), shown(), 0
    now.see_view(table.view())
    now.table.set_arrangement(sort_hand(("off",), now.showing().arrangement, table.view()))
    now.arranged()
    while table.view().phase == "play" and drawn < 12:
        if "draw" not in table.view().legal:
            table.say(Command("act", tuple(table.suggestion().split())))
            now.see_view(table.view())
            continue
        now.lift_from_pile(20, 8)
        table.news()
        table.say(Command("act", ("draw",)))
        for view in [news for news in table.news() if isinstance(news, TableView)]:
            now.see_view(view)
        before = [str(card) for card in now.scene.hand]
        place = next(place for place in range(len(now.scene.hand)) if f"hand {place}" in now.scene.away)
        line = now.drop("hand 2")
        now.table.set_arrangement(move_card(line.split()[1:], now.table.arrangement, now.table.view))
        now.arranged()
        others = [*before[:place], *before[place + 1 :]]
        assert [str(card) for card in now.scene.hand] == [*others[:3], before[place], *others[3:]]
        drawn += 1
    assert drawn == 12


def test_the_rules_in_force_stand_beside_the_table() -> None:
    now = shown()
    table = TableAtHand("whist", "", 1)
    now.see_view(table.view())
    assert now.put_beside("rules").endswith("the rules, until someone chats.")
    assert "Whist as in The Real Deal" in side(now) and "Welcome." not in side(now)
    now.see_view(replace(table.view(), options=(*table.view().options[:-1], (table.view().options[-1][0], 99))))
    assert "but" in side(now)
    hear(now, Said("Cat", "Hello!"))
    assert "Hello!" in side(now)


@pytest.mark.parametrize("host", ["192.168.178.23", "[2001:db8:1234:5678:9abc:def0:1234:5678]"])
def test_the_link_to_a_table_stands_whole_beside_its_code(host: str) -> None:
    now = shown()
    link = f"http://{host}:4747/#7-acorn-clockwork"
    person = PersonView(name="Ann", character="wayne", key="abcd-efgh", link="you", where="", coordinates=True)
    now.see_view(
        TableView("coordinator", "lobby", people=(person,), code="7-acorn-clockwork", link=link, open_door=True)
    )
    rows = [row.strip() for row in now.picture(80, 24).text()]
    assert "Code for new friends: 7-acorn-clockwork" in rows and link in rows


def test_the_word_link_draws_it_in_a_panel() -> None:
    view = TableView("coordinator", "lobby", code="7-acorn-clockwork", link="http://192.0.2.7:4747/#7-acorn-clockwork")
    panel = ReadingPanel("Link", LOOKS["link"](Showing(view, Style(colour=True), Arrangement(), 0.0, 0, False), ()))
    drawn = Text.from_ansi("\n".join(panel.lines))
    assert any("█" in line for line in drawn.plain.split("\n"))
    assert {str(span.style) for span in drawn.spans} == {"color(16) on color(231)"}
