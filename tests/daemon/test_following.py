"""Watchers at the tables of real daemons stay with a table whose host is killed, or hands it over."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest

from p2pcards.store.files import find_home
from rigs.homes import daemon_pid, wait_until_ended
from rigs.program import MakeProgram, Program
from rigs.programs_at_tables import here, people, playing, until

pytestmark = pytest.mark.usefixtures("loaded_daemons")


def watched(make_program: MakeProgram) -> list[Program]:
    """Ann hosts hearts with Bob and Cy, who listen, and Dee watches."""
    ann, bob, cy, dee = everybody = people(make_program, "Ann", "Bob", "Cy", "Dee")
    port = ann.data("host", "--port", "0", "--game", "hearts", "--name", "Ann", "--grace", "3")["port"]
    for one, name in ((bob, "Bob"), (cy, "Cy")):
        theirs = one.data("listen", "--port", "0", "--name", name)["port"]
        ann.out("attach", said=f"invite 127.0.0.1:{theirs}\n")
        until(partial(is_here, name, ann))
    dee.out("watch", f"127.0.0.1:{port}", "--name", "Dee", "--detached")
    until(lambda: "Dee: wants to watch" in ann.out("attach", said="who\n"))
    ann.out("attach", said="watchers yes Dee\nstart\n")
    until(lambda: all(playing(one, "Ann", "Bob", "Cy") for one in everybody))
    return everybody


def is_here(name: str, at: Program) -> bool:
    return name in here(at)


def test_a_watcher_stays_with_the_table_when_the_host_is_killed(make_program: MakeProgram) -> None:
    ann, bob, cy, dee = watched(make_program)
    home = find_home({"P2PCARDS_HOME": str(ann.home)})
    os.kill(daemon_pid(home), signal.SIGKILL)
    wait_until_ended(home)
    until(lambda: all(playing(one, "Bob", "Cy") for one in (bob, cy, dee)))
    told = " ".join(dee.out("attach", said="who\n").split())
    assert "Ann's machine is gone. Bob hosts now; hand 1 is next. Ann can come back any time." in told
    assert "Dee: you, watching" in told
    assert "wants to watch" not in bob.out("attach", said="who\n")
    assert "Dee: watching" in cy.out("attach", said="who\n")
    bob.out("attach", said="handover Cy\n")
    for one in (bob, cy):
        one.out("attach", said="auto novice\n")
    until(lambda: "Cy hosts now." in dee.out("attach", said="who\n"))
    assert "Dee: watching" in bob.out("attach", said="who\n")


def test_a_watcher_stays_with_a_table_that_is_handed_over(make_program: MakeProgram) -> None:
    ann, bob, cy, dee = watched(make_program)
    ann.out("attach", said="handover Cy\n")
    for one in (ann, bob, cy):
        one.out("attach", said="auto novice\n")
    until(lambda: "Cy hosts now." in dee.out("attach", said="who\n"))
    until(lambda: here(dee)[0] == "Cy" and "Dee: watching" in bob.out("attach", said="who\n"))
    assert "wants to watch" not in cy.out("attach", said="who\n")


def test_who_looks_on_stays_with_a_table_that_is_handed_over(make_program: MakeProgram) -> None:
    """They came during the game, and have no log of what was before."""
    ann, bob, dee = people(make_program, "Ann", "Bob", "Dee")
    ann.out("host", "--port", "0", "--game", "hearts", "--name", "Ann", "--grace", "3", "--detached")
    for one, name in ((bob, "Bob"), (dee, "Dee")):
        theirs = one.data("listen", "--port", "0", "--name", name)["port"]
        ann.out("attach", said=f"invite 127.0.0.1:{theirs}\n")
        until(partial(is_here, name, ann))
        if name == "Bob":
            ann.out("attach", said="start\n")
            until(lambda: all(playing(one, "Ann", "Bob") for one in (ann, bob)))
    ann.out("attach", said="handover Bob\nauto novice\n")
    bob.out("attach", said="auto novice\n")
    until(lambda: "Bob hosts now" in ann.out("attach", said="who\n"))
    until(lambda: all(playing(one, "Bob", "Ann", "Dee") for one in (ann, bob, dee)))
