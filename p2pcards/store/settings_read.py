"""Reading what a player has set, which is TOML that a person can read and edit: every value of it is checked."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole, refuse_writable
from p2pcards.store.home import Home
from p2pcards.store.makes import MAKES
from p2pcards.store.names import NAME_LIMIT, clean_name
from p2pcards.store.screen_looks import COLOURS
from p2pcards.store.settings import (
    FLOWS,
    INIT_LIMIT,
    MOST_RINGS,
    PREFIX_LIMIT,
    SETTING_CHOICES,
    SPEEDS,
    DeviceSettings,
    EventSettings,
    Settings,
)

R = TypeVar("R", "DeviceSettings", "EventSettings")
_TYPES = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    dict: "a table of its own",
    tuple: "a list of texts in quotes",
}
_BARE_KEY = re.compile(r"[a-z0-9_-]+")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_PREFIX = re.compile(rf"(?=.*[0-9])[0-9*#,W!@]{{1,{PREFIX_LIMIT}}}", re.ASCII)
_AT_COMMAND = re.compile(r"AT[ -~]*", re.IGNORECASE)


PERSONAL = ("name", "character")
"""What every profile has for itself: nobody falls back on the name of somebody else."""


def load_settings(home: Home) -> Settings:
    """The settings of this home. Anything in the file that is not a setting is refused, never ignored."""
    return settings_with(home, read_values(home.settings), f"{home.settings}: ")


def settings_with(home: Home, values: Mapping[str, Any], where: str = "") -> Settings:
    """The settings of this home if these values stand in its file. `where` begins the sentences."""
    return of_profile(home, checked(over(inherited_values(home), values), where))


def inherited_values(home: Home) -> dict[str, Any]:
    """The values that the profile of this home falls back on. Raises StoreError where one of them is wrong."""
    if home.fallback is None:
        return {}
    values = read_values(home.fallback)
    checked(values, f"{home.fallback}: ")
    return shared(values)


def shared(values: Mapping[str, Any]) -> dict[str, Any]:
    """Of the values of the Default profile those that count for others too."""
    return {key: value for key, value in values.items() if key not in PERSONAL}


def of_profile(home: Home, settings: Settings) -> Settings:
    """These settings, where whoever has a profile goes by its name unless another one is set."""
    named = settings.name or home.fallback is None
    return settings if named else replace(settings, name=home.profile)


def over(below: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """These values, and those below where there are none. Rule options go with a preset: where there is another one for
    a game, those below do not count."""
    presets = values.get("presets")
    if isinstance(presets, dict) and "options" in below:
        below = {**below, "options": {game: one for game, one in below["options"].items() if game not in presets}}
    return _merged(below, values)


def _merged(below: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    tables = [key for key in below if isinstance(below[key], dict) and isinstance(values.get(key), dict)]
    return {**below, **values, **{key: _merged(below[key], values[key]) for key in tables}}


def read_values(path: Path) -> dict[str, Any]:
    """What this file holds, unchecked. Commands stand in it, so what somebody else may write is refused."""
    refuse_writable(path, "who could have commands run in your name")
    data = read_whole(path)
    try:
        return tomllib.loads((data or b"").decode("utf-8-sig"))  # as some editors write it
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"The settings {path} cannot be read: {error}.",
            "Repair the line, or move the file aside to begin with the defaults.",
        ) from None


def checked(values: Mapping[str, object], where: str = "") -> Settings:
    """The settings with these values, as they stand in the file. `where` begins the sentences."""
    values = _with_tuples(values)
    _check_types(values, Settings(), where)
    settings = replace(Settings(), **values)
    devices = {name: _row(f"device {name!r}", each, DeviceSettings(), where) for name, each in settings.devices.items()}
    events = dict(Settings().events)
    for name, each in values.get("events", {}).items():
        if name not in events:
            raise StoreError(f"{where}There is no event {name!r}.", did_you_mean(name, events, 0.5))
        events[name] = _row(f"event {name!r}", each, events[name], where)
    for game, rules in settings.options.items():
        _check_rules(game, rules, settings.presets.get(game), where)
    settings = replace(settings, devices=devices, events=events)
    if fault := _fault(settings):
        raise StoreError(where + fault)
    return settings


def _row(what: str, values: object, defaults: R, where: str) -> R:
    """What is set for one device or event."""
    if not isinstance(values, dict):
        raise StoreError(f"{where}The {what} must have a table of its own.")
    values = _with_tuples(values)
    _check_types(values, defaults, where, f" of the {what}")
    return replace(defaults, **values)


def _check_rules(key: str, values: object, preset: object, where: str) -> None:
    """Raises StoreError unless these are rule options of this game, which go together with its preset."""
    from p2pcards.games.options import OptionError, with_values
    from p2pcards.games.registry import GAMES

    if key not in GAMES:
        raise StoreError(f"{where}There is no game {key!r}, so it has no options.", did_you_mean(key, GAMES, 0.5))
    if not isinstance(values, dict):
        raise StoreError(f"{where}The options of {key} must have a table of their own.")
    presets = GAMES[key].presets
    try:
        with_values(presets.get(str(preset)) or next(iter(presets.values())), values)
    except OptionError as error:
        raise StoreError(f"{where}Of the options of {key}: {error}") from None


def _with_tuples(values: Mapping[str, object]) -> dict[str, Any]:
    return {key: tuple(value) if type(value) is list else value for key, value in values.items()}


def _check_types(
    values: Mapping[str, object], defaults: Settings | DeviceSettings | EventSettings, where: str, of: str = ""
) -> None:
    """Raises StoreError for a key that is not among the defaults, or a value of another type."""
    known = [each.name for each in fields(defaults)]
    for key, value in values.items():
        if key not in known:
            raise StoreError(f"{where}There is no setting {key!r}{of}.", did_you_mean(key, known, 0.5))
        wanted = type(getattr(defaults, key))
        if type(value) is not wanted:
            raise StoreError(f"{where}The setting '{key}'{of} must be {_TYPES[wanted]}, not {_as_value(value)}.")


def _fault(settings: Settings) -> str:
    """What is wrong with values of the right types, as a sentence; empty when nothing is."""
    if settings.name and clean_name(settings.name) != settings.name:
        return f"The setting 'name' must be one line of at most {NAME_LIMIT} visible characters."
    if not 0 <= settings.port <= 65535:
        return f"The setting 'port' must be 0-65535, not {settings.port}."
    for key, choices in SETTING_CHOICES.items():
        if getattr(settings, key) not in choices:
            known = ", ".join(filter(None, choices))
            return f"The setting '{key}' must be one of {known}, not {getattr(settings, key)!r}."
    for key in ("character", "hook", "speech", "player", "device"):
        if not str(getattr(settings, key)).isprintable():
            return f"The setting '{key}' must be one line without control characters."
    if not all(type(song) is str and song.isprintable() for song in settings.songs):
        return "The setting 'songs' must be names of files without control characters."
    for game, song in settings.game_songs.items():
        if not (type(song) is str and song.isprintable() and _BARE_KEY.fullmatch(game)):
            return "The setting 'game_songs' must name one file for each game."
    for part, colour in settings.colours.items():
        if part not in COLOURS:
            return f"Nothing on the screen is called {part!r}. There are {', '.join(COLOURS)}."
        if not (type(colour) is str and _COLOUR.fullmatch(colour)):
            return f"The colour of '{part}' must be written as #rrggbb, such as {COLOURS[part]}, not {colour!r}."
    for name, event in settings.events.items():
        if not event.hook.isprintable():
            return f"The setting 'hook' of the event {name!r} must be one line without control characters."
    for game, preset in settings.presets.items():
        if not (type(preset) is str and preset.isprintable() and _BARE_KEY.fullmatch(game)):
            return "The setting 'presets' must name one preset for each game."
    for name, device in settings.devices.items():
        if fault := _device_fault(name, device):
            return fault
    return ""


def _device_fault(name: str, device: DeviceSettings) -> str:
    if not (name and name.isprintable()):
        return f"The setting 'devices' must name serial devices, such as /dev/ttyUSB0, not {name!r}."
    of = f"of the device {name!r}"
    if device.speed not in SPEEDS:
        return f"The setting 'speed' {of} must be one of {', '.join(map(str, SPEEDS))}, not {device.speed}."
    if device.flow not in FLOWS:
        return f"The setting 'flow' {of} must be one of {', '.join(FLOWS)}, not {device.flow!r}."
    for text in device.init:
        if type(text) is str and text.lower() in MAKES:
            continue
        if type(text) is not str or not _AT_COMMAND.fullmatch(text) or len(text) > INIT_LIMIT:
            return (
                f"The setting 'init' {of} must be commands that begin with AT, of at most {INIT_LIMIT} printable ASCII "
                f"characters, or a make of {', '.join(MAKES)}, not {text!r}."
            )
    if device.prefix and not _PREFIX.fullmatch(device.prefix):
        return (
            f"The setting 'prefix' {of} must be digits with * # , W ! or @, at most {PREFIX_LIMIT} characters, not "
            f"{device.prefix!r}."
        )
    if not 1 <= device.rings <= MOST_RINGS:
        return f"The setting 'rings' {of} must be 1-{MOST_RINGS}, not {device.rings}."
    return ""


def _as_value(value: object) -> str:
    """A value as it stands in the file, for a sentence."""
    if isinstance(value, str | int):
        return json.dumps(value, ensure_ascii=False)
    return "a list" if isinstance(value, tuple) else f"a {type(value).__name__}"
