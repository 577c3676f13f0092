"""Holds what a whole run of the tests costs to the figure that is kept in tests/processor.json.

    python scripts/kept_processor.py MODE SECONDS FILE...            MODE: plain or coverage; SECONDS: of the whole run;
                                                                     FILE: what pytest --processor=FILE has written
    python scripts/kept_processor.py MODE SECONDS FILE... REASON     keeps it as the new figure; REASON has a space

The figure is in units: of the time in which the same process runs a fixed loop, again and again while the tests run. So
a slow machine, or a busy one, changes it little. Only tests of the plain run count, whatever else has run too. In CI a
run that costs a fifth more than the figure fails.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

KEPT = Path(__file__).resolve().parents[1] / "tests/processor.json"
MOST = 1.2
TOTAL = re.compile(r"# ([\d.]+) s of processor for the plain run; unit: ([\d.]+) s")


@dataclass(frozen=True, slots=True)
class Figure:
    """units: processor; seconds: the same on the machine that measured it; wall: seconds of the whole run."""

    units: int
    seconds: int
    wall: int
    day: str
    reason: str


def measured(texts: Sequence[str], wall: int, reason: str) -> Figure:
    """Of the files that pytest has written, one for each time that it ran."""
    found = [match for text in texts if (match := TOTAL.match(text))]
    seconds = [float(match[1]) for match in found]
    units = sum(spent / float(match[2]) for spent, match in zip(seconds, found, strict=True))
    return Figure(round(units), round(sum(seconds)), wall, datetime.now(UTC).date().isoformat(), reason)


def compared(now: Figure, kept: Figure | None, mode: str) -> tuple[str, bool]:
    """A sentence, and whether it may be so."""
    new = f"--new-figure='why'{' --coverage' if mode == 'coverage' else ''}"
    told = f"The run took {now.seconds} s of processor ({now.units:,} units) and {now.wall} s."
    if kept is None:
        return f"{told} No figure is kept for it yet: scripts/test {new} keeps this one.", True
    ratio = now.units / kept.units
    told += (
        f" Kept since {kept.day}: {kept.seconds} s ({kept.units:,} units) and {kept.wall} s, {kept.reason}. "
        f"In units that is {100 * ratio - 100:+.0f} %."
    )
    if ratio <= MOST:
        return told, True
    return f"{told} More than a fifth: make the tests cheaper, or say why with scripts/test {new}.", False


def main() -> int:
    mode, wall, *rest = sys.argv[1:]
    reason = rest.pop() if " " in rest[-1] else ""
    now = measured([Path(file).read_text() for file in rest], int(wall), reason)
    kept: Mapping[str, Mapping[str, object]] = json.loads(KEPT.read_text())
    if reason:
        KEPT.write_text(json.dumps({**kept, mode: asdict(now)}, indent=4, sort_keys=True) + "\n")
        print(f"Kept in tests/processor.json: {now.units:,} units, {now.seconds} s, {reason}.")
        return 0
    told, may_be = compared(now, Figure(**kept[mode]) if mode in kept else None, mode)  # type: ignore[arg-type]
    print(told)
    return int(not may_be and bool(os.environ.get("CI")))


if __name__ == "__main__":
    sys.exit(main())
