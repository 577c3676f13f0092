"""The power is cut before each sync of each file that a home keeps: whatever the disk has then, nothing that was
acknowledged is lost, and every file can be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from p2pcards.control.messages import OpenHost, OpenListen
from p2pcards.daemon.tables import hosted, keep_hosted, keep_listening, kept_listening
from p2pcards.store.directory import Entry, add_entry, load_directory
from p2pcards.store.files import Home, StoreError, find_home, make_folders
from p2pcards.store.identity import load_or_make_identity, load_peers, remember
from p2pcards.store.logs import LogFile, indexed_logs, read_log
from p2pcards.store.settings import find_setting, load_settings, set_setting
from p2pcards.wire.keys import public_bytes
from rigs.net import key_of
from rigs.power import Disk, put

FIRST, SECOND = [public_bytes(key_of(number, 1)) for number in (1, 2)]
GAME = "2026-11-23-hearts-7f3a"
PAYLOADS = [b"M" + bytes([1] * 40), b"R" + bytes(range(1, 256)) * 2, b"R" + bytes([7] * 300)]


@dataclass(frozen=True, slots=True)
class KeptFile:
    """first, second: two changes, of which the second is cut off; read: what is there for one who asks."""

    first: Callable[[Home], object]
    second: Callable[[Home], object]
    read: Callable[[Home], object]


def log_of(home: Home, *payloads: bytes) -> None:
    home.logs.joinpath(f"{GAME}.log").unlink(missing_ok=True)
    log = LogFile.create(home.logs / f"{GAME}.log")
    for payload in payloads:
        log.append(payload)
    log.close()
    indexed_logs(home)


def public(home: Home) -> bytes | None:
    """The key of the identity that stands there, None where there is none."""
    return public_bytes(load_or_make_identity(home)) if home.identity.exists() else None


KEPT = {
    "identity": KeptFile(public, load_or_make_identity, public),
    "peers": KeptFile(
        lambda home: remember(home, FIRST, "Bob", "", 1),
        lambda home: remember(home, SECOND, "Cy", "", 2),
        load_peers,
    ),
    "settings": KeptFile(
        lambda home: set_setting(home, find_setting("port"), 4800),
        lambda home: set_setting(home, find_setting("port"), 4801),
        load_settings,
    ),
    "directory": KeptFile(
        lambda home: add_entry(home, Entry("bob", "5551234")),
        lambda home: add_entry(home, Entry("cy", "5551235")),
        load_directory,
    ),
    "listening": KeptFile(
        lambda home: keep_listening(home, [OpenListen(4800)]),
        lambda home: keep_listening(home, [OpenListen(4800), OpenListen(4801)]),
        kept_listening,
    ),
    "hosted": KeptFile(
        lambda home: keep_hosted(home, GAME, OpenHost(4800), {GAME}),
        lambda home: keep_hosted(home, GAME, OpenHost(4801), {GAME}),
        lambda home: hosted(home, GAME),
    ),
    "index of the logs": KeptFile(
        lambda home: log_of(home, PAYLOADS[0]),
        indexed_logs,
        lambda home: [facts for _, facts in indexed_logs(home)],
    ),
}


Cut = Callable[[bool, Callable[[], object]], Disk]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(made)
    return made


@pytest.fixture
def cut(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cut]:
    """Does something on a disk; its states before each sync, and at the end."""
    made: list[Disk] = []

    def do(honest: bool, change: Callable[[], object]) -> Disk:
        disk = Disk(home.state, honest)
        made.append(disk)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", disk.sync)
            change()
        disk.cuts.append(list(disk.left()))
        return disk

    yield do
    for disk in made:
        disk.close()


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KEPT)
def test_a_file_is_as_before_or_as_it_was_to_be(home: Home, cut: Cut, name: str, step: int) -> None:
    """step: one state of the disk in so many is looked at."""
    kept = KEPT[name]
    kept.first(home)
    before = kept.read(home)
    disk = cut(True, lambda: kept.second(home))
    after = kept.read(home)
    assert len(disk.cuts) >= 3 or before == after, "the file, the folder, and the end"
    for files in [files for states in disk.cuts[:-1] for files in states][::step]:
        put(home.state, files)
        assert kept.read(home) in (before, after)
    for files in disk.cuts[-1]:
        put(home.state, files)
        assert kept.read(home) == after, "it was acknowledged"


def test_a_disk_that_syncs_nothing_loses_what_was_acknowledged(home: Home, cut: Cut) -> None:
    kept = KEPT["peers"]
    kept.first(home)
    disk = cut(False, lambda: kept.second(home))
    after, lost = kept.read(home), 0
    for files in disk.cuts[-1]:
        put(home.state, files)
        try:
            lost += kept.read(home) != after
        except StoreError:
            lost += 1
    assert lost > 10


def test_a_log_keeps_every_record_that_was_acknowledged(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home.logs / "game.log"
    disk = Disk(home.logs)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", disk.sync)
        log = LogFile.create(path, disk.sync)
        before_the_first = len(disk.cuts)
        for payload in PAYLOADS:
            log.append(payload)
        log.close()
    disk.cuts.append(list(disk.left()))
    disk.close()
    assert len(disk.cuts) == before_the_first + len(PAYLOADS) + 1
    torn = 0
    for number, states in enumerate(disk.cuts):
        acknowledged = max(0, number - before_the_first)
        for files in states:
            put(home.logs, files)
            if path.exists() or number >= before_the_first:
                torn += goes_on(path, acknowledged)
    assert torn > 800


def goes_on(path: Path, acknowledged: int) -> bool:
    """Whether the player is told of a torn record, when the game of this log goes on."""
    log = LogFile.open(path)
    log.append(b"and on")
    log.close()
    *kept, last = read_log(path).payloads
    assert last == b"and on"
    assert kept in (PAYLOADS[:acknowledged], PAYLOADS[: acknowledged + 1])
    return log.torn is not None and log.torn.path.exists()
