"""Lock files of serial ports, as UUCP and everything after it keeps them: /var/lock/LCK..ttyS0 holds the process id of
the owner of the port, ten characters wide (Filesystem Hierarchy Standard, section 5.9)."""

import os
import re
from contextlib import suppress
from pathlib import Path

FOLDER = Path("/var/lock")


class DeviceHeld(Exception):
    """Another process has the port; the argument says who, as in `mgetty (process 812)`."""


def take(device: str, folder: Path = FOLDER) -> Path | None:
    """Lock a serial device by a UUCP lock file; returns the file for `give_back`, None if this user cannot write lock
    files. Stale locks are replaced. Raises DeviceHeld."""
    paths = lock_paths(device, folder)
    for path in paths:
        if (pid := _holder(path)) and not _was_left(path, pid, device):
            raise DeviceHeld(_who(pid))
    mine = folder / f"LTMP.{os.getpid()}"
    try:
        mine.write_text(f"{os.getpid():10d}\n", encoding="ascii")
    except OSError:
        return None
    try:
        paths[-1].unlink(missing_ok=True)
        # A link comes about whole or not at all, so of two who try it one learns about the other.
        os.link(mine, paths[-1])
    except FileExistsError:
        raise DeviceHeld(_who(_holder(paths[-1]) or 0)) from None
    except OSError:
        return None
    finally:
        with suppress(OSError):
            mine.unlink()
    return paths[-1]


def lock_paths(device: str, folder: Path) -> list[Path]:
    """The lock files that other programs use for this device: by its name, and by the real device's last part (minicom)
    or path (mgetty's LCK..pts_3)."""
    names: dict[str, None] = {}
    for path in (Path(device), Path(device).resolve()):
        below = path.relative_to("/dev") if path.is_relative_to("/dev") else Path(path.name)
        names |= dict.fromkeys((path.name, str(below).replace("/", "_")))
    return [folder / f"LCK..{name}" for name in names]


def give_back(path: Path | None) -> None:
    """Remove a lock file of ours."""
    with suppress(OSError):
        if path and _holder(path) == os.getpid():
            path.unlink()


def _holder(path: Path) -> int | None:
    """The living process that holds this lock, None if there is none."""
    try:
        with path.open("rb") as file:
            pid = int(file.read(32).split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pid if pid > 0 and _lives(pid) else None


BOOT_ERROR = 2.0
"""Seconds by which the beginning of a process may be wrong: /proc/stat gives the time of the boot in whole seconds."""


def _was_left(path: Path, pid: int, device: str) -> bool:
    """True if this lock is stale although a process has its number: that process began after the lock was written, and
    doesn't have the device open. False where /proc doesn't tell."""
    try:
        ticks = int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        (boot,) = re.findall(r"^btime (\d+)$", Path("/proc/stat").read_text(encoding="utf-8"), re.MULTILINE)
        began = int(boot) + ticks / os.sysconf("SC_CLK_TCK")
        # A clock that was set since makes every process begin later, so the time alone is not enough.
        return began > path.stat().st_mtime + BOOT_ERROR and not _has_open(pid, device)
    except (OSError, ValueError, IndexError):
        return False


def _has_open(pid: int, device: str) -> bool:
    """Raises OSError where this user may not know."""
    real = Path(device).stat().st_rdev
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if file.stat().st_rdev == real:
                return True
    return False


def _lives(pid: int) -> bool:
    """True if a process with this id runs."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _who(pid: int) -> str:
    """A process for people: `mgetty (process 812)`."""
    name = ""
    with suppress(OSError, ValueError):
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    name = "".join(character for character in name if character.isprintable())
    return f"{name} (process {pid})" if name else f"process {pid}"
