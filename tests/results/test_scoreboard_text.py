"""The text of a scoreboard: written, edited and read back, and whatever else may stand there."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pcards.players.levels import LEVELS
from p2pcards.results.scoreboard import (
    MOST_GAMES,
    MOST_POINTS,
    MOST_ROUNDS,
    OUTCOMES,
    BadScoreboard,
    Scoreboard,
    ScoreLine,
    format_board,
    parse_board,
)

POINTS = st.integers(0, MOST_POINTS)
LINES = st.lists(
    st.builds(
        ScoreLine, POINTS, POINTS, st.dates().map(str), st.sampled_from(LEVELS), st.sampled_from(("", *OUTCOMES))
    ),
    max_size=5,
).map(tuple)
BOARDS = st.builds(Scoreboard, LINES, LINES, st.from_regex(r"[0-9a-z_-]{0,64}", fullmatch=True))
GAME = "1010,870,2026-11-20,expert"
BOARD = Scoreboard((ScoreLine(1010, 870, "2026-11-20", "expert"),), (ScoreLine(1, 2, "2026-11-21", "novice"),), "a-log")


@given(BOARDS)
@example(Scoreboard())
def test_what_is_written_is_read_back(board: Scoreboard) -> None:
    assert parse_board(format_board(board)) == board


def test_the_text_is_as_it_is_documented() -> None:
    assert format_board(BOARD) == f"{GAME}\n-1,-1,a-log\n1,2,2026-11-21,novice\n"
    assert format_board(Scoreboard()) == "-1,-1\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{GAME}\r\n-1,-1,a-log\r\n1,2,2026-11-21,novice\r\n",
        "  1010 , 870,\t2026-11-20,expert\n-1,-1,a-log \n001,2,2026-11-21,novice",
        f"{GAME}\n-1,-1,a-log\n1,2,2026-11-21,novice\n\n\n",
    ],
)
def test_what_an_editor_leaves_behind_is_read(text: str) -> None:
    assert parse_board(text) == BOARD


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n"])
def test_an_empty_text_is_an_empty_board(text: str) -> None:
    assert parse_board(text) == Scoreboard()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (GAME, "no line starts with -1,-1"),
        (f"{GAME}\n-1,-1\n-1,-1,x\n", "line 3 starts with -1,-1 again"),
        (f"{GAME}\n-1,-1,../x\n", "line 2 has no log name after -1,-1"),
        ("-1,-1x\n", "no line starts with -1,-1"),
        ("1010,870,2026-11-20\n-1,-1\n", "line 1 needs your points, theirs, a date and a level"),
        (f"{GAME}\n\n{GAME}\n-1,-1\n", "line 2 needs your points, theirs, a date and a level"),
        (f"{GAME},won,x\n-1,-1\n", "line 1 needs your points, theirs, a date and a level"),
        ("-5,870,2026-11-20,expert\n-1,-1\n", "line 1 has '-5' for points"),
        ("10,1234567,2026-11-20,expert\n-1,-1\n", "line 1 has '1234567' for points"),
        ("10,٣,2026-11-20,expert\n-1,-1\n", "line 1 has '٣' for points"),
        ("-1,-1\n10,10,2026-02-30,expert\n", "line 2 has '2026-02-30' for a date"),
        ("-1,-1\n10,10,20261120,expert\n", "line 2 has '20261120' for a date"),
        ("-1,-1\n10,10,2026-11-20,Expert\n", "line 2 has 'Expert' for a level"),
        (f"{GAME},draw\n-1,-1\n", "line 1 ends in 'draw'"),
        (f"{GAME}\x1b[2J\n-1,-1\n", "line 1 has 'expert\\x1b[2J' for a level"),
        ("-1,-1\n" + f"{GAME}\n" * (MOST_ROUNDS + 1), f"it has more than {MOST_ROUNDS} rounds"),
        (f"{GAME}\n" * (MOST_GAMES + 1) + "-1,-1\n", f"it has more than {MOST_GAMES} games"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, wrong: str) -> None:
    with pytest.raises(BadScoreboard) as found:
        parse_board(text)
    assert str(found.value) == wrong
    assert found.value.advice.endswith(".")


PIECES = st.sampled_from(["1010", "-1", "2026-11-20", "expert", "won", ",", "\n", "\r", " ", "-1,-1", "\x00", "\u2028"])


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_any_text_is_a_board_or_told_in_a_printable_sentence(text: str) -> None:
    try:
        board = parse_board(text)
    except BadScoreboard as bad:
        assert str(bad).isprintable() and len(str(bad)) < 120 and bad.advice
    else:
        assert parse_board(format_board(board)) == board


@given(BOARDS, st.data())
def test_a_changed_line_is_never_another_board_by_mistake(board: Scoreboard, data: st.DataObject) -> None:
    """A letter that is taken out leaves a board with as many lines, or none."""
    text = format_board(board)
    place = data.draw(st.integers(0, len(text) - 1))
    with suppress(BadScoreboard):
        found = parse_board(text[:place] + text[place + 1 :])
        assert len(found.games) <= len(board.games) and len(found.rounds) <= len(board.rounds)


def test_who_has_won_is_told_by_the_points_unless_it_is_said() -> None:
    def won(mine: int, theirs: int, outcome: str = "") -> bool | None:
        return ScoreLine(mine, theirs, "2026-11-20", "novice", outcome).won

    assert (won(2, 1), won(1, 2), won(1, 1)) == (True, False, None)
    assert (won(1, 2, "won"), won(1, 1, "lost")) == (True, False)
