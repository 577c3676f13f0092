"""The kernels in tests: compiled where they are compiled from these sources; tests that touch them run as written too.

A test touches them where its file imports one, by itself or by a rig, or where it has the mark `kernels`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = "P2PCARDS_KERNELS"
"""Of p2pcards, which reads it when it is first imported: not before this file has set it."""

KERNEL = re.compile(r"p2pcards\.games\.(deals|\w+\.(deal|worlds))\b")
IMPORT = re.compile(r"^\s*(?:import (\S+)|from (\S+) import (\([^)]*\)|.*))", re.MULTILINE)
MARKED = re.compile(r"\bmark\.kernels\b")
FIT = 'root=$1; source "$root/scripts/environment.sh"; kernels_fit "$2"'


def fit() -> bool:
    """Whether there are compiled kernels, of these sources and for this Python."""
    environment = os.path.relpath(sys.prefix, ROOT)
    return (
        not environment.startswith("..")
        and subprocess.run(["bash", "-euc", FIT, "-", ROOT, environment], check=False).returncode == 0
    )


if not os.environ.get(
    KERNELS
):  # scripts/test has looked; whoever calls pytest may have changed a kernel since it was compiled
    os.environ[KERNELS] = "compiled" if fit() else "written"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kernels", action="store_true", help="run the tests that touch kernels, and nothing else")


def pytest_report_header() -> str:
    return f"kernels: {os.environ[KERNELS]}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--kernels") or collection_path.suffix != ".py" or _named(collection_path, config):
        return None
    return not (touches(collection_path) or MARKED.search(collection_path.read_text(encoding="utf-8"))) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if touches(item.path):
            item.add_marker(pytest.mark.kernels)
    if config.getoption("--kernels"):
        chosen = [item for item in items if item.get_closest_marker("kernels")]
        config.hook.pytest_deselected(items=[item for item in items if not item.get_closest_marker("kernels")])
        items[:] = chosen


@cache
def touches(file: Path) -> bool:
    """Whether it imports a kernel, or a rig that does."""
    imported = _imported(file)
    rigs = [ROOT / "tests" / f"{name.replace('.', '/')}.py" for name in imported if name.startswith("rigs.")]
    return any(map(KERNEL.match, imported)) or any(touches(rig) for rig in rigs if rig.exists())


def _imported(file: Path) -> set[str]:
    """Modules, and whatever is taken from one, which may be a module too. By the text, as every file is looked at."""
    names = set[str]()
    for plain, module, taken in IMPORT.findall(file.read_text(encoding="utf-8")):
        names |= {plain or module, *(f"{module}.{name}" for name in re.findall(r"\w+", taken))}
    return names


def _named(file: Path, config: pytest.Config) -> bool:
    """Whether it was asked for by its name; pytest takes it for missing where it is ignored."""
    return any(file == Path(config.invocation_params.dir, arg.partition("::")[0]) for arg in config.args)
