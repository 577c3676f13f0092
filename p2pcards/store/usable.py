"""Settings that serve although something in their file is wrong."""

from __future__ import annotations

import copy
import tomllib
from typing import Any, NamedTuple

from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole
from p2pcards.store.home import Home
from p2pcards.store.settings import Settings
from p2pcards.store.settings_read import checked, load_settings, read_values

INSTEAD = "The default is used; 'p2pcards config edit' mends it."
MOST_FAULTS = 20
DEEPEST = 3
"""Steps to a setting: ``options.hearts.end_score``."""

Path = tuple[str, ...]


class Usable(NamedTuple):
    """settings: with the default of each that is wrong; faults: a sentence for each of these, with its line."""

    settings: Settings
    faults: tuple[str, ...] = ()


def usable_settings(home: Home) -> Usable:
    """The settings of this home; where their file cannot be read at all, the defaults. The file is left as it is."""
    try:
        return Usable(load_settings(home))
    except StoreError:
        pass
    try:
        values = read_values(home)
        text = (read_whole(home.settings) or b"").decode()
    except StoreError as unreadable:
        return Usable(Settings(), (f"{unreadable.with_advice} Until then the defaults are used.",))
    taken: dict[str, Any] = {}
    faults: list[str] = []
    for head in sorted(values, key=lambda head: head != "presets"):  # with which the options of a game go together
        taken, found = _with(taken, (head,), values[head], home, text)
        faults += found
    return Usable(checked(taken), tuple(faults[:MOST_FAULTS]))


def _with(taken: dict[str, Any], path: Path, value: object, home: Home, text: str) -> tuple[dict[str, Any], list[str]]:
    """What was taken so far and a value of the file, where it is right; of a table that is not, each value by itself.
    With them a sentence for each that is wrong."""
    tried = copy.deepcopy(taken)
    _put(tried, path, value)
    try:
        checked(tried, f"{home.settings}, line {_line(text, path)}: ")
    except StoreError as fault:
        if not (isinstance(value, dict) and value and len(path) < DEEPEST):
            return taken, [f"{fault.with_advice} {INSTEAD}"]
        faults: list[str] = []
        for key, inner in value.items():
            taken, found = _with(taken, (*path, key), inner, home, text)
            faults += found
        return taken, faults
    return tried, []


def _put(values: dict[str, Any], path: Path, value: object) -> None:
    for step in path[:-1]:
        values = values.setdefault(step, {})
    values[path[-1]] = value


def _line(text: str, path: Path) -> int:
    """The line on which the value of this setting ends: the first with which the file, read up to there, has it."""
    lines = text.splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        try:
            found: object = tomllib.loads("".join(lines[:number]))
        except ValueError:  # it ends in the middle of a value
            continue
        for step in path:
            found = found.get(step) if isinstance(found, dict) else None
        if found is not None:
            return number
    return len(lines)
