"""The game log on disk: records of bytes, each on disk before `append` returns. The format is protocol/log.md."""

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from p2pcards.store.errors import StoreError, told
from p2pcards.store.files import private_folder, read_whole, sync_folder, write_all, write_whole

MAGIC = b"p2pcards log 1\n"
MAX_PAYLOAD = 1 << 20
"""Bytes of one payload."""

_LENGTH_CHECK = crc32(b"p2pcards log record")  # the check of a length starts from here, so that zeros are not a record
_HEADER = 8
_TRAILER = 4
_SECTOR = 512
"""Bytes that a disk writes at once."""

Sync = Callable[[int], None]
SYNC: Sync = getattr(os, "fdatasync", os.fsync)


class DamagedLog(StoreError):
    """A log in which a byte was changed. `offset` is where the damaged record begins."""

    def __init__(self, offset: int, sentence: str) -> None:
        super().__init__(
            sentence, "Take a copy of this log from a backup, or ask another player of the game for theirs."
        )
        self.offset = offset


@dataclass(frozen=True, slots=True)
class LogContents:
    """The whole records as (offset, payload), and the bytes of a last record that was never finished.

    `torn_offset` is where the whole part ends, also when nothing is torn.
    """

    records: tuple[tuple[int, bytes], ...]
    torn: bytes
    torn_offset: int

    @property
    def payloads(self) -> list[bytes]:
        return [payload for _, payload in self.records]


@dataclass(frozen=True, slots=True)
class TornTail:
    """An unfinished last record that was moved out of a log into the file `path`."""

    path: Path
    offset: int
    size: int


def encode_record(payload: bytes) -> bytes:
    """One record. Raises ValueError when the payload is over MAX_PAYLOAD."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes is over the limit of {MAX_PAYLOAD}")
    length = len(payload).to_bytes(4, "big")
    return length + _check(length, _LENGTH_CHECK) + payload + _check(payload)


def parse_log(data: bytes) -> LogContents:
    """The contents of a log file. Only a last, incomplete record counts as torn, and one of whose end a power cut has
    left nothing but zeros; anything else raises DamagedLog."""
    if not data.startswith(MAGIC):
        if MAGIC.startswith(data) or not any(data):
            return LogContents((), data, 0)
        raise DamagedLog(0, "This is not a game log of p2pcards: its first line differs (offset 0).")
    records: list[tuple[int, bytes]] = []
    offset = len(MAGIC)
    while (payload := _payload_at(data, offset)) is not None:
        records.append((offset, payload))
        offset += _HEADER + len(payload) + _TRAILER
    return LogContents(tuple(records), data[offset:], offset)


def _payload_at(data: bytes, offset: int) -> bytes | None:
    """The payload of the record there, None where it is torn. Raises DamagedLog."""
    start = offset + _HEADER
    if start > len(data):
        return None
    end = start + int.from_bytes(data[offset : offset + 4], "big")
    fits = data[offset + 4 : start] == _check(data[offset : offset + 4], _LENGTH_CHECK) and end - start <= MAX_PAYLOAD
    if fits and end + _TRAILER > len(data):
        return None
    if fits and data[end : end + _TRAILER] == _check(data[start:end]):
        return data[start:end]
    if _was_not_written(data, offset, end + _TRAILER if fits else start + MAX_PAYLOAD + _TRAILER):
        return None
    raise _damaged(offset)


def _was_not_written(data: bytes, offset: int, end: int) -> bool:
    """Whether the file ends with the record there, and that with zeros: from its first byte on, or from the beginning
    of a sector. A file system may put the new length of a file on disk before the bytes."""
    written = len(data[offset:].rstrip(b"\0"))
    sector = -(-(offset + written) // _SECTOR) * _SECTOR
    return len(data) <= end and (written == 0 or sector < len(data))


def read_log(path: Path) -> LogContents:
    """The contents of the log file at `path`, which may be in use. Raises StoreError when there is none, DamagedLog."""
    data = read_whole(path)
    if data is None:
        raise StoreError(f"There is no log {path}.", "'p2pcards logs' lists the logs.")
    return parse_log(data)


SHORT = 128
"""Bytes of a payload that is kept in mind when a log is opened: whose it is, and its notes, are shorter."""


class LogFile:
    """A log that is open for writing, by one process at a time.

    `torn` tells of an unfinished record that opening it moved aside; `asides`: the short payloads that stood in it
    then. `sync(fd)` puts what was written on disk; only a measurement may leave that out.
    """

    def __init__(
        self, path: Path, fd: int, end: int, torn: TornTail | None, sync: Sync, asides: Sequence[bytes] = ()
    ) -> None:
        self.path = path
        self.torn = torn
        self.asides = asides
        self._fd = fd
        self._end = end
        self._whole = True  # the file ends at _end
        self._sync = sync

    @classmethod
    def create(cls, path: Path, sync: Sync = SYNC) -> "LogFile":
        """A new, empty log; refused when the file exists."""
        private_folder(path.parent)
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            raise StoreError(
                f"There is a log {path} already.", "Move it aside, or go on with it: p2pcards resume"
            ) from None
        except OSError as error:
            raise told(error, f"Cannot make the log {path}") from error
        try:
            _lock(fd, path)
            _begin(fd, path)
        except BaseException:
            os.close(fd)
            with suppress(OSError):
                path.unlink()
            raise
        return cls(path, fd, len(MAGIC), None, sync)

    @classmethod
    def open(cls, path: Path, sync: Sync = SYNC) -> "LogFile":
        """Go on with a log. A torn tail is moved into a file beside it, named `<name>.torn-<offset>`."""
        try:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            raise StoreError(f"There is no log {path}.", "'p2pcards logs' lists the logs.") from None
        except OSError as error:
            raise told(error, f"Cannot open the log {path}") from error
        try:
            _lock(fd, path)
            found = read_log(path)
            torn = _move_aside(fd, path, found) if found.torn else None
            if found.torn_offset == 0:
                _begin(fd, path)
        except BaseException:
            os.close(fd)
            raise
        asides = [payload for payload in found.payloads if len(payload) <= SHORT]
        return cls(path, fd, max(found.torn_offset, len(MAGIC)), torn, sync, asides)

    @property
    def is_empty(self) -> bool:
        """Whether it has no record."""
        return self._end == len(MAGIC)

    def append(self, payload: bytes) -> int:
        """Add a record and put it on disk; returns its offset.

        When it fails (disk full, disk fault) StoreError is raised and the file is cut back to the last whole record.
        Where that fails too, every further append tries it again first, and is refused until it succeeds.
        """
        record = encode_record(payload)
        if not self._whole:
            self._cut_back()
        self._whole = False
        try:
            write_all(self._fd, record, self._end)
            self._sync(self._fd)
        except OSError as error:
            with suppress(StoreError):
                self._cut_back()
            raise told(error, f"Nothing lost up to here, but the last move cannot be kept in {self.path}") from error
        self._whole = True
        offset, self._end = self._end, self._end + len(record)
        return offset

    def close(self) -> None:
        """Release the file for others. May be called twice."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _cut_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._end)
            self._sync(self._fd)
        except OSError as error:
            raise told(error, f"Nothing lost up to here, but nothing more can be kept in {self.path}") from error
        self._whole = True


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Whether nobody has this log open for writing; then nobody opens it so meanwhile. One that is not there is free.
    Raises StoreError."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield True
        return
    except OSError as error:
        raise told(error, f"Cannot open the log {path}") from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        free = True
    except BlockingIOError:
        free = False
    try:
        yield free
    finally:
        os.close(fd)


def _check(data: bytes, start: int = 0) -> bytes:
    return crc32(data, start).to_bytes(4, "big")


def _damaged(offset: int) -> DamagedLog:
    return DamagedLog(offset, f"This log is damaged: the record at offset {offset} is not as it was written.")


def _lock(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreError(
            f"The log {path} is in use by another p2pcards.", "Attach to it instead: p2pcards attach"
        ) from None
    except OSError as error:
        raise told(error, f"Cannot lock the log {path}") from error


def _begin(fd: int, path: Path) -> None:
    try:
        write_all(fd, MAGIC, 0)
        os.fsync(fd)
        sync_folder(path.parent)
    except OSError as error:
        raise told(error, f"Cannot write the log {path}") from error


def _move_aside(fd: int, path: Path, found: LogContents) -> TornTail:
    """Copy the torn tail into a file of its own, then cut it off; a crash between the two finds the copy again."""
    aside = path.with_name(f"{path.name}.torn-{found.torn_offset}")
    number = 1
    while read_whole(aside) not in (None, found.torn):
        number += 1
        aside = path.with_name(f"{path.name}.torn-{found.torn_offset}-{number}")
    write_whole(aside, found.torn)
    try:
        os.ftruncate(fd, found.torn_offset)
        os.fsync(fd)
    except OSError as error:
        raise told(error, f"Cannot cut the unfinished last record off {path}") from error
    return TornTail(aside, found.torn_offset, len(found.torn))
