"""When something was, as the clock on the wall here had it."""

from __future__ import annotations

from datetime import UTC, datetime

DAY, MINUTE = 10, 16
"""Characters of what `local_time` gives, up to the day and up to the minute."""


def local_time(seconds: float) -> str:
    """Such as ``2026-11-20 19:04:05``. seconds: of unix time."""
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
