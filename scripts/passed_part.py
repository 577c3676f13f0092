"""Says which part of the slow tests is next, and notes that one has passed: at which commits, when, how fast.

    python scripts/passed_part.py --next
    python scripts/passed_part.py PART SECONDS

A pass is noted in docs/hardening.md, and on this machine, as not every machine that tests may commit. Next is the part
that has waited longest by both. Parts that have never passed take turns by the number of commits, and so do all parts
on a machine that remembers none. Nothing is noted where changes are not committed: nobody could say what has passed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/hardening.md"
ROW = re.compile(r"^\| ([a-z]+-\d+) \|[^|]*\|([^|]*)\|.*$", re.MULTILINE)
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "p2pcards/slow")
"""Of this machine: a file for each part that is run in pieces, and when parts have passed."""


@dataclass(slots=True)
class Pieces:
    """A part that is run in pieces. passed: its tests, with the commit at which each has; left: the number of others;
    seconds: what all pieces took."""

    passed: dict[str, str] = field(default_factory=dict)
    left: int = 0
    seconds: int = 0

    def keep(self, part: str) -> None:
        _write(KEPT / f"{part}.json", {"passed": self.passed, "left": self.left, "seconds": self.seconds})


def pieces_of(part: str) -> Pieces:
    return Pieces(**_read(KEPT / f"{part}.json"))


def next_part(table: Mapping[str, str], notes: Mapping[str, str], commits: int) -> str:
    """table: all parts, with the day of their last pass, or nothing; notes: of this machine, with the second."""
    last = {part: max(day, notes.get(part, "")) for part, day in table.items()}
    waiting: Sequence[str] = [part for part, when in last.items() if not when] or ([] if notes else [*last])
    return waiting[commits % len(waiting)] if waiting else min(last, key=last.__getitem__)


def table_of(page: str) -> dict[str, str]:
    """The parts in their order, with the day on which each last passed."""
    return {part: day.strip() for part, day in ROW.findall(page)}


def with_pass(page: str, part: str, commit: str, day: str, seconds: int) -> str:
    """The page with the row of this part as it is now. Raises LookupError where it has no such row."""
    row = f"| {part} | {commit} | {day} | {seconds // 60}:{seconds % 60:02} |"
    changed, rows = re.subn(rf"^\| {re.escape(part)} \|.*$", row, page, flags=re.MULTILINE)
    if rows != 1:
        raise LookupError(f"docs/hardening.md has {rows} rows for the part {part}.")
    return changed


def main() -> None:
    if sys.argv[1] == "--next":
        notes = _read(KEPT / "passed.json")
        print(next_part(table_of(PAGE.read_text()), notes, int(said("rev-list", "--count", "HEAD"))))
        return
    note(sys.argv[1], int(sys.argv[2]))


def note(part: str, seconds: int) -> None:
    pieces = pieces_of(part)
    pieces.seconds += seconds
    if pieces.left:
        pieces.keep(part)
        passed = len(pieces.passed)
        print(f"{part} goes on with its next piece: {passed} of its tests have passed, {pieces.left} are left.")
        return
    (KEPT / f"{part}.json").unlink(missing_ok=True)
    here = commit()
    commits = list(dict.fromkeys([*pieces.passed.values(), here]))
    if any("dirty" in one for one in commits):
        print("Not noted in docs/hardening.md, as there were changes that are not committed.")
        return
    now = datetime.now(UTC)
    _write(KEPT / "passed.json", _read(KEPT / "passed.json") | {part: now.isoformat(timespec="seconds")})
    span = here if len(commits) == 1 else f"{commits[0]} to {here}"
    after = with_pass(PAGE.read_text(), part, span, now.date().isoformat(), pieces.seconds)
    PAGE.write_text(after)
    print("Noted in docs/hardening.md:", *re.findall(rf"^\| {part} \|.*$", after, flags=re.MULTILINE))


def commit() -> str:
    """With "dirty" where something else is not committed than that page."""
    changed = said("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/hardening.md")
    return said("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def said(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _read(file: Path) -> dict[str, Any]:
    """Nothing where there is none, or a damaged one: the part begins anew."""
    try:
        kept: dict[str, Any] = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return kept


def _write(file: Path, what: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_suffix(".new").write_text(json.dumps(what, indent=0))
    file.with_suffix(".new").replace(file)


if __name__ == "__main__":
    main()
