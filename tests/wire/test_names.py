"""Names made harmless, compared by how they look, and told apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.wire.header import NAME
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.names import given_name, key_letters, known_by_look, look, shown_names, without_mark

ANN, EVE, BOB = (bytes([number]) * 32 for number in (1, 2, 3))


@pytest.mark.parametrize(
    "alike",
    ["ann", "ANN", "Ａｎｎ", "Аnn", "𝐀nn", "A\u0301nn", "Ann.", "A-n-n", "Ａnn ", "Αnn", "ᎪΝΝ", "A\u200dnn"],
)
def test_what_looks_the_same_has_one_look(alike: str) -> None:
    assert look(alike) == look("Ann")


@pytest.mark.parametrize("pair", [("Bill", "BiII"), ("Bob", "B0b"), ("Max", "Мах"), ("Tom", "Tоrn"), ("Wim", "VVim")])
def test_letters_that_look_like_others_count_as_those(pair: tuple[str, str]) -> None:
    assert look(pair[0]) == look(pair[1])


def test_names_that_look_different_stay_different() -> None:
    names = ["Ann", "Anna", "Ann 2", "Bob", "Иван", "Пётр", "山田", "さくら", "Ελένη", "!", "?", "🎲", "2"]
    assert len({look(name) for name in names}) == len(names)


@given(st.text(max_size=40) | st.text("Ann()[]{}（）✓\x1b[31m\u202e \u0301", max_size=40))
def test_a_given_name_has_no_status_of_ours(text: str) -> None:
    name = given_name(text)
    assert len(name) <= NAME and given_name(name) == name
    assert not [
        char for char in name if unicodedata.category(char) in ("Ps", "Pe", "Cc", "Cf", "Cs") or char in "✓✔✅☑"
    ]
    (shown,) = shown_names([(ANN, text)], known_by_look([(BOB, name or "somebody")]))
    assert shown.endswith(f" [{key_letters(ANN)}]") and len(shown) <= NAME and without_mark(shown) in name + "somebody"


def test_who_is_known_by_a_name_has_it_for_themself() -> None:
    known = known_by_look([(ANN, "Ann")])
    assert shown_names([(ANN, "Ann"), (EVE, "Ann"), (BOB, "Bob")], known) == ("Ann", f"Ann [{key_letters(EVE)}]", "Bob")
    assert shown_names([(EVE, "Аnn"), (b"", "Ann")], known) == (f"Аnn [{key_letters(EVE)}]", "Ann [?]")
    assert fingerprint(EVE).startswith(key_letters(EVE))


def test_strangers_who_look_the_same_are_told_apart() -> None:
    assert shown_names([(EVE, "Sue"), (BOB, "Ѕue")], {}) == (f"Sue [{key_letters(EVE)}]", f"Ѕue [{key_letters(BOB)}]")


def test_two_known_by_names_that_look_the_same_are_told_apart() -> None:
    known = known_by_look([(ANN, "Ann"), (EVE, "ANN.")])
    assert shown_names([(ANN, "Ann"), (EVE, "Ann")], known) == (
        f"Ann [{key_letters(ANN)}]",
        f"Ann [{key_letters(EVE)}]",
    )


def test_a_status_that_a_name_pretends_is_gone() -> None:
    assert given_name("Ann (trusted)") == "Ann trusted"
    assert given_name("Ann ✓") == "Ann"
    assert given_name("Ann [abcd-efgh]") == "Ann abcd-efgh"
