"""A program as the transport: what it is given, what becomes of it, and what is said when it fails."""

import shlex
import sys
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links import via
from p2pcards.links.channel import CutOff, NotOurs, TooSlow, open_channel
from p2pcards.links.link import StreamFailed
from p2pcards.links.tcp import CannotConnect
from p2pcards.links.via import ViaStream, connect_via, last_line, split_command
from rigs.conformance import ANNA
from rigs.giving_up import longest_wait


def program(text: str) -> str:
    """The --via command for a piece of Python."""
    return f"{shlex.quote(sys.executable)} -I -c {shlex.quote(text.replace('%', '%%'))}"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("nc %h %p", ["nc", "anna.example", "4747"]),
        ("ssh -W %h:%p 'a friend'", ["ssh", "-W", "anna.example:4747", "a friend"]),
        ("echo 100%% %%h $HOME ; `id` | >x", ["echo", "100%", "%h", "$HOME", ";", "`id`", "|", ">x"]),
    ],
)
def test_words(command: str, words: list[str]) -> None:
    assert split_command(command, "anna.example", 4747) == words


@pytest.mark.parametrize(
    ("command", "host", "sentence"),
    [
        ("", "anna", "is empty"),
        ("   ", "anna", "is empty"),
        ("''", "anna", "is empty"),
        ("nc 'anna", "anna", "unclosed quote"),
        ("nc %x", "anna", "'%x' has no meaning"),
        ("nc 100%", "anna", "'%' has no meaning"),
        ("nc %h", "-oProxyCommand=id", "an option"),
    ],
)
def test_bad_commands(command: str, host: str, sentence: str) -> None:
    with pytest.raises(CannotConnect, match=sentence):
        split_command(command, host, 4747)


@given(st.text(min_size=1).filter(lambda host: not host.startswith("-")))
def test_a_host_is_never_more_than_one_word(host: str) -> None:
    assert split_command("nc -X %h %p", host, 1) == ["nc", "-X", host, "1"]


async def test_programs_that_cannot_run(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        for command, sentence in [
            ("no-such-program-here %h", "no program 'no-such-program-here'"),
            (str(tmp_path), "Can't run the --via program"),
            ("nc a\0b", "Can't run the --via program"),
        ]:
            with pytest.raises(CannotConnect, match=sentence):
                await connect_via(command, "anna", 4747, nursery=nursery)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import sys; sys.exit(7)", "exited right away with code 7."),
        (
            "import sys; sys.exit('\\033[31mno route\\033[0m to host\\n\\n')",
            r"exited right away with code 1; it says: \[31mno",
        ),
        ("pass", "exited right away with code 0."),
        ("import os; os.kill(os.getpid(), 9)", "was killed by signal 9."),
    ],
)
async def test_a_program_that_ends_is_quoted(text: str, sentence: str) -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream = await connect_via(program(text), "anna", 4747, nursery=nursery)
            with pytest.raises(CutOff, match=sentence) as caught:
                await open_channel(stream, initiator=True, identity=ANNA, where="via", deadline=longest_wait())
            assert str(caught.value).isprintable()


async def test_writing_to_a_program_that_has_ended() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream = await connect_via(program("import sys; sys.exit('no')"), "anna", 4747, nursery=nursery)
            with pytest.raises(StreamFailed, match="exited right away with code 1; it says: no"):
                while True:
                    await stream.send_all(bytes(1000))
            await stream.aclose()


async def test_the_last_bytes_of_a_program_are_read_before_its_end() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            text = "import sys; sys.stdout.write('x' * 5000); sys.stdout.flush(); sys.exit({})"
            for code in (0, 3):
                stream = await connect_via(program(text.format(code)), "anna", 4747, nursery=nursery)
                await stream._ended.wait()
                data = b""
                while len(data) < 5000:
                    data += await stream.receive_some(1000)
                if code:
                    with pytest.raises(StreamFailed, match="exited with code 3"):
                        await stream.receive_some()
                else:
                    assert await stream.receive_some() == b""
                await stream.aclose()


async def test_an_echo_is_not_the_other_side() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream = await connect_via("cat", "anna", 4747, nursery=nursery)
            with pytest.raises(NotOurs):
                await open_channel(stream, initiator=True, identity=ANNA, where="via", deadline=longest_wait())


def gone(pid: int) -> bool:
    """Not running any more; a zombie that nobody has fetched counts as gone."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


WITH_CHILD = """
import os, signal, subprocess, sys, time
{first}
child = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(1000)"])
print(child.pid, flush=True)
time.sleep(1000)
"""


async def started_with_child(nursery: trio.Nursery, first: str = "") -> tuple[ViaStream, list[int]]:
    stream = await connect_via(program(WITH_CHILD.format(first=first)), "anna", 4747, nursery=nursery)
    line = b""
    while not line.endswith(b"\n"):
        line += await stream.receive_some()
    return stream, [stream._process.pid, int(line)]


async def end_of(pids: list[int]) -> None:
    while not all(gone(pid) for pid in pids):
        await trio.sleep(0.01)


async def test_closing_ends_the_program_and_what_it_started() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream, pids = await started_with_child(nursery)
            assert not any(gone(pid) for pid in pids)
            await stream.aclose()
            await stream.aclose()
            await end_of(pids)


async def test_a_program_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(via, "PATIENCE", 0.1)
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream, pids = await started_with_child(nursery, "signal.signal(signal.SIGTERM, signal.SIG_IGN)")
            await stream.aclose()
            assert stream._process.returncode == -9
            await end_of(pids)


async def test_cancelling_the_nursery_ends_the_program() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream, pids = await started_with_child(nursery)
            nursery.cancel_scope.cancel()
        await end_of(pids)
        await stream.aclose()


async def test_a_silent_program_is_given_up_at_the_deadline() -> None:
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream = await connect_via(program("import time; time.sleep(1000)"), "anna", 4747, nursery=nursery)
            with pytest.raises(TooSlow):
                await open_channel(stream, initiator=True, identity=ANNA, where="via", deadline=0.05)
            await stream._ended.wait()
            assert gone(stream._process.pid)


async def test_a_talkative_program_does_not_fill_the_memory() -> None:
    text = "import sys\nfor i in range(20000): print('complaint', i, file=sys.stderr)\nsys.exit(2)"
    with trio.fail_after(longest_wait()):
        async with trio.open_nursery() as nursery:
            stream = await connect_via(program(text), "anna", 4747, nursery=nursery)
            with pytest.raises(StreamFailed, match="it says: complaint 19999"):
                await stream.receive_some()
            assert len(stream._said) <= via.SAID_LIMIT
            await stream.aclose()


@given(st.binary())
def test_what_a_program_says_is_one_short_line(said: bytes) -> None:
    line = last_line(said)
    assert len(line) <= 200
    assert line.isprintable()


def test_the_last_line_is_the_last_with_anything_in_it() -> None:
    assert last_line(b"first\nssh: no route\r\n\r\n  \n") == "ssh: no route"
    assert last_line(b"") == ""


def test_the_program_has_no_terminal() -> None:
    """It could wait there for a password that nobody is asked for."""

    async def main() -> bytes:
        async with trio.open_nursery() as nursery:
            stream = await connect_via(
                program("import os; print(os.getsid(0) == os.getpid())"), "a", 1, nursery=nursery
            )
            said = await stream.receive_some()
            await stream.aclose()
            return said

    assert trio.run(main) == b"True\n"
