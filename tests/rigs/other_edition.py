"""The program of another edition: a copy of this one in which something is changed, run by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from p2pcards.store.files import find_home
from rigs.giving_up import longest_wait
from rigs.homes import daemon_runs, kill_daemon

PACKAGE = Path(__file__).parents[2] / "p2pcards"


class OtherEdition:
    """place: an empty folder, in which its files and its home lie."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.home = find_home({"P2PCARDS_HOME": str(place / "home")})
        shutil.copytree(
            PACKAGE, place / "p2pcards", ignore=shutil.ignore_patterns("__pycache__"), copy_function=os.link
        )

    def change(self, path: str, before: str, after: str) -> None:
        """In a file below the package."""
        file = self._place / "p2pcards" / path
        text = file.read_text()
        assert text.count(before) == 1
        file.unlink()  # it is one with ours
        file.write_text(text.replace(before, after))

    def host(self, port: int = 0) -> dict[str, Any]:
        """A table with a page: its port and its code."""
        words = ["host", "--web", str(port), "--bind", "127.0.0.1", "--name", "Ann", "--as", "wayne"]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "p2pcards", *words, "--detached", "--json"],
            env={**os.environ, "P2PCARDS_HOME": str(self._place / "home"), "PYTHONPATH": str(self._place)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=longest_wait(),
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def end(self) -> None:
        """As by kill -9."""
        if daemon_runs(self.home):
            kill_daemon(self.home)
