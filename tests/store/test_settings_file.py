"""One setting changed: what was meant, and nothing else of the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.store.files import Home, StoreError, clean_name, find_home
from p2pcards.store.settings import (
    FLOWS,
    INIT_LIMIT,
    SPEEDS,
    SettingError,
    Settings,
    clear_setting,
    declared_settings,
    find_setting,
    list_settings,
    load_settings,
    make_file,
    read_value,
    set_setting,
    state_setting,
)
from rigs.in_part import examples, naming


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def put(home: Home, key: str, *words: str) -> Settings:
    """As the command does it."""
    found = find_setting(key)
    return set_setting(home, found, read_value(found, words))


def of_each_setting() -> list[tuple[str, list[str]]]:
    """Every declared setting by a name that it can have, with the example of its declaration."""
    named = {"GAME": "hearts", "OPTION": "end_score", "EVENT": "knock", "DEVICE": "/dev/ttyS0", "PART": "table"}
    found = []
    for one in declared_settings():
        name = ".".join(named.get(part, part) for part in one.name.split("."))
        found.append((name, one.example.strip("'").split() if one.default == () else [one.example.strip("'")]))
    return found


def test_each_setting_takes_the_example_of_its_declaration_and_is_taken_back(home: Home) -> None:
    for key, words in of_each_setting():
        with naming(key):
            check_example(home, key, words)


def check_example(home: Home, key: str, words: list[str]) -> None:
    found = find_setting(key)
    assert found.name == key
    assert not state_setting(home, found).written
    before = state_setting(home, found).value
    put(home, key, *words)
    stated = state_setting(home, found)
    assert stated.written and stated.value == read_value(found, words) != before
    assert stated in list_settings(home)
    clear_setting(home, found)
    assert (state_setting(home, found).value, state_setting(home, found).written) == (before, False)


LINE = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=30)
COMMAND = st.from_regex(rf"[Aa][Tt][ -~]{{0,{INIT_LIMIT - 2}}}", fullmatch=True)
CHANGE = st.one_of(
    st.tuples(st.just("name"), st.text(max_size=30).map(clean_name)),
    st.tuples(st.sampled_from(["character", "hook", "device"]), LINE),
    st.tuples(st.just("port"), st.integers(0, 65535)),
    st.tuples(st.sampled_from(["bell", "events.turn.bell", "events.exit.bell"]), st.booleans()),
    st.tuples(st.just("events.turn.hook"), LINE),
    st.tuples(st.from_regex(r"presets\.[a-z0-9_-]+", fullmatch=True), LINE),
    st.tuples(LINE.filter(bool).map("devices.{}.speed".format), st.sampled_from(SPEEDS)),
    st.tuples(st.just("options.hearts.end_score"), st.integers(25, 10000)),
    st.tuples(st.just("options.hearts.jack_of_diamonds"), st.booleans()),
    st.tuples(st.just("options.cribbage.counting"), st.sampled_from(["auto", "manual"])),
    st.tuples(st.just("devices./dev/tty.x.flow"), st.sampled_from(FLOWS)),
    st.tuples(st.just("devices./dev/tty.x.init"), st.lists(COMMAND, max_size=3).map(tuple)),
)


@examples(12)
@given(st.lists(CHANGE, max_size=8))
def test_what_is_set_is_toml_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, Any]]
) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    for key, value in changes:
        settings = set_setting(home, find_setting(key), value)
        assert load_settings(home) == settings
    for key, value in dict(changes).items():
        stated = state_setting(home, find_setting(key))
        assert (stated.value, stated.written) == (value, True)
    for key in dict(changes):
        clear_setting(home, find_setting(key))
    assert {one.found.name for one in list_settings(home) if one.written} == set()


OWN = """\
# My settings.
port = 4800  # the router forwards this one

# who I am
name = "Anna"   # not Ann

[presets]
# we play it like this
hearts = "real-deal" # since May

[devices."/dev/ttyS0"] # the old modem
speed = 300
init = [
    "ATM0",  # quiet
]
"""


def test_a_change_leaves_comments_order_and_everything_else(home: Home) -> None:
    home.settings.write_text(OWN)
    put(home, "name", "Zoë")
    put(home, "devices./dev/ttyS0.speed", "2400")
    assert home.settings.read_text() == OWN.replace('"Anna"', '"Zoë"').replace("300", "2400")
    put(home, "bell", "off")
    put(home, "presets.spades", "real-deal")
    changed = home.settings.read_text()
    kept = [line for line in changed.splitlines() if line not in ("bell = false", 'spades = "real-deal"')]
    assert kept == OWN.replace('"Anna"', '"Zoë"').replace("300", "2400").splitlines()
    assert load_settings(home).bell is False and load_settings(home).presets["spades"] == "real-deal"


@pytest.mark.parametrize(
    "text",
    [
        'presets = { hearts = "x" } # short\n',
        'presets.hearts = "x"\n',
        "[presets]\n",
        '[devices]\n[presets]\nhearts="x"\n',
    ],
)
def test_however_a_table_is_written_a_row_can_be_added(home: Home, text: str) -> None:
    home.settings.write_text(text)
    put(home, "presets.spades", "y")
    put(home, "port", "1")
    assert dict(load_settings(home).presets) == ({"hearts": "x"} if "hearts" in text else {}) | {"spades": "y"}
    assert load_settings(home).port == 1


def test_a_file_that_cannot_be_changed_so_is_left_as_it_is(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.settings.write_text("port = 1\n")
    monkeypatch.setattr("tomlkit.toml_document.TOMLDocument.as_string", lambda _self: "port = 3\n", raising=False)
    with pytest.raises(StoreError, match="This command can't change the settings") as refused:
        put(home, "port", "2")
    assert refused.value.advice == "Change the line yourself: p2pcards config edit"
    assert home.settings.read_text() == "port = 1\n"


def test_a_new_file_sets_nothing_and_explains_everything(home: Home) -> None:
    make_file(home)
    text = home.settings.read_text()
    assert tomllib.loads(text) == {}
    for one in declared_settings():
        assert f"# {one.name}: {one.meaning}\n#   Takes {one.takes}, such as {one.example}\n" in text
    assert max(map(len, text.splitlines())) <= 120
    put(home, "port", "4800")
    assert home.settings.read_text() == text + "port = 4800\n"
    make_file(home)
    assert load_settings(home).port == 4800


def test_what_is_not_set_is_taken_back_without_a_trace(home: Home) -> None:
    clear_setting(home, find_setting("port"))
    assert not home.settings.exists()


def test_a_damaged_file_is_never_changed(home: Home) -> None:
    home.settings.write_bytes(b"port = ")
    with pytest.raises(StoreError, match="Can't read"):
        put(home, "port", "1")
    with pytest.raises(StoreError, match="Can't read"):
        clear_setting(home, find_setting("port"))
    assert home.settings.read_bytes() == b"port = "


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("prot", "There's no setting 'prot'. Did you mean 'port'?"),
        ("devices.x.sped", "There's no setting 'devices.x.sped'. Did you mean"),
        ("devices..speed", "There's no setting 'devices..speed'. Did you mean"),
        ("presets", "There's no setting 'presets'. Did you mean 'presets.GAME'?"),
        ("events.knok.bell", "There's no event 'knok'. Did you mean 'knock'?"),
        ("events.knock.bel", "There's no setting 'events.knock.bel'. Did you mean 'events.knock.bell'?"),
        ("port.x", "There's no setting 'port.x'. Did you mean 'port'?"),
        ("", "There's no setting ''. See p2pcards config list."),
    ],
)
def test_what_is_no_setting_is_told_the_nearest(key: str, sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        find_setting(key)
    assert refused.value.with_advice.startswith(sentence)


@pytest.mark.parametrize(
    ("key", "words", "sentence"),
    [
        ("port", ["x"], "The setting 'port' takes a whole number from 0 to 65535, not 'x'."),
        ("port", ["٣"], "The setting 'port' takes a whole number from 0 to 65535, not '٣'."),
        ("port", ["70000"], "The setting 'port' must be 0-65535, not 70000."),
        ("port", ["1", "2"], "The setting 'port' takes one value, not 2."),
        ("bell", ["loud"], "The setting 'bell' takes true or false, not 'loud'."),
        ("name", ["a\u202eb"], "The setting 'name' must be one line of at most 24 visible characters."),
        ("hook", ["a\nb"], "The setting 'hook' must be one line without control characters."),
        ("devices.x.speed", ["301"], "The setting 'speed' of the device 'x' must be one of 300, 600,"),
        ("devices.x.init", ["ATZ", "+++"], "The setting 'init' of the device 'x' must be AT commands"),
        ("options.hearts.end_score", ["5"], "Options of hearts: end_score must be a number from 25 to 10000, not 5."),
        ("options.hearts.end_score", ["x"], "The setting 'options.hearts.end_score' takes 25 to 10000, not 'x'."),
        ("options.hearts.jack_of_diamonds", ["x"], "The setting 'options.hearts.jack_of_diamonds' takes true or false"),
        ("options.cribbage.counting", ["x"], "Options of cribbage: counting must be one of auto, manual, not 'x'."),
        ("presets.Hearts!", ["x"], "The setting 'presets' must name one preset for each game."),
    ],
)
def test_a_wrong_value_is_told_what_is_taken_with_an_example(
    home: Home, key: str, words: list[str], sentence: str
) -> None:
    with pytest.raises(SettingError) as refused:
        put(home, key, *words)
    assert str(refused.value).startswith(sentence)
    assert refused.value.advice.startswith("For example: p2pcards config set ")
    assert not home.settings.exists()
