"""What a person asked for, checked before a daemon is started for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from p2pcards.cli.failing import Failure
from p2pcards.cli.output import at_terminal, question
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from pathlib import Path

    from p2pcards.control.messages import Persona, Rules
    from p2pcards.games.game import AnyGame
    from p2pcards.store.home import Home


def rules_of(key: str, preset: str, changes: Sequence[str] | None) -> tuple[AnyGame, str, Any, dict[str, str]]:
    """The game, its preset, its options and what was changed in them. Raises Failure, UnknownGame and OptionError."""
    from p2pcards.games.nearest import did_you_mean
    from p2pcards.games.options import set_options
    from p2pcards.games.registry import find_game

    game = find_game(key)
    preset = preset or next(iter(game.presets))
    if preset not in game.presets:
        meant = did_you_mean(preset, game.presets) or f"There are {', '.join(game.presets)}."
        raise Failure(f"{game.name} has no preset {preset!r}. {meant}", USAGE)
    changed = pairs(changes or ())
    return game, preset, set_options(game.presets[preset], changed), changed


def given_rules(game: str, preset: str, changes: Sequence[str] | None) -> Rules:
    """The rules of a game, as they are asked for. Raises as `rules_of`."""
    from p2pcards.control.messages import Rules

    found, _, _, changed = rules_of(game, preset, changes)
    return Rules(found.key, preset, tuple(changed.items()))


def chosen_rules(game: str, preset: str, changes: Sequence[str] | None) -> Rules:
    """The same where the game may be left out, to be chosen at the table."""
    from p2pcards.control.messages import Rules

    if game:
        return given_rules(game, preset, changes)
    if preset or changes:
        raise Failure("Of which game are these the rules? Add --game GAME; 'p2pcards games' lists them.", USAGE)
    return Rules()


def pairs(words: Sequence[str]) -> dict[str, str]:
    """The changes written as KEY=VALUE."""
    for word in words:
        if "=" not in word:
            raise Failure(f"--set takes KEY=VALUE, such as end_score=50, not {word!r}.", USAGE)
    return {key.strip(): value.strip() for key, _, value in (word.partition("=") for word in words)}


def check_player(character: str, level: str) -> None:
    """Raises UnknownCharacter and UnknownLevel; "" is no choice."""
    from p2pcards.players.characters import find_character
    from p2pcards.players.levels import find_level

    if character:
        find_character(character)
    if level:
        find_level(level)


def persona(home: Home, name: str, character: str, auto: str) -> Persona:
    """Who sits down; "" is no choice. A person at a terminal may be asked for their name. Raises Failure,
    UnknownCharacter and UnknownLevel."""
    from p2pcards.control.messages import Persona

    check_player(character, auto)
    return Persona(_player_name(home, name), character, auto or None)


def _player_name(home: Home, given: str) -> str:
    """The name for the table: the one given, or "" for the one in the settings, which a person at a terminal is asked
    for once."""
    from p2pcards.store.names import login_name
    from p2pcards.store.settings import load_settings
    from p2pcards.store.settings_file import find_setting, set_setting

    if given:
        return _clean(given)
    if not load_settings(home).name and at_terminal():
        login = login_name()
        set_setting(home, find_setting("name"), _clean(question(f"Your name at the table [{login}]: ") or login))
    return ""


def log_path(home: Home, text: str) -> Path:
    """The log with this path, or with this name in the home. Raises Failure."""
    from pathlib import Path

    from p2pcards.store.errors import StoreError
    from p2pcards.store.logs import find_log, list_logs

    path = Path(text).absolute()
    if path.is_file():
        return path
    list_logs(home)  # whatever is wrong with the folder has another exit code than a wrong name
    try:
        return find_log(home, text).path
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None


def log_name(home: Home, text: str) -> str:
    """The name in the home of a log that is named or begins so. Raises Failure."""
    path = log_path(home, text)
    if path.parent != home.logs:
        raise Failure(f"{text} is not among the logs of this home; 'p2pcards logs' lists them.", USAGE)
    return path.stem


def _clean(name: str) -> str:
    from p2pcards.store.names import NAME_LIMIT, clean_name

    cleaned = clean_name(name)
    if cleaned != " ".join(name.split()):
        raise Failure(
            f"A name is at most {NAME_LIMIT} visible characters and does not begin with a dash. "
            f"Others would see {cleaned!r}; take that or another one: --name NAME",
            USAGE,
        )
    return cleaned
