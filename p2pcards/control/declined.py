"""Refusals of the daemon with the exit codes of the commands that meet them."""

from __future__ import annotations

from p2pcards.control.attached import Refusal
from p2pcards.control.exits import DAEMON, UNEXPECTED


class Declined(Refusal):
    """A refusal with its exit code, one of `exits`."""

    def __init__(self, sentence: str, code: int = UNEXPECTED) -> None:
        super().__init__(sentence)
        self.code = code


class NoDaemon(Declined):
    """No daemon runs, and none was to be started."""

    def __init__(self) -> None:
        super().__init__(
            "No daemon runs here, so no table is open. Start one: p2pcards play, listen or connect.", DAEMON
        )
