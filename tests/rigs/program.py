"""The real program as a process, in a home of its own, with pipes or at a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from unittest import mock

import typer.main

from p2pcards.cli import main
from p2pcards.store.files import find_home
from p2pcards.store.settings import find_setting, set_setting
from rigs import forking
from rigs.giving_up import longest_wait
from rigs.searching_less import searching_less

PROGRAM = [sys.executable, "-P", "-m", "p2pcards"]
PATIENT = [
    *[sys.executable, "-P", "-c"],
    f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); from rigs.patient import run; run()",
]
"""The same, whose deadlines a busy machine does not miss."""
TRACE = "Traceback"
FAULT = "This is a bug in p2pcards"

program_of = main.build_program
COMMANDS = frozenset([*[command.__name__ for command in main.COMMANDS], *main.GROUPS])

PATIENCE = 5.0
"""Seconds until a key is pressed again: Python misses a Ctrl-C that comes just before it begins to read."""


SET_HERE = ("NO_COLOR", "COLUMNS", "P2PCARDS_PROFILE")
"""What the tester may have in the environment, and the program must not."""


def taken_apart(words: Collection[str]) -> Callable[..., Any]:
    """The commands, taken apart once for every command that a test runs in its own process."""
    return _commands(COMMANDS.intersection(words))


@cache
def _commands(names: frozenset[str]) -> Callable[..., Any]:
    return typer.main.get_command(program_of(names))


class TerminalFile(TextIOWrapper):
    """What says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Program:
    """`p2pcards` with the files of one home. inside: what needs no input runs in the process of the test, which is
    ten times faster. command: what starts it; without one it is a process all the same, but one that has loaded the
    program already (rigs/forking.py)."""

    def __init__(self, home: Path, inside: bool = False, columns: int = 0, command: Sequence[str] = ()) -> None:
        self.home = home
        self.command = command
        self._inside = inside
        self._columns = columns

    def inside(self, columns: int = 0) -> Program:
        """columns: of the terminal, 0 where there is none."""
        return Program(self.home, inside=True, columns=columns)

    def by_python(self) -> Program:
        """The same, started by a Python of its own, as by a person."""
        return Program(self.home, command=PROGRAM)

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "P2PCARDS_PROFILE")
        }
        kept |= {"COLUMNS": str(self._columns)} if self._columns else {}
        return kept | {"P2PCARDS_HOME": str(self.home), "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}

    def __call__(self, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
        """Run it to its end. said: its standard input."""
        done = self._run_inside(*arguments) if self._inside and not said else self._run(*arguments, said=said)
        assert TRACE not in done.stderr + done.stdout
        assert FAULT not in done.stderr, [path.read_text()[-2000:] for path in self.home.rglob("diagnostics.txt")]
        return done

    def _run(self, *arguments: str, said: str) -> subprocess.CompletedProcess[str]:
        if not self.command:
            return run_forked(arguments, self.environment, said)
        return subprocess.run(
            [*self.command, *arguments],
            env=self.environment,
            input=said,
            capture_output=True,
            text=True,
            timeout=longest_wait(),
            check=False,
        )

    def _run_inside(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        kind = TerminalFile if self._columns else TextIOWrapper
        written = [BytesIO(), BytesIO()]
        out, err = [kind(stream, "utf-8", write_through=True) for stream in written]
        nothing = TextIOWrapper(BytesIO(), "utf-8")
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            mock.patch.multiple(sys, stdin=nothing, stdout=out, stderr=err),
            closing(forking.Daemons(forking.loaded.link)) as daemons,
            mock.patch.multiple(os, posix_spawn=daemons.posix_spawn, waitpid=daemons.waitpid),
            mock.patch.object(main, "build_program", taken_apart),
            searching_less(),
        ):
            code = main.run_command(list(arguments))
        return subprocess.CompletedProcess(arguments, code, *[stream.getvalue().decode() for stream in written])

    def out(self, *arguments: str, said: str = "") -> str:
        """What it prints when all goes well."""
        done = self(*arguments, said=said)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr or done.stdout
        return done.stdout

    def data(self, *arguments: str) -> Any:
        """The JSON that it prints, and nothing else."""
        return json.loads(self.out(*arguments, "--json"))

    def refused(self, *arguments: str, said: str = "") -> tuple[int, str]:
        """The exit code and the sentences, when nothing is printed."""
        done = self(*arguments, said=said)
        assert done.stdout == ""
        return done.returncode, done.stderr

    def wait_for(self, state: str) -> dict[str, Any]:
        """The newest log, once its game is so."""
        end = time.monotonic() + longest_wait()
        while time.monotonic() < end:
            found = self.inside().data("logs")
            if found and found[0]["state"] == state:
                return dict(found[0])
            time.sleep(0.05)
        raise AssertionError(f"no log is {state}")

    def leave(self) -> None:
        """The only table, until it has said its goodbyes and its name is free: `leave` does not wait for that."""
        self.out("leave", "--yes")
        end = time.monotonic() + longest_wait()
        while self.data("status")["tables"]:
            assert time.monotonic() < end, "the table that was left is still there"
            time.sleep(0.05)

    def processes(self) -> list[int]:
        """Those that run with its home."""
        assert self.command, "a fork shows the environment of what it was forked from"
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"P2PCARDS_HOME={self.home}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

    def kill_daemon(self) -> None:
        """End the daemons that a test has left, one for each profile, by the pid in its lock."""
        for lock in (self.home / "daemon.lock", *self.home.glob("profiles/*/daemon.lock")):
            if lock.exists() and lock.read_text().strip().isdecimal():
                _kill_holder(lock)


def _kill_holder(lock: Path) -> None:
    with lock.open() as file:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        with suppress(ProcessLookupError):
            os.kill(int(lock.read_text()), signal.SIGKILL)
        fcntl.flock(file, fcntl.LOCK_EX)


def run_forked(arguments: Sequence[str], environment: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    with TemporaryFile() as typed, TemporaryFile() as out, TemporaryFile() as err:
        typed.write(said.encode())
        typed.seek(0)
        streams = [one.fileno() for one in (typed, out, err)]
        process = forking.loaded.fork(forking.PROGRAM, arguments, environment, streams)
        if (code := process.wait(longest_wait())) is None:
            process.kill()
            raise subprocess.TimeoutExpired(list(arguments), longest_wait())
        written = [os.pread(one.fileno(), os.fstat(one.fileno()).st_size, 0).decode() for one in (out, err)]
    return subprocess.CompletedProcess(arguments, code, *written)


MakeProgram = Callable[[str], Program]


class AtTerminal:
    """The program with a terminal of its own, as a person has it; no eyes look on, so computer players act at once.
    command: what runs there in its place; screen: tables are shown on the full screen, not line by line; settings:
    whether they can be changed."""

    def __init__(
        self,
        program: Program,
        *arguments: str,
        command: Sequence[str] = (),
        screen: bool = False,
        settings: bool = True,
    ) -> None:
        if settings:
            set_setting(find_home({"P2PCARDS_HOME": str(program.home)}), find_setting("speed"), "off")
        self.text = ""
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 100))
        self.before = termios.tcgetattr(slave)
        self._slave = slave
        environment = program.environment | ({} if screen else {"P2PCARDS_LINE": "1"})
        self._process: subprocess.Popen[bytes] | forking.Fork
        if command := command or program.command:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _TAKE_TERMINAL, *command, *arguments],
                env=environment,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                start_new_session=True,
            )
        else:
            self._process = forking.loaded.fork(
                forking.PROGRAM, arguments, environment, [slave] * 3, session=True, terminal=True
            )

    def __enter__(self) -> AtTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
        os.close(self._slave)

    def until(self, words: str) -> re.Match[str]:
        """Read until this pattern has come."""
        end = time.monotonic() + longest_wait()
        while not (found := re.search(words, self.text)):
            assert time.monotonic() < end, f"{words!r} does not come; there is {self.text!r}"
            self._read(0.1)
        return found

    def type(self, keys: str) -> None:
        self.text = ""
        os.write(self._master, keys.encode())

    def end(self, keys: str = "") -> int:
        """Press these keys and wait for its exit code; the terminal must be as it was."""
        end, pressed = time.monotonic() + longest_wait(), -PATIENCE
        while self._process.poll() is None:
            now = time.monotonic()
            assert now < end, f"it goes on; there is {self.text!r}"
            if keys and now - pressed > PATIENCE:
                os.write(self._master, keys.encode())
                pressed = now
            self._read(0.05)
        self._read(0.0)
        assert TRACE not in self.text, self.text[-4000:]
        assert termios.tcgetattr(self._slave) == self.before
        assert self._process.returncode is not None
        return self._process.returncode

    def close(self) -> int:
        """The window is closed; the exit code."""
        os.close(self._master)
        self._master = os.open(os.devnull, os.O_RDONLY)
        code = self._process.wait(longest_wait())
        assert code is not None, "it goes on"
        return code

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        """It ends without a chance to say anything."""
        self._process.kill()
        self._process.wait()

    def _read(self, seconds: float) -> None:
        while select.select([self._master], [], [], seconds)[0]:
            self.text += os.read(self._master, 65536).decode(errors="replace")
            seconds = 0.0


_TAKE_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tester may have it ignored
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
