"""What a player has set once for all games: what there is, what each means and takes; read from TOML that a person
can edit, as far as it is right, and changed without touching anything else in it."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.files import (
    DEFAULT,
    NAME_LIMIT,
    Home,
    StoreError,
    clean_name,
    locked,
    read_whole,
    refuse_writable,
    write_whole,
)
from p2pcards.views.happenings import RUNG, TABLE_EVENTS

# --- what modems of a make are told besides what every modem is -------------------------------------------------------


MAKES: dict[str, tuple[str, ...]] = {
    "courier": ("AT&H1&R2&I0", "AT&A3&B1", "AT#CID=1"),
    "rockwell": ("AT&K3", "ATW2", "AT#CID=1"),
    "conexant": ("AT&K3", "ATW2", "AT+VCID=1"),
    "hayes": ("AT&K3", "ATW2"),
    "zoom": ("AT&K3", "ATW2", "AT#CID=1"),
    "tcpser": (),
}
"""Flow control by RTS and CTS; CONNECT tells the rate of the line (of a Courier also what corrects errors, and its port
keeps its speed); who calls is told between rings. Sources: the command sets in the manuals of U.S. Robotics (Courier
V.34), Rockwell (RC288), Conexant (V.92) and Hayes (Accura), and ITU-T V.253 for +VCID. Zoom's have Rockwell's chips. A
program that plays a modem, such as tcpser, needs nothing more."""


def commands_in(words: Iterable[str]) -> tuple[str, ...]:
    """The modem commands that these words stand for: a make of modem is replaced by its commands."""
    return tuple([command for word in words for command in MAKES.get(word.lower(), (word,))])


# --- what a player has set once for all games -------------------------------------------------------------------------


# --- what can be chosen of how the full screen looks ------------------------------------------------------------------


SUITS = ("four", "two", "none")
"""How many colours suits have on the full screen; none: nothing there has one."""

CARD_PICTURES = ("auto", "on", "off")
CARD_SIZES = ("window", "window-low", "small", "regular", "large", "extra")
"""How large cards are drawn; window: as large as there is room for; window-low: a size smaller than that."""

LONGEST_LOOK = 3600
"""Seconds between two hands."""

TRICK_STAYS = ("speed", "short", "long", "key")
"""How long a trick that is over lies there: as the speed is, one second, four, or until a key is pressed."""

BACKS = (
    "shade",
    "dense",
    "weave",
    "bricks",
    "bars",
    "check",
    "slant",
    "backslant",
    "lattice",
    "dots",
    "rings",
    "stars",
    "waves",
    "crosses",
    "diamonds",
    "plain",
)
"""The backs of cards that the program has."""

OWN_BACKS = tuple([f"own{number}" for number in range(1, 7)])
"""Those that a player draws: what is in the file of that name."""

_COLOUR_PARTS = {
    "table": ("#12402a", "the background of the table"),
    "edge": ("#0c2e1e", "the top and bottom rows"),
    "text": ("#c5d6c5", "the log, and everything without a color of its own"),
    "names": ("#ffffff", "names, headings and what people say"),
    "turn": ("#ffe066", "the name of the player whose turn it is"),
    "facts": ("#f0e6a8", "facts about the hand, such as trump"),
    "scores": ("#d9e4d9", "the other players' scores"),
    "sheet": ("#12402a", "the background of the scores (default: same as the table)"),
    "made": ("#8fd694", "melds of this hand, on the score sheet"),
    "melds": ("#f4f1e6", "melds on the table, and the cribbage board"),
    "flash": ("#ffe066", "the word that flashes while you can meld"),
    "status": ("#ffe066", "the line that shows what you can do"),
    "error": ("#ffffff", "error messages"),
    "error_back": ("#8c2f1b", "the background of error messages"),
    "button": ("#ffffff", "buttons"),
    "button_back": ("#1d5c8c", "the background of buttons"),
    "chosen": ("#ffe066", "the background of the selected button"),
    "panel": ("#242f38", "the background of panels and menus"),
    "panel_text": ("#e0e0e0", "the text of panels and menus"),
    "won": ("#5c9dff", "wins in the records"),
    "lost": ("#ff6b6b", "losses in the records"),
    "face": ("#f4f1e6", "the face of a card"),
    "dim_face": ("#a9b5a6", "the face of a card you can't play now"),
    "marked_face": ("#ffe9a8", "the face of a marked card"),
    "melded_face": ("#f7d9b8", "the face of a melded card, with tint_melds"),
    "new_face": ("#c8ecff", "the face of a card another player just played"),
    "back": ("#7fa3d1", "the pattern of a card's back"),
    "back_face": ("#1b3a5c", "the background of that pattern"),
    "spades": ("#000000", "spades"),
    "hearts": ("#c23b00", "hearts"),
    "diamonds": ("#0067c7", "diamonds"),
    "clubs": ("#00795a", "clubs"),
}
"""The parts of the full screen that have a colour of their own: its default, and what of the screen the part is. The
suits can be told apart by colour-blind people: on this face the nearest two differ by 15 (CIE76) for any kind of colour
blindness, and each has a contrast of 4.7."""

COLOURS: Mapping[str, str] = {part: colour for part, (colour, _) in _COLOUR_PARTS.items()}
COLOURED: Mapping[str, str] = {part: shown for part, (_, shown) in _COLOUR_PARTS.items()}


# --- what a player has set once for all games, what there is, and what each means and takes ---------------------------


Rule = str | int | bool
Value = Rule | tuple[str, ...]

SPEEDS = (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
"""Bits a second of a serial port: those of termios that are in use; POSIX names them up to 38400."""

FLOWS = ("rtscts", "xonxoff", "none")
"""Who may stop the other from sending: by the RTS and CTS wires, by characters, or nobody."""

REACH = ("on", "asked", "off")
"""Where meeting points are used, from everywhere to nowhere."""

WAYS = ("tcp", "router", "direct", "broker")
"""By which two play who have met at a broker."""

_BROKER = re.compile(r"(mqtts|mqtt|wss)://[!-~]{1,400}")
_PAGE = re.compile(r"https://[!-\"$-~]{1,400}")
_HOST_PORT = re.compile(r"[!-~]{1,255}:[0-9]{1,5}")
MOST_BROKERS = 5

PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.3, "off": 0.0}
"""Seconds that a computer player takes for an action, by the setting `speed`."""

ANIMATIONS = {"off": 0.0, "slow": 0.6, "normal": 0.3, "fast": 0.15}
"""Seconds that a card is on its way on the full screen, by the setting `animation`."""

SORTS = ("suit", "rank", "trump", "off")
"""How a hand may be sorted, by the setting `sort`."""

INIT_LIMIT = 40
"""Characters of one AT command. ITU-T V.250, 5.2.1, promises room for 40 at least, and the dialogue sends no more."""

PREFIX_LIMIT = 12
"""Characters of what is dialled before a number."""
MOST_RINGS = 20


ASKING = ("once", "always", "never")
"""When a person at a terminal is asked for name and character: while they are not set, whenever a table is opened, or
not at all."""

MUSIC = ("off", "single", "repeat", "cycle", "random", "game")
"""How a front end that plays music goes through the songs; game: each game has its own."""


def _setting_field(default: Value, meaning: str, takes: str, example: str) -> Any:
    """A dataclass field that is a setting. takes: what it takes, in words; example: a value as a person types it."""
    return field(default=default, metadata={"meaning": meaning, "takes": takes, "example": example})


def _switch_field(default: bool, meaning: str) -> Any:
    """A dataclass field that is a setting which is on or off."""
    return _setting_field(default, meaning, "true or false", "false" if default else "true")


def _choice_field(default: str, meaning: str, choices: Collection[str], example: str, takes: str = "") -> Any:
    """A dataclass field that is a setting with one of a few values. takes: names them, unless it says otherwise."""
    named = takes or f"one of {', '.join(filter(None, choices))}"
    told = {"meaning": meaning, "takes": named, "example": example, "choices": tuple(choices)}
    return field(default=default, metadata=told)


def _table_field(default: Callable[[], Any], place: str, of: type, **told: str) -> Any:
    """A dataclass field that is a table of settings. place: what its rows are named by, in capitals; of: the class of a
    row; told: as in `_setting_field`, for a row that is a single text."""
    return field(default_factory=default, metadata={"place": place, "of": of, **told})


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """How to use one serial device."""

    speed: int = _setting_field(
        115200, "Speed between computer and modem, in bits per second.", f"one of {', '.join(map(str, SPEEDS))}", "9600"
    )
    flow: str = _choice_field("rtscts", "Flow control between computer and modem.", FLOWS, "xonxoff")
    init: tuple[str, ...] = _setting_field(
        (),
        f"AT commands to send first, or a make of modem: {', '.join(MAKES)}.",
        f"AT commands of at most {INIT_LIMIT} characters each, or a modem's make",
        "courier ATM0",
    )
    pulse: bool = _switch_field(False, "Pulse dialing instead of tones.")
    prefix: str = _setting_field(
        "",
        "Dialed before each number, unless it already starts with this. Leave empty for none.",
        f"digits and * # , W ! @, at most {PREFIX_LIMIT} characters",
        "'9,'",
    )
    rings: int = _setting_field(
        1,
        "Rings before answering. Caller ID comes between the first and second ring.",
        f"a whole number from 1 to {MOST_RINGS}",
        "2",
    )


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What comes with one event of a table."""

    bell: bool = _switch_field(False, f"Ring the bell at this event. By default it rings at {', '.join(RUNG)}.")
    hook: str = _setting_field(
        "",
        "A command to run at this event, without a shell. Leave empty for none.",
        "one line of text",
        "'aplay knock.wav'",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is kept; an empty text or a 0 leaves the choice to the program."""

    name: str = _setting_field(
        "",
        "The name other players see. If empty, your profile's name (in Default, your login name).",
        f"one line of at most {NAME_LIMIT} visible characters",
        "Ann",
    )
    character: str = _setting_field(
        "",
        "The character that represents you and plays for you while you're away. Leave empty for any free one.",
        "a character (see p2pcards characters)",
        "granny",
    )
    ask: str = _choice_field(
        "once",
        "When to ask for your name and character at a terminal: once (until they are set), always or never.",
        ASKING,
        "never",
    )
    ask_profile: bool = _switch_field(
        False, "With several profiles, ask at a terminal who is playing. Off: use the last one."
    )
    port: int = _setting_field(
        0, "The port for p2pcards listen. 0: the usual one.", "a whole number from 0 to 65535", "4800"
    )
    reach: str = _choice_field(
        "on",
        "Meet friends through public brokers: on, asked (only for --reach and codes) or off.",
        REACH,
        "asked",
    )
    brokers: tuple[str, ...] = _setting_field(
        (),
        f"Up to {MOST_BROKERS} brokers to meet at. Leave empty for three public ones.",
        "addresses, separated by spaces",
        "mqtts://mqtt.example.org mqtt://192.0.2.7:1883",
    )
    ways: tuple[str, ...] = _setting_field(
        WAYS,
        "Ways to connect to a friend by code. tcp and direct show them your address; router opens a port.",
        "any of tcp, router, direct and broker",
        "broker",
    )
    stun: tuple[str, ...] = _setting_field(
        (),
        f"Up to {MOST_BROKERS} STUN servers, which find this machine's public address. Leave empty for public ones.",
        "addresses, separated by spaces",
        "stun.example.org:3478",
    )
    page: str = _setting_field(
        "",
        "The web page that your links open, for friends who play in a browser. Leave empty for none.",
        "an https address",
        "https://cards.example.org/",
    )
    tor: str = _setting_field(
        "",
        "The SOCKS port of tor; its control port is the next one. Leave empty for 9050, or 9150 (Tor Browser).",
        "an address with a port",
        "127.0.0.1:9050",
    )
    bell: bool = _switch_field(True, "Ring the bell ('events' sets when).")
    speed: str = _choice_field(
        "normal", "How fast computer players play while someone is watching. Off: no pauses.", PACES, "slow"
    )
    hook: str = _setting_field(
        "",
        "A command to run on your turn and when someone joins, if those events have none. Leave empty for none.",
        "one line of text",
        "'notify-send p2pcards'",
    )
    check_meldable: bool = _switch_field(False, "Ask before you play a card of a meld you could still make.")
    confirm_plays: bool = _switch_field(False, "Ask before every move.")
    show_meld_points: bool = _switch_field(
        False, "Show the points of your best meld on your turn (two-handed pinochle)."
    )
    forced: bool = _switch_field(False, "Play automatically when there is only one move.")
    say_go: bool = _switch_field(True, "Say 'go' automatically in cribbage when every card you have would go over 31.")
    auto_start: bool = _switch_field(True, "Deal right away. Off: show the rules first, until you press Enter.")
    between_hands: int = _setting_field(
        20,
        "Seconds between hands at your tables. 0: none.",
        f"a whole number from 0 to {LONGEST_LOOK}",
        "40",
    )
    start_reminders: bool = _switch_field(True, "Show who goes first in each hand.")
    sort: str = _choice_field(
        "",
        "How your hand is sorted. If empty, by rank in cribbage and two-handed pinochle, by suit elsewhere.",
        ("", *SORTS),
        "trump",
    )
    screen: bool = _switch_field(True, "Full-screen tables, where the terminal allows. Off: line by line.")
    suits: str = _choice_field("four", "Suit colors on the full screen. none: no colors at all.", SUITS, "two")
    card_back: str = _choice_field(
        "shade",
        "The card backs.",
        (*BACKS, *OWN_BACKS),
        "dots",
        takes=f"one of {len(BACKS)}, or {OWN_BACKS[0]} to {OWN_BACKS[-1]} (any other word lists them)",
    )
    card_size: str = _choice_field("window", "The size of cards, where there is room.", CARD_SIZES, "large")
    card_pictures: str = _choice_field(
        "auto",
        "Show cards as pictures where the terminal can. on: also try unknown terminals.",
        CARD_PICTURES,
        "off",
    )
    colours: Mapping[str, str] = _table_field(
        dict,
        "PART",
        str,
        meaning=f"The color of a part of the full screen: {', '.join(list(COLOURS)[:4])} and {len(COLOURS) - 4} more.",
        takes="a color as #rrggbb",
        example="'#101010'",
    )
    square_corners: bool = _switch_field(False, "Draw cards with square corners.")
    shaded: bool = _switch_field(False, "Draw cards with a shadow.")
    stagger: bool = _switch_field(False, "Draw every other suit of your hand a row higher.")
    rules_frame: bool = _switch_field(True, "Show the rules beside the table, where there is room.")
    tint_melds: bool = _switch_field(False, "Give cards in your melds a color of their own.")
    animation: str = _choice_field(
        "off", "How fast cards move. Off: no motion on the full screen.", ANIMATIONS, "normal"
    )
    mark_plays: bool = _switch_field(True, "Highlight the card another player plays.")
    mark_stock: bool = _switch_field(True, "Highlight the pile another player draws from.")
    trick_stays: str = _choice_field(
        "speed", "How long a finished trick stays on the table. Any key skips the wait.", TRICK_STAYS, "key"
    )
    auto_focus: bool = _switch_field(True, "On your turn, select the first playable card on the full screen.")
    double_click: bool = _switch_field(False, "Play a card with a quick double click, rather than two slow clicks.")
    error_box: bool = _switch_field(False, "Show errors in a box on the full screen.")
    start_box: bool = _switch_field(False, "Show who goes first in a box on the full screen, until you press OK.")
    status_messages: bool = _switch_field(True, "Show what you can do, above your hand on the full screen.")
    phrases: bool = _switch_field(True, "Show the characters' remarks.")
    speech: str = _setting_field(
        "",
        "A command that reads the game aloud, with the text on standard input and no shell. Leave empty for none.",
        "one line of text",
        "espeak",
    )
    music: str = _choice_field(
        "off",
        "Which songs play: the first once, the first repeated, all in order, at random, or one for each game.",
        MUSIC,
        "random",
    )
    player: str = _setting_field(
        "",
        "A command that plays a song, without a shell. The file is added at the end. Leave empty for no music.",
        "one line of text",
        "timidity --quiet",
    )
    songs: tuple[str, ...] = _setting_field(
        (), "The songs, in order.", "file names, separated by spaces", "waltz.mid polka.mid"
    )
    game_songs: Mapping[str, str] = _table_field(
        dict,
        "GAME",
        str,
        meaning="A game's song, when music is set to game.",
        takes="a file name",
        example="waltz.mid",
    )
    device: str = _setting_field(
        "",
        "The serial device to use by default. Leave empty for none.",
        "one line of text",
        "/dev/ttyUSB0",
    )
    presets: Mapping[str, str] = _table_field(
        dict,
        "GAME",
        str,
        meaning="A game's preset. Leave empty for the first one.",
        takes="a preset of the game (see p2pcards games)",
        example="real-deal",
    )
    options: Mapping[str, Mapping[str, Rule]] = _table_field(
        dict,
        "GAME.OPTION",
        dict,
        meaning="One of a game's options, unless you ask for a preset.",
        takes="a value of the option (see p2pcards options GAME)",
        example="50",
    )
    opponents: str = _setting_field(
        "",
        "Your opponents when you play alone, and their levels, unless you use --with. Leave empty for any.",
        "characters, as for --with",
        "betty:expert,wayne",
    )
    show_records: bool = _switch_field(True, "Show everyone's wins at the end of a game.")
    save_options: bool = _switch_field(
        False, "Keep the rules and opponents you pick at a table. Off: 'save' keeps the rules."
    )
    events: Mapping[str, EventSettings] = _table_field(
        lambda: {name: EventSettings(bell=name in RUNG) for name in TABLE_EVENTS}, "EVENT", EventSettings
    )
    devices: Mapping[str, DeviceSettings] = _table_field(dict, "DEVICE", DeviceSettings)
    """Those that were set; `device_settings` has the others too."""


SETTING_CHOICES: Mapping[str, tuple[str, ...]] = {
    one.name: one.metadata["choices"] for one in fields(Settings) if "choices" in one.metadata
}
"""The settings that have one of a few values."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A setting as it is declared."""

    name: str  # as a person types it; a word in capitals stands for any name: ``port``, ``devices.DEVICE.speed``
    default: Value
    meaning: str
    takes: str  # the values allowed, in words
    example: str  # a value, as a person types it


def declared_settings() -> tuple[Declared, ...]:
    """The declarations of all settings, in the order in which they are listed."""
    return tuple([declared for one in fields(Settings) for declared in _declared(one)])


def _declared(one: Field[Any]) -> list[Declared]:
    """The declarations in one field of the settings, which may be a table."""
    if "place" not in one.metadata:
        return [_as_declared(one, one.name)]
    name, row = f"{one.name}.{one.metadata['place']}", one.metadata["of"]
    if row in (str, dict):
        return [_as_declared(one, name)]
    return [_as_declared(each, f"{name}.{each.name}") for each in fields(row)]


def _as_declared(one: Field[Any], name: str) -> Declared:
    """The declaration of a field under this name."""
    default = "" if one.default is MISSING else cast(Value, one.default)
    return Declared(name, default, **{key: one.metadata[key] for key in ("meaning", "takes", "example")})


def device_settings(settings: Settings, device: str) -> DeviceSettings:
    """The settings of a serial device, by default those of any."""
    return settings.devices.get(device, DeviceSettings())


def event_hooks(settings: Settings) -> dict[str, str]:
    """The player's commands by event."""
    usual = dict.fromkeys(("turn", "joined"), settings.hook)
    found = {name: event.hook or usual.get(name, "") for name, event in settings.events.items()}
    return {name: command for name, command in found.items() if command}


def rung_events(settings: Settings) -> frozenset[str]:
    """The events at which the bell rings."""
    return frozenset(name for name, event in settings.events.items() if event.bell and settings.bell)


# --- reading what a player has set, which is TOML that a person can read and edit -------------------------------------


R = TypeVar("R", "DeviceSettings", "EventSettings")
_TYPES = {
    str: "a quoted string",
    int: "a whole number",
    bool: "true or false",
    dict: "a table",
    tuple: "a list of quoted strings",
}
_BARE_KEY = re.compile(r"[a-z0-9_-]+")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_PREFIX = re.compile(rf"(?=.*[0-9])[0-9*#,W!@]{{1,{PREFIX_LIMIT}}}", re.ASCII)
_AT_COMMAND = re.compile(r"AT[ -~]*", re.IGNORECASE)


PERSONAL = ("name", "character")
"""What every profile has for itself: nobody falls back on the name of somebody else."""


def load_settings(home: Home) -> Settings:
    """The settings of this home. Raises StoreError for anything in the file that is no valid setting."""
    return settings_with(home, read_values(home.settings), f"{home.settings}: ")


def settings_with(home: Home, values: Mapping[str, Any], where: str = "") -> Settings:
    """The settings of this home if its file held these values. where: how sentences begin. Raises StoreError."""
    return of_profile(home, check_values(layer_values(inherited_values(home), values), where))


def inherited_values(home: Home) -> dict[str, Any]:
    """The values that the home's profile inherits from the Default one. Raises StoreError for a wrong one."""
    if home.fallback is None:
        return {}
    values = read_values(home.fallback)
    check_values(values, f"{home.fallback}: ")
    return shared_values(values)


def shared_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the Default profile that other profiles inherit."""
    return {key: value for key, value in values.items() if key not in PERSONAL}


def of_profile(home: Home, settings: Settings) -> Settings:
    """The settings with the profile's name as the player's, unless another is set."""
    named = settings.name or home.fallback is None
    return settings if named else replace(settings, name=home.profile)


def layer_values(below: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """These values over those below, table by table. A game's options below are left out where the preset differs."""
    presets = values.get("presets")
    if isinstance(presets, dict) and "options" in below:
        below = {**below, "options": {game: one for game, one in below["options"].items() if game not in presets}}
    return _merged(below, values)


def _merged(below: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values over those below, table by table."""
    tables = [key for key in below if isinstance(below[key], dict) and isinstance(values.get(key), dict)]
    return {**below, **values, **{key: _merged(below[key], values[key]) for key in tables}}


def read_values(path: Path) -> dict[str, Any]:
    """The unchecked values in a settings file. Raises StoreError, also if others may write it, as it can hold
    commands."""
    refuse_writable(path, "run commands as you")
    data = read_whole(path)
    try:
        return tomllib.loads((data or b"").decode("utf-8-sig"))  # as some editors write it
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"Can't read the settings {path}: {error}.",
            "Fix the line, or move the file aside to start with the defaults.",
        ) from None


def check_values(values: Mapping[str, object], where: str = "") -> Settings:
    """The Settings made of the values in a file. where: how sentences begin. Raises StoreError for anything wrong."""
    values = _with_tuples(values)
    _check_types(values, Settings(), where)
    settings = replace(Settings(), **values)
    devices = {
        name: _check_row(f"device {name!r}", each, DeviceSettings(), where) for name, each in settings.devices.items()
    }
    events = dict(Settings().events)
    for name, each in values.get("events", {}).items():
        if name not in events:
            raise StoreError(f"{where}There's no event {name!r}.", did_you_mean(name, events, 0.5))
        events[name] = _check_row(f"event {name!r}", each, events[name], where)
    for game, rules in settings.options.items():
        _check_rules(game, rules, settings.presets.get(game), where)
    settings = replace(settings, devices=devices, events=events)
    if fault := _find_fault(settings):
        raise StoreError(where + fault)
    return settings


def _check_row(what: str, values: object, defaults: R, where: str) -> R:
    """The settings of one device or event, made of its values. Raises StoreError."""
    if not isinstance(values, dict):
        raise StoreError(f"{where}The {what} needs a table of its own.")
    values = _with_tuples(values)
    _check_types(values, defaults, where, f" of the {what}")
    return replace(defaults, **values)


def _check_rules(key: str, values: object, preset: object, where: str) -> None:
    """Raise StoreError unless these are options of this game that go together with its preset."""
    from p2pcards.games.options import OptionError, with_values
    from p2pcards.games.registry import GAMES

    if key not in GAMES:
        raise StoreError(f"{where}There's no game {key!r}.", did_you_mean(key, GAMES, 0.5))
    if not isinstance(values, dict):
        raise StoreError(f"{where}The options for {key} need a table of their own.")
    presets = GAMES[key].presets
    try:
        with_values(presets.get(str(preset)) or next(iter(presets.values())), values)
    except OptionError as error:
        raise StoreError(f"{where}Options of {key}: {error}") from None


def _with_tuples(values: Mapping[str, object]) -> dict[str, Any]:
    """The values with lists turned into tuples."""
    return {key: tuple(value) if type(value) is list else value for key, value in values.items()}


def _check_types(
    values: Mapping[str, object], defaults: Settings | DeviceSettings | EventSettings, where: str, of: str = ""
) -> None:
    """Raise StoreError for a key that is no setting or a value of the wrong type."""
    known = [each.name for each in fields(defaults)]
    for key, value in values.items():
        if key not in known:
            raise StoreError(f"{where}There's no setting {key!r}{of}.", did_you_mean(key, known, 0.5))
        wanted = type(getattr(defaults, key))
        if type(value) is not wanted:
            raise StoreError(f"{where}The setting '{key}'{of} must be {_TYPES[wanted]}, not {_as_value(value)}.")


def _find_fault(settings: Settings) -> str:
    """The first thing wrong with settings whose types are right, as a sentence; "" if nothing is."""
    if settings.name and clean_name(settings.name) != settings.name:
        return f"The setting 'name' must be one line of at most {NAME_LIMIT} visible characters."
    if not 0 <= settings.port <= 65535:
        return f"The setting 'port' must be 0-65535, not {settings.port}."
    if not 0 <= settings.between_hands <= LONGEST_LOOK:
        return f"The setting 'between_hands' must be 0-{LONGEST_LOOK}, not {settings.between_hands}."
    for key, choices in SETTING_CHOICES.items():
        if getattr(settings, key) not in choices:
            known = ", ".join(filter(None, choices))
            return f"The setting '{key}' must be one of {known}, not {getattr(settings, key)!r}."
    for key in ("character", "hook", "speech", "player", "device", "opponents"):
        if not str(getattr(settings, key)).isprintable():
            return f"The setting '{key}' must be one line without control characters."
    if not all(type(song) is str and song.isprintable() for song in settings.songs):
        return "The setting 'songs' must be file names without control characters."
    if len(settings.brokers) > MOST_BROKERS or not all(
        type(one) is str and _BROKER.fullmatch(one) for one in settings.brokers
    ):
        return (
            f"The setting 'brokers' must be at most {MOST_BROKERS} addresses, each like mqtts://HOST:PORT, "
            "mqtt://HOST:PORT or wss://HOST:PORT/PATH."
        )
    if not settings.ways or not all(way in WAYS for way in settings.ways):
        return f"The setting 'ways' must name at least one of {', '.join(WAYS)}."
    if len(settings.stun) > MOST_BROKERS or not all(
        type(one) is str and _HOST_PORT.fullmatch(one) for one in settings.stun
    ):
        return f"The setting 'stun' must be at most {MOST_BROKERS} addresses, each like HOST:PORT."
    if settings.page and not _PAGE.fullmatch(settings.page):
        return "The setting 'page' must be an https address without a '#', such as https://cards.example.org/."
    if settings.tor and not _HOST_PORT.fullmatch(settings.tor):
        return "The setting 'tor' must be an address with a port, such as 127.0.0.1:9050."
    for game, song in settings.game_songs.items():
        if not (type(song) is str and song.isprintable() and _BARE_KEY.fullmatch(game)):
            return "The setting 'game_songs' must name one file for each game."
    for part, colour in settings.colours.items():
        if part not in COLOURS:
            return f"There's no screen part {part!r}. Parts: {', '.join(COLOURS)}."
        if not (type(colour) is str and _COLOUR.fullmatch(colour)):
            return f"The color of '{part}' must be written as #rrggbb, such as {COLOURS[part]}, not {colour!r}."
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
    """The first thing wrong with a device's settings, as a sentence; "" if nothing is."""
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
                f"The setting 'init' {of} must be AT commands of at most {INIT_LIMIT} printable ASCII characters each, "
                f"or one of the makes {', '.join(MAKES)}, not {text!r}."
            )
    if device.prefix and not _PREFIX.fullmatch(device.prefix):
        return (
            f"The setting 'prefix' {of} must be digits and * # , W ! @, at most {PREFIX_LIMIT} characters, not "
            f"{device.prefix!r}."
        )
    if not 1 <= device.rings <= MOST_RINGS:
        return f"The setting 'rings' {of} must be 1-{MOST_RINGS}, not {device.rings}."
    return ""


def _as_value(value: object) -> str:
    """A value as TOML writes it, for a sentence."""
    if isinstance(value, str | int):
        return json.dumps(value, ensure_ascii=False)
    return "a list" if isinstance(value, tuple) else f"a {type(value).__name__}"


# --- settings that serve although something in their file is wrong ----------------------------------------------------


INSTEAD = "Using the default. To fix it: p2pcards config edit"
MOST_FAULTS = 20
DEEPEST = 3
"""Steps to a setting: ``options.hearts.end_score``."""

Steps = tuple[str, ...]
Values = dict[str, Any]


class Usable(NamedTuple):
    settings: Settings  # with the default in place of each wrong value
    faults: tuple[str, ...] = ()  # a sentence for each wrong value, with its line


def usable_settings(home: Home) -> Usable:
    """The settings of this home with every wrong value left out, and what is wrong; files stay as they are."""
    try:
        return Usable(load_settings(home))
    except StoreError:
        pass
    below, told = _usable_values(home.fallback, {}) if home.fallback else ({}, [])
    values, faults = _usable_values(home.settings, shared_values(below))
    return Usable(of_profile(home, check_values(values)), (*told, *faults)[:MOST_FAULTS])


def _usable_values(path: Path, below: Values) -> tuple[Values, list[str]]:
    """The valid values of this file, over those below, and a sentence for each that is wrong."""
    try:
        values = read_values(path)
        text = (read_whole(path) or b"").decode("utf-8-sig")
    except StoreError as unreadable:
        return below, [f"{unreadable.with_advice} Until then, the defaults apply."]
    taken, faults = below, []
    for head in sorted(values, key=lambda head: head != "presets"):  # with which the options of a game go together
        taken, found = _with_value(taken, (head,), values[head], path, text)
        faults += found
    return taken, faults


def _with_value(taken: Values, steps: Steps, value: object, path: Path, text: str) -> tuple[Values, list[str]]:
    """The values taken so far and this one of the file, if valid; an invalid table is tried value by value. Also a
    sentence for each that is wrong."""
    tried = layer_values(taken, _nest_value(steps, value))
    try:
        check_values(tried, f"{path}, line {_line_of(text, steps)}: ")
    except StoreError as fault:
        if not (isinstance(value, dict) and value and len(steps) < DEEPEST):
            return taken, [f"{fault.with_advice} {INSTEAD}"]
        faults: list[str] = []
        for key, inner in value.items():
            taken, found = _with_value(taken, (*steps, key), inner, path, text)
            faults += found
        return taken, faults
    return tried, []


def _nest_value(steps: Steps, value: object) -> Values:
    """A table that holds this value alone, at this path of keys."""
    for step in reversed(steps):
        value = {step: value}
    return cast(Values, value)


def _line_of(text: str, steps: Steps) -> int:
    """The number of the line on which the value at this path ends in the TOML text."""
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


# --- changing one setting, and leaving everything else in the file as its owner wrote it ------------------------------


Change = Callable[[MutableMapping[str, Any]], None]


HERE, NAMED, FACTORY = "settings.toml", "profile", "program"
"""Where a value is from, beside the DEFAULT profile: the file of this home, the profile's name, the program."""


class SettingError(StoreError):
    """The fault of a setting that somebody named, or with the value for it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that was named."""

    declared: Declared
    path: tuple[str, ...]  # the keys that lead to it in the file: its table, then itself

    @property
    def name(self) -> str:
        """The name of the setting, its path joined by dots."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Stated:
    """A setting with its value."""

    found: Setting
    value: Value
    source: str  # where the value is from: HERE, DEFAULT, NAMED or FACTORY

    @property
    def written(self) -> bool:
        """True if the setting is in the file of this home."""
        return self.source == HERE


def find_setting(name: str) -> Setting:
    """The setting of this name, such as `devices./dev/ttyUSB0.speed`. Raises SettingError."""
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
                raise SettingError(f"There's no event {path[1]!r}.", _nearest_advice(path[1], TABLE_EVENTS))
            return Setting(declared, path)
    raise SettingError(f"There's no setting {name!r}.", _nearest_advice(name, _known_names()))


def list_settings(home: Home) -> list[Stated]:
    """Every setting with its value; of presets and devices those that are set. Raises StoreError."""
    settings = load_settings(home)
    state = _stating(home, settings)
    return [state(found) for found in _all_settings(settings)]


def state_setting(home: Home, found: Setting) -> Stated:
    """One setting with its value, or its default."""
    return _stating(home, load_settings(home))(found)


def read_value(found: Setting, words: Sequence[str]) -> Value:
    """Parse a value that a person typed. Raises SettingError."""
    default = found.declared.default
    if isinstance(default, tuple):
        return tuple(words)
    if len(words) != 1:
        raise _wrong_value(found, f"one value, not {len(words)}")
    word = words[0]
    if isinstance(default, bool):
        if word.lower() not in _TRUTH:
            raise _wrong_value(found, f"{found.declared.takes}, not {word!r}")
        return _TRUTH[word.lower()]
    if isinstance(default, int):
        if not (word.isascii() and word.removeprefix("-").isdecimal() and len(word) < 10):
            raise _wrong_value(found, f"{found.declared.takes}, not {word!r}")
        return int(word)
    return word


def set_setting(home: Home, found: Setting, value: Value) -> Settings:
    """Write a setting to the file; returns all settings. Raises SettingError for a wrong value."""

    def change(table: MutableMapping[str, Any]) -> None:
        """Put the value into the table."""
        for step in found.path[:-1]:
            table = table.setdefault(step, {})
        table[found.path[-1]] = list(value) if isinstance(value, tuple) else value

    return _change(home, found, change)


def set_rules(home: Home, game: str, preset: str, values: Mapping[str, Value]) -> None:
    """Write a game's preset ("" leaves it) and exactly these options to the file. Raises StoreError."""

    def change(table: MutableMapping[str, Any]) -> None:
        """Put preset and options into the table."""
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
    """Remove a setting from the file, so that its default holds."""
    if not state_setting(home, found).written:
        return

    def change(table: MutableMapping[str, Any]) -> None:
        """Take the setting out of the table."""
        for step in found.path[:-1]:
            table = table.get(step, {})
        table.pop(found.path[-1], None)

    _change(home, found, change)


def make_file(home: Home) -> None:
    """Write a settings file that sets nothing and explains everything, unless there is one."""
    with locked(home.settings):
        if not home.settings.exists():
            write_whole(home.settings, _blank_file().encode())


COMMANDS = ("hook", "speech", "player")
"""The settings of a player, and of an event, that are commands."""


def without_commands(text: str) -> str:
    """The text of a settings file from elsewhere, without the commands and modem settings in it. Raises StoreError if
    it cannot be read."""

    def change(table: MutableMapping[str, Any]) -> None:
        """Take commands and devices out of the table."""
        for place in (table, *table.get("events", {}).values()):
            for key in COMMANDS:
                place.pop(key, None)
        for key in ("device", "devices"):
            table.pop(key, None)

    try:
        values = tomllib.loads(text)
        change(values)
        changed = _rewrite_text(text, change)
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise StoreError("Can't read the settings in it.") from None
    if not _holds_values(changed, values):
        raise StoreError("The settings in it can't be imported as they're written.")
    return changed


_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _change(home: Home, found: Setting, change: Change) -> Settings:
    """Change the settings file under its lock, keeping comments; returns all settings. Raises SettingError."""
    with locked(home.settings):
        load_settings(home)
        text = home.settings.read_text(encoding="utf-8-sig") if home.settings.exists() else _blank_file()
        values = tomllib.loads(text)
        change(values)
        try:
            settings = settings_with(home, values)
        except StoreError as fault:
            raise SettingError(str(fault), _example_command(found)) from None
        changed = _rewrite_text(text, change)
        if not _holds_values(changed, values):
            raise StoreError(
                f"This command can't change the settings {home.settings} as they're written.",
                "Change the line yourself: p2pcards config edit",
            )
        write_whole(home.settings, changed.encode())
        return settings


def _rewrite_text(text: str, change: Change) -> str:
    """The TOML text with this change and otherwise as it was; "" where that fails, as with some dotted keys."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        change(document)
        return document.as_string()
    except TOMLKitError:
        return ""


def _holds_values(text: str, values: Mapping[str, Any]) -> bool:
    """True if the TOML text means exactly these values; checked before it is written."""
    try:
        return tomllib.loads(text) == values
    except ValueError:
        return False


def _rule_setting(name: str, key: str) -> Setting:
    """The setting for a rule option of a game, by key or short name. Raises SettingError."""
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
    """A function that gives each setting its value and where that comes from."""
    written = read_values(home.settings)
    merged = layer_values(inherited_values(home), written)

    def state(found: Setting) -> Stated:
        """The setting with its value and where that comes from."""
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


def _wrong_value(found: Setting, takes: str) -> SettingError:
    """The SettingError that says what this setting takes."""
    return SettingError(f"The setting '{found.name}' takes {takes}.", _example_command(found))


def _example_command(found: Setting) -> str:
    """The advice with the command that sets this setting to its example."""
    return f"For example: p2pcards config set {shlex.quote(found.name)} {found.declared.example}"


def _all_settings(settings: Settings) -> Iterator[Setting]:
    """Every setting that can be named, with a row for each device, event and preset that is set."""
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


def _known_names() -> set[str]:
    """All names of settings that somebody may have meant, with each event by itself."""
    return {one.name.replace("EVENT", event) for one in declared_settings() for event in TABLE_EVENTS}


def _nearest_advice(word: str, known: Iterable[str]) -> str:
    """Advice that names the known word nearest to this one."""
    return did_you_mean(word, known, 0.5) or "See p2pcards config list."


def _blank_file() -> str:
    """The text of a settings file that sets nothing and explains everything."""
    lines = ["# p2pcards settings. Anything not set here has its default (see p2pcards config list)."]
    for one in declared_settings():
        lines += ["", f"# {one.name}: {one.meaning}", f"#   Takes {one.takes}, such as {one.example}"]
    return "\n".join([*lines, "", "# Set here:", ""])
