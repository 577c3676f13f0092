"""The page of the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.frontend.option_pages import GROUPS, NotTaken, SettingsPage, Trial, run_config_command
from p2pcards.store.files import Home, find_home
from p2pcards.store.profiles import add_profile
from p2pcards.store.settings import COLOURS, declared_settings, find_setting, load_settings

ELSEWHERE = ("presets", "options", "devices")
"""Settings that have pages or commands of their own."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def rows(page: SettingsPage) -> dict[str, tuple[str, bool]]:
    return {row.key: (row.value, row.usual) for _, group in page.groups() for row in group}


def test_every_setting_stands_in_one_group() -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert len(set(listed)) == len(listed)
    wanted = {one.name.split(".")[0] for one in declared_settings()} - set(ELSEWHERE)
    assert {name.split(".")[0] for name in listed} == wanted
    for name in listed:
        find_setting(name)


def test_every_row_says_what_it_takes(home: Home) -> None:
    for _, group in SettingsPage(home).groups():
        for row in group:
            assert row.meaning.endswith(".") and row.takes and row.usual
            assert not row.values or row.value in row.values
            assert row.label and "_" not in row.label and len(row.label) <= 24
            assert row.shown and row.shown not in ("true", "false")


@pytest.mark.parametrize(
    ("key", "typed", "kept"),
    [
        ("name", " Zoë ", "Zoë"),
        ("forced", "true", "true"),
        ("card_back", "dots", "dots"),
        ("songs", "'a song.mid' b.mid", "'a song.mid' b.mid"),
        ("colours.table", "#000000", "#000000"),
        ("events.knock.bell", "true", "true"),
        ("game_songs.hearts", "waltz.mid", "waltz.mid"),
        ("port", "4800", "4800"),
    ],
)
def test_a_change_is_kept_at_once_and_can_be_taken_back(home: Home, key: str, typed: str, kept: str) -> None:
    page = SettingsPage(home)
    before = rows(page)
    page.change(key, typed)
    assert rows(page)[key] == (kept, False) == rows(SettingsPage(home))[key]
    page.reset(key)
    assert rows(page) == before


def test_a_profile_may_have_what_the_program_has_where_the_default_profile_has_not(tmp_path: Path) -> None:
    default = find_home({"P2PCARDS_HOME": str(tmp_path)})
    for key, value in (("card_back", "dots"), ("stagger", "true"), ("colours.table", "#000000")):
        SettingsPage(default).change(key, value)
    page = SettingsPage(add_profile(default, "Zoe"))
    for key, inherited, program in (
        ("card_back", "dots", "shade"),
        ("stagger", "true", "false"),
        ("colours.table", "#000000", COLOURS["table"]),
        ("card_size", "window", "window"),
    ):
        assert rows(page)[key][0] == inherited
        page.factory(key)
        assert rows(page)[key][0] == program
        page.reset(key)
        assert rows(page)[key] == (inherited, True)


def test_to_start_over_brings_back_what_was_there(home: Home) -> None:
    home.settings.parent.mkdir(exist_ok=True)
    home.settings.write_text('# mine\nsuits = "two"\n')
    page = SettingsPage(home)
    before = rows(page)
    for key, value in (("suits", "none"), ("suits", "four"), ("colours.face", "#ffffff"), ("port", "1")):
        page.change(key, value)
    page.reset("suits")
    page.undo_all()
    assert rows(page) == before and home.settings.read_text().startswith('# mine\nsuits = "two"\n')


@pytest.mark.parametrize(
    ("key", "typed", "why"),
    [
        ("port", "many", "takes a whole number"),
        ("port", "70000", "must be 0-65535"),
        ("colours.table", "green", "must be written as #rrggbb"),
        ("name", "x" * 100, "at most 24 visible characters"),
        ("songs", "'half", "The quotes in ''half' don't match"),
    ],
)
def test_what_is_not_taken_changes_nothing(home: Home, key: str, typed: str, why: str) -> None:
    page = SettingsPage(home)
    with pytest.raises(NotTaken, match=why):
        page.change(key, typed)
    assert not home.settings.exists()


def test_config_at_a_table_tells_and_sets(home: Home) -> None:
    page = SettingsPage(home)
    assert "speed = normal: computer speed" in run_config_command(page, ())
    assert run_config_command(page, ("speed", "slow"))[0] == "speed = slow: computer speed"
    assert load_settings(home).speed == "slow"
    with pytest.raises(NotTaken, match="There's no setting 'sped'"):
        run_config_command(page, ("sped",))
    with pytest.raises(NotTaken, match="To see why: p2pcards config list"):
        run_config_command(None, ())


def test_what_can_be_heard_can_be_tried(home: Home) -> None:
    page = SettingsPage(home)
    assert page.trial("name") is None and page.trial("events.turn.bell") == Trial(
        bell=True, environment={"P2PCARDS_EVENT": "turn", "P2PCARDS_TABLE": ""}
    )
    for key in ("speech", "player", "events.knock.hook"):
        with pytest.raises(NotTaken, match="Nothing to try"):
            page.trial(key)
    for key, value in (
        ("speech", "espeak"),
        ("player", "play"),
        ("songs", "a.mid b.mid"),
        ("events.knock.hook", "x y"),
    ):
        page.change(key, value)
    assert page.trial("speech") == Trial(command="espeak", text="This is p2pcards.\n")
    assert page.trial("songs") == Trial(command="play", arguments=("a.mid",))
    knock = page.trial("events.knock.hook")
    assert knock is not None and knock.command == "x y" and not knock.bell
