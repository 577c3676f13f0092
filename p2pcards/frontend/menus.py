"""The menus of the table: what stands in each, what makes sense in this game and now, what is on, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.frontend.words import WORDS, action_verbs, level_lines, melds_cards
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.telling import PLAYERS
from p2pcards.players.levels import LEVELS, plays_as
from p2pcards.present.cards import Arrangement
from p2pcards.present.story import as_sentence
from p2pcards.store.settings import find_setting
from p2pcards.views.tableview import TableView

# --- what stands in each menu -----------------------------------------------------------------------------------------


WHAT = "what is this?"
"""In place of a line: the next click explains what is there."""
WHAT_MEANS = "click any part of the screen for an explanation"
SKILLS = "computer skill"
"""In place of a line: how well a computer player plays is chosen."""
SETTING = "config "
"""What the line of a setting that is on or off begins with."""


def _is_always_shown(_view: TableView) -> bool:
    return True


def _has_trump(view: TableView) -> bool:
    return view.trump is not None or bool({"bid", "order", "name"} & action_verbs(view))


def _has_open_door(view: TableView) -> bool:
    return view.open_door or bool(view.watchers)


def _has_watchers(view: TableView) -> bool:
    return bool(view.watchers)


def _has_other_people(view: TableView) -> bool:
    return any(person.link != "you" for person in view.people)


def _has_scoreboard(view: TableView) -> bool:
    return view.game in (None, "pinochle2")


def _has_levels(view: TableView) -> bool:
    return WORDS["computer"].works(view) and any(seat.plays == "computer" for seat in view.seats)


@dataclass(frozen=True, slots=True)
class MenuLine:
    line: str  # a word, or a whole line that begins with one
    label: str = ""  # "" for the line itself
    fits: Callable[[TableView], bool] = _is_always_shown  # it makes sense at this table
    switch: bool = False  # it is on or off
    asks: bool = False  # its arguments are chosen from a list, not typed


MENUS: Mapping[str, Sequence[MenuLine]] = {
    "Game": (
        MenuLine("start"),
        MenuLine("next", "next hand"),
        MenuLine("yes"),
        MenuLine("no"),
        MenuLine("accept"),
        MenuLine("again", "play again", asks=True),
        MenuLine("game", asks=True),
        MenuLine("save"),
        MenuLine("end", "end this game"),
        MenuLine("detach", "back to the shell"),
        MenuLine("leave", "leave for good"),
    ),
    "Deal": (
        MenuLine("undo"),
        MenuLine("redeal"),
        MenuLine("restart", "same cards again"),
        MenuLine("swap", "swap hands", asks=True),
        MenuLine("claim"),
        MenuLine("concede"),
        MenuLine("sort suit", "sort by suit", switch=True),
        MenuLine("sort rank", "sort by rank", switch=True),
        MenuLine("sort trump", "trump on the right", _has_trump, switch=True),
        MenuLine("sort off", "as dealt", switch=True),
        MenuLine("move", "move a card"),
        MenuLine("hand"),
        MenuLine("table"),
    ),
    "Options": (
        MenuLine("config", "all settings"),
        MenuLine("options", "options of the game"),
        MenuLine("set", "set an option"),
        MenuLine("stagger", "stagger the hand", switch=True),
        MenuLine("tint", "tint melds", melds_cards, switch=True),
        MenuLine("beside all", "side panel: log and chat", switch=True),
        MenuLine("beside talk", "side panel: chat only", switch=True),
        MenuLine("beside rules", "side panel: the rules", switch=True),
        MenuLine("beside none", "side panel: nothing", switch=True),
        MenuLine("config rules_frame", "rules in a frame", switch=True),
        MenuLine("config confirm_plays", "ask before each play", switch=True),
        MenuLine("config check_meldable", "ask before breaking melds", melds_cards, switch=True),
        MenuLine("config show_meld_points", "show meld points", melds_cards, switch=True),
        MenuLine("config forced", "play forced moves", switch=True),
        MenuLine("config auto_focus", "jump to a playable card", switch=True),
        MenuLine("config double_click", "double-click to play", switch=True),
        MenuLine("config error_box", "show errors in a box", switch=True),
        MenuLine("config start_box", "show who starts in a box", switch=True),
        MenuLine("config status_messages", "show what you can do", switch=True),
        MenuLine("config square_corners", "square corners", switch=True),
        MenuLine("config shaded", "shaded cards", switch=True),
        MenuLine("config bell", "bell", switch=True),
        MenuLine("config phrases", "characters talk", switch=True),
        MenuLine("config show_records", "show records after a game", switch=True),
        MenuLine("song", "what song is this?"),
        MenuLine("song skip", "next song"),
        MenuLine("song stop", "stop the music"),
    ),
    "Players": (
        MenuLine("who"),
        MenuLine("say"),
        MenuLine("quick", "phrase or gesture", asks=True),
        MenuLine("auto", "let the computer play", switch=True, asks=True),
        MenuLine("away", switch=True),
        MenuLine("back"),
        MenuLine("open", "show all hands", switch=True),
        MenuLine("computer", "computer players", asks=True),
        MenuLine(SKILLS, "skill levels", _has_levels, asks=True),
        MenuLine("partner", asks=True),
        MenuLine("sit", "choose who plays"),
        MenuLine("invite"),
        MenuLine("code"),
        MenuLine("link"),
        MenuLine("words", "check the connection", asks=True),
        MenuLine("mute", asks=True),
        MenuLine("redial", asks=True),
        MenuLine("reseat", "", _has_other_people),
        MenuLine("kick", "", _has_other_people, asks=True),
        MenuLine("seat", "seat a watcher", asks=True),
        MenuLine("seats", "open seats", _has_other_people, asks=True),
        MenuLine("watchers", "who can watch", _has_open_door, asks=True),
        MenuLine("give", "give up your seat", asks=True),
        MenuLine("show", "show your hand", _has_watchers, asks=True),
        MenuLine("handover", "hand over the table", asks=True),
        MenuLine("continue", "play on without the host"),
        MenuLine("player", "change player"),
    ),
    "Assistants": (
        MenuLine("hint"),
        MenuLine("do", "play the hint"),
        MenuLine("explain"),
        MenuLine("analyze"),
        MenuLine("melds", "", melds_cards),
        MenuLine("last", "last trick"),
        MenuLine("review", "tricks so far"),
        MenuLine("recall", asks=True),
        MenuLine("distribution"),
        MenuLine("allow", "help allowed", asks=True),
    ),
    "Records": (
        MenuLine("score", "last hand"),
        MenuLine("score all", "every hand"),
        MenuLine("records"),
        MenuLine("history"),
        MenuLine("league"),
        MenuLine("hall", "hall of fame"),
        MenuLine("scoreboard", "", _has_scoreboard, asks=True),
    ),
    "Help": (
        MenuLine("guide"),
        MenuLine("help", "commands"),
        MenuLine("rules"),
        MenuLine("about", "about the game"),
        MenuLine("games", "all games"),
        MenuLine(WHAT),
    ),
}
"""In their order. Each word of the table stands in one of them, but for those of the game itself, which cards and
buttons stand for."""


# --- the keys that say a line ---------------------------------------------------------------------------------------


KEY_LINES = {
    "f1": "help",
    "question_mark": "help",
    "f2": "sort",
    "f3": "score",
    "f4": "hint",
    "h": "hint",
    "f5": "explain",
    "x": "explain",
    "f6": "analyze",
    "a": "analyze",
    "f7": "last",
    "l": "last",
    "f8": "recall",
    "v": "score",
    "o": "do",
    "z": "undo",
    "m": "melds",
    "g": "rules",
    "f9": "rules",
    "f11": "beside",
    "comma": "stagger",
    "full_stop": "tint",
    "ctrl+o": "config",
    "ctrl+c": "detach",
}
"""What keys say that are not for cards or buttons."""

# --- the menus as they are now ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MenuItem:
    """An entry of a menu in its present state."""

    line: str  # to send; ends with a space if more is to be typed
    label: str
    meaning: str  # its full effect, in words
    on: bool | None = None  # None if it is not a switch
    asks: bool = False  # its arguments are chosen from a list first, see `completed_lines`
    letter: str = ""  # the key that selects it in its menu; "" when none is left


@dataclass(frozen=True, slots=True)
class Menu:
    title: str
    items: tuple[MenuItem, ...]


def build_menus(view: TableView, on: Collection[str], settings: Mapping[str, str], *, songs: bool) -> tuple[Menu, ...]:
    """The menus that have any entry now. on: the lines of the table that are switched on; settings: values by key of
    those that can be changed here; songs: some are played."""
    found = []
    for title, entries in MENUS.items():
        fitting = [entry for entry in entries if entry.fits(view) and _is_entry_shown(entry, view, settings, songs)]
        if items := tuple(_assign_letters(_menu_item(entry, on, settings) for entry in fitting)):
            found.append(Menu(title, items))
    return tuple(found)


def lines_on(view: TableView, arrangement: Arrangement, look: Mapping[str, bool]) -> set[str]:
    """The lines of the menus that are switched on. look: whether those are that only this front end has."""
    on = {
        f"sort {arrangement.order}": not arrangement.by_hand,
        "open": view.face_up,
        "auto": bool(view.auto),
        "away": view.away,
        **look,
    }
    return {line for line, is_on in on.items() if is_on}


def _is_entry_shown(entry: MenuLine, view: TableView, settings: Mapping[str, str], songs: bool) -> bool:
    word = entry.line.split()[0]
    if _changes_setting(entry):
        return entry.line.removeprefix(SETTING) in settings
    return entry.line == WHAT or (WORDS[word].works(view) and (songs or word != "song"))


def _changes_setting(entry: MenuLine) -> bool:
    return entry.line.startswith(SETTING)


def _menu_item(entry: MenuLine, on: Collection[str], settings: Mapping[str, str]) -> MenuItem:
    label = entry.label or entry.line
    label = f"{label[:1].upper()}{label[1:]}"
    if entry.line == WHAT:
        return MenuItem(WHAT, label, as_sentence(WHAT_MEANS))
    if _changes_setting(entry):
        key = entry.line.removeprefix(SETTING)
        is_on = settings[key] == "true"
        meaning = f"{find_setting(key).declared.meaning} Applies now and is saved ({entry.line})."
        return MenuItem(f"{entry.line} {'false' if is_on else 'true'}", label, meaning, is_on)
    word = WORDS[entry.line.split()[0]]
    more = " " if word.least and entry.line in WORDS and not entry.asks else ""
    meaning = f"{as_sentence(word.meaning)} ({word.usage})"
    mark = entry.line in on if entry.switch else None
    return MenuItem(f"{entry.line}{more}", f"{label}{'...' if more or entry.asks else ''}", meaning, mark, entry.asks)


def _assign_letters(items: Iterator[MenuItem]) -> Iterator[MenuItem]:
    """Give each item the first letter of its label that no earlier one has."""
    taken: set[str] = set()
    for item in items:
        letter = next((one for one in item.label.lower() if one.isalpha() and one not in taken), "")
        taken.add(letter)
        yield MenuItem(item.line, item.label, item.meaning, item.on, item.asks, letter)


# --- what follows a word that asks ------------------------------------------------------------------------------------


def completed_lines(line: str, view: TableView) -> list[tuple[str, str]]:
    """(line, label) of each line that continues this word: the word itself where it can stand alone, and every line one
    word longer; a trailing space means more must follow."""
    from p2pcards.frontend.completions import completions  # a tenth of a second at the first table

    if line == SKILLS:
        computers = [seat for seat in view.seats if seat.plays == "computer"]
        return [(one, short_line_label(one, view)) for seat in computers for one in level_lines(seat)]
    if line == "game":
        return [(one, short_line_label(one, view)) for one in (f"game {key}" for key in GAME_NAMES)]
    word = WORDS[line.split(maxsplit=1)[0]]
    said = len(line.split()) - 1
    longer = completions(f"{line.rstrip()} ", view)
    alone = [(line.strip(), f"just {line.strip()}")] if said >= word.least else []
    whole = said + 1 >= max(word.least, 1)
    return [*alone, *[(one.rstrip() if whole else one, short_line_label(one, view)) for one in longer]]


def short_line_label(line: str, view: TableView) -> str:
    """The label of a line among others that begin with the same word."""
    word, _, rest = line.strip().partition(" ")
    if word == "game" and rest in GAME_NAMES:
        return GAME_NAMES[rest]
    seat, _, who = rest.partition(" ")
    _, _, level = who.partition(":")
    if word == "computer" and level in LEVELS and seat.isdecimal() and 0 < int(seat) <= len(view.seats):
        there = view.seats[int(seat) - 1]
        lower = plays_as(view.game, level) if view.game in GAME_NAMES else level
        merged = f" (the same as {PLAYERS[lower]})" if lower != level else ""
        return f"{there.name} plays as {level}{merged}{' (now)' * (level == there.level)}"
    return line.strip()
