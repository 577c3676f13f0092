"""The phone book by the command."""

from __future__ import annotations

import pytest

from p2pcards.cli.command import Failure
from p2pcards.cli.telephone import number_to_dial
from p2pcards.control.exits import STORAGE, USAGE
from p2pcards.store.directory import Entry, find_entry, note_call
from p2pcards.store.files import Home, find_home
from rigs.program import Program


@pytest.fixture
def home(inside: Program) -> Home:
    return find_home({"P2PCARDS_HOME": str(inside.home)})


def test_entries_are_added_edited_listed_and_removed(inside: Program, home: Home) -> None:
    assert (
        inside.out("directory", "list")
        == "Your phone book is empty. To add a friend: p2pcards directory add Anna 555-1234\n"
    )
    assert inside.out("directory", "add", "bob", " 9,555-1234 ") == "Added bob (9,555-1234).\n"
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
    assert inside.out("directory", "edit", "BOB", "--note", "at work") == "Saved bob: 9,555-1234 (at work).\n"
    inside.out("directory", "edit", "bob", "--name", "Bobby", "--number", "555-0000", "--note", "")
    assert find_entry(home, "bobby") == Entry("Bobby", "555-0000", "", "2026-11-20", "busy")
    assert inside.out("directory", "remove", "anna") == "Removed Anna ((555) 9999).\n"
    assert [one["name"] for one in inside.data("directory", "list")] == ["Bobby"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["add", "cy", "555;1234"],
            "A phone number can't contain ';', which would make the modem wait for another",
        ),
        (["add", "cy", "555\r\nATD112"], "A phone number can't contain the character U+000D."),
        (["add", "cy", "+49 30 1234"], "A modem can't dial '+'."),
        (
            ["add", "cy", "9,112"],
            "9,112 is an emergency number, so p2pcards won't dial it from the phone book. If you re",
        ),
        (["add", "cy", "1" * 37], "The number has 37 characters"),
        (["add", "cy", "555", "--rate", "0"], "You can't call cy with this phone book entry. The line rate must be"),
        (
            ["add", "cy", "555", "--init", "ATD1"],
            "You can't call cy with this phone book entry. p2pcards doesn't send 'D1'",
        ),
        (
            ["add", "cy", "555", "--init", "currier"],
            "You can't call cy with this phone book entry. 'currier' is",
        ),
        (
            ["add", "cy", "555", "--prefix", "9;"],
            "You can't call cy with this phone book entry. A phone number can't contain ';'",
        ),
        (["add", "cy", "555", "--prefix", "9" * 13], "You can't call cy with this phone book entry. The prefix"),
        (["add", "cy", "--note", "x", ""], "A phone number needs at least one digit"),
        (["add", "555", "1"], "'555' is a number, not a name. Choose a name that isn't a number."),
        (["add", "ANNA", "1"], "'Anna' is already in the phone book. Choose another name,"),
        (["add", "a\u202eb", "1"], "That name would be shown as 'ab'. A name must be one line"),
        (
            ["add", "cy", "1", "--note", "\x1b[2J"],
            "The note for 'cy' must be one line of at most 80 visible characters",
        ),
        (["edit", "anna", "--number", "911"], "911 is an emergency number"),
        (["edit", "anna"], "Nothing to change. Add --name, --number, --note or another option."),
        (["edit", "ana", "--note", "x"], "There's no 'ana' in the phone book. Did you mean 'Anna'?"),
        (
            ["remove", "zoe"],
            "There's no 'zoe' in the phone book. See p2pcards directory list",
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
    assert (
        "You can't call bob. A phone number can't contain ';'" in listed
        and "You can't call cy. 112 is an emergency" in listed
    )
    assert [bool(one["fault"]) for one in inside.data("directory", "list")] == [False, True, True]
    assert number_to_dial(find_entry(home, "anna")) == "5551234"
    for name, why in {
        "bob": "You can't call bob. A phone number can't contain ';'",
        "cy": "You can't call cy. 112 is",
    }.items():
        with pytest.raises(Failure, match=f"^{why}") as refused:
            number_to_dial(find_entry(home, name))
        assert refused.value.code == USAGE
    inside.out("directory", "edit", "bob", "--number", "555-0000")
    assert number_to_dial(find_entry(home, "bob")) == "5550000"


def test_a_file_that_cannot_be_read_is_a_sentence_and_kept(inside: Program, home: Home) -> None:
    inside.home.mkdir()
    home.directory.write_text('[anna]\nnubmer = "1"\n')
    for words in (["list"], ["add", "bob", "1"], ["remove", "anna"]):
        code, said = inside.refused("directory", *words)
        assert code == STORAGE
        sentence = "The entry 'anna' can't have a field 'nubmer'. Did you mean 'number'?"
        assert said == f"{home.directory}: {sentence}\n"
    assert home.directory.read_text() == '[anna]\nnubmer = "1"\n'
