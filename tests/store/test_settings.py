"""Settings: written for people, read strictly."""

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home, find_home
from p2pcards.store.names import clean_name
from p2pcards.store.settings import Settings, change_settings, load_settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_nothing_set_gives_the_defaults_and_writes_no_file(home: Home) -> None:
    assert load_settings(home) == Settings("", "", 0, True, "", {})
    assert not home.settings.exists()


def test_a_change_leaves_the_other_settings(home: Home) -> None:
    change_settings(home, name="Anna", presets={"hearts": "real-deal"})
    change_settings(home, bell=False)
    assert load_settings(home) == Settings(name="Anna", bell=False, presets={"hearts": "real-deal"})


LINE = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=30)


@given(
    name=st.just("") | st.text(max_size=30).map(clean_name),
    character=LINE,
    port=st.integers(0, 65535),
    bell=st.booleans(),
    hook=LINE,
    presets=st.dictionaries(st.from_regex("[a-z0-9_-]+", fullmatch=True), LINE, max_size=3),
)
def test_what_is_written_is_toml_and_comes_back(tmp_path_factory: pytest.TempPathFactory, **values: Any) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    settings = change_settings(home, **values)
    assert asdict(settings) == values == tomllib.loads(home.settings.read_text())
    assert load_settings(home) == settings


def test_the_file_explains_every_setting(home: Home) -> None:
    change_settings(home, name="Anna")
    lines = home.settings.read_text().splitlines()
    for place, line in enumerate(lines):
        if "=" in line and not line.startswith("#"):
            assert lines[place - 1].startswith("# ")
    assert "[presets]" in lines


@pytest.mark.parametrize(
    ("text", "sentence", "advice"),
    [
        ("prot = 1", "There is no setting 'prot'.", "Did you mean 'port'?"),
        ('port = "1"', "The setting 'port' must be a whole number, not \"1\".", ""),
        ("port = true", "The setting 'port' must be a whole number, not true.", ""),
        ("bell = 1", "The setting 'bell' must be true or false, not 1.", ""),
        ("name = []", "The setting 'name' must be text in quotes, not a list.", ""),
        ('presets = "x"', "The setting 'presets' must be a table of its own, not \"x\".", ""),
        ("port = 65536", "The setting 'port' must be 0-65535, not 65536.", ""),
        ("port = -1", "The setting 'port' must be 0-65535, not -1.", ""),
        ('name = "a\\u202eb"', "The setting 'name' must be one line of at most 24 visible characters.", ""),
        ('hook = "a\\nb"', "The setting 'hook' must be one line without control characters.", ""),
        ("[presets]\nhearts = 1", "The setting 'presets' must name one preset for each game.", ""),
    ],
)
def test_what_is_no_setting_gets_a_sentence(home: Home, text: str, sentence: str, advice: str) -> None:
    home.settings.write_text(text)
    with pytest.raises(StoreError) as refused:
        load_settings(home)
    assert str(refused.value) == f"{home.settings}: {sentence}"
    assert refused.value.advice == advice
    assert home.settings.read_text() == text


@pytest.mark.parametrize("data", [b"port = ", b"\xff", b"port = 1\nport = 2", b"a = " + b"[" * 100_000])
def test_a_file_that_is_no_toml_is_refused_and_kept(home: Home, data: bytes) -> None:
    home.settings.write_bytes(data)
    with pytest.raises(StoreError, match="cannot be read") as refused:
        load_settings(home)
    assert "Repair the line" in refused.value.advice
    with pytest.raises(StoreError, match="cannot be read"):
        change_settings(home, bell=False)
    assert home.settings.read_bytes() == data


def test_a_change_is_checked_before_it_is_written(home: Home) -> None:
    with pytest.raises(StoreError, match=r"^The setting 'port' must be 0-65535, not 70000\.$"):
        change_settings(home, port=70000)
    assert not home.settings.exists()
