"""What every test shares: options for those that need something, and properties drawn the same way each time."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

pytest_plugins = [
    "pytester",
    "rigs.kernels",  # the first, as it says how p2pcards is imported
    "rigs.browser",
    "rigs.chance",
    "rigs.deadlines",
    "rigs.modem.dosbox_modems",
    "rigs.file_limits",
    "rigs.nat",
    "rigs.apart",  # after `nat`, of which it has the fixture
    "rigs.near_tests",
    "rigs.node_programs",
    "rigs.node_pyodide",
    "rigs.pages",
    "rigs.processor",
    "rigs.real_daemons",
    "rigs.real_programs",
    "rigs.slow_parts",
    "rigs.web_space",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--node", action="store_true", help="run the tests that need Node.js too")
    parser.addoption("--modem", action="store_true", help="run the tests that need modems too")
    parser.addoption("--reach", action="store_true", help="run the tests that need a message broker too")
    parser.addoption("--direct", action="store_true", help="run the tests that need libdatachannel too")
    parser.addoption("--browser", action="store_true", help="run the tests that need a browser too")


def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts a job in the background lets it ignore Ctrl-C, and so would every program that is tested here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["P2PCARDS_REACH"] = "asked"  # no test calls the public brokers
    slow = bool(config.getoption("--slow"))
    # A machine shared with other work has no steady clock: a property fails by its result, never by its time.
    settings.register_profile(
        "p2pcards",
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=1000 if slow else 100,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("p2pcards")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Names a failure when it happens: a run that is ended from outside has said what failed so far."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        crash = getattr(report.longrepr, "reprcrash", None)
        print(f"\nFAILED {report.nodeid}: {crash.message if crash else report.longrepr}"[:500], flush=True)


def pytest_collection_finish() -> None:
    """What stands for good by now, modules and thousands of tests, is not searched for circles again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


LONGEST = ("test_faults.py", "test_laws.py")
"""Begun first, so that no worker is left with one of them alone at the end."""

COVERED = ("cards", "games", "wire", "ledger", "session")
"""The rooms that are held to 90 % by their own tests; being measured makes everything several times as slow."""


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """The marker no_cover, in the processes of xdist too: pytest-cov measures twice there and stops once."""
    tracer = sys.gettrace()
    if item.get_closest_marker("no_cover"):
        sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


class ByFile(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    """The tests of a file run in one process, as they may share what is made once; those of the laws, the longest file
    of all, only where they are about one game."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        of_game = re.search(r"\[([a-z]\w+)", test) if file.endswith("test_laws.py") else None
        return f"{file} {of_game[1]}" if of_game else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--begin-until"):
        items.sort(key=lambda item: (*LONGEST, item.path.name).index(item.path.name))
    for item in items:
        if item.path.parent.name not in COVERED:
            item.add_marker(pytest.mark.no_cover)
    for marker in ("slow", "node", "modem", "reach", "direct", "browser"):
        if not config.getoption(f"--{marker}"):
            skip = pytest.mark.skip(reason=f"{marker}: runs with --{marker}")
            for item in items:
                if item.get_closest_marker(marker):  # keywords hold the names of folders too
                    item.add_marker(skip)
