"""A home as one file: all of it comes back elsewhere, nothing else can be in it, and nothing is taken of one that is
refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from p2pcards.ledger.transitions import Phase
from p2pcards.results import carried
from p2pcards.results.carried import (
    HOME_MAGIC,
    LARGEST_HOME,
    MOST_FILES,
    Unpacked,
    add_home,
    describe_home,
    files_in,
    has_something,
    home_bytes,
    unpack_home,
)
from p2pcards.results.keeping import Reset, add_facts, load_facts
from p2pcards.results.reading import UnwantedSave
from p2pcards.store.directory import Entry, add_entry, load_directory
from p2pcards.store.files import Home, StoreError, find_home, make_folders, write_whole
from p2pcards.store.identity import forget, load_or_make_identity, load_peers, remember
from p2pcards.store.logs import BadSave, LaterSave, list_logs, log_bytes, log_name
from p2pcards.store.save_names import give_name, load_names, throw_away
from p2pcards.store.settings import event_hooks, find_setting, set_setting, usable_settings
from p2pcards.wire.crypto import pem_of
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.packing import pack
from rigs.in_part import naming
from rigs.recorded import Table, new_table

DATE = "2026-11-20"
CUT = 30
"""Payloads of the table's log that there are at first."""
MakeHome = Callable[[str], Home]


@pytest.fixture(scope="module")
def table() -> Table:
    """Hearts in the second hand, between three sides; of the first the home is."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 2)
    return table


@pytest.fixture
def a_home(tmp_path: Path) -> MakeHome:
    def make(name: str) -> Home:
        home = find_home({"P2PCARDS_HOME": str(tmp_path / name)})
        make_folders(home)
        return home

    return make


def put_log(home: Home, table: Table, cut: int | None = CUT) -> Path:
    path = home.logs / log_name(DATE, table.game.key, table.position.game_id)
    path.write_bytes(log_bytes(table.payloads[0][:cut]))
    return path


@pytest.fixture
def home(a_home: MakeHome, table: Table) -> Home:
    """Ann's, with one of everything."""
    home = a_home("ann")
    write_whole(home.identity, pem_of(table.keys[0]))
    set_setting(home, find_setting("name"), "Ann")
    remember(home, public_bytes(table.keys[1]), "Bob", "192.0.2.7:4747", 5, "code")
    add_facts(home, [Reset("hearts", ("00" * 32,), 7)])
    write_whole(home.config / "backs/own1.txt", b"####\n")
    write_whole(home.directory, b"")
    give_name(home, put_log(home, table).stem, "friday")
    return home


def carry(home: Home, tmp_path: Path) -> Home:
    """The home that is in the file of this one."""
    return unpacked(home, tmp_path).home


def unpacked(home: Home, tmp_path: Path) -> Unpacked:
    return unpack_home(home_bytes(home), tmp_path / f"unpacked {len(list(tmp_path.iterdir()))}")


def on_disk(home: Home) -> dict[str, bytes]:
    made = ("records.sqlite", "logs.json")
    return {
        path.relative_to(home.state).as_posix(): path.read_bytes()
        for path in home.state.rglob("*")
        if path.is_file() and path.suffix != ".lock" and path.name not in made
    }


def with_digest(whole: bytes) -> bytes:
    return whole + sha256(whole).digest()


def of(*rows: Any) -> bytes:
    return with_digest(HOME_MAGIC + pack(rows))


# --- there and back ---------------------------------------------------------------------------------------------------


def test_all_of_it_comes_to_a_place_where_nobody_has_played(home: Home, a_home: MakeHome, tmp_path: Path) -> None:
    there = a_home("bare")
    added = add_home(there, carry(home, tmp_path))
    assert (added.games, added.longer, added.friends, added.stay) == (1, 0, 1, ())
    assert on_disk(there) == on_disk(home)
    assert list_logs(there)[0].changed == list_logs(home)[0].changed
    assert there.identity.stat().st_mode & 0o777 == 0o600
    assert describe_home(there) == describe_home(home) and describe_home(there).startswith("Ann (the key ")
    assert describe_home(there).endswith("with 1 game (1 unfinished) and 1 friend")
    assert home_bytes(there) == home_bytes(there)


def test_it_is_added_to_what_is_there_under_the_same_key(
    home: Home, a_home: MakeHome, table: Table, tmp_path: Path
) -> None:
    """As to a browser in which one has played on meanwhile: what is longer counts, and what was set stays."""
    there = a_home("browser")
    add_home(there, carry(home, tmp_path))
    log = put_log(there, table, None)
    forget(there, "Bob")
    remember(there, public_bytes(table.keys[2]), "bob", "192.0.2.7:4747", 6)
    set_setting(there, find_setting("name"), "Anna")
    back = add_home(home, carry(there, tmp_path))
    assert (back.games, back.longer, back.friends, back.stay) == (0, 1, 1, ())
    assert back.sentence == "The file has 1 new friend, 1 game with more moves."
    assert list_logs(home)[0].path.read_bytes() == log.read_bytes()
    assert usable_settings(home).settings.name == "Ann"
    assert [(one.name, one.address) for one in load_peers(home)] == [("Bob", "192.0.2.7:4747"), ("bob-2", "")]
    assert load_facts(home) == load_facts(there)
    again = on_disk(home)
    assert add_home(home, carry(there, tmp_path)).sentence == "The file has nothing new."
    assert on_disk(home) == again


def test_what_is_here_is_never_shortened(home: Home, a_home: MakeHome, table: Table, tmp_path: Path) -> None:
    old = carry(home, tmp_path)
    log = put_log(home, table, None)
    before = log.read_bytes()
    (stays,) = add_home(home, old).stay
    assert stays == f"{log.stem}: You already have this game, as {log.stem}, which is longer."
    assert log.read_bytes() == before


def test_a_damaged_log_comes_along_but_not_in_the_place_of_another(
    home: Home, a_home: MakeHome, tmp_path: Path
) -> None:
    (log,) = list_logs(home)
    whole = log.path.read_bytes()
    log.path.write_bytes(whole[:200] + b"\xff" + whole[201:])
    damaged, there = carry(home, tmp_path), a_home("bare")
    assert add_home(there, damaged).games == 1
    log.path.write_bytes(whole)
    assert add_home(home, damaged).stay == (f"{log.stem}: The log in the file is damaged.",)
    assert log.path.read_bytes() == whole


def test_somebody_else_stays_who_they_are(home: Home, a_home: MakeHome, tmp_path: Path) -> None:
    other = a_home("other")
    load_or_make_identity(other)
    before = on_disk(other)
    with pytest.raises(
        UnwantedSave, match=r"You play as someone else here: someone without a name .*The file has Ann "
    ) as refused:
        add_home(other, carry(home, tmp_path))
    assert "profiles add" in refused.value.advice
    assert on_disk(other) == before and not has_something(other) and has_something(home)


def test_what_was_thrown_away_stays_so_where_times_are_coarser(
    home: Home, a_home: MakeHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (log,) = list_logs(home)
    throw_away(home, log.stem, log.stamp)
    rough = os.utime
    monkeypatch.setattr(os, "utime", lambda path, ns: rough(path, ns=(ns[0] // 10**6 * 10**6,) * 2))
    there = a_home("bare")
    add_home(there, carry(home, tmp_path))
    (log,) = list_logs(there)
    assert load_names(there).is_thrown(log.stem, log.stamp)


def test_no_command_of_the_settings_comes_along(home: Home, a_home: MakeHome, tmp_path: Path) -> None:
    for name in ("hook", "speech", "player", "events.turn.hook"):
        set_setting(home, find_setting(name), "touch /tmp/here")
    assert unpacked(home, tmp_path).left_out
    there = a_home("bare")
    add_home(there, carry(home, tmp_path))
    assert not unpacked(there, tmp_path).left_out
    settings = usable_settings(there).settings
    assert (settings.name, settings.hook, settings.speech) == ("Ann", "", "")
    assert event_hooks(settings) == {} and b"touch" not in there.settings.read_bytes()


def test_nothing_that_is_said_to_a_modem_comes_along(home: Home, a_home: MakeHome, tmp_path: Path) -> None:
    for name, value in (("prefix", "0900"), ("flow", "xonxoff")):
        set_setting(home, find_setting(f"devices./dev/ttyUSB0.{name}"), value)
    set_setting(home, find_setting("device"), "/dev/ttyUSB0")
    add_entry(home, Entry("Anna", "555-1234", init=("ATE0;D0900123456",), prefix="0900", note="evenings"))
    other = unpacked(home, tmp_path)
    assert other.left_out
    there = a_home("bare")
    add_home(there, other.home)
    settings = usable_settings(there).settings
    assert (settings.name, settings.device, settings.devices) == ("Ann", "", {})
    assert load_directory(there) == (Entry("Anna", "555-1234", note="evenings"),)
    assert b"0900" not in there.settings.read_bytes() + there.directory.read_bytes()


def test_thousands_of_logs_are_put_on_disk_at_once(
    home: Home, a_home: MakeHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1000):
        (home.logs / f"{DATE}-hearts-{number:04x}.log").write_bytes(b"x")
    data, synced, sync = home_bytes(home), list[int](), os.fsync

    def count(fd: int) -> None:
        synced.append(fd)
        sync(fd)

    monkeypatch.setattr(os, "fsync", count)
    added = add_home(a_home("bare"), unpack_home(data, tmp_path / "unpacked").home)
    assert added.games == 1001 and len(synced) < 50


def test_a_log_that_a_power_cut_left_empty_is_taken_again(home: Home, a_home: MakeHome, tmp_path: Path) -> None:
    there = a_home("bare")
    add_home(there, carry(home, tmp_path))
    (log,) = list_logs(there)
    whole = log.path.read_bytes()
    log.path.write_bytes(b"")
    assert add_home(there, carry(home, tmp_path)).longer == 1
    assert whole in [one.path.read_bytes() for one in list_logs(there)]


# --- what is refused --------------------------------------------------------------------------------------------------


def test_every_changed_byte_and_every_cut_is_refused(a_home: MakeHome) -> None:
    home = a_home("small")
    load_or_make_identity(home)
    data = home_bytes(home)
    for place, change in product(range(len(data)), (1, 0xFF)):
        with naming((place, change)), pytest.raises((BadSave, LaterSave)):
            files_in(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])
    for size in range(len(data)):
        with naming(size), pytest.raises(BadSave):
            files_in(data[:size])


KEY = ["identity.pem", 1, b""]
REFUSED: list[tuple[bytes, str]] = [
    (b"", "isn't a p2pcards saved home"),
    (b"PK\3\4", "isn't a p2pcards saved home"),
    (b"p2pcards log 1\n", "This is a log, not a saved home"),
    (b"p2pcards save 1\n", "isn't a p2pcards saved home"),
    (with_digest(HOME_MAGIC), "This is not msgpack"),
    (with_digest(HOME_MAGIC + b"\xdd\xff\xff\xff\xff"), "This is not msgpack"),
    (with_digest(HOME_MAGIC + b"\x91" * 5000), "This is not msgpack"),
    (of(), "has no key"),
    (of(["peers.json", 1, b"[]"]), "has no key"),
    (of(KEY), "it has no Ed25519 key"),
    (of(KEY, KEY), "the same file twice"),
    (of(["identity.pem", -1, b""]), "a number from 0"),
    (of(["identity.pem", 1, ""]), "at most"),
    (of([b"identity.pem", 1, b""]), "a text"),
    (of("identity.pem"), "an array"),
    (of(["../identity.pem", 1, b""]), "doesn't belong there"),
    (of(["/etc/passwd", 1, b""]), "doesn't belong there"),
    (of(["logs/../../x.log", 1, b""]), "doesn't belong there"),
    (of(["logs/2026-11-20-hearts-7f3a.log/x", 1, b""]), "doesn't belong there"),
    (of(["profiles/a/identity.pem", 1, b""]), "doesn't belong there"),
    (of(["backs/own7.txt", 1, b""]), "doesn't belong there"),
    (of(["\x1b[2Jx", 1, b""]), "a file '[2Jx', which doesn't belong there"),
    (of(["settings.toml", 1, b"a = ["]), "Can't read the settings in it"),
    (of(["settings.toml", 1, b"\xff"]), "The settings in it aren't text"),
    (of(["settings.toml", 1, b"events = 1"]), "Can't read the settings in it"),
    (of(["settings.toml", 1, b"a = " + b"[" * 5000]), "Can't read the settings in it"),
]


@pytest.mark.parametrize(("data", "why"), REFUSED)
def test_whatever_no_home_holds_is_refused_with_a_sentence(tmp_path: Path, data: bytes, why: str) -> None:
    with pytest.raises(BadSave) as refused:
        unpack_home(data, tmp_path / "here" / "it")
    assert why in str(refused.value) and str(refused.value).endswith(".") and refused.value.advice
    assert {path.name for path in tmp_path.iterdir()} <= {"here"}


@pytest.mark.parametrize("name", ["peers.json", "directory.toml", "records.facts"])
def test_a_file_of_it_that_cannot_be_read_is_refused(home: Home, tmp_path: Path, name: str) -> None:
    (home.state / name).write_bytes(b"p2pcards log 1\nand so on and so on")
    with pytest.raises(BadSave, match=rf"not as it was written\. .*{name}|damaged") as refused:
        carry(home, tmp_path)
    assert str(tmp_path) not in str(refused.value)


def test_one_of_a_later_version_is_named_so(home: Home, tmp_path: Path) -> None:
    with pytest.raises(LaterSave, match="This saved home was written by a later version"):
        unpack_home(b"p2pcards home 2\n" + home_bytes(home)[16:], tmp_path / "here")


def test_its_size_and_the_number_of_its_files_are_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSave, match="more than 64 MB"):
        files_in(bytes(LARGEST_HOME + 1))
    with pytest.raises(BadSave, match="an array of at most 20000"):
        files_in(of(*[[str(number), 0, b""] for number in range(MOST_FILES + 1)]))
    monkeypatch.setattr(carried, "LARGEST_HOME", 1000)
    with pytest.raises(StoreError, match="too many to back up") as refused:
        home_bytes(home)
    assert "logs prune" in refused.value.advice


def test_where_there_is_no_key_there_is_nothing_to_save(a_home: MakeHome) -> None:
    with pytest.raises(StoreError, match="There's nothing to back up yet"):
        home_bytes(a_home("bare"))
