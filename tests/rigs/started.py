"""The processes that a test has started: found, asked what they are doing, and ended. Linux alone shows them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rigs.giving_up import longest_wait
from rigs.startup.sitecustomize import NOTES, ask_signal

PROC = Path("/proc")
MARK = "TESTED_BY"
"""In the environment of all that a tester starts; a daemon whose parent has ended is known by it."""


class Process(NamedTuple):
    pid: int
    parent: int
    began: int  # ticks since the system started
    state: str
    command: str


def mark_children() -> None:
    """From now on, what this process starts is known as its own, and each Python among them notes its stacks."""
    os.environ[MARK] = f"{os.getpid()}-{time.time_ns()}"
    startup = str(Path(__file__).parent / "startup")
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", startup)]
    os.environ["PYTHONPATH"] = os.pathsep.join([startup, *others])


def ticks_now() -> int:
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def started_by_us() -> list[Process]:
    """Those below this process and those that have its mark, the oldest first."""
    everybody = {one.pid: one for one in map(_read, PROC.glob("[0-9]*")) if one}
    own = {os.getpid()}
    while more := {one.pid for one in everybody.values() if one.parent in own} - own:
        own |= more
    mark = f"{MARK}={os.environ.get(MARK)}".encode()
    found = [pid for pid in everybody if pid in own or mark in _bytes(pid, "environ").split(b"\0")]
    alive = [everybody[pid] for pid in found if pid != os.getpid() and everybody[pid].state != "Z"]
    return sorted(alive, key=lambda one: (one.began, one.pid))


def stacks_of(processes: Sequence[Process]) -> str:
    """Each process with its command, its state in the kernel, and the stacks of its threads and tasks if it is a Python
    that notes them."""
    before = {one.pid: len(_notes(one.pid)) for one in processes if _notes_when_asked(one.pid)}
    for pid in before:
        with suppress(ProcessLookupError):
            os.kill(pid, ask_signal())
    noted = _noted(before)
    return "\n".join(f"{_heading(one)}\n{noted.get(one.pid) or 'It notes no stacks.'}" for one in processes)


def end_all(processes: Collection[Process]) -> None:
    for one in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one.pid, signal.SIGKILL)


def _heading(process: Process) -> str:
    pid, parent, _, state, command = process
    return f"Process {pid} of {parent}, {state}, in {_bytes(pid, 'wchan').decode() or 'no wait'}: {command}"


def _read(folder: Path) -> Process | None:
    try:
        pid, _, rest = (folder / "stat").read_text().partition(" (")
    except OSError:
        return None
    name, _, numbers = rest.rpartition(") ")
    state, parent, *others = numbers.split()
    command = _bytes(int(pid), "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
    return Process(int(pid), int(parent), int(others[17]), state, command or name)


def _bytes(pid: int, file: str) -> bytes:
    try:
        return (PROC / str(pid) / file).read_bytes()
    except OSError:
        return b""


def _notes_when_asked(pid: int) -> bool:
    """Asking another would end it."""
    for line in _bytes(pid, "status").splitlines():
        if line.startswith(b"SigCgt:"):
            return bool(int(line.split()[1], 16) >> (ask_signal() - 1) & 1)
    return False


def _noted(before: Mapping[int, int]) -> dict[int, str]:
    """What they write after so many characters, when all have and nothing is added any more."""

    def look() -> dict[int, str]:
        return {pid: _notes(pid)[length:] for pid, length in before.items()}

    end, last, now = time.monotonic() + longest_wait(2), None, look()
    while time.monotonic() < end and (now != last or not all(now.values())):
        time.sleep(0.1)
        last, now = now, look()
    return now


def _notes(pid: int) -> str:
    try:
        links = list((PROC / str(pid) / "fd").iterdir())
        return "".join(link.read_text(errors="replace") for link in links if NOTES in str(link.readlink()))
    except OSError:
        return ""
