"""Settings of which something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.store.files import Home, find_home
from p2pcards.store.settings import INSTEAD, MOST_FAULTS, Settings, load_settings, usable_settings

WRONG = """# mine
name = "Zoe"
port = "many"   # no number

songs = [
  "a.mid",
  7,
]
card_back = "gold"

[options.hearts]
end_score = 50
no_such_rule = true

[events.turn]
bell = false
hook = 1

[events.moonrise]
bell = true

[colours]
table = "green"
text = "#ffffff"
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_what_is_right_counts_and_of_what_is_wrong_the_default(home: Home) -> None:
    home.settings.write_text(WRONG)
    settings, faults = usable_settings(home)
    assert (settings.name, settings.port, settings.songs, settings.card_back) == ("Zoe", 0, (), "shade")
    assert dict(settings.options) == {"hearts": {"end_score": 50}}
    assert settings.events["turn"].bell is False and settings.events["turn"].hook == ""
    assert dict(settings.colours) == {"text": "#ffffff"}
    assert home.settings.read_text() == WRONG
    begin = [f"{home.settings}, line {line}: " for line in (3, 8, 9, 13, 17, 20, 23)]
    assert [fault.startswith(start) for fault, start in zip(faults, begin, strict=True)] == [True] * 7
    assert faults[0] == (f"{home.settings}, line 3: The setting 'port' must be a whole number, not \"many\". {INSTEAD}")


def test_settings_that_are_right_are_those_of_the_file(home: Home) -> None:
    home.settings.write_text('sort = "rank"\npresets.spades = "y"\noptions.spades.winning_score = 300\n')
    assert usable_settings(home) == (load_settings(home), ())


@pytest.mark.parametrize("data", [b"port = ", b"\xff", b"port = 1\nport = 2", b"a = " + b"[" * 100_000])
def test_of_a_file_that_is_no_toml_nothing_counts(home: Home, data: bytes) -> None:
    home.settings.write_bytes(data)
    settings, (fault,) = usable_settings(home)
    assert settings == Settings() and "Can't read" in fault and "Until then, the defaults apply" in fault
    assert home.settings.read_bytes() == data


def test_the_faults_told_are_few(home: Home) -> None:
    home.settings.write_text("".join([f"wrong{number} = 1\n" for number in range(100)]))
    settings, faults = usable_settings(home)
    assert settings == Settings() and len(faults) == MOST_FAULTS


def test_options_that_go_together_do_so_in_any_order(home: Home) -> None:
    text = "nonsense = 1\n[options.pinochle2]\nbonus_roundhouse = true\nroundhouse = true\n"
    home.settings.write_text(text)
    settings, faults = usable_settings(home)
    assert settings.options["pinochle2"] == {"bonus_roundhouse": True, "roundhouse": True} and len(faults) == 1
