"""Who calls by telephone, and what the phone book says of them."""

from __future__ import annotations

import pytest

from p2pcards.daemon.lines import caller_sentence, same_number
from p2pcards.links.modem.hayes import CallerShown
from p2pcards.store.directory import Entry, add_entry, find_entry
from p2pcards.store.files import Home
from rigs.homes import MakeHome


@pytest.fixture
def home(make_home: MakeHome) -> Home:
    return make_home("ann")


@pytest.mark.parametrize(
    ("caller", "sentence"),
    [
        (CallerShown("8015551234", "SMITH ANN"), "Anna (8015551234) is calling."),
        (CallerShown("5559999", "JONES BOB"), "5559999 (JONES BOB) is calling."),
        (CallerShown("5559999"), "5559999 is calling."),
        (CallerShown("", "JONES BOB"), "JONES BOB is calling."),
        (CallerShown(withheld=True), "The caller's number is withheld."),
        (CallerShown(), "The caller's number is unknown."),
    ],
)
def test_a_caller_in_the_directory_is_named_and_noted(home: Home, caller: CallerShown, sentence: str) -> None:
    add_entry(home, Entry("Anna", "9,555-1234"))
    assert caller_sentence(home, caller) == sentence
    assert find_entry(home, "anna").ended == ("they called" if "Anna" in sentence else "")


def test_a_directory_that_cannot_be_read_hides_no_call(home: Home) -> None:
    home.directory.parent.mkdir(parents=True, exist_ok=True)
    home.directory.write_text("no TOML")
    assert caller_sentence(home, CallerShown("5551234")) == "5551234 is calling."


def test_numbers_that_are_the_same_but_for_what_stands_in_front() -> None:
    for one, other in (("555-1234", "5551234"), ("9,555-1234", "8015551234"), ("1 801 555-1234", "555 1234")):
        assert same_number(one, other)
        assert same_number(other, one)
    for one, other in (("5551234", "5551235"), ("1234", "5551234"), ("", ""), ("*", "5551234")):
        assert not same_number(one, other)
