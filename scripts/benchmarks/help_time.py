"""How long `p2pcards --help` takes, beside a Python that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median
from typing import Any

from benchmarks.figures import NotMeasured, figure, rounded

TIMES = 11
LIMIT = 100.0
BARE = ("-c", "pass")
HELP = ("-P", "-m", "p2pcards", "--help")


def measure() -> dict[str, Any]:
    """Medians of TIMES runs in turn, after one of each for the disk's cache. cpu: what of it the processor worked for
    us, which others on this machine disturb less."""
    runs = [(_run(BARE), _run(HELP)) for _ in range(1 + TIMES)][1:]
    bare, cpu_bare, help_, cpu = (median(times) for times in zip(*[one + other for one, other in runs], strict=True))
    return {
        "help": figure(help_, "ms", LIMIT, bare_python=rounded(bare), ratio=rounded(help_ / bare)),
        "cpu": figure(cpu, "ms", bare_python=rounded(cpu_bare), ratio=rounded(cpu / cpu_bare)),
    }


def _run(arguments: tuple[str, ...]) -> tuple[float, float]:
    """Milliseconds from start to end, and those of the processor."""
    # A player's Python keeps what it has compiled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    if process.returncode:
        raise NotMeasured(f"'{' '.join(arguments)}' ended with code {process.returncode}.")
    return took * 1000, (usage.ru_utime + usage.ru_stime) * 1000
