"""The files of a home, kept in a browser's storage. Nothing here knows a browser: what keeps them is an argument.

The home itself lies in memory, where the program reads and writes it as anywhere. What has changed there is put on a
shelf each time the program asks for a file to be on disk (fsync), all that has changed at once: it is kept as a whole
or not at all. A browser keeps things in its own time, so whatever is sent waits until that is done (`kept`), and
nothing is sent that is not kept.

On the shelf a file is its size, the time of its last change, and its pieces, so that a log that grows by a record
writes its last piece and no more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import trio

from p2pcards.store.files import private_folder, write_all

# --- what stands on a shelf -------------------------------------------------------------------------------------------


PIECE = 16384
"""Bytes of one piece of a file."""
MARK = "\0"
"""Between the name of a file and the number of a piece; behind a name alone, it is what is to be known of the file."""

Pieces = Mapping[str, bytes]
Changes = Mapping[str, bytes | None]
"""None: it is taken away."""


def pieces_of(name: str, data: bytes, changed: int) -> dict[str, bytes]:
    """changed: nanoseconds of unix time."""
    found = {f"{name}{MARK}": f"{len(data)} {changed}".encode()}
    for number, at in enumerate(range(0, len(data), PIECE)):
        found[f"{name}{MARK}{number}"] = data[at : at + PIECE]
    return found


def changes_between(before: Pieces, after: Pieces) -> Changes:
    gone = dict.fromkeys(before.keys() - after.keys())
    return gone | {key: piece for key, piece in after.items() if before.get(key) != piece}


def lay_out(pieces: Pieces, folder: Path) -> None:
    """Put the files into the folder, private to their owner, as they were. What is no whole file is left out, as nobody
    has written it so. Raises OSError and StoreError."""
    for key, about in pieces.items():
        name, _, number = key.partition(MARK)
        parts = Path(name).parts
        if number or not parts or Path(name).is_absolute() or ".." in parts:
            continue
        with suppress(ValueError):
            size, changed = map(int, about.split())
            data = b"".join([pieces.get(f"{name}{MARK}{count}", b"") for count in range(-(-size // PIECE))])
            if len(data) == size:
                _lay_out(folder / name, data, changed)


def _lay_out(path: Path, data: bytes, changed: int) -> None:
    private_folder(path.parent)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        write_all(fd, data, 0)
    finally:
        os.close(fd)
    os.utime(path, ns=(changed, changed))


# --- keeping a folder there -------------------------------------------------------------------------------------------


LEFT_OUT = (".", "records.sqlite", "diagnostics.", "run")
"""How names begin of what is not kept: files that are being written, and what is made again when it is wanted."""
LOCK = ".lock"

FULL, LOST, FAILS = "full", "lost", "fails"
"""Why something could not be kept: no room, another page has the shelf now, or whatever else there is."""

SAID = {
    FULL: "Your browser is out of room, so this game is no longer saved. Before you close the page, save its log as a "
    "file, or free some space.",
    FAILS: "Your browser can't save this game. Before you close the page, save its log as a file.",
}
KEEPS_AGAIN = "Your browser has room again, and everything is saved."


class Shelf(Protocol):
    """Keeps pieces: those of one call as a whole or not at all, the calls in their order. After one that it could not
    keep it keeps none but one that is written anew, as others build on it."""

    def put(self, changes: Changes, done: Callable[[str], object], *, anew: bool) -> None:
        """done: is told once whether they are kept, "", or why not. anew: nothing else is on the shelf then."""


class Keeper:
    """Keeps a folder on a shelf. pieces: what stands there already; told: takes a sentence when keeping fails, once,
    and when it goes again; lost: called when another page has taken the shelf."""

    def __init__(
        self,
        folder: Path,
        shelf: Shelf,
        pieces: Pieces,
        told: Callable[[str], object],
        lost: Callable[[], object],
    ) -> None:
        self._folder = folder
        self._shelf = shelf
        self._pieces = pieces
        self._told = told
        self._lost = lost
        self._fails = False
        self._gone = False
        self._anew = False  # what stands on the shelf is not known
        self._stamps: dict[str, tuple[int, int, int]] = {}
        self._under_way = 0
        self._all_kept = trio.Event()
        self._all_kept.set()

    @property
    def fails(self) -> bool:
        """Whether what was synced last could not be kept."""
        return self._fails

    def sync(self, fd: int) -> None:
        """For fsync and fdatasync: all that has changed in the folder goes on the shelf, whatever file it is."""
        if self._gone:
            return
        pieces = self._look(os.fstat(fd).st_ino)
        changes = changes_between({} if self._anew else self._pieces, pieces)
        if changes or self._anew:
            if not self._under_way:
                self._all_kept = trio.Event()
            self._under_way += 1
            anew, self._pieces, self._anew = self._anew, pieces, False
            self._shelf.put(changes, self._done, anew=anew)

    async def kept(self) -> None:
        """Wait until all is kept that was synced, or it is said that it cannot be. For ever where another page has the
        shelf: nothing may be sent from here any more."""
        while self._under_way or self._gone:
            await (trio.sleep_forever() if self._gone else self._all_kept.wait())

    def _done(self, why: str) -> None:
        self._under_way -= 1
        if why == LOST:
            if not self._gone:
                self._gone = True
                self._lost()
        elif why:
            self._anew = True
            if not self._fails:
                self._told(SAID[why])
            self._fails = True
        elif self._fails and not self._anew and not self._under_way:
            self._fails = False
            self._told(KEEPS_AGAIN)
        if not self._under_way:
            self._all_kept.set()

    def _look(self, written: int) -> Pieces:
        """written: the inode of the file that was written just now: its size and time may be those of before."""
        pieces, stamps = dict[str, bytes](), dict[str, tuple[int, int, int]]()
        known = _by_name(self._pieces)
        for path in _files_in(self._folder):
            status, name = path.stat(), path.relative_to(self._folder).as_posix()
            stamps[name] = stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
            if stamp == self._stamps.get(name) and status.st_ino != written and name in known:
                pieces |= known[name]
            else:
                pieces |= pieces_of(name, path.read_bytes(), status.st_mtime_ns)
        self._stamps = stamps
        return pieces


def _by_name(pieces: Pieces) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for key, piece in pieces.items():
        found.setdefault(key.partition(MARK)[0], {})[key] = piece
    return found


def _files_in(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as found:
        for one in sorted(found, key=lambda entry: entry.name):
            if one.name.startswith(LEFT_OUT) or one.name.endswith(LOCK):
                continue
            if one.is_dir():
                yield from _files_in(Path(one.path))
            else:
                yield Path(one.path)
