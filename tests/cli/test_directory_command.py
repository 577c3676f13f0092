"""The dialling directory by the command."""

from __future__ import annotations

import pytest

from p2pcards.cli.command import Failure
from p2pcards.cli.telephone import number_of
from p2pcards.control.exits import STORAGE, USAGE
from p2pcards.store.directory import Entry, find_entry, note_call
from p2pcards.store.files import Home, find_home
from rigs.program import Program


@pytest.fixture
def home(inside: Program) -> Home:
    return find_home({"P2PCARDS_HOME": str(inside.home)})


def test_entries_are_added_edited_listed_and_removed(inside: Program, home: Home) -> None:
    assert inside.out("directory", "list") == "Nobody is in it yet.\n"
    assert inside.out("directory", "add", "bob", " 9,555-1234 ") == "bob has the number 9,555-1234.\n"
    inside.out("directory", "add", "Anna", "(555) 9999", "--note", "after eight")
    note_call(home, "bob", "2026-11-20", "busy")
    assert inside.out("directory", "list").splitlines() == [
        "name  number      last call         note",
        "Anna  (555) 9999  -                 after eight",
        "bob   9,555-1234  2026-11-20: busy",
    ]
    assert inside.data("directory", "list")[1] == {
        "name": "bob",
        "number": "9,555-1234",
        "note": "",
        "last_call": "2026-11-20",
        "ended": "busy",
        "rate": None,
        "init": [],
        "prefix": None,
        "grace": None,
        "fault": "",
    }
    assert inside.out("directory", "edit", "BOB", "--note", "at work") == "bob has the number 9,555-1234 (at work).\n"
    inside.out("directory", "edit", "bob", "--name", "Bobby", "--number", "555-0000", "--note", "")
    assert find_entry(home, "bobby") == Entry("Bobby", "555-0000", "", "2026-11-20", "busy")
    assert inside.out("directory", "remove", "anna") == "Anna with the number (555) 9999 is removed.\n"
    assert [one["name"] for one in inside.data("directory", "list")] == ["Bobby"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["add", "cy", "555;1234"],
            "';' (with which a modem would wait for another command) cannot stand in a telephone",
        ),
        (["add", "cy", "555\r\nATD112"], "The character U+000D cannot stand in a telephone number."),
        (["add", "cy", "+49 30 1234"], "A modem cannot dial '+'."),
        (
            ["add", "cy", "9,112"],
            "9,112 is an emergency number, which nothing may dial for you. When you truly mean it",
        ),
        (["add", "cy", "1" * 37], "The number has 37 characters"),
        (["add", "cy", "555", "--rate", "0"], "cy cannot be called with what the directory says. 0 is not a rate of a"),
        (["add", "cy", "555", "--init", "ATD1"], "cy cannot be called with what the directory says. 'D1' is not sent"),
        (
            ["add", "cy", "555", "--init", "currier"],
            "cy cannot be called with what the directory says. 'currier' is",
        ),
        (["add", "cy", "555", "--prefix", "9;"], "cy cannot be called with what the directory says. ';' (with which"),
        (["add", "cy", "555", "--prefix", "9" * 13], "cy cannot be called with what the directory says. The prefix"),
        (["add", "cy", "--note", "x", ""], "A telephone number needs at least one digit"),
        (["add", "555", "1"], "'555' is a number, not a name. Take a name that nobody could want to dial."),
        (["add", "ANNA", "1"], "'Anna' is in the dialling directory already. Take another name,"),
        (["add", "a\u202eb", "1"], "A name in the dialling directory would be shown as 'ab'. A name is one line"),
        (["add", "cy", "1", "--note", "\x1b[2J"], "The note of 'cy' must be one line of at most 80 characters"),
        (["edit", "anna", "--number", "911"], "911 is an emergency number"),
        (["edit", "anna"], "What shall be changed? Add --name, --number, --note or another option."),
        (["edit", "ana", "--note", "x"], "Nobody is called 'ana' in the dialling directory. Did you mean 'Anna'?"),
        (
            ["remove", "zoe"],
            "Nobody is called 'zoe' in the dialling directory. 'p2pcards directory list' lists who is in",
        ),
        (["remve", "zoe"], "No such command 'remve'. Did you mean 'remove'?"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(
    inside: Program, home: Home, words: list[str], sentence: str
) -> None:
    inside.out("directory", "add", "Anna", "555-1234")
    before = home.directory.read_bytes()
    code, said = inside.refused("directory", *words)
    assert code == USAGE and said.startswith(sentence)
    assert home.directory.read_bytes() == before


def test_a_number_that_an_edited_file_holds_is_checked_before_it_is_dialled(inside: Program, home: Home) -> None:
    inside.out("directory", "add", "Anna", "(555) 1234")
    with home.directory.open("a") as file:
        file.write('[bob]\nnumber = "555;H"\n[cy]\nnumber = "112"\n')
    listed = inside.out("directory", "list")
    assert "bob cannot be called. ';' (with which" in listed and "cy cannot be called. 112 is an emergency" in listed
    assert [bool(one["fault"]) for one in inside.data("directory", "list")] == [False, True, True]
    assert number_of(find_entry(home, "anna")) == "5551234"
    for name, why in {"bob": "bob cannot be called. ';'", "cy": "cy cannot be called. 112 is"}.items():
        with pytest.raises(Failure, match=f"^{why}") as refused:
            number_of(find_entry(home, name))
        assert refused.value.code == USAGE
    inside.out("directory", "edit", "bob", "--number", "555-0000")
    assert number_of(find_entry(home, "bob")) == "5550000"


def test_a_file_that_cannot_be_read_is_a_sentence_and_kept(inside: Program, home: Home) -> None:
    inside.home.mkdir()
    home.directory.write_text('[anna]\nnubmer = "1"\n')
    for words in (["list"], ["add", "bob", "1"], ["remove", "anna"]):
        code, said = inside.refused("directory", *words)
        assert code == STORAGE
        sentence = "The entry 'anna' cannot have a field 'nubmer'. Did you mean 'number'?"
        assert said == f"{home.directory}: {sentence}\n"
    assert home.directory.read_text() == '[anna]\nnubmer = "1"\n'
