"""A command of the player's own: a real program that writes down what it was given."""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOR_EVER = "import time; time.sleep(1000)"


class OwnProgram:
    """A program of the player's own that notes its process and what it got, and then does what the body says."""

    def __init__(self, folder: Path, body: str = "") -> None:
        script = folder / "own.py"
        self._notes = folder / "notes"
        script.write_text(
            "import os, sys\n"
            "got = sys.argv[1:] or sys.stdin.read().splitlines()\n"
            f"with open({str(self._notes)!r}, 'a') as notes:\n"
            "    notes.writelines(f'{os.getpid()} {line}\\n' for line in got)\n"
            f"{body}\n"
        )
        self.command = f"{sys.executable} {script}"

    @property
    def got(self) -> list[str]:
        """Its last argument each time, or all lines that it has read."""
        return [line.partition(" ")[2] for line in self._lines()]

    def running(self) -> set[int]:
        return {pid for line in self._lines() if _runs(pid := int(line.partition(" ")[0]))}

    def _lines(self) -> list[str]:
        return self._notes.read_text().splitlines() if self._notes.exists() else []


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
