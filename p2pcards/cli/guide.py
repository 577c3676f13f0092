"""`p2pcards games`, `options`, `rules`, `about`, `characters`, `guide` and `credits`: what can be played, with whom,
and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from p2pcards import __version__
from p2pcards.cli.command import Failure, current_home, parse_rules
from p2pcards.cli.helping import EXIT_CODES, exit_code_lines
from p2pcards.cli.options import AsJson, Changes, GameKey, Preset
from p2pcards.cli.terminal import print_result
from p2pcards.control.exits import USAGE
from p2pcards.present.width import align_columns

BY_SMITH = "Nathaniel J. Smith and others"

# --- `p2pcards games`, `options`, `rules`, `about`, `characters` and `guide` ------------------------------------------


Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="PAGE", help="A page, a term, or a word to look for; default: the contents."),
]
CharacterName = Annotated[
    list[str] | None, typer.Argument(metavar="CHARACTER", help="Show this one's story; default: list them all.")
]
Topic = Annotated[
    list[str] | None,
    typer.Argument(metavar="TOPIC", help="A command, a page of the guide, exit-codes, or a word to look for."),
]


def games(as_json: AsJson = False) -> None:
    """List the games."""
    from p2pcards.games.registry import GAMES
    from p2pcards.present.rules import games_lines

    data = [
        {
            "game": key,
            "name": game.name,
            "presets": {preset: {"seats": game.seats(options)} for preset, options in game.presets.items()},
        }
        for key, game in GAMES.items()
    ]
    print_result(data, games_lines(GAMES), as_json)


def options(game: GameKey, as_json: AsJson = False) -> None:
    """List the rule options of a game. It shows your values, where they come from, and what the presets use."""
    from p2pcards.games.options import declared_options
    from p2pcards.games.registry import find_game
    from p2pcards.present.rules import option_rows, option_table_lines
    from p2pcards.store.own_rules import own_options, own_rules
    from p2pcards.store.settings import find_setting, load_settings, state_setting

    found = find_game(game)
    home = current_home()
    own = own_rules(load_settings(home), found)
    chosen, keys = own_options(found, own), [option.key for option in declared_options(found.options)]
    values = {key: getattr(chosen, key) for key in keys}
    sources = dict.fromkeys(keys, f"preset {own.preset}")
    sources |= {key: state_setting(home, find_setting(f"options.{found.key}.{key}")).source for key in own.values}
    print_result(option_rows(found, values, sources), option_table_lines(found, values, sources), as_json)


def rules(game: GameKey, preset: Preset = "", changes: Changes = None, as_json: AsJson = False) -> None:
    """Show the rules of a game. They follow the preset and the options you give."""
    from p2pcards.games.options import declared_options
    from p2pcards.games.prose import join_paragraphs, rules_in_words
    from p2pcards.present.rules import rules_lines

    found, preset, chosen, _ = parse_rules(game, preset, changes)
    values = {option.key: getattr(chosen, option.key) for option in declared_options(found.options)}
    words = join_paragraphs(rules_in_words(found, values))
    data = {"game": found.key, "name": found.name, "preset": preset, "options": values, "rules": words}
    print_result(data, rules_lines(found, values, preset), as_json)


def about(game: GameKey, as_json: AsJson = False) -> None:
    """Show the history of a game."""
    from p2pcards.games.registry import find_game
    from p2pcards.games.telling import load_told
    from p2pcards.present.rules import history_lines

    found = find_game(game)
    data = {"game": found.key, "name": found.name, "about": load_told(found.key).about}
    print_result(data, history_lines(found), as_json)


def characters(name: CharacterName = None, as_json: AsJson = False) -> None:
    """List the computer players, or show one's story. They take empty seats and play for people who are away."""
    from p2pcards.players.characters import CHARACTERS, UnknownCharacter, character_rows, find_character
    from p2pcards.players.stories import STORIES
    from p2pcards.present.width import wrap_words

    if name:
        try:
            one = find_character(" ".join(name))
        except UnknownCharacter as unknown:
            raise Failure(str(unknown), USAGE) from None
        story = STORIES[one.key]
        told = {"character": one.key, "name": one.name, "level": one.level, "story": story}
        print_result(told, [f"{one.name}, {one.level}", *wrap_words(story)], as_json)
        return
    data = [{"character": one.key, "name": one.name, "level": one.level} for one in CHARACTERS.values()]
    print_result(data, align_columns([("--as", "name", "level"), *character_rows()]), as_json)


def guide(words: Words = None, as_json: AsJson = False) -> None:
    """Read the guide. It covers how to start, strategy, and card terms."""
    from p2pcards.frontend.guide_pages import guide_lines, nothing_found_text

    asked = " ".join(words or [])
    lines = guide_lines(asked)
    if not lines:
        raise Failure(nothing_found_text(asked), USAGE)
    print_result({"lines": lines}, lines, as_json)


def help(context: typer.Context, topic: Topic = None, as_json: AsJson = False) -> None:  # noqa: A001 - it has this name
    """Explain a command, or look up a word in the guide."""
    told = exit_code_lines() if topic == [EXIT_CODES] else command_help(context, topic or [])
    if told:
        print_result({"lines": told}, told, as_json)
    else:
        guide(topic, as_json)


def command_help(context: typer.Context, words: Sequence[str]) -> list[str]:
    """The lines of ``--help`` of the command that these words name; empty where they name none."""
    parent = context.parent
    for word in words:
        inner = getattr(parent.command, "commands", {}).get(word) if parent else None
        if parent is None or inner is None:
            return []
        parent = type(context)(inner, info_name=word, parent=parent)
    return parent.get_help().splitlines() if parent and words else []


# --- `p2pcards credits` -----------------------------------------------------------------------------------------------


MODELS = {
    "The Real Deal": "ten classic card games against twelve computer opponents, or with friends over a network or "
    "modem; the source of most games here, and of the characters' names",
    "Hearts Deluxe": "hearts and its options",
    "TeleCards": "crazy eights, cribbage and gin rummy for two",
    "MeggieSoft Pinochle": "pinochle for two",
}
"""The programs whose games are played here, by rules written anew, with what is taken from each."""

LIBRARIES = {
    "trio": (BY_SMITH, "MIT or Apache 2.0"),
    "trio-parallel": ("Richard Sheridan", "MIT or Apache 2.0"),
    "msgpack": ("Inada Naoki and others", "Apache 2.0"),
    "cryptography": ("The Python Cryptographic Authority", "Apache 2.0 or BSD"),
    "typer": ("Sebastian Ramirez and others", "MIT"),
    "pyserial": ("Chris Liechti", "BSD"),
    "spake2": ("Brian Warner", "MIT"),
    "tomlkit": ("Sebastien Eustace and others", "MIT"),
    "textual": ("Will McGugan", "MIT"),
    "openskill": ("Vivek Joshy and others", "MIT"),
    "pygal": ("Florian Mounier, Kozea and others", "LGPL 3 or later"),
    "h11": (BY_SMITH, "MIT"),
    "wsproto": ("Benno Rice and others", "MIT"),
    "segno": ("Lars Heuer", "BSD"),
    "ifaddr": ("Stefan C. Mueller and others", "MIT"),
    "resvg-py": ("baseplate-admin; resvg by Yevhenii Reizner and others", "MIT; Apache 2.0 or MIT"),
    "Pyodide": ("The Pyodide contributors and Mozilla", "Mozilla Public License 2.0"),
    "noble": ("Paul Miller", "MIT"),
    "preact": ("Jason Miller and others", "MIT"),
}
"""By whom each library is, and its licence."""


def credits(as_json: AsJson = False) -> None:  # noqa: A001 - the command has this name
    """Show credits for the games and the libraries."""
    from p2pcards.present.width import wrap_words

    data = {
        "name": "p2pcards",
        "version": __version__,
        "authors": "the p2pcards developers",
        "license": "MIT",
        "models": [{"name": name, "for": what} for name, what in MODELS.items()],
        "libraries": [{"name": name, "authors": by, "license": terms} for name, (by, terms) in LIBRARIES.items()],
    }
    lines = [f"p2pcards {__version__}, by the p2pcards developers. Free software (MIT license), without warranty."]
    lines += ["", "The games follow these programs, with rules written from scratch:"]
    for name, what in MODELS.items():
        lines += wrap_words(f"{name}: {what}", indent="    ", first="  ")
    lines += ["", "Libraries:"]
    lines += [f"  {row}" for row in align_columns([(name, *rest) for name, rest in LIBRARIES.items()])]
    print_result(data, lines, as_json)
