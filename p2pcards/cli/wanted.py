"""What a person asked for, checked before a daemon is started for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from p2pcards.cli.failing import Failure
from p2pcards.cli.output import at_terminal, question, say
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
    from p2pcards.games.registry import find_variant

    game, named = find_variant(key)
    preset = preset or named or next(iter(game.presets))
    if preset not in game.presets:
        meant = did_you_mean(preset, game.presets) or f"There are {', '.join(game.presets)}."
        raise Failure(f"{game.name} has no preset {preset!r}. {meant}", USAGE)
    changed = pairs(changes or ())
    return game, preset, set_options(game.presets[preset], changed), changed


def given_rules(game: str, preset: str, changes: Sequence[str] | None) -> Rules:
    """The rules of a game, as they are asked for. Raises as `rules_of`."""
    from p2pcards.control.messages import Rules
    from p2pcards.games.registry import find_variant

    found, _, _, changed = rules_of(game, preset, changes)
    return Rules(found.key, preset or find_variant(game)[1], tuple(changed.items()))


def chosen_rules(game: str, preset: str, changes: Sequence[str] | None) -> Rules:
    """The same where the game may be left out, to be chosen at the table."""
    from p2pcards.control.messages import Rules

    if game:
        return given_rules(game, preset, changes)
    if preset or changes:
        raise Failure("Of which game are these the rules? Add --game GAME; 'p2pcards games' lists them.", USAGE)
    return Rules()


def ask_what_is_left(home: Home, rules: Rules) -> Rules:
    """The rules with what their preset leaves to the person at this terminal, who is asked for it unless they start the
    game at the table."""
    from dataclasses import replace

    from p2pcards.games.registry import find_game
    from p2pcards.store.own_rules import own_rules
    from p2pcards.store.settings import usable_settings

    game = find_game(rules.game)
    settings, _ = usable_settings(home)
    preset = rules.preset or own_rules(settings, game).preset
    asked = game.question
    said = [*dict(rules.changes), *([] if rules.preset else own_rules(settings, game).values)]
    if asked is None or asked.preset != preset or asked.key in said or not settings.auto_start:
        return rules
    usual = getattr(game.presets[preset], asked.key)
    say(asked.text())
    while (value := asked.value(question(f"{asked.letters} [{asked.letter_of(usual)}]: ") or usual)) is None:
        say(f"It is one of {asked.letters}.")
    return replace(rules, changes=(*rules.changes, (asked.key, value)))


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
    """Who sits down; "" is no choice, which leaves it to the settings. A person at a terminal who gives no name may be
    asked for name and character, which are kept. Raises Failure, UnknownCharacter and UnknownLevel."""
    from p2pcards.control.messages import Persona
    from p2pcards.store.settings import usable_settings

    check_player(character, auto)
    if name:
        return Persona(_clean(name), character, auto or None)
    settings, faults = usable_settings(home)
    if at_terminal() and settings.ask != "never" and not faults:  # nothing is added to a file that is wrong
        if settings.ask == "always" or not settings.name:
            _ask_name(home, settings.name)
        if not character and (settings.ask == "always" or not settings.character):
            _ask_character(home, settings.character)
    return Persona("", character, auto or None)


def _ask_name(home: Home, now: str) -> None:
    from p2pcards.store.names import login_name
    from p2pcards.store.settings_file import find_setting, set_setting

    usual = now or login_name()
    answer = _clean(question(f"Your name at the table [{usual}]: ") or usual)
    if answer != now:  # a profile's own name is not set: it goes with the profile
        set_setting(home, find_setting("name"), answer)


def _ask_character(home: Home, now: str) -> None:
    """Asked again until it is one, since nobody knows their names by heart."""
    from p2pcards.cli.output import columns
    from p2pcards.players.characters import UnknownCharacter, character_rows, find_character, own_character
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.store.settings_file import find_setting, set_setting
    from p2pcards.wire.keys import public_bytes

    usual = now or own_character(public_bytes(load_or_make_identity(home))).key
    while True:
        answer = question(f"The character that stands for you [{usual}], or ? for a list: ") or usual
        if answer == "?":
            say("\n".join(columns(character_rows())))
            continue
        try:
            set_setting(home, find_setting("character"), find_character(answer).key)
        except UnknownCharacter as unknown:
            say(str(unknown))
        else:
            return


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
