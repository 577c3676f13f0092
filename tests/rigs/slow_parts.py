"""The slow tests, in parts meant to take at most twenty minutes on two cores: `scripts/test --slow=kills-1`."""

from __future__ import annotations

from zlib import crc32

import pytest

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

PARTS = tuple(f"{name}-{number}" for name, pieces in PIECES.values() for number in range(1, pieces + 1))


def part_of(nodeid: str) -> str:
    name, pieces = next(piece for place, piece in PIECES.items() if nodeid.startswith(place))
    return f"{name}-{crc32(nodeid.encode()) % pieces + 1}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")
    parser.addoption("--part", choices=PARTS, help="run this part of the slow tests, and nothing else")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not (part := config.getoption("--part")):
        return
    chosen = [item for item in items if item.get_closest_marker("slow") and part_of(item.nodeid) == part]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
