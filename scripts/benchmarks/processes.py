"""What the system tells of processes."""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import NotMeasured


def workers_of(pid: int) -> set[int]:
    """The processes in which one lets computer players think. Raises NotMeasured."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    except OSError as error:
        raise NotMeasured(f"This system does not tell which processes one has started ({error.strerror}).") from None
    return {child for child in children if b"spawn_main" in _command(child)}


def ready_and_waiting(pid: int) -> float:
    """Seconds for which a process could have worked, while others had the processors. Raises NotMeasured."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except OSError as error:
        raise NotMeasured(f"This system does not tell how long a process has waited ({error.strerror}).") from None


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""
