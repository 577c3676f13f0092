"""A whole home in a file of its own, to be carried elsewhere, such as from a browser to a terminal and back: the key,
the people, the settings and the games. The format is protocol/log.md.

Such a file may come from anybody. It is read whole, and laid out in a folder that nobody uses, before anything is done
with it; nothing else than the files of a home is in it, and its settings run no command and say nothing to a modem.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from p2pcards.ledger.payloads import read_beginning
from p2pcards.results.keeping import add_facts, load_facts
from p2pcards.results.reading import UnwantedSave, log_of, take_save
from p2pcards.store.directory import forget_modems
from p2pcards.store.files import (
    Home,
    StoreError,
    clean_name,
    make_folders,
    read_whole,
    sync_disk,
    write_new,
    write_whole,
)
from p2pcards.store.guarded import guarded, one_of_many
from p2pcards.store.identity import add_peers, load_or_make_identity, load_or_make_key, load_peers, take_identity
from p2pcards.store.logs import (
    CARRIED_AGAIN,
    UNFINISHED,
    BadSave,
    LogContents,
    LogEntry,
    check_first_line,
    faulty_save,
    indexed_logs,
    is_log_name,
    list_logs,
    read_log,
)
from p2pcards.store.save_names import give_name, load_names, throw_away
from p2pcards.store.settings import OWN_BACKS, usable_settings, without_commands
from p2pcards.wire.clean import clean
from p2pcards.wire.keys import fingerprint, public_bytes
from p2pcards.wire.packing import Refused, array, blob_up_to, pack, row, text, uint, unpack

# --- the file ---------------------------------------------------------------------------------------------------------


HOME_MAGIC = b"p2pcards home 1\n"
HOME_SUFFIX = ".p2phome"
LOGS = "logs/"
LARGEST_HOME = 1 << 26
"""Bytes of the file: thousands of games, and what a telephone has room for."""
MOST_FILES = 20_000

_DIGEST = 32
_LONGEST_NAME = 200
"""Characters of the name of a file; that of a log takes the half of it."""


@dataclass(frozen=True, slots=True)
class CarriedFile:
    name: str
    changed: int  # nanoseconds of Unix time
    data: bytes


def home_bytes(home: Home) -> bytes:
    """The file that holds this home. Raises StoreError where there is no key yet, or more than fits."""
    if not home.identity.exists():
        raise StoreError("There's nothing to back up yet.", "Play a game first.")
    files = [
        file for name, path in _paths_by_name(home).items() if (file := _read_carried_file(name, path)) is not None
    ]
    whole = HOME_MAGIC + pack([[one.name, one.changed, one.data] for one in sorted(files, key=lambda one: one.name)])
    if len(files) > MOST_FILES or len(whole) + _DIGEST > LARGEST_HOME:
        raise StoreError(
            f"You have {len(files)} files ({len(whole) >> 20} MB), too many to back up.",
            "'p2pcards logs prune --keep N' deletes the logs of older games.",
        )
    return whole + sha256(whole).digest()


def write_home(path: Path, home: Home) -> None:
    """A new file, for its owner only. Raises StoreError, also when there is one already."""
    write_new(path, home_bytes(home))


def is_home(data: bytes) -> bool:
    """True if these bytes say that they are the backup of a home, of any version."""
    return data.startswith(HOME_MAGIC.partition(b"1")[0])


@guarded(faulty_save)
def files_in(data: bytes) -> tuple[CarriedFile, ...]:
    """The files in a backup. Raises BadSave and LaterSave."""
    if len(data) > LARGEST_HOME:
        raise BadSave(f"This backup is too big: it has more than {LARGEST_HOME >> 20} MB.", CARRIED_AGAIN)
    check_first_line(data, "home", HOME_MAGIC)
    whole, digest = data[:-_DIGEST], data[-_DIGEST:]
    if len(whole) < len(HOME_MAGIC) or not hmac.compare_digest(sha256(whole).digest(), digest):
        raise BadSave("This backup is damaged or cut short: its digest doesn't match.", CARRIED_AGAIN)
    try:
        files = _FILES(unpack(whole[len(HOME_MAGIC) :]))
    except Refused as refused:
        raise BadSave(f"This backup is damaged: {refused}", CARRIED_AGAIN) from None
    if len({one.name for one in files}) < len(files):
        raise BadSave("This backup has the same file twice.", CARRIED_AGAIN)
    return files


_FILES = array(row(CarriedFile, text(_LONGEST_NAME), uint(2**63 - 1), blob_up_to(LARGEST_HOME)), MOST_FILES)


def _read_carried_file(name: str, path: Path) -> CarriedFile | None:
    """A file of the home with this name, None if it does not exist."""
    data = read_whole(path)
    return None if data is None else CarriedFile(name, path.stat().st_mtime_ns, data)


def _paths_by_name(home: Home) -> dict[str, Path]:
    """The paths of all files of a home, logs included, by their names in a backup."""
    logs = {f"{LOGS}{log.name}": log.path for log in list_logs(home)}
    return _single_places(home) | logs


def _single_places(home: Home) -> dict[str, Path]:
    """The paths of a home's files that are no logs, by their names in a backup."""
    single = (home.identity, home.peers, home.settings, home.directory, home.facts, home.save_names)
    boards = (home.scoreboard, home.scoreboard_draft)
    backs = {f"backs/{back}.txt": home.config / "backs" / f"{back}.txt" for back in OWN_BACKS}
    return {path.name: path for path in (*single, *boards)} | backs


def _path_for(home: Home, name: str) -> Path | None:
    """The path for a file of a backup; None for a name that no file of a home has, so that none lands elsewhere."""
    if name.startswith(LOGS) and is_log_name(name.removeprefix(LOGS)):
        return home.logs / name.removeprefix(LOGS)
    return _single_places(home).get(name)


# --- unpacking it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A carried home, unpacked into a folder."""

    home: Home
    left_out: bool  # commands for a machine or a modem were left out


@guarded(faulty_save, OSError)
def unpack_home(data: bytes, folder: Path) -> Unpacked:
    """The home that is in such a file, in this folder, which is new or empty; every file of it can be read. Raises
    BadSave, LaterSave and StoreError."""
    home = Home(folder, folder, folder / "run" / "control.sock")
    files = files_in(data)
    for one in files:
        place = _path_for(home, one.name)
        if place is None:
            raise BadSave(f"This backup has a file '{clean(one.name, 40)}', which doesn't belong there.", CARRIED_AGAIN)
        _write_file(place, _without_commands(one.data) if place == home.settings else one.data, one.changed)
    if not home.identity.exists():
        raise BadSave("This backup has no key.", CARRIED_AGAIN)
    try:
        load_or_make_identity(home)
        load_peers(home), load_facts(home)
        forget_modems(home)
        _throw_away_again(home, {one.name: one.changed for one in files})
    except StoreError as error:
        told = str(error).replace(f"{folder}/", "")
        raise BadSave(f"This backup is damaged. {told}", CARRIED_AGAIN) from None
    carried = {one.name: one.data for one in files}
    left_out = any(
        place.name in carried and place.read_bytes() != carried[place.name] for place in _files_with_commands(home)
    )
    return Unpacked(home, left_out)


def _files_with_commands(home: Home) -> tuple[Path, ...]:
    """The files of a home that can hold commands to run."""
    return home.settings, home.directory


def _without_commands(data: bytes) -> bytes:
    """A settings file without the commands in it. Raises BadSave for one that cannot be read."""
    try:
        return without_commands(data.decode()).encode()
    except (StoreError, ValueError) as error:
        told = error if isinstance(error, StoreError) else "The settings in it aren't text."
        raise BadSave(f"Can't import this backup. {told}", "Fix them at the source: p2pcards config edit") from None


def _write_file(path: Path, data: bytes, changed: int) -> None:
    """Write one file with this modification time; `sync_disk` follows after all."""
    write_whole(path, data, sync=False)
    os.utime(path, ns=(changed, changed))


def _throw_away_again(home: Home, changed: Mapping[str, int]) -> None:
    """Mark the games that were thrown away in the backup as such here, where file times may be coarser. changed: the
    times of their logs there."""
    thrown = load_names(home).thrown
    for log in list_logs(home):
        if thrown.get(log.stem) == (log.size, changed[f"{LOGS}{log.name}"]):
            throw_away(home, log.stem, log.stamp)


# --- taking it --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Added:
    """What a carried home added to this one."""

    games: int  # number of new games
    longer: int  # number of games that were continued
    friends: int  # number of new friends
    stay: tuple[str, ...]  # a sentence for each game that differs but was left as it is here

    @property
    def sentence(self) -> str:
        """A sentence for the player about what was added."""
        counts = ((self.games, "game"), (self.friends, "friend"))
        new = [_count_text(count, f"new {thing}") for count, thing in counts if count]
        longer = [f"{_count_text(self.longer, 'game')} with more moves"] if self.longer else []
        told = ", ".join([*new, *longer]) or "nothing new"
        return f"The file has {told}."


def add_home(home: Home, other: Home) -> Added:
    """Merge another home with the same key into this one, or all of it if this has no key yet. What is here is changed
    only by what continues it. Raises UnwantedSave for another key, nothing changed."""
    identity = load_or_make_identity(other)
    key = public_bytes(identity)
    if home.identity.exists() and load_or_make_key(home) != key:
        raise UnwantedSave(
            f"You play as someone else here: {describe_home(home)}. The file has {describe_home(other)}.",
            "Give it a profile of its own: 'p2pcards profiles add NAME', then run this again with --profile NAME.",
        )
    make_folders(home)
    names = _single_places(home)
    for name, path in _single_places(other).items():
        if path not in (other.identity, other.peers, other.save_names) and not names[name].exists() and path.exists():
            write_whole(names[name], path.read_bytes())
    kept = load_facts(home)
    add_facts(home, [fact for fact in load_facts(other) if fact not in kept])
    friends = add_peers(home, load_peers(other))
    added = [_add_log(home, other, key, log) for log in list_logs(other)]
    sync_disk()
    take_identity(home, identity)
    stay = tuple([one for one in added if one not in (NEW, LONGER, SAME)])
    return Added(added.count(NEW), added.count(LONGER), friends, stay)


NEW, LONGER, SAME = "new", "longer", "same"
STAY_TOLD = 10
"""Sentences of `Added.stay` that are told, at the most."""


def _add_log(home: Home, other: Home, key: bytes, log: LogEntry) -> str:
    """Add one log of the other home; returns what became of it as one of the words below, or a sentence that says why
    ours stays."""
    here, data = home.logs / log.name, log.path.read_bytes()
    if read_whole(here) == data:
        return SAME
    contents, game_id = _read(log)
    if contents and (log_of(home, game_id) or here.exists()):
        try:
            take_save(home, key, contents, log.name[:10])
        except (BadSave, UnwantedSave) as error:
            return f"{log.stem}: {error}"
        return LONGER
    if here.exists():
        return f"{log.stem}: The log in the file is damaged."
    _write_file(here, data, log.changed)
    names = load_names(other)
    if (name := names.names.get(log.stem)) and not load_names(home).called(name):
        give_name(home, log.stem, name)
    if names.is_thrown(log.stem, log.stamp):
        throw_away(home, log.stem, log.stamp)
    return NEW


@one_of_many((None, b""))
def _read(log: LogEntry) -> tuple[LogContents, bytes]:
    """A log and the id of its game; (None, b"") for a log that nobody can go on with."""
    contents = read_log(log.path)
    return contents, read_beginning(contents.payloads).position.game_id


# --- in words ---------------------------------------------------------------------------------------------------------


def has_something(home: Home) -> bool:
    """True if the home has a game, or a friend who knows its key."""
    return bool(list_logs(home) or load_peers(home))


def describe_home(home: Home) -> str:
    """Whose home it is and what is in it: "Ann (the key abcd-efgh-ijkl-mnop), with 3 games (1 unfinished) and 2
    friends"."""
    name = usable_settings(home).settings.name
    key = fingerprint(load_or_make_key(home))
    logs, names = indexed_logs(home), load_names(home)
    goes_on = [log for log, facts in logs if facts.state == UNFINISHED and not names.is_thrown(log.stem, log.stamp)]
    games = f"{_count_text(len(logs), 'game')}{f' ({len(goes_on)} unfinished)' if goes_on else ''}"
    who = f"{clean_name(name) if name else 'someone without a name'} (the key {key})"
    return f"{who}, with {games} and {_count_text(len(load_peers(home)), 'friend')}"


def _count_text(count: int, thing: str) -> str:
    """A number with its noun, such as "3 games", "1 game" or "no games"."""
    return f"{count or 'no'} {thing}{'' if count == 1 else 's'}"
