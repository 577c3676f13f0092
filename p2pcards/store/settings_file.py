"""Changing one setting, and leaving everything else in the file as its owner wrote it."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.errors import StoreError
from p2pcards.store.files import locked, write_whole
from p2pcards.store.home import DEFAULT, Home
from p2pcards.store.settings import (
    Declared,
    Settings,
    Value,
    declared_settings,
    inherited_values,
    load_settings,
    over,
    read_values,
    settings_with,
)
from p2pcards.views.table_events import TABLE_EVENTS

Change = Callable[[MutableMapping[str, Any]], None]


HERE, NAMED, FACTORY = "settings.toml", "profile", "program"
"""Where a value is from, beside the DEFAULT profile: the file of this home, the profile's name, the program."""


class SettingError(StoreError):
    """What is wrong with a setting that somebody named, or with the value for it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that was named. path: of its table and of itself in the file."""

    declared: Declared
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Stated:
    """A setting with its value. source: where that is from, one of HERE, DEFAULT, NAMED and FACTORY."""

    found: Setting
    value: Value
    source: str

    @property
    def written(self) -> bool:
        """It stands in the file of this home."""
        return self.source == HERE


def find_setting(name: str) -> Setting:
    """The setting of this name. What a device is called may hold dots. Raises SettingError."""
    words = name.split(".")
    if words[0] == "options" and len(words) == 3:
        return _rule_setting(words[1], words[2])
    for declared in declared_settings():
        head, *rest = declared.name.split(".")
        if not rest:
            path: tuple[str, ...] = (name,)
        elif rest in (["GAME"], ["PART"]):
            path = (words[0], ".".join(words[1:]))
        elif head == "options":
            continue
        else:
            path = (words[0], ".".join(words[1:-1]), words[-1])
        if path[0] == head and path[2:] == tuple(rest[1:]) and all(path):
            if head == "events" and path[1] not in TABLE_EVENTS:
                raise SettingError(f"There is no event {path[1]!r}.", _near(path[1], TABLE_EVENTS))
            return Setting(declared, path)
    raise SettingError(f"There is no setting {name!r}.", _near(name, _names()))


def list_settings(home: Home) -> list[Stated]:
    """Every setting with its value; of presets and devices those that are set. Raises StoreError."""
    settings = load_settings(home)
    state = _stating(home, settings)
    return [state(found) for found in _all(settings)]


def state_setting(home: Home, found: Setting) -> Stated:
    """The same of one setting, whose default counts where it is not set."""
    return _stating(home, load_settings(home))(found)


def read_value(found: Setting, words: Sequence[str]) -> Value:
    """A value as a person types it. Raises SettingError."""
    default = found.declared.default
    if isinstance(default, tuple):
        return tuple(words)
    if len(words) != 1:
        raise _wrong(found, f"one value, not {len(words)}")
    word = words[0]
    if isinstance(default, bool):
        if word.lower() not in _TRUTH:
            raise _wrong(found, f"{found.declared.takes}, not {word!r}")
        return _TRUTH[word.lower()]
    if isinstance(default, int):
        if not (word.isascii() and word.removeprefix("-").isdecimal() and len(word) < 10):
            raise _wrong(found, f"{found.declared.takes}, not {word!r}")
        return int(word)
    return word


def set_setting(home: Home, found: Setting, value: Value) -> Settings:
    """Set this one, and return all. Raises SettingError for a value that it does not take."""

    def change(table: MutableMapping[str, Any]) -> None:
        for step in found.path[:-1]:
            table = table.setdefault(step, {})
        table[found.path[-1]] = list(value) if isinstance(value, tuple) else value

    return _change(home, found, change)


def set_rules(home: Home, game: str, preset: str, values: Mapping[str, Value]) -> None:
    """Set the preset of a game, "" for the one that is set, and these options and no others. Raises StoreError."""

    def change(table: MutableMapping[str, Any]) -> None:
        if preset:
            table.setdefault("presets", {})[game] = preset
        if not values and game not in table.get("options", {}):
            return
        rules = table.setdefault("options", {}).setdefault(game, {})
        for key in [key for key in rules if key not in values]:
            del rules[key]
        rules.update(values)

    _change(home, find_setting(f"presets.{game}"), change)


def clear_setting(home: Home, found: Setting) -> None:
    """Take it out of the file, so that the default counts."""
    if not state_setting(home, found).written:
        return

    def change(table: MutableMapping[str, Any]) -> None:
        for step in found.path[:-1]:
            table = table.get(step, {})
        table.pop(found.path[-1], None)

    _change(home, found, change)


def make_file(home: Home) -> None:
    """A file that sets nothing and explains everything, where there is none."""
    with locked(home.settings):
        if not home.settings.exists():
            write_whole(home.settings, _blank().encode())


_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _change(home: Home, found: Setting, change: Change) -> Settings:
    with locked(home.settings):
        load_settings(home)
        text = home.settings.read_text(encoding="utf-8-sig") if home.settings.exists() else _blank()
        values = tomllib.loads(text)
        change(values)
        try:
            settings = settings_with(home, values)
        except StoreError as fault:
            raise SettingError(str(fault), _example(found)) from None
        changed = _rewritten(text, change)
        if not _is(changed, values):
            raise StoreError(
                f"The settings {home.settings} are written in a way that this command cannot change.",
                "Change the line yourself: p2pcards config edit",
            )
        write_whole(home.settings, changed.encode())
        return settings


def _rewritten(text: str, change: Change) -> str:
    """The text with this change, as it was otherwise; "" where that goes wrong, as with some dotted keys."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        change(document)
        return document.as_string()
    except TOMLKitError:
        return ""


def _is(text: str, values: Mapping[str, Any]) -> bool:
    """Whether that is what the text says: nothing is written that is not meant."""
    try:
        return tomllib.loads(text) == values
    except ValueError:
        return False


def _rule_setting(name: str, key: str) -> Setting:
    """A rule option of a game, which may be called by its short name. Raises SettingError."""
    from p2pcards.games.options import OptionError, find_option
    from p2pcards.games.registry import UnknownGame, find_game

    try:
        game = find_game(name)
        option = find_option(game.options, key)
    except (UnknownGame, OptionError) as unknown:
        raise SettingError(str(unknown)) from None
    value = getattr(next(iter(game.presets.values())), key)
    declared = Declared(f"options.GAME.{key}", value, option.meaning, option.range, str(value).lower())
    return Setting(declared, ("options", game.key, key))


def _stating(home: Home, settings: Settings) -> Callable[[Setting], Stated]:
    """What tells of a setting its value, by these settings of this home, and where that is from."""
    written = read_values(home.settings)
    merged = over(inherited_values(home), written)

    def state(found: Setting) -> Stated:
        if _stands_in(written, found):
            source = HERE
        elif _stands_in(merged, found):
            source = DEFAULT
        else:
            source = NAMED if found.name == "name" and home.fallback else FACTORY
        return Stated(found, _value(found, settings), source)

    return state


def _stands_in(values: Any, found: Setting) -> bool:
    for step in found.path:
        values = values.get(step) if isinstance(values, dict) else None
    return values is not None


def _value(found: Setting, settings: Settings) -> Any:
    head, *rest = found.path
    value = getattr(settings, head)
    if not rest:
        return value
    row = value.get(rest[0])
    if row is None:
        return found.declared.default
    if isinstance(row, Mapping):
        return row.get(rest[1], found.declared.default)
    return getattr(row, rest[1]) if rest[1:] else row


def _wrong(found: Setting, takes: str) -> SettingError:
    return SettingError(f"The setting '{found.name}' takes {takes}.", _example(found))


def _example(found: Setting) -> str:
    return f"For example: p2pcards config set {shlex.quote(found.name)} {found.declared.example}"


def _all(settings: Settings) -> Iterator[Setting]:
    for head, group in groupby(declared_settings(), lambda one: one.name.split(".")[0]):
        family = list(group)
        if family[0].name == head:
            yield Setting(family[0], (head,))
            continue
        if head == "options":
            yield from [_rule_setting(game, key) for game, rules in settings.options.items() for key in rules]
            continue
        for row in getattr(settings, head):
            for one in family:
                yield Setting(one, (head, row, *one.name.split(".")[2:]))


def _names() -> set[str]:
    """Those that somebody may have meant: of the events each one."""
    return {one.name.replace("EVENT", event) for one in declared_settings() for event in TABLE_EVENTS}


def _near(word: str, known: Iterable[str]) -> str:
    return did_you_mean(word, known, 0.5) or "'p2pcards config list' lists what there is."


def _blank() -> str:
    lines = ["# The settings of p2pcards. What is not set has its default; 'p2pcards config list' shows it all."]
    for one in declared_settings():
        lines += ["", f"# {one.name}: {one.meaning}", f"#   It takes {one.takes}, such as {one.example}"]
    return "\n".join([*lines, "", "# What is set:", ""])
