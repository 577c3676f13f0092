"""What a profile has not set is as the Default profile has it, and else as the program does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.registry import GAMES
from p2pcards.store.files import Home, StoreError, find_home
from p2pcards.store.own_rules import own_options, own_rules, save_rules
from p2pcards.store.profiles import add_profile
from p2pcards.store.settings import (
    SettingError,
    Settings,
    clear_setting,
    find_setting,
    layer_values,
    list_settings,
    load_settings,
    set_setting,
    state_setting,
    usable_settings,
)

HEARTS = GAMES["hearts"]


@pytest.fixture
def default(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


@pytest.fixture
def ann(default: Home) -> Home:
    return add_profile(default, "Ann")


def write(home: Home, text: str) -> None:
    home.config.mkdir(parents=True, exist_ok=True)
    home.settings.write_text(text)


def source(home: Home, name: str) -> str:
    return state_setting(home, find_setting(name)).source


def test_the_chain_of_every_kind_of_setting(default: Home, ann: Home) -> None:
    write(
        default,
        'speed = "slow"\nsort = "rank"\nsongs = ["a.mid"]\n[colours]\ntable = "#101010"\n'
        '[events.knock]\nbell = true\n[events.turn]\nhook = "a"\n[devices.x]\nspeed = 9600\ninit = ["ATM0"]\n',
    )
    write(ann, 'sort = "suit"\n[events.knock]\nhook = "b"\n[devices.x]\nspeed = 300\n')
    found = load_settings(ann)
    assert (found.speed, found.sort, found.songs, found.port) == ("slow", "suit", ("a.mid",), 0)
    assert found.colours == {"table": "#101010"}
    assert (found.events["knock"].bell, found.events["knock"].hook, found.events["turn"].hook) == (True, "b", "a")
    assert (found.devices["x"].speed, found.devices["x"].init) == (300, ("ATM0",))
    sources = {one.found.name: one.source for one in list_settings(ann)}
    assert (sources["speed"], sources["sort"], sources["port"]) == ("Default", "settings.toml", "program")
    assert (sources["events.knock.bell"], sources["events.knock.hook"]) == ("Default", "settings.toml")
    assert sources["devices.x.speed"] == "settings.toml" and sources["devices.x.init"] == "Default"
    assert {one.source for one in list_settings(default)} == {"settings.toml", "program"}


def test_nobody_goes_by_the_name_of_somebody_else(default: Home, ann: Home) -> None:
    write(default, 'name = "Zoe"\ncharacter = "granny"\nspeed = "fast"\n')
    found = load_settings(ann)
    assert (found.name, found.character, found.speed) == ("Ann", "", "fast")
    assert (source(ann, "name"), source(ann, "character")) == ("profile", "program")
    assert load_settings(default).name == "Zoe"
    set_setting(ann, find_setting("name"), "Annie")
    assert (load_settings(ann).name, source(ann, "name")) == ("Annie", "settings.toml")
    clear_setting(ann, find_setting("name"))
    assert load_settings(ann).name == "Ann"


def test_a_change_is_written_to_the_own_file_and_its_comments_stay(default: Home, ann: Home) -> None:
    write(default, '# of all\nspeed = "slow"\n')
    write(ann, "# of Ann\nbell = false # quiet\n")
    assert set_setting(ann, find_setting("forced"), True).speed == "slow"
    assert ann.settings.read_text() == "# of Ann\nbell = false # quiet\nforced = true\n"
    clear_setting(ann, find_setting("speed"))
    set_setting(ann, find_setting("speed"), "normal")
    assert load_settings(ann).speed == "normal" and load_settings(default).speed == "slow"
    clear_setting(ann, find_setting("speed"))
    assert load_settings(ann).speed == "slow" and default.settings.read_text() == '# of all\nspeed = "slow"\n'


def test_options_of_a_game_go_with_its_preset(default: Home, ann: Home) -> None:
    write(default, '[presets]\nhearts = "hearts-deluxe"\n[options.hearts]\nend_score = 50\n')
    assert own_rules(load_settings(ann), HEARTS) == own_rules(load_settings(default), HEARTS)
    assert source(ann, "options.hearts.end_score") == source(ann, "presets.hearts") == "Default"
    write(ann, '[presets]\nhearts = "real-deal"\n')
    own = own_rules(load_settings(ann), HEARTS)
    assert (own.preset, dict(own.values)) == ("real-deal", {})


@pytest.mark.parametrize("below", ["", '[presets]\nhearts = "hearts-deluxe"\n[options.hearts]\nend_score = 50\n'])
@pytest.mark.parametrize("preset", HEARTS.presets)
def test_rules_that_are_saved_are_those_that_are_read(default: Home, ann: Home, below: str, preset: str) -> None:
    write(default, below)
    wanted = HEARTS.presets[preset]
    save_rules(ann, HEARTS, wanted)
    assert own_options(HEARTS, own_rules(load_settings(ann), HEARTS)) == wanted
    write(default, '[presets]\nhearts = "real-deal"\n[options.hearts]\nend_score = 200\n')
    assert own_options(HEARTS, own_rules(load_settings(ann), HEARTS)) == wanted, "whatever the others do later"


@pytest.mark.parametrize("line", ['speed = "fsat"', "prot = 1", "[events.turn]\nbell = 1", "= ["])
def test_a_wrong_value_of_the_default_profile_is_told_with_its_file(default: Home, ann: Home, line: str) -> None:
    write(default, f"bell = false\n{line}\n")
    write(ann, 'sort = "rank"\n')
    for attempt in (load_settings, list_settings, lambda home: set_setting(home, find_setting("forced"), True)):
        with pytest.raises(StoreError) as refused:
            attempt(ann)
        assert str(default.settings) in str(refused.value)
    assert ann.settings.read_text() == 'sort = "rank"\n'
    found, faults = usable_settings(ann)
    assert (found.sort, found.name) == ("rank", "Ann")
    assert len(faults) == 1 and str(default.settings) in faults[0]
    assert found.bell is (line == "= ["), "what is right in it counts"


def test_a_wrong_value_of_ones_own_is_as_in_the_default_profile(default: Home, ann: Home) -> None:
    write(default, 'speed = "slow"\n[events.turn]\nhook = "a"\n')
    write(ann, 'speed = "fsat"\nport = 4800\n[events.turn]\nbell = 1\n')
    with pytest.raises(StoreError, match=r"profiles/ann-1/settings\.toml"):
        load_settings(ann)
    found, faults = usable_settings(ann)
    assert (found.speed, found.port, found.events["turn"].hook) == ("slow", 4800, "a")
    assert [f"{ann.settings}, line {line}: " in fault for line, fault in zip((1, 4), faults, strict=True)] == [True] * 2


def test_a_value_that_is_not_taken_changes_nothing(default: Home, ann: Home) -> None:
    write(ann, "bell = false\n")
    with pytest.raises(SettingError, match="speed"):
        set_setting(ann, find_setting("speed"), "fsat")
    assert ann.settings.read_text() == "bell = false\n" and not default.settings.exists()


def test_a_card_back_is_that_of_the_default_profile_unless_one_is_drawn(default: Home, ann: Home) -> None:
    assert ann.back("own1") == ann.config / "backs" / "own1.txt", "where it would be drawn"
    for home in (default, ann):
        path = home.config / "backs" / "own1.txt"
        path.parent.mkdir(parents=True)
        path.write_text("<>")
        assert ann.back("own1") == path


VALUES = st.recursive(st.integers(0, 2), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3))
TABLES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


@given(TABLES, TABLES)
def test_what_stands_there_counts_before_what_is_below(below: dict[str, object], values: dict[str, object]) -> None:
    merged = layer_values(below, values)
    assert layer_values({}, values) == layer_values(values, {}) == values
    assert layer_values(merged, values) == merged == layer_values(below, merged)
    assert merged.keys() == below.keys() | values.keys()
    assert all(merged[key] == values[key] for key in values if not isinstance(values[key], dict))


def test_without_a_profile_there_is_nothing_below(default: Home) -> None:
    assert load_settings(default) == Settings()
    assert usable_settings(default) == (Settings(), ())
