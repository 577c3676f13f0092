"""The names that a player has given to games, and the unfinished ones that they have thrown away: a file beside the
logs, which know of neither. A game that is played on is not thrown away any more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from p2pcards.store.files import Home, StoreError, locked, read_whole, write_whole
from p2pcards.wire.clean import clean

LONGEST = 24
"""Characters of a name."""
_LIKE_A_LOG = re.compile(r"\d{4}-\d\d-\d\d")
_MEANT_OTHERWISE = ("yes", "no", "all")

Stamp = tuple[int, int]
"""Bytes of a log, and the time of its last change in nanoseconds: as long as both stay, so does what stands in it."""


class BadName(ValueError):
    """Why a game cannot be called so, as a sentence."""


@dataclass(frozen=True, slots=True)
class SaveNames:
    names: Mapping[str, str] = field(default_factory=dict)  # of games, by the stem of the log
    # by the stem of the log, its stamp when it was thrown away
    thrown: Mapping[str, Stamp] = field(default_factory=dict)

    def called(self, name: str) -> str:
        """The log of the game with this name, ignoring capitals; "" for none."""
        said = clean(name).casefold()
        return next((log for log, one in self.names.items() if one.casefold() == said), "")

    def is_thrown(self, log: str, stamp: Stamp) -> bool:
        """True if this log was thrown away and has not changed since."""
        return self.thrown.get(log) == stamp


def checked_name(text: str) -> str:
    """The name as it is kept. Raises BadName."""
    name = clean(text)
    if not name or name != " ".join(text.split()) or len(name) > LONGEST:
        raise BadName(f"A game's name can have at most {LONGEST} visible characters. Try something like friday.")
    if name[0] in "-./" or "/" in name or name.isdecimal() or _LIKE_A_LOG.match(name):
        raise BadName("A game's name can't look like a number, a date, an option or a file. Try something like friday.")
    if name.split()[-1].casefold() in _MEANT_OTHERWISE:
        raise BadName("A game's name can't end in yes, no or all. Try something like friday.")
    return name


def load_names(home: Home) -> SaveNames:
    """The names and thrown-away games; none if the file is damaged."""
    try:
        data = json.loads(read_whole(home.save_names) or b"{}")
        names = {str(log): checked_name(name) for log, name in data.get("names", {}).items()}
        thrown = {str(log): _stamp(stamp) for log, stamp in data.get("thrown", {}).items()}
    except (StoreError, ValueError, TypeError, AttributeError, RecursionError):
        return SaveNames()
    return SaveNames(names, thrown)


def give_name(home: Home, log: str, name: str) -> None:
    """Name the game of this log, and no other, so; "" removes its name. Raises StoreError and BadName."""
    name = checked_name(name) if name else ""
    with _change_names(home) as (names, _thrown):
        for other in [other for other, one in names.items() if one.casefold() == name.casefold()]:
            del names[other]
        names.pop(log, None)
        if name:
            names[log] = name


def throw_away(home: Home, log: str, stamp: Stamp) -> None:
    """Stop offering a game to go on with, and free its name. Raises StoreError."""
    with _change_names(home) as (names, thrown):
        names.pop(log, None)
        thrown[log] = stamp


def take_back(home: Home, log: str) -> bool:
    """Offer a thrown-away game again; False if it was not thrown away. Raises StoreError."""
    with _change_names(home) as (_names, thrown):
        return thrown.pop(log, None) is not None


# --- private ----------------------------------------------------------------------------------------------------------


@contextmanager
def _change_names(home: Home) -> Iterator[tuple[dict[str, str], dict[str, Stamp]]]:
    """Read names and thrown-away games under a lock; what the caller made of them is written at the end, without logs
    that are gone. Raises StoreError."""
    with locked(home.save_names):
        now = load_names(home)
        names, thrown = dict(now.names), dict(now.thrown)
        yield names, thrown
        there = {path.stem for path in home.logs.iterdir()} if home.logs.is_dir() else set()
        data = {
            "names": {log: name for log, name in names.items() if log in there},
            "thrown": {log: stamp for log, stamp in thrown.items() if log in there},
        }
        write_whole(home.save_names, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


def _stamp(found: Any) -> Stamp:
    """A stamp from its JSON form. Raises ValueError and TypeError."""
    size, changed = found
    if not (type(size) is type(changed) is int):
        raise TypeError("not the stamp of a log")
    return size, changed
