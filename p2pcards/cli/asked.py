"""What is asked before a table opens where the options don't say: the rule that a preset leaves open, and the name and
character of the player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pcards.cli.command import Failure, check_player
from p2pcards.cli.terminal import ask_line, is_interactive, print_text
from p2pcards.control.exits import USAGE
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from p2pcards.cli.options import PlayerOptions
    from p2pcards.control.messages import Persona, Rules
    from p2pcards.games.options import Question
    from p2pcards.store.files import Home


def open_question(home: Home, rules: Rules) -> Question | None:
    """The question on the option that the preset leaves to the person who begins; None for no such option, or where the
    game is started at the table."""
    from p2pcards.games.registry import find_game
    from p2pcards.store.own_rules import own_rules
    from p2pcards.store.settings import usable_settings

    game = find_game(rules.game)
    settings, _ = usable_settings(home)
    preset = rules.preset or own_rules(settings, game).preset
    asked = game.question
    said = [*dict(rules.changes), *([] if rules.preset else own_rules(settings, game).values)]
    if asked is None or asked.preset != preset or asked.key in said or not settings.auto_start:
        return None
    return asked


def ask_open_option(home: Home, rules: Rules) -> Rules:
    """Ask for the option that the rules leave open, and return the rules with the answer."""
    from p2pcards.games.registry import find_game

    if (asked := open_question(home, rules)) is None:
        return rules
    usual = getattr(find_game(rules.game).presets[asked.preset], asked.key)
    print_text(asked.text())
    while (value := asked.value_typed(ask_line(f"{asked.letters} [{asked.letter_of(usual)}]: ") or usual)) is None:
        print_text(f"Type {asked.letters}.")
    return replace(rules, changes=(*rules.changes, (asked.key, value)))


def choose_persona(home: Home, player: PlayerOptions, *, alone: bool = False) -> Persona:
    """Decide the player's name and character. At a terminal, a missing one may be asked for,
    and the first is kept. With only a name given, the present character stays. alone: nobody else will join, so a
    character is asked for only where the settings always want it. Raises Failure, UnknownCharacter and UnknownLevel."""
    from p2pcards.control.messages import Persona
    from p2pcards.store.settings import usable_settings

    character = player.character
    check_player(character, player.auto)
    settings, faults = usable_settings(home)
    given = _clean_name(player.name) if player.name else ""
    if is_interactive() and not faults:  # nothing is added to a file that is wrong
        always, never = settings.ask == "always", settings.ask == "never"
        asks = not (never or given)
        if asks and (always or not settings.name):
            _ask_name(home, settings.name)
        if given and not settings.name and _try_setting(home, "name", given):
            print_text(f"You're {given} from now on. To change that: p2pcards config set name NAME")
        chosen = character or (given and not (alone or never))
        if asks and not character and (always or not (settings.character or alone)):
            _ask_character(home, settings.character)
        elif chosen and not settings.character:
            _store_character(home, character)
    return Persona(given, character, player.auto or None)


def _try_setting(home: Home, key: str, value: str) -> bool:
    """Store a setting; False if that failed, so it holds for this table alone."""
    from p2pcards.store.files import StoreError
    from p2pcards.store.settings import find_setting, set_setting

    try:
        set_setting(home, find_setting(key), value)
    except StoreError:
        return False
    return True


def _store_character(home: Home, given: str) -> None:
    """Store the player's character. given: "" for the one that follows from the identity."""
    from p2pcards.players.characters import find_character

    character = find_character(given or _usual_character(home))
    if _try_setting(home, "character", character.key):
        print_text(
            f"{character.name} plays for you while you're away. To change that: p2pcards config set character CHARACTER"
        )


def _usual_character(home: Home) -> str:
    from p2pcards.players.characters import own_character
    from p2pcards.store.identity import load_or_make_key

    return own_character(load_or_make_key(home)).key


def _ask_name(home: Home, now: str) -> None:
    from p2pcards.store.files import login_name
    from p2pcards.store.settings import find_setting, set_setting

    usual = now or login_name()
    print_text("Other players see this name. Press Enter to keep the one in brackets.")
    while True:
        try:
            answer = _clean_name(ask_line(f"Your name at the table [{usual}]: ") or usual)
            break
        except Failure as unfit:
            print_text(str(unfit))
    if answer != now:  # a profile's own name is not set: it goes with the profile
        set_setting(home, find_setting("name"), answer)


def _ask_character(home: Home, now: str) -> None:
    """Ask until the answer is a character."""
    from p2pcards.players.characters import UnknownCharacter, character_rows, find_character
    from p2pcards.store.settings import find_setting, set_setting

    usual = now or _usual_character(home)
    print_text("Pick a character to play for you while you're away. Press Enter to keep the one in brackets.")
    while True:
        answer = ask_line(f"Your character [{usual}], or ? for a list: ") or usual
        if answer == "?":
            print_text("\n".join(align_columns(character_rows())))
            continue
        try:
            set_setting(home, find_setting("character"), find_character(answer).key)
        except UnknownCharacter as unknown:
            print_text(str(unknown))
        else:
            return


def _clean_name(name: str) -> str:
    from p2pcards.store.files import NAME_LIMIT, clean_name

    cleaned = clean_name(name)
    if cleaned != " ".join(name.split()):
        raise Failure(
            f"A name can have at most {NAME_LIMIT} visible characters and can't start with a dash. "
            f"Others would see {cleaned!r}, so pick another.",
            USAGE,
        )
    return cleaned
