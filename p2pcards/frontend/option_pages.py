"""Pages of what can be changed, as line mode and screen show them: settings, rules that a player has of a game, and
those of a game that is about to be played."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from p2pcards.frontend.words import option_values
from p2pcards.games.game import AnyGame
from p2pcards.games.names import GAME_NAMES, preset_in_words
from p2pcards.games.options import OptionError, declared_options, readable_key, set_options, value_text
from p2pcards.games.prose import nearest_preset, option_effect_text, rules_in_brief
from p2pcards.games.registry import GAMES
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.rules import preset_values
from p2pcards.present.story import as_sentence
from p2pcards.store.files import Home, StoreError
from p2pcards.store.own_rules import OwnRules, own_options, own_rules, save_rules
from p2pcards.store.settings import (
    COLOURED,
    COLOURS,
    SETTING_CHOICES,
    Setting,
    Stated,
    Value,
    clear_setting,
    event_hooks,
    find_setting,
    list_settings,
    load_settings,
    read_value,
    rung_events,
    set_rules,
    set_setting,
    state_setting,
)
from p2pcards.views.happenings import TABLE_EVENTS
from p2pcards.views.tableview import TableView

# --- pages of what can be changed, as line mode and screen show them --------------------------------------------------


class NotTaken(Exception):
    """Why a value was refused, as a sentence."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option on the page, with its value."""

    key: str
    value: str  # as it is typed
    meaning: str
    takes: str  # the values that can be typed, in words
    values: tuple[str, ...]  # to step through
    usual: bool  # the value is the program's own, or the preset's
    typed: bool = False  # values besides these can be typed
    label: str = ""  # its name for people; "" for the key
    effect: str = ""  # the effect of the value on the rules, in words

    @property
    def shown(self) -> str:
        """The value in words."""
        return self.value if self.typed and self.value else readable_key(self.value or "-")


@dataclass(frozen=True, slots=True)
class Trial:
    """How to try out a setting that is heard: its bell, or its command."""

    bell: bool = False  # ring the terminal's bell
    command: str = ""  # to run; "" for none
    text: str = ""  # its standard input
    arguments: tuple[str, ...] = ()  # appended to the command
    environment: Mapping[str, str] = field(default_factory=dict)  # added to its environment


class OptionPage(Protocol):
    """A page of options that can be changed. title: what it is about; looks: a change alters what the screen looks
    like; groups: the rows by topic, none once nothing can be changed. `change`, `reset`, `factory` and `undo_all`
    raise NotTaken."""

    @property
    def title(self) -> str:
        """What the options are about."""

    @property
    def looks(self) -> bool:
        """Return whether a change alters what the screen looks like."""

    def groups(self) -> Sequence[tuple[str, Sequence[OptionRow]]]:
        """(topic, its rows) of all options."""

    def change(self, key: str, text: str) -> None:
        """Set an option to a value as it is typed."""

    def reset(self, key: str) -> None:
        """Set an option to its default for this player."""

    def factory(self, key: str) -> None:
        """Set an option to the program's own default."""

    def undo_all(self) -> None:
        """Set every option to its value when the page was made."""

    def trial(self, key: str) -> Trial | None:
        """How to try out an option, None where there is nothing to hear."""


def run_config_command(page: OptionPage | None, arguments: Sequence[str]) -> list[str]:
    """The lines for `config`: every option, or the named one, after setting it to the given value. Raises NotTaken."""
    if page is None:
        raise NotTaken("Your settings can't be read. To see why: p2pcards config list")
    key, *value = arguments or ("",)
    if value:
        page.change(key, " ".join(value))
    rows = [(group, row) for group, rows in page.groups() for row in rows if key in ("", row.key)]
    if not rows:
        raise NotTaken(f"There's no setting {key!r}. Type config for the list.")
    lines = [f"{row.key} = {row.value or 'not set'}: {row.label}" for _, row in rows]
    return lines if not key else [*lines, f"{rows[0][1].meaning} Takes {rows[0][1].takes}."]


def switch_values(page: OptionPage | None) -> dict[str, str]:
    """The on/off options of the page by key; empty where they cannot be read."""
    try:
        groups = page.groups() if page else ()
    except StoreError:
        return {}
    return {row.key: row.value for _, rows in groups for row in rows if row.values == ("true", "false")}


# --- pages of rules ---------------------------------------------------------------------------------------------------


class RulesPage:
    """The player's own rules for a game, used at tables that they begin."""

    looks = False

    def __init__(self, home: Home, game: AnyGame) -> None:
        self._home = home
        self._game = game
        self._before = own_rules(load_settings(home), game)

    @property
    def title(self) -> str:
        return f"Your rules for {self._game.name}"

    def groups(self) -> list[tuple[str, list[OptionRow]]]:
        """Raises StoreError where the settings cannot be read, or name a preset that does not exist."""
        own, options = self._current_rules()
        values = {one.key: getattr(options, one.key) for one in declared_options(self._game.options)}
        return [("", [_preset_row(self._game, own.preset), *_rule_rows(self._game, own.preset, values)])]

    def change(self, key: str, text: str) -> None:
        """Set an option; another preset sets all of them. Raises NotTaken."""
        _, options = self._current_rules()
        try:
            if key == "preset":
                set_rules(self._home, self._game.key, text, {})
            else:
                save_rules(self._home, self._game, set_options(options, {key: text}))
        except (OptionError, StoreError) as fault:
            raise NotTaken(str(fault)) from None

    def reset(self, key: str) -> None:
        """Set an option to the preset's value, the preset to the program's default. Raises NotTaken."""
        own, _ = self._current_rules()
        first = next(iter(self._game.presets))
        self.change(key, first if key == "preset" else value_text(getattr(self._game.presets[own.preset], key)))

    factory = reset

    def undo_all(self) -> None:
        try:
            set_rules(self._home, self._game.key, self._before.preset, self._before.values)
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def trial(self, key: str) -> None:
        """None: rules cannot be heard."""

    def _current_rules(self) -> tuple[OwnRules, Any]:
        own = own_rules(load_settings(self._home), self._game)
        return own, own_options(self._game, own)


def can_change_rules(view: TableView) -> bool:
    """Return whether the person at this end may change the rules of the next game."""
    return view.role == "coordinator" and view.phase in ("lobby", "over") and view.game in GAMES


class TableRulesPage:
    """The rules of the next game at a table, changed by its coordinator. view: the present table; say: sends a line to
    it, answered by the next view or a refusal."""

    looks = False

    def __init__(self, view: Callable[[], TableView], say: Callable[[str], None]) -> None:
        self._view = view
        self._say = say
        self._before = view()

    @property
    def title(self) -> str:
        return f"{self._view().game_name}: rules at this table"

    def groups(self) -> list[tuple[str, list[OptionRow]]]:
        """(topic, its rows) of all options; none once the rules can no longer be changed."""
        view = self._view()
        if not can_change_rules(view):
            return []
        game, preset = GAMES[view.game or ""], _nearest_preset(view)
        return [("", [_preset_row(game, preset), *_rule_rows(game, preset, dict(view.options))])]

    def change(self, key: str, text: str) -> None:
        """Set an option of the next game, by a line to the table."""
        game = self._view().game
        self._say(f"game {game} {text}" if key == "preset" else f"set {key}={text.strip()}")

    def reset(self, key: str) -> None:
        """Set an option to the preset's value, the preset to the game's first one."""
        view = self._view()
        presets = GAMES[view.game or ""].presets
        usual = next(iter(presets)) if key == "preset" else value_text(getattr(presets[_nearest_preset(view)], key))
        self.change(key, usual)

    factory = reset

    def trial(self, key: str) -> None:
        """None: rules cannot be heard."""

    def undo_all(self) -> None:
        before, now = self._before, self._view()
        preset = _nearest_preset(before)
        if preset == _nearest_preset(now):
            usual = dict(now.options)
        else:
            self.change("preset", preset)
            usual = preset_values(GAMES[before.game or ""], preset)
        for key, value in before.options:
            if usual.get(key) != value:
                self.change(key, value_text(value))


def _nearest_preset(view: TableView) -> str:
    """The name of the preset in force; of own rules, the preset that is nearest to them."""
    game = GAMES[view.game or ""]
    return view.preset if view.preset in game.presets else nearest_preset(game, dict(view.options))


def _preset_row(game: AnyGame, preset: str) -> OptionRow:
    """The row in which a preset is chosen."""
    presets = tuple(game.presets)
    meaning = "The rules to start from. Choosing a preset sets every option."
    words = preset_in_words(preset)
    effect = f"{game.name} {words}. {rules_in_brief(game, preset_values(game, preset))}"
    takes = f"one of {', '.join(presets)}"
    return OptionRow("preset", preset, meaning, takes, presets, preset == presets[0], label="rules", effect=effect)


def _rule_rows(game: AnyGame, preset: str, values: Mapping[str, object]) -> Iterator[OptionRow]:
    """A row for every option of the game's rules. values: by key; a row's default is the preset's value."""
    for one in declared_options(game.options):
        usual = values[one.key] == getattr(game.presets[preset], one.key)
        choices = tuple(option_values(game, one.key))
        typed = one.kind == "number" and len(choices) <= one.high - one.low
        yield OptionRow(
            one.key,
            value_text(values[one.key]),
            as_sentence(one.meaning),
            one.range,
            choices,
            usual,
            typed,
            readable_key(one.key),
            option_effect_text(game, values, one.key),
        )


# --- the page of the settings -----------------------------------------------------------------------------------------


GROUPS: Mapping[str, tuple[str, ...]] = {
    "You": ("name", "character", "ask", "ask_profile"),
    "At the table": (
        "speed",
        "sort",
        "forced",
        "say_go",
        "confirm_plays",
        "check_meldable",
        "show_meld_points",
        "auto_start",
        "between_hands",
        "start_reminders",
        "opponents",
        "phrases",
        "show_records",
        "save_options",
    ),
    "Screen": (
        "screen",
        "suits",
        "card_back",
        "card_size",
        "card_pictures",
        "square_corners",
        "shaded",
        "stagger",
        "tint_melds",
        "rules_frame",
        "animation",
        "mark_plays",
        "mark_stock",
        "trick_stays",
        "auto_focus",
        "double_click",
        "error_box",
        "start_box",
        "status_messages",
    ),
    "Colors": tuple([f"colours.{part}" for part in COLOURS]),
    "Sounds": ("bell", "speech", "music", "player", "songs", *[f"game_songs.{game}" for game in GAME_NAMES]),
    "Events": ("hook", *[f"events.{event}.{what}" for event in TABLE_EVENTS for what in ("bell", "hook")]),
    "Connection": ("port", "device", "reach", "brokers", "ways", "stun", "page", "tor"),
}
"""Every setting in its place; rules have pages of their own, and devices are set by `p2pcards config`."""

LABELS = {
    "name": "your name",
    "character": "your character",
    "ask": "ask for my name",
    "ask_profile": "ask for a profile",
    "speed": "computer speed",
    "sort": "sort my hand by",
    "forced": "play forced moves",
    "say_go": "say go for me",
    "opponents": "opponents",
    "confirm_plays": "confirm each play",
    "check_meldable": "confirm breaking a meld",
    "show_meld_points": "show meld points",
    "auto_start": "deal right away",
    "between_hands": "pause between hands",
    "start_reminders": "show who starts",
    "phrases": "characters talk",
    "show_records": "records after a game",
    "save_options": "remember my rules",
    "screen": "full screen",
    "suits": "suit colors",
    "card_back": "card back",
    "card_size": "card size",
    "card_pictures": "picture cards",
    "square_corners": "square corners",
    "shaded": "shadows",
    "stagger": "stagger the hand",
    "tint_melds": "tint melds",
    "rules_frame": "rules in a frame",
    "animation": "animation",
    "mark_plays": "highlight plays",
    "mark_stock": "highlight draws",
    "trick_stays": "pause after a trick",
    "auto_focus": "jump to a playable card",
    "double_click": "double-click to play",
    "error_box": "show errors in a box",
    "start_box": "show who starts in a box",
    "status_messages": "show what you can do",
    "bell": "bell",
    "speech": "speech command",
    "music": "music",
    "player": "music player",
    "songs": "songs",
    "hook": "command on your turn",
    "port": "port",
    "device": "serial device",
    "reach": "meeting points",
    "brokers": "brokers",
    "ways": "ways to connect",
    "stun": "STUN servers",
    "page": "page for links",
    "tor": "tor",
}
"""What the settings are called where people read; those of colours, events and songs follow from their keys."""


def setting_label(name: str) -> str:
    """The label of a setting on its page, below the heading of its group."""
    head, *rest = name.split(".")
    match head:
        case "colours":
            return " ".join(rest).replace("_", " ")
        case "events":
            return f"{rest[0].replace('_', ' ')}: {'command' if rest[1] == 'hook' else rest[1]}"
        case "game_songs":
            return GAME_NAMES[rest[0]]
        case _:
            return LABELS[name]


SWATCHES = (
    *("#000000", "#3a3a3a", "#55606a", "#808080", "#a9b5a6", "#c5d6c5", "#f4f1e6", "#ffffff"),
    *("#0c2e1e", "#12402a", "#00795a", "#2e8b57", "#8fbc8f", "#0b2545", "#1b3a5c", "#1d5c8c"),
    *("#0067c7", "#7fa3d1", "#c8ecff", "#8c2f1b", "#c23b00", "#ff6347", "#f7d9b8", "#ffe9a8"),
    *("#ffe066", "#f0e6a8", "#5b2a5e", "#9b59b6", "#e0b0ff"),
)
"""Colours to go through; any other can be typed."""


class SettingsPage:
    """The settings in a home."""

    title = "Options"
    looks = True

    def __init__(self, home: Home) -> None:
        self._home = home
        self._before: dict[str, Stated] = {}

    def groups(self) -> list[tuple[str, list[OptionRow]]]:
        """Raises StoreError where the settings cannot be read."""
        stated = {one.found.name: one for one in list_settings(self._home)}
        return [
            (group, [self._setting_row(name, stated.get(name)) for name in names]) for group, names in GROUPS.items()
        ]

    def change(self, key: str, text: str) -> None:
        found = find_setting(key)
        self._note_first_value(found)
        try:
            words = _split_words(text) if isinstance(found.declared.default, tuple) else [text.strip()]
            set_setting(self._home, found, read_value(found, words))
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def reset(self, key: str) -> None:
        found = find_setting(key)
        self._note_first_value(found)
        self._put(found, None)

    def factory(self, key: str) -> None:
        """Set a setting to the program's default, even where the Default profile has another value. Raises NotTaken."""
        self.reset(key)
        found = find_setting(key)
        own = COLOURS.get(key.removeprefix("colours."), found.declared.default)
        if state_setting(self._home, found).value not in (own, found.declared.default):
            self._put(found, own)

    def undo_all(self) -> None:
        for stated in self._before.values():
            self._put(stated.found, stated.value if stated.written else None)

    def trial(self, key: str) -> Trial | None:
        """How to try out an event, the speech command or the song command; None for other settings. Raises NotTaken
        where none is set."""
        settings = load_settings(self._home)
        head, *rest = key.split(".")
        if head == "events":
            event = rest[0]
            hook = event_hooks(settings).get(event, "")
            environment = {"P2PCARDS_EVENT": event, "P2PCARDS_TABLE": ""}
            trial = Trial(event in rung_events(settings), hook, environment=environment)
        elif key == "speech":
            trial = Trial(command=settings.speech, text="This is p2pcards.\n")
        elif key in ("player", "songs"):
            trial = Trial(command=settings.player, arguments=settings.songs[:1])
        else:
            return None
        if not (trial.bell or trial.command):
            raise NotTaken("Nothing to try: this isn't set.")
        return trial

    def _note_first_value(self, found: Setting) -> None:
        """Remember the value that a setting had before its first change."""
        if found.name not in self._before:
            self._before[found.name] = state_setting(self._home, found)

    def _put(self, found: Setting, value: Value | None) -> None:
        """Store a setting, or clear it for None. Raises NotTaken."""
        try:
            if value is None:
                clear_setting(self._home, found)
            else:
                set_setting(self._home, found, value)
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def _setting_row(self, name: str, stated: Stated | None) -> OptionRow:
        found = find_setting(name)
        part = name.removeprefix("colours.")
        value = stated.value if stated else COLOURS.get(part, found.declared.default)
        values = SETTING_CHOICES.get(name, ("", *CHARACTERS) if name == "character" else ())
        if isinstance(found.declared.default, bool):
            values = ("true", "false")
        elif part != name:
            values = tuple(dict.fromkeys((COLOURS[part], *SWATCHES)))
        typed = not values or part != name
        usual = not (stated and stated.written)
        return OptionRow(
            name,
            _value_text(value),
            _setting_meaning(found),
            found.declared.takes,
            values,
            usual,
            typed,
            setting_label(name),
        )


def _split_words(text: str) -> list[str]:
    """Split a typed list into its words, as a shell does. Raises NotTaken."""
    try:
        return shlex.split(text)
    except ValueError:
        raise NotTaken(f"The quotes in '{text}' don't match.") from None


def _setting_meaning(found: Setting) -> str:
    """The description of a setting; of an event, with when it comes."""
    head, *rest = found.path
    if head == "events":
        when = f"When {TABLE_EVENTS[rest[0]]}:"
        return f"{when} {found.declared.meaning.partition(' Unless')[0]}"
    if head == "colours":
        return f"The color of {COLOURED[rest[0]]}."
    return found.declared.meaning


def _value_text(value: Value) -> str:
    return shlex.join(value) if isinstance(value, tuple) else value_text(value)
