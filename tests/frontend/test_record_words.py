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
    RecordsRequest,
    game_for_records,
    league_page,
    parse_records_request,
    records_change_question,
    run_records_request,
)
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.registry import UnknownGame
from p2pcards.present.cards import Arrangement, Style
from p2pcards.results.book import Rating
from p2pcards.results.keeping import ask_book
from p2pcards.results.standings import LevelRating, hall_of_fame
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
    assert game_for_records(WON, VIEW, manner) == "whist"
    assert game_for_records(replace(WON, earlier=True), VIEW, manner) == "", "it was shown before"
    assert game_for_records(Happened(Notice("Ann has won")), VIEW, manner) == ""
    assert game_for_records(WON, replace(VIEW, apart=True), manner) == ""
    assert game_for_records(WON, replace(VIEW, looks_on=True), manner) == ""
    assert game_for_records(WON, VIEW, replace(manner, show_records=False)) == ""
    assert game_for_records(WON, VIEW, Manner()) == "", "none are kept"


def test_the_game_of_the_table_is_meant_where_none_is_named() -> None:
    asked = [parse_records_request("records", said, "whist").game for said in ((), ("all",), ("Hearts",))]
    assert asked == ["whist", "", "hearts"]
    assert parse_records_request("league", (), "whist").game == "", "people play more than one game"


def test_what_is_wanted_of_the_records_is_said_in_any_order() -> None:
    assert parse_records_request("records", ("percent", "hearts")) == RecordsRequest("records", "hearts", by="percent")
    assert parse_records_request("records", ("reset",), "whist") == RecordsRequest("records", "whist", change="reset")
    assert parse_records_request("records", ("reset", "yes"), "whist").sure
    assert parse_records_request("history", ("Novice",), "whist") == RecordsRequest("history", "whist", level="novice")
    for word, said in (("history", "percent"), ("hall", "novice"), ("records", "yes")):
        with pytest.raises(UnknownGame):
            parse_records_request(word, (said,))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_with_old_logs(tmp_path)


def test_records_are_shown_by_percentage_too(home: Home) -> None:
    by_wins, by_percent = [
        run_records_request(home, parse_records_request("records", said, "hearts")) for said in ((), ("percent",))
    ]
    assert (by_wins[0], by_percent[0]) == ("Hearts, by games won", "Hearts, by win rate")
    shares = [int(line.split()[-6]) for line in by_percent if line.startswith(("P ", "C ")) and "%" in line]
    assert shares == sorted(shares, reverse=True)


def test_records_say_which_of_the_levels_that_are_rated_play_alike(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    rated = [LevelRating(level, Rating(25.0, 1.0, 9)) for level in ("expert", "novice")]
    monkeypatch.setattr("p2pcards.results.standings.level_ratings", lambda _book, _game: rated)
    merge(monkeypatch, "hearts", expert="novice", master="champion")
    told = " ".join(" ".join(run_records_request(home, parse_records_request("records", ("hearts",)))).split())
    assert re.search(r"Computer players: expert .*, novice .*\. In hearts, an expert plays like a novice\. ", told)


def test_records_begin_anew_after_a_question_and_are_taken_back(home: Home) -> None:
    asked = parse_records_request("records", ("reset",), "spades")
    told = "This starts your Spades records and ratings over: 1 game no longer counts. Logs are kept. Reset?"
    assert records_change_question(home, asked) == told
    assert records_change_question(home, replace(asked, sure=True)) == records_change_question(None, asked) == ""
    assert records_change_question(home, parse_records_request("records", (), "spades")) == ""
    assert run_records_request(home, asked) == ["Spades: 1 game no longer counts. To undo: records spades recover"]
    assert run_records_request(home, parse_records_request("records", ("spades",))) == [
        "No finished games of Spades yet."
    ]
    assert records_change_question(home, asked) == "", "there is nothing more to reset"
    assert run_records_request(home, asked) == ["No Spades games to reset."]
    recover = parse_records_request("records", ("recover",), "spades")
    assert run_records_request(home, recover) == ["Spades: 1 game counts again."]
    assert run_records_request(home, recover) == ["There's no reset of Spades to undo."]
    assert run_records_request(home, RecordsRequest("records", change="reset")) == [
        "Which game? Type: records GAME reset"
    ]


def test_the_history_is_that_of_a_level_too(home: Home) -> None:
    games = run_records_request(home, parse_records_request("history", ()))
    novices = run_records_request(home, parse_records_request("history", ("novice",)))
    assert 1 < len(novices) < len(games) and all("novice" in line for line in novices[1::2])
    coloured = run_records_request(home, parse_records_request("history", ()), colour=True)
    assert [line.removeprefix(BLUE).removeprefix(RED).removesuffix(PLAIN) for line in coloured] == games
    assert {line[: len(BLUE)] for line in coloured[1:]} <= {BLUE, RED} and coloured != games


def test_the_league_tells_what_was_lost_in_one_game_or_all(home: Home) -> None:
    head, columns, *_ = run_records_request(home, parse_records_request("league", ()))
    assert head == "All games" and columns.split()[:4] == ["player", "won", "lost", "percent"]
    lines = run_records_request(home, parse_records_request("league", ("spades",)))
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
        lines = run_records_request(one, parse_records_request("hall", ("spades",)))
        assert lines[0] == "Spades" and lines[1].split()[2] == str(best)


def standings_of(home: Home) -> int:
    return max(
        one.points for one in ask_book(home, lambda book: hall_of_fame(book, "spades")) if one.what == "highest score"
    )
