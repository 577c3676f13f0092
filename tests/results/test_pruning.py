"""Old logs are deleted, and what came of their games stays in the records."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pcards.results import keeping
from p2pcards.results.keeping import ask_book, delete_logs, load_facts, logs_to_delete, rebuild
from p2pcards.results.standings import history
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import LogEntry, LogFile, delete_log, list_logs

OLD = Path(__file__).parents[1] / "ledger" / "version-0.1.0"
FINISHED = tuple([OLD / f"{name}.log" for name in ("whist", "spades", "euchre", "gin_rummy", "thirty_one")])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Logs of games that are over, the first of them the oldest, and one that is not and is older still."""
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    shutil.copy(OLD / "hearts-unfinished.log", home.logs / "2026-11-01-hearts-ffff.log")
    for number, path in enumerate(FINISHED):
        to = home.logs / f"2026-11-{number + 2:02}-hearts-{number:04x}.log"
        shutil.copy(path, to)
        os.utime(to, ns=(number * 10**9, number * 10**9))
    return home


def ids(home: Home) -> list[str]:
    return [one.result.id for one in ask_book(home, history)]


def logs_of(home: Home) -> list[str | None]:
    return [one.log for one in ask_book(home, history)]


def names(logs: Sequence[LogEntry]) -> list[str]:
    return [log.name for log in logs]


def test_the_oldest_that_are_over_go_and_the_records_stay(home: Home) -> None:
    there, before = names(list_logs(home)), ids(home)
    assert len(before) == len(FINISHED) > 2
    found = logs_to_delete(home, 2)
    assert names(found) == there[2:-1]
    assert delete_logs(home, found) == found
    assert names(list_logs(home)) == [*there[:2], there[-1]]
    assert ids(home) == before
    assert logs_of(home) == [*there[:2], *[None] * (len(FINISHED) - 2)]
    home.results.unlink()
    assert ids(home) == before
    rebuild(home)
    assert ids(home) == before
    assert logs_to_delete(home, 2) == []


def test_a_process_that_is_killed_before_the_first_log_is_gone_loses_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, there = ids(home), names(list_logs(home))

    def killed(_: Path) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as killing:
        killing.setattr(keeping, "delete_log", killed)
        with pytest.raises(KeyboardInterrupt):
            delete_logs(home, logs_to_delete(home, 0))
    assert names(list_logs(home)) == there and ids(home) == before and None not in logs_of(home)
    assert len(load_facts(home)) == len(FINISHED)
    delete_logs(home, logs_to_delete(home, 0))
    assert names(list_logs(home)) == there[-1:]
    assert ids(home) == before and set(logs_of(home)) == {None}


def test_a_process_that_is_killed_between_two_logs_loses_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    before, delete = ids(home), delete_log
    gone: list[Path] = []

    def killed(path: Path) -> bool:
        if gone:
            raise KeyboardInterrupt
        gone.append(path)
        return delete(path)

    monkeypatch.setattr(keeping, "delete_log", killed)
    with pytest.raises(KeyboardInterrupt):
        delete_logs(home, logs_to_delete(home, 0))
    assert not gone[0].exists()
    assert ids(home) == before and logs_of(home).count(None) == 1
    home.results.unlink()
    assert ids(home) == before


def test_a_log_that_a_table_has_open_stays(home: Home) -> None:
    found = logs_to_delete(home, 0)
    file = LogFile.open(found[0].path)
    assert delete_logs(home, found) == found[1:]
    assert found[0].path.exists() and found[0].name in logs_of(home)
    file.close()


def test_a_log_whose_game_is_in_no_records_stays(home: Home) -> None:
    newest = list_logs(home)[0].path
    newest.write_bytes(newest.read_bytes()[:-1] + b"\xff")
    assert newest.name not in names(logs_to_delete(home, 0))
