"""What may be dialled."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2pcards.links.modem.hayes import BadNumber, clean_number, is_emergency


@pytest.mark.parametrize(
    ("typed", "dialled"),
    [
        ("555-1234", "5551234"),
        (" (040) 123.456/78 ", "04012345678"),
        ("9,555 12 34", "9,5551234"),
        ("9w5551234", "9W5551234"),
        ("*67 555-1234", "*675551234"),
        ("0!1@2#", "0!1@2#"),
        ("1" * 36, "1" * 36),
        ("- " * 50 + "7", "7"),
    ],
)
def test_decoration_is_stripped(typed: str, dialled: str) -> None:
    assert clean_number(typed) == dialled


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("555;1234", "can't contain ';', .* another command"),
        ("555\rATH0", r"U\+000D"),
        ("555\n", r"U\+000A"),
        ("5\u0665", r"U\+0665"),
        ("555A", "can't contain 'A'"),
        ("5T5", "'T'"),
        ("+49 40 123", "00 or 011"),
        ("", "at least one digit"),
        ("*#", "at least one digit"),
        ("1" * 37, "37 characters"),
    ],
)
def test_what_is_refused_is_named(typed: str, sentence: str) -> None:
    with pytest.raises(BadNumber, match=sentence):
        clean_number(typed)


@given(st.text(st.one_of(st.sampled_from("0123456789*#,W!@ ().-/;+\r\n\x00AT&"), st.characters()), max_size=50))
@example("\u0660")
def test_nothing_but_a_number_ever_comes_out(typed: str) -> None:
    try:
        number = clean_number(typed)
    except BadNumber as refused:
        assert str(refused).isprintable()
    else:
        assert re.fullmatch("[0-9*#,W!@]{1,36}", number, re.ASCII)
        assert clean_number(number) == number


PLAIN = ["112", "911", "9-1-1", "999", "110", "118", "119", "000", "08", "15", "17", "18"]
DISGUISED = ["9,911", "0,112", "9911", "0110", "9W911", "9,,1,1", "*67,911", "*67911", "911,,1234", "112@5"]
DISGUISED += ["112#", "#112", "*112#", "00112", "99,911", "*67#,9,911#", "*31*0112"]


@pytest.mark.parametrize("typed", PLAIN + DISGUISED)
def test_emergency_numbers_are_known(typed: str) -> None:
    assert is_emergency(clean_number(typed))


@pytest.mark.parametrize(
    "typed", ["555-1234", "9,5551234", "9111234", "0911 555", "5551234,,112", "1", "12700000000116502"]
)
def test_other_numbers_are_not(typed: str) -> None:
    assert not is_emergency(clean_number(typed))
