"""The guide as a whole: every page by its name, every topic, what is found where a word is looked up, and the pages
that are made from the program, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import fill

from p2pcards import __version__
from p2pcards.frontend.words import WORDS
from p2pcards.games.game import AnyGame
from p2pcards.games.names import GAME_NAMES, preset_in_words
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.options import Option, declared_options, value_text
from p2pcards.games.prose import (
    ITEM,
    effects_by_value,
    join_paragraphs,
    one_sentence_summary,
    rules_in_brief,
    rules_in_words,
)
from p2pcards.games.registry import GAMES, UnknownGame, find_variant
from p2pcards.games.spelling import is_card_word
from p2pcards.games.telling import PLAYERS, level_texts, load_told
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.stories import STORIES
from p2pcards.present import guide
from p2pcards.present.rules import preset_values, presets_with_other_value, value_in_preset
from p2pcards.present.width import wrap_words
from p2pcards.store.settings import declared_settings
from p2pcards.views.tableview import TableView

# --- the pages of the guide that are made from the program, as Markdown -----------------------------------------------


HERE = "here"
"""The page about the table at which it is asked for."""
LINE = 120
"""Columns of a line of the prose of rules."""


def game_page_markdown(name: str, view: TableView | None) -> str:
    """A page about a game, as Markdown. name: such as "rules/hearts", its first part one of `GAME_KINDS`; view: of the
    table whose rules are in force, None for a preset's. Raises UnknownGame."""
    kind, _, key = name.partition("/")
    game, preset = find_variant(key)
    return GAME_KINDS[kind](game, preset, view if view and view.game == game.key and not preset else None)


def _rules_page(game: AnyGame, preset: str, view: TableView | None) -> str:
    """The rules in words and the options: those in force at the table, else those of a preset, else of the first
    preset."""
    usual = preset or next(iter(game.presets))
    values = dict(view.options) if view else preset_values(game, usual)
    options = [
        f"- `{option.key}` = {value_text(values.get(option.key, option.default))}: {option.meaning}"
        for option in declared_options(game.options)
    ]
    well = load_told(game.key).strategy
    chosen = _preset_label(view.preset) if view and view.preset in game.presets else "As set for this table"
    return "\n\n".join(
        [
            f"# {game.name}{f', {preset_in_words(preset)}' if preset else ''}",
            rules_in_brief(game, values),
            join_paragraphs([_markdown_paragraph(part.replace("`", "")) for part in rules_in_words(game, values)]),
            "## Options at this table" if view else "## The options",
            f"{chosen}:" if view else f"{_preset_label(usual)}:",
            "\n".join(options),
            f"See also: [all options of {game.name}](../options/{game.key}.md), [its history](../about/{game.key}.md)"
            + (f", [strategy](../{well}.md)." if well else "."),
        ]
    )


def _markdown_paragraph(text: str) -> str:
    """A paragraph or list item, wrapped into the page's lines."""
    return fill(text, LINE, subsequent_indent="  " * text.startswith(ITEM), break_on_hyphens=False)


def _preset_label(preset: str) -> str:
    words = preset_in_words(preset)
    return f"{words[:1].upper()}{words[1:]} (preset {preset})"


def _options_page(game: AnyGame, _preset: str, _view: TableView | None) -> str:
    """The options of a game, with their values in each preset."""
    meanings = [f"## {option.key}\n\n{_option_item(game, option)}" for option in declared_options(game.options)]
    first = next(iter(option.key for option in declared_options(game.options)))
    presets = ", ".join([f"{name} ({preset_in_words(name)})" for name in game.presets])
    return "\n\n".join(
        [
            f"# Options of {game.name}",
            f"Presets: {presets}. At a table, between games, type `set {first}=VALUE`. "
            "For other ways, see [Changing the rules](../changing.md).",
            *meanings,
            f"[The rules of {game.name}](../rules/{game.key}.md)",
        ]
    )


def _option_item(game: AnyGame, option: Option) -> str:
    first = value_in_preset(game, option)
    other = [f", {value} in {name}" for name, value in presets_with_other_value(game, option)]
    usual = f"{first}{''.join(other)}"
    effects = [
        f"- {', '.join(values)}: {effect}" if values else effect for effect, values in effects_by_value(option).items()
    ]
    meaning = f"{option.meaning[:1].upper()}{option.meaning[1:]}. Takes {option.range}. Default: {usual}."
    return "\n\n".join([meaning, "\n".join(effects)])


def _about_page(game: AnyGame, _preset: str, _view: TableView | None) -> str:
    """The history of a game, and which levels play alike in it."""
    link = f"[The rules of {game.name}](../rules/{game.key}.md)"
    return "\n\n".join([f"# About {game.name}", load_told(game.key).about, *level_texts([game], PLAYERS), link])


GAME_KINDS: Mapping[str, Callable[[AnyGame, str, TableView | None], str]] = {
    "rules": _rules_page,
    "options": _options_page,
    "about": _about_page,
}
"""What there is of each game, by what the names of the pages begin with."""


def _games_page(_view: TableView | None) -> str:
    """A page that lists every game with its pages."""
    lines = []
    for key, game in GAMES.items():
        links = f"[Its options](options/{key}.md), [about it](about/{key}.md)"
        lines.append(f"- [{game.name}](rules/{key}.md): {one_sentence_summary(game)} {links}.")
        for preset, words in load_told(key).apart.items():
            lines.append(f"- [{preset.capitalize()} {key}](rules/{preset}-{key}.md): {words}")
    return "\n\n".join(
        [
            "# Games",
            "`p2pcards play GAME` starts a game, `p2pcards rules GAME` explains it.",
            "\n".join(lines),
        ]
    )


def _words_page(_view: TableView | None) -> str:
    """A page of the words that can be typed at a table."""
    words = [f"## {name}\n\n`{word.usage}`: {word.meaning}." for name, word in WORDS.items()]
    return "\n\n".join(
        [
            "# Commands at the table",
            "Type these at the prompt in line mode, or after `/` on the full screen. The first letters are enough. "
            "`help` lists the ones that work now, and `help WORD` explains one.",
            *words,
        ]
    )


def _settings_page(_view: TableView | None) -> str:
    rows = [
        f"## {one.name}\n\n{one.meaning} Takes {one.takes}: `p2pcards config set {one.name} {one.example}`."
        for one in declared_settings()
    ]
    return "\n\n".join(
        [
            "# Settings",
            "How the table looks and sounds, how fast the computer plays, who you are. "
            "`p2pcards config list` shows every setting, `p2pcards config set KEY VALUE` changes one, "
            "`p2pcards config clear KEY` resets it; on the title screen, press O. Replace words in capitals with a "
            "game, an event or a part of the screen. [How to](howto.md) has the usual ones.",
            *rows,
        ]
    )


def _characters_page(_view: TableView | None) -> str:
    """A page of the twelve characters."""
    rows = [
        f'## {one.name}\n\n`{one.key}`, {one.level}. "{one.greeting}"\n\n{fill(STORIES[key], LINE)}'
        for key, one in CHARACTERS.items()
    ]
    return "\n\n".join(
        [
            "# Meet the players",
            "Twelve characters fill empty seats and sit in for players who step away. Each has a level of their own; "
            "to choose another: `p2pcards play GAME --with betty,wayne:carefree`. "
            "Novices make beginners' mistakes, standard players rarely do, and experts remember every card they've "
            "seen. More in [About the opponents](opponents.md).",
            *rows,
        ]
    )


def _program_page(_view: TableView | None) -> str:
    """A page about the program: its version and license."""
    return "\n\n".join(
        [
            "# About this program",
            f"p2pcards {__version__}, by the p2pcards developers. Free software under the MIT license.",
            "`p2pcards credits` names the programs that inspired its games, and the libraries it uses. "
            "[For the technically curious](curious.md) explains how it works.",
        ]
    )


def _current_table_page(view: TableView | None) -> str:
    """A page about this table: what the player can do now, and where to read more."""
    if view is None:
        return ""
    game = GAMES.get(view.game or "")
    reading = [
        *([f"[The rules of {game.name} at this table](rules/{game.key}.md)"] if game else []),
        "[Playing the game](playing.md), from the deal to the score",
        "[The layout](layout.md): what each part of the screen is",
        "[Shortcuts](shortcuts.md): every key, and [Using the mouse](mouse.md)",
        *([f"[Strategy]({load_told(game.key).strategy}.md)"] if game and load_told(game.key).strategy else []),
        "[Contents](contents.md) of the guide, [Index](index.md), [Glossary](glossary.md)",
    ]
    now = [
        f"- [`{name}`](words.md#{guide.heading_anchor(name)}): {word.meaning}"
        for name, word in WORDS.items()
        if word.works(view) and not (game and name in load_told(game.key).words)
    ]
    return "\n\n".join(
        [
            f"# {game.name}, at this table" if game else "# At this table",
            *_turn_paragraphs(view, game),
            "Read more:",
            "\n".join([f"- {line}" for line in reading]),
            "## Commands that work now",
            "Type them after `/` (in line mode just type them), or pick them from the menu (F10).",
            "\n".join(now),
        ]
    )


def _turn_paragraphs(view: TableView, game: AnyGame | None) -> Iterator[str]:
    if not view.legal or game is None:
        return
    verbs = dict.fromkeys("play" if is_card_word(words) else words.split()[0] for words in view.legal)
    meanings = {verb: load_told(game.key).words.get(verb, "") for verb in verbs}
    yield "Your turn. You can:"
    yield "\n".join([f"- `{verb}`{f': {meaning}' if meaning else ''}" for verb, meaning in meanings.items()])


MADE: Mapping[str, Callable[[TableView | None], str]] = {
    "games": _games_page,
    "words": _words_page,
    "settings": _settings_page,
    "characters": _characters_page,
    "program": _program_page,
    HERE: _current_table_page,
}
"""By their names."""


@cache
def _game_page_names() -> tuple[str, ...]:
    """The names of all pages about games. Loads every game."""
    apart = [f"rules/{preset}-{key}" for key in GAMES for preset in load_told(key).apart]
    return (*[f"{kind}/{key}" for kind in GAME_KINDS for key in GAMES], *apart)


# --- the guide as a whole ---------------------------------------------------------------------------------------------


SEARCH = "search/"
"""What the name of a page of findings begins with."""
WHERE = {"words": "at the table", "settings": "a setting", "characters": "a character"}
"""What is added to the names of what such a page has."""


ELSEWHERE: Mapping[str, str] = {
    "64 card deck": "options/pinochle2#deck_64",
    "Analyze player hand": "words#analyze",
    "Assist icon": "words#hint",
    "Assistant menu": "menus",
    "Autoknock": "options/pinochle2#auto_knock",
    "Automouse": "settings#auto_focus",
    "AutoMouse cards": "settings#auto_focus",
    "AutoMouse dialogs": "settings#auto_focus",
    "AutoPlayer": "watch",
    "AutoResume": "keeping",
    "AutoSave all options": "settings#save_options",
    "AutoStart": "settings#auto_start",
    "Bonus display": "settings#rules_frame",
    "Bonuses": "options/pinochle2",
    "Card and font size": "settings#card_size",
    "Card design": "settings#card_back",
    "Card sort order": "words#sort",
    "Card stagger": "words#stagger",
    "Carefree skill level": "opponents",
    "Champion skill level": "opponents",
    "Change players": "words#player",
    "Check meldable play": "settings#check_meldable",
    "Color control": "settings#colourspart",
    "Color melded cards": "settings#tint_melds",
    "Color melds": "settings#tint_melds",
    "Colors": "settings#colourspart",
    "Configuration menu": "menus",
    "Context sensitive help (F1)": "using",
    "Creating a new meld": "playing#melds",
    "Dealing": "playing#the-deal",
    "Default colors": "settings#colourspart",
    "Designing custom card backs": "settings#card_back",
    "Display error box": "settings#error_box",
    "Display meldable points": "settings#show_meld_points",
    "Double-click play": "settings#double_click",
    "Drag and drop from the players hand": "mouse#drag-and-drop",
    "Drag and drop from the stock": "mouse#drag-and-drop",
    "Error messages": "glossary#error-message",
    "Exit": "words#detach",
    "Expert skill level": "opponents",
    "F1 function key (help)": "using",
    "Game counter": "layout",
    "Game history": "words#history",
    "Game menu": "menus",
    "Getting started instructions": "start",
    "Goal points": "options/pinochle2#goal",
    "Hall of fame": "words#hall",
    "Help menu": "using",
    "League table": "words#league",
    "Light bulb": "words#hint",
    "Master skill level": "opponents",
    "Melded card shading": "settings#tint_melds",
    "Melding cards": "playing#melds",
    "Melding options and scores": "scoring#points-for-melds",
    "Menu bar": "menus",
    "Mouse": "mouse",
    "Must overplay": "options/pinochle2#must_overplay",
    "New game deal cut": "options/pinochle2#deal_cut",
    "No 3D effects": "settings#shaded",
    "No bell": "settings#bell",
    "No play card highlighting": "settings#mark_plays",
    "No sorting": "hand#sorting",
    "No start reminders": "settings#start_reminders",
    "No status messages": "settings#status_messages",
    "No stock highlighting": "settings#mark_stock",
    "Novice skill level": "opponents",
    "Opponent games": "words#history",
    "Opponent in hand": "layout",
    "Opponent melded counter": "layout",
    "Opponent melds": "words#melds",
    "Opponent menu": "menus",
    "Player games": "words#history",
    "Player in hand": "words#hand",
    "Player meld indicator": "settings#show_meld_points",
    "Player melded counter": "layout",
    "Player menu": "menus",
    "Playing area": "layout",
    "Prior round scores": "words#score",
    "Prior rounds totals": "words#score",
    "Quick deal": "settings#animation",
    "Quick display": "settings#speed",
    "Redeal game": "words#redeal",
    "Reset scoreboard": "words#scoreboard",
    "Restart round": "words#restart",
    "Review tricks": "words#review",
    "Round counter": "layout",
    "Rules display": "settings#rules_frame",
    "Rules menu": "changing",
    "Running game total": "words#score",
    "Save configuration": "howto",
    "Save opponent options": "settings#opponents",
    "Save player options": "howto",
    "Save rules": "words#save",
    "Save scoreboard": "words#scoreboard",
    "Saved information": "curious",
    "Scoreboards menu": "records",
    "Scoresheet": "words#score",
    "Show cards": "words#open",
    "Show distribution": "words#distribution",
    "Show opponent meld types": "words#melds",
    "Show player meld types": "words#melds",
    "Show rules_bonuses": "settings#rules_frame",
    "Show this game": "words#score",
    "Skill level": "opponents",
    "Skill levels": "opponents",
    "Sort by suit": "words#sort",
    "Sound effects": "settings#eventseventhook",
    "Speak to me": "settings#speech",
    "Stagger hand": "words#stagger",
    "Standard skill level": "opponents",
    "Status bar (shortcuts)": "shortcuts",
    "Status display": "glossary#status-bar",
    "Stock counter": "layout",
    "Suggest": "words#hint",
    "Swap cards": "words#swap",
    "Taking the top card of the stock": "playing#drawing",
    "Technical": "curious",
    "Technical construction": "curious",
    "The scoresheet": "words#score",
    "Third party components": "curious",
    "This game": "words#scoreboard",
    "This round": "words#score",
    "Trick area": "layout",
    "Trick points counters": "words#score",
    "Tricks taken": "layout",
    "True corners": "settings#square_corners",
    "Turn counter": "layout",
    "Undo icon": "words#undo",
    "Upturned trump": "glossary#turn-up",
    "Watching a game being played": "watch",
    "Window size": "settings#card_size",
}
"""What other programs call things, and where the guide tells of them."""


RENAMED: Mapping[str, str] = {
    "browser#before-a-table": "browser#the-start-page",
    "browser#by-keys": "browser#with-the-keyboard",
    "browser#from-a-web-space": "browser#from-your-own-website",
    "browser#what-a-page-keeps-and-its-files": "browser#what-a-page-saves",
    "changing#the-rules-in-force": "changing#this-tables-rules",
    "curious#what-travels": "curious#whats-sent",
    "friends#at-the-table-of-friends": "friends#at-a-table-with-friends",
    "friends#whether-the-cards-are-fair": "friends#is-the-deal-fair",
    "howto#change-what-you-start-with": "howto#change-your-starting-rules",
    "keeping#games-that-are-kept": "keeping",
    "keeping#going-away-and-coming-back": "keeping#leaving-and-coming-back",
    "keeping#looking-at-a-game-again": "keeping#looking-back-at-a-game",
    "layout#the-table-in-lines": "layout#the-table-in-line-mode",
    "menus#the-last-row": "menus#the-bottom-row",
    "menus#the-menu-of-the-table": "menus#the-table-menu",
    "menus#where-to-find-what-other-programs-have-in-menus": "menus#if-you-know-other-programs-menus",
    "opponents#who-sits-there": "opponents#the-characters",
    "playing#letting-others-play": "playing#auto-claim-and-away",
    "playing#one-thing-after-another": "playing#pace",
    "records#beginning-anew": "records#start-over",
    "records#who-has-won-how-often": "records#wins-and-losses",
    "strategies/cribbage#cribbage-played-well": "strategies/cribbage",
    "strategies/melding#the-highest-first": "strategies/melding#best-meld-first",
    "strategies/rummies#crazy-eights-played-well": "strategies/rummies#crazy-eights-strategy",
    "strategies/rummies#gin-rummy-played-well": "strategies/rummies#gin-rummy-strategy",
    "strategies/rummies#rummy-500-played-well": "strategies/rummies#rummy-500-strategy",
    "strategies/rummies#thirty-one-played-well": "strategies/rummies#thirty-one-strategy",
    "strategies/tricks#auction-pitch-played-well": "strategies/tricks#auction-pitch-strategy",
    "strategies/tricks#euchre-played-well": "strategies/tricks#euchre-strategy",
    "strategies/tricks#hearts-played-well": "strategies/tricks#hearts-strategy",
    "strategies/tricks#oh-hell-played-well": "strategies/tricks#oh-hell-strategy",
    "strategies/tricks#spades-played-well": "strategies/tricks#spades-strategy",
    "strategies/tricks#whist-played-well": "strategies/tricks#whist-strategy",
    "trouble#a-friend-cannot-be-reached": "trouble#you-cant-reach-a-friend",
    "trouble#it-is-too-slow": "trouble#its-too-slow",
    "using#in-lines": "using#in-line-mode",
}
"""Former addresses of headings in the guide, and where they are now."""


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    address: str  # of the page and the heading in it
    text: str  # of that part, for searches


def list_page_names() -> tuple[str, ...]:
    """The name of every page, but for those made for the moment, such as search results."""
    return (*guide.written_pages(), *[name for name in MADE if name != HERE], guide.INDEX, *_game_page_names())


def next_page_words(before: Sequence[str]) -> list[str]:
    """The words that may follow these in the name of a page."""
    names = [name.split("/") for name in list_page_names()]
    count = len(before)
    return list(dict.fromkeys([name[count] for name in names if len(name) > count and name[:count] == [*before]]))


def page_markdown(name: str, view: TableView | None = None) -> str:
    """A page as Markdown, "" where there is none. view: of the table at which it is read."""
    if name in MADE:
        return MADE[name](view)
    if name == guide.INDEX:
        return _index_page()
    if name.startswith(SEARCH):
        return _search_page(name.removeprefix(SEARCH))
    if name.partition("/")[0] in GAME_KINDS:
        try:
            return game_page_markdown(name, view)
        except UnknownGame:
            return ""
    return guide.written_pages().get(name, "")


def page_blocks(name: str, view: TableView | None = None) -> tuple[guide.Block, ...]:
    return guide.read_markdown(page_markdown(name, view), "" if name.startswith(SEARCH) else name)


@cache
def all_topics() -> tuple[Topic, ...]:
    """Every heading of every page, and its other names, in alphabetical order."""
    found = [
        _topic_of_part(name, part)
        for name in list_page_names()
        if name != guide.INDEX
        for part in guide.page_parts(page_blocks(name))
        if part.blocks[0].level == 1 or not name.startswith("rules/")
    ]
    found += [Topic(name, address, name) for name, address in ELSEWHERE.items()]
    return tuple(sorted(found, key=lambda topic: topic.name.lower()))


def find_address(words: str) -> str:
    """The address of a page, a heading or a glossary term; "" where these words name none."""
    asked = words.lower().replace("/", " ").split()
    for count in range(len(asked), 0, -1):
        name, rest = _page_named(asked[:count]), guide.heading_anchor(" ".join(asked[count:]))
        if name and (not rest or find_part(name, rest)):
            return f"{name}#{rest}" if rest else name
    term = guide.heading_anchor(" ".join(asked))
    if term and find_part(guide.GLOSSARY, term):
        return f"{guide.GLOSSARY}#{term}"
    return (
        _page_named(["rules", *asked])
        or _topics_by_other_name().get(_letters_only(words), "")
        or _address_of_former_heading(asked)
    )


def _address_of_former_heading(asked: Sequence[str]) -> str:
    """The present address of a heading by its former name, with or without its page; "" where it had none."""
    anchor = guide.heading_anchor(" ".join(asked))
    names = ((former, now) for former, now in RENAMED.items() if anchor)
    return next(
        (
            now
            for former, now in names
            if anchor in (former.partition("#")[2], guide.heading_anchor(guide.typed_address(former)))
        ),
        "",
    )


def _letters_only(words: str) -> str:
    """The words in lower case, without spaces and punctuation."""
    return "".join(filter(str.isalnum, words.lower()))


@cache
def _topics_by_other_name() -> dict[str, str]:
    named = {name: name for name in list_page_names() if "/" not in name}
    return {_letters_only(name): address for name, address in {**named, **ELSEWHERE}.items()}


def address_for_command(name: str, arguments: Sequence[str], view: TableView) -> str:
    """The guide page that a command of the table opens, "" for a command that opens none. name: the command. Raises
    UnknownGame."""
    words = " ".join(arguments)
    if name == "help":
        return "" if words else HERE
    if name == "guide":
        return find_address(words) or SEARCH + words if words else guide.CONTENTS
    if name not in GAME_KINDS:
        return ""
    game, preset = find_variant(words or view.game or "")
    return f"{name}/{words if preset else game.key}" if words or view.game else "games"


def find_part(name: str, anchor: str, view: TableView | None = None) -> guide.Part | None:
    """The part of a page below a heading, the whole page for "", None where there is no such heading or page. anchor:
    as in a link."""
    parts = guide.page_parts(page_blocks(name, view))
    return next((part for part in parts if anchor in ("", part.anchor)), None)


def guide_lines(words: str, view: TableView | None = None) -> list[str]:
    """Look up words in the guide: the contents for "", else a page, heading or term, else the topics that contain the
    words; empty where nothing does."""
    address = find_address(words) if words.strip() else guide.CONTENTS
    name, _, anchor = address.partition("#")
    if part := find_part(name, anchor, view) if name else None:
        return guide.plain_lines(part.blocks)
    return [
        line
        for topic in _topics_containing(words)
        for line in wrap_words(f"{topic.name}: guide {guide.typed_address(topic.address)}", indent="    ")
    ]


def nothing_found_text(words: str) -> str:
    """The sentence shown where the guide has nothing on these words."""
    known = [*[name for name in list_page_names() if "/" not in name], *_glossary_terms()]
    meant = did_you_mean(words.lower(), known, 0.6) or "Type guide for the list of pages."
    return f"The guide has nothing on {words[:30]!r}. {meant}"


# --- private ----------------------------------------------------------------------------------------------------------


def _topic_of_part(name: str, part: guide.Part) -> Topic:
    whole = part.blocks[0].level == 1
    kind, _, key = name.partition("/")
    where = f"in {GAME_NAMES[key]}" if kind in GAME_KINDS and key in GAME_NAMES else WHERE.get(name, "")
    if name == guide.GLOSSARY and part.title in GAME_NAMES.values():
        where = "a term"
    text = " ".join([block.text for block in part.blocks])
    if whole:
        first = next((place for place, one in enumerate(part.blocks) if place and one.level), len(part.blocks))
        text = " ".join([block.text for block in part.blocks[:first]])
    return Topic(
        part.title + (f", {where}" if where and not whole else ""),
        name if whole else f"{name}#{part.anchor}",
        " ".join([text, *(GAMES[key].also if kind == "rules" and key in GAMES else ())]),
    )


def _page_named(words: list[str]) -> str:
    """The name of the page that these words name, "" where there is none; a game may go by any of its names."""
    kind, rest = words[0], " ".join(words[1:])
    if not rest:
        return kind if kind in list_page_names() else ""
    if f"{kind}/{rest}" in list_page_names():
        return f"{kind}/{rest}"
    try:
        game, preset = find_variant(rest)
    except UnknownGame:
        return ""
    return f"{kind}/{rest if preset else game.key}" if f"{kind}/{game.key}" in list_page_names() else ""


def _glossary_terms() -> list[str]:
    return [part.title.lower() for part in guide.page_parts(page_blocks(guide.GLOSSARY)) if part.blocks[0].level > 1]


def _topics_containing(words: str) -> list[Topic]:
    """The topics that contain the words in sequence, or else each of them somewhere."""
    asked = words.lower().strip()
    told = [(topic, f"{topic.name} {topic.text}".lower()) for topic in all_topics()]
    return [topic for topic, text in told if asked in text] or [
        topic for topic, text in told if all(word in text for word in asked.split())
    ]


def _index_page() -> str:
    """A page that lists every topic below its letter."""
    letters: dict[str, list[str]] = {}
    for topic in all_topics():
        letter = topic.name[0].upper()
        letters.setdefault(letter if letter.isalpha() else "0 to 9", []).append(_topic_item(topic))
    parts = [part for letter, entries in letters.items() for part in (f"## {letter}", "\n".join(entries))]
    return "\n\n".join(["# Index", f"{len(all_topics())} topics, A to Z.", *parts])


def _search_page(words: str) -> str:
    found = [_topic_item(topic) for topic in _topics_containing(words)]
    if not found:
        return f"# Nothing found\n\n{nothing_found_text(words)}\n\n[Contents](contents.md), [Index](index.md)"
    return f"# Topics matching {words[:30]!r}\n\n" + "\n".join(found)


def _topic_item(topic: Topic) -> str:
    page, mark, anchor = topic.address.partition("#")
    return f"- [{topic.name}]({page}.md{mark}{anchor})"
