"""Games on a cluster of Dask's, which has real workers, loses them, or is not there."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import trio

from p2pcards import __version__
from p2pcards.cli import cluster as parts
from p2pcards.cli.command import Failure
from p2pcards.cli.simulate import NotWhole, simulation
from p2pcards.cli.terminal import Progress
from p2pcards.control.exits import NETWORK, USAGE
from rigs.dask_cluster import ROOT, DaskCluster, dask_cluster
from rigs.giving_up import longest_wait
from rigs.program import Program

GAMES = 80
T = TypeVar("T")


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DaskCluster]:
    """One that is given all the time it needs."""
    monkeypatch.setattr(parts, "ANSWER", longest_wait())
    monkeypatch.setattr(parts, "WORKERS", longest_wait())
    with dask_cluster(tmp_path) as made:
        yield made


def figures(games: int = GAMES, **other: Any) -> dict[str, Any]:
    """All but the time that players take."""
    found = simulation("crazy_eights", "", (), None, games, 1, True, 500, time.perf_counter, **other)
    del found["us_per_decision"]
    return found


def cut_short(address: str, **other: Any) -> NotWhole:
    """A simulation that does not come to its end. What was played until then is counted."""
    with pytest.raises(NotWhole) as cut:
        figures(3_000, cluster=address, **other)
    assert isinstance(cut.value.why, Failure) and cut.value.why.code == NETWORK
    assert 0 < sum(cut.value.figures["wins"]) == cut.value.figures["games"] < cut.value.figures["wanted"] == 3_000
    return cut.value


def once(act: Callable[[], object]) -> Progress:
    """Told of the progress, it does this when the first games have been played."""
    acts = [act]

    def told(played: int, _wanted: int) -> None:
        if played and acts:
            acts.pop()()

    return told


def test_two_workers_count_as_one_process_does_and_the_work_of_one_that_dies_is_done_again(
    cluster: DaskCluster, inside: Program
) -> None:
    first, _ = cluster.worker(), cluster.worker()
    alone = figures()
    assert figures(cluster=cluster.address) == alone
    words = ("simulate", "crazy_eights", "--rotate", "--games", str(GAMES), "--cluster", cluster.address, "--json")
    found = json.loads(inside.out(*words))
    del found["us_per_decision"]
    assert found == alone
    assert figures(cluster=cluster.address, progress=once(first.kill)) == alone
    assert first.wait() == -signal.SIGKILL


def test_when_the_scheduler_goes_what_was_played_is_counted(cluster: DaskCluster) -> None:
    cluster.worker()
    cut = cut_short(cluster.address, progress=once(cluster.scheduler.kill))
    assert str(cut.why) == (
        f"The scheduler at {cluster.address} stopped answering. Check that it's running, then try again."
    )


def test_when_all_workers_go_they_are_waited_for_no_longer_than_needed(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "WORKERS", 1.0)
    with pytest.raises(Failure) as failed:
        figures(cluster=cluster.address)
    assert failed.value.code == NETWORK
    assert str(failed.value) == (
        f"The scheduler at {cluster.address} has no workers. Start one for each core: "
        f"dask worker {cluster.address} --nworkers auto --nthreads 1"
    )
    monkeypatch.setattr(parts, "WORKERS", longest_wait())
    worker = cluster.worker()

    def lose_it() -> None:
        worker.kill()
        monkeypatch.setattr(parts, "WORKERS", 1.0)

    assert str(cut_short(cluster.address, progress=once(lose_it)).why) == str(failed.value)


def test_a_scheduler_that_stands_still_is_not_waited_for(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even for the answer to a question that it was asked before."""
    cluster.worker()
    asked, limits = parts._ask_dask, list[trio.CancelScope]()

    async def ask(question: Callable[[], T], seconds: float) -> T:
        with trio.CancelScope() as limit:
            limits.append(limit)
            return await asked(question, seconds)
        raise TimeoutError

    def stop_it() -> None:
        cluster.scheduler.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(parts, "ANSWER", 1.0)
        for limit in limits:
            limit.deadline = trio.current_time() + parts.ANSWER

    monkeypatch.setattr(parts, "_ask_dask", ask)
    cut = cut_short(cluster.address, progress=once(stop_it))
    assert "stopped answering" in str(cut.why)
    with pytest.raises(Failure, match="No Dask scheduler answers at"):
        figures(cluster=cluster.address)


def test_a_scheduler_that_is_not_there_is_a_sentence_and_an_exit_code(
    inside: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "ANSWER", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    sentence = f"No Dask scheduler answers at {address}. Check the address, or start one there with"
    assert inside.refused("simulate", "hearts", "--cluster", address) == (NETWORK, f"{sentence} 'dask scheduler'.\n")


@pytest.mark.parametrize("address", ["nobody here", "example.org", "tcp://example.org:99999", "http://example.org:80"])
def test_what_is_no_address_is_refused(inside: Program, address: str) -> None:
    assert inside.refused("simulate", "hearts", "--cluster", address) == (
        USAGE,
        f"--cluster takes the address of a Dask scheduler, such as tcp://example.org:8786, not {address!r}.\n",
    )


def test_a_worker_of_another_version_is_named_whenever_it_comes(cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.worker()
    other = tmp_path / "other"
    shutil.copytree(ROOT / "p2pcards", other / "p2pcards", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    init, levels = other / "p2pcards" / "__init__.py", other / "p2pcards" / "players" / "levels.py"
    mine = parts.program_fingerprint()
    init.write_text(init.read_text().replace(__version__, "0.0.1"))
    late = cut_short(cluster.address, progress=once(lambda: cluster.worker(other)))
    assert f"has {mine.replace(__version__, '0.0.1')}, but this machine has {mine}." in str(late.why)
    cluster.processes[-1].kill()
    cluster.processes[-1].wait()

    shutil.copy(ROOT / "p2pcards" / "__init__.py", init)
    levels.write_text(levels.read_text() + "# the same version, of which something has been changed\n")
    cluster.worker(other)
    with pytest.raises(
        Failure, match=r"The worker tcp://127.0.0.1:\d+ has p2pcards .*, but this machine has p2pcards .*"
    ) as failed:
        figures(cluster=cluster.address)
    assert failed.value.code == NETWORK


def test_without_dask_it_is_said_what_to_install(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert inside.refused("simulate", "hearts", "--cluster", "127.0.0.1:8786") == (
        USAGE,
        f"--cluster needs Dask, which isn't installed. To install it: "
        f"{sys.executable} -m pip install '{parts.NEEDED}'\n",
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["optional-dependencies"]["cluster"] == [parts.NEEDED]
