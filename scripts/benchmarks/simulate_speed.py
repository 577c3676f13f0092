"""How much faster games are simulated by two processes, and by two workers of Dask's, than by one process."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.figures import NotMeasured, progress, rounded, share
from p2pcards.cli.command import Failure
from p2pcards.cli.simulate import simulation

TESTS = Path(__file__).resolve().parents[2] / "tests"
ROUNDS = 3
LEAST = 1.6
PLAYERS: Mapping[str, tuple[int, tuple[str, ...] | None]] = {
    "hearts": (400, None),
    "euchre": (12, ("standard", "novice", "standard", "novice")),
}
"""By game how many games, and the levels; novices play by rules of thumb, standard players search."""


def measure() -> dict[str, Any]:
    """Seconds from the command to the figures; starting the processes counts in, starting the cluster does not. Each in
    turn, ROUNDS times; the ratio is that of the quickest."""
    if find_spec("distributed") is None:
        raise NotMeasured("There is no Dask here; scripts/test makes an environment that has it.")
    sys.path.append(str(TESTS))
    from rigs.dask_cluster import dask_cluster

    with tempfile.TemporaryDirectory(prefix="p2pcards-bench-") as folder, dask_cluster(Path(folder)) as cluster:
        cluster.worker()
        cluster.worker()
        return {game: _compared(game, cluster.address) for game in PLAYERS}


def _compared(game: str, address: str) -> dict[str, Any]:
    ways: Mapping[str, Mapping[str, Any]] = {"one": {}, "jobs": {"jobs": 2}, "workers": {"cluster": address}}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    figures: list[dict[str, Any]] = []
    for number in range(ROUNDS):
        progress(f"{game}, simulated by one process, by two, by two workers, round {number + 1} of {ROUNDS}")
        for way, how in ways.items():
            start = time.perf_counter()
            figures.append(_simulated(game, how))
            seconds[way].append(time.perf_counter() - start)
    if any(one != figures[0] for one in figures):
        raise NotMeasured(f"Simulations of {game} do not agree.")
    quickest = {way: min(took) for way, took in seconds.items()}
    return {
        "games": PLAYERS[game][0],
        "seconds": {way: [rounded(one) for one in took] for way, took in seconds.items()},
        "two_processes": share(quickest["one"] / quickest["jobs"], "x one process", LEAST),
        "two_workers": share(quickest["one"] / quickest["workers"], "x one process", LEAST),
    }


def _simulated(game: str, how: Mapping[str, Any]) -> dict[str, Any]:
    games, levels = PLAYERS[game]
    try:
        found = simulation(game, "", (), levels, games, 1, True, 500, time.perf_counter, **how)
    except Failure as error:
        raise NotMeasured(str(error)) from None
    del found["us_per_decision"]
    return found
