"""The profiles of one user: people who share a machine, each with a home of their own below that of the Default
profile. The folder of a profile never changes; its name stands in a file there, and whatever has no such file, or
begins with a dot, is no profile: so one step makes a profile, names it anew or ends it."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from p2pcards.store.files import (
    DEFAULT,
    NAME_LIMIT,
    OPEN_TO_OTHERS,
    PROFILES,
    Home,
    StoreError,
    clean_name,
    find_home,
    home_below,
    locked,
    private_folder,
    refuse_writable,
    store_error,
    sync_folder,
    write_whole,
)

VARIABLE = "P2PCARDS_PROFILE"
"""In the environment: the name of the profile that plays, whichever was switched to last."""

NAME_FILE = "name.txt"
LAST_FILE = "last-profile.txt"
"""In the state folder of the Default profile: the folder of the profile that was switched to last."""

NOT_REMOVED = "can't be removed: every other profile builds on its settings."
NOT_RENAMED = "can't be renamed. To change the name others see: p2pcards config set name NAME"
"""What is said where somebody wants that of the Default profile."""

NEAR = 0.4
"""How like a name what was typed must be, to have been meant: from 0, anything, to 1, the same."""

_LONGEST = 400
"""Bytes of these files; a name of NAME_LIMIT characters takes a quarter of it."""
_FOLDER = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_NEW, _GONE = ".new-", ".gone-"
"""How folders begin that are being made or removed; no daemon runs there."""


class ProfileError(StoreError):
    """The fault of a profile that somebody named, or with the name for one."""


class Profiles(NamedTuple):
    homes: tuple[Home, ...]  # the Default profile's, then the others sorted by name
    faults: tuple[str, ...] = ()  # a sentence for each folder that is not a valid profile


def list_profiles(default: Home) -> Profiles:
    """All profiles of this user. default: the home of the Default profile."""
    found: dict[str, Home] = {}
    faults: list[str] = []
    for folder in _folders(default):
        try:
            home = _home_in(default, folder)
        except StoreError as fault:
            faults.append(fault.with_advice)
            continue
        if (twin := found.setdefault(_fold_name(home.profile), home)) is not home:
            faults.append(
                f"{home.state} is a second profile called {home.profile!r}, like {twin.state}. "
                f"Put another name in its {NAME_FILE}, or move it aside."
            )
    return Profiles((default, *[found[name] for name in sorted(found)]), tuple(faults))


def homes_beside(home: Home) -> tuple[Home, ...]:
    """The homes of all profiles of this user, the given one first."""
    return (home, *[one for one in list_profiles(_default_of(home)).homes if one.state != home.state])


def find_profile(default: Home, name: str) -> Home:
    """The home of the profile of this name, ignoring capitals. Raises ProfileError."""
    homes = {_fold_name(home.profile): home for home in list_profiles(default).homes}
    if found := homes.get(_fold_name(name)):
        return found
    near = get_close_matches(_fold_name(name), homes, 1, NEAR)
    meant = f"Did you mean {homes[near[0]].profile!r}?" if near else "See p2pcards profiles."
    raise ProfileError(f"There's no profile {name!r}.", meant)


def chosen_home(environ: Mapping[str, str]) -> Home:
    """The home to use: that named by the environment, else that of the profile switched to last. Raises StoreError."""
    default = find_home(environ)
    if name := environ.get(VARIABLE):
        return find_profile(default, name)
    return _last_home(default)


def last_profile(default: Home) -> str:
    """The name of the profile switched to last. Raises StoreError."""
    return _last_home(default).profile


def _last_home(default: Home) -> Home:
    """The home of the profile switched to last, else the Default one."""
    folder = _read_line(default.state / LAST_FILE)
    if not folder:
        return default
    try:
        return _home_in(default, folder)
    except StoreError as fault:
        raise StoreError(f"Can't use your last profile: {fault}", "Switch: p2pcards profiles switch NAME") from None


def switch_beside(home: Home, name: str) -> str:
    """Switch to another profile of this user, from the home of any; returns its name. Raises ProfileError."""
    return switch_to(_default_of(home), name).profile


def switch_to(default: Home, name: str) -> Home:
    """Switch to the profile of this name, which is used from now on unless another is named; returns its home. Raises
    ProfileError."""
    with _lock_profiles(default):
        home = find_profile(default, name)
        _note_last(default, "" if home.fallback is None else home.state.name)
    return home


def add_profile(default: Home, name: str) -> Home:
    """Add a profile; returns its home. Raises ProfileError for a bad name or one like another's."""
    name = _check_name(name)
    with _lock_profiles(default):
        _refuse_taken(name, list_profiles(default).homes)
        home = home_below(default, _free_folder(default, name), name)
        new = home.state.with_name(_NEW + home.state.name)
        private_folder(new)
        write_whole(new / NAME_FILE, f"{name}\n".encode())
        _rename(new, home.state)
    return home


def rename_profile(default: Home, old: str, name: str) -> Home:
    """Rename a profile, whose daemon must not run. Raises ProfileError."""
    name = _check_name(name)
    with _lock_profiles(default):
        home = _home_named(default, old, NOT_RENAMED)
        _refuse_taken(name, [one for one in list_profiles(default).homes if one != home])
        write_whole(home.state / NAME_FILE, f"{name}\n".encode())
    return home_below(default, home.state.name, name)


def remove_profile(default: Home, name: str) -> None:
    """Delete a profile with all its files; its daemon must not run. Raises ProfileError."""
    with _lock_profiles(default):
        home = _home_named(default, name, NOT_REMOVED)
        if _read_line(default.state / LAST_FILE) == home.state.name:
            _note_last(default, "")
        _rename(home.state, home.state.with_name(_GONE + home.state.name))
        _clear_leftovers(default)


def refuse_default(home: Home, why: str) -> None:
    """Raise ProfileError for the Default profile. why: what can't be done with it."""
    if home.fallback is None:
        raise ProfileError(f"The {DEFAULT} profile {why}")


# --- folders --------------------------------------------------------------------------------------------------------


def _default_of(home: Home) -> Home:
    """The home of the same user's Default profile."""
    if home.fallback is None:
        return home
    return Home(home.state.parent.parent, home.config.parent.parent, home.socket)


def _folders(default: Home) -> list[str]:
    """The names of the folders in which profiles are or should be."""
    folder = default.state / PROFILES
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names of files may be no text
    except FileNotFoundError:
        return []
    except OSError as error:
        raise store_error(error, f"Can't read {folder}") from error
    refuse_writable(folder, OPEN_TO_OTHERS)
    return [name for name in names if not name.startswith(".")]


def _home_in(default: Home, folder: str) -> Home:
    """The home of the profile in this folder. Raises StoreError if there is none."""
    path = default.state / PROFILES / folder
    if not _FOLDER.fullmatch(folder):
        raise StoreError(f"{path} isn't a profile: p2pcards doesn't use names like that.", "Move it aside.")
    try:
        is_folder = stat.S_ISDIR(path.lstat().st_mode)
    except OSError as error:
        raise store_error(error, f"Can't access {path}") from error
    if not is_folder:
        raise StoreError(f"{path} isn't a profile: it isn't a folder.", "Move it aside.")
    refuse_writable(path, OPEN_TO_OTHERS)
    name = _read_line(path / NAME_FILE)
    if name is None:
        raise StoreError(
            f"{path} isn't a profile: it has no {NAME_FILE}.", "Put a name in that file, or move the folder aside."
        )
    if _fold_name(name) == _fold_name(DEFAULT) or clean_name(name) != name:
        raise StoreError(f"{path / NAME_FILE} has no profile name.", "Put another name in that file.")
    return home_below(default, folder, name)


def _note_last(default: Home, folder: str) -> None:
    """Note the folder of the profile that was switched to last, "" for the Default profile."""
    write_whole(default.state / LAST_FILE, f"{folder}\n".encode())


def _free_folder(default: Home, name: str) -> str:
    """A folder name for a new profile in which nothing was ever kept."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    stem = re.sub("[^a-z0-9]+", "-", plain)[:NAME_LIMIT].strip("-") or "profile"
    number = 1
    while any(_is_there(path) for path in _places(default, f"{stem}-{number}")):
        number += 1
    return f"{stem}-{number}"


def _places(default: Home, folder: str) -> tuple[Path, ...]:
    """All paths at which files of the profile in this folder may be."""
    state, config = default.state / PROFILES, default.config / PROFILES
    return (state / folder, state / f"{_GONE}{folder}", config / folder)


def _is_there(path: Path) -> bool:
    """True if the path exists, also as a broken link."""
    return os.path.lexists(path)


@contextmanager
def _lock_profiles(default: Home) -> Iterator[None]:
    """Hold the lock under which one process at a time changes the profiles; leftovers of a killed process are cleared
    first."""
    private_folder(default.state / PROFILES)
    refuse_writable(default.state, OPEN_TO_OTHERS)
    with locked(default.state / PROFILES):
        with suppress(StoreError):
            _clear_leftovers(default)
        yield


def _clear_leftovers(default: Home) -> None:
    """Delete what was being made or removed when another process was killed. Of a removed profile the settings go
    first, as its other folder tells that they go too."""
    for path in sorted((default.state / PROFILES).iterdir()):
        folder = path.name.removeprefix(_GONE)
        if path.name.startswith(_GONE) and _FOLDER.fullmatch(folder) and not _is_there(path.with_name(folder)):
            _clear(default.config / PROFILES / folder)
        if path.name.startswith((_NEW, _GONE)):
            _clear(path)


def _clear(path: Path) -> None:
    """Delete a folder with its contents; of a link, just the link."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise store_error(error, f"Can't remove {path}") from error


def _rename(old: Path, new: Path) -> None:
    """Rename a path and sync. Raises StoreError."""
    try:
        old.rename(new)
        sync_folder(new.parent)
    except OSError as error:
        raise store_error(error, f"Can't rename {old}") from error


def _read_line(path: Path) -> str | None:
    """The one line in this file, None if there is no file. Raises StoreError for anything but a short line in a private
    file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StoreError(f"{path} is a link, which p2pcards doesn't follow.", "Remove it.") from None
        raise store_error(error, f"Can't read {path}") from error
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise StoreError(f"{path} isn't a file.", "Move it aside.")
        return os.read(fd, _LONGEST).decode().removesuffix("\n")
    except ValueError:
        raise StoreError(f"{path} isn't text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise store_error(error, f"Can't read {path}") from error
    finally:
        os.close(fd)


# --- names ----------------------------------------------------------------------------------------------------------


def _home_named(default: Home, name: str, why: str) -> Home:
    """The home of the profile of this name, not the Default one. why: as in `refuse_default`. Raises ProfileError."""
    home = find_profile(default, name)
    refuse_default(home, why)
    return home


def _check_name(name: str) -> str:
    """The name as it is kept. Raises ProfileError unless others will see it as it is."""
    from p2pcards.wire.names import given_name

    name = unicodedata.normalize("NFC", name.strip(" "))
    if clean_name(name) == name == given_name(name):
        return name
    raise ProfileError(
        f"A profile's name must be one line of at most {NAME_LIMIT} visible characters, with no brackets or "
        "check marks, and can't start with a dash.",
        "Choose another one.",
    )


def _refuse_taken(name: str, homes: Iterable[Home]) -> None:
    """Raise ProfileError if one of these homes has this name or one like it."""
    from p2pcards.wire.names import look

    for other in [home.profile for home in homes]:
        if _fold_name(other) == _fold_name(name):
            raise ProfileError(
                f"There's already a profile {other!r}.",
                f"To play as {other}: p2pcards profiles switch {shlex.quote(other)}",
            )
        if look(other) == look(name):
            raise ProfileError(f"{name!r} looks too much like the profile {other!r}.", "Choose a more distinct name.")


def _fold_name(name: str) -> str:
    """A form of the name that ignores capitals and how characters are encoded."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
