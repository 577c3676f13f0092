"""Where the files of one daemon are."""

import os
import pwd
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from p2pcards.store.errors import StoreError, told
from p2pcards.store.files import private_folder, refuse_writable

SOCKET_PATH_LIMIT = 100
"""Bytes. The system's own limit is 107 (Linux) or 103 (macOS)."""

DEFAULT = "Default"
"""The name of the profile whose home is the one that the environment names."""

PROFILES = "profiles"
"""The folder, below those of the Default profile, in which the homes of all others are."""

SHORT = Path("/tmp")
"""Where sockets are whose path would be too long."""

OPEN_TO_OTHERS = "who could read your cards there, or play in your name"


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
        return self.state / "identity.pem"

    @property
    def peers(self) -> Path:
        return self.state / "peers.json"

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def directory(self) -> Path:
        """The dialling directory."""
        return self.config / "directory.toml"

    def back(self, name: str) -> Path:
        """The file of a card back that the player has drawn; where there is none, that of the Default profile."""
        drawn = self.config / "backs" / f"{name}.txt"
        shared = self.fallback.parent / "backs" / drawn.name if self.fallback else drawn
        return shared if shared.exists() and not drawn.exists() else drawn

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def results(self) -> Path:
        """The results of all games that came to an end, made from the logs and the facts."""
        return self.state / "records.sqlite"

    @property
    def facts(self) -> Path:
        """What is to be known of results and stands in no log."""
        return self.state / "records.facts"

    @property
    def scoreboard(self) -> Path:
        """That of two-handed pinochle, as it was saved last. Whoever has none has no such file."""
        return self.state / "scoreboard.txt"

    @property
    def scoreboard_draft(self) -> Path:
        """The same after a reset that is not saved yet."""
        return self.state / "scoreboard.new"

    @property
    def lock(self) -> Path:
        """The process that holds a lock on this file is the daemon of this home."""
        return self.state / "daemon.lock"

    @property
    def diagnostics(self) -> Path:
        """What the daemon writes about itself for whoever looks for a fault; no keys, hands or chat."""
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
        state = _xdg(environ, "XDG_STATE_HOME", ".local/state") / "p2pcards"
        config = _xdg(environ, "XDG_CONFIG_HOME", ".config") / "p2pcards"
        given = Path(environ.get("XDG_RUNTIME_DIR", ""))
        runtime = given / "p2pcards" if given.is_absolute() and _is_ours(given) else state / "run"
    return Home(state, config, _reachable(runtime / "control.sock", short))


def home_below(default: Home, folder: str, name: str, short: Path = SHORT) -> Home:
    """The home in this folder below that of the Default profile, for the profile of this name."""
    socket = default.socket.with_name(f"{default.socket.stem}-{folder}.sock")
    state, config = default.state / PROFILES / folder, default.config / PROFILES / folder
    return Home(state, config, _reachable(socket, short), name, default.settings)


def make_folders(home: Home) -> None:
    """Make the folders of `home`, mode 0700, and refuse those that others may write, and a socket folder that they
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
    """Refuse a folder in which nothing can be written; it is made where it is missing."""
    private_folder(folder)
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise told(error, f"Cannot write in the folder {folder}") from error


def _reachable(socket: Path, short: Path) -> Path:
    """The path of a socket, or where it is too long one in a folder in `short` that stands for it."""
    if len(os.fsencode(socket)) <= SOCKET_PATH_LIMIT:
        return socket
    return short / f"p2pcards-{os.geteuid()}" / f"{sha256(os.fsencode(socket)).hexdigest()[:16]}.sock"


def _xdg(environ: Mapping[str, str], variable: str, default: str) -> Path:
    given = Path(environ.get(variable, ""))
    if given.is_absolute():
        return given
    if user := environ.get("HOME"):
        return Path(user).absolute() / default
    try:
        return Path(pwd.getpwuid(os.geteuid()).pw_dir) / default
    except KeyError:
        raise StoreError(
            "There is no place for p2pcards to keep its files: HOME is not set.",
            "Set P2PCARDS_HOME to a folder of your own.",
        ) from None


def _is_ours(folder: Path) -> bool:
    try:
        found = folder.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _refuse_shared(folder: Path) -> None:
    """A folder in a place where everybody may write could have been put there by somebody else."""
    try:
        found = folder.lstat()
    except OSError as error:
        raise told(error, f"Cannot look at the folder {folder}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{folder} is not a folder of its own but a link.", "Remove it and try again.")
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"The folder {folder} belongs to another user, who could listen to your daemon.",
            "Remove it, or set P2PCARDS_HOME to a short path of your own.",
        )
    if found.st_mode & 0o077:
        raise StoreError(f"Other users can reach into the folder {folder}.", f"Try: chmod 700 {folder}")
