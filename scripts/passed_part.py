"""Notes in docs/hardening.md that a part of the slow tests has passed as a whole: at which commit, when, how fast.

    python scripts/passed_part.py PART SECONDS

Nothing is noted where something is not committed: nobody could say what has passed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/hardening.md"


def with_pass(page: str, part: str, commit: str, day: str, seconds: int) -> str:
    """The page with the row of this part as it is now. Raises LookupError where it has no such row."""
    row = f"| {part} | {commit} | {day} | {seconds // 60}:{seconds % 60:02} |"
    changed, rows = re.subn(rf"^\| {re.escape(part)} \|.*$", row, page, flags=re.MULTILINE)
    if rows != 1:
        raise LookupError(f"docs/hardening.md has {rows} rows for the part {part}.")
    return changed


def main() -> None:
    part, seconds = sys.argv[1], int(sys.argv[2])
    if said("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/hardening.md"):
        print("Not noted in docs/hardening.md, as there are changes that are not committed.")
        return
    commit, day = said("rev-parse", "--short", "HEAD"), datetime.now(UTC).date().isoformat()
    PAGE.write_text(with_pass(PAGE.read_text(), part, commit, day, seconds))
    print("Noted in docs/hardening.md.")


def said(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
