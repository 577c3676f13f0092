"""The slow tests, in parts meant to take at most twenty minutes on two cores: `scripts/test --slow=kills-1`.

With `--minutes=20` a part is run in pieces: no test begins after that time, and the next piece goes on with those that
have not passed in an earlier one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import pytest
from xdist.workermanage import WorkerController

from passed_part import commit, pieces_of

PIECES = {
    "tests/daemon/test_kills.py": ("kills", 3),
    "tests/daemon/": ("daemons", 2),
    "tests/session/test_faults.py": ("faults", 3),
    "tests/session/": ("orders", 2),
    "tests/games/test_laws.py": ("laws", 4),
    "tests/players/": ("players", 3),
    "tests/links/": ("channel", 1),
    "tests/": ("rest", 2),
}
"""The name of what stands there and the number of parts in which it is run; the first that fits a test counts."""

OVER = "the minutes of this piece are over"

BEFORE = "passed before"

PARTS = tuple(f"{name}-{number}" for name, pieces in PIECES.values() for number in range(1, pieces + 1))


def piece_of(nodeid: str) -> tuple[str, int]:
    return next(piece for place, piece in PIECES.items() if nodeid.startswith(place))


def part_of(nodeid: str) -> str:
    name, pieces = piece_of(nodeid)
    return f"{name}-{crc32(nodeid.encode()) % pieces + 1}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")
    parser.addoption("--part", choices=PARTS, help="run this part of the slow tests, and nothing else")
    parser.addoption("--minutes", type=float, help="run a piece of the part: begin no test after so many minutes")


def pytest_configure(config: pytest.Config) -> None:
    if (part := config.getoption("--part")) and (minutes := config.getoption("--minutes")) is not None:
        before = getattr(config, "workerinput", {}).get(BEFORE)  # of a process of xdist
        config.pluginmanager.register(Piece(part, minutes, before), "piece")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Other files need not be read."""
    if not (part := config.getoption("--part")) or not collection_path.name.startswith("test_"):
        return None
    name, _ = piece_of(collection_path.relative_to(config.rootpath).as_posix())
    return name != part.rpartition("-")[0] or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (part := config.getoption("--part")):
        return
    chosen = [item for item in items if item.get_closest_marker("slow") and part_of(item.nodeid) == part]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


class Piece:
    """A piece of a part. before: what has passed in earlier ones, in a process of xdist; the one that began it keeps
    what passes."""

    def __init__(self, part: str, minutes: float, before: Sequence[str] | None) -> None:
        self._part = part
        self._ends = time.monotonic() + 60 * minutes
        self._kept = pieces_of(part) if before is None else None
        self._before = frozenset(self._kept.passed if self._kept else before or ())
        self._commit = commit() if self._kept else ""
        if self._kept:
            self._kept.left = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: WorkerController) -> None:
        node.workerinput[BEFORE] = sorted(self._before)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._before]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if time.monotonic() >= self._ends:
            pytest.skip(OVER)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that is skipped for another reason has had its turn."""
        if not self._kept or not (report.skipped or (report.when == "call" and report.passed)):
            return
        if OVER in str(report.longrepr):
            self._kept.left += 1
        else:
            self._kept.passed[report.nodeid] = self._commit
        self._kept.keep(self._part)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self._before:
            session.exitstatus = pytest.ExitCode.OK  # all have passed before, and it was not noted

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if kept := self._kept:
            new, before = len(kept.passed) - len(self._before), len(self._before)
            terminalreporter.section(f"{self._part}: {new} tests have passed, {before} before, {kept.left} are left")
