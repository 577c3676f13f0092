"""Real daemons whose host is gone: the others play on, and the host comes back to their seat."""

from __future__ import annotations

import os
import re
import signal
from contextlib import ExitStack

import pytest

from p2pcards.store.files import find_home
from rigs.homes import wait_until_ended
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.programs_at_tables import here, people, playing, tables, until

pytestmark = pytest.mark.usefixtures("loaded_daemons")


def connected(ann: Program, *guests: Program, grace: int = 3) -> None:
    """Ann has connected to the guests, who listen, and hearts has begun."""
    names = [guest.home.name.title() for guest in guests]
    pairs = zip(guests, names, strict=True)
    addresses = [f"127.0.0.1:{guest.data('listen', '--port', '0', '--name', name)['port']}" for guest, name in pairs]
    options = ("--game", "hearts", "--name", "Ann", "--grace", str(grace), "--between-hands", "60", "--detached")
    ann.out("connect", *addresses, *options)
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, "Ann", *names) for one in (ann, *guests)))


def kill(one: Program) -> None:
    os.kill(one.data("status")["pid"], signal.SIGKILL)
    wait_until_ended(find_home({"P2PCARDS_HOME": str(one.home)}))


def test_the_others_play_on_when_the_host_is_killed_and_she_comes_back(make_program: MakeProgram) -> None:
    ann, bob, cy = people(make_program, "Ann", "Bob", "Cy")
    connected(ann, bob, cy)
    kill(ann)
    until(lambda: all(playing(one, "Bob", "Cy") for one in (bob, cy)))
    assert [table["role"] for table in (*tables(bob), *tables(cy))] == ["coordinator", "listener"]
    told = cy.out("attach", said="who\n")
    assert "Ann's machine is gone. Bob hosts now; hand 1 is next. Ann can come back any time." in told
    ann.out("resume", "--detached")
    until(lambda: here(ann) == ["Bob", "Cy", "Ann"])
    for one in (bob, cy):
        one.out("attach", said="auto novice\n")
    until(lambda: "You take over from" in ann.out("attach", said="who\n"))


WHEN = {
    "while they pass": ("", "your turn", "hand 1 is dealt again"),
    "in the middle of a hand": ("auto novice\r", r"takes? the trick", "hand 1 is dealt again"),
    "between two hands": ("auto novice\r", "Hand 1 is over", r"hand 2 is next|hand 2 is dealt again"),
}


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("names", [("Bob", "Cy"), ("Bob", "Cy", "Dee")], ids=["three machines", "four machines"])
def test_the_host_is_killed_at_a_phase_of_the_hand(
    make_program: MakeProgram, names: tuple[str, ...], when: str
) -> None:
    words, killed_after, told = WHEN[when]
    ann, *guests = people(make_program, "Ann", *names)
    connected(ann, *guests)
    with ExitStack() as stack:
        seats = [stack.enter_context(AtTerminal(one, "attach", "--plain")) for one in (ann, *guests)]
        for seat in seats:
            seat.until("your turn")
            seat.type(words)
        seats[-1].until(killed_after)
        kill(ann)
        for seat in seats[1:]:
            seat.until(rf"(?s)Ann's machine is gone\. (You host|Bob hosts) now;\s+({told})\.".replace(" ", r"\s+"))
            seat.type("auto novice\rnext\r")
        for seat in seats[1:]:
            seat.until(r"Hand \d is over")
    until(lambda: len({verified(one)[-1] for one in guests}) == 1)
    assert all("everything" in said for one in guests for said in verified(one))


def verified(one: Program) -> list[str]:
    """What `verify` says of the logs of this home, and the head of the newest."""
    said = [one("verify", log["log"]).stdout for log in one.data("logs")]
    return [*said, f"everything, to {found[1]}" if (found := re.search("head ([0-9a-f]{64})", said[0])) else ""]
