"""Tables in Tor's network: with a real tor that reaches nothing, and with what only says that it is one."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.daemon.reach import VARIABLE
from rigs.apart import START
from rigs.giving_up import longest_wait
from rigs.ports import lasting_port
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.served import wait_until
from rigs.tor import HERE, LonelyTor, lonely_tor
from rigs.tor_network import tor_network

pytestmark = pytest.mark.reach

ONION = r"[a-z2-7]{56}\.onion"
ABSENT = "a" * 56 + ".onion"


@pytest.fixture
def tor(tmp_path: Path) -> Iterator[LonelyTor]:
    with lonely_tor(tmp_path / "tor") as made:
        yield made


@pytest.fixture
def ann(make_program: MakeProgram, tor: LonelyTor) -> Program:
    return using(make_program("ann").inside(), tor.address)


def using(program: Program, tor: str) -> Program:
    program.out("config", "set", "tor", tor)
    return program


WAITING = ("--onion", "--port", "0", "--name", "Ann")


def test_a_host_waits_at_the_same_address_always_and_nowhere_else(ann: Program) -> None:
    opened = ann.data("host", *WAITING)
    assert re.fullmatch(ONION, opened["link"]) and "anywhere" not in opened
    assert ann.out("status").count(opened["link"]) == 1
    assert ann.refused("listen", "--onion", "--port", "0") == (
        NETWORK,
        "Another table of yours already uses your onion address.\n",
    )
    ann.leave()
    waits = ann.data("listen", "--port", "0", "--bind", HERE, "--name", "Ann")
    exit_code, said = ann.refused("listen", "--onion", "--port", str(waits["port"]))
    assert exit_code == USAGE and ", without Tor. Leave it first" in said
    ann.leave()
    told = ann.out("listen", *WAITING, "--detached")
    assert f"    p2pcards connect {opened['link']} --code " in told and "Send this line to your friend" in told


def test_when_tor_ends_the_table_says_so_and_waits_there_again(ann: Program, tor: LonelyTor) -> None:
    with AtTerminal(Program(ann.home), "host", *WAITING, "--plain") as host:
        host.until(rf"p2pcards join {ONION}")
        tor.kill()
        host.until("Tor has stopped, so nobody can join through it.")
        tor.start()
        host.until("Tor is back, so friends can join through it again.")
        host.type("leave yes\r")
        assert host.end() == 0


@pytest.mark.parametrize("option", ["--bind=0.0.0.0", "--web", "--reach", "--lan"])
def test_what_would_show_where_one_is_is_refused(inside: Program, option: str) -> None:
    words = [word for word in ("listen", "--onion", option) if word]
    exit_code, said = inside.refused(*words)
    assert exit_code == USAGE and ("--onion hides where you are" in said or "means all addresses" in said)


def test_who_may_not_control_tor_is_told_what_to_change(make_program: MakeProgram, tmp_path: Path) -> None:
    ann = make_program("ann").inside()
    with lonely_tor(tmp_path / "locked", "HashedControlPassword 16:" + "00" * 29) as locked:
        said = using(ann, locked.address).refused("host", *WAITING)
        assert said[0] == NETWORK and "asks for a password" in said[1]
    with lonely_tor(tmp_path / "tor") as tor:
        cookie = tor.cookie.read_bytes()
        for kept, sentence in (
            (cookie[:-1] + b"x", "doesn't accept your tor's cookie"),
            (b"short", "cookie file isn't a cookie"),
        ):
            tor.cookie.write_bytes(kept)
            assert sentence in using(ann, tor.address).refused("host", *WAITING)[1]
        tor.cookie.unlink()
        assert "Can't read your tor's cookie" in ann.refused("host", *WAITING)[1]
    said = ann.refused("host", *WAITING)
    assert said[0] == NETWORK and said[1].startswith("No tor with a control port is running here (127.0.0.1:")
    assert not ann.data("status")["tables"]


# --- calling ----------------------------------------------------------------------------------------------------------


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server at the SOCKS port of a setting, which says this to the first who calls."""
    with socket.create_server((HERE, lasting_port())) as server:
        server.settimeout(longest_wait())

        def serve() -> None:
            called, _ = server.accept()
            with called, suppress(ConnectionResetError):
                called.recv(3)
                called.sendall(answer)
                while called.recv(1000):
                    pass

        thread = Thread(target=serve)
        thread.start()
        yield f"{HERE}:{server.getsockname()[1]}"
        thread.join()


@contextmanager
def carrying(socks: int, port: int) -> Iterator[None]:
    """What tor does where it has a network: one call to this SOCKS port is carried to a port of this machine."""

    def pump(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)

    def serve() -> None:
        called, _ = server.accept()
        with called, socket.create_connection((HERE, port)) as there:
            called.recv(3)
            called.sendall(b"\x05\x00")
            called.recv(1000)
            called.sendall(b"\x05\x00\x00\x01" + bytes(6))
            back = Thread(target=pump, args=(there, called))
            back.start()
            pump(called, there)
            back.join()

    with socket.create_server((HERE, socks)) as server:
        server.settimeout(longest_wait())
        thread = Thread(target=serve)
        thread.start()
        yield
        thread.join()


def test_no_broker_hears_of_a_friend_who_is_called_through_tor(
    ann: Program, tor: LonelyTor, make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = ann.data("host", *WAITING)
    bob = using(make_program("bob").inside(), tor.address)
    monkeypatch.delenv(VARIABLE)
    with socket.create_server((HERE, 0)) as broker:
        broker.setblocking(False)
        bob.out("config", "set", "brokers", f"mqtt://{HERE}:{broker.getsockname()[1]}")
        with carrying(tor.socks, opened["port"]):
            bob.data("join", opened["link"], "--code", opened["code"], "--name", "Bob")
            (peer,) = bob.data("peers", "list")
            assert (peer["name"], peer["proof"], peer["address"]) == ("Ann", "code", f"{opened['link']}:4747")
            bob.leave()
        exit_code, said = bob.refused("join", "Ann")
        assert exit_code == NETWORK and said.startswith("An onion address needs tor, which isn't running here")
        with pytest.raises(BlockingIOError):
            broker.accept()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"\x05\x00\x05\x04\x00\x01" + bytes(6), "Tor found nobody at"),
        (b"\x05\x00\x05\x03\x00\x01" + bytes(6), "Tor can't reach its network."),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "it isn't Tor's SOCKS port"),
        (b"\x05\xff", "it isn't Tor's SOCKS port"),
    ],
)
def test_a_call_that_does_not_get_through_says_why(inside: Program, answer: bytes, sentence: str) -> None:
    with answering(answer) as there:
        exit_code, said = using(inside, there).refused("join", ABSENT, "--name", "Bob")
    assert exit_code == NETWORK and sentence in said


def test_without_tor_an_onion_address_is_looked_up_nowhere(inside: Program) -> None:
    """RFC 7686, 2: the name would tell the resolver whom one wants to meet."""
    exit_code, said = using(inside, f"{HERE}:{lasting_port()}").refused("join", ABSENT, "--name", "Bob")
    assert exit_code == NETWORK and said.startswith("An onion address needs tor, which isn't running here (127.0.0.1:")
    exit_code, said = inside.refused("join", "short.onion", "--name", "Bob")
    assert "isn't an onion address" in said


def has_joined(bob: Program, onion: str, code: str) -> bool:
    return bob("join", onion, "--code", code, "--name", "Bob", "--auto", "novice", "--detached").returncode == 0


@pytest.mark.slow
def test_two_play_a_game_through_a_tor_network(make_program: MakeProgram, tmp_path: Path) -> None:
    with tor_network(tmp_path / "network") as (anns, bobs):
        ann, bob = (using(make_program(name).inside(), tor) for name, tor in (("ann", anns), ("bob", bobs)))
        with AtTerminal(Program(ann.home), "host", *WAITING, "--plain") as host:
            onion = host.until(rf"p2pcards join ({ONION})")[1]
            code = host.until(r"--code (\S+)")[1]
            # The descriptor of the service is on its way to the directories for a second or two.
            wait_until(lambda: has_joined(bob, onion, code), "Bob has come through Tor")
            host.until("Bob confirmed the code")
            host.type(START)
            host.until("Crazy Eights begins")
            host.type("away\r")
            host.until("The game is over")
            host.type("leave yes\r")
            assert host.end() == 0
        logs = [one.data("logs")[0]["file"] for one in (ann, bob)]
        found = ann.data("verify", *logs)["logs"]
        assert [one["state"] for one in found] == ["finished"] * 2 and found[0]["head"] == found[1]["head"]
