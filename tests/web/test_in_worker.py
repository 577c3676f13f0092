"""The vectors and dialogues in the worker of a real browser, with the page's own files: the same tests as natively,
with noble in place of cryptography."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rigs.in_pyodide import SAME_TESTS, told_findings
from rigs.in_worker import worker_report
from rigs.node_pyodide import PLAYED
from rigs.old_logs import LOGS
from rigs.pages import browsing
from rigs.vectors import SAME_VECTORS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["chromium", "firefox"])
async def test_vectors_dialogues_and_logs_come_to_the_same_in_the_worker_of_a_page(name: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for played in PLAYED:
        shutil.copy(LOGS / f"{played}.log", logs)
    with browsing(name, tmp_path / "profile") as browser:
        report = await worker_report(browser, logs, SAME_TESTS)
    failed = {test: text for test, text in report["tests"].items() if text != "passed"}
    assert not failed, "\n\n".join(f"{test}\n{text}" for test, text in failed.items())
    assert report["tests"].keys() >= SAME_VECTORS
    assert report["findings"] == {path.name: told_findings(path) for path in sorted(logs.glob("*.log"))}
    assert report["rooms"]["refused"] == {}
    assert not {"trio_parallel", "serial", "ifaddr", "pwd", "grp"} & {*report["loaded"]}
