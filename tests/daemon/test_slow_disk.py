"""A home on a disk that takes long: two daemons play a whole game, nobody is hung up on, and the records have it."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from p2pcards.control.client import connect
from p2pcards.control.messages import Happened, Host, OpenConnect, OpenListen, Persona, Rules
from p2pcards.views.happenings import GameWon, PlayerLost
from p2pcards.views.tableview import Command, TableView
from rigs.homes import MakeHome, daemon_pid, happening
from rigs.program import Program
from rigs.short_games import proven, short

SOURCE = Path(__file__).parents[1] / "rigs/slow_disk.c"

QUICKLY, SLOWLY = 20, 300
"""Milliseconds of a sync."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What makes the disk of a program slow that is started with it."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler here")
    made = tmp_path_factory.mktemp("slow") / "slow_disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", made, SOURCE, "-ldl"], check=True)
    return made


@pytest.mark.own_start
@pytest.mark.parametrize(
    ("key", "milliseconds"),
    [
        ("crazy_eights", QUICKLY),
        pytest.param("crazy_eights", SLOWLY, marks=pytest.mark.slow),
        pytest.param("whist", SLOWLY, marks=pytest.mark.slow),
    ],
)
async def test_two_play_to_the_end(
    make_home: MakeHome, library: Path, monkeypatch: pytest.MonkeyPatch, key: str, milliseconds: int
) -> None:
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("SLOW_DISK", str(milliseconds))
    ann, bob = make_home("ann"), make_home("bob")
    async with connect(bob) as bobs, connect(ann) as anns:
        opened = await bobs.open(OpenListen(0, Persona("Bob", "betty", auto="novice")))
        at_bob = await bobs.attach()
        hosts, rules = (Host(f"127.0.0.1:{opened.port}"),), Rules(key, changes=short(key))
        await anns.open(OpenConnect(hosts, rules, Persona("Ann", "wayne", auto="novice")))
        at_ann = await anns.attach()
        began = time.monotonic()
        await at_ann.command(Command("start"))
        seen: list[TableView | Happened] = []
        heads = {str((await happening(table, GameWon, seen)).head) for table in (at_ann, at_bob)}
        took = time.monotonic() - began
        for home in (ann, bob):
            program = Program(home.state)
            assert len(program.data("history")) == len(program.data("logs")) == 1
            assert "slow_disk" in Path(f"/proc/{daemon_pid(home)}/maps").read_text()
    logs = [proven(home) for home in (ann, bob)]
    assert took > logs[0].records * milliseconds / 1000
    assert not [one for one in seen if isinstance(one, Happened) and isinstance(one.happening, PlayerLost)]
    assert heads == {found.heads[-1].hex() for found in logs}
    assert len(heads) == 1
