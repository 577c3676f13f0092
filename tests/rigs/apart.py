"""Friends in homes behind routers: their programs, a broker and STUN servers, in the NAT laboratory."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from p2pcards.control.exits import NETWORK
from rigs.giving_up import longest_wait
from rigs.nat import SERVERS, SERVERS_V6, Home, Kind, Laboratory, laboratory, start_turnserver
from rigs.program import PATIENT, AtTerminal, Program

BROKER_PORT, STUN_PORT = 1883, 3478


@pytest.fixture(scope="module")
def apart(nat_allowed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    with homes_apart(tmp_path_factory.mktemp("broker")) as made:
        yield made


@contextmanager
def homes_apart(folder: Path, more: str = "") -> Iterator[Laboratory]:
    """Two homes of each kind, a broker and a STUN server. folder: for the broker's configuration; more: lines of it."""
    with laboratory(**{f"{kind}{end}": kind for kind in Kind for end in "12"}) as made:
        configuration = folder / "conf"
        lines = [f"listener {BROKER_PORT} {address}\nallow_anonymous true" for address in (SERVERS[2], SERVERS_V6[2])]
        configuration.write_text("\n".join(["user root", *lines, more]))
        made.public.start("mosquitto", "-c", configuration)
        start_turnserver(made.public, (*SERVERS[:2], SERVERS_V6[0]))
        yield made


def server(number: int, home: Home) -> str:
    """Its address, as this home reaches it, in a URL."""
    return f"[{SERVERS_V6[number]}]" if home.kind is Kind.IPV6 else SERVERS[number]


def stun_server(home: Home) -> str:
    return f"{server(0, home)}:{STUN_PORT}"


def with_environment(more: Mapping[str, str]) -> list[str]:
    """The beginning of a command that is to have it."""
    return ["env", *[f"{name}={value}" for name, value in more.items()]]


def at(home: Home, folder: Path, *ways: str, environment: Mapping[str, str] | None = None) -> Program:
    """The program of somebody in this home. environment: what its own has besides."""
    enter, *words = home.entry
    command = [shutil.which(enter) or enter, *words, *with_environment(environment or {}), *PATIENT]
    program = Program(folder, command=command)
    program.out("config", "set", "brokers", f"mqtt://{server(2, home)}:{BROKER_PORT}")
    program.out("config", "set", "stun", stun_server(home))
    program.out("config", "set", "ways", *ways)
    return program


@contextmanager
def hosting(ann: Program) -> Iterator[tuple[AtTerminal, str]]:
    with AtTerminal(ann, "host", "--reach", "--port", "0", "--name", "Ann", "--plain") as host:
        yield host, host.until(r"From anywhere: p2pcards join (\d{5}-[a-z]+-[a-z]+)")[1]


def way_of(program: Program, expected: str) -> str:
    """How the only friend is reached, once it is as expected."""
    end = time.monotonic() + longest_wait()
    while not (found := re.search(expected, said := program.out("status"))):
        assert time.monotonic() < end, said
        time.sleep(0.05)
    return found[0]


START = "game crazy_eights telecards\rset winning_score=20\rstart\r"

TCP, DIRECT, BROKER = r"tcp [^\s,)]+", r"direct [^\s,)]+", rf"through \[?({re.escape(SERVERS[2])}|{SERVERS_V6[2]})\b"


MAPS = {Kind.PCP, Kind.UPNP}
"""Routers that open a port to whoever asks from inside."""


def is_punched(waits: Kind, calls: Kind) -> bool:
    """Whether UDP gets through by STUN alone (RFC 5128, 3.3): not where neither end can foresee the other's port."""
    kinds = {waits, calls}
    if kinds & {Kind.NO_UDP, Kind.IPV6}:
        return kinds == {Kind.IPV6}
    return Kind.SYMMETRIC not in kinds or Kind.FULL_CONE in kinds


def way_between(waits: Kind, calls: Kind, direct: bool) -> str:
    """What `way_of` finds between two terminals. direct: both have libdatachannel."""
    kinds = {waits, calls}
    ways = [TCP] if kinds == {Kind.IPV6} or (kinds & MAPS and Kind.IPV6 not in kinds) else []
    ways += [DIRECT] if direct and is_punched(waits, calls) else []
    return "|".join(ways) or BROKER


def all_pairs(often: Sequence[tuple[Kind, Kind]], *before: str) -> list[ParameterSet]:
    """Those tried in every run, and all others of kinds, which are slow. before: parameters in front of each."""
    done = {frozenset(pair) for pair in often}
    others = [pair for pair in combinations_with_replacement(Kind, 2) if frozenset(pair) not in done]
    return [
        *[pytest.param(*before, *pair) for pair in often],
        *[pytest.param(*before, *pair, marks=pytest.mark.slow) for pair in others],
    ]


def nothing_else_opens(lab: Laboratory, folder: Path, waits: Kind, calls: Kind, ways: str) -> None:
    """Somebody who lets the broker carry no game is told so, and the table of somebody who does."""
    ann = at(lab.homes[f"{waits}2"], folder / "ann2", *ways.split(), "broker")
    cy = at(lab.homes[f"{calls}1"], folder / "cy", *ways.split())
    dee = at(lab.homes[f"{calls}1"], folder / "dee", *ways.split(), "broker")
    with hosting(ann) as (host, code):
        exit_code, said = cy.refused("join", code, "--name", "Cy", "--json")
        assert exit_code == NETWORK and "No direct connection opened" in said, said
        renewed = host.until(rf"Code for new friends: (?!{code})(\d{{5}}-\S+)")[1]
        dee.data("join", renewed, "--name", "Dee", "--auto", "novice")
        host.until(rf"No direct connection to Dee yet, so the game runs {BROKER}")


def play_a_game(lab: Laboratory, folder: Path, waits: Kind, calls: Kind, ways: str, expected: str) -> None:
    """By a code, to its end, by the way that is expected. ways: the setting of both, beside the broker."""
    if expected == BROKER:
        nothing_else_opens(lab, folder, waits, calls, ways)
    ann = at(lab.homes[f"{waits}1"], folder / "ann", *ways.split(), "broker")
    bob = at(lab.homes[f"{calls}2"], folder / "bob", *ways.split(), "broker")
    with hosting(ann) as (host, code):
        assert bob.data("join", code, "--name", "Bob", "--auto", "novice")["table"] == "t1"
        host.until("Bob confirmed the code")
        for one in (ann, bob):
            way_of(one, expected)
        if expected != BROKER:
            host.until("You( and Bob)? are connected directly now")
        host.type(START)
        host.until("Crazy Eights begins")
        host.type("away\r")
        host.until("The game is over")
        for one in (ann, bob):
            way_of(one, expected)
        host.type("leave yes\r")
        assert host.end() == 0
    (log,) = bob.data("logs")
    assert log["state"] == "finished"
