"""scripts/bench --beside REV: sections measured in turns with those of another commit, as a machine is never equally
fast twice; the ratio of each figure is what counts. scripts/bench --release: the same beside the last release, short
enough for each run of .ci/run, which prints it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, progress, rounded

ROOT = Path(__file__).resolve().parents[2]
TURNS = 3
"""Of each of the two, at the most."""

RUN_FROM_OUTSIDE = ("help", "first")
"""Sections that import nothing of the program: ours measure another version too, which may not have them yet."""

Figures = dict[str, float]
"""What was measured, by section and name."""
Row = dict[str, float]


def measure_beside(
    revision: str, sections: Sequence[str], turns: int = TURNS, *, seconds: float | None = None
) -> dict[str, Row]:
    """By figure: ours, theirs, and ours divided by theirs, each the median of so many turns. A figure that only one of
    the two has is left out, and a section that the other commit has not is named. seconds: for all of it, and then each
    section is shortened. Raises NotMeasured."""
    ours, theirs = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    end = None if seconds is None else time.monotonic() + seconds
    with checked_out(revision) as there:
        for turn in range(1, turns + 1):
            began = time.monotonic()
            for section in sections:
                for place, kept in ((there, theirs), (ROOT, ours)):
                    progress(f"turn {turn} of {turns}, {section}, {'here' if place == ROOT else revision} ...")
                    for name, value in _figures_of(place, section, end):
                        kept[name].append(value)
            if end is not None and 2 * time.monotonic() - began > end:
                break  # another turn would take too long
    return {name: _row(ours[name], theirs[name]) for name in ours if name in theirs}


def _row(ours: Sequence[float], theirs: Sequence[float]) -> Row:
    here, there = median(ours), median(theirs)
    return {"here": rounded(here), "there": rounded(there), "ratio": rounded(here / there) if there else 0.0}


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


def _figures_of(place: Path, section: str, end: float | None) -> Iterator[tuple[str, float]]:
    try:
        yield from measured_at(place, section, end).items()
    except NotMeasured as error:
        progress(str(error))


def measured_at(place: Path, section: str, end: float | None = None) -> Figures:
    """All figures of a section of the program that lies there, with its own way of measuring where that imports it, and
    the packages that we have. end: when to give up; then the section is shortened, too. Raises NotMeasured."""
    scripts = (ROOT if section in RUN_FROM_OUTSIDE else place) / "scripts"
    environment = os.environ | {"PYTHONPATH": f"{scripts}{os.pathsep}{place}"}
    program: tuple[str, ...] = ("-m", "benchmarks")
    if end is not None or section in RUN_FROM_OUTSIDE:
        program = ("-c", _ONE_SECTION, json.dumps(SMALLER if end is not None else {}))
    said = _run([sys.executable, "-P", *program, section], place, environment, end)
    found = json.loads(said).get(section, {}) if said else {}
    if not found or "error" in found:
        why = "It has no such section, or ended early." if not said else found.get("error", "")
        raise NotMeasured(f"{section} was not measured in {place}. {why}")
    return dict(figures_in(section, found))


def _run(words: Sequence[str], place: Path, environment: Mapping[str, str], end: float | None) -> bytes:
    """What it prints; nothing where it took too long. Whatever it has started ends with it."""
    patience = None if end is None else max(0.0, end - time.monotonic())
    with subprocess.Popen(words, cwd=place, env=environment, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            return process.communicate(timeout=patience)[0]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            raise NotMeasured("It took too long: this machine has other things to do.") from None


def figures_in(name: str, found: Any) -> Iterator[tuple[str, float]]:
    """Every number, by the names on the way to it; limits are none."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key != "limit":
                yield from figures_in(name if key == "value" else f"{name} {key}", value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield name, float(found)


# --- beside the last release ------------------------------------------------------------------------------------------


RELEASE = ("0.2.0", "ddbd0941d0d54e449617aaed6d8be8fb2c851c9c")
"""The last version that was given out, and its last commit; a new release writes its own here."""

SECONDS = 55.0
SECTIONS = ("move", "help", "first")
SMALLER: Mapping[str, Mapping[str, Any]] = {
    "move": {"GAME": ("hearts", (("end_score", "120"),)), "LEAST": 50},
    "help": {"TIMES": 5},
    "first": {"STARTS": 2},
}
"""The constants that are smaller then, by section, in the older version likewise."""

_ONE_SECTION = """
import json, sys
from importlib import import_module

smaller, section = json.loads(sys.argv[1]), sys.argv[2]
module = import_module(f"benchmarks.{'first_card' if section == 'first' else section + '_time'}")
for name, value in smaller.get(section, {}).items():
    setattr(module, name, value)
print(json.dumps({section: module.measure()}))
"""

TOLD = {
    "move ratio": "a move between three daemons, in floors",
    "move synced_ratio": "the same with the log's sync",
    "move move lowest_tenth": "a move, lowest tenth, in microseconds",
    "help help": "--help, in milliseconds",
    "help cpu": "--help, milliseconds of the processor",
    "first first": "from the command to the first card, in milliseconds",
}


def told_beside_release() -> Iterator[str]:
    """Lines for a reader of what .ci/run prints. Nothing here makes a run fail: another program on the machine may be
    why a figure is bad."""
    version, commit = RELEASE
    if not _is_here(commit):
        yield (
            f"Not measured beside {version}, the last release: this clone has no history so far back. "
            "'git fetch --unshallow' brings it."
        )
        return
    yield f"Beside {version} ({commit[:7]}), the last release: here, there, and here divided by there"
    try:
        rows = measure_beside(commit, SECTIONS, seconds=SECONDS)
    except NotMeasured as error:
        yield f"  {error}"
        return
    for name, row in rows.items():
        if name in TOLD:
            yield f"  {TOLD[name]:<55} {row['here']:>8} {row['there']:>8}   x {row['ratio']:.2f}"
    for section in SECTIONS:
        if not any(name.split()[0] == section for name in rows):
            yield f"  {section} was not measured."


def _is_here(commit: str) -> bool:
    words = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == 0
