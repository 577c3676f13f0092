"""scripts/bench: the sections that were named, or all, as one JSON object; alone, or in turns with another commit, or
in a minute beside the last release, as lines."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks import (
    answers,
    between_hands,
    cancelling,
    costs,
    first_card,
    first_start,
    help_time,
    line,
    many_logs,
    many_records,
    memory,
    move_time,
    over_web,
    players,
    promises,
    rules_speed,
    scorers,
    screen,
    simulate_speed,
    stallers,
    watched,
    wire_bytes,
)
from benchmarks.beside import measure_beside, told_beside_release
from benchmarks.figures import NotMeasured, progress


def _in_browser() -> dict[str, Any]:
    """Imported when it is asked for: it needs the tests beside it, and what they need."""
    try:
        from benchmarks import in_browser
    except ModuleNotFoundError as error:
        raise NotMeasured(f"There is no {error.name} here: scripts/test makes the environment of the tests.") from None
    return in_browser.measure()


def _page_start() -> dict[str, Any]:
    """As `_in_browser`."""
    try:
        from benchmarks import page_start
    except ModuleNotFoundError as error:
        raise NotMeasured(f"There is no {error.name} here: scripts/test makes the environment of the tests.") from None
    return page_start.measure()


def _reach() -> dict[str, Any]:
    """As `_in_browser`."""
    try:
        from benchmarks import reach
    except ModuleNotFoundError as error:
        raise NotMeasured(f"There is no {error.name} here: scripts/test makes the environment of the tests.") from None
    return reach.measure()


SECTIONS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "wire": lambda: wire_bytes.measure() | between_hands.measure(),
    "move": move_time.measure,
    "web": over_web.measure,
    "browser": _in_browser,
    "page": _page_start,
    "rules": rules_speed.measure,
    "scorers": scorers.measure,
    "memory": memory.measure,
    "help": help_time.measure,
    "stallers": stallers.measure,
    "watched": watched.measure,
    "logs": many_logs.measure,
    "records": many_records.measure,
    "line": line.measure,
    "screen": screen.measure,
    "first": first_card.measure,
    "start": first_start.measure,
    "players": players.measure,
    "simulate": simulate_speed.measure,
}

PARTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "answers": answers.measure_alone,
    "cancelling": cancelling.measure,
    "costs": costs.measure_alone,
    "promises": promises.measure_alone,
    "reach": _reach,
}
"""Taken alone when they are named: parts of the section players, promises, and reach, which needs root."""


def main(words: list[str]) -> int:
    """0, 1 when something could not be measured, 2 when a section does not exist."""
    if words == ["--release"]:
        for line in told_beside_release():
            print(line, flush=True)
        return 0
    revision, names = (words[1], words[2:]) if words[:1] == ["--beside"] and words[1:] else ("", words)
    if unknown := [name for name in names if name not in {**SECTIONS, **PARTS}]:
        there = ", ".join({**SECTIONS, **PARTS})
        print(f"bench: There is no section {unknown[0]!r}. There are {there}.", file=sys.stderr)
        return 2
    about: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {sys.version.split()[0]}",
        "load_before": round(os.getloadavg()[0], 1),
    }
    results, failed = in_turns(revision, names or list(SECTIONS)) if revision else alone(names or list(SECTIONS))
    print(json.dumps(about | results, indent=2))
    return int(failed)


def alone(names: Sequence[str]) -> tuple[dict[str, Any], bool]:
    """What was measured, and whether something could not be."""
    results: dict[str, Any] = {}
    failed = False
    for name in names:
        progress(f"{name} ...")
        try:
            results[name] = {**SECTIONS, **PARTS}[name]()
        except NotMeasured as error:
            progress(str(error))
            results[name] = {"error": str(error)}
            failed = True
    return results, failed


def in_turns(revision: str, names: Sequence[str]) -> tuple[dict[str, Any], bool]:
    try:
        return {"beside": revision, "figures": measure_beside(revision, names)}, False
    except NotMeasured as error:
        progress(str(error))
        return {"error": str(error)}, True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
