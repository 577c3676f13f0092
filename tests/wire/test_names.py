"""Names made harmless, compared by how they look, and told apart."""

from __future__ import annotations

import json
import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making.lookalikes import UNICODE, table
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.lookalikes import LOOKALIKES
from p2pcards.wire.names import given_name, key_letters, known_by_look, look, looks, shown_names, without_mark
from p2pcards.wire.records import NAME

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


def without_direction(text: str) -> str:
    return "".join([char for char in text if unicodedata.category(char) != "Cf"])


def test_every_letter_and_figure_of_unicodes_own_list_looks_like_what_the_list_says() -> None:
    """A law over all of confusables.txt, as an independent package has it."""
    listed = json.loads((files("homoglyphs_fork") / "confusables.json").read_text())
    pairs = {(without_direction(one), without_direction(other)) for one, others in listed.items() for other in others}
    ours = [(one, other) for one, other in pairs if one.isascii() and one.isalnum()]
    letters = [pair for pair in pairs if all(len(text) == 1 and text.isalnum() for text in pair)]
    assert len(ours) > 1400 and len(letters) > 6500
    assert [pair for pair in {*ours, *letters} if not looks(pair[0]) & looks(pair[1])] == []


@pytest.mark.skipif(unicodedata.unidata_version != UNICODE, reason="made by a Python that knows Unicode 14")
def test_the_table_is_what_the_script_makes_of_the_list() -> None:
    assert table() == LOOKALIKES


@given(st.text(max_size=30), st.text("Bil|!×-2 trusted\u0301Аа", max_size=24))
def test_a_name_has_few_looks_and_its_own_capitals_look_like_it(anything: str, name: str) -> None:
    for one in (anything, name):
        assert 1 <= len(looks(one)) <= 33
        assert looks(one) & looks(one.casefold()) and looks(one)


@pytest.mark.parametrize(
    ("known", "alike"),
    [
        *[("Bill", one) for one in ("Bi|l", "Bi!l", "B!||", "Bill-2", "Bill 2", "Bill trusted", "Bill (trusted)")],
        *[
            ("Bill", one)
            for one in ("BiII", "Вill", "Bill!", "trusted Bill", "Bill - code - 3", "Bі|l_2", "B𝗂ll known")
        ],
        ("Max", "Ma×"),
        *[
            ("Bob", "8ob"),
            ("Sam", "5am"),
            ("Eva", "3va"),
            ("Eva", "3v4"),
            ("Zoe", "20e"),
            ("Gus", "9u5"),
            ("Ted", "7ed"),
        ],
        *[("Bob", "８0８"), ("3va", "Eva")],
        ("Bi|l", "Bill"),
        ("Ελένη", "ΕΛΕΝΗ"),
    ],
)
def test_a_name_that_could_be_taken_for_a_known_one_has_a_mark(known: str, alike: str) -> None:
    people = known_by_look([(ANN, known)])
    assert shown_names([(ANN, known), (EVE, alike)], people)[0] == known
    (shown,) = shown_names([(EVE, alike)], people)
    assert shown.endswith(f" [{key_letters(EVE)}]")


@pytest.mark.parametrize("other", ["Billy", "Will", "Trusted", "Bob 2", "Jill", "2", "trusted", "!"])
def test_a_name_that_could_not_has_none(other: str) -> None:
    assert shown_names([(EVE, other)], known_by_look([(ANN, "Bill")])) == (other,)


def test_a_number_behind_ones_own_name_is_no_mark() -> None:
    own = known_by_look([(BOB, "Bob")])
    assert shown_names([(BOB, "Bob"), (EVE, "Bob 2")], {}, own) == ("Bob", "Bob 2")
