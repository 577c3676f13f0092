"""When something was, as the clock on the wall here had it."""

from __future__ import annotations

from datetime import UTC, datetime

DAY, MINUTE = 10, 16
"""Characters of what `local_time_text` returns, up to the day and up to the minute."""


def local_time_text(seconds: float) -> str:
    """The local time, such as ``2026-11-20 19:04:05``. seconds: of unix time."""
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
