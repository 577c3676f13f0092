"""A fault that nobody foresaw in a reader of logs, at a daemon: it costs that game, and no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.control.declined import Declined
from p2pcards.control.exits import DAMAGED
from p2pcards.control.messages import OpenResume
from p2pcards.daemon.logs import coordinated_game, followed_game, followed_logs, games_with, left_open
from p2pcards.ledger.payloads import read_beginning
from p2pcards.store.guarded import READERS
from p2pcards.store.identity import load_or_make_identity
from p2pcards.store.logs import list_logs, read_log
from p2pcards.wire.keys import public_bytes
from rigs.bad_logs import BadLogs, bad_logs, new_table
from rigs.daemons_here import client_here

ANN, BOB, _ = [public_bytes(key) for key in new_table("telecards").keys]
"""The coordinator of all these games, and a listener."""


def log_of(home: BadLogs, game: str) -> Path:
    return next(log.path for log in list_logs(home.home) if log.game == game)


def game_of(home: BadLogs, game: str) -> bytes:
    return read_beginning(read_log(log_of(home, game)).payloads).position.game_id


# --- a game is to go on -----------------------------------------------------------------------------------------------


RESUMED = {
    "daemon.machines.resume_coordinator": 0,
    "daemon.logs.take_up": 1,
    "store.logs.parse_log": 0,
    "store.logs._facts_in": 0,
}
"""Readers, and the hand that is wanted when each is asked."""


@pytest.mark.parametrize(("reader", "hand"), RESUMED.items())
async def test_a_bad_game_is_not_resumed_and_another_is(tmp_path: Path, reader: str, hand: int) -> None:
    home = bad_logs(tmp_path)
    async with client_here(home.home) as client:
        with home.failing(reader) as met:
            with pytest.raises(Declined) as why:
                await client.open(OpenResume(log_of(home, "whist").stem, hand=hand))
            assert why.value.code == DAMAGED and met
            opened = await client.open(OpenResume(log_of(home, "hearts").stem))
        assert [table.name for table in (await client.status()).tables] == [opened.table]
    assert f"{reader} FAULT Invented" in home.home.diagnostics.read_text()


# --- somebody calls, or asks for a game -------------------------------------------------------------------------------


def _coordinated(home: BadLogs) -> list[bool]:
    key = load_or_make_identity(home.home)
    return [bool(coordinated_game(home.home, key, BOB, game_of(home, game))) for game in ("whist", "hearts")]


def _follows(home: BadLogs) -> list[bool]:
    return [bool(followed_logs(home.home, BOB, ANN, game_of(home, game))) for game in ("whist", "hearts")]


def _followed(home: BadLogs) -> list[bool]:
    key = load_or_make_identity(home.home)
    return [followed_game([log_of(home, game)], key) is not None for game in ("whist", "hearts")]


def _open_game(home: BadLogs) -> list[bool]:
    unfinished = games_with(home.home, BOB, ANN).unfinished
    return [game_of(home, game) in unfinished for game in ("whist", "hearts")]


def _left_open(home: BadLogs) -> list[bool]:
    """Of games with the same people the newest is looked at, which is the bad one."""
    return [bool(left_open(home.home, ANN)), True]


ASKED: dict[str, tuple[int, Callable[[BadLogs], list[bool]]]] = {
    "daemon.logs._coordinated": (0, _coordinated),
    "daemon.logs._followed": (1, _followed),
    "daemon.logs._follows": (1, _follows),
    "daemon.logs._left_open": (0, _left_open),
    "daemon.logs._open_game": (1, _open_game),
}
"""Readers; of each the side whose logs they are, and whether the bad game is found, and the good one."""


@pytest.mark.parametrize("reader", ASKED)
def test_a_bad_game_is_not_found_and_another_is(tmp_path: Path, reader: str) -> None:
    side, found = ASKED[reader]
    home = bad_logs(tmp_path, side)
    assert found(home) == [True, True]
    with home.failing(reader) as met:
        assert found(home) == [False, True]
    assert met == {log_of(home, "whist").stem}


def test_every_reader_of_the_daemon_is_tried() -> None:
    assert {reader for reader in READERS if reader.startswith("daemon.")} <= {*RESUMED, *ASKED}
