"""What a command says when it cannot do what was asked: a sentence and an exit code, never a stack trace."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from p2pcards.cli.output import say

SIGNALLED = 128
"""And the number of the signal that ended a program, as shells have it."""

HUNG_UP, INTERRUPTED, TERMINATED = SIGNALLED + 1, SIGNALLED + 2, SIGNALLED + 15
"""The terminal was closed; Ctrl-C; SIGTERM."""

PIPE_CLOSED = 141
"""Nobody reads the output any more, as in `p2pcards rules hearts | head -1`."""


class Failure(Exception):
    """The argument is a sentence that says what, why and what to try; code: one of `control.exits`."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def explained(error: BaseException) -> Failure | None:
    """What the rooms below raise for a player to read, as a Failure; None for anything else, which is a fault."""
    from p2pcards.control.exits import STORAGE, UNEXPECTED, USAGE
    from p2pcards.games.options import OptionError
    from p2pcards.games.parts import GameIncomplete
    from p2pcards.games.registry import UnknownGame
    from p2pcards.players.characters import UnknownCharacter
    from p2pcards.players.levels import UnknownLevel
    from p2pcards.store.directory import DirectoryError
    from p2pcards.store.errors import StoreError
    from p2pcards.store.profiles import ProfileError
    from p2pcards.store.settings_file import SettingError

    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return explained(error.exceptions[0])
    if isinstance(error, Failure):
        return error
    if isinstance(error, GameIncomplete):
        return Failure(str(error), UNEXPECTED)
    if isinstance(error, UnknownGame | OptionError | UnknownCharacter | UnknownLevel):
        return Failure(str(error), USAGE)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        # What the store writes it explains itself, so this is the output.
        return Failure(
            "The output cannot be written: the disk is full. Free some space, or send it elsewhere.", STORAGE
        )
    if isinstance(error, OSError) and error.errno == errno.EBADF:
        return Failure("The output cannot be written: the standard output is closed.", STORAGE)
    if isinstance(error, FileNotFoundError) and not _has_folder():
        return Failure(
            "The folder in which you are is not there any more. Go into another one (cd), and try again.", STORAGE
        )
    if isinstance(error, StoreError):
        asked = isinstance(error, SettingError | DirectoryError | ProfileError)  # otherwise the file is at fault
        return Failure(error.with_advice, USAGE if asked else STORAGE)
    return None


def _has_folder() -> bool:
    """Whether the folder in which the program was started still exists."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def is_in(kind: type[BaseException], error: BaseException) -> bool:
    """Whether an error is of this kind, or a group of errors that holds one."""
    if isinstance(error, BaseExceptionGroup):
        return any(is_in(kind, part) for part in error.exceptions)
    return isinstance(error, kind)


def report_fault(error: BaseException, arguments: Iterable[str]) -> None:
    """A mistake in the program: say so, and write down where it happened. What it was about could be private."""
    from p2pcards.cli.home import our_home
    from p2pcards.daemon.diagnostics import Diagnostics
    from p2pcards.store.errors import StoreError
    from p2pcards.store.files import private_folder

    what = "This is a fault of p2pcards, not yours, and no game is lost by it."
    try:
        home = our_home()
        private_folder(home.state)
        diagnostics = Diagnostics(home.diagnostics)
    except (OSError, StoreError):
        say_error(f"{what} It is called {type(error).__name__}; please report it.")
        return
    say_error(f"{what} Please report it with the last lines of {home.diagnostics}.")
    command = next((word for word in arguments if not word.startswith("-")), "")
    diagnostics.fault(f"p2pcards {command}".rstrip() if command.isalpha() else "p2pcards", error)


def say_error(sentence: str) -> None:
    """One sentence on standard error, whatever state that is in."""
    with suppress(OSError):
        say(sentence, sys.stderr)
