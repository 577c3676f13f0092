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


def under_test(kind: str, port: int) -> str:
    """The command that starts our own program with a table at this port."""
    paths = f"{TESTS}:{TESTS.parent}"
    return f"env PYTHONPATH={paths} {sys.executable} {TESTS}/rigs/own_under_test.py {{home}} {kind} {port}"


@pytest.mark.parametrize("cases", [("16", "78"), pytest.param((), marks=pytest.mark.slow)])
def test_our_listener_passes(make_program: MakeProgram, cases: tuple[str, ...]) -> None:
    """Without cases all of them."""
    port = lasting_port()
    judge(make_program, "listen", f"127.0.0.1:{port}", under_test("listen", port), cases)


@pytest.mark.parametrize("cases", [("117", "121"), pytest.param((), marks=pytest.mark.slow)])
def test_our_coordinator_passes(make_program: MakeProgram, cases: tuple[str, ...]) -> None:
    port = lasting_port()
    judge(make_program, "connect", f"--port={port}", under_test("connect", port), cases)


def judge(make_program: MakeProgram, kind: str, where: str, run: str, cases: tuple[str, ...]) -> None:
    chosen = [f"--case={number}" for number in cases]
    patience = f"--patience={longest_wait()}"
    done = make_program("judge")("conform", kind, where, f"--run={run}", patience, "--json", *chosen)
    found = json.loads(done.stdout)
    assert [one for one in found["cases"] if one["result"] == "failed"] == [] and done.returncode == FINE
    assert found["ok"] >= (len(cases) or 33)
