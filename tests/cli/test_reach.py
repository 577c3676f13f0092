"""Sitting down from anywhere by a code or as a friend: real daemons at real brokers, Debian's mosquitto."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from p2pcards.control.exits import NETWORK, REFUSED, USAGE
from p2pcards.daemon.reach import VARIABLE
from p2pcards.store.files import find_home
from p2pcards.wire.address import MEETING
from p2pcards.wire.spoken import FIRST, read_code
from rigs.giving_up import longest_wait
from rigs.homes import daemon_pid
from rigs.mosquitto import Mosquitto, mosquitto
from rigs.program import AtTerminal, MakeProgram, Program

pytestmark = pytest.mark.reach

WAY = r"through (127\.0\.0\.1:\d+), round trip \d+ ms"


@pytest.fixture(scope="module")
def two_brokers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Mosquitto, Mosquitto]]:
    folders = [tmp_path_factory.mktemp("mosquitto") for _ in range(2)]
    with mosquitto(folders[0]) as one, mosquitto(folders[1]) as other:
        yield one, other


def at(program: Program, *brokers: Mosquitto) -> Program:
    program.out("config", "set", "brokers", *[broker.address("plain") for broker in brokers])
    program.out("config", "set", "ways", "broker")
    return program


@contextmanager
def hosting(ann: Program, *options: str) -> Iterator[AtTerminal]:
    where = ("--reach", "--port", "0", "--bind", "127.0.0.1")
    with AtTerminal(ann, "host", *where, "--name", "Ann", "--plain", *options) as host:
        yield host


def code_of(host: AtTerminal) -> str:
    return host.until(r"From anywhere: p2pcards join (\d{5}-[a-z]+-[a-z]+)")[1]


def way_of(program: Program) -> str:
    """The broker that carries the only friend, as soon as they are there."""
    end = time.monotonic() + longest_wait()
    while not (found := re.search(WAY, program.out("status"))):
        assert time.monotonic() < end, program.out("status")
        time.sleep(0.05)
    return found[1]


def broker_at(where: str, brokers: tuple[Mosquitto, Mosquitto]) -> Mosquitto:
    return next(broker for broker in brokers if broker.address("plain").endswith(where))


START = "game crazy_eights telecards\rset winning_score=50\rstart\r"


def test_a_code_is_enough_and_a_game_survives_its_broker(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    with hosting(ann) as host:
        code = code_of(host)
        host.until("You and your friend meet through message brokers, which see")
        assert bob.data("join", code, "--name", "Bob", "--auto", "novice")["table"] == "t1"
        host.until(r"Bob joins the table as .* \(a caller at a meeting point\)")
        host.until(r"Bob confirmed the code")
        host.type(START)
        host.until("Crazy Eights begins")
        carrier = broker_at(way_of(bob), two_brokers)
        carrier.kill()
        try:
            host.type("away\r")
            host.until("The game is over")
            assert way_of(bob) not in carrier.address("plain")
        finally:
            carrier.start()
        host.type("leave yes\r")
        assert host.end() == 0
    (log,) = bob.data("logs")
    assert (log["state"], log["coordinates"]) == ("finished", False)


def test_wrong_words_burn_the_code_and_who_comes_later_is_told(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    with hosting(ann) as host:
        code = code_of(host)
        right = read_code(code)
        wrong = f"{right.number}-{FIRST[FIRST.index(right.first) - 1]}-{right.second}"
        exit_code, said = bob.refused("join", wrong, "--name", "Bob")
        assert exit_code == REFUSED and said.startswith("the other side"), said
        host.until(rf"Someone entered a wrong code \(a caller at a meeting point\), so {code} no longer works")
        renewed = host.until(rf"Code for new friends: (?!{code})(\d{{5}}-\S+)")[1]
        exit_code, said = bob.refused("join", code, "--name", "Bob")
        assert exit_code == REFUSED and "dropped that code" in said
        assert bob.data("join", renewed, "--name", "Bob")["table"] == "t1"
        host.until("Bob confirmed the code")


@pytest.mark.parametrize("seconds", [0, pytest.param(600, marks=pytest.mark.slow)])
def test_a_machine_that_sleeps_is_back_in_its_seat(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto], seconds: int
) -> None:
    """It sleeps until its player is played for, and so many seconds more."""
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    with hosting(ann, "--grace", "1") as host:
        bob.data("join", code_of(host), "--name", "Bob", "--auto", "novice")
        host.until("Bob confirmed the code")
        host.type(START)
        host.until("Your hand")
        asleep = daemon_pid(find_home({"P2PCARDS_HOME": str(bob.home)}))
        os.kill(asleep, signal.SIGSTOP)
        try:
            host.until("Bob was cut off, so")
            time.sleep(seconds)
        finally:
            os.kill(asleep, signal.SIGCONT)
        host.until(r"Bob is (back|playing again)")
        host.type("away\r")
        host.until("The game is over")
        host.type("leave yes\r")
        assert host.end() == 0
    (log,) = bob.data("logs")
    assert log["state"] == "finished"


def test_after_a_killed_daemon_attach_finds_the_host_as_a_friend(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    with hosting(ann) as host:
        bob.data("join", code_of(host), "--name", "Bob", "--auto", "novice")
        host.until("Bob confirmed the code")
        host.type(START)
        host.until("Your hand")
        bob.kill_daemon()
        with AtTerminal(Program(bob.home), "attach", "--plain") as guest:
            host.until(r"Bob is (back|playing again)")
            host.type("away\r")
            host.until("The game is over")
            guest.until("The game is over")
            guest.type("leave yes\r")
            assert guest.end() == 0


LINK = r"\n +(meet:[a-z2-7]{42})\r?\n"
NOBODY_BY_LINK = (
    "Nobody answered at the meeting points. Ask your friend whether their table is still open, and for its link.\n"
)


def another(link: str, place: int) -> str:
    """With another letter there."""
    return f"{link[:place]}{'b' if link[place] == 'a' else 'a'}{link[place + 1 :]}"


def test_one_link_leads_all_friends_to_the_table_as_long_as_it_is_open(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob, cy = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob", "cy"))
    with hosting(ann) as host:
        code = code_of(host)
        link = host.until(LINK)[1]
        bob.out("join", "-", "--name", "Bob", "--detached", said=f"Sit down here: {link}!\n")
        host.until("Bob joined through the link")
        cy.data("join", f"https://cards.example/#{link.removeprefix(MEETING).upper()}", "--name", "Cy")
        host.until("Cy joined through the link")
        (table,) = ann.data("status")["tables"]
        assert (table["link"], table["code"]) == (link, code), "it is used up by nobody"
        (peer,) = bob.data("peers", "list")
        assert (peer["name"], peer["proof"], peer["address"]) == ("Ann", "code", f"{MEETING}{peer['fingerprint']}")
        assert {one["name"]: one["proof"] for one in ann.data("peers", "list")} == dict.fromkeys(
            ("Bob", "Cy"), "first use"
        )
        bob.leave()
        host.until("Bob left the table")
        bob.data("join", link)
        host.until("Bob joins the table")
        assert link.removeprefix(MEETING) not in (ann.home / "diagnostics.txt").read_text()


def test_a_link_that_leads_to_nobody_says_what_to_try(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    with hosting(ann) as host:
        link = host.until(LINK)[1]
        token, named = len(MEETING), len(MEETING) + 30
        assert bob.refused("join", another(link, token), "--name", "Bob") == (NETWORK, NOBODY_BY_LINK)
        exit_code, said = bob.refused("join", link[:-3], "--name", "Bob")
        assert exit_code == USAGE and "is missing" in said
        exit_code, said = bob.refused("join", another(link, named), "--name", "Bob")
        assert exit_code == REFUSED and said.startswith("Someone else answered this link")
        assert bob.data("peers", "list") == ann.data("peers", "list") == []


def test_whoever_listens_has_a_link_too_and_none_where_only_friends_come_in(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    listening = ("listen", "--reach", "--port", "0", "--bind", "127.0.0.1")
    ann.data("connect", bob.data(*listening, "--name", "Bob", "--require-code")["link"], "--name", "Ann")
    assert ann.data("connect", "Bob")["new"]
    for program in (ann, bob):
        program.out("stop")
    assert "link" not in bob.data(*listening, "--known-only")


def test_with_a_page_set_the_link_opens_it_and_leads_programs_to_the_table_too(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    ann.out("config", "set", "page", "https://cards.example/ann/")
    opened = ann.data("host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann")
    assert re.fullmatch(r"https://cards\.example/ann/#[a-z2-7]{42}", opened["link"])
    assert bob.data("join", opened["link"], "--name", "Bob")["new"]
    assert ann.refused("config", "set", "page", "http://cards.example/")[0] == USAGE


def test_who_has_met_connects_by_name_and_needs_no_code(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto]
) -> None:
    ann, bob, cy = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob", "cy"))
    opened = bob.data("listen", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Bob")
    assert opened["anywhere"]
    ann.data("connect", opened["code"], "--name", "Ann")
    (peer,) = ann.data("peers", "list")
    assert (peer["name"], peer["proof"], peer["address"]) == ("Bob", "code", f"{MEETING}{peer['fingerprint']}")
    assert re.search(r"Bob +\S+ +through brokers +code", ann.out("peers", "list"))
    ann.leave()
    bob.leave()
    assert not bob.data("listen", "--reach", "--known-only", "--port", "0", "--bind", "127.0.0.1")["code"]
    assert ann.data("connect", "Bob")["table"] == "t1"
    assert way_of(ann)
    ann.leave()
    cy.out("config", "set", "name", "Cy")
    exit_code, said = cy.refused("connect", opened["code"])
    why = "Nobody answered at the meeting points. Check the code, and that your friend is still waiting.\n"
    assert (exit_code, said) == (NETWORK, why)


def test_a_friend_whose_address_is_dead_is_found_where_meeting_points_are_on(
    make_program: MakeProgram, two_brokers: tuple[Mosquitto, Mosquitto], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob"))
    listening = ("listen", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Bob")
    opened = bob.data(*listening)
    ann.data("connect", f"127.0.0.1:{opened['port']}", "--code", opened["code"], "--name", "Ann")
    ann.leave()
    bob.leave()
    bob.out("stop")
    bob.data(*listening)  # at another port
    assert ann.refused("connect", "Bob")[0] == NETWORK, "nobody has asked for meeting points"
    ann.out("stop")
    monkeypatch.delenv(VARIABLE)
    assert ann.data("connect", "Bob")["table"] == "t1"
    assert way_of(ann)
    ann.leave()


def ways_to(ann: Program, host: AtTerminal, called: str) -> Iterator[tuple[str, ...]]:
    """What each of two friends types to call Ann, the second once the first has come in."""
    first = code_of(host)
    (table,) = ann.data("status")["tables"]
    at = (f"127.0.0.1:{table['port']}", "--code") if called == "at an address" else ()
    yield (*at, first)
    yield (*at, host.until(rf"Code for new friends: (?!{first})(\d{{5}}-\S+)")[1])


@pytest.mark.parametrize("called", ["at a code", "at an address"])
def test_two_play_on_when_their_host_is_gone(
    make_program: MakeProgram,
    two_brokers: tuple[Mosquitto, Mosquitto],
    monkeypatch: pytest.MonkeyPatch,
    called: str,
) -> None:
    """They have no door of their own, and have never met each other."""
    ann, bob, cy = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob", "cy"))
    with hosting(ann, "--grace", "3") as host:
        if called == "at an address":
            monkeypatch.delenv(VARIABLE)  # without it the settings say whether meeting points are used
        for where, (friend, name) in zip(ways_to(ann, host, called), ((bob, "Bob"), (cy, "Cy")), strict=True):
            friend.data("join", *where, "--name", name, "--auto", "novice")
        host.until(r"Cy confirmed the code")
        host.type("game hearts\rstart\r")
        host.until("Your hand")
        os.kill(daemon_pid(find_home({"P2PCARDS_HOME": str(ann.home)})), signal.SIGKILL)
    with AtTerminal(cy, "attach") as seat:
        seat.until("Ann's machine is gone. Bob hosts now")
        seat.type("\x03")
    with AtTerminal(bob, "attach") as seat:
        seat.until("You host now")
        seat.type("\x03")


@pytest.mark.parametrize("called", ["at codes", "at an address"])
def test_a_watcher_finds_the_next_host_at_a_meeting_point(
    make_program: MakeProgram,
    two_brokers: tuple[Mosquitto, Mosquitto],
    monkeypatch: pytest.MonkeyPatch,
    called: str,
) -> None:
    """Bob, who plays on with a character, has no door of his own, and has never met Wim."""
    ann, bob, wim = (at(make_program(name).inside(), *two_brokers) for name in ("ann", "bob", "wim"))
    with hosting(ann, "--grace", "3") as host:
        if called == "at an address":
            monkeypatch.delenv(VARIABLE)  # without it the settings say whether meeting points are used
        friends = ((bob, "Bob", "join"), (wim, "Wim", "watch"))
        for where, (friend, name, verb) in zip(ways_to(ann, host, called), friends, strict=True):
            friend.out(verb, *where, "--name", name, "--detached")
        bob.out("attach", said="auto novice\n")
        host.until("Wim wants to watch")
        host.type("watchers yes\rgame hearts\rstart\r")
        host.until("Your hand")
        os.kill(daemon_pid(find_home({"P2PCARDS_HOME": str(ann.home)})), signal.SIGKILL)
    with AtTerminal(bob, "attach") as seat:
        seat.until("To play on without them: continue")
        seat.type("auto off\rcontinue\r")
        seat.until("You host now")
        seat.type("\x03")
    with AtTerminal(wim, "attach") as seat:
        seat.until("Bob hosts now")
        seat.type("\x03")
