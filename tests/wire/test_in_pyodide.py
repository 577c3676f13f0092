"""The rooms in a browser's Python, with noble in place of cryptography: the same tests, vectors and findings."""

from __future__ import annotations

from typing import Any

import pytest

from rigs.in_pyodide import SAME_TESTS, rooms
from rigs.node_pyodide import ROOT
from rigs.vectors import SAME_VECTORS

pytestmark = pytest.mark.node
Report = dict[str, Any]


def test_the_rooms_of_a_page_import_without_cryptography_processes_ports_and_users(in_pyodide: Report) -> None:
    assert in_pyodide["rooms"]["refused"] == {}
    assert in_pyodide["rooms"]["seconds"].keys() == {*rooms(ROOT / "p2pcards")} >= {"daemon", "frontend", "wire"}
    assert not {"trio_parallel", "serial", "ifaddr", "pwd", "grp"} & {*in_pyodide["loaded"]}


def test_the_same_tests_pass(in_pyodide: Report) -> None:
    came: dict[str, str] = in_pyodide["tests"]
    failed = {test: text for test, text in came.items() if text != "passed"}
    assert not failed, "\n\n".join(f"{test}\n{text}" for test, text in failed.items())
    assert came.keys() >= SAME_VECTORS
    assert {one.partition("::")[0] for one in came} == {one.partition("::")[0] for one in SAME_TESTS}


def test_a_log_proves_the_same(in_pyodide: Report) -> None:
    assert len(in_pyodide["findings"]) == 5
    assert in_pyodide["findings"] == in_pyodide["natively"]
