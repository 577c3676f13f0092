"""What a player has set once for all games, as TOML that a person can read and edit: what there is, and reading it."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, TypeVar, cast

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole
from p2pcards.store.home import Home
from p2pcards.store.names import NAME_LIMIT, clean_name
from p2pcards.store.screen_looks import BACKS, CARD_SIZES, COLOURS, OWN_BACKS, SUITS, TRICK_STAYS
from p2pcards.views.event_names import RUNG, TABLE_EVENTS

Rule = str | int | bool
Value = Rule | tuple[str, ...]

SPEEDS = (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
"""Bits a second of a serial port: those of termios that are in use; POSIX names them up to 38400."""

FLOWS = ("rtscts", "xonxoff", "none")
"""Who may stop the other from sending: by the RTS and CTS wires, by characters, or nobody."""

PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.3, "off": 0.0}
"""Seconds that a computer player takes for an action, by the setting `speed`."""

SORTS = ("suit", "rank", "trump", "off")
"""How a hand may be sorted, by the setting `sort`."""

INIT_LIMIT = 40
"""Characters of one AT command. ITU-T V.250, 5.2.1, promises room for 40 at least, and the dialogue sends no more."""


ASKING = ("once", "always", "never")
"""When a person at a terminal is asked for name and character: while they are not set, whenever a table is opened, or
not at all."""

MUSIC = ("off", "single", "repeat", "cycle", "random", "game")
"""How a front end that plays music goes through the songs; game: each game has its own."""


def _setting(default: Value, meaning: str, takes: str, example: str) -> Any:
    """A field of settings. takes, example: what it takes, in words and as a person types one."""
    return field(default=default, metadata={"meaning": meaning, "takes": takes, "example": example})


def _table(default: Callable[[], Any], place: str, of: type, **told: str) -> Any:
    """A field that is a table. place: what its rows are named by, in capitals; of: the class of a row; told: as in
    `_setting`, where a row is a single text."""
    return field(default_factory=default, metadata={"place": place, "of": of, **told})


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """How to use one serial device."""

    speed: int = _setting(
        115200, "Bits a second between computer and modem.", f"one of {', '.join(map(str, SPEEDS))}", "9600"
    )
    flow: str = _setting("rtscts", "Who may hold bytes back.", f"one of {', '.join(FLOWS)}", "xonxoff")
    init: tuple[str, ...] = _setting(
        (), "AT commands to begin with.", f"AT commands of at most {INIT_LIMIT} characters each", "ATM0 ATL1"
    )
    pulse: bool = _setting(False, "Dial by pulses, not by tones.", "true or false", "true")


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What comes with one event of a table."""

    bell: bool = _setting(
        False,
        f"Ring the bell at this event. Unless set otherwise it rings at {', '.join(RUNG)}.",
        "true or false",
        "true",
    )
    hook: str = _setting(
        "", "A command to run at this event; no shell runs it. Empty: none.", "one line of text", "'aplay knock.wav'"
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is kept; an empty text or a 0 leaves the choice to the program."""

    name: str = _setting(
        "",
        "The name that others see. Empty: your login name.",
        f"one line of at most {NAME_LIMIT} visible characters",
        "Ann",
    )
    character: str = _setting(
        "",
        "The character that stands for you, and plays for you while you are away. Empty: a free one.",
        "a character, as 'p2pcards characters' lists them",
        "granny",
    )
    ask: str = _setting(
        "once",
        "When you are asked for name and character at a terminal: once (while they are not set), always or never.",
        f"one of {', '.join(ASKING)}",
        "never",
    )
    port: int = _setting(
        0, "The port that 'p2pcards listen' waits on. 0: the usual one.", "a whole number from 0 to 65535", "4800"
    )
    bell: bool = _setting(True, "Let the terminal's bell ring; 'events' says when.", "true or false", "false")
    speed: str = _setting(
        "normal",
        "How fast computer players act where somebody looks on; off: at once.",
        f"one of {', '.join(PACES)}",
        "slow",
    )
    hook: str = _setting(
        "",
        "A command to run at your turn and when somebody sits down, where those have none of their own. Empty: none.",
        "one line of text",
        "'notify-send p2pcards'",
    )
    check_meldable: bool = _setting(
        False, "Ask before you play a card that is part of a meld which can still be made.", "true or false", "true"
    )
    confirm_plays: bool = _setting(False, "Ask before anything that you do in a game.", "true or false", "true")
    show_meld_points: bool = _setting(
        False,
        "Show at your turn what the best meld of your hand counts (two-handed pinochle).",
        "true or false",
        "true",
    )
    forced: bool = _setting(False, "Do by itself what is the only thing that can be done.", "true or false", "true")
    auto_start: bool = _setting(
        True,
        "Deal at once when you play; off: the rules are shown first, and 'start' (or Enter) deals.",
        "true or false",
        "false",
    )
    start_reminders: bool = _setting(True, "Tell who starts, at each hand.", "true or false", "false")
    sort: str = _setting(
        "",
        "How your hand is sorted. Empty: in two-handed pinochle by rank, in all other games by suit.",
        f"one of {', '.join(SORTS)}",
        "trump",
    )
    screen: bool = _setting(
        True, "Show tables on the full screen, where a terminal has one; off: in lines.", "true or false", "false"
    )
    suits: str = _setting(
        "four", "The colours of suits on the full screen; none: no colours at all.", f"one of {', '.join(SUITS)}", "two"
    )
    card_back: str = _setting(
        "shade",
        "What the back of a card looks like.",
        f"one of {len(BACKS)}, or {OWN_BACKS[0]} to {OWN_BACKS[-1]}; any other word lists them",
        "dots",
    )
    card_size: str = _setting(
        "window", "How large cards are drawn, where there is room for it.", f"one of {', '.join(CARD_SIZES)}", "large"
    )
    colours: Mapping[str, str] = _table(
        dict,
        "PART",
        str,
        meaning=f"The colour of a part of the full screen: {', '.join(list(COLOURS)[:4])} and {len(COLOURS) - 4} more.",
        takes="a colour as #rrggbb",
        example="'#101010'",
    )
    square_corners: bool = _setting(False, "Draw cards with square corners.", "true or false", "true")
    stagger: bool = _setting(False, "Draw every other suit of your hand a row higher.", "true or false", "true")
    tint_melds: bool = _setting(
        False, "Draw cards that lie in your melds in a colour of their own.", "true or false", "true"
    )
    mark_plays: bool = _setting(True, "Mark for a moment the card that another player plays.", "true or false", "false")
    mark_stock: bool = _setting(
        True, "Mark for a moment the pile that another player draws from.", "true or false", "false"
    )
    trick_stays: str = _setting(
        "speed",
        "How long a trick that is over lies on the full screen; any key goes on.",
        f"one of {', '.join(TRICK_STAYS)}",
        "key",
    )
    auto_focus: bool = _setting(
        True, "On the full screen go to the first card that can be played, at your turn.", "true or false", "false"
    )
    double_click: bool = _setting(
        False, "On the full screen a card is played by two quick clicks, not by two slow ones.", "true or false", "true"
    )
    error_box: bool = _setting(
        False, "On the full screen tell what does not go in a box of its own.", "true or false", "true"
    )
    status_messages: bool = _setting(
        True, "On the full screen say above the hand what there is to do.", "true or false", "false"
    )
    phrases: bool = _setting(True, "Show what the characters at the table say.", "true or false", "false")
    speech: str = _setting(
        "",
        "A command that reads aloud: it gets what you are told on its standard input. No shell runs it. Empty: none.",
        "one line of text",
        "espeak",
    )
    music: str = _setting(
        "off",
        "How songs follow: the first alone, the first again, one after the other, by chance, that of the game.",
        f"one of {', '.join(MUSIC)}",
        "random",
    )
    player: str = _setting(
        "",
        "A command that plays a song: the file is its last word, no shell runs it. Empty: no music.",
        "one line of text",
        "timidity --quiet",
    )
    songs: tuple[str, ...] = _setting(
        (), "The songs for that. The first begins.", "names of files, one after the other", "waltz.mid polka.mid"
    )
    game_songs: Mapping[str, str] = _table(
        dict,
        "GAME",
        str,
        meaning="The song of a game, where music is game.",
        takes="the name of a file",
        example="waltz.mid",
    )
    device: str = _setting(
        "",
        "The serial device to take when none is named. Empty: none.",
        "one line of text",
        "/dev/ttyUSB0",
    )
    presets: Mapping[str, str] = _table(
        dict,
        "GAME",
        str,
        meaning="The preset that a game starts with. Empty: its first one.",
        takes="a preset of the game, as 'p2pcards games' lists them",
        example="real-deal",
    )
    options: Mapping[str, Mapping[str, Rule]] = _table(
        dict,
        "GAME.OPTION",
        dict,
        meaning="A rule option of a game, where no preset is asked for.",
        takes="a value of the option, as 'p2pcards options GAME' lists them",
        example="50",
    )
    save_options: bool = _setting(
        False, "Save the rules of a table as yours when you set one there; else 'save' does.", "true or false", "true"
    )
    events: Mapping[str, EventSettings] = _table(
        lambda: {name: EventSettings(bell=name in RUNG) for name in TABLE_EVENTS}, "EVENT", EventSettings
    )
    devices: Mapping[str, DeviceSettings] = _table(dict, "DEVICE", DeviceSettings)
    """Those that were set; `device_settings` has the others too."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A setting as it is declared. name: as a person types it, with a word in capitals where there is one for each:
    ``port``, ``devices.DEVICE.speed``. takes, example: what it takes, in words and as one is typed."""

    name: str
    default: Value
    meaning: str
    takes: str
    example: str


def declared_settings() -> tuple[Declared, ...]:
    """Every setting there is, in the order in which they are listed."""
    return tuple([declared for one in fields(Settings) for declared in _declared(one)])


def _declared(one: Field[Any]) -> list[Declared]:
    told = dict(one.metadata)
    if "place" not in told:
        return [Declared(one.name, cast(Value, one.default), **told)]
    name, row = f"{one.name}.{told.pop('place')}", told.pop("of")
    if row in (str, dict):
        return [Declared(name, "", **told)]
    return [Declared(f"{name}.{each.name}", cast(Value, each.default), **each.metadata) for each in fields(row)]


R = TypeVar("R", "DeviceSettings", "EventSettings")
_TYPES = {
    str: "text in quotes",
    int: "a whole number",
    bool: "true or false",
    dict: "a table of its own",
    tuple: "a list of texts in quotes",
}
SETTING_CHOICES: Mapping[str, tuple[str, ...]] = {
    "ask": ASKING,
    "music": MUSIC,
    "speed": tuple(PACES),
    "sort": ("", *SORTS),
    "suits": SUITS,
    "card_back": (*BACKS, *OWN_BACKS),
    "card_size": CARD_SIZES,
    "trick_stays": TRICK_STAYS,
}
"""The settings that have one of a few values."""
_BARE_KEY = re.compile(r"[a-z0-9_-]+")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_AT_COMMAND = re.compile(r"AT[ -~]*", re.IGNORECASE)


def load_settings(home: Home) -> Settings:
    """The settings of this home. Anything in the file that is not a setting is refused, never ignored."""
    return checked(read_values(home), f"{home.settings}: ")


def read_values(home: Home) -> dict[str, Any]:
    """What the file holds, unchecked."""
    data = read_whole(home.settings)
    try:
        return tomllib.loads((data or b"").decode())
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"The settings {home.settings} cannot be read: {error}.",
            "Repair the line, or move the file aside to begin with the defaults.",
        ) from None


def device_settings(settings: Settings, device: str) -> DeviceSettings:
    """What is set for a device; the defaults when nothing is."""
    return settings.devices.get(device, DeviceSettings())


def event_hooks(settings: Settings) -> dict[str, str]:
    """The commands by the event, of those that have one."""
    usual = dict.fromkeys(("turn", "joined"), settings.hook)
    found = {name: event.hook or usual.get(name, "") for name, event in settings.events.items()}
    return {name: command for name, command in found.items() if command}


def rung_events(settings: Settings) -> frozenset[str]:
    """The events at which the bell rings."""
    return frozenset(name for name, event in settings.events.items() if event.bell and settings.bell)


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
        if type(text) is not str or not _AT_COMMAND.fullmatch(text) or len(text) > INIT_LIMIT:
            return (
                f"The setting 'init' {of} must be commands that begin with AT, of at most {INIT_LIMIT} printable ASCII "
                f"characters, not {text!r}."
            )
    return ""


def _as_value(value: object) -> str:
    """A value as it stands in the file, for a sentence."""
    if isinstance(value, str | int):
        return json.dumps(value, ensure_ascii=False)
    return "a list" if isinstance(value, tuple) else f"a {type(value).__name__}"
