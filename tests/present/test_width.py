"""Colour takes no column, wherever text is measured, cut or broken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.present.cards import Style
from p2pcards.present.score import sheet_lines
from p2pcards.present.width import PAINT, PLAIN, fit_text, fold_line, text_width, wrap_words
from p2pcards.views.happenings import HandScored
from p2pcards.views.tableview import SheetView

PIECES = st.lists(
    st.tuples(st.sampled_from(["", "\x1b[1m", "\x1b[48;5;231;38;5;130m"]), st.text("ab ♥中é", max_size=9))
)


def painted(pieces: list[tuple[str, str]]) -> str:
    return "".join([f"{paint}{text}{PLAIN}" if paint else text for paint, text in pieces])


def plain(text: str) -> str:
    bare = PAINT.sub("", text)
    assert "\x1b" not in bare and "[" not in bare, "an escape is cut"
    return bare


@given(PIECES, st.integers(3, 30))
def test_painted_text_is_cut_as_it_would_be_without_paint(pieces: list[tuple[str, str]], columns: int) -> None:
    text = painted(pieces)
    cut = fit_text(text, columns)
    assert plain(cut).replace(" ", "") == fit_text(plain(text), columns).replace(" ", "")
    assert text_width(cut) <= columns and PAINT.findall(cut)[-1:] in ([], [PLAIN])


@given(PIECES, st.integers(8, 30))
def test_painted_text_is_broken_as_it_would_be_without_paint(pieces: list[tuple[str, str]], columns: int) -> None:
    text = painted(pieces)
    for broken in (wrap_words, fold_line):
        lines = broken(text, columns)
        assert "".join(map(plain, lines)).replace(" ", "") == plain(text).replace(" ", "")
        assert all(text_width(line) <= columns for line in lines)


def test_a_score_sheet_has_the_same_columns_with_colour_and_without() -> None:
    items = ((("hand 15: 7S 8D", 2), ("hand pair: 8D 8H", 2)), (("crib run: 3D 4C 5S", 3),))
    scored = HandScored(("Ann", "Bob"), (), SheetView(1, items, (4, 3), (4, 3)))
    plainly, coloured = [sheet_lines(scored, "Ann", Style(colour=colour)) for colour in (False, True)]
    assert list(map(plain, coloured)) == plainly != coloured
