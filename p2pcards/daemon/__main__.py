"""`python -m p2pcards.daemon STATE CONFIG SOCKET` is the daemon of that home; its standard output says whether it runs.

Without arguments the environment names the home, as for every command.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from p2pcards.control.exits import USAGE
from p2pcards.daemon.main import run_daemon
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home, find_home


def announce(words: str) -> None:
    """Say it, and let go of the pipe: whoever waits for us is done with it."""
    with suppress(BrokenPipeError):
        os.write(1, f"{words}\n".encode(errors="replace"))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def main(arguments: list[str]) -> int:
    if len(arguments) not in (0, 3):
        announce(f"refused {USAGE} Give no arguments, or three: STATE CONFIG SOCKET.")
        return USAGE
    try:
        home = Home(*(Path(word).absolute() for word in arguments)) if arguments else find_home(os.environ)
    except StoreError as error:
        announce(f"refused {USAGE} {error.with_advice}")
        return USAGE
    return run_daemon(home, announce)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
