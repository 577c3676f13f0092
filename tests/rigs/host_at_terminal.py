"""A host at a terminal whose table is brought into each state in which a guest may lose their seat."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rigs.giving_up import longest_wait
from rigs.program import AtTerminal, Program
from rigs.short_games import short

LOOKING = 0.05
Wanted = Callable[[str, dict[str, str]], bool]
Steps = tuple[tuple[str, str], ...]
"""What the host types, and the phase that follows."""

CHOSEN = (("game crazy_eights", "lobby"),)
BEGUN = (*CHOSEN, ("start", "play"))
SHORT = tuple([(f"set {key}={value}", "lobby") for key, value in short("crazy_eights")])

STATES: dict[str, tuple[Steps, Steps]] = {
    "lobby": ((), ()),
    "in a game": ((), BEGUN),
    "between games": ((), (*BEGUN, ("end yes", "lobby"))),
    "game over": ((), (*CHOSEN, *SHORT, ("auto novice", "lobby"), ("start", "over"))),
    "onlooker": (BEGUN, ()),
}
"""Before the guest comes, and after that."""


class HostAtTerminal:
    """guest: the name of the one whose seat it is about."""

    def __init__(self, program: Program, terminal: AtTerminal, state: str, guest: str) -> None:
        self.link = terminal.until(r"http://127\.0\.0\.1:\d+/#[\w-]+")[0]
        self._program = program.inside()
        self._terminal = terminal
        self._guest = guest
        before, self._after = STATES[state]
        self._take(before)

    def bring_about(self) -> None:
        """The guest has sat down."""
        self.until_guest("here")
        self._take(self._after)

    def answer(self, asked: str, line: str) -> None:
        """Wait until this is asked, and type the answer."""
        self._terminal.until(asked)
        self._terminal.type(f"{line}\r")

    def until_guest(self, link: str) -> None:
        """The guest is here, or away."""
        self._until(lambda _, people: people.get(self._guest) == link)

    def _take(self, steps: Steps) -> None:
        for line, follows in steps:
            self._terminal.type(f"{line}\r")
            self._until(partial(_is_in, follows))

    def _until(self, wanted: Wanted) -> None:
        end = time.monotonic() + longest_wait()
        while True:
            (table,) = self._program.data("status")["tables"]
            people = {one["name"]: one["link"] for one in table["people"]}
            if wanted(table["phase"], people):
                return
            assert time.monotonic() < end, f"it does not come about; there is {table}, {self._terminal.text!r}"
            time.sleep(LOOKING)


def _is_in(wanted: str, phase: str, _people: dict[str, str]) -> bool:
    return phase == wanted


@contextmanager
def hosting_at_terminal(program: Program, state: str, guest: str) -> Iterator[HostAtTerminal]:
    with AtTerminal(program, "host", "--web", "0", "--bind", "127.0.0.1", "--name", "Ann", "--plain") as terminal:
        yield HostAtTerminal(program, terminal, state, guest)
