"""How long it takes from a command to the first card on the terminal, the daemon started with it. The program is only
run here and not imported, so that this measures another version as well."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, figure

STARTS = 5
PATIENCE = 20.0
LIMIT = 800.0
SUITS = [suit.encode() for suit in "♣♦♥♠"]
"""A card has one; what stands on the terminal before it does not."""
PROGRAM = (sys.executable, "-P", "-m", "p2pcards")
PLAY = ("play", "whist", "--name", "Zoe", "--as", "betty", "--seed", "1")
LEFT_OUT = ("NO_COLOR", "P2PCARDS_LINE", "COLUMNS", "LINES", "LC_ALL", "PYTHONDONTWRITEBYTECODE")


def measure() -> dict[str, Any]:
    """The median, after one start that compiles what is new."""
    times = [start_play() * 1000 for _ in range(1 + STARTS)][1:]
    return {"first": figure(median(times), "ms", LIMIT, longest=round(max(times)))}


def start_play(program: Sequence[str | Path] = PROGRAM, patience: float = PATIENCE) -> float:
    """Seconds until the first card of a game in a home of its own. patience: how long it may say nothing."""
    home = Path(tempfile.mkdtemp(prefix="p2p"))
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment = kept | {"P2PCARDS_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    try:
        began = time.perf_counter()
        with subprocess.Popen(
            [*program, *PLAY],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                return _first_card(master, patience) - began
            finally:
                process.kill()
    finally:
        os.close(master)
        os.close(slave)
        subprocess.run([*program, "stop"], env=environment, capture_output=True, check=False)
        shutil.rmtree(home, ignore_errors=True)


def _first_card(master: int, patience: float) -> float:
    """When it was there."""
    said = b""
    while not any(suit in said for suit in SUITS):
        if not select.select([master], [], [], patience)[0]:
            raise NotMeasured("No card comes up on the terminal.")
        said += os.read(master, 1 << 16)
    return time.perf_counter()
