"""Meeting points are used where somebody asks for them, and nowhere else."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest
import trio

from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.daemon.calling import Caller, NotReached
from p2pcards.daemon.reach import (
    FIRST_USE,
    FIRST_USE_IN_PAGE,
    NONE_FOR_PAGE,
    OFF,
    OFF_BY_VARIABLE,
    OFF_IN_PAGE,
    VARIABLE,
    InPage,
    NoReach,
    Reach,
    reach_of,
    waits_anywhere,
)
from p2pcards.links.broker import BrokerLost
from p2pcards.links.broker_address import BrokerAddress
from p2pcards.links.public_servers import PUBLIC_BROKERS
from p2pcards.links.tcp import CannotConnect
from p2pcards.store.files import Home
from p2pcards.store.settings import REACH, Settings, find_setting, set_setting
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome
from rigs.program import AtTerminal, MakeProgram, Program

CODE = "48213-crossword-clockwork"


@pytest.fixture
def broker() -> Iterator[socket.socket]:
    """Takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as ear:
        ear.setblocking(False)
        yield ear


def at(program: Program, *brokers: socket.socket) -> Program:
    program.out("config", "set", "brokers", *[f"mqtt://127.0.0.1:{one.getsockname()[1]}" for one in brokers])
    program.out("config", "set", "ways", "broker")
    return program


def called(broker: socket.socket) -> bool:
    try:
        broker.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def is_called(broker: socket.socket) -> bool:
    """Within some time: a table is opened before it waits at brokers."""
    return bool(select.select([broker], [], [], longest_wait())[0]) and called(broker)


def test_no_table_goes_to_a_broker_where_it_is_not_meant_to(
    make_program: MakeProgram, broker: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    ann, bob = (at(make_program(name).inside(), broker) for name in ("ann", "bob"))
    here = ("--port", "0", "--bind", "127.0.0.1")
    opened = ann.data("host", *here, "--name", "Ann")
    bob.data("join", f"127.0.0.1:{opened['port']}", "--name", "Bob", "--code", opened["code"])
    bob.leave()
    ann.leave()
    opened = bob.data("listen", "--port", "0", "--no-reach")
    ann.data("connect", f"127.0.0.1:{opened['port']}", "--code", opened["code"])
    ann.leave()
    ann.data("connect", "Bob")
    ann.data("play", "hearts")
    ann.out("config", "set", "reach", "asked")
    assert "anywhere" not in ann.data("host", "--port", "0")
    for one in (ann, bob):
        one.out("stop")
    assert not called(broker)
    ann.data("host", *here, "--reach")
    assert is_called(broker), "else this test shows nothing"
    ann.out("stop")


@pytest.mark.parametrize("command", ["host", "listen"])
def test_a_table_that_waits_at_every_address_waits_at_brokers_too(
    make_program: MakeProgram, broker: socket.socket, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.delenv(VARIABLE)
    ann = at(make_program("ann").inside(), broker)
    assert ann.data(command, "--port", "0", "--name", "Ann")["anywhere"]
    assert is_called(broker)
    ann.out("stop")


def test_switched_off_no_code_goes_to_a_meeting_point(
    make_program: MakeProgram, broker: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = at(make_program("ann").inside(), broker)
    ann.out("config", "set", "reach", "off")
    for words in (("join", CODE), ("connect", CODE), ("host", "--reach"), ("listen", "--reach")):
        assert ann.refused(*words, "--name", "Ann") == (USAGE, f"{OFF}\n")
    ann.data("host", "--port", "0", "--bind", "127.0.0.1")
    ann.out("stop")
    ann.out("config", "set", "reach", "on")
    monkeypatch.setenv(VARIABLE, "off")
    for words in (("join", CODE), ("host", "--reach")):
        assert ann.refused(*words, "--name", "Ann") == (USAGE, f"{OFF_BY_VARIABLE}\n")
    assert not called(broker)


def test_where_a_table_waits_follows_from_the_setting_and_the_command() -> None:
    asked = {
        (chosen, asked, bind): waits_anywhere(chosen, asked, bind)
        for chosen in REACH
        for asked in (None, True, False)
        for bind in ("", "127.0.0.1")
    }
    assert [case for case, waits in asked.items() if waits] == [
        ("on", None, ""),
        *[(chosen, True, bind) for chosen in ("on", "asked") for bind in ("", "127.0.0.1")],
    ]


def test_of_the_setting_and_the_environment_the_stricter_counts() -> None:
    found = {
        (chosen, said): reach_of(Settings(reach=chosen), {VARIABLE: said} if said else {})
        for chosen in REACH
        for said in ("", "on", "asked", "off", "nonsense")
    }
    assert {case for case, reach in found.items() if reach != case[0]} == {
        ("on", "asked"),
        ("on", "off"),
        ("asked", "off"),
    }
    assert Settings().reach == "on"


def test_without_a_broker_the_sentences_say_so(make_program: MakeProgram) -> None:
    ann = make_program("ann")
    with ExitStack() as stack:
        gone = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        at(ann, *gone)
    code, said = ann.inside().refused("join", CODE, "--name", "Ann")
    assert code == NETWORK and said.startswith("Can't reach a meeting point: mqtt://127.0.0.1:")
    with AtTerminal(ann, "host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann", "--plain") as host:
        host.until("Friends can't join from anywhere yet, because no meeting point is answering: mqtt://127")
        host.type("leave yes\r")
        assert host.end() == 0


def test_the_first_use_says_once_what_a_meeting_point_sees(make_program: MakeProgram, broker: socket.socket) -> None:
    ann = at(make_program("ann"), broker)
    hosting = ("host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann", "--plain")
    with AtTerminal(ann, *hosting) as host:
        host.until(FIRST_USE[:30])
        host.type("leave yes\r")
        assert host.end() == 0
    with AtTerminal(ann, *hosting) as host:
        host.until("Code for new friends:")
        seen = host.text
        host.type("help\r")
        host.until("leave")
        assert FIRST_USE[:30] not in seen + host.text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("join 48213-crosword-clockwork", "Did you mean 'crossword'?"),
        ("join 48213-crossword", "isn't a code. A code is a number and two words"),
        ("join 4821-crossword-clockwork", "'4821' isn't the five-digit number of a code"),
        ("join 7-crossword-clockwork", "A code that starts with a short number needs an address too"),
        ("join meet:Zoe", "'zoe' isn't the five-digit number of a code or a friend's name"),
        ("config set brokers http://example.org", "The setting 'brokers' must be at most 5 addresses"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_a_daemon_starts(
    make_program: MakeProgram, words: str, sentence: str
) -> None:
    inside = make_program("ann").inside()
    code, said = inside.refused(*words.split())
    assert code == USAGE and sentence in said
    assert not (inside.home / "daemon.lock").exists()


def test_a_number_alone_and_a_friend_who_was_forgotten_call_nobody(
    make_program: MakeProgram, broker: socket.socket
) -> None:
    ann = at(make_program("ann").inside(), broker)
    assert ann.refused("join", "meet:48213", "--name", "Ann") == (
        USAGE,
        "That's only the code's number. Enter the whole code: p2pcards join CODE\n",
    )
    code, said = ann.refused("join", "meet:abcd-efgh-2345-mnop")
    assert code == USAGE and said.startswith("You don't know anyone at meet:abcd-efgh-2345-mnop. Meet once with a code")
    assert not called(broker)


def test_the_usual_brokers_are_the_public_ones() -> None:
    from p2pcards.daemon.rendezvous import addresses_of

    assert addresses_of(()) == tuple([one.tls for one in PUBLIC_BROKERS])
    assert addresses_of(("mqtt://one",)) == ("mqtt://one",)


# --- in a page --------------------------------------------------------------------------------------------------------


@dataclass
class Pages:
    """Browsers, in which no broker is reached. dialed: the brokers they tried."""

    dialed: list[str] = field(default_factory=list)

    async def dial(self, there: BrokerAddress) -> trio.abc.Stream:
        self.dialed.append(str(there))
        raise BrokerLost(f"{there} is down.")


def _raise(error: Exception) -> None:
    raise error


async def said(home: Home, pages: Pages) -> list[str]:
    """What the player of a page reads who goes to meeting points."""
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        reach = Reach(home, _raise, InPage(pages.dial))
        await nursery.start(reach.run)
        try:
            async with reach.held(told.append) as brokers:
                told.append(await brokers.why_unreachable())
        except NoReach as why:
            told.append(str(why))
        nursery.cancel_scope.cancel()
    return told


async def test_a_page_uses_brokers_with_tls_over_websockets_alone(make_home: MakeHome) -> None:
    home, pages = make_home("ann"), Pages()
    assert await said(home, pages) == [FIRST_USE_IN_PAGE, "wss://broker.emqx.io:8084/mqtt is down."]
    assert set(pages.dialed) == {one.web for one in PUBLIC_BROKERS}
    set_setting(home, find_setting("brokers"), ("mqtts://one", "wss://two", "mqtt://three"))
    pages.dialed.clear()
    assert await said(home, pages) == ["wss://two/mqtt is down."] and {*pages.dialed} == {"wss://two/mqtt"}
    set_setting(home, find_setting("brokers"), ("mqtts://one", "mqtt://three"))
    assert await said(home, pages) == [NONE_FOR_PAGE]
    set_setting(home, find_setting("reach"), "off")
    assert await said(home, pages) == [OFF_IN_PAGE]
    assert {*pages.dialed} == {"wss://two/mqtt"}


async def told_of_call(home: Home, in_page: InPage | None) -> list[str]:
    """What the player reads first while a friend is called at an address where nobody answers."""

    async def nobody(address: str, deadline: float) -> trio.abc.Stream:
        raise CannotConnect("Nobody answers.")

    told: list[str] = []
    async with trio.open_nursery() as nursery:

        def tell(line: str) -> None:
            told.append(line)
            nursery.cancel_scope.cancel()

        reach = Reach(home, _raise, in_page)
        await nursery.start(reach.run)
        caller = Caller(home, ANNA, call_web=nobody, reach=reach)
        with pytest.raises(NotReached, match="Nobody answers"):
            await caller.call("wss://cards.example", public_bytes(BEN), nursery=nursery, tell=tell)
        nursery.cancel_scope.cancel()
    return told


async def test_a_program_looks_for_a_friend_at_brokers_too_and_a_page_only_where_its_player_asks(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    home, pages = make_home("ann"), Pages()
    told, _ = await told_of_call(home, None)
    assert told == "No answer from wss://cards.example:443. Trying the meeting points ..."
    assert await told_of_call(home, InPage(pages.dial)) == []
