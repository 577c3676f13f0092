"""Makes a Python that a test starts note its stacks when asked by a signal. Python imports it first, by PYTHONPATH."""

from __future__ import annotations

import faulthandler
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

NOTES = "stacks-for-a-test"
"""The file in memory to which they are written; the tester reads it in /proc."""

HIGH = 200
"""The least descriptor of it, so that the program under test gets those that it would have anyway."""


def ask_signal() -> int:
    return int(signal.SIGRTMIN) + 7


def note_stacks_when_asked() -> None:
    """The threads are written at once, even in code that is compiled; the tasks when Python gets to it."""
    opened = os.memfd_create(NOTES)
    notes = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(opened)
    faulthandler.unregister(ask_signal())
    signal.signal(ask_signal(), lambda *_: os.write(notes, task_stacks().encode()) and None)
    faulthandler.register(ask_signal(), notes, all_threads=True, chain=True)


def task_stacks() -> str:
    """Each task of Trio and where it waits, below the one that started it; empty where Trio does not run."""
    trio: Any = sys.modules.get("trio")
    try:
        if not trio or not trio.lowlevel.in_trio_run():
            return ""
        return "".join(f"{line}\n" for line in _below(trio.lowlevel.current_root_task(), ""))
    except Exception as error:  # a task may just be ending
        return f"no tasks: {error!r}\n"


def _below(task: Any, indent: str) -> Iterator[str]:
    yield f"{indent}Task {task.name}"
    for frame, line in task.iter_await_frames():
        yield f'{indent}  File "{frame.f_code.co_filename}", line {line} in {frame.f_code.co_name}'
    for nursery in task.child_nurseries:
        for child in nursery.child_tasks:
            yield from _below(child, f"{indent}    ")


if __name__ == "sitecustomize" and sys.platform == "linux":
    with suppress(OSError, ValueError):
        note_stacks_when_asked()
