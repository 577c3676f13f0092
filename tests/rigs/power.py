"""A folder on a disk whose power may be cut: what it may hold afterwards, by what was synced until then."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SYNC = os.fsync
Files = dict[str, bytes]


class Disk:
    """cuts: what the folder may hold if the power is cut before a sync, for each of them. honest: whether a sync puts
    anything on disk.

    What was synced stays: the bytes of a file, and the names in the folder. Of anything newer each name may be there or
    not, and what a file has got since may be there, cut off anywhere, or as zeros.
    """

    def __init__(self, folder: Path, honest: bool = True) -> None:
        self.cuts: list[list[Files]] = []
        self._folder = folder
        self._honest = honest
        self._bytes: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        self._held: list[int] = []  # so that no number of a file is given to another
        for path in self._files():
            self._keep(os.open(path, os.O_RDONLY))
        self._names = self._now()

    def sync(self, fd: int) -> None:
        """In place of os.fsync and os.fdatasync."""
        self.cuts.append(list(self.left()))
        SYNC(fd)
        if not self._honest:
            return
        if os.path.samestat(os.fstat(fd), self._folder.stat()):
            self._names = self._now()
        elif os.fstat(fd).st_ino in self._now().values():
            self._keep(os.dup(fd))

    def close(self) -> None:
        for fd in self._held:
            os.close(fd)

    def left(self) -> Iterator[Files]:
        """All that the folder may hold if the power is cut now."""
        now = self._now()
        changed = sorted(name for name in now.keys() | self._names.keys() if now.get(name) != self._names.get(name))
        for chosen in range(1 << len(changed)):
            names = dict(self._names)
            for place, name in enumerate(changed):
                if chosen >> place & 1:
                    names.pop(name, None)
                    names.update({name: now[name]} if name in now else {})
            yield from self._contents(names)

    def _contents(self, names: dict[str, int]) -> Iterator[Files]:
        """With these names: each file as it was synced, and one of them in each state that what is newer may have."""
        synced = {name: self._bytes.get(number, b"") for name, number in names.items()}
        yield synced
        current = {path.stat().st_ino: path.read_bytes() for path in self._files()}
        for name, number in names.items():
            old, new = synced[name], current.get(number, synced[name])
            if new != old:
                same = alike(old, new)
                for end in range(same, len(new) + 1):
                    yield {**synced, name: new[:end]}
                for end in {same, *range(-(-same // 512) * 512, len(new), 512)}:
                    yield {**synced, name: new[:end].ljust(len(new), b"\0")}

    def _keep(self, fd: int) -> None:
        self._held.append(fd)
        self._bytes[os.fstat(fd).st_ino] = os.pread(fd, os.fstat(fd).st_size, 0)

    def _now(self) -> dict[str, int]:
        return {path.name: path.stat().st_ino for path in self._files()}

    def _files(self) -> list[Path]:
        return [path for path in sorted(self._folder.iterdir()) if path.is_file() and path.suffix != ".lock"]


def alike(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def put(folder: Path, files: Files) -> None:
    """The folder as it is found after a power cut."""
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    for name, data in files.items():
        path = folder / name
        path.write_bytes(data)
        path.chmod(0o600)
