"""The dialling directory: whom to call by telephone, kept as TOML that a person can read and edit."""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.files import NAME_RULE, Home, StoreError, clean_name, locked, read_whole, write_whole

NUMBER_LIMIT = 64
"""Characters of a number as it is written down, decoration included."""

LINE_LIMIT = 80
"""Characters of each other text of an entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whom to call.

    `name` is unique without regard to case. `number` is as the player wrote it: printable ASCII, and whether it can be
    dialled is for the dialler to check. `last_call` says when, `ended` how it ended; empty before the first call.
    `rate` (bits a second), `init`, `prefix` and `grace` (seconds) go before what is set for the modem and the table;
    None where nothing is said, and a prefix of "" for none. Whether they make sense is for the dialler to check too.
    """

    name: str
    number: str
    note: str = ""
    last_call: str = ""
    ended: str = ""
    rate: int | None = None
    init: tuple[str, ...] = ()
    prefix: str | None = None
    grace: int | None = None


class DirectoryError(StoreError):
    """The file is in order, but what was asked for cannot be: no such name, or an entry that cannot stand there."""


_HEAD = "# The p2pcards phone book, one table per name. When p2pcards changes it, notes stay and comments are dropped."
_FIELDS = tuple(field.name for field in fields(Entry) if field.name != "name")
_LINES = {"note": "note", "last_call": "last call", "ended": "last call's end"}
_NUMBERS = ("rate", "grace")
_LIKE_A_NUMBER = re.compile(r"[-+*#,W!@ ()./0-9]*[0-9][-+*#,W!@ ()./0-9]*", re.IGNORECASE)


def load_directory(home: Home) -> tuple[Entry, ...]:
    """All entries by name. A file with an entry that cannot stand there is refused with its name, and left as it is."""
    data = read_whole(home.directory)
    if data is None:
        return ()
    try:
        tables = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"Can't read the phone book {home.directory}: {error}.",
            "Fix the line, or move the file aside to start with an empty one.",
        ) from None
    entries: tuple[Entry, ...] = ()
    try:
        for name, values in tables.items():
            entry = _entry_of(name, values)
            _check(entry, entries)
            entries += (entry,)
    except DirectoryError as error:
        raise StoreError(f"{home.directory}: {error}", error.advice or "Fix the entry.") from None
    return _sorted(entries)


def find_entry(home: Home, name: str) -> Entry:
    """The entry of this name. Raises DirectoryError with the nearest name as advice."""
    return _require_entry(load_directory(home), name)


def by_name(entries: tuple[Entry, ...], name: str) -> Entry | None:
    """The entry of this name, ignoring capitals; None if there is none."""
    return next((entry for entry in entries if entry.name.casefold() == name.casefold()), None)


def add_entry(home: Home, entry: Entry) -> None:
    """Add an entry. Raises DirectoryError when the name is taken or the entry is not valid."""
    with locked(home.directory):
        entries = load_directory(home)
        _check(entry, entries)
        _write_directory(home, (*entries, entry))


def change_entry(home: Home, name: str, /, **changes: Any) -> Entry:
    """Change these fields of the entry of this name; returns the new entry. Raises DirectoryError."""
    return _change_entry(home, name, lambda entry: replace(entry, **changes))


def remove_entry(home: Home, name: str) -> Entry:
    """Remove the entry of this name; returns it. Raises DirectoryError."""
    with locked(home.directory):
        entries = load_directory(home)
        found = _require_entry(entries, name)
        _write_directory(home, tuple(entry for entry in entries if entry is not found))
        return found


def forget_modems(home: Home) -> None:
    """Remove every entry's modem commands and prefix from the phone book; rates and numbers stay."""
    with locked(home.directory):
        entries = load_directory(home)
        plain = tuple([replace(entry, init=(), prefix=None) for entry in entries])
        if plain != entries:
            _write_directory(home, plain)


def note_call(home: Home, name: str, when: str, how: str) -> Entry:
    """Note when and how a call to this entry ended. when: such as 2026-11-20; how: maybe in a modem's words. Raises
    DirectoryError when the entry is gone."""
    return _change_entry(home, name, lambda entry: replace(entry, last_call=_as_line(when), ended=_as_line(how)))


def _change_entry(home: Home, name: str, change: Callable[[Entry], Entry]) -> Entry:
    """Replace the entry of this name by what `change` makes of it, under the file's lock. Raises DirectoryError."""
    with locked(home.directory):
        entries = load_directory(home)
        found = _require_entry(entries, name)
        others = tuple(entry for entry in entries if entry is not found)
        changed = change(found)
        _check(changed, others)
        _write_directory(home, (*others, changed))
        return changed


def _require_entry(entries: tuple[Entry, ...], name: str) -> Entry:
    """The entry of this name. Raises DirectoryError."""
    found = by_name(entries, name)
    if found is None:
        advice = did_you_mean(name, [entry.name for entry in entries], 0.5)
        raise DirectoryError(
            f"There's no '{clean_name(name)}' in the phone book.",
            advice or "See p2pcards directory list.",
        )
    return found


def _check(entry: Entry, others: tuple[Entry, ...]) -> None:
    """Raise DirectoryError unless the entry is valid beside these."""
    name = entry.name
    if clean_name(name) != name:
        raise DirectoryError(
            f"That name would be shown as '{clean_name(name)}'.",
            NAME_RULE,
        )
    if _LIKE_A_NUMBER.fullmatch(name):
        raise DirectoryError(f"'{name}' is a number, not a name.", "Choose a name that isn't a number.")
    if (same := by_name(others, name)) is not None:
        raise DirectoryError(
            f"'{same.name}' is already in the phone book.", "Choose another name, or change or remove that entry."
        )
    if not 1 <= len(entry.number) <= NUMBER_LIMIT:
        raise DirectoryError(f"The number for '{name}' must be 1 to {NUMBER_LIMIT} characters long.")
    for sign in entry.number:
        if not (sign.isascii() and sign.isprintable()):
            raise DirectoryError(f"The number for '{name}' can't contain {sign!r}.")
    lines = [(called, getattr(entry, key)) for key, called in _LINES.items()]
    lines += [("init", command) for command in entry.init] + [("prefix", entry.prefix or "")]
    for called, text in lines:
        if len(text) > LINE_LIMIT or not text.isprintable():
            raise DirectoryError(
                f"The {called} for '{name}' must be one line of at most {LINE_LIMIT} visible characters."
            )


def _entry_of(name: str, values: object) -> Entry:
    """The entry in a table of the file, whose texts are not checked yet. Raises DirectoryError."""
    shown = clean_name(name)
    if not isinstance(values, dict):
        raise DirectoryError(
            f"The entry '{shown}' isn't a table.", f'Write ["{shown}"] on one line and number = "..." on the next.'
        )
    for key, value in values.items():
        if key not in _FIELDS:
            raise DirectoryError(f"The entry '{shown}' can't have a field {key!r}.", did_you_mean(key, _FIELDS, 0.5))
        if key in _NUMBERS and type(value) is not int:
            raise DirectoryError(f"'{key}' in the entry '{shown}' must be a whole number.")
        if key == "init" and not (type(value) is list and all(type(one) is str for one in value)):
            raise DirectoryError(f"'init' in the entry '{shown}' must be a list of quoted strings.")
        if key not in (*_NUMBERS, "init") and type(value) is not str:
            raise DirectoryError(f"'{key}' in the entry '{shown}' must be a quoted string.")
    if "number" not in values:
        raise DirectoryError(f"The entry '{shown}' has no number.")
    return Entry(name, **(values | {"init": tuple(values.get("init", ()))}))


def _as_line(text: str) -> str:
    """Any text as one harmless line."""
    visible = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(visible.split())[:LINE_LIMIT]


def _sorted(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries sorted by name."""
    return tuple(sorted(entries, key=lambda entry: entry.name.casefold()))


def _write_directory(home: Home, entries: tuple[Entry, ...]) -> None:
    """Write the whole phone book file."""
    lines = [_HEAD]
    for entry in _sorted(entries):
        values = [(key, getattr(entry, key)) for key in _FIELDS]
        told = [(key, value) for key, value in values if value or (key == "prefix" and value is not None) or value == 0]
        lines += ["", f"[{_toml_value(entry.name)}]", *(f"{key} = {_toml_value(value)}" for key, value in told)]
    write_whole(home.directory, ("\n".join(lines) + "\n").encode())


def _toml_value(value: str | int | tuple[str, ...]) -> str:
    """A value as TOML: like JSON, since control characters are excluded."""
    return json.dumps(value, ensure_ascii=False)
