"""The cost of each test: seconds of processor, its own and those of the processes that have ended for it.

Seconds of the wall say little on a machine that does other things too. What has been forked (rigs/forking.py) counts
too, and the reading of the tests in each process is a row of its own.

With the seconds goes a unit, the time of a fixed loop in the same process while the tests run, by which
scripts/kept_processor.py compares runs.
"""

from __future__ import annotations

import resource
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

from rigs import forking

DEAREST = 12
COLLECTION = "the collection of the tests"

NOT_PLAIN = ("slow", "node", "modem", "direct", "browser")
"""Marks of tests that the plain run leaves out."""

REPORTS = 300
"""Between two measurements of the unit: about a hundred in a whole run, a second or two of processor."""


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
        self._plain = 0.0
        self._units = [unit()]
        self._reports = 0

    def pytest_collection_finish(self) -> None:
        now = spent()
        self._collection, self._before = now - self._before, now

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """What has been spent since the last report belongs to this one, fixtures included."""
        report = yield
        now = spent()
        report.processor = now - self._before  # type: ignore[attr-defined] # xdist sends all that a report has
        report.plain = not any(map(item.get_closest_marker, NOT_PLAIN))  # type: ignore[attr-defined]
        self._before = now
        report.collection, self._collection = self._collection, 0.0  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        function = report.nodeid.partition("[")[0]
        self._seconds[function] += getattr(report, "processor", 0.0)
        if collection := getattr(report, "collection", 0.0):
            self._seconds[COLLECTION] += collection
            self._cases[COLLECTION] += 1
            self._plain += collection
        self._cases[function] += report.when == "call"
        self._plain += getattr(report, "plain", True) * getattr(report, "processor", 0.0)
        self._reports += 1
        if self._reports % REPORTS == 0:
            self._units.append(unit())
            self._before += self._units[-1]  # where one process does all

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
            each = sum(self._units) / len(self._units)
            head = f"# {self._plain:.1f} s of processor for the plain run; unit: {each:.6f} s"
            self._file.write_text("".join(f"{row}\n" for row in (head, *rows)))


def spent() -> float:
    """Seconds of processor so far, of this process, of those it has waited for, and of what is forked in its place."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used) + forking.loaded.spent()


def unit() -> float:
    """Seconds of processor that a fixed loop takes, some hundredths."""
    started, total, last = time.process_time(), 0, dict[int, int]()
    for number in range(200_000):
        last[number & 255] = total = (total * 31 + number) % 1_000_003
    return time.process_time() - started
