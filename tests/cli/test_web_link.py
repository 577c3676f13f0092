"""`host --web` and `listen --web` by the command: the link that is printed, drawn and shown, what is taken in place of
an address, and what is said where it cannot be."""

from __future__ import annotations

import re
import socket

import pytest
import segno
import typer

from p2pcards.cli import main as command
from p2pcards.cli.completion import complete_command_line
from p2pcards.cli.opening import invitation_lines
from p2pcards.cli.options import fill_web_option
from p2pcards.control.exits import NETWORK, USAGE
from p2pcards.control.messages import Admission
from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.present.cards import Arrangement, Style
from p2pcards.present.qr import DARK_ON_LIGHT, HALVES, QUIET, WIDEST, qr_lines
from p2pcards.present.table import lobby_lines
from p2pcards.present.width import PLAIN, text_width
from p2pcards.views.tableview import TableView
from rigs.program import AtTerminal, MakeProgram, Program
from rigs.qr_reading import read_qr

CODE = "7-crossword-clockwork"
LINK = f"http://192.0.2.7:4747/#{CODE}"
HERE = ("--bind", "127.0.0.1")


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_friend_joins_by_the_link_that_is_printed(make_program: MakeProgram) -> None:
    ann, bob = (make_program(name).inside() for name in ("ann", "bob"))
    opened = ann.data("host", "--web", "0", "--name", "Ann", *HERE)
    assert opened["link"] == f"http://127.0.0.1:{opened['port']}/#{opened['code']}"
    (table,) = ann.data("status")["tables"]
    assert table["link"] == opened["link"]
    status = ann.out("status")
    assert f"waiting on port {opened['port']}, for browsers too" in status and f"link: {opened['link']}" in status
    assert bob.data("join", opened["link"], "--name", "Bob")["table"] == "t1"
    again = bob.out("join", opened["link"].replace("#", "?from=post#"), "--name", "Bob", "--detached")
    assert again.startswith("You already joined that host at table t1.")


def test_a_coordinator_connects_by_the_link_of_a_listener(make_program: MakeProgram) -> None:
    ann, bob = (make_program(name).inside() for name in ("ann", "bob"))
    opened = bob.data("listen", "--port", "0", "--web", "--name", "Bob", *HERE)
    assert ann.data("connect", opened["link"], "--name", "Ann")["table"] == "t1"
    assert ann.data("peers", "list")[0]["proof"] == "code"
    ann.leave()
    assert ann.data("connect", "Bob")["table"] == "t1", "the address over a WebSocket is remembered"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("host --web=x", "'x' isn't a port. Use --web with a number from 1 to 65535, or with no number."),
        ("host --web 65536", "'65536' isn't a port."),
        ("host --web 5000 --port 5001", "Browsers and terminals use the same port"),
        ("host --modem --web", "A table can use a modem or the network, not both."),
        ("listen --cable /dev/null --web", "A table can use a modem, a cable or the network: pick one."),
        ("join http://192.0.2.7:4747/#7", "'7' isn't a code."),
        ("join ws://192.0.2.7:99999", "'99999' isn't a port."),
        ("join wss://a/b?c", "'/b?c' isn't a web path"),
        ("connect http:///#7-acorn-zebra", "The address is empty."),
    ],
)
def test_what_cannot_be_is_a_sentence(inside: Program, line: str, sentence: str) -> None:
    code, said = inside.refused(*line.split(" "))
    assert code == USAGE and said.startswith(sentence), said


def test_a_port_that_is_taken_is_said_with_what_to_type(inside: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = inside.refused("host", "--web", str(port), *HERE, "--detached")
    assert code == NETWORK
    assert f"Port {port} is taken by another program" in said and "Choose another one with --web" in said


def test_the_port_may_be_left_out() -> None:
    for typed, meant in {
        "host --web": "host --web=",
        "host --web 8080": "host --web 8080",
        "host --web --plain": "host --web= --plain",
        "host --web=8080": "host --web=8080",
        "--profile Ann listen --web --lan": "--profile Ann listen --web= --lan",
        "": "",
    }.items():
        assert fill_web_option(typed.split()) == meant.split()


def test_tab_goes_on_behind_an_option_whose_value_may_be_left_out() -> None:
    program = typer.main.get_command(command.build_program())
    assert complete_command_line(program, ["host", "--w"]) == ["--web"]
    assert complete_command_line(program, ["host", "--web", "--pl"]) == ["--plain"]
    assert "hearts" in complete_command_line(program, ["host", "--web", "8080", "--game", "hea"])


def test_what_is_printed_is_the_link_and_how_long_it_is_good() -> None:
    here = [("203.0.113.5", "public"), ("192.0.2.7", "private"), ("127.0.0.1", "loopback")]
    lines = invitation_lines(here, 4747, False, "join", Admission(), CODE, web=True)
    assert lines[:5] == [
        "Waiting on port 4747, for browsers too.",
        "Send this link to your friend:",
        f"    http://203.0.113.5:4747/#{CODE}",
        "For a friend on your own network:",
        f"    {LINK}",
    ]
    assert "With p2pcards installed, your friend can type: p2pcards join 'LINK'" in lines
    assert (
        lines[-1] == "Without it, anyone can join by address, but you can't tell who it is. A browser needs the code."
    )
    assert "--code" not in "\n".join(lines)
    private = "\n".join(invitation_lines(here[1:], 4747, False, "join", Admission(), CODE, web=True))
    assert "Forward TCP port 4747" in private and "--via" not in private and "let your friend listen" not in private
    assert max(map(len, lines)) <= 110


# --- the QR code ------------------------------------------------------------------------------------------------------


def modules(lines: list[str]) -> list[list[int]]:
    """The dark and light of a drawing, row by row."""
    halves = {char: pair for pair, char in HALVES.items()}
    bare = [line.removeprefix(DARK_ON_LIGHT).removesuffix(PLAIN) for line in lines]
    assert all(line == f"{DARK_ON_LIGHT}{one}{PLAIN}" for line, one in zip(lines, bare, strict=True))
    return [[halves[char][half] for char in line] for line in bare for half in (0, 1)]


@pytest.mark.parametrize(
    "link",
    [
        LINK,
        f"https://cards.example/#{42 * 'a'}",
        f"http://[2001:db8:1234:5678:9abc:def0:1234:5678]:65535/#99-{'x' * 20}",
        "http://a/",
    ],
)
def test_a_drawing_is_the_code_of_the_link(link: str) -> None:
    lines = qr_lines(link, 80)
    drawn = [list(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET)]
    assert modules(lines)[: len(drawn)] == [[int(one) for one in row] for row in drawn]
    assert not any(any(row) for row in modules(lines)[len(drawn) :])
    assert {text_width(line) for line in lines} == {len(drawn)} and len(drawn) <= WIDEST
    assert read_qr(modules(lines)[: len(drawn)]) == link
    finder = [1, 1, 1, 1, 1, 1, 1, 0]
    assert modules(lines)[QUIET][QUIET : QUIET + 8] == finder


def test_what_would_be_too_wide_is_not_drawn() -> None:
    assert qr_lines(LINK, 20) == [] == qr_lines("http://a/" + 400 * "x", 200)


@pytest.fixture
def nearby(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.links.tcp.own_addresses", lambda: [("192.0.2.7", "private")])


@pytest.mark.parametrize(("columns", "drawn"), [(80, True), (30, False), (0, False)])
@pytest.mark.usefixtures("nearby")
def test_a_terminal_gets_the_drawing_where_it_has_room(program: Program, columns: int, drawn: bool) -> None:
    one = program.inside(columns)
    said = one.out("host", "--web", "0", "--detached", "--line", "--name", "Ann")
    assert ("Scan with a phone:" in said) is drawn is (DARK_ON_LIGHT in said)
    one.out("stop")


def test_the_table_shows_the_link_and_draws_it(program: Program) -> None:
    with AtTerminal(program, "host", "--web", "0", "--name", "Ann", "--as", "betty", *HERE) as at:
        link = at.until(r"http://127\.0\.0\.1:\d+/#\S+")[0]
        at.type("link\r")
        at.until("Link to this table")
        at.until(re.escape(link))
        at.until("▀")
        at.end("leave\ryes\r")


# --- what is shown at the table ---------------------------------------------------------------------------------------


def shown(view: TableView, *, plain: bool = False) -> list[str]:
    return LOOKS["link"](Showing(view, Style(ascii=plain), Arrangement(), 0.0, 0, plain), ())


def test_the_lobby_has_the_link_where_it_has_the_code() -> None:
    view = TableView("coordinator", "lobby", code=CODE, link=LINK)
    assert lobby_lines(view)[-3:] == [
        f"Code for new friends: {CODE}",
        "Link to this table (it includes the code):",
        f"  {LINK}",
    ]
    used = TableView("coordinator", "lobby", link="http://192.0.2.7:4747/")
    assert "for people you know" in lobby_lines(used)[-2]
    assert "link" not in " ".join(lobby_lines(TableView("coordinator", "lobby", code=CODE)))


def test_the_word_draws_it_where_that_can_be_seen() -> None:
    view = TableView("coordinator", "lobby", code=CODE, link=LINK)
    assert any("█" in line for line in shown(view)) and not any("█" in line for line in shown(view, plain=True))
    assert shown(view, plain=True)[1] == f"  {LINK}"
    assert shown(view, plain=True)[-1] == f"  {LINK.replace('#', '?watch#')}"
    assert "p2pcards host" in shown(TableView("listener", "lobby"))[0]
