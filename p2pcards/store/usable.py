"""Settings that serve although something in their file is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple, cast

from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole
from p2pcards.store.home import Home
from p2pcards.store.settings import Settings
from p2pcards.store.settings_read import checked, load_settings, of_profile, over, read_values, shared

INSTEAD = "The default is used; 'p2pcards config edit' mends it."
MOST_FAULTS = 20
DEEPEST = 3
"""Steps to a setting: ``options.hearts.end_score``."""

Steps = tuple[str, ...]
Values = dict[str, Any]


class Usable(NamedTuple):
    """settings: with the default of each that is wrong; faults: a sentence for each of these, with its line."""

    settings: Settings
    faults: tuple[str, ...] = ()


def usable_settings(home: Home) -> Usable:
    """The settings of this home; where a file cannot be read at all, without what it says. The files are left as they
    are."""
    try:
        return Usable(load_settings(home))
    except StoreError:
        pass
    below, told = _right(home.fallback, {}) if home.fallback else ({}, [])
    values, faults = _right(home.settings, shared(below))
    return Usable(of_profile(home, checked(values)), (*told, *faults)[:MOST_FAULTS])


def _right(path: Path, below: Values) -> tuple[Values, list[str]]:
    """The values in this file that are right, over those below, and a sentence for each that is wrong."""
    try:
        values = read_values(path)
        text = (read_whole(path) or b"").decode("utf-8-sig")
    except StoreError as unreadable:
        return below, [f"{unreadable.with_advice} Until then the defaults are used."]
    taken, faults = below, []
    for head in sorted(values, key=lambda head: head != "presets"):  # with which the options of a game go together
        taken, found = _with(taken, (head,), values[head], path, text)
        faults += found
    return taken, faults


def _with(taken: Values, steps: Steps, value: object, path: Path, text: str) -> tuple[Values, list[str]]:
    """What was taken so far and a value of the file, where it is right; of a table that is not, each value by itself.
    With them a sentence for each that is wrong."""
    tried = over(taken, _nested(steps, value))
    try:
        checked(tried, f"{path}, line {_line(text, steps)}: ")
    except StoreError as fault:
        if not (isinstance(value, dict) and value and len(steps) < DEEPEST):
            return taken, [f"{fault.with_advice} {INSTEAD}"]
        faults: list[str] = []
        for key, inner in value.items():
            taken, found = _with(taken, (*steps, key), inner, path, text)
            faults += found
        return taken, faults
    return tried, []


def _nested(steps: Steps, value: object) -> Values:
    """The values of a file that has this one alone."""
    for step in reversed(steps):
        value = {step: value}
    return cast(Values, value)


def _line(text: str, steps: Steps) -> int:
    """The line on which the value of this setting ends: the first with which the file, read up to there, has it."""
    lines = text.splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        try:
            found: object = tomllib.loads("".join(lines[:number]))
        except ValueError:  # it ends in the middle of a value
            continue
        for step in steps:
            found = found.get(step) if isinstance(found, dict) else None
        if found is not None:
            return number
    return len(lines)
