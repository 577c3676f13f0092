"""What every test shares: the --slow option, and properties that are drawn the same way each time."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# Fixtures of one folder each, under names of their own: two modules of one name cannot be checked together.
pytest_plugins = ["file_limits", "real_daemons", "real_programs"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts a job in the background lets it ignore Ctrl-C, and so would every program that is tested here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: runs with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
