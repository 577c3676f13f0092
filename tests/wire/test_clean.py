"""Whatever strangers write, what is shown stays on its line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.present.width import fit_text, pad_left, pad_right, text_width, wrap_words
from p2pcards.wire.clean import INVISIBLE, MARKS, clean

NASTY = "\x1b\x07\r\n\t\x9b\u202e\u2066\u200b\u200d\ufeff\ue000\ud800\U000e0041\u0301\u20dd\ufe0f\u3164\u2028 aé文"
HOSTILE = st.one_of(st.text(), st.text(alphabet=NASTY), st.text(st.characters(codec=None)))


@given(HOSTILE, st.integers(0, 60))
def test_nothing_that_moves_the_cursor_or_hides_is_left(text: str, limit: int) -> None:
    shown = clean(text, limit)
    assert len(shown) <= limit
    assert clean(shown, limit) == shown
    assert not any(char in INVISIBLE or unicodedata.category(char)[0] in "CZ" for char in shown if char != " ")
    shown.encode()
    run = 0
    for char in shown:
        run = run + 1 if unicodedata.category(char)[0] == "M" else 0
        assert run <= MARKS
    assert "  " not in shown
    assert shown == shown.strip()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hello there", "hello there"),
        ("grüße, 日本 ♠ 😀", "grüße, 日本 ♠ 😀"),
        ("a\x1b[2Jb", "a[2Jb"),
        ("one\ntwo\r\nthree", "one two three"),
        ("\u202egnp.exe", "gnp.exe"),
        ("Z\u0301\u0302\u0303\u0304\u0305algo", "Z\u0301\u0302\u0303algo"),
        ("\u0301lone", "lone"),
        ("  \u3164 ", ""),
    ],
)
def test_what_people_mean_is_left_alone(text: str, shown: str) -> None:
    assert clean(text) == unicodedata.normalize("NFC", shown)


@given(st.text(alphabet="ab 文\u0301😀", max_size=80), st.integers(6, 30))
def test_lines_and_columns_keep_their_width(text: str, columns: int) -> None:
    lines = wrap_words(text, columns, "  ")
    assert all(text_width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert text_width(fit_text(text, columns)) <= columns
    assert (
        text_width(pad_right(fit_text(text, columns), columns))
        == text_width(pad_left(fit_text(text, columns), columns))
        == columns
    )


def test_colour_takes_no_columns() -> None:
    assert text_width("\x1b[48;5;231;38;5;16mQ♠\x1b[0m") == 2
    assert text_width("日本") == 4
