"""Refusals of the daemon with the exit codes of the commands that meet them."""

from __future__ import annotations

from p2pcards.control.attached import Refusal
from p2pcards.control.exits import DAEMON, UNEXPECTED


class Declined(Refusal):
    """A refusal with its exit code, one of `exits`."""

    def __init__(self, sentence: str, code: int = UNEXPECTED) -> None:
        super().__init__(sentence)
        self.code = code


OTHER_BUILD = "The daemon is from another version of p2pcards, probably an older one."
PICK_UP = "Your games pick up where they left off."


class OtherBuild(Declined):
    """The daemon was not built from the sources of this program."""

    def __init__(self) -> None:
        super().__init__(f"{OTHER_BUILD} Run 'p2pcards stop', then try again. {PICK_UP}", DAEMON)


class Updated(Declined):
    """The daemon may be the newer of the two: the sources have changed since this program began."""

    def __init__(self) -> None:
        super().__init__(f"p2pcards was updated since this window opened. Close it and start again. {PICK_UP}", DAEMON)


class NoDaemon(Declined):
    """No daemon runs, and none was to be started."""

    def __init__(self) -> None:
        super().__init__("No table is open. Open one with p2pcards play, host or join.", DAEMON)
