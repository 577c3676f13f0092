"""What helps with melds where it is wanted: the indicator, and the question before a meld is broken up."""

from __future__ import annotations

import os
from io import StringIO
from typing import Any

import pytest
import trio

from at_hand import TableAtHand
from making.transcripts import AtTheLine
from p2pcards.cli.line import run_line_mode
from p2pcards.frontend.asked_first import meld_question
from p2pcards.frontend.manner import Manner
from p2pcards.present.cards import Style
from p2pcards.present.score import score_lines
from p2pcards.present.table import prompt_text
from p2pcards.views.tableview import Command, MeldView, TableView
from rigs.giving_up import longest_wait
from rigs.people import by_hand

PLAIN = Style(ascii=True)
PINOCHLE = MeldView("you", "JD QS", "pinochle", 40)
VIEW = TableView("coordinator", "play", me=0, legal=("JD", "QS", "9C", "JD'"), meldable=(PINOCHLE,))


async def said(table: Any, text: str, **wanted: Any) -> str:
    source, keyboard = os.pipe()
    os.write(keyboard, text.encode())
    os.close(keyboard)
    output = StringIO()
    with os.fdopen(source) as lines, trio.fail_after(longest_wait()):
        await run_line_mode(AtTheLine(table), Manner(**wanted), PLAIN, input=lines, output=output, interactive=False)
    return output.getvalue()


def with_a_meld_in_hand(seed: int) -> tuple[Any, str]:
    """A table of two-handed pinochle, and a card to play that could still be melded."""
    table = TableAtHand("pinochle2", "meggiesoft", seed)
    for _ in range(40):
        view = table.view()
        found = [word for meld in view.meldable for word in meld.cards.split() if word in view.legal]
        if found:
            table.sit_down()
            return table, found[0]
        table.say(Command("act", tuple(table.suggestion().split())))
    raise AssertionError("no meld came")


@pytest.mark.parametrize("seed", [3, 4, 5])
async def test_it_is_asked_before_a_card_of_a_meld_is_played(seed: int) -> None:
    table, card = with_a_meld_in_hand(seed)
    hand = table.position().state.hands[0]
    text = await said(table, f"{card}\nno\nplay {card}\nyes\n", check_meldable=True)
    assert text.count("is part of a meld you can still make: ") == 2
    assert text.index("OK, you keep it.") < text.rindex("is part of a meld")
    assert table.position().state.hands[0] != hand
    table, card = with_a_meld_in_hand(seed)
    assert "is part of a meld" not in await said(table, f"{card}\n")


@pytest.mark.parametrize(
    ("words", "question"),
    [
        (("jd",), "JD is part of a meld you can still make: pinochle (40). Play it? yes/no"),
        (("play", "JD"), "JD is part of a meld you can still make: pinochle (40). Play it? yes/no"),
        (("JD'",), ""),
        (("9C",), ""),
        (("meld", "JD", "QS"), ""),
        (("KH",), ""),
        ((), ""),
    ],
)
def test_the_question(words: tuple[str, ...], question: str) -> None:
    assert meld_question(words, VIEW, PLAIN) == question


async def test_the_indicator_is_shown_where_that_is_wanted() -> None:
    table, _ = with_a_meld_in_hand(3)
    states: set[str] = set()
    for _ in range(80):
        view = table.view()
        if not view.legal or {"no meld", "play-off"} <= states:
            break
        states.add(view.indicator[0])
        assert f", {view.indicator[0]}: " in prompt_text(view, columns=200)
        table.say(Command("act", tuple(table.suggestion().split())))
    assert {"no meld", "play-off"} <= states and any(state.startswith("meld ") for state in states)
    table, _ = with_a_meld_in_hand(3)
    word = table.view().indicator[0]
    assert word in await said(table, "hand\n", show_meld_points=True)
    table, _ = with_a_meld_in_hand(3)
    assert word not in await said(table, "hand\n")


def test_with_people_at_the_table_nothing_is_told_of_melds() -> None:
    net = by_hand(1, game="pinochle2", preset="meggiesoft")
    assert not any(net.view(end).indicator or net.view(end).meldable for end in (0, 1))


def test_the_score_tells_what_was_melded_in_this_hand() -> None:
    table, _ = with_a_meld_in_hand(3)
    while not any(seat.note for seat in table.view().seats):
        table.say(Command("act", tuple(table.suggestion().split())))
    text = " ".join(" ".join(score_lines(table.view(), PLAIN)).split())
    melds = [(what, points) for items in table.view().made for what, points in items]
    assert melds and "hand 1 so far" in text
    assert all(what in text and str(points) in text for what, points in melds)
