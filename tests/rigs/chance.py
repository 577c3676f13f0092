"""The seeds of a run: of the order of the tests, and of what the program under test takes for chance.

The machines take chance as an argument; what a daemon takes from the system is drawn here from the seed of the run and
the name of the test. A failure names both seeds. Keys, and a Python that a test starts anew, keep the system's.
"""

from __future__ import annotations

import random
from collections.abc import Generator

import pytest

from rigs import forking


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--random-order", type=int, metavar="SEED", help="shuffle the files, and the tests of each")
    parser.addoption(
        "--chance", type=int, metavar="SEED", help="what daemons draw from; another one each time if left out"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.option.chance is None:  # xdist gives its workers what stands here
        config.option.chance = random.SystemRandom().getrandbits(31)


def shuffled(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """Those of a file stay together, as they may share what is made once."""
    chance = random.Random(seed)
    files: dict[object, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = list(files.values())
    for tests in order:
        chance.shuffle(tests)
    chance.shuffle(order)
    return [item for tests in order for item in tests]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if (seed := config.getoption("--random-order")) is not None:
        items[:] = shuffled(items, seed)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    forking.chance.draw_from(f"{item.config.getoption('--chance')}/{item.nodeid}")
    try:
        return (yield)
    finally:
        forking.chance.draw_from("")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.append(("seeds", seeds(item.config)))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"seeds: {seeds(config)}")


def seeds(config: pytest.Config) -> str:
    """As options that give the same again."""
    values = {name: config.getoption(f"--{name}") for name in ("chance", "random-order")}
    return " ".join(f"--{name}={value}" for name, value in values.items() if value is not None)
