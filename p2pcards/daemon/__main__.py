"""`python -m p2pcards.daemon STATE CONFIG SOCKET [PROFILE FALLBACK]` is the daemon of that home; its standard output
says whether it runs. FALLBACK: the settings of the Default profile, for a home that is below it.

Without arguments it is the home of the profile that plays, as for every command.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

from p2pcards.control.exits import USAGE
from p2pcards.store.files import Home, StoreError
from p2pcards.store.profiles import chosen_home


def announce(words: str) -> None:
    """Write a line to the process that waits for the daemon, and close the pipe to it."""
    with suppress(BrokenPipeError):
        os.write(1, f"{words}\n".encode(errors="replace"))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def main(arguments: list[str]) -> int:
    """Run the daemon of the home in these arguments; returns an exit code."""
    if len(arguments) not in (0, 3, 5):
        announce(f"refused {USAGE} Give no arguments, or STATE CONFIG SOCKET [PROFILE FALLBACK].")
        return USAGE
    try:
        home = _home(arguments) if arguments else chosen_home(os.environ)
    except StoreError as error:
        announce(f"refused {USAGE} {error.with_advice}")
        return USAGE
    gc.disable()  # what is read here stays
    from p2pcards.daemon.serve import run_daemon

    gc.enable()
    return run_daemon(home, announce)


def _home(arguments: list[str]) -> Home:
    """The home in the arguments: STATE CONFIG SOCKET [PROFILE FALLBACK]."""
    state, config, socket, *fallback = [Path(word).absolute() for word in (*arguments[:3], *arguments[4:])]
    return Home(state, config, socket, arguments[3], *fallback) if fallback else Home(state, config, socket)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
