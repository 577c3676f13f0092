"""Refusals of the daemon with the exit codes of the commands that meet them."""

from __future__ import annotations

from p2pcards.control.attached import Refusal
from p2pcards.control.exits import DAEMON, UNEXPECTED


class Declined(Refusal):
    """A refusal with its exit code, one of `exits`."""

    def __init__(self, sentence: str, code: int = UNEXPECTED) -> None:
        super().__init__(sentence)
        self.code = code


OTHER_BUILD = "The daemon runs another p2pcards than this one, probably an older one."


class OtherBuild(Declined):
    """The daemon was not built from the sources of this program."""

    def __init__(self) -> None:
        super().__init__(
            f"{OTHER_BUILD} Stop it with 'p2pcards stop', then try again; games pick up where they left off.", DAEMON
        )


class NoDaemon(Declined):
    """No daemon runs, and none was to be started."""

    def __init__(self) -> None:
        super().__init__(
            "No daemon runs here, so no table is open. Start one: p2pcards play, listen or connect.", DAEMON
        )
