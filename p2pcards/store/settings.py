"""What a player has set once for all games, kept as TOML that a person can read and edit."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from p2pcards.store.errors import StoreError, nearest
from p2pcards.store.files import locked, read_whole, write_whole
from p2pcards.store.home import Home
from p2pcards.store.names import NAME_LIMIT, clean_name


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is kept; an empty text or a 0 leaves the choice to the program."""

    name: str = ""
    character: str = ""
    port: int = 0
    bell: bool = True
    hook: str = ""
    presets: Mapping[str, str] = field(default_factory=dict)
    """Game to preset."""


_MEANING = {
    "name": f"The name that others see, at most {NAME_LIMIT} characters. Empty: your login name.",
    "character": "The character that plays for you while you are away. Empty: a free one.",
    "port": "The port that 'p2pcards listen' waits on. 0: the usual one.",
    "bell": "Ring the terminal's bell at your turn and when someone sits down.",
    "hook": "A command to run at the same moments. Empty: none.",
    "presets": 'The preset that a game starts with, one line a game, such as: hearts = "real-deal"',
}
_TYPES = {str: "text in quotes", int: "a whole number", bool: "true or false", dict: "a table of its own"}
_BARE_KEY = re.compile(r"[a-z0-9_-]+")


def load_settings(home: Home) -> Settings:
    """The settings of this home. Anything in the file that is not a setting is refused, never ignored."""
    data = read_whole(home.settings)
    if data is None:
        return Settings()
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"The settings {home.settings} cannot be read: {error}.",
            "Repair the line, or move the file aside to begin with the defaults.",
        ) from None
    return _checked(values, f"{home.settings}: ")


def change_settings(home: Home, **values: object) -> Settings:
    """Set the named settings, leave the others, and return all of them."""
    with locked(home.settings):
        found = load_settings(home)
        changed = _checked({each.name: getattr(found, each.name) for each in fields(Settings)} | values)
        write_whole(home.settings, _as_toml(changed).encode())
        return changed


def _checked(values: Mapping[str, object], where: str = "") -> Settings:
    """The settings with these values. `where` begins the sentences."""
    defaults = Settings()
    for key, value in values.items():
        if key not in _MEANING:
            raise StoreError(f"{where}There is no setting {key!r}.", nearest(key, _MEANING))
        wanted = type(getattr(defaults, key))
        if type(value) is not wanted:
            raise StoreError(f"{where}The setting '{key}' must be {_TYPES[wanted]}, not {_as_value(value)}.")
    settings = replace(defaults, **cast("dict[str, Any]", dict(values)))
    if fault := _fault(settings):
        raise StoreError(where + fault)
    return settings


def _fault(settings: Settings) -> str:
    """What is wrong with values of the right types, as a sentence; empty when nothing is."""
    if settings.name and clean_name(settings.name) != settings.name:
        return f"The setting 'name' must be one line of at most {NAME_LIMIT} visible characters."
    if not 0 <= settings.port <= 65535:
        return f"The setting 'port' must be 0-65535, not {settings.port}."
    for key in ("character", "hook"):
        if not str(getattr(settings, key)).isprintable():
            return f"The setting '{key}' must be one line without control characters."
    for game, preset in settings.presets.items():
        if not (type(preset) is str and preset.isprintable() and _BARE_KEY.fullmatch(game)):
            return "The setting 'presets' must name one preset for each game."
    return ""


def _as_toml(settings: Settings) -> str:
    lines = ["# The settings of p2pcards. A line that is left out has its default."]
    for key, meaning in _MEANING.items():
        lines += ["", f"# {meaning}"]
        value = getattr(settings, key)
        if key == "presets":  # the last, since a table reaches to the end of the file
            lines += [f"[{key}]", *(f"{game} = {_as_value(preset)}" for game, preset in sorted(value.items()))]
        else:
            lines.append(f"{key} = {_as_value(value)}")
    return "\n".join(lines) + "\n"


def _as_value(value: object) -> str:
    """Text, numbers and truth are written in TOML as in JSON, once control characters are excluded."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | int) else f"a {type(value).__name__}"
