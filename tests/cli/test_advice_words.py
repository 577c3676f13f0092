"""explain and analyze as they are typed in line mode, at tables whose machine is the real one."""

from __future__ import annotations

import os
import re
from io import StringIO
from typing import Any

import pytest
import trio

from at_hand import TableAtHand
from making.transcripts import AtTheLine
from p2pcards.cli.line import run_line_mode
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.words import WORDS, meant_word
from p2pcards.games.telling import Skill, Way
from p2pcards.players.levels import USUAL
from p2pcards.present.cards import Style
from p2pcards.present.width import fold_line, text_width
from p2pcards.views.tableview import TableView
from rigs.giving_up import longest_wait
from rigs.people import by_hand


async def said(table: Any, text: str) -> list[str]:
    source, keyboard = os.pipe()
    os.write(keyboard, text.encode())
    os.close(keyboard)
    output = StringIO()
    with os.fdopen(source) as lines, trio.fail_after(longest_wait()):
        await run_line_mode(
            AtTheLine(table), Manner(), Style(ascii=True), input=lines, output=output, interactive=False
        )
    return output.getvalue().splitlines()


def after(lines: list[str], start: str) -> list[str]:
    """The indented lines that follow the one that begins so."""
    (place,) = [number for number, line in enumerate(lines) if line.startswith(start)]
    rest = lines[place + 1 :]
    return rest[: next(number for number, line in enumerate(rest) if not line.startswith("  "))]


@pytest.fixture(autouse=True)
def quick_experts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice after a few hands."""
    monkeypatch.setitem(USUAL, "expert", Skill(Way.SEARCH, 60))


@pytest.mark.parametrize("key", ["hearts", "whist", "pinochle2"])
async def test_the_words_answer_with_a_list_that_fits(key: str) -> None:
    preset = {"hearts": "real-deal", "whist": "real-deal", "pinochle2": "meggiesoft"}[key]
    table = TableAtHand(key, preset, 3)
    choices = len(table.view().legal)
    lines = await said(table, "explain\nanalyze\n")
    (explained,) = [line for line in lines if "best first (" in line]
    told = after(lines, explained)
    assert re.match(r"1: .*?: on average (you|your side) (scores?|takes?) ", " ".join(" ".join(told).split()))
    numbers = [int(line[2]) for line in told if line[2].isdigit()]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) == min(choices, 6)
    found = after(lines, "Your hand:")
    assert len(found) >= 2 and all(line[2].isupper() for line in found if not line.startswith("   "))
    for line in (*told, *found):
        assert text_width(line) <= 79
        for columns in (60, 80, 120):
            folded = fold_line(line, columns)
            assert all(text_width(part) <= columns for part in folded), columns
            assert " ".join(folded).split() == line.split(), columns


async def test_a_hint_says_what_the_card_is_for() -> None:
    lines = await said(TableAtHand("whist", "real-deal", 1), "explain\nhint\n")
    first = next(line for line in lines if line.startswith("  1: "))
    (hint,) = [line for line in lines if line.startswith("Suggested play: ")]
    card = first.split()[1].rstrip(",:")
    assert hint.split()[2].rstrip(",.") == card


def test_the_words_work_wherever_advice_is_given_also_out_of_turn() -> None:
    net = by_hand(1, allow="hint")
    for end in (0, 1):
        view = net.view(end)
        assert WORDS["explain"].works(view) and WORDS["analyze"].works(view)
        assert meant_word("exp", view, True) == "explain" and meant_word("ana", view, True) == "analyze"
    without = by_hand(1).view(0)
    assert not WORDS["explain"].works(without) and not WORDS["analyze"].works(without)
    assert not WORDS["explain"].works(TableView("coordinator", "lobby", assists=("hint",)))
