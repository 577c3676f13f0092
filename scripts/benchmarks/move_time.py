"""The time of a move: from a listener, by the coordinator, to the other listener; three daemon processes over TCP.

It begins when the first listener's player has chosen, before anything is signed, and ends when the other listener has
checked the record and put it into its log. Only played cards are counted, at a table where everybody plays at once
when it is their turn.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure, lowest_tenth, progress, rounded, spread
from benchmarks.homes import Daemon, Daemons, helper, listen, play
from p2pcards.ledger.payloads import PENDING, RECORD
from p2pcards.store.files import Home
from p2pcards.store.logs import encode_record, list_logs, read_log
from p2pcards.wire.records import ActionEntry, read_record

LIMIT = 1.6
LEAST = 500
"""Moves that the median is taken of, at least."""

GAME = ("hearts", (("end_score", "700"),))
Taken = Mapping[str, list[int]]
"""Nanoseconds, by what took them."""

Typical = Callable[[Sequence[float]], float]

STAMPS = "stamps.json"


def measure() -> dict[str, Any]:
    progress("moves, the log's sync left out")
    times, floor = moves_played("leave")
    progress("moves, with the log's sync")
    synced, synced_floor = moves_played("sync")
    moves = len(times["whole"])
    return {
        "ratio": figure(_ratio(times, floor, median), "floors", LIMIT, moves=moves),
        # On a busy machine the median of the floor says little: its echo waits for a processor too.
        "ratio_of_lowest_tenths": figure(_ratio(times, floor, lowest_tenth), "floors", LIMIT),
        "move": {"unit": "us", **spread(_microseconds(times["whole"]))},
        "of_which": {part: rounded(median(_microseconds(taken))) for part, taken in times.items() if part != "whole"},
        "floor": {
            "unit": "us",
            "whole": rounded(_bottom(floor, median) / 1000),
            **{what: rounded(median(taken) / 1000) for what, taken in floor.items()},
        },
        "synced_ratio": figure(_ratio(synced, synced_floor, median), "floors"),
        "synced_move": {"unit": "us", **spread(_microseconds(synced["whole"]))},
    }


def _ratio(times: Taken, floor: Taken, typical: Typical) -> float:
    return typical(times["whole"]) / _bottom(floor, typical)


def _bottom(floor: Taken, typical: Typical) -> float:
    """What no move can do without: the coordinator and the other listener verify, the first signs, two hops."""
    return 2 * typical(floor["verify"]) + typical(floor["sign"]) + 2 * typical(floor["echo"])


def _microseconds(taken: Sequence[int]) -> list[float]:
    return [nanoseconds / 1000 for nanoseconds in taken]


async def nothing(_port: int) -> None:
    """Goes on beside the moves."""


def moves_played(
    sync: str, *, web: bool = False, beside: Callable[[int], Awaitable[None]] = nothing
) -> tuple[Taken, Taken]:
    """Nanoseconds of each move and its parts, and of the operations of the floor. web: over WebSockets; beside: what
    goes on meanwhile, given the port of the listener who moves."""
    with Daemons() as daemons, helper("benchmarks.echo") as echo:
        ann, bob, cy = [_start(daemons, name, sync, echo if name == "bob" else "0") for name in ("ann", "bob", "cy")]
        trio.run(_play, web, beside, ann, bob, cy)
        for daemon in (ann, bob, cy):
            daemons.stop(daemon)
        times = times_of(ann.home, bob.home, cy.home)
        floor = _stamps(bob.home)["floor"]
    if len(times["whole"]) < LEAST:
        raise NotMeasured(f"Only {len(times['whole'])} moves were made where {LEAST} are needed.")
    return times, floor


def _start(daemons: Daemons, name: str, sync: str, echo: str) -> Daemon:
    return daemons.start(name, "benchmarks.timed_daemon", STAMPS, sync, echo)


async def _play(web: bool, beside: Callable[[int], Awaitable[None]], ann: Daemon, *listeners: Daemon) -> None:
    ports = [await listen(listener, name, web=web) for listener, name in zip(listeners, ("Bob", "Cy"), strict=True)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside, ports[0])
        await play(ann, ports, [GAME], web=web)
        nursery.cancel_scope.cancel()


# --- from stamps to times ---------------------------------------------------------------------------------------------


def times_of(ann: Home, bob: Home, cy: Home) -> Taken:
    """first: until Bob's move is signed and kept; coordinator: until Ann has it; other: until Cy has it."""
    chosen = _stamps(bob)["chosen"]
    at_ann, at_cy = _cards(ann, RECORD), _cards(cy, RECORD)
    times: Taken = {"whole": [], "first": [], "coordinator": [], "other": []}
    for card, signed in _cards(bob, PENDING).items():
        if card in at_ann:  # a pending card may turn out to have an outcome
            start = chosen[bisect(chosen, signed) - 1]
            times["whole"].append(at_cy[card] - start)
            times["first"].append(signed - start)
            times["coordinator"].append(at_ann[card] - signed)
            times["other"].append(at_cy[card] - at_ann[card])
    return times


def _cards(home: Home, kind: bytes) -> dict[bytes, int]:
    """When each played card was in the log, by the signature of its entry. kind: of the payloads looked at."""
    when = {(inode, size): nanoseconds for inode, size, nanoseconds in _stamps(home)["kept"]}
    found = {}
    for log in list_logs(home):
        inode = log.path.stat().st_ino
        for offset, payload in read_log(log.path).records:
            if payload[:1] != kind:
                continue
            record, entries = read_record(payload[1:])
            if isinstance(entries[0], ActionEntry) and len(entries) == 1 and record.faces is None:
                found[record.frames[0].signature] = when[inode, offset + len(encode_record(payload))]
    return found


def _stamps(home: Home) -> dict[str, Any]:
    stamps: dict[str, Any] = json.loads((home.state / STAMPS).read_text())
    return stamps
