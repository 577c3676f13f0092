"""A disk of the test's own, which only its programs see: an ext4 file system in a file, in a mount namespace."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait
from rigs.program import PROGRAM, Program

SIZE = 64 << 20
"""Bytes."""
NEEDED = ("unshare", "nsenter", "mount", "umount", "mkfs.ext4", "e2fsck")


class OwnDisk:
    """path: where it is mounted, in the namespace alone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "disk"
        self._image = folder / "image"
        self.path.mkdir()
        with self._image.open("wb") as image:
            image.truncate(SIZE)
        # It holds the namespace, and ends with us.
        self._holder = subprocess.Popen(
            ["unshare", "-m", sys.executable, "-c", "print(flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._holder.stdout is not None
        began = self._holder.stdout.readline()
        if not began:
            self.close()
            pytest.skip("no right to a mount namespace here")
        subprocess.run(["mkfs.ext4", "-q", self._image], check=True)

    @property
    def within(self) -> tuple[str, ...]:
        """What a command begins with that runs in the namespace."""
        return (shutil.which("nsenter") or "", "-t", str(self._holder.pid), "-m", "--")

    @property
    def seen(self) -> Path:
        """Its path for those outside."""
        return Path(f"/proc/{self._holder.pid}/root{self.path}")

    def mount(self, *options: str) -> None:
        """After a fault of the disk it is repaired first."""
        subprocess.run(["e2fsck", "-p", self._image], check=False, capture_output=True)
        done = self._run("mount", "-o", ",".join(["loop", "errors=remount-ro", *options]), str(self._image))
        if done.returncode:
            pytest.skip(f"no right to mount a disk of our own here: {done.stderr.strip()}")
        if "ro" not in options:
            self._run("chmod", "700")

    def make_read_only(self) -> None:
        """As the system does at a fault of the disk: files that are open are not asked."""
        assert self._run("mount", "-o", "remount,abort").returncode == 0

    def mount_again(self, *options: str) -> None:
        """Once nothing on it is open any more."""
        end = time.monotonic() + longest_wait()
        while (done := self._run("umount")).returncode:
            assert time.monotonic() < end, done.stderr
            time.sleep(0.05)
        self.mount(*options)

    def _run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """It is told the path of the disk last."""
        done = [*self.within, command, *arguments, str(self.path)]
        return subprocess.run(done, capture_output=True, text=True, check=False)

    def program(self) -> Program:
        """The program, at home on this disk."""
        return Program(self.path, command=[*self.within, *PROGRAM])

    def kill_daemon(self) -> None:
        Program(self.seen).kill_daemon()

    def close(self) -> None:
        self._holder.communicate(b"\n")


@contextmanager
def own_disk() -> Iterator[OwnDisk]:
    """One that can be written. Skips the test where the system does not let us have one."""
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        pytest.skip(f"no {missing[0]} here")
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        disk = OwnDisk(Path(folder))
        try:
            disk.mount()
            yield disk
        finally:
            disk.kill_daemon()
            disk.close()
