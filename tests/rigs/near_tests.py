"""What `scripts/test --near` asks of pytest: the nearest tests first, and none that begins too late."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest

LATE = "no time was left for it"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--begin-until", type=float, metavar="TIME", help="begin no test later, in seconds since 1970")
    parser.addoption("--cases-of", action="append", default=[], metavar="GAME:FILE", help="run only these of the file")


def is_case_of(game: str, nodeid: str) -> bool:
    return re.search(rf"[\[-]{game}[\]-]", nodeid) is not None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    games = {file: game for game, _, file in (word.partition(":") for word in config.getoption("--cases-of"))}
    kept, left_out = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        game = games.get(item.nodeid.partition("::")[0])
        (kept if game is None or is_case_of(game, item.nodeid) else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if (until := item.config.getoption("--begin-until")) and time.time() > until:
        pytest.skip(LATE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", ())
    late = Counter(one.nodeid.partition("::")[0] for one in skipped if LATE in str(one.longrepr))
    if late:
        terminalreporter.section(f"left out, as the time was over: {late.total()} tests")
        terminalreporter.write_line(", ".join(f"{file} ({count})" for file, count in sorted(late.items())))
