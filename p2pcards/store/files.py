"""Files that are written whole or not at all, private to their owner."""

import errno
import fcntl
import grp
import os
import pwd
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from p2pcards.store.errors import StoreError, told

_LOCK_WAIT = 5.0  # seconds; the work under a lock takes milliseconds, so a longer wait means a stopped process
_LOCK_POLL = 0.01
ROOT = 0
"""The user who may write everything anyway."""


def private_folder(folder: Path) -> None:
    """Make `folder` and its missing parents with mode 0700; one that exists is left as it is."""
    try:
        if folder.is_dir():
            return
        try:
            folder.mkdir(0o700, exist_ok=True)
        except FileNotFoundError:
            if folder.parent == folder:
                raise
            private_folder(folder.parent)
            folder.mkdir(0o700, exist_ok=True)
    except FileExistsError:
        raise StoreError(
            f"{folder} is not a folder.", "Move it aside, or set P2PCARDS_HOME to another folder."
        ) from None
    except OSError as error:
        raise told(error, f"Cannot make the folder {folder}") from error


def refuse_writable(path: Path, so: str) -> None:
    """Refuse a file or folder that somebody else may write, which an administrator is not; so: what they could do.
    What is not there is not refused. A group of which the user is the only member is nobody else."""
    try:
        found = path.stat()
    except OSError:
        return
    if found.st_uid not in (os.geteuid(), ROOT):
        raise StoreError(f"{path} belongs to another user, {so}.", "Move it aside, or make it your own.")
    if found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid)):
        raise StoreError(f"Other users may write to {path}, {so}.", f"Try: chmod go-w {path}")


def _is_own_group(number: int) -> bool:
    """Whether a group is the one that the system has made for the user alone."""
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and not set(group.gr_mem) - {user.pw_name}


def sync_folder(folder: Path) -> None:
    """Put the names in `folder` on disk, so that a new file survives a power cut. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder
            raise
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes, offset: int) -> None:
    """Write all of `data` at `offset`. Raises OSError, and then a part may have been written."""
    while data:
        count = os.pwrite(fd, data, offset)
        data, offset = data[count:], offset + count


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file by `data`, mode 0600: afterwards, whatever happens, it holds either the old or the new bytes.

    A symbolic link stays, and the file that it leads to is replaced.
    """
    target = Path(os.path.realpath(path))
    private_folder(target.parent)
    temporary = None
    try:
        fd, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            write_all(fd, data, 0)
            os.fsync(fd)
        finally:
            os.close(fd)
        Path(temporary).replace(target)
        temporary = None
        sync_folder(target.parent)
    except OSError as error:
        raise told(error, f"Cannot write {path}") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()


def read_whole(path: Path) -> bytes | None:
    """The bytes of the file, None when there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise told(error, f"Cannot read {path}") from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold `path`.lock, so that one process at a time reads, changes and writes `path`."""
    lock = path.with_name(path.name + ".lock")
    private_folder(lock.parent)
    try:
        fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise told(error, f"Cannot write {lock}") from error
    try:
        _wait_for_lock(fd, path)
        yield
    finally:
        os.close(fd)


def _wait_for_lock(fd: int, path: Path) -> None:
    deadline = time.monotonic() + _LOCK_WAIT
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreError(
                    f"Another p2pcards has been busy with {path} for {_LOCK_WAIT:.0f} seconds.",
                    "Look for one that is stopped or hangs, end it, and try again.",
                ) from None
            time.sleep(_LOCK_POLL)
        except OSError as error:
            raise told(error, f"Cannot lock {path}") from error
