"""Figures and their limits, and what is said while they are taken."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import median
from typing import Any


class NotMeasured(Exception):
    """A figure could not be taken; the argument is a sentence."""


def figure(value: float, unit: str, limit: float | None = None, **beside: Any) -> dict[str, Any]:
    """limit: the most that is allowed, None where nothing is promised. beside: what explains the figure."""
    ok = None if limit is None else value <= limit
    return {"value": rounded(value), "unit": unit, "limit": limit, "ok": ok, **beside}


def share(value: float, unit: str, floor: float, **beside: Any) -> dict[str, Any]:
    """A figure of which more is better. floor: the least that is allowed."""
    return {"value": rounded(value), "unit": unit, "floor": floor, "ok": value >= floor, **beside}


def spread(values: Sequence[float]) -> dict[str, float]:
    """The median, the lowest tenth (what it takes while nobody else wants the processor) and the highest."""
    return {
        "median": rounded(median(values)),
        "lowest_tenth": rounded(lowest_tenth(values)),
        "highest_tenth": rounded(sorted(values)[len(values) * 9 // 10]),
    }


def lowest_tenth(values: Sequence[float]) -> float:
    """The value that a tenth of them do not reach."""
    return sorted(values)[len(values) // 10]


def rounded(value: float) -> float:
    """To three places, or without any where it is large."""
    return round(value, 3) if abs(value) < 100 else round(value)


def progress(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)
