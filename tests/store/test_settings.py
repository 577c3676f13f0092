"""Settings: written for people, read strictly."""

import tomllib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home, find_home
from p2pcards.store.names import clean_name
from p2pcards.store.settings import (
    FLOWS,
    INIT_LIMIT,
    PACES,
    SPEEDS,
    DeviceSettings,
    Settings,
    change_settings,
    device_settings,
    load_settings,
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_nothing_set_gives_the_defaults_and_writes_no_file(home: Home) -> None:
    assert load_settings(home) == Settings("", "", 0, True, "normal", "", "", {}, {})
    assert not home.settings.exists()


def test_a_change_leaves_the_other_settings(home: Home) -> None:
    change_settings(home, name="Anna", presets={"hearts": "real-deal"})
    change_settings(home, bell=False)
    assert load_settings(home) == Settings(name="Anna", bell=False, presets={"hearts": "real-deal"})


LINE = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=30)


DEVICE = st.builds(
    DeviceSettings,
    speed=st.sampled_from(SPEEDS),
    flow=st.sampled_from(FLOWS),
    init=st.lists(st.from_regex(rf"[Aa][Tt][ -~]{{0,{INIT_LIMIT - 2}}}", fullmatch=True), max_size=3).map(tuple),
    pulse=st.booleans(),
)


@given(
    name=st.just("") | st.text(max_size=30).map(clean_name),
    character=LINE,
    port=st.integers(0, 65535),
    bell=st.booleans(),
    speed=st.sampled_from(tuple(PACES)),
    hook=LINE,
    device=LINE,
    presets=st.dictionaries(st.from_regex("[a-z0-9_-]+", fullmatch=True), LINE, max_size=3),
    devices=st.dictionaries(LINE.filter(bool), DEVICE, max_size=3),
)
def test_what_is_written_is_toml_and_comes_back(tmp_path_factory: pytest.TempPathFactory, **values: Any) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    settings = change_settings(home, **values)
    written = tomllib.loads(home.settings.read_text())
    for device in written["devices"].values():
        device["init"] = tuple(device["init"])
    assert asdict(settings) == asdict(replace(Settings(), **values)) == written
    assert load_settings(home) == settings


def test_the_file_explains_every_setting(home: Home) -> None:
    change_settings(home, name="Anna")
    lines = home.settings.read_text().splitlines()
    for place, line in enumerate(lines):
        if "=" in line and not line.startswith("#"):
            assert lines[place - 1].startswith("# ")
    assert "[presets]" in lines and "[devices]" in lines


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
        ('speed = "slowly"', "The setting 'speed' must be one of slow, normal, fast, off, not 'slowly'.", ""),
        ('hook = "a\\nb"', "The setting 'hook' must be one line without control characters.", ""),
        ("[presets]\nhearts = 1", "The setting 'presets' must name one preset for each game.", ""),
        ('device = "\\u001b[2J"', "The setting 'device' must be one line without control characters.", ""),
        ("[devices]\nx = 1", "The setting 'devices' must have a table of its own for 'x'.", ""),
        ('[devices.""]', "The setting 'devices' must name serial devices, such as /dev/ttyUSB0, not ''.", ""),
        ('[devices."\\n"]', "The setting 'devices' must name serial devices, such as /dev/ttyUSB0, not '\\n'.", ""),
        ("[devices.x]\nsped = 300", "There is no setting 'sped' of the device 'x'.", "Did you mean 'speed'?"),
        ("[devices.x]\npulse = 1", "The setting 'pulse' of the device 'x' must be true or false, not 1.", ""),
        (
            "[devices.x]\nspeed = [2026-11-20]",
            "The setting 'speed' of the device 'x' must be a whole number, not a list.",
            "",
        ),
        (
            '[devices.x]\ninit = "ATZ"',
            "The setting 'init' of the device 'x' must be a list of texts in quotes, not \"ATZ\".",
            "",
        ),
        (
            "[devices.x]\nspeed = 14400",
            "The setting 'speed' of the device 'x' must be one of 300, 600, 1200, 2400, 4800, 9600, 19200, 38400, "
            "57600, 115200, not 14400.",
            "",
        ),
        (
            '[devices.x]\nflow = "cts"',
            "The setting 'flow' of the device 'x' must be one of rtscts, xonxoff, none, not 'cts'.",
            "",
        ),
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


@pytest.mark.parametrize(
    "command", ['"+++"', '"M0"', '"ATM0\\rATD112"', '"AT\\n"', '"ATÜ"', f'"AT{"X" * (INIT_LIMIT - 1)}"', "7", "[]"]
)
def test_what_is_no_at_command_never_gets_to_a_modem(home: Home, command: str) -> None:
    home.settings.write_text(f'[devices.x]\ninit = ["ATZ", {command}]\n')
    with pytest.raises(StoreError, match="'init' of the device 'x' must be commands that begin with AT, of at most 40"):
        load_settings(home)


def test_a_device_has_its_own_settings_and_the_others_the_defaults(home: Home) -> None:
    home.settings.write_text('device = "/dev/ttyS0"\n[devices."/dev/ttyS0"]\nspeed = 2400\ninit = ["ATM0"]\n')
    settings = load_settings(home)
    assert device_settings(settings, settings.device) == DeviceSettings(2400, "rtscts", ("ATM0",), False)
    assert device_settings(settings, "/dev/ttyS1") == DeviceSettings() == DeviceSettings(115200, "rtscts", (), False)
    change_settings(home, name="Anna")
    assert load_settings(home).devices == settings.devices
    with pytest.raises(StoreError, match=r"^The setting 'speed' of the device 'x' must be one of"):
        change_settings(home, devices={"x": DeviceSettings(speed=1)})
    assert load_settings(home).devices == settings.devices
