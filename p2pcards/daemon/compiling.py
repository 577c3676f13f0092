"""The players' kernels are compiled in the background as soon as a level that searches is asked for, and not before:
most of the processor that it takes is spent in vain for people who play against novices.

Where the program runs from its sources, `scripts/p2pcards` names what compiles them. Elsewhere they are compiled
already, or cannot be.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import which

from p2pcards import KERNELS, games, takes_compiled
from p2pcards.daemon.lock import is_held
from p2pcards.games.deals.bits import COMPILED
from p2pcards.players.levels import IN_PAGE, searches

COMPILER = "P2PCARDS_COMPILER"
"""Names the program that compiles them. It returns at once, and goes on at the lowest priority."""

TURN = Path(games.__file__).with_name("compiling.lock")
"""Held for as long as they are being compiled."""

FAILED = TURN.with_name("failed.stamp")
"""Left by a compilation that failed."""


def begin_compiling(environment: Mapping[str, str]) -> None:
    """Start compiling the kernels in another process; takes milliseconds. Failures only leave computer players
    slower."""
    if compiler := environment.get(COMPILER):
        with suppress(OSError):
            subprocess.run([compiler, "--quietly"], stdin=subprocess.DEVNULL, capture_output=True, check=False)


def is_compiling() -> bool:
    """True while a process compiles the players' kernels."""
    return is_held(TURN)


def has_newer_kernels() -> bool:
    """True if the kernels were compiled after this process loaded them uncompiled."""
    return not COMPILED and takes_compiled()


def slowness_sentence(game: str, level: str, until: str, *, hint: bool = False, repeatable: bool = False) -> str:
    """The sentence for players about a level that has too little time to think here; "" if it has enough. until: as
    `lacks_kernels` returns it; hint, repeatable: as in `Think`."""
    if not until or not searches(game, level):
        return ""
    if hint:
        return f"Hints are a little weaker {until}"
    players = f"{level.capitalize()} players" if level == "standard" else f"{level.capitalize()}s"
    return f"{players} {'think much longer' if repeatable else 'play a little weaker'} {until}"


def lacks_kernels(environment: Mapping[str, str], in_page: bool = IN_PAGE) -> str:
    """Why, or until when, computer players here have too little time; "" where the kernels are compiled."""
    if in_page:
        return "in a browser, where they have to be quick."
    if takes_compiled():
        return ""
    if environment.get(KERNELS) == "written":
        return f"here, because {KERNELS} turns the fast kernels off."
    if COMPILER not in environment:
        return "here, because this copy came without the fast kernels."
    if which("cc", path=environment.get("PATH")) is None:
        return "here: the fast kernels need a C compiler. On Debian and Ubuntu: apt install gcc libc6-dev python3-dev."
    if FAILED.exists() and not is_compiling():
        return "here, because the fast kernels couldn't be built. scripts/compile shows why."
    return "until the fast kernels are built (about 2 min)."
