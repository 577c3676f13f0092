"""The folder of game logs: names, the list, finding one."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.errors import StoreError, told
from p2pcards.store.home import Home
from p2pcards.store.logfile import SYNC, LogFile, Sync, held

SUFFIX = ".log"
_NAME = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)-(?P<game>[a-z0-9_]+)-(?P<id>[0-9a-f]{4,})\.log")
_SHORTEST_ID = 2  # bytes of the game's id that its log is named by, more when that name is taken


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One log in the folder; `size` in bytes, `changed` in nanoseconds of unix time."""

    name: str
    folder: Path
    game: str
    size: int
    changed: int

    @property
    def path(self) -> Path:
        return self.folder / self.name

    @property
    def stem(self) -> str:
        """The name, as a person types it."""
        return self.name.removesuffix(SUFFIX)


def log_name(date: str, game: str, game_id: bytes, id_bytes: int = _SHORTEST_ID) -> str:
    """Such as 2026-11-20-hearts-7f3a.log, of an ISO date, the game's key and the first bytes of the game's id."""
    name = f"{date}-{game}-{game_id[:id_bytes].hex()}.log"
    if not _NAME.fullmatch(name):
        raise ValueError(f"no log can be named by {date!r}, {game!r} and {game_id!r}")
    return name


def create_log(home: Home, date: str, game: str, game_id: bytes, sync: Sync = SYNC) -> LogFile:
    """A new log for this game."""
    return LogFile.create(free_path(home, date, game, game_id), sync)


def free_path(home: Home, date: str, game: str, game_id: bytes) -> Path:
    """For a log of this game, its name lengthened when another game has the short one."""
    for id_bytes in range(_SHORTEST_ID, len(game_id) + 1):
        path = home.logs / log_name(date, game, game_id, id_bytes)
        if id_bytes == len(game_id) or not path.exists():
            return path
    raise ValueError("a game's id has at least two bytes")


def list_logs(home: Home) -> tuple[LogEntry, ...]:
    """All logs, the newest first: by the date in the name, within a day by the last change."""
    folder, found = home.logs, []
    try:
        with os.scandir(folder) as files:
            for one in files:
                if (match := _NAME.fullmatch(one.name)) and one.is_file():
                    status = one.stat()
                    found.append(LogEntry(one.name, folder, match["game"], status.st_size, status.st_mtime_ns))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise told(error, f"Cannot list the logs in {home.logs}") from error
    return tuple(sorted(found, key=lambda log: (log.name[:10], log.changed, log.name), reverse=True))


def log_names(home: Home) -> set[str]:
    """The names of all logs, none of which is looked at."""
    try:
        return {one.name for one in home.logs.iterdir() if _NAME.fullmatch(one.name)}
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise told(error, f"Cannot list the logs in {home.logs}") from error


def logs_named_by(home: Home, game_id: bytes) -> list[Path]:
    """The logs whose names say that they may be of this game, the newest first. None of them is opened."""
    try:
        with os.scandir(home.logs) as files:
            names = [one.name for one in files if game_id[:_SHORTEST_ID].hex() in one.name]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise told(error, f"Cannot list the logs in {home.logs}") from error
    found = [match for match in map(_NAME.fullmatch, names) if match and game_id.hex().startswith(match["id"])]
    return [home.logs / match.string for match in sorted(found, key=lambda match: match.string, reverse=True)]


def delete_log(path: Path) -> bool:
    """Delete a log unless somebody has it open for writing; whether it is gone. Raises StoreError."""
    with held(path) as free:
        if free:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise told(error, f"Cannot delete the log {path}") from error
    return free


def find_log(home: Home, text: str) -> LogEntry:
    """The log with this name, or the only one whose name or id begins with `text`."""
    logs = list_logs(home)
    for log in logs:
        if text in (log.name, log.stem):
            return log
    matching = [log for log in logs if log.name.startswith(text) or _id_in(log).startswith(text)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        some = ", ".join(log.stem for log in matching[:4]) + (", ..." if len(matching) > 4 else "")
        raise StoreError(f"Several logs begin with '{text}': {some}.", "Give more of the name.")
    advice = did_you_mean(text, [log.stem for log in logs], 0.5)
    raise StoreError(f"There is no log '{text}'.", advice or "'p2pcards logs' lists the logs.")


def _id_in(log: LogEntry) -> str:
    return log.stem.rpartition("-")[2]
