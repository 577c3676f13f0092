"""The full screen in a terminal, with a daemon of its own: from start to the first table, from Enter on a tile of the
title to the first card, from a key to what it changes, and what it costs while nobody presses any."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.figures import NotMeasured, figure

ROOT = Path(__file__).resolve().parents[2]
STARTS = 5
PRESSES = 200
KEYS = (b"\x1b[C", b"\x1b[D")
"""To the right and back: either changes what is chosen."""
MARKS = (b"1", b"2", b"3", b"1", b"2", b"3")
"""Three cards are marked, and no longer."""
IDLE = 10.0
"""Seconds in which nobody presses a key."""
PATIENCE = 20.0
TABLE, TURN = b"Score", b"Your turn"
QUIET = 0.03
"""Seconds without output, after which a change is on the screen."""
TITLE, DEALING = b"Arrows and Enter", b"Dealing"
LEAVES_THE_SCREEN = b"\x1b[?1049l"
READ = 3.0
"""Seconds in which the title is read, where the program is warm; where it is cold, Enter comes with its last byte."""
SUITS = [suit.encode() for suit in "♣♦♥♠"]
BARE = 9
"""Times of a bare Python beside each start, of which the median counts."""
WARM_LIMIT, COLD_LIMIT = 15.0, 30.0
FIRST_LIMIT, PRESS_LIMIT, LATE_LIMIT, MEMORY_LIMIT, IDLE_LIMIT, MARK_LIMIT = 800.0, 60.0, 150.0, 60.0, 1.0, 10.0


def measure() -> dict[str, Any]:
    """first: milliseconds to the first table, the daemon started with it; tile: from Enter on a tile to the first card,
    in times of a bare `python -c pass`, the title read before or not; press: from a key to the last byte of what it
    changes; mark: of the processor, for a key that marks one of three cards to be passed, of 286 ways to pass them."""
    warm, cold = [[_from_tile(read) for _ in range(STARTS)] for read in (READ, 0.0)]
    starts = []
    for _ in range(STARTS):
        with _home() as home, _screen(home) as (_, _, took):
            starts.append(took * 1000)
    with _home() as home, _screen(home) as (process, master, _):
        presses = sorted(_press(master, KEYS[number % 2]) * 1000 for number in range(PRESSES))
        spent = _processor(process.pid)
        _drain(master, IDLE)
        idle = (_processor(process.pid) - spent) / IDLE * 100
        memory = _resident(process.pid)
    with _home() as home, _screen(home, "hearts") as (process, master, _):
        spent = _processor(process.pid)
        for number in range(PRESSES):
            _press(master, MARKS[number % len(MARKS)])
        mark = (_processor(process.pid) - spent) / PRESSES * 1000
    return {
        "mark": figure(mark, "ms of the processor", MARK_LIMIT),
        "first": figure(sorted(starts)[len(starts) // 2], "ms", FIRST_LIMIT, longest=round(max(starts))),
        "tile_warm": _times(warm, WARM_LIMIT),
        "tile_cold": _times(cold, COLD_LIMIT),
        "press_p50": figure(presses[len(presses) // 2], "ms", PRESS_LIMIT),
        "press_p95": figure(quantiles(presses, n=20)[-1], "ms", LATE_LIMIT, longest=round(presses[-1])),
        "memory": figure(memory, "MiB", MEMORY_LIMIT),
        "idle": figure(idle, "% of a core", IDLE_LIMIT),
    }


def _times(starts: list[tuple[float, float]], limit: float) -> dict[str, Any]:
    """The median of the ratios, and of the milliseconds. starts: seconds of each, and of the bare Python beside it."""
    seconds, bare = zip(*starts, strict=True)
    ratios = sorted(took / alone for took, alone in starts)
    ms, python = median(seconds) * 1000, median(bare) * 1000
    return figure(median(ratios), "times", limit, longest=ratios[-1], ms=round(ms), python=round(python, 1))


def _bare() -> float:
    """Seconds of `python -c pass`."""
    times = []
    for _ in range(BARE):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        times.append(time.perf_counter() - began)
    return median(times)


def _from_tile(read: float) -> tuple[float, float]:
    """Seconds from Enter on the first tile to the first card on the table, and those of a bare Python. read: how long
    the title is read before."""
    alone = _bare()
    with _home() as home:
        home.chmod(0o700)
        (home / "settings.toml").write_text('name = "Zoe"\nspeed = "off"\n')
        (home / "settings.toml").chmod(0o600)
        with _at_terminal(home) as (process, master):
            _until(master, TITLE, b"")
            _drain(master, read)
            pressed = time.perf_counter()
            os.write(master, b"\r")
            said = _until(master, DEALING, b"")
            said = _until(master, TABLE, said[said.index(DEALING) :])
            while not any(suit in said for suit in SUITS):
                said += os.read(master, 1 << 16)
            took = time.perf_counter() - pressed
            if LEAVES_THE_SCREEN in said:
                raise NotMeasured("The screen is left between the title and the table.")
            process.send_signal(signal.SIGTERM)
    return took, alone


@contextmanager
def _home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="p2p"))
    try:
        yield folder
    finally:
        subprocess.run(_program("stop"), env=_environment(folder), capture_output=True, check=False)
        shutil.rmtree(folder)


@contextmanager
def _screen(home: Path, game: str = "whist") -> Iterator[tuple[subprocess.Popen[bytes], int, float]]:
    """A game on a screen of 80x24; its process, the terminal, and the seconds until it was there."""
    began = time.perf_counter()
    with _at_terminal(home, "play", game, "--name", "Zoe", "--as", "betty", "--seed", "1") as (process, master):
        said = _until(master, TABLE, b"")
        took = time.perf_counter() - began
        _until(master, TURN, said)
        yield process, master, took


@contextmanager
def _at_terminal(home: Path, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program on a screen of 80x24; its process, and the terminal."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    process = subprocess.Popen(
        _program(*words),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=_environment(home),
        start_new_session=True,
    )
    try:
        yield process, master
    finally:
        os.kill(process.pid, signal.SIGTERM)
        _drain(master, 0.5)
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def _until(master: int, what: bytes, said: bytes) -> bytes:
    """What has been said when this is among it."""
    while what not in said:
        if not select.select([master], [], [], PATIENCE)[0]:
            raise NotMeasured("The screen does not come up.")
        said += os.read(master, 1 << 16)
    return said


def _press(master: int, key: bytes) -> float:
    """Seconds from a key to the last of what it changes."""
    _drain(master, QUIET)
    pressed = time.perf_counter()
    os.write(master, key)
    last = pressed
    while select.select([master], [], [], PATIENCE if last == pressed else QUIET)[0]:
        os.read(master, 1 << 16)
        last = time.perf_counter()
    if last == pressed:
        raise NotMeasured("A key changes nothing on the screen.")
    return last - pressed


def _drain(master: int, seconds: float) -> None:
    """Read what comes, until so long nothing has, or for as long."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0 and select.select([master], [], [], left)[0]:
        os.read(master, 1 << 16)


def _program(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "p2pcards", *words]


def _environment(home: Path) -> dict[str, str]:
    without = ("NO_COLOR", "P2PCARDS_LINE", "COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if name not in without}
    return kept | {"P2PCARDS_HOME": str(home), "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}


def _processor(pid: int) -> float:
    """Seconds that the processor has worked for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: int) -> float:
    """MiB."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
