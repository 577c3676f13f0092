"""What a daemon still does in time while four masters think, and while 200 tables of novices play."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from statistics import median
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure, progress, rounded
from benchmarks.homes import Daemon, Daemons
from benchmarks.memory import held
from benchmarks.processes import ready_and_waiting, workers_of
from p2pcards.control.client import connect
from p2pcards.control.messages import OpenPlay, Persona, Rules
from p2pcards.store.settings import PACES

MASTERS = 4
NOVICES = 200
OPPONENTS = ("wayne", "betty", "lizzy")
GAME = "hearts"
SETTLING = 5.0
SECONDS = 30.0
LIMIT = 50.0
NOTES = "lateness.json"


def measure() -> dict[str, Any]:
    progress("a daemon that does nothing")
    idle = _late(0, "", 0.0)
    progress(f"a daemon while {MASTERS} masters think")
    masters = _late(MASTERS, "master", 0.0)
    progress(f"{NOVICES} tables of novices")
    pace = PACES["normal"]
    novices = _late(NOVICES, "novice", pace)
    return {
        "heartbeat": figure(
            max(masters["clock"]),
            "ms",
            LIMIT,
            p99=_p99(masters["clock"]),
            idle=rounded(max(idle["clock"])),
            idle_p99=_p99(idle["clock"]),
            masters=MASTERS,
            decisions=len(masters["moves"]),
            waited_for_a_processor=rounded(masters["waited"][0]),
        ),
        "worker": {"unit": "MiB", **_mean(masters["workers"])},
        "move_of_a_novice_beyond_pace": figure(
            _p99(novices["moves"]),
            "ms",
            LIMIT,
            median=rounded(median(novices["moves"])),
            longest=rounded(max(novices["moves"])),
            tables=NOVICES,
            pace=pace,
            moves_a_second=round(len(novices["moves"]) / SECONDS),
            waited_for_a_processor=rounded(novices["waited"][0]),
            heartbeat_p99=_p99(novices["clock"]),
            heartbeat_longest=rounded(max(novices["clock"])),
        ),
    }


def _late(tables: int, level: str, pace: float) -> dict[str, list[Any]]:
    """Of a daemon with so many tables where everybody plays at this level: milliseconds by what was late, what each
    worker holds, and the share of the time in which it was others who had the processors."""
    with Daemons() as daemons:
        daemon = daemons.start("ann", "benchmarks.late_daemon", NOTES)
        begun, ended, waited, workers = trio.run(_play, daemon, tables, level, pace)
        daemons.stop(daemon)
        notes = json.loads((daemon.home.state / NOTES).read_text())
    found = {what: [1000 * late for at, late in noted if begun < at < ended] for what, noted in notes.items()}
    if tables and not found["moves"]:
        raise NotMeasured(f"Nobody moved at {tables} tables.")
    return {**found, "workers": workers, "waited": [waited / (ended - begun)]}


async def _play(
    daemon: Daemon, tables: int, level: str, pace: float
) -> tuple[float, float, float, list[dict[str, float]]]:
    """(when all were at play, when that ended, seconds for which the daemon waited for a processor meanwhile, what each
    process in which they think holds); where there is a pace, a front end looks on at each table."""
    async with AsyncExitStack() as stack:
        for _ in range(tables):
            client = await stack.enter_async_context(connect(daemon.home, start=False))
            opponents = tuple([f"{name}:{level}" for name in OPPONENTS])
            opened = await client.open(OpenPlay(Rules(GAME), Persona("Ann", "granny", level), opponents=opponents))
            if pace:
                await client.attach(opened.table, pace)
        await trio.sleep(SETTLING)
        begun, before = time.monotonic(), ready_and_waiting(daemon.pid)
        await trio.sleep(SECONDS)
        waited = ready_and_waiting(daemon.pid) - before
        return begun, time.monotonic(), waited, [held(pid) for pid in workers_of(daemon.pid)]


def _p99(values: Sequence[float]) -> float:
    return rounded(sorted(values)[len(values) * 99 // 100])


def _mean(workers: Sequence[dict[str, float]]) -> dict[str, Any]:
    return {
        "processes": len(workers),
        **{kind: rounded(sum([each[kind] for each in workers]) / len(workers)) for kind in ("rss", "pss")},
    }
