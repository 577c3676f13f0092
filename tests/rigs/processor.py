"""The cost of each test: seconds of processor, its own and those of the processes that have ended for it.

Seconds of the wall say little on a machine that does other things too. What has been forked (rigs/forking.py) counts
too, and the reading of the tests in each process is a row of its own.
"""

from __future__ import annotations

import resource
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

from rigs import forking

DEAREST = 12
COLLECTION = "the collection of the tests"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processor", metavar="FILE", type=Path, help="write what each test function costs to FILE")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Costs(config.getoption("--processor")), "costs")


class Costs:
    """file: where the cost of every function goes, or None."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._before = spent()
        self._collection = 0.0
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._cases = Counter[str]()

    def pytest_collection_finish(self) -> None:
        now = spent()
        self._collection, self._before = now - self._before, now

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """What has been spent since the last report belongs to this one, fixtures included."""
        report = yield
        now = spent()
        report.processor = now - self._before  # type: ignore[attr-defined] # xdist sends all that a report has
        self._before = now
        report.collection, self._collection = self._collection, 0.0  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        function = report.nodeid.partition("[")[0]
        self._seconds[function] += getattr(report, "processor", 0.0)
        if collection := getattr(report, "collection", 0.0):
            self._seconds[COLLECTION] += collection
            self._cases[COLLECTION] += 1
        self._cases[function] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._seconds:
            return
        dearest = sorted(self._seconds, key=self._seconds.__getitem__, reverse=True)
        rows = [f"{self._seconds[test]:.2f}\t{self._cases[test]}\t{test}" for test in dearest]
        total = sum(self._seconds.values())
        terminalreporter.section(f"processor: {total:.0f} s; the dearest: seconds, cases, function")
        for row in rows[:DEAREST]:
            terminalreporter.write_line(row)
        if self._file:
            self._file.write_text("".join(f"{row}\n" for row in rows))


def spent() -> float:
    """Seconds of processor so far, of this process, of those it has waited for, and of what is forked in its place."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used) + forking.loaded.spent()
