"""What a player has set once for all games, what there is, and what each means and takes."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, cast

from p2pcards.store.makes import MAKES
from p2pcards.store.names import NAME_LIMIT
from p2pcards.store.screen_looks import BACKS, CARD_SIZES, COLOURS, OWN_BACKS, SUITS, TRICK_STAYS
from p2pcards.views.table_events import RUNG, TABLE_EVENTS

Rule = str | int | bool
Value = Rule | tuple[str, ...]

SPEEDS = (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)
"""Bits a second of a serial port: those of termios that are in use; POSIX names them up to 38400."""

FLOWS = ("rtscts", "xonxoff", "none")
"""Who may stop the other from sending: by the RTS and CTS wires, by characters, or nobody."""

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


def _setting(default: Value, meaning: str, takes: str, example: str) -> Any:
    """A field of settings. takes, example: what it takes, in words and as a person types one."""
    return field(default=default, metadata={"meaning": meaning, "takes": takes, "example": example})


def _switch(default: bool, meaning: str) -> Any:
    """A field that is on or off."""
    return _setting(default, meaning, "true or false", "false" if default else "true")


def _choice(default: str, meaning: str, choices: Collection[str], example: str, takes: str = "") -> Any:
    """A field that has one of a few values. takes: their names, unless it says otherwise."""
    named = takes or f"one of {', '.join(filter(None, choices))}"
    told = {"meaning": meaning, "takes": named, "example": example, "choices": tuple(choices)}
    return field(default=default, metadata=told)


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
    flow: str = _choice("rtscts", "Who may hold bytes back.", FLOWS, "xonxoff")
    init: tuple[str, ...] = _setting(
        (),
        f"AT commands to begin with, or a make of modem: {', '.join(MAKES)}.",
        f"AT commands of at most {INIT_LIMIT} characters each, or a make",
        "courier ATM0",
    )
    pulse: bool = _switch(False, "Dial by pulses, not by tones.")
    prefix: str = _setting(
        "",
        "What is dialled before a number that does not begin with it. Empty: nothing.",
        f"digits, and what a number may hold, at most {PREFIX_LIMIT} characters",
        "'9,'",
    )
    rings: int = _setting(
        1,
        "Rings before a call is answered; who calls is told between the first and the second.",
        f"a whole number from 1 to {MOST_RINGS}",
        "2",
    )


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What comes with one event of a table."""

    bell: bool = _switch(False, f"Ring the bell at this event. Unless set otherwise it rings at {', '.join(RUNG)}.")
    hook: str = _setting(
        "", "A command to run at this event; no shell runs it. Empty: none.", "one line of text", "'aplay knock.wav'"
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is kept; an empty text or a 0 leaves the choice to the program."""

    name: str = _setting(
        "",
        "The name that others see. Empty: that of your profile, or in Default your login name.",
        f"one line of at most {NAME_LIMIT} visible characters",
        "Ann",
    )
    character: str = _setting(
        "",
        "The character that stands for you, and plays for you while you are away. Empty: a free one.",
        "a character, as 'p2pcards characters' lists them",
        "granny",
    )
    ask: str = _choice(
        "once",
        "When you are asked for name and character at a terminal: once (while they are not set), always or never.",
        ASKING,
        "never",
    )
    ask_profile: bool = _switch(
        False, "Ask at a terminal who plays, where there are several profiles; off: whoever was switched to last."
    )
    port: int = _setting(
        0, "The port that 'p2pcards listen' waits on. 0: the usual one.", "a whole number from 0 to 65535", "4800"
    )
    bell: bool = _switch(True, "Let the terminal's bell ring; 'events' says when.")
    speed: str = _choice(
        "normal", "How fast computer players act where somebody looks on; off: at once.", PACES, "slow"
    )
    hook: str = _setting(
        "",
        "A command to run at your turn and when somebody sits down, where those have none of their own. Empty: none.",
        "one line of text",
        "'notify-send p2pcards'",
    )
    check_meldable: bool = _switch(False, "Ask before you play a card that is part of a meld which can still be made.")
    confirm_plays: bool = _switch(False, "Ask before anything that you do in a game.")
    show_meld_points: bool = _switch(
        False, "Show at your turn what the best meld of your hand counts (two-handed pinochle)."
    )
    forced: bool = _switch(False, "Do by itself what is the only thing that can be done.")
    auto_start: bool = _switch(
        True, "Deal at once when you play; off: the rules are shown first, and 'start' (or Enter) deals."
    )
    start_reminders: bool = _switch(True, "Tell who starts, at each hand.")
    sort: str = _choice(
        "",
        "How your hand is sorted. Empty: in two-handed pinochle by rank, in all other games by suit.",
        ("", *SORTS),
        "trump",
    )
    screen: bool = _switch(True, "Show tables on the full screen, where a terminal has one; off: in lines.")
    suits: str = _choice("four", "The colours of suits on the full screen; none: no colours at all.", SUITS, "two")
    card_back: str = _choice(
        "shade",
        "What the back of a card looks like.",
        (*BACKS, *OWN_BACKS),
        "dots",
        takes=f"one of {len(BACKS)}, or {OWN_BACKS[0]} to {OWN_BACKS[-1]}; any other word lists them",
    )
    card_size: str = _choice("window", "How large cards are drawn, where there is room for it.", CARD_SIZES, "large")
    colours: Mapping[str, str] = _table(
        dict,
        "PART",
        str,
        meaning=f"The colour of a part of the full screen: {', '.join(list(COLOURS)[:4])} and {len(COLOURS) - 4} more.",
        takes="a colour as #rrggbb",
        example="'#101010'",
    )
    square_corners: bool = _switch(False, "Draw cards with square corners.")
    shaded: bool = _switch(False, "Draw cards with a shadow, as if raised above the table.")
    stagger: bool = _switch(False, "Draw every other suit of your hand a row higher.")
    tint_melds: bool = _switch(False, "Draw cards that lie in your melds in a colour of their own.")
    animation: str = _choice("off", "How fast cards move on the full screen; off: not at all.", ANIMATIONS, "normal")
    mark_plays: bool = _switch(True, "Mark for a moment the card that another player plays.")
    mark_stock: bool = _switch(True, "Mark for a moment the pile that another player draws from.")
    trick_stays: str = _choice(
        "speed", "How long a trick that is over lies on the full screen; any key goes on.", TRICK_STAYS, "key"
    )
    auto_focus: bool = _switch(True, "On the full screen go to the first card that can be played, at your turn.")
    double_click: bool = _switch(
        False, "On the full screen a card is played by two quick clicks, not by two slow ones."
    )
    error_box: bool = _switch(False, "On the full screen tell what does not go in a box of its own.")
    status_messages: bool = _switch(True, "On the full screen say above the hand what there is to do.")
    phrases: bool = _switch(True, "Show what the characters at the table say.")
    speech: str = _setting(
        "",
        "A command that reads aloud: it gets what you are told on its standard input. No shell runs it. Empty: none.",
        "one line of text",
        "espeak",
    )
    music: str = _choice(
        "off",
        "How songs follow: the first alone, the first again, one after the other, by chance, that of the game.",
        MUSIC,
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
    show_records: bool = _switch(True, "Show at the end of a game who has won it how often.")
    save_options: bool = _switch(False, "Save the rules of a table as yours when you set one there; else 'save' does.")
    events: Mapping[str, EventSettings] = _table(
        lambda: {name: EventSettings(bell=name in RUNG) for name in TABLE_EVENTS}, "EVENT", EventSettings
    )
    devices: Mapping[str, DeviceSettings] = _table(dict, "DEVICE", DeviceSettings)
    """Those that were set; `device_settings` has the others too."""


SETTING_CHOICES: Mapping[str, tuple[str, ...]] = {
    one.name: one.metadata["choices"] for one in fields(Settings) if "choices" in one.metadata
}
"""The settings that have one of a few values."""


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
    if "place" not in one.metadata:
        return [_as_declared(one, one.name)]
    name, row = f"{one.name}.{one.metadata['place']}", one.metadata["of"]
    if row in (str, dict):
        return [_as_declared(one, name)]
    return [_as_declared(each, f"{name}.{each.name}") for each in fields(row)]


def _as_declared(one: Field[Any], name: str) -> Declared:
    default = "" if one.default is MISSING else cast(Value, one.default)
    return Declared(name, default, **{key: one.metadata[key] for key in ("meaning", "takes", "example")})


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
