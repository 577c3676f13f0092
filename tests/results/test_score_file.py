"""The scoreboard of a home: what is new on it, and what becomes of its file."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from p2pcards.present.dates import DAY, local_time_text
from p2pcards.results.book import Entered
from p2pcards.results.keeping import Kept, add_facts
from p2pcards.results.reading import read_result
from p2pcards.results.scoreboard import (
    GAME,
    LOST,
    WON,
    BoardRefused,
    BoardState,
    Scoreboard,
    ScoreLine,
    board_state,
    format_board,
    keep_saved,
    make_board,
    reset_board,
    save_board,
)
from p2pcards.store.files import Home, StoreError, find_home, make_folders
from rigs.quick_logs import quick_game, write_log

TODAY, LONG_AGO = "2026-11-23", 1_700_000_000
"""The day of what is new; seconds of unix time when the board was made."""


KNOCKED = 47


@lru_cache
def payloads(seed: int) -> tuple[bytes, ...]:
    """Of a game: KNOCKED has two rounds, and is won with fewer points; the others have one."""
    return tuple(quick_game(GAME, seed))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """With an empty board."""
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    make_board(home)
    at(home.scoreboard, 0)
    return home


def at(path: Path, seconds: float) -> None:
    os.utime(path, (LONG_AGO + seconds,) * 2)


def play(home: Home, seed: int, seconds: float, cut: int | None = None) -> Path:
    """The log of a game that was played last so many seconds after the board was made."""
    path = write_log(home, list(payloads(seed)[:cut]), "2026-11-20", GAME, seed)
    at(path, seconds)
    return path


def in_second_round() -> int:
    """Where to cut KNOCKED so that its second round is on."""
    whole = payloads(KNOCKED)
    return next(cut for cut in range(len(whole) - 1, 0, -1) if len(read_result(whole[:cut]).hands) == 1) - 3


def state(home: Home) -> BoardState:
    found = board_state(home, TODAY)
    assert found is not None
    return found


def files(home: Home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.state.glob("scoreboard*")}


def test_a_game_that_has_ended_is_new_until_it_is_saved(home: Home) -> None:
    play(home, 3, 60)
    day = local_time_text(LONG_AGO + 60)[:DAY]
    before, found = files(home), state(home)
    assert found.now.games == (ScoreLine(45, 138, day, "champion"),)
    assert (found.saved, found.games, found.rounds, found.reset) == (Scoreboard(), 1, 0, False)
    assert files(home) == before
    save_board(home, TODAY)
    assert home.scoreboard.read_text() == f"45,138,{day},champion\n-1,-1\n"
    assert home.scoreboard.stat().st_mode & 0o777 == 0o600
    again = state(home)
    assert again.saved == again.now and again.games == 0


def test_a_player_who_knocks_has_won_with_fewer_points_too(home: Home) -> None:
    play(home, KNOCKED, 60)
    (line,) = state(home).now.games
    assert (line.mine, line.theirs, line.outcome) == (109, 119, WON)
    assert LOST not in format_board(state(home).now)


def test_games_come_in_the_order_in_which_they_ended_behind_those_that_stand_there(home: Home) -> None:
    home.scoreboard.write_text("5,6,2020-01-01,master\n-1,-1\n")
    at(home.scoreboard, 0)
    for seed, seconds in ((3, 90), (6, 60), (8, -60)):  # the last was there before the board
        play(home, seed, seconds)
    assert [(one.mine, one.theirs) for one in state(home).now.games] == [(5, 6), (49, 122), (45, 138)]


def test_only_completed_rounds_of_the_game_that_is_on_are_there(home: Home) -> None:
    log = play(home, KNOCKED, 60, in_second_round())
    found = state(home)
    assert found.now == Scoreboard((), (ScoreLine(89, 49, TODAY, "expert"),), log.stem)
    assert (found.games, found.rounds) == (0, 1)
    play(home, KNOCKED, 60, 10)  # in the first round
    assert state(home).now == Scoreboard()


def test_rounds_that_stand_there_stay_as_they_were_edited_and_go_with_their_game(home: Home) -> None:
    log = play(home, KNOCKED, 60, in_second_round())
    home.scoreboard.write_text(f"-1,-1,{log.stem}\n100,0,2026-11-01,novice\n")
    at(home.scoreboard, 0)
    assert state(home).now == state(home).saved
    play(home, KNOCKED, 120)
    found = state(home)
    assert [(one.mine, one.theirs) for one in found.now.games] == [(109, 119)]
    assert (found.now.rounds, found.now.log) == ((), "")


def test_rounds_of_another_game_take_their_place(home: Home) -> None:
    home.scoreboard.write_text("-1,-1,2026-11-01-pinochle2-7f3a\n100,0,2026-11-01,novice\n")
    at(home.scoreboard, 0)
    log = play(home, KNOCKED, 60, 10)
    assert state(home).now == state(home).saved  # it has none yet
    log.unlink()
    log = play(home, KNOCKED, 60, in_second_round())
    assert state(home).now == Scoreboard((), (ScoreLine(89, 49, TODAY, "expert"),), log.stem)


def test_no_keeps_the_file_byte_for_byte_and_is_not_asked_again(home: Home) -> None:
    play(home, 3, 60)
    before = files(home)
    keep_saved(home)
    assert files(home) == before
    found = state(home)
    assert found.now == found.saved == Scoreboard()


def test_a_reset_leaves_the_file_and_the_rounds(home: Home) -> None:
    log = play(home, KNOCKED, 60, in_second_round())
    home.scoreboard.write_text("5,6,2020-01-01,master\n-1,-1\n")
    at(home.scoreboard, 0)
    before = home.scoreboard.read_bytes()
    reset_board(home, TODAY)
    assert home.scoreboard.read_bytes() == before
    found = state(home)
    rounds = (ScoreLine(89, 49, TODAY, "expert"),)
    assert (found.now, found.reset, found.saved.games[0].mine) == (Scoreboard((), rounds, log.stem), True, 5)
    keep_saved(home)
    assert home.scoreboard.read_bytes() == before and not home.scoreboard_draft.exists()
    assert state(home).now.games == state(home).saved.games


def test_after_a_reset_games_count_from_then_on(home: Home) -> None:
    play(home, 3, 60)
    reset_board(home, TODAY)
    at(home.scoreboard_draft, 100)
    play(home, 6, 120)
    assert [one.mine for one in state(home).now.games] == [49]
    save_board(home, TODAY)
    assert not home.scoreboard_draft.exists()
    assert [one.mine for one in state(home).saved.games] == [49]


def test_games_with_others_games_looked_on_and_other_games_are_not_there(home: Home) -> None:
    result = read_result(payloads(6))
    others = [
        replace(result, id="a", network=True),
        replace(result, id="b", mine=None),
        replace(result, id="c", won=False),
        replace(result, id="d", game="pinochle"),
        replace(result, id="e", seats=(result.seats[0], replace(result.seats[1], points=7))),
    ]
    add_facts(home, [Kept(Entered(one, (LONG_AGO + 60) * 1000, None)) for one in others])
    assert [one.mine for one in state(home).now.games] == [49]
    assert state(home).games == 1


def test_a_player_without_a_file_has_no_board(home: Home) -> None:
    with pytest.raises(BoardRefused, match="There's already a scoreboard"):
        make_board(home)
    home.scoreboard.unlink()
    assert board_state(home, TODAY) is None
    for change in (save_board, reset_board):
        with pytest.raises(BoardRefused, match="There's no scoreboard of"):
            change(home, TODAY)
    with pytest.raises(BoardRefused, match="There's no scoreboard of"):
        keep_saved(home)
    assert not home.scoreboard.exists() and not home.scoreboard_draft.exists()


def test_a_new_board_knows_nothing_of_a_reset_of_one_that_was_deleted(home: Home) -> None:
    reset_board(home, TODAY)
    home.scoreboard.unlink()
    make_board(home)
    assert state(home).reset is False


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"1,2,3\n-1,-1\n", "line 1 needs your points"),
        (b"\xff\n", "it isn't text"),
        (b" " * ((1 << 20) + 1), "it has more than 1048576 bytes"),
    ],
)
def test_a_file_that_does_not_hold_is_told_and_left_as_it_is(home: Home, data: bytes, wrong: str) -> None:
    for path in (home.scoreboard, home.scoreboard_draft):
        path.write_bytes(data)
        before = files(home)
        for change in (board_state, save_board, reset_board):
            with pytest.raises(StoreError) as found:
                change(home, TODAY)
            assert str(found.value).startswith(f"Can't read the scoreboard {path}: {wrong}")
        assert files(home) == before
        home.scoreboard.write_text("-1,-1\n")
    keep_saved(home)
    assert not home.scoreboard_draft.exists()


def test_a_pipe_or_a_folder_is_told(home: Home) -> None:
    home.scoreboard.unlink()
    os.mkfifo(home.scoreboard)
    with pytest.raises(StoreError, match="it isn't a file"):
        board_state(home, TODAY)
    home.scoreboard.unlink()
    home.scoreboard.mkdir()
    with pytest.raises(StoreError, match="Can't read"):
        board_state(home, TODAY)
