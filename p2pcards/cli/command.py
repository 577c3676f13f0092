"""What commands share: the home of the player, a sentence with an exit code where something cannot be done, a question
before what cannot be undone, and the rules that were asked for."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pcards.cli.terminal import ask_yes, is_interactive, print_error, print_text
from p2pcards.control.exits import STORAGE, UNEXPECTED, USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import Rules
    from p2pcards.games.game import AnyGame
    from p2pcards.store.files import Home


# --- the home of the player who runs the command ---------------------------------------------------------------------


def current_home() -> Home:
    """The home of the current profile. Raises StoreError."""
    from p2pcards.store.profiles import chosen_home

    return chosen_home(os.environ)


def default_home() -> Home:
    """The home of the Default profile, which contains the others. Raises StoreError."""
    from p2pcards.store.files import find_home

    return find_home(os.environ)


OPTION = "--profile"


def split_profile_option(arguments: list[str]) -> tuple[list[str], list[str]]:
    """(the profile option, the other arguments) of a command line, the option from anywhere before ``--``. With no
    value it is no option, and faults as a wrong argument."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for place, word in enumerate(arguments[:end]):
        if word == OPTION and place + 1 == end:
            return [OPTION], []
        if word == OPTION or word.startswith(f"{OPTION}="):
            after = place + (2 if word == OPTION else 1)
            return arguments[place:after], [*arguments[:place], *arguments[after:]]
    return [], arguments


def set_profile(profile: str) -> None:
    """Use this profile in this process, and in those that it starts."""
    from p2pcards.store.profiles import VARIABLE

    os.environ[VARIABLE] = profile


def named_profile() -> str:
    """The profile named by the option or the environment, "" for none."""
    from p2pcards.store.profiles import VARIABLE

    return os.environ.get(VARIABLE, "")


# --- what a command says when it cannot do what was asked -------------------------------------------------------------


SIGNALLED = 128
"""And the number of the signal that ended a program, as shells have it."""

HUNG_UP, INTERRUPTED, TERMINATED = SIGNALLED + 1, SIGNALLED + 2, SIGNALLED + 15
"""The terminal was closed; Ctrl-C; SIGTERM."""

PIPE_CLOSED = 141
"""Nobody reads the output any more, as in `p2pcards rules hearts | head -1`."""


class Failure(Exception):
    """Ends a command with a sentence that says what failed, why and what to try. code: one of `control.exits`."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def as_failure(error: BaseException) -> Failure | None:
    """The error as a Failure if it is meant for the player, else None: it is a fault of the program."""
    from p2pcards.games.options import OptionError
    from p2pcards.games.parts import GameIncomplete
    from p2pcards.games.registry import UnknownGame
    from p2pcards.players.characters import UnknownCharacter
    from p2pcards.players.levels import UnknownLevel
    from p2pcards.store.directory import DirectoryError
    from p2pcards.store.files import StoreError
    from p2pcards.store.profiles import ProfileError
    from p2pcards.store.settings import SettingError

    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return as_failure(error.exceptions[0])
    if isinstance(error, Failure):
        return error
    if isinstance(error, GameIncomplete):
        return Failure(str(error), UNEXPECTED)
    if isinstance(error, UnknownGame | OptionError | UnknownCharacter | UnknownLevel):
        return Failure(str(error), USAGE)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        # What the store writes it explains itself, so this is the output.
        return Failure(
            "Can't write the output: the disk is full. Free some space, or send the output elsewhere.", STORAGE
        )
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return Failure("That name is too long for a file. Use a shorter one.", USAGE)
    if isinstance(error, OSError) and error.errno == errno.EBADF:
        return Failure("Can't write the output: standard output is closed.", STORAGE)
    if isinstance(error, FileNotFoundError) and not _has_working_folder():
        return Failure("The current folder no longer exists. Go to another one (cd) and try again.", STORAGE)
    if isinstance(error, StoreError):
        asked = isinstance(error, SettingError | DirectoryError | ProfileError)  # otherwise the file is at fault
        return Failure(error.with_advice, USAGE if asked else STORAGE)
    return None


def _has_working_folder() -> bool:
    """Return whether the working directory still exists."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def contains_error(kind: type[BaseException], error: BaseException) -> bool:
    """Return whether the error is of this kind, or a group that contains one."""
    if isinstance(error, BaseExceptionGroup):
        return any(contains_error(kind, part) for part in error.exceptions)
    return isinstance(error, kind)


def report_fault(error: BaseException, arguments: Iterable[str]) -> None:
    """Report a fault of the program, and write its traceback to a file. arguments: the command line; they are left out,
    as they may be private."""
    from p2pcards.daemon.diagnostics import Diagnostics
    from p2pcards.store.files import StoreError, private_folder

    what = "This is a bug in p2pcards. Your games are safe."
    try:
        home = current_home()
        private_folder(home.state)
        diagnostics = Diagnostics(home.diagnostics)
    except (OSError, StoreError):
        print_error(f"{what} Please report it: {type(error).__name__}.")
        return
    print_error(f"{what} Please report it, with the last lines of {home.diagnostics}.")
    command = next((word for word in arguments if not word.startswith("-")), "")
    diagnostics.fault(f"p2pcards {command}".rstrip() if command.isalpha() else "p2pcards", error)


def note_reader_fault(reader: str, fault: Exception) -> None:
    """Write down where reading a file failed, unless there is no home yet. reader: its function's name."""
    from p2pcards.daemon.diagnostics import Diagnostics
    from p2pcards.store.files import StoreError

    with suppress(OSError, StoreError), closing(Diagnostics(current_home().diagnostics)) as diagnostics:
        diagnostics.fault(reader, fault)


# --- what cannot be undone --------------------------------------------------------------------------------------------


def confirm(told: str, without_asking: str, question: str, *, quiet: bool = False) -> bool:
    """Tell what a command would do, and ask if it should. without_asking: the option that makes it do so unasked, in a
    sentence for the Failure that is raised without a terminal, or if quiet."""
    if quiet or not is_interactive():
        raise Failure(f"{told} {without_asking}", USAGE)
    print_text(told)
    return ask_yes(question)


# --- what a person asked for, checked before a daemon is started for it -----------------------------------------------


def parse_rules(key: str, preset: str, changes: Sequence[str] | None) -> tuple[AnyGame, str, Any, dict[str, str]]:
    """(game, preset, options, changes by key) from what was typed. key: of the game, or another name of it. Raises
    Failure, UnknownGame and OptionError."""
    from p2pcards.games.nearest import did_you_mean
    from p2pcards.games.options import set_options
    from p2pcards.games.registry import find_variant

    game, named = find_variant(key)
    preset = preset or named or next(iter(game.presets))
    if preset not in game.presets:
        meant = did_you_mean(preset, game.presets) or f"Its presets: {', '.join(game.presets)}."
        raise Failure(f"{game.name} has no preset {preset!r}. {meant}", USAGE)
    changed = parse_changes(changes or ())
    return game, preset, set_options(game.presets[preset], changed), changed


def rules_for_table(game: str, preset: str, changes: Sequence[str] | None) -> Rules:
    """The rules to open a table with. game: "" to choose it at the table. Raises as `parse_rules`."""
    from p2pcards.control.messages import Rules

    if not game:
        if preset or changes:
            raise Failure("--preset and --set need a game. Add --game GAME ('p2pcards games' lists them).", USAGE)
        return Rules()
    from p2pcards.games.registry import find_variant

    found, _, _, changed = parse_rules(game, preset, changes)
    return Rules(found.key, preset or find_variant(game)[1], tuple(changed.items()))


def parse_changes(words: Sequence[str]) -> dict[str, str]:
    """The changes by key, from words such as KEY=VALUE."""
    for word in words:
        if "=" not in word:
            raise Failure(f"--set needs KEY=VALUE, such as end_score=50, not {word!r}.", USAGE)
    return {key.strip(): value.strip() for key, _, value in (word.partition("=") for word in words)}


def check_player(character: str, level: str) -> None:
    """Check the names of a character and a level; "" is fine. Raises UnknownCharacter and UnknownLevel."""
    from p2pcards.players.characters import find_character
    from p2pcards.players.levels import find_level

    if character:
        find_character(character)
    if level:
        find_level(level)


def find_log_path(home: Home, text: str) -> Path:
    """The path of a log given as a path, or by its name in the home. Raises Failure."""
    from p2pcards.store.files import StoreError
    from p2pcards.store.logs import find_log, list_logs

    path = Path(text).absolute()
    if path.is_file():
        return path
    list_logs(home)  # whatever is wrong with the folder has another exit code than a wrong name
    try:
        return find_log(home, text).path
    except StoreError as error:
        raise Failure(error.with_advice, USAGE) from None


def find_log_name(home: Home, text: str) -> str:
    """The full name of a log in the home, given in full or by its beginning. Raises Failure."""
    path = find_log_path(home, text)
    if path.parent != home.logs:
        raise Failure(f"There's no log called {text} here. 'p2pcards logs' lists them.", USAGE)
    return path.stem
