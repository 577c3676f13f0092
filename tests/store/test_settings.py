"""Settings: written for people, read strictly."""

from pathlib import Path

import pytest

from p2pcards.store.files import Home, StoreError, find_home
from p2pcards.store.settings import (
    INIT_LIMIT,
    DeviceSettings,
    Settings,
    device_settings,
    event_hooks,
    load_settings,
    rung_events,
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_nothing_set_gives_the_defaults_and_writes_no_file(home: Home) -> None:
    assert load_settings(home) == Settings()
    assert not home.settings.exists()


@pytest.mark.parametrize(
    ("text", "sentence", "advice"),
    [
        ("prot = 1", "There's no setting 'prot'.", "Did you mean 'port'?"),
        ('port = "1"', "The setting 'port' must be a whole number, not \"1\".", ""),
        ("port = true", "The setting 'port' must be a whole number, not true.", ""),
        ("bell = 1", "The setting 'bell' must be true or false, not 1.", ""),
        ("name = []", "The setting 'name' must be a quoted string, not a list.", ""),
        ('presets = "x"', "The setting 'presets' must be a table, not \"x\".", ""),
        ("port = 65536", "The setting 'port' must be 0-65535, not 65536.", ""),
        ("port = -1", "The setting 'port' must be 0-65535, not -1.", ""),
        ('name = "a\\u202eb"', "The setting 'name' must be one line of at most 24 visible characters.", ""),
        ('speed = "slowly"', "The setting 'speed' must be one of slow, normal, fast, off, not 'slowly'.", ""),
        ('hook = "a\\nb"', "The setting 'hook' must be one line without control characters.", ""),
        ("[presets]\nhearts = 1", "The setting 'presets' must name one preset for each game.", ""),
        ('device = "\\u001b[2J"', "The setting 'device' must be one line without control characters.", ""),
        ('ask = "x"', "The setting 'ask' must be one of once, always, never, not 'x'.", ""),
        ('sort = "x"', "The setting 'sort' must be one of suit, rank, trump, off, not 'x'.", ""),
        ('music = "x"', "The setting 'music' must be one of off, single, repeat, cycle, random, game, not 'x'.", ""),
        ('songs = ["a\\nb"]', "The setting 'songs' must be file names without control characters.", ""),
        ("[game_songs]\nhearts = 1", "The setting 'game_songs' must name one file for each game.", ""),
        ("songs = [1]", "The setting 'songs' must be file names without control characters.", ""),
        ("[options.heart]", "There's no game 'heart'.", "Did you mean 'hearts'?"),
        ("[options]\nhearts = 1", "The options for hearts need a table of their own.", ""),
        (
            "[options.hearts]\nend_scor = 50",
            "Options of hearts: There's no option 'end_scor' here. Did you mean 'end_score'?",
            "",
        ),
        (
            "[options.hearts]\nend_score = 5",
            "Options of hearts: end_score must be a number from 25 to 10000, not 5.",
            "",
        ),
        ('[options.hearts]\nend_score = "50"', "Options of hearts: end_score must be 25 to 10000, not '50'.", ""),
        (
            "[options.hearts]\njack_of_diamonds = 1.5",
            "Options of hearts: jack_of_diamonds must be true or false, not 1.5.",
            "",
        ),
        ("[events.knok]\nbell = true", "There's no event 'knok'.", "Did you mean 'knock'?"),
        ("[events.knock]\nbel = true", "There's no setting 'bel' of the event 'knock'.", "Did you mean 'bell'?"),
        ("[events]\nknock = true", "The event 'knock' needs a table of its own.", ""),
        ("[events.knock]\nbell = 1", "The setting 'bell' of the event 'knock' must be true or false, not 1.", ""),
        (
            '[events.knock]\nhook = "a\\nb"',
            "The setting 'hook' of the event 'knock' must be one line without control characters.",
            "",
        ),
        ("[devices]\nx = 1", "The device 'x' needs a table of its own.", ""),
        ('[devices.""]', "The setting 'devices' must name serial devices, such as /dev/ttyUSB0, not ''.", ""),
        ('[devices."\\n"]', "The setting 'devices' must name serial devices, such as /dev/ttyUSB0, not '\\n'.", ""),
        ("[devices.x]\nsped = 300", "There's no setting 'sped' of the device 'x'.", "Did you mean 'speed'?"),
        ("[devices.x]\npulse = 1", "The setting 'pulse' of the device 'x' must be true or false, not 1.", ""),
        (
            "[devices.x]\nspeed = [2026-11-20]",
            "The setting 'speed' of the device 'x' must be a whole number, not a list.",
            "",
        ),
        (
            '[devices.x]\ninit = "ATZ"',
            "The setting 'init' of the device 'x' must be a list of quoted strings, not \"ATZ\".",
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
    with pytest.raises(StoreError, match="Can't read") as refused:
        load_settings(home)
    assert "Fix the line" in refused.value.advice
    assert home.settings.read_bytes() == data


@pytest.mark.parametrize(
    "command", ['"+++"', '"M0"', '"ATM0\\rATD112"', '"AT\\n"', '"ATÜ"', f'"AT{"X" * (INIT_LIMIT - 1)}"', "7", "[]"]
)
def test_what_is_no_at_command_never_gets_to_a_modem(home: Home, command: str) -> None:
    home.settings.write_text(f'[devices.x]\ninit = ["ATZ", {command}]\n')
    with pytest.raises(StoreError, match="'init' of the device 'x' must be AT commands of at most 40"):
        load_settings(home)


def test_a_device_has_its_own_settings_and_the_others_the_defaults(home: Home) -> None:
    home.settings.write_text('device = "/dev/ttyS0"\n[devices."/dev/ttyS0"]\nspeed = 2400\ninit = ["ATM0"]\n')
    settings = load_settings(home)
    assert device_settings(settings, settings.device) == DeviceSettings(2400, "rtscts", ("ATM0",), False)
    assert device_settings(settings, "/dev/ttyS1") == DeviceSettings() == DeviceSettings(115200, "rtscts", (), False)


def test_the_bell_rings_at_the_events_that_are_set_besides_the_usual_ones(home: Home) -> None:
    assert rung_events(load_settings(home)) == {"turn", "joined", "game_won", "game_lost"}
    home.settings.write_text("events.knock.bell = true\nevents.turn.bell = false\n")
    assert rung_events(load_settings(home)) == {"knock", "joined", "game_won", "game_lost"}
    home.settings.write_text("bell = false\nevents.knock.bell = true\n")
    assert rung_events(load_settings(home)) == frozenset()


def test_an_event_has_its_own_command_or_the_usual_one(home: Home) -> None:
    assert event_hooks(load_settings(home)) == {}
    home.settings.write_text('hook = "a"\nevents.turn.hook = "b"\nevents.knock.hook = "c"\n')
    assert event_hooks(load_settings(home)) == {"turn": "b", "joined": "a", "knock": "c"}
