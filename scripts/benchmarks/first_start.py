"""How long it takes from `scripts/p2pcards play` in a new clone to the first card, the environment included, beside
`pip install` of the same wheels into an empty environment. Both find them in pip's cache. What is not pip's is ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, figure, rounded
from benchmarks.first_card import start_play

ROOT = Path(__file__).resolve().parents[2]
STARTS = 3
PATIENCE = 120.0
LIMIT = 15.0
INSTALL = ("install", "--quiet", "--no-deps", "--require-hashes", "--no-compile", "-r", str(ROOT / "locks/run.txt"))


def measure() -> dict[str, Any]:
    """Medians of STARTS in turns, after one of each that fills the cache."""
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        took = [(_install(Path(folder)), _start(Path(folder))) for _ in range(1 + STARTS)][1:]
    pip, whole = (median(times) for times in zip(*took, strict=True))
    return {"start": figure(whole, "s", LIMIT, pip_install=rounded(pip), ratio=rounded(whole / pip))}


def _install(folder: Path) -> float:
    """Seconds of pip alone."""
    place = folder / "bare"
    _run(sys.executable, "-m", "venv", "--without-pip", str(place))
    python = getattr(sys, "_base_executable", sys.executable)
    began = time.perf_counter()
    _run(python, "-m", "pip", "--python", str(place / "bin/python"), "--disable-pip-version-check", *INSTALL)
    took = time.perf_counter() - began
    shutil.rmtree(place)
    return took


def _start(folder: Path) -> float:
    clone = folder / "clone"
    _run("git", "clone", "--quiet", "--no-local", str(ROOT), str(clone))
    never = "P2PCARDS_COMPILE=never"  # it would go on when the folder is gone
    took = start_play(("env", never, clone / "scripts/p2pcards"), PATIENCE)
    shutil.rmtree(clone)
    return took


def _run(*words: str) -> None:
    if subprocess.run(words, env=os.environ, capture_output=True, check=False).returncode:
        raise NotMeasured(f"'{' '.join(words[:4])} ...' failed.")
