"""The kernels compiled by mypyc play as they do uncompiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = "p2pcards/players/kernels"


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_compiled_kernels_decide_as_the_sources_do(tmp_path: Path) -> None:
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"
    for place in (plain, compiled):
        shutil.copytree(ROOT / "p2pcards", place / "p2pcards", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    run(ROOT / "scripts" / "build_kernels", compiled / KERNELS)
    assert kernel_of(plain) == str(plain / KERNELS / "hearts.py") and kernel_of(compiled).endswith(".so")
    one, other = [decisions(place) for place in (plain, compiled)]
    assert one == other
    assert len(set(one)) > 5


def decisions(place: Path) -> list[str]:
    """Of a copy of the program, at a level that tries 60 hands out."""
    return run("-P", "-m", "rigs.decisions", "standard", 60, 12, PYTHONPATH=path_to(place)).splitlines()


def kernel_of(place: Path) -> str:
    say = "from p2pcards.players.kernels import hearts; print(hearts.__file__)"
    return run("-P", "-c", say, PYTHONPATH=path_to(place)).strip()


def path_to(place: Path) -> str:
    return os.pathsep.join((str(place), str(ROOT / "tests")))


def run(*arguments: str | int | Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
