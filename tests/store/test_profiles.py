"""Profiles: their names and folders, who plays, and what is left when a process dies between two steps."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2pcards.store.files import SOCKET_PATH_LIMIT, Home, StoreError, clean_name, find_home, home_below, make_folders
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.profiles import (
    LAST_FILE,
    NAME_FILE,
    VARIABLE,
    ProfileError,
    add_profile,
    chosen_home,
    find_profile,
    list_profiles,
    remove_profile,
    rename_profile,
    switch_to,
)
from p2pcards.store.settings import find_setting, set_setting
from p2pcards.wire.names import given_name, look
from rigs.hostile_text import HOSTILE

FOLDER = re.compile(r"[a-z0-9-]{3,40}")
RESERVED = {"con", "nul", "aux", "prn", "com1", "lpt1", ".", ".."}


def default_in(folder: Path) -> Home:
    """The Default profile, whose settings are apart from its games as they usually are."""
    return find_home({"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")})


@pytest.fixture
def default(tmp_path: Path) -> Home:
    return default_in(tmp_path)


def names(default: Home) -> list[str]:
    return [home.profile for home in list_profiles(default).homes]


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}


# --- adding ----------------------------------------------------------------------------------------------------------


def test_there_is_a_default_profile_and_nothing_is_written(default: Home, tmp_path: Path) -> None:
    assert list_profiles(default) == ((default,), ())
    assert (default.profile, default.fallback) == ("Default", None)
    assert chosen_home({"HOME": str(tmp_path)}).profile == "Default"
    assert list(tmp_path.iterdir()) == []


def test_a_profile_has_everything_of_its_own(default: Home) -> None:
    ann, bob = add_profile(default, "Ann"), add_profile(default, "Bob")
    assert names(default) == ["Default", "Ann", "Bob"]
    for one in (ann, bob):
        make_folders(one)
        assert one.state.parent.parent == default.state and one.config.parent.parent == default.config
        assert {folder.stat().st_mode & 0o777 for folder in (one.state, one.config, one.state.parent)} == {0o700}
        assert one.fallback == default.settings
    homes = (default, ann, bob)
    kept = [(home.identity, home.peers, home.settings, home.logs, home.socket, home.lock) for home in homes]
    assert len({path for paths in kept for path in paths}) == 18
    assert len({load_or_make_identity(home).private_bytes_raw() for home in homes}) == 3


@pytest.mark.parametrize("count", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_many_profiles(default: Home, count: int) -> None:
    made = [add_profile(default, f"Player {chr(0x4E00 + number)}") for number in range(count)]
    assert len({home.state for home in made}) == count
    assert set(names(default)) == {"Default", *[home.profile for home in made]}


@settings(max_examples=200)
@given(st.text(min_size=1, max_size=24) | st.text("aA1-./ éß", min_size=1, max_size=24) | HOSTILE)
@example("CON")
@example("nul")
@example("..")
@example("a/b")
@example("ﷺ" * 24)
@example("🂡" * 24)
@example("Zoe\u0301")
def test_any_name_that_others_can_see_has_a_safe_folder(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    default = default_in(tmp_path_factory.mktemp("home"))
    try:
        home = add_profile(default, name)
    except ProfileError as refused:
        bare = unicodedata.normalize("NFC", name.strip(" "))
        wrong = clean_name(bare) != bare or given_name(bare) != bare
        assert wrong or look(bare) == look("Default"), refused
        assert names(default) == ["Default"]
        return
    assert home.profile == unicodedata.normalize("NFC", name.strip(" ")) == given_name(home.profile)
    assert FOLDER.fullmatch(home.state.name) and home.state.name not in RESERVED
    assert home.state.parent == default.state / "profiles"
    assert len(os.fsencode(home.socket)) <= SOCKET_PATH_LIMIT
    assert list_profiles(default) == ((default, home), ())
    assert find_profile(default, name.strip(" ").upper()) == home or name.upper().casefold() != name.casefold()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("Ann", "Ann"), ("Ann", "ANN"), ("Ann", "Аnn"), ("Ann", "Ａnn"), ("Zoë", "Zoe\u0308"), ("Zoë", "Zoe")),
        *(("Bill", "BiII"), ("!!", "\uff01!"), ("Straße", "STRASSE"), ("Rn", "m"), ("Al", "A1")),
    ],
)
def test_names_that_can_be_mistaken_are_refused(default: Home, first: str, second: str) -> None:
    add_profile(default, first)
    with pytest.raises(ProfileError):
        add_profile(default, second)
    other = add_profile(default, "Somebody else")
    with pytest.raises(ProfileError):
        rename_profile(default, other.profile, second)
    assert names(default)[1:] == sorted([first, "Somebody else"])


@pytest.mark.parametrize(
    "name",
    ["", " ", "An\nn", "\x1b[2J", "A\u202enn", "-x", "x" * 25, "Ann [abcd]", "Ann ✓", "\u3164", "Default", "DEFAULТ"],
)
def test_what_is_no_name_is_a_sentence(default: Home, name: str) -> None:
    with pytest.raises(ProfileError) as refused:
        add_profile(default, name)
    assert str(refused.value).endswith(".") and refused.value.advice
    assert files(default.state) == set()


def test_a_folder_that_holds_something_is_not_taken(default: Home) -> None:
    """Settings that were restored from a backup without the games, for one."""
    (default.config / "profiles" / "ann-1").mkdir(parents=True)
    (default.state / "profiles" / "ann-2").mkdir(parents=True, mode=0o700)
    assert add_profile(default, "Ann").state.name == "ann-3"


def test_sockets_of_a_long_path_differ_too(tmp_path: Path) -> None:
    deep = tmp_path / ("ü" * SOCKET_PATH_LIMIT)
    homes = [find_home({"P2PCARDS_HOME": str(deep / name)}) for name in "ab"]
    sockets = [home_below(home, folder, "Ann").socket for home in homes for folder in ("ann-1", "ann-2")]
    assert len({*sockets, *[home.socket for home in homes]}) == 6
    assert all(len(os.fsencode(socket)) <= SOCKET_PATH_LIMIT for socket in sockets)


# --- who plays -------------------------------------------------------------------------------------------------------


def test_who_plays(tmp_path: Path) -> None:
    environment = {"P2PCARDS_HOME": str(tmp_path)}
    default = find_home(environment)
    ann, bob = add_profile(default, "Ann"), add_profile(default, "Bob")
    assert chosen_home(environment) == default
    assert switch_to(default, "ann") == ann == chosen_home(environment)
    assert chosen_home(environment | {VARIABLE: "BOB"}) == bob
    assert chosen_home(environment | {VARIABLE: "default"}) == default
    with pytest.raises(ProfileError, match=r"There's no profile 'ana'\."):
        switch_to(default, "ana")
    assert chosen_home(environment) == ann
    switch_to(default, "Default")
    assert chosen_home(environment) == default


def test_an_unknown_profile_is_told_with_the_nearest(default: Home) -> None:
    add_profile(default, "Annabel")
    with pytest.raises(ProfileError) as refused:
        find_profile(default, "ANABEL")
    assert refused.value.with_advice == "There's no profile 'ANABEL'. Did you mean 'Annabel'?"


@pytest.mark.parametrize("folder", ["ann-1", "../../..", "/etc", "", "\x1b[2J", "ann-1\nbob-1", "x" * 4000])
def test_a_profile_that_was_switched_to_and_is_not_there_is_a_sentence(tmp_path: Path, folder: str) -> None:
    """Nobody plays as somebody else without being told."""
    environment = {"P2PCARDS_HOME": str(tmp_path / "home")}
    default = find_home(environment)
    add_profile(default, "Bob")
    (default.state / LAST_FILE).write_text(folder)
    if folder:
        with pytest.raises(StoreError, match=r"Can't use your last profile"):
            chosen_home(environment)
        assert chosen_home(environment | {VARIABLE: "Bob"}).profile == "Bob"
    switch_to(default, "Bob")
    assert chosen_home(environment).profile == "Bob"


# --- renaming and removing -------------------------------------------------------------------------------------------


def test_a_profile_keeps_all_but_its_name(default: Home) -> None:
    ann = add_profile(default, "Ann")
    make_folders(ann)
    key = load_or_make_identity(ann).private_bytes_raw()
    switch_to(default, "Ann")
    renamed = rename_profile(default, "ann", "Zoë")
    assert (renamed.profile, renamed.state, renamed.socket) == ("Zoë", ann.state, ann.socket)
    assert load_or_make_identity(renamed).private_bytes_raw() == key
    assert names(default) == ["Default", "Zoë"]
    assert rename_profile(default, "Zoë", "ZOË").profile == "ZOË"
    again = add_profile(default, "Ann")
    assert again.state != ann.state and not again.identity.exists()


def test_what_is_removed_is_gone_and_nothing_else(default: Home, tmp_path: Path) -> None:
    homes = [default, add_profile(default, "Ann"), add_profile(default, "Bob")]
    for home in homes:
        make_folders(home)
        load_or_make_identity(home)
        set_setting(home, find_setting("port"), 4800)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    (homes[1].state / "link").symlink_to(outside)
    before = files(tmp_path)
    switch_to(default, "Ann")
    remove_profile(default, "Ann")
    left = before - {
        path for path in before if path.is_relative_to(homes[1].state) or path.is_relative_to(homes[1].config)
    }
    assert files(tmp_path) == left | {default.state / LAST_FILE}
    assert names(default) == ["Default", "Bob"]
    assert add_profile(default, "Ann") == homes[1], "and begins anew"
    assert not homes[1].settings.exists()


def test_settings_that_are_a_link_elsewhere_stay_there(default: Home, tmp_path: Path) -> None:
    """As a player who keeps their settings in a folder of their own has them."""
    ann = add_profile(default, "Ann")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "settings.toml").write_text("port = 1\n")
    ann.config.parent.mkdir(parents=True)
    ann.config.symlink_to(mine)
    remove_profile(default, "Ann")
    assert not ann.config.is_symlink() and (mine / "settings.toml").exists()


def test_the_default_profile_stays(default: Home) -> None:
    with pytest.raises(ProfileError, match="can't be removed"):
        remove_profile(default, "default")
    with pytest.raises(ProfileError, match="can't be renamed"):
        rename_profile(default, "Default", "Ann")


# --- what was put there by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        b"",
        b"\n",
        b"An\x1b[2Jn\n",
        b"\xff\xfe\n",
        b"Ann\nBob\n",
        b"\xe2\x80\xae",
        b"x" * 500,
        b"Default\n",
        b"-rf\n",
        b"\0",
    ],
)
def test_a_folder_without_a_name_is_told_and_the_others_are_listed(default: Home, name: bytes) -> None:
    add_profile(default, "Ann")
    folder = default.state / "profiles" / "planted-1"
    folder.mkdir(0o700)
    (folder / NAME_FILE).write_bytes(name)
    homes, faults = list_profiles(default)
    assert [home.profile for home in homes] == ["Default", "Ann"]
    assert len(faults) == 1 and str(folder) in faults[0]
    assert rename_profile(default, "Ann", "Bob").profile == "Bob"


def link_to_home(folder: Path) -> None:
    folder.symlink_to(folder.parent / "ann-1")


def dangling(folder: Path) -> None:
    folder.symlink_to("nothing")


def linked_name(folder: Path) -> None:
    folder.mkdir(0o700)
    (folder / NAME_FILE).symlink_to("/etc/hostname")


def pipe_for_a_name(folder: Path) -> None:
    folder.mkdir(0o700)
    os.mkfifo(folder / NAME_FILE)


def folder_for_a_name(folder: Path) -> None:
    (folder / NAME_FILE).mkdir(0o700, parents=True)


def others_may_write(folder: Path) -> None:
    folder.mkdir()
    (folder / NAME_FILE).write_text("Eve\n")
    folder.chmod(0o777)


def second_of_that_name(folder: Path) -> None:
    folder.mkdir(0o700)
    (folder / NAME_FILE).write_text("ANN\n")


PLANTED = (
    *(
        Path.touch,
        Path.mkdir,
        link_to_home,
        dangling,
        linked_name,
        pipe_for_a_name,
        folder_for_a_name,
        others_may_write,
    ),
    second_of_that_name,
)


@pytest.mark.parametrize("plant", PLANTED)
@pytest.mark.parametrize("name", ["planted-1", "Bad Name", "\x1b[2J", os.fsdecode(b"\xff")])
def test_whatever_is_planted_the_others_are_listed(default: Home, plant: Callable[[Path], None], name: str) -> None:
    ann = add_profile(default, "Ann")
    plant(default.state / "profiles" / name)
    homes, faults = list_profiles(default)
    assert homes == (default, ann) and len(faults) == 1
    assert find_profile(default, "Ann") == ann
    remove_profile(default, "Ann")
    assert os.path.lexists(default.state / "profiles" / name)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("folder", ["..", ".", "", "ann-1", "Ann", "\x1b[2J"])
def test_what_seems_to_be_removed_takes_nothing_else_with_it(tmp_path: Path, folder: str, apart: bool) -> None:
    """Not a profile that was put back from a backup either, nor what lies above."""
    default = default_in(tmp_path) if apart else find_home({"P2PCARDS_HOME": str(tmp_path)})
    ann = add_profile(default, "Ann")
    for home in (default, ann):
        make_folders(home)
        set_setting(home, find_setting("port"), 4800)
    kept = files(tmp_path)
    (default.state / "profiles" / f".gone-{folder}").mkdir()
    bob = add_profile(default, "Bob")
    assert files(tmp_path) == kept | {bob.state / NAME_FILE}
    assert {path.name for path in bob.state.parent.iterdir()} == {"ann-1", "bob-1"}


def test_profiles_that_others_may_write_are_refused(default: Home) -> None:
    ann = add_profile(default, "Ann")
    folder = default.state / "profiles"
    folder.chmod(0o777)
    for attempt in (lambda: list_profiles(default), lambda: make_folders(ann), lambda: add_profile(default, "Bob")):
        with pytest.raises(StoreError, match="Other users can write"):
            attempt()
    folder.chmod(0o700)
    default.state.chmod(0o777)
    for attempt in (lambda: make_folders(ann), lambda: add_profile(default, "Bob")):
        with pytest.raises(StoreError, match="Other users can write"):
            attempt()


# --- killed between two steps ----------------------------------------------------------------------------------------

KILLED = """
import os, sys
import p2pcards.wire.names  # which profiles imports late
from p2pcards.store import profiles
from p2pcards.store.files import find_home

def last_step(event, _):
    global left
    if event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree", "open", "os.open"):
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)

name, *words = sys.argv[1:]
for left, line in enumerate(sys.stdin):
    state, config = line.split()
    child = os.fork()
    if not child:
        default = find_home({"XDG_STATE_HOME": state, "XDG_CONFIG_HOME": config})
        sys.addaudithook(last_step)
        getattr(profiles, name)(default, *words)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""For each home that it is told it is killed one step later; says how it ended."""


@pytest.mark.parametrize(
    ("words", "outcomes"),
    [
        (("add_profile", "Bob"), [["Default", "Ann"], ["Default", "Ann", "Bob"]]),
        (("rename_profile", "Ann", "Zoe"), [["Default", "Ann"], ["Default", "Zoe"]]),
        (("remove_profile", "Ann"), [["Default", "Ann"], ["Default"]]),
        (("switch_to", "Ann"), [["Default", "Ann"]]),
    ],
)
def test_killed_at_any_step_the_list_is_right(
    tmp_path: Path, words: tuple[str, ...], outcomes: list[list[str]]
) -> None:
    steps, seen = 0, []
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as killed:
        assert killed.stdin and killed.stdout
        while True:
            folder = tmp_path / str(steps)
            environment = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
            default = find_home(environment)
            ann = add_profile(default, "Ann")
            make_folders(ann)
            load_or_make_identity(ann)
            ann.settings.write_text("port = 4800\n")
            print(*environment.values(), file=killed.stdin, flush=True)
            ended = int(killed.stdout.readline())
            found = list_profiles(default)
            assert [home.profile for home in found.homes] in outcomes and found.faults == ()
            seen.append([home.profile for home in found.homes])
            assert chosen_home(environment) in found.homes
            carol = add_profile(default, "Carol")
            rubbish = [path for path in carol.state.parent.iterdir() if path.name.startswith(".")]
            assert rubbish == [], "the next change clears away what was left"
            if "Ann" not in names(default):
                again = add_profile(default, "Ann")
                assert words[0] != "remove_profile" or not (again.settings.exists() or again.identity.exists())
            if ended == 0:
                break
            assert ended == -signal.SIGKILL
            steps += 1
    assert steps > 2 and seen[0] == outcomes[0] and seen[-1] == outcomes[-1]


def test_two_processes_add_at_once(tmp_path: Path) -> None:
    """One of them gets the name."""
    script = "import os\nfrom p2pcards.store import profiles as p\np.add_profile(p.find_home(os.environ), 'Ann')"
    environment = os.environ | {"P2PCARDS_HOME": str(tmp_path)}
    tries = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE) for _ in range(3)
    ]
    for one in tries:
        one.communicate()
    assert sorted(one.returncode for one in tries) == [0, 1, 1]
    assert names(find_home({"P2PCARDS_HOME": str(tmp_path)})) == ["Default", "Ann"]


def test_what_cannot_be_removed_is_told(default: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is not listed any more."""
    add_profile(default, "Ann")

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(StoreError, match=r"Can't remove .*: permission denied"):
        remove_profile(default, "Ann")
    assert names(default) == ["Default"]
    assert add_profile(default, "Ann").state.name == "ann-2"
