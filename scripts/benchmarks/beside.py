"""scripts/bench --beside REV: sections measured in turns with those of another commit, as a machine is never equally
fast twice; the ratio of each figure is what counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, progress, rounded

ROOT = Path(__file__).resolve().parents[2]
TURNS = 3
"""Of each of the two."""

Figures = dict[str, float]
"""What was measured, by section and name."""


def measure_beside(revision: str, sections: Sequence[str], turns: int = TURNS) -> dict[str, dict[str, float]]:
    """By figure: ours, theirs, and ours divided by theirs, each the median of so many turns. A figure that only one of
    the two has is left out. Raises NotMeasured."""
    ours, theirs = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    with checked_out(revision) as there:
        for turn in range(1, turns + 1):
            for place, kept in ((there, theirs), (ROOT, ours)):
                progress(f"turn {turn} of {turns}, {'here' if place == ROOT else revision} ...")
                for name, value in measured_at(place, sections).items():
                    kept[name].append(value)
    return {name: _row(median(ours[name]), median(theirs[name])) for name in ours if name in theirs}


def _row(ours: float, theirs: float) -> dict[str, float]:
    return {"here": rounded(ours), "there": rounded(theirs), "ratio": rounded(ours / theirs) if theirs else 0.0}


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        there = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(there), revision)
        try:
            yield there
        finally:
            _git("worktree", "remove", "--force", str(there))


def _git(*words: str) -> None:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMeasured(f"git {words[0]} says: {done.stderr.strip()}")


def measured_at(place: Path, sections: Sequence[str]) -> Figures:
    """All figures of the program that lies there, with its own way of measuring and the packages that we have."""
    environment = os.environ | {"PYTHONPATH": f"{place / 'scripts'}{os.pathsep}{place}"}
    words = [sys.executable, "-P", "-m", "benchmarks", *sections]
    done = subprocess.run(words, cwd=place, env=environment, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        raise NotMeasured(f"Nothing was measured in {place}: it ended with {done.returncode}.")
    results = json.loads(done.stdout)
    return {name: value for section in sections for name, value in figures_in(section, results[section])}


def figures_in(name: str, found: Any) -> Iterator[tuple[str, float]]:
    """Every number, by the names on the way to it; limits are none."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key != "limit":
                yield from figures_in(name if key == "value" else f"{name} {key}", value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield name, float(found)
