"""When the records of a game are shown, and which are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from at_hand import TableAtHand
from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.record_pages import game_asked, game_won
from p2pcards.store.files import Home
from p2pcards.views.happenings import GameWon, Notice

VIEW = TableAtHand("whist", "", 1).view()
WON = Happened(GameWon(("Ann",), (5,), ("Ann",), (), ""))


def test_records_are_shown_when_a_game_was_just_won_at_ones_own_table(tmp_path: Path) -> None:
    manner = Manner(home=Home(tmp_path, tmp_path, tmp_path / "socket"))
    assert game_won(WON, VIEW, manner) == "whist"
    assert game_won(replace(WON, earlier=True), VIEW, manner) == "", "it was shown before"
    assert game_won(Happened(Notice("Ann has won")), VIEW, manner) == ""
    assert game_won(WON, replace(VIEW, apart=True), manner) == ""
    assert game_won(WON, replace(VIEW, looks_on=True), manner) == ""
    assert game_won(WON, VIEW, replace(manner, show_records=False)) == ""
    assert game_won(WON, VIEW, Manner()) == "", "none are kept"


def test_the_game_of_the_table_is_meant_where_none_is_named() -> None:
    assert [game_asked(said, VIEW) for said in ((), ("all",), ("Hearts",))] == ["whist", "", "hearts"]
