"""The seeds of a run: an order and hands of chance that can be had again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pcards.control.client import connect
from p2pcards.control.messages import OpenPlay, Persona, Rules
from rigs import forking
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, view

TESTS = Path(__file__).parent
SOME = """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_number(number):
    assert number != 3
"""


def run_pytest(folder: Path, *options: str) -> str:
    for name in "abcdef":
        (folder / f"test_{name}.py").write_text(SOME)
    plugins = ["-p", "rigs.chance", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-v", *plugins, f"--rootdir={folder}", *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=longest_wait(),
        check=False,
    )
    return done.stdout + done.stderr


def order(said: str) -> list[str]:
    return re.findall(r"^(test_\S+) (?:PASSED|FAILED)", said, re.MULTILINE)


def test_a_random_order_keeps_files_together_and_can_be_had_again(tmp_path: Path) -> None:
    first, again, other, usual = [
        order(run_pytest(tmp_path, *options))
        for options in (["--random-order=1"], ["--random-order=1"], ["--random-order=2"], [])
    ]
    assert len(usual) == 36 and usual == sorted(usual)
    assert first == again and sorted(first) == usual
    assert len({tuple(one) for one in (first, other, usual)}) == 3
    files = [test.partition("::")[0] for test in first]
    assert len([file for file, before in zip(files, ["", *files], strict=False) if file != before]) == 6
    assert files != sorted(files)
    assert [test for test in first if "test_a" in test] != usual[:6]


def test_a_failure_and_the_end_of_a_run_name_the_seeds(tmp_path: Path) -> None:
    said = run_pytest(tmp_path, "--random-order=7", "--chance=5")
    assert re.search(r"-+ seeds -+\n--chance=5 --random-order=7\n", said)
    assert "\nseeds: --chance=5 --random-order=7\n" in said
    seeds = re.findall(r"--chance=(\d+)", run_pytest(tmp_path))
    assert len(set(seeds)) == 1, "one for the whole run"


async def offered(make_home: MakeHome, name: str) -> Sequence[str]:
    """What may be played first in a new game of whist."""
    async with connect(make_home(name)) as client:
        await client.open(OpenPlay(Rules("whist"), Persona("Ann")))
        return (await view(await client.attach(), lambda table: bool(table.legal))).legal


@pytest.mark.skipif(sys.platform != "linux", reason="daemons are forked there alone")
async def test_a_daemon_deals_the_same_cards_from_the_same_seed(make_home: MakeHome) -> None:
    hands = []
    for number, seed in enumerate(("one", "one", "other")):
        forking.chance.draw_from(seed)
        hands.append(await offered(make_home, f"home{number}"))
    assert hands[0] == hands[1] != hands[2]
