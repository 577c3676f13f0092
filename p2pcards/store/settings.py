"""What a player has set once for all games, kept as TOML that a person can read and edit."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, cast

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.errors import StoreError
from p2pcards.store.files import locked, read_whole, write_whole
from p2pcards.store.home import Home
from p2pcards.store.names import NAME_LIMIT, clean_name

SPEEDS = (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
"""Bits a second of a serial port: those of termios that are in use; POSIX names them up to 38400."""

FLOWS = ("rtscts", "xonxoff", "none")
"""Who may stop the other from sending: by the RTS and CTS wires, by characters, or nobody."""

PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.3, "off": 0.0}
"""Seconds that a computer player takes for an action, by the setting `speed`."""

INIT_LIMIT = 40
"""Characters of one AT command. ITU-T V.250, 5.2.1, promises room for 40 at least, and the dialogue sends no more."""


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """How to use one serial device. `speed`: one of SPEEDS; `flow`: one of FLOWS; `init`: AT commands, none longer than
    INIT_LIMIT; `pulse`: whether the modem dials by pulses instead of tones."""

    speed: int = 115200
    flow: str = "rtscts"
    init: tuple[str, ...] = ()
    pulse: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is kept; an empty text or a 0 leaves the choice to the program."""

    name: str = ""
    character: str = ""
    port: int = 0
    bell: bool = True
    speed: str = "normal"
    hook: str = ""
    device: str = ""
    presets: Mapping[str, str] = field(default_factory=dict)
    """Game to preset."""
    devices: Mapping[str, DeviceSettings] = field(default_factory=dict)
    """Serial device to its settings; `device_settings` has the defaults too."""


_MEANING = {
    "name": f"The name that others see, at most {NAME_LIMIT} characters. Empty: your login name.",
    "character": "The character that plays for you while you are away. Empty: a free one.",
    "port": "The port that 'p2pcards listen' waits on. 0: the usual one.",
    "bell": "Ring the terminal's bell at your turn and when someone sits down.",
    "speed": f"How fast computer players act where somebody looks on: {', '.join(PACES)} (at once).",
    "hook": "A command to run at the same moments. Empty: none.",
    "device": "The serial device to take when none is named, such as /dev/ttyUSB0. Empty: none.",
    "presets": 'The preset that a game starts with, one line a game, such as: hearts = "real-deal"',
    "devices": 'How to use a serial device, a table for each, such as [devices."/dev/ttyUSB0"], with\n'
    f"#   speed  the bits a second between computer and modem: {', '.join(map(str, SPEEDS))}\n"
    '#   flow   "rtscts", "xonxoff" or "none"\n'
    '#   init   AT commands to begin with, such as ["ATM0", "ATL1"]\n'
    "#   pulse  true: dial by pulses, false: by tones",
}
_TYPES = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    dict: "a table of its own",
    tuple: "a list of texts in quotes",
}
_BARE_KEY = re.compile(r"[a-z0-9_-]+")
_AT_COMMAND = re.compile(r"AT[ -~]*", re.IGNORECASE)


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


def device_settings(settings: Settings, device: str) -> DeviceSettings:
    """What is set for a device; the defaults when nothing is."""
    return settings.devices.get(device, DeviceSettings())


def _checked(values: Mapping[str, object], where: str = "") -> Settings:
    """The settings with these values. `where` begins the sentences."""
    _check_types(values, Settings(), where)
    settings = replace(Settings(), **cast("dict[str, Any]", dict(values)))
    devices = {name: _device_of(name, each, where) for name, each in settings.devices.items()}
    settings = replace(settings, devices=devices)
    if fault := _fault(settings):
        raise StoreError(where + fault)
    return settings


def _device_of(name: str, values: object, where: str) -> DeviceSettings:
    if isinstance(values, DeviceSettings):
        return values
    if not isinstance(values, dict):
        raise StoreError(f"{where}The setting 'devices' must have a table of its own for {name!r}.")
    if type(values.get("init")) is list:
        values = values | {"init": tuple(values["init"])}
    _check_types(values, DeviceSettings(), where, f" of the device {name!r}")
    return DeviceSettings(**values)


def _check_types(values: Mapping[str, object], defaults: Settings | DeviceSettings, where: str, of: str = "") -> None:
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
    if settings.speed not in PACES:
        return f"The setting 'speed' must be one of {', '.join(PACES)}, not {settings.speed!r}."
    for key in ("character", "hook", "device"):
        if not str(getattr(settings, key)).isprintable():
            return f"The setting '{key}' must be one line without control characters."
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
        if type(text) is not str or not _AT_COMMAND.fullmatch(text) or len(text) > INIT_LIMIT:
            return (
                f"The setting 'init' {of} must be commands that begin with AT, of at most {INIT_LIMIT} printable ASCII "
                f"characters, not {text!r}."
            )
    return ""


def _as_toml(settings: Settings) -> str:
    lines = ["# The settings of p2pcards. A line that is left out has its default."]
    for key, meaning in _MEANING.items():
        lines += ["", f"# {meaning}"]
        value = getattr(settings, key)
        if key == "presets":  # the tables are the last, since each reaches to the next one
            lines += ["[presets]", *_pairs(dict(sorted(value.items())))]
        elif key == "devices":
            lines.append("[devices]")
            for name, device in sorted(value.items()):
                lines += ["", f"[devices.{_as_value(name)}]", *_pairs(asdict(device))]
        else:
            lines += _pairs({key: value})
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, object]) -> list[str]:
    return [f"{key} = {_as_value(value)}" for key, value in values.items()]


def _as_value(value: object) -> str:
    """Text, numbers, truth and lists are written in TOML as in JSON, once control characters are excluded."""
    return (
        json.dumps(value, ensure_ascii=False) if isinstance(value, str | int | tuple) else f"a {type(value).__name__}"
    )
