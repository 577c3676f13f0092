"""A cluster of Dask's on this machine: a scheduler and workers as real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rigs.giving_up import longest_wait

ROOT = Path(__file__).resolve().parents[2]
DASK = [sys.executable, "-P", "-m", "dask"]
PLAIN = ["--no-dashboard", "--host", "127.0.0.1"]


class DaskCluster:
    """folder: where its files are. processes: the scheduler, and the workers in their order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._said = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []

    def schedule(self) -> None:
        """Starts the scheduler; it answers."""
        process = self._start(ROOT, "scheduler", *PLAIN, "--port", "0", "--scheduler-file", str(self._said))
        self._until(lambda: self._said.exists() and self._said.read_text().endswith("}"), process)

    @property
    def address(self) -> str:
        return str(json.loads(self._said.read_text())["address"])

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        return self.processes[0]

    def worker(self, root: Path = ROOT) -> subprocess.Popen[bytes]:
        """A worker of one thread, with the p2pcards of this folder; it can be given work."""
        ready = self._folder / f"{len(self.processes)}.log"
        process = self._start(root, "worker", self.address, *PLAIN, "--nthreads", "1", "--no-nanny")
        self._until(lambda: b"Registered to" in ready.read_bytes(), process)
        return process

    def _start(self, root: Path, *words: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*DASK, *words],
                cwd=self._folder,
                env=os.environ | {"PYTHONPATH": str(root)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.processes.append(process)
        return process

    def _until(self, there: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + longest_wait()
        while not there():
            assert process.poll() is None and time.monotonic() < end, "a part of the cluster does not come up"
            time.sleep(0.05)


@contextmanager
def dask_cluster(folder: Path) -> Iterator[DaskCluster]:
    """A scheduler without workers; all that was started is killed at the end."""
    cluster = DaskCluster(folder)
    try:
        cluster.schedule()
        yield cluster
    finally:
        for process in cluster.processes:
            process.kill()
            process.wait()
