"""A log in a file of its own, to be carried elsewhere. The format is protocol/log.md."""

from __future__ import annotations

import hmac
import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from p2pcards.store.errors import StoreError, told
from p2pcards.store.files import read_whole, sync_folder, write_all
from p2pcards.store.logs import MAGIC as LOG_MAGIC
from p2pcards.store.logs import LogContents, encode_record, parse_log

MAGIC = b"p2pcards save 1\n"
SUFFIX = ".p2psave"
LARGEST = 1 << 28
"""Bytes of a file: no log that a game has room for comes near."""

_DIGEST = 32
_ANY_MAGIC = re.compile(rb"p2pcards (save|log) ([1-9][0-9]{0,8})\n")


class BadSave(StoreError):
    """A file that is no save, or not as it was written."""


class LaterSave(StoreError):
    """A save that a later version of this program has written."""


def save_bytes(log: LogContents) -> bytes:
    """The file that holds the whole records of a log."""
    whole = MAGIC + log_bytes(log)
    return whole + sha256(whole).digest()


def log_bytes(log: LogContents) -> bytes:
    """A log file with these records, and nothing of one that was never finished."""
    return LOG_MAGIC + b"".join([encode_record(payload) for payload in log.payloads])


def parse_save(data: bytes) -> LogContents:
    """The log in a save file. Raises BadSave and LaterSave."""
    _check_first_line(data, "save", MAGIC)
    whole, digest = data[:-_DIGEST], data[-_DIGEST:]
    if len(whole) < len(MAGIC) or not hmac.compare_digest(sha256(whole).digest(), digest):
        raise _changed(data)
    log = whole[len(MAGIC) :]
    _check_first_line(log, "log", LOG_MAGIC)
    try:
        found = parse_log(log)
    except StoreError as error:
        raise BadSave(f"The log in this save cannot be read. {error}", _ADVICE) from None
    if found.torn:
        raise BadSave(f"The log in this save ends in the middle of a record (offset {found.torn_offset}).", _ADVICE)
    return found


def read_save(path: Path) -> LogContents:
    """The log in a save file. Raises StoreError, BadSave and LaterSave."""
    if path.exists() and (not path.is_file() or path.stat().st_size > LARGEST):
        raise BadSave(f"{path} is no saved game: it is no file, or larger than any.", _ADVICE)
    data = read_whole(path)
    if data is None:
        raise StoreError(f"There is no file {path}.", "'p2pcards saves export NAME FILE' writes one.")
    return parse_save(data)


def write_save(path: Path, log: LogContents) -> None:
    """A new file, for its owner only. Raises StoreError, also when there is one already."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise StoreError(f"There is a file {path} already.", "Move it aside, or choose another name.") from None
    except OSError as error:
        raise told(error, f"Cannot make the file {path}") from error
    try:
        write_all(fd, save_bytes(log), 0)
        os.fsync(fd)
        sync_folder(path.absolute().parent)
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise told(error, f"Cannot write {path}") from error
    finally:
        os.close(fd)


_ADVICE = "Ask for the file again, or take a copy of it."


def _check_first_line(data: bytes, kind: str, ours: bytes) -> None:
    if data.startswith(ours):
        return
    found = _ANY_MAGIC.match(data)
    if found and found[1].decode() == kind and int(found[2]) > 1:
        raise LaterSave("This save was written by a later version of p2pcards.", "Update this one, and try again.")
    if found and found[1] == b"log" and kind == "save":
        raise BadSave("This is a log, not a saved game.", "'p2pcards verify FILE' reads it.")
    raise BadSave("This is no saved game of p2pcards: its first line differs (offset 0).", _ADVICE)


def _changed(data: bytes) -> BadSave:
    """Why the digest does not fit, as far as the log itself tells."""
    try:
        found = parse_log(data[len(MAGIC) : -_DIGEST])
    except StoreError as error:
        return BadSave(f"This save is damaged. {error}", _ADVICE)
    where = f" after offset {found.torn_offset}" if found.torn else ""
    return BadSave(f"This save is damaged or cut short{where}: its digest does not fit what it holds.", _ADVICE)
