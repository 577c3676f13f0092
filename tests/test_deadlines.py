"""A test that hangs fails with the stacks of all it has started, and the next one runs in the same worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.control.client import connect
from rigs import giving_up
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, daemon_pid, daemon_runs
from rigs.started import stacks_of, started_by_us

TESTS = Path(__file__).parent
SLEEPS = """
import os, sys, time
import trio

def sleep_in_thread():
    print(os.getpid(), flush=True)
    time.sleep(100)

async def sleep_in_task():
    trio.lowlevel.start_thread_soon(sleep_in_thread, print)
    await trio.sleep_forever()

if sys.argv[1:] and os.fork():
    sys.exit()
trio.run(sleep_in_task)
"""
"""With an argument it has no parent any more."""

HANGS = """
import os, subprocess, sys, threading, time
import pytest, trio

def note(word, pid=""):
    with open("noted", "a") as file:
        file.write(f"{word} {pid or os.getpid()}\\n")

def start_child(*arguments):
    command = [sys.executable, "-P", "sleeps.py", *arguments]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=bool(arguments))
    return child, child.stdout.readline().strip()

@pytest.fixture(scope="module")
def shared():
    child, pid = start_child()
    note("shared", pid)
    yield
    note("shared-went-on" if child.poll() is None else "shared-ended")
    child.kill()
    child.communicate()

@pytest.fixture
def never_torn_down():
    yield
    threading.Event().wait()

def test_the_first(shared):
    note("first")

@pytest.mark.deadline(3)  # in which two programs start
def test_processes_wait(shared):
    orphan, pid = start_child("orphan")
    note("orphan", pid)
    orphan.wait()
    child, pid = start_child()
    note("child", pid)
    with child:
        threading.Event().wait()

@pytest.mark.deadline(0.3)
async def test_task_waits():
    try:
        await trio.sleep_forever()
    finally:
        note("cleaned")

@pytest.mark.deadline(0.3)
async def test_shielded_task_waits():
    with trio.CancelScope(shield=True):
        await trio.sleep_forever()

@pytest.mark.deadline(0.3)
async def test_task_never_gives_way():
    while True:
        time.sleep(0)

@pytest.mark.deadline(0.3)
async def test_task_waits_for_a_thread():
    await trio.to_thread.run_sync(time.sleep, 5)

@pytest.mark.deadline(0.3)
def test_goes_on_after_errors():
    for _ in range(6):
        try:
            threading.Event().wait()
        except BaseException:
            pass

@pytest.mark.deadline(0.3)
def test_teardown_waits(never_torn_down):
    pass

async def test_the_last():
    note("last")
"""
HEARS_NOTHING = """
import collections, itertools
import pytest

@pytest.mark.deadline(0.3)
def test_compiled_code_never_returns():
    collections.deque(itertools.repeat(None), maxlen=0)

def test_the_last():
    pass
"""


def run_pytest(folder: Path, tests: str) -> str:
    """What it prints, run by one worker of xdist."""
    (folder / "sleeps.py").write_text(SLEEPS)
    (folder / "test_hangs.py").write_text(tests)
    plugins = ["-p", "rigs.deadlines", "-p", "no:cacheprovider", "--noconftest"]
    options = ["-c", os.devnull, f"--rootdir={folder}", "-o", "trio_mode=true", "-W", "error", "-n", "1", "-v"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *plugins, *options, "test_hangs.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=longest_wait(),
        check=False,
    )
    return done.stdout + done.stderr


def outcomes(said: str) -> dict[str, str]:
    return {test: outcome for outcome, test in re.findall(r"(PASSED|FAILED|ERROR) test_hangs.py::test_(\w+)", said)}


def failure(said: str, test: str) -> str:
    """What is printed about one of them."""
    return re.split(r"\n_{3,} ", said.split(f"{test} ___")[1])[0]


def is_alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are looked up in /proc")
def test_a_test_that_hangs_fails_with_its_stacks_and_the_next_runs_in_the_same_worker(tmp_path: Path) -> None:
    said = run_pytest(tmp_path, HANGS)
    noted = dict(line.split() for line in (tmp_path / "noted").read_text().splitlines())
    assert outcomes(said) == {
        "the_first": "PASSED",
        "the_last": "PASSED",
        "teardown_waits": "ERROR",
        **dict.fromkeys(
            ("processes_wait", "task_waits", "shielded_task_waits", "task_never_gives_way", "task_waits_for_a_thread"),
            "FAILED",
        ),
        "goes_on_after_errors": "FAILED",
    }, said
    assert "node down" not in said
    assert noted["first"] == noted["last"] == noted["cleaned"] == noted["shared-went-on"]
    assert not any(is_alive(noted[which]) for which in ("child", "orphan"))

    processes = failure(said, "test_processes_wait")
    assert "3 s on an idle machine" in processes
    assert re.search(r'test_hangs.py", line \d+, in test_processes_wait\n', processes)
    for which in ("child", "orphan", "shared"):
        one = processes.split(f"Process {noted[which]} of ")[1].split("\nProcess ")[0]
        assert "-P sleeps.py" in one
        assert re.search(r'sleeps.py", line \d+ in sleep_in_thread', one)
        assert re.search(r'sleeps.py", line \d+ in sleep_in_task', one)
    assert re.search(r'test_hangs.py", line \d+ in test_task_waits\n', failure(said, "test_task_waits"))
    assert "in never_torn_down" in failure(said, "teardown of test_teardown_waits")


def test_compiled_code_that_never_returns_costs_its_worker_and_nothing_more(tmp_path: Path) -> None:
    said = run_pytest(tmp_path, HEARS_NOTHING)
    assert outcomes(said) == {"compiled_code_never_returns": "FAILED", "the_last": "PASSED"}
    assert re.search(r'test_hangs.py", line \d+ in test_compiled_code_never_returns\n', said)


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are looked up in /proc")
async def test_a_daemon_tells_what_its_tasks_wait_for(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home):
        daemon = daemon_pid(home)
        (told,) = [stacks_of([one]) for one in started_by_us() if one.pid == daemon]
    assert re.search(r"^ *Task p2pcards\.daemon\.serve\.", told, re.MULTILINE)
    assert re.search(r'/p2pcards/daemon/serve\.py", line \d+ in ', told)
    assert daemon_runs(home)


def test_a_bound_grows_with_the_load_to_twelve_times_that_at_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load = tmp_path / "loadavg"
    monkeypatch.setattr(giving_up, "LOAD", load)
    monkeypatch.setattr(giving_up, "_cores", lambda: {0, 1})
    monkeypatch.setattr(giving_up, "_calibrated", lambda: 1.5)
    found = []
    for text in ("0.00 0.00 0.00 1/80 1", "12.00 3.00 1.00 1/80 1", "1.00 1.00 1.00 24/80 1"):
        load.write_text(text)
        found.append(longest_wait(10))
    assert found == [15, 90, 120]
