"""The files of a home, kept in a browser's storage. Nothing here knows a browser: the files that keep them are
arguments.

The home itself lies in memory, where the program reads and writes it as anywhere. What has changed there is brought
into a journal each time the program asks for a file to be on disk (fsync), so that everything is kept before it is
sent. One fsync is one record, which is there as a whole or not at all:

    length of the body, 4 bytes | CRC-32 of the length and the body | the body, as MessagePack

A body is a list of changes. [path, offset, bytes, time]: the file is as it was up to the offset, and then these bytes,
to its end; time: when it was changed, in nanoseconds. [path]: it is gone. What stands behind the last whole record was
never finished, and counts for nothing.

There are two such files, one of which is in use. Where more than half of it is of no more use when a page starts, the
home is written to the other: its first record holds the whole home and a number, one higher than before, and the
higher number counts. So at each moment one of them is whole.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

import msgpack

from p2pcards.store.files import private_folder, write_all

# --- what stands in a journal -----------------------------------------------------------------------------------------


MAGIC = b"p2pcards home 1\n"
HEAD = 8
"""Bytes before the body of a record."""
LARGEST = 1 << 30
"""Bytes of a body: no browser keeps more."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it is kept. changed: nanoseconds of unix time."""

    data: bytes
    changed: int


Files = Mapping[str, Stored]
"""By path, below the folder of the home."""
Change = tuple[str] | tuple[str, int, bytes, int]


def beginning(number: int, files: Files) -> bytes:
    """A journal of these files, in which nothing has changed since."""
    return MAGIC + _record([number, changes_between({}, files)])


def record(changes: Sequence[Change]) -> bytes:
    return _record(changes)


def _record(body: object) -> bytes:
    packed: bytes = msgpack.packb(body)
    length = len(packed).to_bytes(4, "big")
    return length + crc32(packed, crc32(length)).to_bytes(4, "big") + packed


def changes_between(before: Files, after: Files) -> list[Change]:
    found: list[Change] = [(path,) for path in sorted(before.keys() - after.keys())]
    for path, file in sorted(after.items()):
        old = before.get(path)
        if old != file:
            same = _same_start(old.data, file.data) if old else 0
            found.append((path, same, file.data[same:], file.changed))
    return found


def _same_start(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:  # as a log, which grows at its end
        return high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def after_changes(files: Files, changes: Sequence[Any]) -> Files:
    """Raises ValueError or TypeError for what is no change."""
    after = dict(files)
    for path, *how in changes:
        if not how:
            after.pop(path, None)
            continue
        offset, data, changed = how
        after[path] = Stored((after[path].data[:offset] if path in after else b"") + data, changed)
    return after


@dataclass(frozen=True, slots=True)
class Told:
    """What a journal tells. number: 0 where it tells nothing; end: of its last whole record, in bytes."""

    number: int
    files: Files
    end: int


NOTHING = Told(0, {}, 0)


def told_by(data: bytes) -> Told:
    told = NOTHING
    with suppress(ValueError, TypeError):
        for body, end in _records(data):
            if told is NOTHING:
                number, changes = body
                told = Told(number, after_changes({}, changes), end)
            else:
                told = Told(told.number, after_changes(told.files, body), end)
    return told


def _records(data: bytes) -> Iterator[tuple[Any, int]]:
    """(the body, where the record ends), up to the last that is whole."""
    at = len(MAGIC)
    while data.startswith(MAGIC) and at + HEAD <= len(data):
        length, check = data[at : at + 4], data[at + 4 : at + HEAD]
        end = at + HEAD + int.from_bytes(length, "big")
        body = data[at + HEAD : end]
        if end > len(data) or crc32(body, crc32(length)).to_bytes(4, "big") != check:
            return
        yield msgpack.unpackb(body, max_bin_len=LARGEST, max_array_len=LARGEST), end
        at = end


# --- the two files, one of which is in use ----------------------------------------------------------------------------


class Kept(Protocol):
    """A file that is open for us alone, as a FileSystemSyncAccessHandle is. Each method raises OSError."""

    def read(self) -> bytes: ...
    def write(self, data: bytes, at: int) -> None: ...
    def cut(self, size: int) -> None:
        """To so many bytes."""

    def sync(self) -> None:
        """What was done is on disk afterwards."""


WORTH_IT = 1 << 18
"""Bytes up to which a journal is not written anew."""


class Journal:
    """files: what is kept. Raises OSError where it cannot be read."""

    def __init__(self, one: Kept, other: Kept) -> None:
        told, self._kept, self._spare = max(
            [(told_by(one.read()), one, other), (told_by(other.read()), other, one)], key=lambda found: found[0].number
        )
        self.files = told.files
        self._number = told.number
        self._end = told.end
        self._whole = False  # nothing stands behind the end

    def keep(self, files: Files) -> None:
        """Returns when these are on disk, and no others are. Raises OSError; then what was kept before still is."""
        changes = changes_between(self.files, files)
        if not self._number:
            self._begin_anew(files)
        elif changes:
            added = record(changes)
            if not self._whole:
                self._kept.cut(self._end)
            self._whole = False
            self._kept.write(added, self._end)
            self._kept.sync()
            self._whole = True
            self._end += len(added)
            self.files = files

    def tidy(self) -> None:
        """Write the journal anew if that halves it. Raises OSError; then the old one is in use."""
        if self._number and self._end > max(WORTH_IT, 2 * len(beginning(self._number, self.files))):
            self._begin_anew(self.files)

    def _begin_anew(self, files: Files) -> None:
        data = beginning(self._number + 1, files)
        self._spare.cut(0)
        self._spare.write(data, 0)
        self._spare.sync()
        self._kept, self._spare = self._spare, self._kept
        self._number, self._end, self._whole, self.files = self._number + 1, len(data), True, files
        with suppress(OSError):  # its number is the lower one
            self._spare.cut(0)
            self._spare.sync()


# --- the folder in memory ---------------------------------------------------------------------------------------------


LEFT_OUT = (".", "records.sqlite", "diagnostics.", "run")
"""How names begin of what is not kept: files that are being written, and what is made again when it is wanted."""
LOCK = ".lock"


def _is_kept(name: str) -> bool:
    return not name.startswith(LEFT_OUT) and not name.endswith(LOCK)


class HomeKeeper:
    """Keeps a folder in a journal. journal: None where nothing can be kept; told: takes a sentence when that begins or
    ends.

    `sync` stands for fsync and fdatasync of every file of the program. It returns also where nothing can be kept: a
    browser without storage, or whose storage is full, is one in which the game goes on and the page says so."""

    def __init__(self, folder: Path, journal: Journal | None, told: Callable[[str], None]) -> None:
        self._folder = folder
        self._journal = journal
        self._told = told
        self._fails = False
        self._stamps: dict[str, tuple[int, int, int]] = {}

    def sync(self, fd: int) -> None:
        """All that has changed in the folder is on disk afterwards, whatever file it is."""
        if self._journal is None:
            return
        try:
            files, stamps = self._look(os.fstat(fd).st_ino, self._journal.files)
            self._journal.keep(files)
        except OSError as error:
            if not self._fails:
                self._fails = True
                self._told(FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else FAILS)
            return
        self._stamps = stamps
        if self._fails:
            self._fails = False
            self._told(WORKS_AGAIN)

    def _look(self, written: int, known: Files) -> tuple[Files, dict[str, tuple[int, int, int]]]:
        """written: the inode of the file that was written just now; its time may be that of the write before."""
        files, stamps = dict[str, Stored](), dict[str, tuple[int, int, int]]()
        for path in _files_in(self._folder):
            status, name = path.stat(), path.relative_to(self._folder).as_posix()
            stamps[name] = stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
            unchanged = stamp == self._stamps.get(name) and status.st_ino != written and name in known
            files[name] = known[name] if unchanged else Stored(path.read_bytes(), status.st_mtime_ns)
        return files, stamps


def _files_in(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as found:
        for one in sorted(found, key=lambda entry: entry.name):
            if not _is_kept(one.name):
                continue
            if one.is_dir():
                yield from _files_in(Path(one.path))
            else:
                yield Path(one.path)


def lay_out(files: Files, folder: Path) -> None:
    """Put the files into the folder, private to their owner, as they were. Raises OSError and StoreError."""
    private_folder(folder)
    for name, file in files.items():
        path = folder / name
        private_folder(path.parent)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            write_all(fd, file.data, 0)
        finally:
            os.close(fd)
        os.utime(path, ns=(file.changed, file.changed))


FULL = (
    "The browser has no more room for this page. The game goes on in memory alone: save its log as a file before you "
    "close the page, or free some space, and it is kept again."
)
FAILS = (
    "The browser cannot write what this page keeps. The game goes on in memory alone: save its log as a file before "
    "you close the page."
)
WORKS_AGAIN = "The browser has room again: everything is kept."
