"""The line editor: keys in, text and events out, however the bytes are cut."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cli.line import Editor, KeyboardEvent, feed_keys, visible_row
from p2pcards.present.width import text_width

KEYS = st.sampled_from(
    [
        *[b"a", b"B ", "é".encode(), "文".encode(), "😀".encode(), b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"],
        *[b"\x1bOH", b"\x1b[4~", b"\x1b[3~", b"\x1b", b"\x1b[", b"\x1b[1;5", b"\x7f", b"\x15", b"\x17", b"\x0b"],
        *[b"\r", b"\n", b"\x04", b"\x03", b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\x1b[200~", b"\x1b[201~"],
        *[b"\x9b", b"\xc2\x9b", b"\t", b"\x00"],
    ]
)
TYPED = st.one_of(st.lists(KEYS, max_size=30).map(b"".join), st.binary(max_size=60))


def after(data: bytes, editor: Editor | None = None) -> tuple[Editor, tuple[KeyboardEvent, ...]]:
    return feed_keys(editor or Editor(), data)


@given(TYPED, st.lists(st.integers(1, 5)))
def test_however_the_bytes_are_cut_the_result_is_the_same(data: bytes, cuts: list[int]) -> None:
    whole, events = after(data)
    editor, rest = Editor(), data
    pieces: list[KeyboardEvent] = []
    for cut in [*cuts, len(data)]:
        editor, more = feed_keys(editor, rest[:cut])
        rest = rest[cut:]
        pieces += more
    assert (editor, tuple(pieces)) == (whole, events)


@given(TYPED)
def test_the_text_is_always_safe_and_the_cursor_in_it(data: bytes) -> None:
    editor, events = after(data)
    assert 0 <= editor.cursor <= len(editor.text)
    for text in (editor.text, *[event.text for event in events]):
        assert not any(unicodedata.category(char)[0] == "C" for char in text)
    row, column = visible_row("> ", editor, 40)
    assert text_width(row) < 40
    assert 0 <= column <= text_width(row)


@given(TYPED)
def test_ctrl_c_is_heard_in_the_middle_of_anything(data: bytes) -> None:
    assert after(data + b"\x03")[1][-1] == KeyboardEvent("interrupt")


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        (b"qs", "qs", 2),
        (b"qs\x1b[D\x1b[Dx", "xqs", 1),
        (b"ab\x1b[H\x1b[3~", "b", 0),
        (b"ab\x1bOHc\x1bOFd", "cabd", 4),
        (b"say hello\x17", "say ", 4),
        (b"say hello  \x17\x17", "", 0),
        (b"abc\x1b[D\x15", "c", 0),
        (b"abc\x01\x0b", "", 0),
        (b"ab\x7f\x7f\x7fc", "c", 1),
        (b"\x1b[5~\x1b[15~\x1b[[Aok", "ok", 2),
        ("日本".encode() + b"\x7f", "日", 1),
        (b"one\rtwo\r\x1b[A\x1b[A", "one", 3),
        (b"one\rtwo\rdra\x1b[A\x1b[A\x1b[A\x1b[B\x1b[B\x1b[B", "dra", 3),
        (b"\x1b[200~a\nb\tc\x1b[201~", "a b c", 5),
        (b"a\x04\x1b[D\x04", "", 0),
        (b"\x1bq", "q", 1),
    ],
)
def test_keys(keys: bytes, text: str, cursor: int) -> None:
    editor, _ = after(keys)
    assert (editor.text, editor.cursor) == (text, cursor)


def test_events_come_in_their_order() -> None:
    _, events = after(b"qs\rsay hi\n\x1a\x0c\x04\x03")
    kinds = [("line", "qs"), ("line", "say hi"), ("suspend", ""), ("redraw", ""), ("end", ""), ("interrupt", "")]
    assert [(event.kind, event.text) for event in events] == kinds


def test_the_row_scrolls_so_that_the_cursor_is_seen() -> None:
    editor, _ = after(b"0123456789" * 5)
    row, column = visible_row("now > ", editor, 30)
    assert row.startswith("now > ")
    assert row.endswith("789")
    assert column == text_width(row) < 30
    editor, _ = after(b"\x01", editor)
    assert visible_row("now > ", editor, 30) == ("now > 01234567890123456789012", 6)


def test_wide_characters_take_two_columns() -> None:
    editor, _ = after("文a".encode())
    assert visible_row("> ", editor, 80) == ("> 文a", 5)


# --- Tab ---

OFFERED = ("hand ", "help ", "hint ", "kick Big Bob ", "set end_score=", "set end_score=50 ", "queen ", "quick ")


def offered(text: str) -> tuple[str, ...]:
    return tuple([word for word in OFFERED if word[: len(text)].lower() == text.lower() != word])


@pytest.mark.parametrize(
    ("keys", "text", "choices"),
    [
        (b"hi\t", "hint ", ()),
        (b"h\t", "h", ()),
        (b"h\t\t", "h", ("hand", "help", "hint")),
        (b"h\ta\t", "hand ", ()),
        (b"h\t\x1b[C\t", "h", ()),
        (b"s\t", "set end_score=", ()),
        (b"s\t\t\t", "set end_score=50 ", ()),
        (b"kick \t", "kick Big Bob ", ()),
        (b"q\t\t", "qu", ("queen", "quick")),
        (b"QU\t\t", "QU", ("queen", "quick")),
        (b"x\t\t", "x", ()),
        (b"hi there\x1b[H\x1b[C\x1b[C\t", "hint there", ()),
        (b"\x1b[200~h\ti\x1b[201~", "h i", ()),
    ],
)
def test_tab_completes_and_a_second_one_lists_what_fits(keys: bytes, text: str, choices: tuple[str, ...]) -> None:
    editor, events = feed_keys(Editor(), keys, offered)
    assert editor.text == text
    assert events == ((KeyboardEvent("choices", choices=choices),) if choices else ())


def test_tab_completes_what_stands_before_the_cursor() -> None:
    editor, _ = feed_keys(Editor(), b"hi there\x1b[H\x1b[C\x1b[C\t", offered)
    assert editor.cursor == len("hint")


@given(TYPED, st.lists(st.text(max_size=8), max_size=3), st.lists(st.integers(1, 5)))
def test_whatever_is_offered_the_text_is_safe(data: bytes, rests: list[str], cuts: list[int]) -> None:
    def anything(text: str) -> list[str]:
        return [text + rest for rest in rests]

    whole, _ = feed_keys(Editor(), data, anything)
    assert 0 <= whole.cursor <= len(whole.text)
    assert not any(unicodedata.category(char)[0] == "C" for char in whole.text)
    pieces, rest = Editor(), data
    for cut in [*cuts, len(data)]:
        pieces, _ = feed_keys(pieces, rest[:cut], anything)
        rest = rest[cut:]
    assert pieces == whole
