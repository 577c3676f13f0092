"""How long a test waits: seconds at rest, times how much slower this machine is now."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

AT_REST = 75.0
"""Seconds at rest for whatever takes a few at most."""

UNIT = 0.002
"""Seconds of `_turn` on an idle core of the machine on which the bounds in the tests were chosen."""

LOAD = Path("/proc/loadavg")


def longest_wait(at_rest: float = AT_REST) -> float:
    """Seconds from now. Every bound in the tests is made here; none measures anything."""
    return at_rest * slowness()


def slowness() -> float:
    """1 at rest on a machine like ours or a faster one. At most 12: a test that waits in vain is to fail and be named
    before the whole run is given up."""
    return min(12.0, _calibrated() * max(1.0, _load() / len(_cores())))


@cache
def _calibrated() -> float:
    return max(1.0, min(_turn() for _ in range(5)) / UNIT)


def _turn() -> float:
    began = time.perf_counter()
    sum(number * number % 7 for number in range(50_000))
    return time.perf_counter() - began


def _load() -> float:
    """The load of the last minute, or of this moment if that is more: the average takes a minute to notice a burst."""
    with suppress(OSError, ValueError):
        minute, _, _, running, _ = LOAD.read_text().split()
        return max(float(minute), float(running.partition("/")[0]))
    return os.getloadavg()[0]


def _cores() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
