"""The home of whoever runs the command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pcards.store.home import Home


def our_home() -> Home:
    """That of the profile that plays. Raises StoreError."""
    from p2pcards.store.profiles import chosen_home

    return chosen_home(os.environ)


def default_home() -> Home:
    """That of the Default profile, below which all others are. Raises StoreError."""
    from p2pcards.store.home import find_home

    return find_home(os.environ)


OPTION = "--profile"


def profile_apart(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The option that names a profile, which may stand anywhere before ``--``, and the other arguments; none where it
    names nobody, which is a mistake whatever they are."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    for place, word in enumerate(arguments[:end]):
        if word == OPTION and place + 1 == end:
            return [OPTION], []
        if word == OPTION or word.startswith(f"{OPTION}="):
            after = place + (2 if word == OPTION else 1)
            return arguments[place:after], [*arguments[:place], *arguments[after:]]
    return [], arguments


def play_as(profile: str) -> None:
    """This profile plays in this process, and in those that it starts."""
    from p2pcards.store.profiles import VARIABLE

    os.environ[VARIABLE] = profile


def named_profile() -> str:
    """The profile that an option or the environment names, "" for none."""
    from p2pcards.store.profiles import VARIABLE

    return os.environ.get(VARIABLE, "")
