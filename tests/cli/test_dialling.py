"""`dial`, and the options of the commands that use a serial line, with a scripted modem at a pty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trio

from p2pcards.cli.telephone import device_path
from p2pcards.control.exits import LINE, USAGE
from p2pcards.links.modem.hayes import SENTENCES
from p2pcards.store.directory import Entry, add_entry, find_entry
from p2pcards.store.files import Home, find_home
from rigs.modem.devices import FAST, modem, run
from rigs.modem.scripted_modem import line
from rigs.program import AtTerminal, Program


def home_of(program: Program) -> Home:
    return find_home({"P2PCARDS_HOME": str(program.home)})


@pytest.mark.parametrize(
    "result", ["VOICE", "NO DIALTONE", "NO CARRIER", "NO ANSWER", "BLACKLISTED", "DELAYED", "ERROR"]
)
async def test_every_result_is_a_sentence_with_its_exit_code(program: Program, result: str) -> None:
    async with modem(on_dial=((0.1, line(result)),)) as (answered, device):
        done = await run(program, "dial", "(555) 12-34", "--device", device, FAST, "--name", "Ann", "--detached")
    assert (done.returncode, done.stdout) == (LINE, "")
    assert SENTENCES[result].format(later="in a few minutes") in done.stderr
    assert answered.dialled == ["T5551234"]


def test_a_rate_that_is_none(inside: Program) -> None:
    for rate in ("0", "-5", "299", "1000000", "fast"):
        for words in (("dial", "555"), ("listen", "--modem", "/dev/ttyS99"), ("connect", "tel:555"), ("resume",)):
            code, told = inside.refused(*words, "--rate", rate)
            assert (code, rate in told) == (USAGE, True), (rate, words)


def test_a_device_is_named_from_where_the_person_is(tmp_path: Path) -> None:
    (tmp_path / "tty0").touch()
    named = {
        name: device_path(name, tmp_path) for name in ("", "tty0", "./tty9", "../tty1", "ttyUSB0", "/dev/../dev/x")
    }
    assert named == {
        "": "",
        "tty0": str(tmp_path / "tty0"),
        "./tty9": str(tmp_path / "tty9"),
        "../tty1": str(tmp_path.parent / "tty1"),
        "ttyUSB0": "/dev/ttyUSB0",
        "/dev/../dev/x": "/dev/x",
    }
    assert device_path("rfc2217://host:4000", tmp_path) == "rfc2217://host:4000"


async def test_a_bulletin_board_is_quoted(program: Program) -> None:
    """It is 20 s until then on a real line; here it hangs up after its banner."""
    says = ((0.1, line("CONNECT") + b"Welcome to NIRVANA\r\nlogin: "), (0.3, line("NO CARRIER")))
    async with modem(on_dial=says) as (_, device):
        done = await run(program, "dial", "555", "--device", device, FAST, "--name", "Ann", "--detached")
    assert done.returncode == LINE
    assert 'It says: "Welcome to NIRVANA login:' in done.stderr


async def test_what_does_not_answer_is_no_modem(program: Program) -> None:
    async def check(*words: str) -> None:
        done = await run(program, *words, FAST, "--name", "Ann", "--detached")
        assert (done.returncode, done.stdout) == (LINE, "")
        assert "No modem answers at this port" in done.stderr

    async with modem(deaf_to=1000) as (_, one), modem(deaf_to=1000) as (_, other), trio.open_nursery() as nursery:
        nursery.start_soon(check, "dial", "5551234", "--device", one)
        nursery.start_soon(check, "listen", "--modem", other)


async def test_somebody_of_the_directory_is_dialled_and_how_it_ended_is_noted(program: Program) -> None:
    add_entry(home_of(program), Entry("Anna", "9,555-1234"))
    async with modem(on_dial=((0.1, line("VOICE")),)) as (answered, device):
        words = ("--device", device, FAST, "--name", "Ann", "--init", "ATL0", "--pulse")
        done = await run(program, "dial", "anna", *words)
    assert done.returncode == LINE
    assert answered.dialled == ["P9,5551234"]
    assert "ATL0" in answered.commands
    entry = find_entry(home_of(program), "Anna")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", entry.last_call)
    assert entry.ended.startswith("A person answered")
    noted = home_of(program).diagnostics.read_text()
    assert "modem > ATE0V1Q0\n" in noted
    assert "modem < VOICE\n" in noted


async def test_an_entry_says_how_they_are_called(program: Program) -> None:
    """Before the settings, and behind an option."""
    home = home_of(program)
    add_entry(home, Entry("Anna", "555-1234", init=("rockwell", "ATM0"), prefix="0W", rate=1200))
    add_entry(home, Entry("Bob", "9,555-1234", prefix=None))
    add_entry(home, Entry("Cy", "555-1234", init=("ATM0", "ATD1")))
    add_entry(home, Entry("Dee", "555-1234", prefix=""))
    async with modem(on_dial=((0.1, line("VOICE")),)) as (answered, device):
        program.out("config", "set", f"devices.{device}.prefix", "9,")
        program.out("config", "set", f"devices.{device}.init", "ATL2")
        for name in ("anna", "bob", "dee"):
            done = await run(program, "dial", name, "--device", device, FAST, "--name", "Ann", "--init", "ATL0")
            assert done.returncode == LINE
        assert answered.dialled == ["T0W5551234", "T9,5551234", "T5551234"]
        told = [one for one in answered.commands if one in ("ATL2", "AT&K3", "ATW2", "AT#CID=1", "ATM0", "ATL0")]
        assert told == ["ATL2", "AT&K3", "ATW2", "AT#CID=1", "ATM0", "ATL0", *["ATL2", "ATL0"] * 2]
        done = await run(program, "dial", "cy", "--device", device, FAST, "--name", "Ann")
    assert done.returncode == USAGE
    assert "You can't call Cy with this phone book entry. p2pcards doesn't send 'D1'" in done.stderr


async def test_a_prefix_makes_no_emergency_call(program: Program) -> None:
    async with modem() as (answered, device):
        program.out("config", "set", f"devices.{device}.prefix", "9")
        done = await run(program, "dial", "11", "--device", device, FAST, "--name", "Ann")
    assert (done.returncode, answered.dialled) == (USAGE, [])
    assert "911 is an emergency number" in done.stderr


async def test_who_calls_is_shown_before_the_call_is_answered(program: Program) -> None:
    add_entry(home_of(program), Entry("Anna", "555-1234"))
    async with modem() as (answered, device):
        words = ("listen", "--modem", device, FAST, "--rings", "2", "--init", "courier", "--name", "Bob", "--line")

        def watch() -> str:
            with AtTerminal(program, *words) as terminal:
                terminal.until("Waiting for a call")
                trio.from_thread.run(answered.tell, line("RING") + line("NMBR = 8015551234"))
                terminal.until("Ringing")
                trio.from_thread.run(answered.tell, line("RING"))
                terminal.until(r"Anna \(8015551234\) is calling\.")
                terminal.until(r"Answering \.\.\.")
                return terminal.text

        text = await trio.to_thread.run_sync(watch)
    assert text.index("is calling.") < text.index("Answering ...")
    assert "AT#CID=1" in answered.commands
    assert find_entry(home_of(program), "Anna").ended == "they called"


async def test_the_progress_is_told_at_a_terminal(program: Program) -> None:
    says = ((0.2, line("RINGING")), (0.2, line("CARRIER 2400")), (0.2, line("NO CARRIER")))
    async with modem(on_dial=says) as (_, device):
        words = ("dial", "5551234", "--device", device, FAST, "--name", "Ann")

        def watch() -> tuple[int, str]:
            with AtTerminal(program, *words) as terminal:
                terminal.until("No modem answered")
                return terminal.end(), terminal.text

        code, text = await trio.to_thread.run_sync(watch)
    assert code == LINE
    told = ["Setting up the modem ...", "Dialing 5551234 ...", "Ringing ...", "Carrier 2400."]
    assert [text.index(sentence) for sentence in told] == sorted([text.index(sentence) for sentence in told])


REFUSED = [
    (("dial",), "Your phone book is empty."),
    (("listen", "--modem", "--rings", "0"), "--rings takes 1 to 20, not 0"),
    (("listen", "--rings", "2"), "need --modem or --cable DEVICE"),
    (("dial", "5551234", "--init", "currier"), "Known makes: courier, rockwell, conexant, hayes, zoom, tcpser."),
    (("dial", "555;H1"), "A phone number can't contain ';', which would make the modem wait for another command."),
    (("dial", "+495551234"), "A modem can't dial '+'"),
    (("dial", "5551234"), "Which serial device?"),
    (("dial", "5551234", "--device", "/dev/ttyS99", "--speed", "1234"), "1234 isn't a serial speed"),
    (("dial", "5551234", "--flow", "maybe"), "There's no flow control 'maybe'"),
    (("dial", "5551234", "--init", "ATD112"), "could do more than set up the modem"),
    (("dial", "5551234", "--init", "X"), "it must begin with AT"),
    (("dial", "112"), "112 is an emergency number"),
    (("dial", "9,911"), "is an emergency number"),
    (("connect", "tel:112", "--device", "/dev/null"), "112 is an emergency number"),
    (("connect", "tel:"), "needs at least one digit"),
    (("connect", "tel:5551234;"), "A phone number can't contain ';'"),
    (("join", "cable:/dev/ttyS0"), "You can't join over a cable"),
    (("join", "tel:112", "--device", "/dev/null"), "112 is an emergency number"),
    (("join", "tel:5551234"), "Which serial device?"),
    (("join", "tel:5551234", "--rate", "0"), "The line rate must be 300 to 115200, not 0."),
    (("host", "--modem"), "Which serial device?"),
    (("host", "--modem", "--port", "4747"), "a modem"),
    (("host", "--rings", "2"), "need --modem"),
    (("listen", "--modem", "--port", "4747"), "a modem"),
    (("host", "--modem", "--bind", "127.0.0.1"), "a modem"),
    (("listen", "--modem", "--bind", "127.0.0.1"), "a modem"),
    (("listen", "--modem", "--cable", "/dev/ttyS0"), "pick one"),
    (("listen", "/dev/ttyS0"), "need --modem or --cable DEVICE"),
    (("listen", "--speed", "2400"), "need --modem or --cable DEVICE"),
    (("listen", "--modem"), "Which serial device?"),
]


def test_what_is_refused(inside: Program) -> None:
    for words, sentence in REFUSED:
        code, told = inside.refused(*words, "--name", "Ann")
        assert (code, sentence in told) == (USAGE, True), (words, told)
    add_entry(home_of(inside), Entry("Anna", "555-1234"))
    code, told = inside.refused("dial", "Hanna", "--name", "Ann")
    assert code == USAGE
    assert "There's no 'Hanna' in the phone book. Did you mean 'Anna'?" in told


def test_a_device_that_is_not_there(program: Program) -> None:
    code, told = program.refused("dial", "5551234", "--device", "/dev/ttyS99", "--name", "Ann")
    assert (code, "There's no port /dev/ttyS99" in told) == (LINE, True)


def test_a_person_chooses_from_the_directory(program: Program) -> None:
    for name, number in (("Anna", "555-1111"), ("Ben", "555-2222")):
        add_entry(home_of(program), Entry(name, number))
    with AtTerminal(program, "dial", "--device", "/dev/ttyS99", "--name", "Ann") as terminal:
        terminal.until("Call which one")
        terminal.type("3\n")
        terminal.until("from 1 to 2")
        terminal.type("2\n")
        terminal.until("There's no port")
        assert terminal.end() == LINE
    assert find_entry(home_of(program), "Ben").ended.startswith("There's no port")
    assert find_entry(home_of(program), "Anna").ended == ""


@pytest.mark.parametrize(
    ("again", "code", "sentence"), [("113", USAGE, "don't match"), ("112", LINE, "There's no port")]
)
def test_an_emergency_number_is_typed_twice(program: Program, again: str, code: int, sentence: str) -> None:
    with AtTerminal(program, "dial", "112", "--device", "/dev/ttyS99", "--name", "Ann") as terminal:
        terminal.until("type it again")
        terminal.type(f"{again}\n")
        terminal.until(sentence)
        assert terminal.end() == code
