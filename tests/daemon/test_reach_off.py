"""Meeting points are used where somebody asks for them, and nowhere else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.daemon.reach import FIRST_USE, OFF, waits_anywhere
from p2pcards.links.public_brokers import PUBLIC_BROKERS
from p2pcards.store.settings import Settings
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


def test_no_table_that_is_opened_as_ever_goes_to_a_broker(make_program: MakeProgram, broker: socket.socket) -> None:
    ann, bob = (at(make_program(name).inside(), broker) for name in ("ann", "bob"))
    here = ("--port", "0", "--bind", "127.0.0.1")
    opened = ann.data("host", *here, "--name", "Ann")
    bob.data("join", f"127.0.0.1:{opened['port']}", "--name", "Bob", "--code", opened["code"])
    bob.leave()
    ann.leave()
    opened = bob.data("listen", *here)
    ann.data("connect", f"127.0.0.1:{opened['port']}", "--code", opened["code"])
    ann.leave()
    ann.data("connect", "Bob")
    ann.data("play", "hearts")
    for one in (ann, bob):
        one.out("stop")
    assert not called(broker)
    ann.data("host", *here, "--reach")
    ann.out("stop")
    assert called(broker), "else this test shows nothing"


def test_switched_off_no_code_goes_to_a_meeting_point(make_program: MakeProgram, broker: socket.socket) -> None:
    ann = at(make_program("ann").inside(), broker)
    ann.out("config", "set", "reach", "off")
    for words in (("join", CODE), ("connect", CODE), ("host", "--reach"), ("listen", "--reach")):
        assert ann.refused(*words, "--name", "Ann") == (USAGE, f"{OFF}\n")
    ann.data("host", "--port", "0", "--bind", "127.0.0.1")
    ann.out("stop")
    assert not called(broker)


def test_switched_on_a_table_waits_there_unless_the_command_says_no() -> None:
    asked = {
        (set_to, asked): waits_anywhere(Settings(reach=set_to), asked)
        for set_to in ("", "on", "off")
        for asked in (None, True, False)
    }
    assert [case for case, waits in asked.items() if waits] == [("", True), ("on", None), ("on", True)]


def test_without_a_broker_the_sentences_say_so(make_program: MakeProgram) -> None:
    ann = make_program("ann")
    with ExitStack() as stack:
        gone = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        at(ann, *gone)
    code, said = ann.inside().refused("join", CODE, "--name", "Ann")
    assert code == NETWORK and said.startswith("No meeting point can be reached: mqtt://127.0.0.1:")
    with AtTerminal(ann, "host", "--reach", "--port", "0", "--bind", "127.0.0.1", "--name", "Ann", "--plain") as host:
        host.until("Nobody can come from anywhere yet, as no meeting point can be reached: mqtt://127")
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
        host.until("The code for a first meeting is")
        seen = host.text
        host.type("help\r")
        host.until("leave")
        assert FIRST_USE[:30] not in seen + host.text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("join 48213-crosword-clockwork", "Did you mean 'crossword'?"),
        ("join 48213-crossword", "is not a code. A code is a number and two words"),
        ("join 4821-crossword-clockwork", "'4821' is not the number of a code, which has five digits"),
        ("join 7-crossword-clockwork", "A code with a short number goes with an address"),
        ("join meet:Zoe", "'zoe' is not the number of a code, which has five digits, nor the name of a friend"),
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
        "A number alone calls nobody: give the whole code, as in p2pcards join CODE.\n",
    )
    code, said = ann.refused("join", "meet:abcd-efgh-2345-mnop")
    assert code == USAGE and said.startswith("You know nobody at meet:abcd-efgh-2345-mnop. Meet once with a code")
    assert not called(broker)


def test_the_usual_brokers_are_the_public_ones() -> None:
    from p2pcards.daemon.rendezvous import addresses_of

    assert addresses_of(()) == tuple([one.tls for one in PUBLIC_BROKERS])
    assert addresses_of(("mqtt://one",)) == ("mqtt://one",)
