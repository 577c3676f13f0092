"""Our own daemons under `p2pcards conform`: what other programs are held to."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from p2pcards.control.exits import FINE
from rigs.giving_up import longest_wait
from rigs.ports import lasting_port
from rigs.program import MakeProgram

TESTS = Path(__file__).resolve().parents[1]
EVERY = {"listen": 79, "connect": 33}
"""Cases of each kind, but for those that need a WebSocket to call."""


def under_test(kind: str, where: str) -> str:
    """The command that starts our own program with a table that waits at this port, or calls there."""
    paths = f"{TESTS}:{TESTS.parent}"
    return f"env PYTHONPATH={paths} {sys.executable} {TESTS}/rigs/own_under_test.py {{home}} {kind} {where}"


@pytest.mark.parametrize("cases", [("16", "78"), pytest.param((), marks=pytest.mark.slow)])
def test_our_listener_passes(make_program: MakeProgram, cases: tuple[str, ...]) -> None:
    """Without cases all of them."""
    port = lasting_port()
    judge(make_program, "listen", f"127.0.0.1:{port}", under_test("listen", str(port)), cases)


@pytest.mark.parametrize(
    ("address", "cases"),
    [
        ("127.0.0.1", ("117", "121")),
        ("ws://127.0.0.1", ("118",)),
        pytest.param("127.0.0.1", (), marks=pytest.mark.slow),
    ],
)
def test_our_coordinator_passes(make_program: MakeProgram, address: str, cases: tuple[str, ...]) -> None:
    """Over a WebSocket, too."""
    port = lasting_port()
    judge(make_program, "connect", f"--port={port}", under_test("connect", f"{address}:{port}"), cases)


def judge(make_program: MakeProgram, kind: str, where: str, run: str, cases: tuple[str, ...]) -> None:
    chosen = [f"--case={number}" for number in cases]
    patience = f"--patience={longest_wait()}"
    done = make_program("judge")("conform", kind, where, f"--run={run}", patience, "--json", *chosen)
    found = json.loads(done.stdout)
    assert [one for one in found["cases"] if one["result"] == "failed"] == [] and done.returncode == FINE
    assert found["ok"] == (len(cases) or EVERY[kind])
