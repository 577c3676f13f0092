"""Figures of many deals that are played in parts: what is added up, and a file that is never half written."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median


def standard_error(deals: int, total: float, squares: float) -> float:
    """Of the mean of so many leads, from their sum and the sum of their squares; infinite for fewer than two."""
    if deals < 2:
        return math.inf
    return math.sqrt(max(0.0, squares - total * total / deals) / (deals - 1) / deals)


def in_errors(lead: float, error: float) -> float:
    """A lead in standard errors."""
    return lead / error if error else math.copysign(math.inf, lead) if lead else 0.0


def pooled_ms(ms: tuple[float, float], decisions: int, times: Sequence[float]) -> tuple[float, float]:
    """The typical and the longest milliseconds of so many decisions and these. Of parts the typical one is the mean of
    their medians: those of each decision are not kept."""
    typical = (ms[0] * decisions + (median(times) if times else 0.0) * len(times)) / max(1, decisions + len(times))
    return round(typical, 3), round(max([ms[1], *times]), 1)


def replace_file(path: Path, text: str) -> None:
    """Whatever happens, the file is the old or the new one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def replace_section(page: Path, heading: str, section: str) -> None:
    """What the page says before and after the section is left as it is. heading: its first line; it ends before another
    of the same height or a greater one."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    before, _, rest = text.partition(heading)
    height = len(heading) - len(heading.lstrip("#"))
    after = re.search(rf"\n#{{1,{height}}} ", rest)
    replace_file(page, before + section + (rest[after.start() :] if after else ""))
