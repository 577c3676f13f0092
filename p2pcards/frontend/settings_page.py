"""The page of the settings: a change counts at once."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from p2pcards.frontend.option_pages import NotTaken, Row, Trial
from p2pcards.games.names import GAME_NAMES
from p2pcards.players.characters import CHARACTERS
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.screen_looks import COLOURED, COLOURS
from p2pcards.store.settings import SETTING_CHOICES, Value, event_hooks, rung_events
from p2pcards.store.settings_file import (
    Setting,
    Stated,
    clear_setting,
    find_setting,
    list_settings,
    read_value,
    set_setting,
    state_setting,
)
from p2pcards.store.settings_read import load_settings
from p2pcards.views.table_events import TABLE_EVENTS

GROUPS: Mapping[str, tuple[str, ...]] = {
    "You": ("name", "character", "ask", "ask_profile"),
    "At the table": (
        "speed",
        "sort",
        "forced",
        "confirm_plays",
        "check_meldable",
        "show_meld_points",
        "auto_start",
        "start_reminders",
        "phrases",
        "show_records",
        "save_options",
    ),
    "The screen": (
        "screen",
        "suits",
        "card_back",
        "card_size",
        "square_corners",
        "shaded",
        "stagger",
        "tint_melds",
        "animation",
        "mark_plays",
        "mark_stock",
        "trick_stays",
        "auto_focus",
        "double_click",
        "error_box",
        "status_messages",
    ),
    "Colours": tuple([f"colours.{part}" for part in COLOURS]),
    "Sounds": ("bell", "speech", "music", "player", "songs", *[f"game_songs.{game}" for game in GAME_NAMES]),
    "Events": ("hook", *[f"events.{event}.{what}" for event in TABLE_EVENTS for what in ("bell", "hook")]),
    "The line": ("port", "device"),
}
"""Every setting in its place; rules have pages of their own, and devices are set by `p2pcards config`."""

SWATCHES = (
    *("#000000", "#3a3a3a", "#55606a", "#808080", "#a9b5a6", "#c5d6c5", "#f4f1e6", "#ffffff"),
    *("#0c2e1e", "#12402a", "#00795a", "#2e8b57", "#8fbc8f", "#0b2545", "#1b3a5c", "#1d5c8c"),
    *("#0067c7", "#7fa3d1", "#c8ecff", "#8c2f1b", "#c23b00", "#ff6347", "#f7d9b8", "#ffe9a8"),
    *("#ffe066", "#f0e6a8", "#5b2a5e", "#9b59b6", "#e0b0ff"),
)
"""Colours to go through; any other can be typed."""


class SettingsPage:
    """The settings of a home."""

    title = "Options"
    looks = True

    def __init__(self, home: Home) -> None:
        self._home = home
        self._before: dict[str, Stated] = {}

    def groups(self) -> list[tuple[str, list[Row]]]:
        """Raises StoreError where the settings cannot be read."""
        stated = {one.found.name: one for one in list_settings(self._home)}
        return [(group, [self._row(name, stated.get(name)) for name in names]) for group, names in GROUPS.items()]

    def change(self, key: str, text: str) -> None:
        """Raises NotTaken."""
        found = find_setting(key)
        self._note(found)
        try:
            words = _words(text) if isinstance(found.declared.default, tuple) else [text.strip()]
            set_setting(self._home, found, read_value(found, words))
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def reset(self, key: str) -> None:
        """Raises NotTaken."""
        found = find_setting(key)
        self._note(found)
        self._put(found, None)

    def start_over(self) -> None:
        """Raises NotTaken."""
        for stated in self._before.values():
            self._put(stated.found, stated.value if stated.written else None)

    def trial(self, key: str) -> Trial | None:
        """Of an event, of what reads aloud and of what plays songs. Raises NotTaken where nothing is set."""
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
            raise NotTaken("There is nothing to hear: it is not set.")
        return trial

    def _note(self, found: Setting) -> None:
        """What it was before it was changed first."""
        if found.name not in self._before:
            self._before[found.name] = state_setting(self._home, found)

    def _put(self, found: Setting, value: Value | None) -> None:
        try:
            if value is None:
                clear_setting(self._home, found)
            else:
                set_setting(self._home, found, value)
        except StoreError as fault:
            raise NotTaken(str(fault)) from None

    def _row(self, name: str, stated: Stated | None) -> Row:
        found = find_setting(name)
        part = name.removeprefix("colours.")
        value = stated.value if stated else COLOURS.get(part, found.declared.default)
        values = SETTING_CHOICES.get(name, ("", *CHARACTERS) if name == "character" else ())
        if isinstance(found.declared.default, bool):
            values = ("true", "false")
        elif part != name:
            values = tuple(dict.fromkeys((COLOURS[part], *SWATCHES)))
        typed = not values or part != name
        return Row(
            name, _text(value), _meaning(found), found.declared.takes, values, not (stated and stated.written), typed
        )


def _words(text: str) -> list[str]:
    """Raises NotTaken."""
    try:
        return shlex.split(text)
    except ValueError:
        raise NotTaken(f"The quotation marks of '{text}' do not match.") from None


def _meaning(found: Setting) -> str:
    """What a setting is for, of an event with when it comes."""
    head, *rest = found.path
    if head == "events":
        when = f"When {TABLE_EVENTS[rest[0]]}:"
        return f"{when} {found.declared.meaning.partition(' Unless')[0]}"
    if head == "colours":
        return f"The colour of {COLOURED[rest[0]]}."
    return found.declared.meaning


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return shlex.join(value) if isinstance(value, tuple) else str(value)
