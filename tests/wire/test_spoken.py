"""Codes and words: they are told apart by ear, and what was mistyped is said."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.wire.spoken import (
    EXAMPLE,
    FIRST,
    MEETING_EXAMPLE,
    MEETING_NUMBERS,
    SECOND,
    BadCode,
    Code,
    looks_like_code,
    make_code,
    read_code,
    words_to_compare,
)


def distance(one: str, other: str) -> int:
    """Letters to be changed, put in or left out."""
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        left, row[0] = row[0], place
        for i, its in enumerate(other, 1):
            left, row[i] = row[i], min(row[i] + 1, row[i - 1] + 1, left + (letter != its))
    return row[-1]


def may_be_close(one: str, other: str, letters: int) -> bool:
    """Whether fewer letters than these may make one of the other; far quicker than their distance."""
    apart = Counter(one)
    apart.subtract(other)
    missing, extra = (sum(count for count in side.values() if count > 0) for side in (apart, -apart))
    return max(missing, extra) < letters


def sound(word: str) -> str:
    """Roughly: consonants as they are heard, all vowels as one."""
    for letters, heard in (("ph", "f"), ("ck", "k"), ("qu", "kw"), ("x", "ks"), ("gh", "g"), ("wh", "w"), ("sc", "sk")):
        word = word.replace(letters, heard)
    word = re.sub("c(?=[eiy])", "s", word).replace("c", "k").replace("z", "s")
    word = re.sub(r"(.)\1", r"\1", word)
    return word[0] + re.sub("[aeiouy]+", "a", word[1:])


def test_the_lists_have_256_plain_words_each_and_none_in_common() -> None:
    assert len(FIRST) == len(SECOND) == 256
    assert len({*FIRST, *SECOND}) == 512
    assert all(re.fullmatch("[a-z]{4,10}", word) for word in (*FIRST, *SECOND))
    assert list(FIRST) == sorted(FIRST) and list(SECOND) == sorted(SECOND)


def test_any_two_words_differ_by_three_letters_and_two_sounds() -> None:
    close = [
        (one, other)
        for one, other in combinations((*FIRST, *SECOND), 2)
        if may_be_close(one, other, 3) and distance(one, other) < 3
    ]
    assert close == []
    spoken = {word: sound(word) for word in (*FIRST, *SECOND)}
    alike = [(one, other) for one, other in combinations(spoken, 2) if may_be_close(spoken[one], spoken[other], 2)]
    assert [(one, other) for one, other in alike if distance(spoken[one], spoken[other]) < 2] == []


@given(st.integers(1, 99) | st.sampled_from(MEETING_NUMBERS), st.binary(min_size=2, max_size=2))
def test_a_code_is_read_as_it_was_made(number: int, chance: bytes) -> None:
    code = make_code(number, chance)
    assert read_code(str(code)) == read_code(str(code).upper()) == code
    assert read_code(f"  0{number} {code.first}  {code.second} ") == code
    assert looks_like_code(str(code))


def test_the_examples_are_codes() -> None:
    assert read_code(EXAMPLE) == Code(7, "crossword", "clockwork")
    assert read_code(MEETING_EXAMPLE) == Code(48213, "crossword", "clockwork")


NO_CODES = [
    "",
    "7",
    "crossword-clockwork",
    "0-crossword-clockwork",
    "100-crossword-clockwork",
    "9999-crossword-clockwork",
    "100000-crossword-clockwork",
    "7-crossword",
    "7-crossword-clockwork-again",
    "7_crossword_clockwork",
    "\x1b[2J",
]


@pytest.mark.parametrize("text", NO_CODES)
def test_what_is_no_code_is_told_what_one_looks_like(text: str) -> None:
    with pytest.raises(BadCode) as bad:
        read_code(text)
    assert "a number and two words, such as 7-crossword-clockwork or 48213-crossword-clockwork" in str(bad.value)
    assert "\x1b" not in str(bad.value)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("7-crosswort-clockwork", "Did you mean 'crossword'?"),
        ("7-crossword-clokwork", "Did you mean 'clockwork'?"),
        ("7-clockwork-crossword", "letter by letter"),
        ("7-crossword-zzzz", "letter by letter"),
    ],
)
def test_a_word_that_no_code_has_is_named_before_anything_is_burnt(text: str, meant: str) -> None:
    with pytest.raises(BadCode, match=re.escape(meant)):
        read_code(text)


@given(st.text(max_size=40))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        code = read_code(text)
    except BadCode:
        return
    assert read_code(str(code)) == code


@pytest.mark.parametrize("text", ["192.0.2.7", "partner", "7", "localhost:4747", "my-host", "3com"])
def test_addresses_and_other_words_are_no_codes(text: str) -> None:
    assert not looks_like_code(text)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_words_depend_on_the_channel_and_on_both_sides(binding: bytes, one: bytes, other: bytes) -> None:
    words = words_to_compare(binding, one, other)
    assert words[0] in FIRST and words[1] in SECOND and words[2] in FIRST
    flipped = bytes([binding[0] ^ 1]) + binding[1:]
    assert len({words, words_to_compare(flipped, one, other), words_to_compare(binding, other[::-1] + b"x", one)}) >= 2


def test_of_a_long_text_that_is_no_code_the_beginning_is_shown() -> None:
    with pytest.raises(BadCode) as refused:
        read_code("\x1b" + "x" * 61)
    assert str(refused.value).startswith(f"'<U+001B>{'x' * 59}' isn't a code.")


def test_a_letter_of_another_alphabet_is_shown_where_it_is_wrong() -> None:
    with pytest.raises(BadCode, match=re.escape("'7-<U+0430>corn-zebra' isn't a code.")):
        read_code("7-\u0430corn-zebra")


@pytest.mark.parametrize(
    "text", ["7–acorn–zebra", "(7-acorn-zebra).", "7\u2011acorn\u2011ze\u200bbra", "“7—acorn—zebra”"]
)
def test_a_code_is_read_as_it_is_pasted(text: str) -> None:
    assert looks_like_code(text) and read_code(text) == Code(7, "acorn", "zebra")
