"""When the records of a game are shown, and which are asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from at_hand import TableAtHand
from p2pcards.control.messages import Happened
from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.record_pages import (
    BLUE,
    PLAIN,
    RED,
    RecordsAsked,
    game_won,
    league_page,
    question_before,
    record_lines,
    records_asked,
)
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.registry import UnknownGame
from p2pcards.present.cards import Arrangement, Style
from p2pcards.results.book import Rating
from p2pcards.results.keeping import ask
from p2pcards.results.standings import LevelRating, hall
from p2pcards.store.files import Home, make_folders
from p2pcards.store.profiles import add_profile, last_profile
from p2pcards.views.happenings import GameWon, Notice
from rigs.merged import merge
from rigs.old_logs import home_with_old_logs
from rigs.quick_logs import quick_game, write_log

VIEW = TableAtHand("whist", "", 1).view()
WON = Happened(GameWon(("Ann",), (5,), ("Ann",), (), ""))


def test_who_plays_on_this_machine_is_told_and_changed(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, tmp_path / "socket")
    bob = add_profile(home, "Bob")

    def said(home: Home | None, *arguments: str) -> list[str]:
        return LOOKS["player"](Showing(VIEW, Style(), Arrangement(), 0.0, 0, plain=True, home=home), arguments)

    assert said(home) == ["You're playing as Default. To switch: player Bob.", "  Bob"]
    assert said(home, "bob") == ["Bob will play at your next table. Default keeps this seat."]
    assert last_profile(home) == "Bob"
    assert said(bob, "Bob") == ["You're already playing as Bob."] and said(None, "Bob") == [
        "There are no other profiles here."
    ]
    assert said(bob, "default") == ["Default will play at your next table. Bob keeps this seat."]
    with pytest.raises(NotUnderstood, match=r"There's no profile 'bobo'\. Did you mean 'Bob'\?"):
        said(home, "bobo")


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
    asked = [records_asked("records", said, "whist").game for said in ((), ("all",), ("Hearts",))]
    assert asked == ["whist", "", "hearts"]
    assert records_asked("league", (), "whist").game == "", "people play more than one game"


def test_what_is_wanted_of_the_records_is_said_in_any_order() -> None:
    assert records_asked("records", ("percent", "hearts")) == RecordsAsked("records", "hearts", by="percent")
    assert records_asked("records", ("reset",), "whist") == RecordsAsked("records", "whist", change="reset")
    assert records_asked("records", ("reset", "yes"), "whist").sure
    assert records_asked("history", ("Novice",), "whist") == RecordsAsked("history", "whist", level="novice")
    for word, said in (("history", "percent"), ("hall", "novice"), ("records", "yes")):
        with pytest.raises(UnknownGame):
            records_asked(word, (said,))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_with_old_logs(tmp_path)


def test_records_are_shown_by_percentage_too(home: Home) -> None:
    by_wins, by_percent = [record_lines(home, records_asked("records", said, "hearts")) for said in ((), ("percent",))]
    assert (by_wins[0], by_percent[0]) == ("Hearts, by games won", "Hearts, by win rate")
    shares = [int(line.split()[-6]) for line in by_percent if line.startswith(("P ", "C ")) and "%" in line]
    assert shares == sorted(shares, reverse=True)


def test_records_say_which_of_the_levels_that_are_rated_play_alike(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    rated = [LevelRating(level, Rating(25.0, 1.0, 9)) for level in ("expert", "novice")]
    monkeypatch.setattr("p2pcards.results.standings.levels", lambda _book, _game: rated)
    merge(monkeypatch, "hearts", expert="novice", master="champion")
    told = " ".join(" ".join(record_lines(home, records_asked("records", ("hearts",)))).split())
    assert re.search(r"Computer players: expert .*, novice .*\. In hearts, an expert plays like a novice\. ", told)


def test_records_begin_anew_after_a_question_and_are_taken_back(home: Home) -> None:
    asked = records_asked("records", ("reset",), "spades")
    told = "This starts your Spades records and ratings over: 1 game no longer counts. Logs are kept. Reset?"
    assert question_before(home, asked) == told
    assert question_before(home, replace(asked, sure=True)) == question_before(None, asked) == ""
    assert question_before(home, records_asked("records", (), "spades")) == ""
    assert record_lines(home, asked) == ["Spades: 1 game no longer counts. To undo: records spades recover"]
    assert record_lines(home, records_asked("records", ("spades",))) == ["No finished games of Spades yet."]
    assert question_before(home, asked) == "", "there is nothing more to reset"
    assert record_lines(home, asked) == ["No Spades games to reset."]
    recover = records_asked("records", ("recover",), "spades")
    assert record_lines(home, recover) == ["Spades: 1 game counts again."]
    assert record_lines(home, recover) == ["There's no reset of Spades to undo."]
    assert record_lines(home, RecordsAsked("records", change="reset")) == ["Which game? Type: records GAME reset"]


def test_the_history_is_that_of_a_level_too(home: Home) -> None:
    games = record_lines(home, records_asked("history", ()))
    novices = record_lines(home, records_asked("history", ("novice",)))
    assert 1 < len(novices) < len(games) and all("novice" in line for line in novices[1::2])
    coloured = record_lines(home, records_asked("history", ()), colour=True)
    assert [line.removeprefix(BLUE).removeprefix(RED).removesuffix(PLAIN) for line in coloured] == games
    assert {line[: len(BLUE)] for line in coloured[1:]} <= {BLUE, RED} and coloured != games


def test_the_league_tells_what_was_lost_in_one_game_or_all(home: Home) -> None:
    head, columns, *_ = record_lines(home, records_asked("league", ()))
    assert head == "All games" and columns.split()[:4] == ["player", "won", "lost", "percent"]
    lines = record_lines(home, records_asked("league", ("spades",)))
    assert lines[0] == "Spades" and lines[2].split()[:5] == ["P", "Ann", "1", "0", "100"]
    assert league_page(home, "whist").data != league_page(home).data


def test_the_league_and_the_hall_have_all_profiles(home: Home) -> None:
    bea = add_profile(home, "Bea")
    make_folders(bea)
    write_log(bea, quick_game("spades", 3, name="Bea"), "2026-11-20", "spades", 3)
    ours, theirs = [standings_of(one) for one in (home, bea)]
    best = max(ours, theirs)
    for one in (home, bea):
        assert {row["name"] for row in league_page(one, "spades").data} == {"Ann", "Bea"}
        lines = record_lines(one, records_asked("hall", ("spades",)))
        assert lines[0] == "Spades" and lines[1].split()[2] == str(best)


def standings_of(home: Home) -> int:
    return max(one.points for one in ask(home, lambda book: hall(book, "spades")) if one.what == "highest score")
