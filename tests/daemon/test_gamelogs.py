"""The logs of our own games, found by their players, and by nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.daemon.logs import coordinated_game, followed_game, followed_logs, games_with
from p2pcards.store.files import Home
from p2pcards.store.logs import MAGIC, encode_record, log_name
from p2pcards.wire.keys import public_bytes
from rigs.homes import MakeHome
from rigs.recorded import Table, played


@pytest.fixture
def table() -> Table:
    return played("crazy_eights")


@pytest.fixture
def home(make_home: MakeHome) -> Home:
    found = make_home("ben")
    found.logs.mkdir(parents=True)
    return found


def written(home: Home, table: Table, side: int, date: str, damaged: bool = False) -> Path:
    """The log of a side of the table, as its daemon keeps it."""
    path = home.logs / log_name(date, "crazy_eights", table.position.game_id)
    data = MAGIC + b"".join(map(encode_record, table.payloads[side]))
    path.write_bytes(data.replace(b"side 1", b"side 7", 1) if damaged else data)
    return path


def test_a_listener_finds_the_logs_of_a_game_that_is_theirs_and_the_coordinators(home: Home, table: Table) -> None:
    ann, ben, cy = [public_bytes(key) for key in table.keys]
    game = table.position.game_id
    older, newer = [written(home, table, 1, date) for date in ("2026-01-01", "2026-01-02")]
    written(home, table, 0, "2026-01-03")
    written(home, table, 2, "2026-01-04")
    written(home, table, 1, "2026-01-05", damaged=True)
    assert followed_logs(home, ben, ann, game) == [newer, older]
    assert followed_logs(home, ben, cy, game) == [newer, older], "who may succeed the coordinator"
    assert followed_logs(home, ben, bytes(31) + b"\1", game) == []
    assert followed_logs(home, ann, ann, game) == [], "the coordinator follows nobody"
    other = game[:2] + bytes(len(game) - 2)
    assert followed_logs(home, ben, ann, other) == [], "their names begin alike"
    found = followed_game([home.logs / "none.log", newer], table.keys[1])
    assert found and found[0] == newer and found[1].position.head == table.position.head
    assert followed_game([home.logs / "none.log"], table.keys[1]) is None


def test_a_coordinator_finds_the_game_that_was_theirs_with_a_listener_of_it(home: Home, table: Table) -> None:
    key, game = table.keys[0], table.position.game_id
    ben, stranger = public_bytes(table.keys[1]), bytes(31) + b"\1"
    assert coordinated_game(home, key, ben, game) is None
    written(home, table, 1, "2026-01-02")
    assert coordinated_game(home, key, ben, game) is None, "it is a listener's"
    written(home, table, 0, "2026-01-01")
    found = coordinated_game(home, key, ben, game)
    assert found and found.position.head == table.position.head
    assert coordinated_game(home, key, stranger, game) is None
    assert coordinated_game(home, table.keys[1], ben, game) is None


def test_a_listener_finds_the_game_of_another_host_that_one_of_the_listeners_may_continue(
    home: Home, table: Table
) -> None:
    ann, ben, cy = [public_bytes(key) for key in table.keys]
    path = written(home, table, 1, "2026-01-01")
    assert games_with(home, ben, cy).of_another == b"", "it is over"
    path.write_bytes(MAGIC + b"".join(map(encode_record, table.payloads[1][:-1])))
    assert games_with(home, ben, cy).of_another == table.position.game_id
    for owner, successor in ((ben, ann), (ben, bytes(32)), (cy, ben)):
        assert games_with(home, owner, successor).of_another == b""
