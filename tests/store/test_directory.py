"""The phone book: written for people, read strictly."""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.store.directory import (
    LINE_LIMIT,
    NUMBER_LIMIT,
    DirectoryError,
    Entry,
    add_entry,
    by_name,
    change_entry,
    find_entry,
    load_directory,
    note_call,
    remove_entry,
)
from p2pcards.store.files import Home, StoreError, clean_name, find_home

ANNA = Entry("Anna", "555-1234", "after eight")
BEA = Entry("bea", "9,555 0000")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


@pytest.fixture
def filled(home: Home) -> Home:
    add_entry(home, BEA)
    add_entry(home, ANNA)
    return home


def test_nobody_is_in_it_at_first_and_no_file_is_made(home: Home) -> None:
    assert load_directory(home) == ()
    assert not home.directory.exists()
    assert home.directory.parent == home.settings.parent


def test_entries_are_added_found_changed_and_removed(filled: Home) -> None:
    assert load_directory(filled) == (ANNA, BEA)
    assert find_entry(filled, "anna") == ANNA
    assert by_name(load_directory(filled), "BEA") == BEA
    assert by_name(load_directory(filled), "555-1234") is None
    changed = change_entry(filled, "ANNA", name="anna b.", number="555-9999", note="")
    assert changed == Entry("anna b.", "555-9999")
    assert remove_entry(filled, "Bea") == BEA
    assert load_directory(filled) == (changed,)


def test_an_entry_may_be_written_otherwise_in_capitals_than_before(filled: Home) -> None:
    assert change_entry(filled, "anna", name="ANNA").name == "ANNA"


def test_a_name_that_nobody_has_gets_the_nearest(filled: Home) -> None:
    uses: list[Callable[[], object]] = [
        lambda: find_entry(filled, "Ana"),
        lambda: remove_entry(filled, "Ana"),
        lambda: change_entry(filled, "Ana", note="x"),
        lambda: note_call(filled, "Ana", "2026-11-20", "busy"),
    ]
    for use in uses:
        with pytest.raises(DirectoryError, match=r"^There's no 'Ana' in the phone book\.$") as unknown:
            use()
        assert unknown.value.advice == "Did you mean 'Anna'?"
    with pytest.raises(DirectoryError, match=r"^There's no 'x'") as unknown:
        find_entry(filled, "\x1b[2Jx")
    assert unknown.value.advice == "See p2pcards directory list."
    assert load_directory(filled) == (ANNA, BEA)


def test_a_call_is_noted_in_one_harmless_line(filled: Home) -> None:
    assert note_call(filled, "anna", "2026-11-20", "busy") == replace(ANNA, last_call="2026-11-20", ended="busy")
    noise = "NO\r\n\x1b[2JCARRIER \u202e" + "x" * LINE_LIMIT
    ended = note_call(filled, "anna", "2026-11-21", noise).ended
    assert ended.startswith("NO [2JCARRIER xx") and len(ended) == LINE_LIMIT
    anna, bea = load_directory(filled)
    assert anna == replace(ANNA, last_call="2026-11-21", ended=ended)
    assert bea == BEA


def test_a_person_can_read_the_file(filled: Home) -> None:
    note_call(filled, "anna", "2026-11-20", "busy")
    head, _, *lines = filled.directory.read_text().splitlines()
    assert head.startswith("# The p2pcards phone book")
    assert lines == [
        '["Anna"]',
        'number = "555-1234"',
        'note = "after eight"',
        'last_call = "2026-11-20"',
        'ended = "busy"',
        "",
        '["bea"]',
        'number = "9,555 0000"',
    ]
    assert filled.directory.stat().st_mode & 0o777 == 0o600


def test_a_person_can_write_the_file(home: Home) -> None:
    home.directory.write_text('# mine\n[zoe]\nnumber = "1"\nnote = \'say "hi"\'\n[Anna]\nnumber = "555-1234"\n')
    assert load_directory(home) == (Entry("Anna", "555-1234"), Entry("zoe", "1", 'say "hi"'))


REFUSED = [
    (Entry("", "1"), "That name would be shown as 'stranger'."),
    (Entry("--x", "1"), "That name would be shown as 'x'."),
    (Entry("a\u202eb", "1"), "That name would be shown as 'ab'."),
    (Entry("x" * 25, "1"), f"That name would be shown as '{'x' * 24}'."),
    (Entry("9w555-1234", "1"), "'9w555-1234' is a number, not a name."),
    (Entry("112", "1"), "'112' is a number, not a name."),
    (Entry("Bea", "1"), "'bea' is already in the phone book."),
    (Entry("cy", ""), "The number for 'cy' must be 1 to 64 characters long."),
    (Entry("cy", "1" * (NUMBER_LIMIT + 1)), "The number for 'cy' must be 1 to 64 characters long."),
    (Entry("cy", "1\r"), "The number for 'cy' can't contain '\\r'."),
    (Entry("cy", "1\x7f"), "The number for 'cy' can't contain '\\x7f'."),
    (Entry("cy", "555–1"), "The number for 'cy' can't contain '–'."),
    (Entry("cy", "٣"), "The number for 'cy' can't contain '٣'."),
    (Entry("cy", "1", note="a\nb"), "The note for 'cy' must be one line of at most 80 visible characters"),
    (Entry("cy", "1", last_call="\x1b"), "The last call for 'cy' must be one line of at most 80 visible characters"),
    (Entry("cy", "1", ended="x" * (LINE_LIMIT + 1)), "The last call's end for 'cy' must be one line of at most 80"),
]


@pytest.mark.parametrize(("entry", "sentence"), REFUSED)
def test_an_entry_that_cannot_stand_there_is_refused(filled: Home, entry: Entry, sentence: str) -> None:
    before = filled.directory.read_bytes()
    with pytest.raises(DirectoryError) as refused:
        add_entry(filled, entry)
    assert str(refused.value).startswith(sentence)
    with pytest.raises(DirectoryError) as refused:
        change_entry(filled, "anna", **asdict(entry))
    assert str(refused.value).startswith(sentence)
    assert filled.directory.read_bytes() == before


def test_the_name_of_another_is_taken(filled: Home) -> None:
    with pytest.raises(DirectoryError, match="'bea' is already in the phone book"):
        change_entry(filled, "anna", name="BEA")


GOOD = '["Anna"]\nnumber = "1"\n'


@pytest.mark.parametrize(
    ("text", "sentence", "advice"),
    [
        (
            'anna = "1"',
            "The entry 'anna' isn't a table.",
            'Write ["anna"] on one line and number = "..." on the next.',
        ),
        ('number = "1"\nx = 1', "The entry 'number' isn't a table.", ""),
        ("[anna]", "The entry 'anna' has no number.", "Fix the entry."),
        ("[anna]\nnumber = 5551234", "'number' in the entry 'anna' must be a quoted string.", ""),
        ('[anna]\nnubmer = "1"', "The entry 'anna' can't have a field 'nubmer'.", "Did you mean 'number'?"),
        ('[anna.b]\nnumber = "1"', "The entry 'anna' can't have a field 'b'.", ""),
        ('[anna]\nname = "b"\nnumber = "1"', "The entry 'anna' can't have a field 'name'.", ""),
        (f"{GOOD}last_call = 2026-11-20", "'last_call' in the entry 'Anna' must be a quoted string.", ""),
        (f'{GOOD}["ANNA"]\nnumber = "2"', "'Anna' is already in the phone book.", ""),
        (f'{GOOD}["b\\u001b[2J"]\nnumber = "2"', "That name would be shown as 'b'.", ""),
        (f'{GOOD}[b]\nnumber = "1\\rATD112"', "The number for 'b' can't contain '\\r'.", ""),
        (f'{GOOD}[b]\nnumber = ""', "The number for 'b' must be 1 to 64 characters long.", ""),
    ],
)
def test_a_file_with_an_entry_that_cannot_stand_there_is_refused_and_kept(
    home: Home, text: str, sentence: str, advice: str
) -> None:
    home.directory.write_text(text)
    for use in (lambda: load_directory(home), lambda: add_entry(home, BEA), lambda: note_call(home, "anna", "", "")):
        with pytest.raises(StoreError) as refused:
            use()
        assert not isinstance(refused.value, DirectoryError), "it is the file that is wrong, not what was asked"
        assert str(refused.value) == f"{home.directory}: {sentence}"
        assert refused.value.advice.startswith(advice) and refused.value.advice
    assert home.directory.read_text() == text


@pytest.mark.parametrize("data", [b"[anna", b"\xff", b"[a]\n[a]", b"a = " + b"[" * 100_000, b"[anna]\nnumber = '\x1b'"])
def test_a_file_that_is_no_toml_is_refused_and_kept(home: Home, data: bytes) -> None:
    home.directory.write_bytes(data)
    with pytest.raises(StoreError, match="Can't read") as refused:
        add_entry(home, ANNA)
    assert "Fix the line" in refused.value.advice and str(refused.value).isprintable()
    assert home.directory.read_bytes() == data


NAME = st.text(max_size=30).map(clean_name)
LINE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=LINE_LIMIT)
NUMBER = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=NUMBER_LIMIT)


@given(st.lists(st.builds(Entry, NAME, NUMBER, LINE, LINE, LINE), max_size=4))
def test_what_is_written_is_toml_and_comes_back(tmp_path_factory: pytest.TempPathFactory, entries: list[Entry]) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    added = set()
    for entry in entries:
        try:
            add_entry(home, entry)
        except DirectoryError as refused:
            assert "is a number" in str(refused) or by_name(load_directory(home), entry.name)
        else:
            added.add(entry)
    assert set(load_directory(home)) == added
    if added:
        assert set(tomllib.loads(home.directory.read_text())) == {entry.name for entry in added}


@settings(max_examples=200)
@given(
    st.binary(max_size=60)
    | st.text(alphabet="[]\"'=\n.#\\anumber1 ", max_size=60).map(str.encode)
    | st.dictionaries(st.text(max_size=6), st.text(max_size=6), max_size=3).map(
        lambda table: GOOD.encode() + "\n".join(f'"{key}" = "{value}"' for key, value in table.items()).encode()
    )
)
def test_whatever_stands_in_the_file_is_an_entry_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    home.directory.write_bytes(data)
    try:
        entries = load_directory(home)
    except StoreError as refused:
        assert str(refused).isprintable() and refused.advice.isprintable()
    else:
        assert all(find_entry(home, entry.name) == entry for entry in entries)


ADD = """
import sys
from p2pcards.store.directory import Entry, add_entry
from p2pcards.store.files import find_home
home = find_home({"P2PCARDS_HOME": sys.argv[1]})
for line in sys.stdin:
    add_entry(home, Entry(line.strip(), "1"))
"""


def test_processes_that_write_at_once_lose_no_entry(home: Home) -> None:
    names = [f"n{number}" for number in range(20)]
    writers = [
        subprocess.Popen([sys.executable, "-c", ADD, str(home.config)], stdin=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for number, writer in enumerate(writers):
        assert writer.stdin
        writer.stdin.write("".join(name + "\n" for name in names[number::2]))
        writer.stdin.close()
    assert [writer.wait() for writer in writers] == [0, 0]
    assert {entry.name for entry in load_directory(home)} == set(names)
