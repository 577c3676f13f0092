"""The files of one home: where they are; written whole or not at all, private to their owner; and the one error of
this room, whose text is a sentence for the player."""

from __future__ import annotations

import errno
import fcntl
import getpass
import os
import stat
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from p2pcards.wire.clean import ESCAPE_SEQUENCE

# --- the one error of this room, whose text is a sentence for the player ----------------------------------------------


class StoreError(Exception):
    """Something on disk is not as needed. `str(error)` says what happened and why, `error.advice` what to try, and
    `error.with_advice` both."""

    def __init__(self, happened: str, advice: str = "") -> None:
        super().__init__(happened)
        self.advice = advice

    @property
    def with_advice(self) -> str:
        """The sentence with its advice."""
        return f"{self} {self.advice}".rstrip()


_SPACE = "Free some space, or set P2PCARDS_HOME to a folder on another disk."
_ELSEWHERE = "Set P2PCARDS_HOME to a folder that you can write to."
_REASONS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", _SPACE),
    errno.EDQUOT: ("your disk quota is used up", _SPACE),
    errno.EFBIG: ("the file would get too big", "Check 'ulimit -f', or free some space."),
    errno.EROFS: (
        "the disk is read-only",
        "Make it writable again, or set P2PCARDS_HOME to a folder that you can write to.",
    ),
    errno.EACCES: ("permission denied", "Check who owns it (ls -ld), or set P2PCARDS_HOME to a folder of your own."),
    errno.EPERM: ("not permitted", _ELSEWHERE),
    errno.ENOTDIR: ("part of the path is a file, not a folder", _ELSEWHERE),
    errno.EISDIR: ("it is a folder, not a file", "Move the folder aside."),
    errno.ENOENT: ("it doesn't exist and can't be created", _ELSEWHERE),
    errno.ELOOP: ("its symbolic links form a loop", _ELSEWHERE),
    errno.ENAMETOOLONG: ("the path is too long", "Set P2PCARDS_HOME to a shorter path."),
    errno.EIO: ("the disk reports an error", "Copy your files to another disk soon."),
    errno.EMFILE: ("too many files are open", "Close other programs, or check 'ulimit -n'."),
    errno.ENFILE: ("too many files are open", "Close other programs."),
}


def store_error(error: OSError, failed: str) -> StoreError:
    """A StoreError for an error of the operating system. failed: the beginning of the sentence, such as "Can't write
    PATH"."""
    why, advice = _REASONS.get(error.errno or 0, (os.strerror(error.errno) if error.errno else str(error), ""))
    return StoreError(f"{failed}: {why}.", advice)


# --- files that are written whole or not at all, private to their owner -----------------------------------------------


_LOCK_WAIT = 5.0  # seconds; the work under a lock takes milliseconds, so a longer wait means a stopped process
_LOCK_POLL = 0.01
ROOT = 0
"""The user who may write everything anyway."""


def private_folder(folder: Path) -> None:
    """Make a folder and its missing parents with mode 0700; an existing one is left as it is."""
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
            f"{folder} isn't a folder.", "Move it aside, or set P2PCARDS_HOME to another folder."
        ) from None
    except OSError as error:
        raise store_error(error, f"Can't create the folder {folder}") from error


def refuse_writable(path: Path, so: str) -> None:
    """Raise StoreError for a file or folder that other users may write. so: what they could do. Missing ones pass, as
    do groups of the user alone."""
    try:
        found = path.stat()
    except OSError:
        return
    if found.st_uid not in (os.geteuid(), ROOT):
        raise StoreError(f"{path} belongs to another user, who could {so}.", "Move it aside, or take ownership of it.")
    if found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid)):
        raise StoreError(f"Other users can write to {path}, so they could {so}.", f"Try: chmod go-w {path}")


def _is_own_group(number: int) -> bool:
    """True if a group was made by the system for this user alone."""
    import grp  # neither in a browser, which has no users
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and not set(group.gr_mem) - {user.pw_name}


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder, so that new files survive a power cut. Raises OSError."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync a folder
            raise
    finally:
        os.close(fd)


def sync_disk() -> None:
    """Sync everything written; for thousands of files much faster than one by one (6 ms each)."""
    if hasattr(os, "sync"):  # a browser has none
        os.sync()


def write_all(fd: int, data: bytes, offset: int) -> None:
    """Write all data at this offset. Raises OSError, after which part of it may be written."""
    while data:
        count = os.pwrite(fd, data, offset)
        data, offset = data[count:], offset + count


def write_whole(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Replace the file by `data`, mode 0600: afterwards, whatever happens, it holds either the old or the new bytes.
    sync: False where `sync_disk` follows for many files at once; until then a power cut may leave it empty.

    A symbolic link stays, and the file that it leads to is replaced.
    """
    target = Path(os.path.realpath(path))
    private_folder(target.parent)
    temporary = None
    try:
        fd, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            write_all(fd, data, 0)
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)
        Path(temporary).replace(target)
        temporary = None
        if sync:
            sync_folder(target.parent)
    except OSError as error:
        raise store_error(error, f"Can't write {path}") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()


def write_new(path: Path, data: bytes) -> None:
    """Create a file with mode 0600. Raises StoreError, also when it exists."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise StoreError(f"The file {path} already exists.", "Move it aside, or choose another name.") from None
    except OSError as error:
        raise store_error(error, f"Can't create the file {path}") from error
    try:
        write_all(fd, data, 0)
        os.fsync(fd)
        sync_folder(path.absolute().parent)
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise store_error(error, f"Can't write {path}") from error
    finally:
        os.close(fd)


def read_whole(path: Path) -> bytes | None:
    """The bytes of a file, None if it does not exist. Raises StoreError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise store_error(error, f"Can't read {path}") from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`.lock in this context, so that one process at a time reads, changes and writes
    `path`."""
    lock = path.with_name(path.name + ".lock")
    private_folder(lock.parent)
    try:
        fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise store_error(error, f"Can't write {lock}") from error
    try:
        _wait_for_lock(fd, path)
        yield
    finally:
        os.close(fd)


def busy_error(path: Path, seconds: float, advice: str) -> StoreError:
    """The StoreError for a file that another program has kept locked for so many seconds."""
    return StoreError(f"Another p2pcards has been using {path} for {seconds:.0f} seconds.", advice)


def _wait_for_lock(fd: int, path: Path) -> None:
    """Wait for an exclusive lock on this descriptor. Raises StoreError after a while."""
    deadline = time.monotonic() + _LOCK_WAIT
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise busy_error(path, _LOCK_WAIT, "If it's stuck, stop it, then try again.") from None
            time.sleep(_LOCK_POLL)
        except OSError as error:
            raise store_error(error, f"Can't lock {path}") from error


# --- names that come from elsewhere, made harmless --------------------------------------------------------------------


NAME_LIMIT = 24
"""Characters of a peer's name."""
NAME_RULE = f"A name must be one line of at most {NAME_LIMIT} visible characters, and can't start with a dash."

_NAMELESS = "stranger"
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols to Unicode, nothing to the eye
_MARKS_LIMIT = 2  # combining marks on one letter; more of them spill over the lines above and below


def clean_name(name: str) -> str:
    """A peer's own name made safe to show and type: one line of at most NAME_LIMIT visible characters.

    Escape sequences, control, format and bidirectional characters, blank letters, piles of combining marks and leading
    dashes (which would read as an option) are removed.
    """
    letters = (" " if letter in "\t\n\r" else letter for letter in ESCAPE_SEQUENCE.sub("", name))
    visible = "".join(letter for letter in letters if _category(letter) != "C" and letter not in _BLANK_LETTERS)
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", visible):
        marks = marks + 1 if _category(letter) == "M" else 0
        if marks <= _MARKS_LIMIT:
            kept.append(letter)
    cleaned = " ".join("".join(kept).split()).lstrip("- ")[:NAME_LIMIT].rstrip()
    return cleaned if any(_category(letter) != "M" for letter in cleaned) else _NAMELESS


def login_name() -> str:
    """The login name of the user, cleaned, as a player's default name."""
    try:
        return clean_name(getpass.getuser())
    except (OSError, KeyError):
        return "player"


def _category(letter: str) -> str:
    """Unicode's major category of a character: C for control and format, M for combining marks."""
    return unicodedata.category(letter)[0]


# --- where the files of one daemon are --------------------------------------------------------------------------------


SOCKET_PATH_LIMIT = 100
"""Bytes. The system's own limit is 107 (Linux) or 103 (macOS)."""

DEFAULT = "Default"
"""The name of the profile whose home is the one that the environment names."""

PROFILES = "profiles"
"""The folder, below those of the Default profile, in which the homes of all others are."""

SHORT = Path("/tmp")
"""Where sockets are whose path would be too long."""

OPEN_TO_OTHERS = "read your cards there or play as you"


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one daemon and the files in them. Nothing is made until something is written."""

    state: Path
    config: Path
    socket: Path
    """The control socket; its folder is ours alone once `make_folders` has returned."""
    profile: str = DEFAULT
    """The name of the profile that has this home."""
    fallback: Path | None = None
    """The settings that count where this home has none: those of the Default profile, which itself has None here."""

    @property
    def identity(self) -> Path:
        """The file of the private key."""
        return self.state / "identity.pem"

    @property
    def peers(self) -> Path:
        """The list of friends."""
        return self.state / "peers.json"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.toml"

    @property
    def directory(self) -> Path:
        """The phone book."""
        return self.config / "directory.toml"

    def back(self, name: str) -> Path:
        """The file of a card back drawn by the player, or else that of the Default profile."""
        drawn = self.config / "backs" / f"{name}.txt"
        shared = self.fallback.parent / "backs" / drawn.name if self.fallback else drawn
        return shared if shared.exists() and not drawn.exists() else drawn

    @property
    def logs(self) -> Path:
        """The folder of game logs."""
        return self.state / "logs"

    @property
    def results(self) -> Path:
        """The results of all finished games, a database made from logs and facts."""
        return self.state / "records.sqlite"

    @property
    def facts(self) -> Path:
        """The facts about results that are in no log, such as resets."""
        return self.state / "records.facts"

    @property
    def scoreboard(self) -> Path:
        """The scoreboard of two-handed pinochle as saved last; missing for a player without one."""
        return self.state / "scoreboard.txt"

    @property
    def scoreboard_draft(self) -> Path:
        """The scoreboard after a reset that is not saved yet."""
        return self.state / "scoreboard.new"

    @property
    def save_names(self) -> Path:
        """The player's names for games, and the games thrown away."""
        return self.state / "saves.json"

    @property
    def lock(self) -> Path:
        """The file whose lock the daemon of this home holds."""
        return self.state / "daemon.lock"

    @property
    def diagnostics(self) -> Path:
        """The daemon's notes for finding faults; no keys, hands or chat."""
        return self.state / "diagnostics.txt"


def find_home(environ: Mapping[str, str], short: Path = SHORT) -> Home:
    """The home that the environment names, which is that of the Default profile.

    P2PCARDS_HOME puts every file under that one folder. Otherwise the XDG Base Directory rules hold (a relative path
    counts as unset): XDG_STATE_HOME, XDG_CONFIG_HOME, and for the socket XDG_RUNTIME_DIR when that is a folder of ours.
    A socket path over SOCKET_PATH_LIMIT moves to a folder in `short`.
    """
    if one := environ.get("P2PCARDS_HOME"):
        state = config = Path(one).absolute()
        runtime = state / "run"
    else:
        state = _xdg_folder(environ, "XDG_STATE_HOME", ".local/state") / "p2pcards"
        config = _xdg_folder(environ, "XDG_CONFIG_HOME", ".config") / "p2pcards"
        given = Path(environ.get("XDG_RUNTIME_DIR", ""))
        runtime = given / "p2pcards" if given.is_absolute() and _is_ours(given) else state / "run"
    return Home(state, config, _reachable(runtime / "control.sock", short))


def home_below(default: Home, folder: str, name: str) -> Home:
    """The home of another profile, in this folder below the Default profile's. name: of the profile."""
    socket = default.socket.with_name(f"{default.socket.stem}-{folder}.sock")
    state, config = default.state / PROFILES / folder, default.config / PROFILES / folder
    return Home(state, config, _reachable(socket, SHORT), name, default.settings)


def make_folders(home: Home) -> None:
    """Make the folders of a home, mode 0700. Raises StoreError for one that others may write, or a socket folder they
    could reach into."""
    for folder in (home.state, home.config, home.logs):
        refuse_read_only(folder)
        refuse_writable(folder, OPEN_TO_OTHERS)
    for one in (home.state, home.config) if home.fallback else ():
        for folder in list(one.parents)[:2]:
            refuse_writable(folder, OPEN_TO_OTHERS)
    private_folder(home.socket.parent)
    _refuse_shared(home.socket.parent)


def refuse_read_only(folder: Path) -> None:
    """Make a folder if it is missing. Raises StoreError if nothing can be written there."""
    private_folder(folder)
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise store_error(error, f"Can't write in the folder {folder}") from error


def _reachable(socket: Path, short: Path) -> Path:
    """The socket's path, or if that is too long one in a folder in `short` that stands for it."""
    if len(os.fsencode(socket)) <= SOCKET_PATH_LIMIT:
        return socket
    return short / f"p2pcards-{os.geteuid()}" / f"{sha256(os.fsencode(socket)).hexdigest()[:16]}.sock"


def _xdg_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """The folder that an XDG variable names, or the default below the user's home folder."""
    given = Path(environ.get(variable, ""))
    if given.is_absolute():
        return given
    if user := environ.get("HOME"):
        return Path(user).absolute() / default
    import pwd

    try:
        return Path(pwd.getpwuid(os.geteuid()).pw_dir) / default
    except KeyError:
        raise StoreError(
            "p2pcards has nowhere to keep its files: HOME isn't set.",
            "Set P2PCARDS_HOME to a folder of your own.",
        ) from None


def _is_ours(folder: Path) -> bool:
    """True if the folder exists and belongs to this user."""
    try:
        found = folder.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _refuse_shared(folder: Path) -> None:
    """Raise StoreError for a folder that somebody else may have put in a public place."""
    try:
        found = folder.lstat()
    except OSError as error:
        raise store_error(error, f"Can't access the folder {folder}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{folder} is a link, not a folder.", "Remove it and try again.")
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"The folder {folder} belongs to another user, who could spy on your daemon.",
            "Remove it, or set P2PCARDS_HOME to a short path of your own.",
        )
    if found.st_mode & 0o077:
        raise StoreError(f"Other users can access the folder {folder}.", f"Try: chmod 700 {folder}")
