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


def split_file(name: str, data: bytes, changed: int) -> dict[str, bytes]:
    """The pieces of a file by name. changed: nanoseconds of unix time."""
    found = {f"{name}{MARK}": f"{len(data)} {changed}".encode()}
    for number, at in enumerate(range(0, len(data), PIECE)):
        found[f"{name}{MARK}{number}"] = data[at : at + PIECE]
    return found


def find_changes(before: Pieces, after: Pieces) -> Changes:
    gone = dict.fromkeys(before.keys() - after.keys())
    return gone | {key: piece for key, piece in after.items() if before.get(key) != piece}


def write_pieces(pieces: Pieces, folder: Path) -> None:
    """Write the files to the folder, private to their owner, with their times. Incomplete files are left out, as no one
    wrote them so. Raises OSError and StoreError."""
    for key, about in pieces.items():
        name, _, number = key.partition(MARK)
        parts = Path(name).parts
        if number or not parts or Path(name).is_absolute() or ".." in parts:
            continue
        with suppress(ValueError):
            size, changed = map(int, about.split())
            data = b"".join([pieces.get(f"{name}{MARK}{count}", b"") for count in range(-(-size // PIECE))])
            if len(data) == size:
                _write_file(folder / name, data, changed)


def _write_file(path: Path, data: bytes, changed: int) -> None:
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
    """Stores pieces, those of one call all or none, calls in order. After a failed call it stores nothing until
    everything is written anew, as later calls build on earlier ones."""

    def put(self, changes: Changes, done: Callable[[str], object], *, anew: bool) -> None:
        """done: called once with "" when the changes are stored, or with the reason why not; anew: they replace
        everything on the shelf."""


class Keeper:
    """Stores a folder on a shelf. pieces: those on it already; told: called with a sentence when storing fails, and
    when it works again; lost: called when another page takes over the shelf."""

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
        """The last sync couldn't be stored."""
        return self._fails

    def sync(self, fd: int) -> None:
        """Like fsync and fdatasync: store every change in the folder, whichever file this is."""
        if self._gone:
            return
        pieces = self._read_pieces(os.fstat(fd).st_ino)
        changes = find_changes({} if self._anew else self._pieces, pieces)
        if changes or self._anew:
            if not self._under_way:
                self._all_kept = trio.Event()
            self._under_way += 1
            anew, self._pieces, self._anew = self._anew, pieces, False
            self._shelf.put(changes, self._done, anew=anew)

    async def kept(self) -> None:
        """Wait until all synced changes are stored, or storing has failed; forever if another page has the shelf, as
        nothing may be sent from here then."""
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

    def _read_pieces(self, written: int) -> Pieces:
        """The folder's pieces now. written: inode of the file just written, read even if its size and time are
        unchanged."""
        pieces, stamps = dict[str, bytes](), dict[str, tuple[int, int, int]]()
        known = _group_by_file(self._pieces)
        for path in _files_in(self._folder):
            status, name = path.stat(), path.relative_to(self._folder).as_posix()
            stamps[name] = stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
            if stamp == self._stamps.get(name) and status.st_ino != written and name in known:
                pieces |= known[name]
            else:
                pieces |= split_file(name, path.read_bytes(), status.st_mtime_ns)
        self._stamps = stamps
        return pieces


def _group_by_file(pieces: Pieces) -> dict[str, dict[str, bytes]]:
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
