"""The pages of the guide that are made from the program, as Markdown: games, options, words, settings, characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from textwrap import fill

from p2pcards import __version__
from p2pcards.frontend.words import WORDS
from p2pcards.games.game import AnyGame
from p2pcards.games.options import Option, declared, value_text
from p2pcards.games.prose import effects_in_general, rules_in_words, summary
from p2pcards.games.registry import GAMES, find_variant
from p2pcards.games.spelling import is_card_word
from p2pcards.games.telling import told_of
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.markdown import anchor_of
from p2pcards.present.rules import preset_values
from p2pcards.store.settings import declared_settings
from p2pcards.views.tableview import TableView

HERE = "here"
"""The page about the table at which it is asked for."""
LINE = 120
"""Columns of a line of the prose of rules."""
DOUBLE_PACK = "double-pack-pinochle"
"""A preset that is counted among the games."""
PLAYED_WELL = {
    "pinochle2": "strategies",
    "cribbage": "strategies/cribbage",
    "pinochle": "strategies/pinochle",
    "pinochle_bid": "strategies/pinochle",
    **dict.fromkeys(("gin_rummy", "rummy_500", "thirty_one", "crazy_eights"), "strategies/rummies"),
}
"""The pages about how to play a game well."""
TRICKS = "strategies/tricks"
"""That of all other games."""


def about_game(name: str, view: TableView | None) -> str:
    """One of `GAME_KINDS`, such as "rules/hearts". Raises UnknownGame. view: of the table whose rules are in force."""
    kind, _, key = name.partition("/")
    game, preset = find_variant(key)
    return GAME_KINDS[kind](game, preset, view if view and view.game == game.key and not preset else None)


def _rules(game: AnyGame, preset: str, view: TableView | None) -> str:
    """The rules in words, and the options: as they are in force at a table, else in a preset, else in the first one."""
    usual = preset or next(iter(game.presets))
    values = dict(view.options) if view else preset_values(game, usual)
    options = [
        f"- `{option.key}` = {value_text(values.get(option.key, option.default))}: {option.meaning}"
        for option in declared(game.options)
    ]
    named = f"Preset {view.preset}:" if view and view.preset else "As they were chosen for this table:"
    return "\n\n".join(
        [
            f"# {game.name}{f', {preset}' if preset else ''}",
            *[fill(part.replace("`", ""), LINE, break_on_hyphens=False) for part in rules_in_words(game, values)],
            "## The options in force" if view else "## The options",
            named if view else f"In the preset {usual}, where you have chosen nothing else:",
            "\n".join(options),
            f"[The options of {game.name}](../options/{game.key}.md) tell what can be played otherwise, "
            f"[a page about the game](../about/{game.key}.md) where it comes from, "
            f"[another](../{PLAYED_WELL.get(game.key, TRICKS)}.md) how it is played well.",
        ]
    )


def _options(game: AnyGame, _preset: str, _view: TableView | None) -> str:
    """What can be played otherwise."""
    meanings = [f"## {option.key}\n\n{_option(game, option)}" for option in declared(game.options)]
    first = next(iter(option.key for option in declared(game.options)))
    return "\n\n".join(
        [
            f"# Options of {game.name}",
            f"The presets: {', '.join(game.presets)}. At a table, before a game, `set {first}=VALUE` changes one; "
            "[Changing the rules](../changing.md) tells of the other ways.",
            *meanings,
            f"[The rules of {game.name}](../rules/{game.key}.md)",
        ]
    )


def _option(game: AnyGame, option: Option) -> str:
    other = [
        f"{value_text(getattr(options, option.key))} in the preset {name}"
        for name, options in game.presets.items()
        if getattr(options, option.key) != option.default
    ]
    usual = f"{value_text(option.default)} where nothing else is said{''.join([f', {one}' for one in other])}"
    effects = [
        f"- {', '.join(values)}: {effect}" if values else effect
        for effect, values in effects_in_general(option).items()
    ]
    meaning = f"{option.meaning[:1].upper()}{option.meaning[1:]}. It takes {option.range}; it is {usual}."
    return "\n\n".join([meaning, "\n".join(effects)])


def _about(game: AnyGame, _preset: str, _view: TableView | None) -> str:
    """Where a game comes from."""
    return f"# About {game.name}\n\n{told_of(game.key).about}\n\n[The rules of {game.name}](../rules/{game.key}.md)"


GAME_KINDS: Mapping[str, Callable[[AnyGame, str, TableView | None], str]] = {
    "rules": _rules,
    "options": _options,
    "about": _about,
}
"""What there is of each game, by what the names of the pages begin with."""


def _games(_view: TableView | None) -> str:
    """Every game with its pages."""
    lines = []
    for key, game in GAMES.items():
        links = f"[Its options](options/{key}.md), [about it](about/{key}.md)"
        lines.append(f"- [{game.name}](rules/{key}.md): {summary(game)} {links}.")
        if key == "pinochle":
            lines.append(f"- [Double-pack pinochle](rules/{DOUBLE_PACK}.md): the same with 80 cards.")
    return "\n\n".join(
        [
            "# Games",
            "`p2pcards play GAME` opens a table, `p2pcards rules GAME` tells the rules. These can be played:",
            "\n".join(lines),
        ]
    )


def _words(_view: TableView | None) -> str:
    """The words of the table."""
    words = [f"## {name}\n\n`{word.usage}`: {word.meaning}." for name, word in WORDS.items()]
    return "\n\n".join(
        [
            "# Words of the table",
            "What can be typed at a table: in line mode at the prompt, on the full screen after `/`. The first letters "
            "are enough. `help` lists those that work now, and `help WORD` explains one, also those of the game.",
            *words,
        ]
    )


def _settings(_view: TableView | None) -> str:
    """What can be set once for all games."""
    rows = [
        f"## {one.name}\n\n{one.meaning} It takes {one.takes}: `p2pcards config set {one.name} {one.example}`."
        for one in declared_settings()
    ]
    return "\n\n".join(
        [
            "# Settings",
            "What is set once for all games: how the table looks and sounds, how fast the others play, who you are. "
            "`p2pcards config list` shows every setting with its value, `p2pcards config set KEY VALUE` changes one, "
            "`p2pcards config clear KEY` takes it back; on the title screen O opens them. Words in capitals stand for "
            "any: of a game, an event, a part of the screen. [How to](howto.md) has the usual ones.",
            *rows,
        ]
    )


def _characters(_view: TableView | None) -> str:
    """The twelve who play."""
    rows = [f'## {one.name}\n\n`{one.key}`, {one.level}. "{one.greeting}"' for one in CHARACTERS.values()]
    return "\n\n".join(
        [
            "# Meet the players",
            "Twelve characters play in empty seats, and for people who are away. Each has a level at which they play "
            "where you name no other: `p2pcards play GAME --with betty,wayne:carefree`. "
            "[About the opponents](opponents.md) tells what the levels are. Novices make the mistakes of beginners; "
            "standard players rarely do; experts remember every card that they have seen.",
            *rows,
        ]
    )


def _program(_view: TableView | None) -> str:
    """What other programs have in a box."""
    return "\n\n".join(
        [
            "# About this program",
            f"p2pcards {__version__}, by the p2pcards developers. It is free software under the MIT licence; nothing "
            "has to be ordered or registered.",
            "`p2pcards credits` tells which programs were the models of its games, and which libraries it uses. "
            "[For the technically curious](curious.md) tells how it is made.",
        ]
    )


def _here(view: TableView | None) -> str:
    """The table at which somebody asks: what they can do, and what there is to read about it."""
    if view is None:
        return ""
    game = GAMES.get(view.game or "")
    reading = [
        *([f"[The rules of {game.name}, with the options in force](rules/{game.key}.md)"] if game else []),
        "[Playing the game](playing.md), from the deal to the score",
        "[The layout](layout.md): what each part of the screen is",
        "[Shortcuts](shortcuts.md): every key, and [Using the mouse](mouse.md)",
        *([f"[How it is played well]({PLAYED_WELL.get(game.key, TRICKS)}.md)"] if game else []),
        "[Contents](contents.md) of the guide, [Index](index.md), [Glossary](glossary.md)",
    ]
    now = [
        f"- [`{name}`](words.md#{anchor_of(name)}): {word.meaning}"
        for name, word in WORDS.items()
        if word.works(view) and not (game and name in told_of(game.key).words)
    ]
    return "\n\n".join(
        [
            f"# {game.name}, at this table" if game else "# At this table",
            *_turn(view, game),
            "Here you can read more:",
            "\n".join([f"- {line}" for line in reading]),
            "## Words that work now",
            "Typed after `/`, chosen from the menu that F10 opens, or in line mode.",
            "\n".join(now),
        ]
    )


def _turn(view: TableView, game: AnyGame | None) -> Iterator[str]:
    if not view.legal or game is None:
        return
    verbs = dict.fromkeys("play" if is_card_word(words) else words.split()[0] for words in view.legal)
    meanings = {verb: told_of(game.key).words.get(verb, "") for verb in verbs}
    yield "It is your turn. You can:"
    yield "\n".join([f"- `{verb}`{f': {meaning}' if meaning else ''}" for verb, meaning in meanings.items()])


MADE: Mapping[str, Callable[[TableView | None], str]] = {
    "games": _games,
    "words": _words,
    "settings": _settings,
    "characters": _characters,
    "program": _program,
    HERE: _here,
}
"""By their names."""
GAME_PAGES = (
    *[f"{kind}/{key}" for kind in GAME_KINDS for key in GAMES],
    f"rules/{DOUBLE_PACK}",
)
