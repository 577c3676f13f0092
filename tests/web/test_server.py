"""The server as a process: who is let in and who is not, and how much it takes."""

from __future__ import annotations

import gzip
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import h11
import pytest

from p2pcards.links.head import HEAD
from p2pcards.page.files import INLINE
from p2pcards.web.server import HALF_OPEN_LIMIT, TABS, Gate
from p2pcards.web.tab import LATER, POLICY, PROTOCOL, SAID_LIMIT, TOO_LARGE
from rigs.program import MakeProgram, Program
from rigs.real_programs import homes
from rigs.served import Served, Tab, asked, wait_until

BEGUN = '"is":"start"'
"""What a page is told that asks what can be begun."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """One server for all that changes nothing in it."""
    with homes() as make, Served(make("ann")) as server:
        yield server


@pytest.fixture
def own(make_program: MakeProgram) -> Iterator[Served]:
    """A server for one test."""
    with Served(make_program("ann")) as server:
        yield server


def test_the_page_and_all_that_it_needs_come_from_here_and_may_talk_to_nobody_else(served: Served) -> None:
    page = asked(served, served.path)
    names = re.findall(r'(?:src|href)="(?!data:|#)([^"]*)"', gzip.decompress(page.body).decode())
    assert [re.sub("-[0-9a-f]{16}", "", name) for name in names] == ["page.css", "page.js"]
    for path in ("", *names):
        answer = asked(served, served.path + path)
        assert (answer.status, len(answer.body) > 100) == (200, True)
        assert f"default-src 'none'; script-src 'self' {INLINE}; style-src 'self'; img-src 'self' data:;" in answer.head
        assert "Referrer-Policy: no-referrer" in answer.head
        assert not re.search(rb"\b(?:src|href|import|url)\b[^;\n]{0,9}https?:", answer.body)


def test_the_last_slash_of_the_address_may_be_left_out(served: Served) -> None:
    assert asked(served, served.path.rstrip("/")).body == asked(served, served.path).body


NOWHERE = (
    *("/", "/wrong/", "/wrong/front", "/index.html", "//"),
    *("TOKEN", "/TOKENx", "/TOKENx/", "/TOKE/", "x/TOKEN/", "/x/TOKEN/"),
    *("/TOKEN/no", "/TOKEN/page", "/TOKEN/?x", "/TOKEN//", "/TOKEN/terminal", "/TOKEN/../TOKEN/"),
    *("/TOKEN/../gate.py", "/TOKEN/%2e%2e/gate.py", "http://WHERE/TOKEN/"),
)
OTHER_HOSTS = ("evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.:PORT", "x@127.0.0.1:PORT")
OTHER_ORIGINS = ("", "null", "http://evil.example", "https://WHERE", "http://WHERE.evil.example", "http://127.0.0.1")
NO_FRAMES = (
    b"\x8f\x80" + bytes(4),  # no such kind
    b"\x82\x01x",  # not masked
    b"\xf2\x81" + bytes(5),  # of an extension
    b"\x89\xfe\x00\x80" + bytes(4),  # a ping of 128 bytes
)


NO_REQUESTS = (
    b"",
    b"\r\n\r\n",
    b"GET",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\nx",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01",  # TLS
)


@pytest.mark.parametrize("path", NOWHERE)
def test_without_the_token_and_the_name_of_a_file_there_is_nothing(served: Served, path: str) -> None:
    token = served.path.strip("/")
    path = path.replace("TOKEN", token).replace("TOKE/", f"{token[:-1]}/").replace("WHERE", served.where)
    answer = asked(served, path)
    assert answer.status == 404
    assert answer.body == asked(served, "/").body
    assert b"The address changes every time" in answer.body
    assert token not in answer.head


@pytest.mark.parametrize("host", OTHER_HOSTS)
def test_another_host_gets_nothing_even_with_the_token(served: Served, host: str) -> None:
    host = host.replace("PORT", served.where.partition(":")[2])
    answer = asked(served, served.path, host=host)
    assert (answer.status, answer.body) == (404, b"")
    with pytest.raises(ConnectionRefusedError):
        Tab(served, f"{served.path}front", host=host)


def test_localhost_is_this_machine_too(served: Served) -> None:
    host = served.where.replace("127.0.0.1", "localhost")
    assert asked(served, served.path, host=host).status == 200
    with Tab(served, f"{served.path}front", host=host):
        pass


def test_the_usual_port_is_left_out_as_browsers_do() -> None:
    gate = Gate(80, "token")
    assert gate.address == "http://127.0.0.1/token/"

    def asked_for(host: str) -> str | None:
        return gate.asked_for(h11.Request(method="GET", target="/token/index.html", headers=[("Host", host)]))

    assert [asked_for(host) for host in ("127.0.0.1", "localhost", "127.0.0.1:8000")] == [
        "index.html",
        "index.html",
        None,
    ]


@pytest.mark.parametrize("method", ["POST", "PUT", "HEAD", "OPTIONS", "TRACE"])
def test_nothing_but_reading_is_known(served: Served, method: str) -> None:
    assert asked(served, served.path, method=method).status == 404


def test_a_second_host_or_a_head_without_end_is_hung_up_on(served: Served) -> None:
    with served.connection() as link:
        link.sendall(f"GET {served.path} HTTP/1.1\r\nHost: {served.where}\r\nHost: evil.example\r\n\r\n".encode())
        assert link.recv(1) == b""
    with served.connection() as link:
        link.sendall(b"GET / HTTP/1.1\r\nX: " + HEAD * b"x")
        assert _cut(link)


@pytest.mark.parametrize("said", NO_REQUESTS)
def test_what_is_no_request_of_ours_gets_nothing_and_ends_nothing(served: Served, said: bytes) -> None:
    with served.connection() as link:
        link.sendall(said)
        link.shutdown(socket.SHUT_WR)
        answer = b""
        with suppress(ConnectionResetError):
            while piece := link.recv(65536):
                answer += piece
    assert answer == b"" or answer.startswith(b"HTTP/1.1 404 ")
    assert asked(served, served.path).status == 200


@pytest.mark.parametrize("origin", OTHER_ORIGINS)
def test_a_page_of_another_site_gets_no_seat_even_with_the_token(served: Served, origin: str) -> None:
    with pytest.raises(ConnectionRefusedError) as refused:
        Tab(served, f"{served.path}front", origin=origin.replace("WHERE", served.where))
    assert refused.value.args == (404,)


def test_a_seat_needs_the_token(served: Served) -> None:
    for path in ("/front", "/wrong/front", f"{served.path[:-2]}/front"):
        with pytest.raises(ConnectionRefusedError):
            Tab(served, path)
    assert asked(served, f"{served.path}front").status == 404
    with pytest.raises(ConnectionRefusedError):
        Tab(served, served.path)


def test_only_this_machine_can_reach_it(served: Served) -> None:
    host, _, port = served.where.partition(":")
    assert host == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", int(port)))


def test_many_that_connect_and_say_nothing_keep_nobody_out(served: Served) -> None:
    silent = [served.connection() for _ in range(10 * HALF_OPEN_LIMIT)]
    try:
        assert asked(served, served.path).status == 200
        assert silent[0].recv(1) == b""
    finally:
        for link in silent:
            link.close()


def test_more_tabs_than_there_is_room_for_are_told_so(own: Served) -> None:
    tabs = [Tab(own, f"{own.path}front") for _ in range(TABS)]
    with Tab(own, f"{own.path}front") as another:
        assert another.until_closed() == LATER
        assert another.reason == "8 pages are open, which is the limit. Close a tab."
    tabs[0].link.close()
    wait_until(lambda: _is_taken(own), "a tab that is closed makes room")
    for tab in tabs:
        tab.link.close()


def _is_taken(served: Served) -> bool:
    with Tab(served, f"{served.path}front") as tab:
        tab.link.sendall(b"\x82\x80" + bytes(4))  # bytes, which no page says
        return tab.until_closed() == POLICY


def test_a_huge_frame_ends_the_tab_before_it_has_come(served: Served) -> None:
    head = b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(4)
    with Tab(served, f"{served.path}front") as tab:
        tab.link.sendall(head + (SAID_LIMIT + 1) * b"x")
        assert tab.until_closed() == TOO_LARGE


def test_a_text_that_comes_in_parts_without_end_ends_the_tab(served: Served) -> None:
    part = (16384).to_bytes(2, "big") + bytes(4) + 16384 * b"x"
    with Tab(served, f"{served.path}front") as tab:
        tab.link.sendall(b"\x01\xfe" + part + 4 * (b"\x00\xfe" + part))
        assert tab.until_closed() == TOO_LARGE


@pytest.mark.parametrize("frame", NO_FRAMES)
def test_what_is_no_websocket_ends_the_tab_and_nothing_else(served: Served, frame: bytes) -> None:
    with Tab(served, f"{served.path}front") as tab, Tab(served, f"{served.path}front") as other:
        tab.link.sendall(frame)
        assert tab.until_closed() == PROTOCOL
        other.say("start")
        other.until(BEGUN)


def test_ctrl_c_ends_the_server_and_every_page(own: Served) -> None:
    with Tab(own, f"{own.path}front") as one, Tab(own, f"{own.path}front") as other:
        for tab in (one, other):
            tab.say("start")
            tab.until(BEGUN)
        assert own.interrupt() == 130
        assert one.link.recv(1) == b""


def test_the_terminal_in_which_the_server_was_started_does_not_matter(program: Program) -> None:
    of_it = {"P2PCARDS_LINE": "1", "COLUMNS": "20", "LINES": "5", "TERM": "dumb"}
    program.inside().out("config", "set", "screen", "false")
    with Served(program, environment=of_it) as server, Tab(server, f"{server.path}front") as tab:
        tab.say("start")
        tab.until(BEGUN)


WITHOUT_TERMINALS = """
import sys
sys.modules.update(dict.fromkeys(["fcntl", "pty", "termios", "tty"]))
import p2pcards.cli.web, p2pcards.web.server
"""


def test_a_system_without_terminals_serves_the_page_too() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_TERMINALS], check=True)


def test_a_port_that_is_taken_is_said(served: Served, program: Program) -> None:
    port = served.where.partition(":")[2]
    code, said = program.refused("web", "--port", port)
    assert code == 3
    assert f"Port {port} is taken by another program" in said


def _cut(link: socket.socket) -> bool:
    """Whether the other end hangs up, with or without our having been read."""
    try:
        return link.recv(1) == b""
    except ConnectionResetError:
        return True
