"""Real daemons whose host is gone, at each phase of a table: the others play on, and the host comes back."""

from __future__ import annotations

import os
import re
import signal
from contextlib import ExitStack

import pytest
import trio

from p2pcards.control.client import connect
from p2pcards.ledger.payloads import RECORD
from p2pcards.session import listener_table, table
from p2pcards.store.files import Home, find_home
from p2pcards.store.logs import list_logs, read_log
from p2pcards.views.happenings import HandOpened
from p2pcards.wire.records import CheckEntry, Entry, OpeningEntry, read_record
from rigs import forking
from rigs.giving_up import longest_wait
from rigs.homes import daemon_pid, play_until, wait_until_ended
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.programs_at_tables import here, people, playing, tables, until

pytestmark = pytest.mark.usefixtures("loaded_daemons")


SOON = 3
"""Seconds of grace."""


@pytest.fixture
def short_lobby_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host may be gone as briefly between games as in one."""
    monkeypatch.setitem(forking.instead, listener_table.__name__, {"LOBBY_GRACE": SOON})


def in_lobby(ann: Program, *guests: Program) -> None:
    """Ann has connected to the guests, who listen, and has chosen hearts."""
    names = [guest.home.name.title() for guest in guests]
    pairs = zip(guests, names, strict=True)
    addresses = [f"127.0.0.1:{guest.data('listen', '--port', '0', '--name', name)['port']}" for guest, name in pairs]
    options = ("--game", "hearts", "--name", "Ann", "--grace", str(SOON), "--between-hands", "60", "--detached")
    ann.out("connect", *addresses, *options)
    until(lambda: all(here(one) == ["Ann", *names] for one in guests))


def connected(ann: Program, *guests: Program) -> None:
    """Hearts has begun with the guests."""
    in_lobby(ann, *guests)
    ann.out("attach", said="start\n")
    until(lambda: all(playing(one, *names_of(ann, *guests)) for one in (ann, *guests)))


def names_of(*people: Program) -> list[str]:
    return [one.home.name.title() for one in people]


def home_of(one: Program) -> Home:
    return find_home({"P2PCARDS_HOME": str(one.home)})


def kill(one: Program) -> None:
    os.kill(daemon_pid(home_of(one)), signal.SIGKILL)
    wait_until_ended(home_of(one))


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
    # Looking at the logs takes its time, and the computer plays on meanwhile.
    "between two hands": ("auto novice\r", "Hand 1 is over", r"hand [2-9] is next|hand [2-9] is dealt again"),
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
        if when == "between two hands":  # it is over with its last card, and stands once the pack is opened
            until(lambda: all("Hands opened and replayed: 1" in verified(one)[0] for one in guests))
        kill(ann)
        for seat in seats[1:]:
            seat.until(rf"(?s)Ann's machine is gone\. (You host|Bob hosts) now;\s+({told})\.".replace(" ", r"\s+"))
            seat.type("auto novice\rnext\r")
        for seat in seats[1:]:
            seat.until(r"Hand \d is over")
    until(lambda: len({verified(one)[-1] for one in guests}) == 1)
    assert all("everything" in said for one in guests for said in verified(one))


# --- no hand is on ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_lobby_grace")
@pytest.mark.parametrize("names", [("Bob", "Cy"), ("Bob", "Cy", "Dee")], ids=["three machines", "four machines"])
def test_the_host_is_killed_in_the_lobby(make_program: MakeProgram, names: tuple[str, ...]) -> None:
    ann, *guests = people(make_program, "Ann", *names)
    in_lobby(ann, *guests)
    kill(ann)
    play_on_from_lobby(ann, *guests)


@pytest.mark.usefixtures("short_lobby_grace")
def test_the_host_is_killed_while_a_game_is_offered(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cy's machine is asleep, so that no STAKE comes from it."""
    monkeypatch.setitem(forking.instead, table.__name__, {"STAKING": longest_wait()})
    ann, bob, cy = people(make_program, "Ann", "Bob", "Cy")
    in_lobby(ann, bob, cy)
    os.kill(daemon_pid(home_of(cy)), signal.SIGSTOP)
    ann.out("attach", said="start\n")
    assert here(ann) == ["Ann", "Bob", "Cy"] and not ann.data("logs"), "the offer holds"
    kill(ann)
    os.kill(daemon_pid(home_of(cy)), signal.SIGCONT)
    play_on_from_lobby(ann, bob, cy)


def play_on_from_lobby(ann: Program, *guests: Program) -> None:
    """Bob, the first of the guests, hosts; Ann joins him and has a seat in the game that he begins."""
    bob, *others = guests
    until(lambda: all(here(one) == names_of(*guests) for one in guests))
    assert [tables(one)[0]["role"] for one in guests] == ["coordinator", *["listener" for _ in others]]
    ann.out("join", f"127.0.0.1:{tables(bob)[0]['port']}", "--name", "Ann", "--detached")
    everybody = [*guests, ann]
    until(lambda: all(here(one) == names_of(*everybody) for one in guests))
    for one in everybody:
        one.out("attach", said="auto novice\n")
    bob.out("attach", said="start\n")
    play_to_the_end(bob, *everybody)


def test_the_host_is_killed_while_the_header_is_checked(make_program: MakeProgram) -> None:
    """Cy's player is not at the table, so that nothing is checked for them."""
    ann, bob, cy = people(make_program, "Ann", "Bob", "Cy")
    in_lobby(ann, bob, cy)
    bob.out("attach", said="auto novice\n")
    ann.out("attach", said="start\n")
    until(lambda: 1 in checked(cy))
    assert 2 not in checked(cy)
    kill(ann)
    until(lambda: playing(bob, "Bob", "Cy"))
    cy.out("attach", said="auto novice\n")
    come_back(ann, bob, cy)
    play_to_the_end(bob, ann, bob, cy)


def test_the_host_is_killed_while_a_hand_is_checked(make_program: MakeProgram) -> None:
    """Bob's side has signed it, so that it stands for good. Cy's player still looks at it."""
    ann, bob, cy = people(make_program, "Ann", "Bob", "Cy")
    in_lobby(ann, bob, cy)
    for one, said in ((bob, "auto novice\n"), (ann, "auto novice\nstart\n")):
        one.out("attach", said=said)
    trio.run(play_a_hand, home_of(cy))
    until(lambda: 1 in checked(cy))
    assert 2 not in checked(cy)
    kill(ann)
    until(lambda: playing(bob, "Bob", "Cy"))
    told = cy.out("attach", said="auto novice\n")
    assert "Bob hosts now; hand 2 is next." in " ".join(told.split())
    come_back(ann, bob, cy)
    play_to_the_end(bob, ann, bob, cy)


async def play_a_hand(home: Home) -> None:
    async with connect(home) as client:
        await play_until(await client.attach(), lambda happening: isinstance(happening, HandOpened))


def come_back(ann: Program, *others: Program) -> None:
    """Ann has her seat again, once the hand is over that is played without her."""
    ann.out("resume", "--detached")
    until(lambda: here(ann) == [*names_of(*others), "Ann"])
    until(lambda: "You take over from" in ann.out("attach", said="auto novice\n"))


def play_to_the_end(host: Program, *everybody: Program) -> None:
    """The host ends the game after a hand; all have the same log of it, and all their logs hold."""
    until(lambda: all(any(isinstance(entry, OpeningEntry) for entry in entries(one)) for one in everybody))
    host.out("attach", said="end yes\n")
    until(lambda: all(tables(one)[0]["phase"] == "lobby" for one in everybody))
    said = [verified(one) for one in everybody]
    assert len({head for *_, head in said}) == 1
    for newest, *others, _ in said:
        assert "everything" in newest
        assert all("everything" in old or "its owner signed nothing in it" in old for old in others), others


def entries(one: Program) -> list[Entry]:
    """Those of the newest log of this home, none where there is no log."""
    logs = list_logs(home_of(one))
    payloads = read_log(max(logs, key=lambda log: log.changed).path).payloads if logs else ()
    return [entry for data in payloads if data[:1] == RECORD for entry in read_record(data[1:])[1]]


def checked(one: Program) -> set[int]:
    """The sides that have signed the last hand, or the header."""
    found = entries(one)
    opened = max([number for number, entry in enumerate(found) if isinstance(entry, OpeningEntry)], default=0)
    return {entry.side for entry in found[opened:] if isinstance(entry, CheckEntry)}


def verified(one: Program) -> list[str]:
    """What `verify` says of the logs of this home, and the head of the newest."""
    said = [one("verify", log["log"]).stdout for log in one.data("logs")]
    return [*said, f"everything, to {found[1]}" if (found := re.search("head ([0-9a-f]{64})", said[0])) else ""]
