"""scripts/bench: the sections that were named, or all, as one JSON object."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks import (
    between_hands,
    help_time,
    line,
    many_logs,
    many_records,
    memory,
    move_time,
    players,
    rules_speed,
    scorers,
    screen,
    simulate_speed,
    stallers,
    wire_bytes,
)
from benchmarks.figures import NotMeasured, progress

SECTIONS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "wire": lambda: wire_bytes.measure() | between_hands.measure(),
    "move": move_time.measure,
    "rules": rules_speed.measure,
    "scorers": scorers.measure,
    "memory": memory.measure,
    "help": help_time.measure,
    "stallers": stallers.measure,
    "logs": many_logs.measure,
    "records": many_records.measure,
    "line": line.measure,
    "screen": screen.measure,
    "players": players.measure,
    "simulate": simulate_speed.measure,
}


def main(names: list[str]) -> int:
    """0, 1 when something could not be measured, 2 when a section does not exist."""
    if unknown := [name for name in names if name not in SECTIONS]:
        print(f"bench: There is no section {unknown[0]!r}. There are {', '.join(SECTIONS)}.", file=sys.stderr)
        return 2
    results: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {sys.version.split()[0]}",
        "load_before": round(os.getloadavg()[0], 1),
    }
    failed = False
    for name in names or SECTIONS:
        progress(f"{name} ...")
        try:
            results[name] = SECTIONS[name]()
        except NotMeasured as error:
            progress(str(error))
            results[name] = {"error": str(error)}
            failed = True
    print(json.dumps(results, indent=2))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
