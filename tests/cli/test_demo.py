"""`p2pcards demo`: the whole program as it runs, in its own processes, with nobody at the keyboard."""

from __future__ import annotations

import io
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryFile
from typing import IO, TextIO

import pytest

from p2pcards.cli.demo_course import PEOPLE, Teller, make_plan
from p2pcards.control.exits import UNEXPECTED, USAGE
from p2pcards.players.characters import CHARACTERS
from rigs import forking
from rigs.giving_up import longest_wait
from rigs.program import PATIENT

PID = re.compile(r"^(\w+) (?:hosts|waits for the host's call) \(own daemon, pid (\d+)\)\.$", re.MULTILINE)
HEAD = re.compile(r"^\w+'s log .*: (\w.*), (\d+) records, verified\. (.*)\. Head ([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True)
class Demo:
    """The demo at work. errors: a file."""

    process: Popen[bytes] | forking.Fork
    output: TextIO
    errors: IO[bytes]

    def until(self, words: str) -> str:
        """What has been said when these words have come."""
        output = ""
        while words not in output:
            line = self.output.readline()
            assert line, output
            output += line
        return output

    def end(self) -> tuple[int | None, str, str]:
        """Exit code, the rest of the output, and errors."""
        rest, code = self.output.read(), self.process.wait(longest_wait())
        self.errors.seek(0)
        return code, rest, self.errors.read().decode()


@contextmanager
def running(folder: Path, *arguments: str, by_python: bool = False, **set_here: str) -> Iterator[Demo]:
    """Its temporary files are in `folder`. set_here: in its environment."""
    environment = os.environ | {"TMPDIR": str(folder), **set_here}
    reading, writing = os.pipe()
    with TemporaryFile() as typed, TemporaryFile() as errors, os.fdopen(reading) as output:
        words = ("demo", *arguments)
        process: Popen[bytes] | forking.Fork
        if by_python:
            process = Popen([*PATIENT, *words], env=environment, stdin=typed, stdout=writing, stderr=errors)
        else:
            streams = (typed.fileno(), writing, errors.fileno())
            process = forking.loaded.fork(forking.PROGRAM, words, environment, streams)
        os.close(writing)
        try:
            yield Demo(process, output, errors)
        finally:
            process.send_signal(signal.SIGTERM)  # so that it ends its daemons, if it has not ended itself
            process.wait(longest_wait())


def demo(folder: Path, *arguments: str) -> tuple[int | None, str, str]:
    """Exit code, output and errors of a whole run."""
    with running(folder, *arguments) as process:
        return process.end()


def pids(output: str) -> list[int]:
    """Of all daemons that were started."""
    again = re.findall(r"is back, pid (\d+)", output)
    return [int(pid) for pid in [*[pid for _, pid in PID.findall(output)], *again]]


def assert_nothing_remains(folder: Path, output: str) -> None:
    assert len(pids(output)) >= PEOPLE
    for pid in pids(output):
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            raise AssertionError(f"process {pid} goes on")
    assert list(folder.iterdir()) == []


def assert_equal_logs(output: str) -> None:
    found = HEAD.findall(output)
    assert len(found) == PEOPLE
    assert len(set(found)) == 1, found
    assert "match, and every hand is proven fair" in output.splitlines()[-1]


def in_order(output: str, *expressions: str) -> None:
    """A line that fits each of them comes after a line that fits the one before."""
    place = 0
    for expression in expressions:
        match = re.compile(expression, re.MULTILINE).search(output, place)
        assert match, f"{expression!r} does not come, after {output[:place].splitlines()[-1:]}"
        place = match.end()


def test_a_killed_listener_is_played_for_and_comes_back(tmp_path: Path) -> None:
    code, output, errors = demo(tmp_path, "--seed", "7", "--points", "25")
    assert (code, errors) == (0, "")
    plan = make_plan(7, list(CHARACTERS), "listener")
    assert plan.victim is not None
    coordinator, victim = plan.names[0], plan.names[plan.victim]
    other = plan.names[3 - plan.victim]
    assert PID.match(output), "the pids come first"
    assert [name for name, _ in PID.findall(output)] == list(plan.names)
    for screen in (coordinator, other):
        in_order(
            output,
            rf"^{screen} +\| .* says?: ",
            rf"^{coordinator} +\| Hearts begins",
            rf"^demo +\| kill -9 \d+: {victim}'s daemon dies",
            rf"^{screen} +\| {victim} is cut off",
            rf"^{screen} +\| {victim} was cut off, so {CHARACTERS[plan.characters[plan.victim]].name} is playing",
            rf"^demo +\| {victim}'s daemon is back, pid \d+, waiting on the same port",
            rf"^{screen} +\| {victim} is playing again",
            rf"^{screen} +\| {victim} says: ",
            rf"^{screen} +\| The game is over",
        )
    assert_equal_logs(output)
    assert_nothing_remains(tmp_path, output)
    assert "\x1b" not in output


def test_a_killed_coordinator_resumes_at_the_same_trick(tmp_path: Path) -> None:
    code, output, errors = demo(tmp_path, "--seed", "8", "--points", "25", "--kill", "coordinator")
    assert (code, errors) == (0, "")
    coordinator, *listeners = make_plan(8, list(CHARACTERS), "coordinator").names
    place = re.search(r"^demo +\| (Hand \d+[,.] .*)$", output, re.MULTILINE)
    assert place, output
    for listener in listeners:
        in_order(
            output,
            rf"^demo +\| kill -9 \d+: {coordinator}'s daemon dies",
            rf"^{listener} +\| {coordinator} is cut off",
            rf"^demo +\| {coordinator}'s daemon is back",
            rf"^{listener} +\| You joined {coordinator}'s table",
            re.escape(f"The game is where it stopped. {place[1]}"),
            rf"^{listener} +\| The game is over",
        )
    assert_equal_logs(output)
    assert_nothing_remains(tmp_path, output)


def test_another_game_to_its_end_and_the_homes_stay_where_they_are_wanted(tmp_path: Path) -> None:
    kept, temporary = tmp_path / "kept", tmp_path / "temporary"
    temporary.mkdir()
    arguments = "--seed", "9", "--game", "crazy_eights", "--points", "25", "--kill", "none", "--keep", str(kept)
    code, output, errors = demo(temporary, *arguments)
    assert (code, errors) == (0, "")
    assert "kill -9" not in output
    lines = output.splitlines()
    assert_equal_logs("\n".join(lines[:-1]))
    assert lines[-1].startswith(f"Kept the homes in {kept}.")
    names = make_plan(9, list(CHARACTERS), "none").names
    assert {home.name for home in kept.iterdir()} == {name.lower() for name in names}
    for home in kept.iterdir():
        assert len(list((home / "logs").iterdir())) == 1
    assert_nothing_remains(temporary, output)
    code, output, errors = demo(temporary, "--keep", str(kept))
    assert (code, output) == (USAGE, "")
    assert "isn't an empty folder" in errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_its_daemons_and_removes_their_homes(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C where Python was started for it and for each daemon."""
    with running(tmp_path, "--kill", "none", "--points", "1000", by_python=number is signal.SIGINT) as demo:
        output = demo.until("Passing to the left")
        demo.process.send_signal(number)
        code, rest, errors = demo.end()
    assert (code, errors.strip()) == (130, "")
    assert_nothing_remains(tmp_path, output + rest)


def state_of(pid: int) -> str:
    """As in /proc: T for a process that is stopped; "" for none."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return ""


STOPS = """
import os, signal, sys
if sys.orig_argv[2:4] == ["-m", "p2pcards.daemon"]:
    started = os.environ["STARTED"]
    with open(started, "a") as file:
        file.write(f"{os.getpid()}\\n")
    if open(started).read().count("\\n") == 2:
        os.kill(os.getpid(), signal.SIGSTOP)
"""
"""A sitecustomize, by which the second daemon that is started never becomes ready."""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_interrupted_while_a_daemon_starts_it_waits_for_nobody(tmp_path: Path) -> None:
    """Not even for one that will never be ready, as it was stopped."""
    folder, started = tmp_path / "temporary", tmp_path / "started"
    folder.mkdir()
    (tmp_path / "sitecustomize.py").write_text(STOPS)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    with running(folder, "--kill", "none", by_python=True, PYTHONPATH=path, STARTED=str(started)) as demo:
        output = demo.until("own daemon, pid")
        end = time.monotonic() + longest_wait()
        while state_of(stopped := int(started.read_text().split()[-1])) != "T":
            assert time.monotonic() < end, "the second daemon does not start"
            time.sleep(0.01)
        demo.process.send_signal(signal.SIGINT)
        code, rest, errors = demo.end()
    assert (code, errors.strip()) == (130, "")
    assert stopped not in pids(output) and not state_of(stopped)
    assert list(folder.iterdir()) == []
    assert "Hand 1" not in output + rest


def test_when_a_daemon_dies_unexpectedly_the_demo_says_so_and_cleans_up(tmp_path: Path) -> None:
    with running(tmp_path, "--kill", "none", "--points", "1000") as demo:
        output = demo.until("Passing to the left")
        name, pid = PID.findall(output)[1]
        os.kill(int(pid), signal.SIGKILL)
        code, rest, errors = demo.end()
    assert code == UNEXPECTED
    assert errors.startswith(f"{name}'s table closed unexpectedly.")
    assert errors.count("\n") == 1
    assert_nothing_remains(tmp_path, output + rest)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--game", "hart"), "hearts"),
        (("--points", "7"), "25 to 10000"),
        (("--kill", "everybody"), "coordinator"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_anything_starts(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, output, errors = demo(tmp_path, *arguments)
    assert (code, output) == (USAGE, "")
    assert words in errors


def test_a_seed_decides_the_plan() -> None:
    keys = list(CHARACTERS)
    assert make_plan(7, keys, "listener") == make_plan(7, keys, "listener")
    plans = [make_plan(seed, keys, "listener") for seed in range(20)]
    assert len({plan.names for plan in plans}) == len({plan.moment for plan in plans}) == 20
    assert {plan.victim for plan in plans} == {1, 2}
    assert {make_plan(seed, keys, "coordinator").victim for seed in range(20)} == {0}
    assert make_plan(1, keys, "none").victim is None
    for plan in plans:
        assert len(set(plan.names)) == len(set(plan.characters)) == PEOPLE


def test_on_a_terminal_the_last_line_says_what_is_waited_for() -> None:
    stream = io.StringIO()
    teller = Teller(stream, 20)
    teller.leave_room(("Ann", "Willa"))
    teller.wait("Waiting until it happens")
    teller.tell("Ann", "it happens at last")
    teller.wait("")
    lines = [line.rpartition("\r\x1b[K")[2] for line in stream.getvalue().split("\n")]
    assert lines == ["\x1b[1mAnn   | \x1b[0mit happens", "        at last", ""]
    assert "Waiting until it" in stream.getvalue()


def test_elsewhere_a_sentence_is_a_line() -> None:
    stream = io.StringIO()
    teller = Teller(stream, None)
    teller.leave_room(("Ann", "Willa"))
    teller.wait("Waiting until it happens")
    teller.tell("Ann", "It happens. " * 20)
    teller.tell("", "Done.")
    assert stream.getvalue() == f"Ann   | {'It happens. ' * 20}\nDone.\n"
