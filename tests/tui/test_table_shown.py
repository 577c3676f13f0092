"""How a table stands on the screen, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from at_hand import TableAtHand
from p2pcards.control.messages import Happened
from p2pcards.frontend.beside import BESIDE, IN_LINES, beside_asked
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.words import NotUnderstood
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.table_shown import MOST_TOLD, TableShown
from p2pcards.views.commands import Command
from p2pcards.views.happenings import Said
from rigs.screen_table import PLAIN

QUIET = Sitting(Manner(), PLAIN)


def shown(sitting: Sitting = QUIET) -> TableShown:
    return TableShown(sitting, ["Welcome."], lambda: 0.0)


def side(now: TableShown) -> str:
    """What can be read at 80x24."""
    return "\n".join(now.picture(80, 24).text())


def test_what_stands_beside_the_table_is_chosen() -> None:
    now = shown()
    now.take(TableAtHand("whist", "", 1).view())
    now.tell(Happened(Said("Bob", "Good luck!")))
    assert "Welcome." in side(now) and "Good luck!" in side(now)
    assert now.put_beside("") == "Beside the table: what is said."
    assert "Welcome." not in side(now) and "Good luck!" in side(now)
    assert now.put_beside("none") == "Beside the table: nothing, until somebody says something."
    assert "Good luck!" not in side(now)
    now.tell(Happened(Said("Cat", "You too!")))
    assert "You too!" in side(now) and "Welcome." not in side(now)
    assert now.put_beside("all") and "Welcome." in side(now)


def test_what_is_asked_to_stand_there_is_one_of_a_few() -> None:
    assert [beside_asked((name.upper(),)) for name in BESIDE] == list(BESIDE) and beside_asked(()) == ""
    with pytest.raises(NotUnderstood, match="one of all, talk, none"):
        beside_asked(("chat",))
    assert IN_LINES.endswith(".")


def test_who_is_muted_is_not_heard() -> None:
    now = shown()
    now.take(TableAtHand("whist", "", 1).view())
    name = now.scene.view.seats[1].name
    assert "any more" in now.mute(name.split())
    assert now.tell(Happened(Said(name, "Ha!"))).lines == () and "Ha!" not in side(now)


def test_lines_that_are_told_are_bounded() -> None:
    now = shown()
    for number in range(MOST_TOLD + 50):
        now.tell(Happened(Said("Bob", str(number))))
    assert len(now.scene.mind.told) == MOST_TOLD


def test_what_others_play_stands_out_until_it_is_unmarked() -> None:
    table = TableAtHand("whist", "", 1)
    marking = replace(PLAIN, pace=0.3, marks=frozenset({"plays"}))
    now = shown(Sitting(Manner(), marking))
    first = table.view()
    now.take(replace(first, trick=()))
    assert now.scene.fresh == frozenset()
    table.say(Command("act", tuple(table.suggestion().split())))
    now.take(table.view())
    others = {f"seat {seat}" for seat, _ in table.view().trick if seat != 0}
    assert now.scene.fresh == others and others
    now.unmark()
    assert now.scene.fresh == frozenset()
    still = shown(Sitting(Manner(), replace(marking, pace=0.0)))
    still.take(replace(first, trick=()))
    still.take(table.view())
    assert still.scene.fresh == frozenset()
