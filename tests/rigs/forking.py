"""The program as a process of its own that starts at once: a fork of one that has loaded it already.

To start Python and load the program costs half a second to a second of processor, again and again. Here that is done
once: `loaded` is a process that has one thread and does nothing but fork. What comes of a fork is the program as it
runs from its first line on, with its own arguments, environment, streams, terminal, signals and end. What it lacks is
the start of Python itself, and that each command loads what it needs, so some tests of each kind start Python.

A request is one packet: what is to run as JSON, and with it the descriptors of standard input, output and errors, a
pipe for the answer and our end of the socket. The answer is the pid, and the status of `waitpid` when it has ended.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import itertools
import json
import os
import pkgutil
import random
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

LARGEST = 1 << 18
"""Bytes of a request."""

PROGRAM, DAEMON = "p2pcards", "p2pcards.daemon"
DAEMON_COMMAND = [sys.executable, "-P", "-m", DAEMON]
LATE = ("p2pcards.web", "p2pcards.wire.noble", "p2pcards.cli.cluster", "p2pcards.cli.results")
"""Loads what few commands need, or a browser alone."""

BEFORE = dict(os.environ)
"""The environment before any test has changed it. What the loader and Python read there does nothing to a fork."""

Descriptors = Sequence[int]


class Chance:
    """What this process takes for the chance of the system, and with it what it forks, each its own."""

    def __init__(self) -> None:
        self._seed = ""
        self._forks = itertools.count()
        self._system = os.urandom

    def draw_from(self, seed: str) -> None:
        """The system's own where seed is empty."""
        self._seed, self._forks = seed, itertools.count()
        drawn = random.Random(seed).randbytes if seed else self._system
        for module, name in ((os, "urandom"), (random, "_urandom")):
            vars(module)[name] = drawn

    def for_fork(self) -> str:
        return f"{self._seed}/{next(self._forks)}" if self._seed else ""


chance = Chance()

instead: dict[str, dict[str, float]] = {}
"""By module, constants of the program that have another value in whatever is forked from now on."""


# --- a test that wants a process --------------------------------------------------------------------------------------


class Fork:
    """A process, spoken to as `subprocess.Popen` is."""

    def __init__(self, pid: int, answer: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.status = 0
        self._answer = answer

    def poll(self) -> int | None:
        return self.wait(0.0)

    def wait(self, timeout: float | None = None) -> int | None:
        """timeout: seconds; None comes back when they are over."""
        if self.returncode is None and select.select([self._answer], [], [], timeout)[0]:
            self.status = int(_line(self._answer))
            self.returncode = os.waitstatus_to_exitcode(self.status)
            os.close(self._answer)
        return self.returncode

    def forget(self) -> None:
        """A caller that will not wait for it needs no answer."""
        if self.returncode is None:
            os.close(self._answer)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Loaded:
    """The process that has loaded the program, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._link: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def fork(
        self,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        streams: Descriptors,
        session: bool = False,
        terminal: bool = False,
    ) -> Fork:
        """streams: standard input, output and errors. session: it has one of its own; terminal: and its standard input
        is the terminal of it."""
        return ask(self.link(), module, arguments, environment, streams, session, terminal)

    def link(self) -> socket.socket:
        with self._lock:
            return self._link or self._start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def spent(self) -> float:
        """Seconds of processor so far, its own and those of its forks that have ended; 0 once it is waited for."""
        if not self._process:
            return 0.0
        used = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[11:15]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """From then on what it and all its forks have cost is its parent's."""
        if self._link and self._process:
            self._link.close()
            self._process.wait()
            self._link = self._process = None

    def _start(self) -> socket.socket:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env=BEFORE,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a Ctrl-C for the tests is not for it
            )
        return self._link


loaded = Loaded()


def ask(
    link: socket.socket,
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    streams: Descriptors,
    session: bool,
    terminal: bool,
) -> Fork:
    request = {
        "module": module,
        "arguments": list(arguments),
        "environment": dict(environment),
        "folder": os.getcwd(),  # noqa: PTH109
        "session": session,
        "terminal": terminal,
        "chance": chance.for_fork(),
        "instead": instead,
    }
    reading, writing = os.pipe()
    try:
        socket.send_fds(link, [json.dumps(request).encode()], [*streams, writing, link.fileno()])
    finally:
        os.close(writing)
    return Fork(int(_line(reading)), reading)


class Daemons:
    """What stands for `os.posix_spawn` and `os.waitpid` where a daemon is to start: it comes of a fork too."""

    def __init__(self, link: Callable[[], socket.socket]) -> None:
        self._link = link
        self._started: dict[int, Fork] = {}
        self._spawn, self._wait = os.posix_spawn, os.waitpid

    def posix_spawn(self, path: Any, argv: Sequence[str], env: Mapping[str, str], **how: Any) -> int:
        words, actions = list(argv), how.get("file_actions", ())
        if words[: len(DAEMON_COMMAND)] != DAEMON_COMMAND:
            return self._spawn(path, words, env, **how)
        opened = [os.open(where, flags, mode) for _, _, where, flags, mode in _of(actions, os.POSIX_SPAWN_OPEN)]
        given = [source for _, source, _ in _of(actions, os.POSIX_SPAWN_DUP2)]
        try:
            daemon = ask(self._link(), DAEMON, words[len(DAEMON_COMMAND) :], env, [*opened, *given], True, False)
        finally:
            for one in opened:
                os.close(one)
        self._started[daemon.pid] = daemon
        return daemon.pid

    def waitpid(self, pid: int, options: int) -> tuple[int, int]:
        if not (daemon := self._started.get(pid)):
            return self._wait(pid, options)
        if daemon.wait(0.0 if options & os.WNOHANG else None) is None:
            return 0, 0
        return pid, self._started.pop(pid).status

    def close(self) -> None:
        """Nobody here waits for them any more."""
        for daemon in self._started.values():
            daemon.forget()


def _of(actions: Iterable[Any], kind: int) -> list[Any]:
    return [action for action in actions if action[0] == kind]


def _line(pipe: int) -> bytes:
    """What comes up to the end of a line, or of all."""
    found = b""
    while not found.endswith(b"\n"):
        if not (piece := os.read(pipe, 1)):
            raise EOFError("the process from which the program is forked has ended")
        found += piece
    return found


# --- the process that forks -------------------------------------------------------------------------------------------


def serve(link: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Fork for each request. Comes back in a fork, with what it is to be; None: nobody can ask any more. A tester that
    is killed cannot end what it has started, so all forks end with it."""
    tester = os.pidfd_open(os.getppid())
    waking, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    answers: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([link.fileno(), waking, tester], [], [])
        if tester in ready:
            _end_all(answers)
            return None
        if waking in ready:
            os.read(waking, 4096)
            _reap(answers)
        if link.fileno() in ready:
            data, descriptors, _, _ = socket.recv_fds(link, LARGEST, 5)
            if not data:
                _end_all(answers)
                return None
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return json.loads(data), descriptors
            *others, answers[pid], ours = descriptors
            for one in (*others, ours):
                os.close(one)
            _tell(answers[pid], pid)


def _reap(answers: dict[int, int]) -> None:
    """Nobody hears of an end while others that have ended are still to be seen as processes."""
    ended = []
    with suppress(ChildProcessError):
        while (one := os.waitpid(-1, os.WNOHANG))[0]:
            ended.append(one)
    for pid, status in ended:
        _tell(answers[pid], status)
        os.close(answers.pop(pid))


def _end_all(pids: Iterable[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def _tell(answer: int, number: int) -> None:
    with suppress(BrokenPipeError):
        os.write(answer, f"{number}\n".encode())


# --- what has been forked ---------------------------------------------------------------------------------------------


def become(request: dict[str, Any], descriptors: Descriptors) -> None:
    """Be this process as Python would have begun it."""
    *streams, _, asking = descriptors
    if request["session"]:
        os.setsid()
    for number, one in enumerate(streams):
        os.dup2(one, number)
    if request["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    chance.draw_from(request["chance"])
    instead.update(request["instead"])
    for module, values in instead.items():
        vars(importlib.import_module(module)).update(values)
    os.dup2(asking, 3, inheritable=False)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    _note_stacks_when_asked()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tester may have it ignored
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    _open_streams()
    if request["module"] == PROGRAM:
        link = socket.socket(fileno=3)
        daemons = Daemons(lambda: link)
        vars(os).update(posix_spawn=daemons.posix_spawn, waitpid=daemons.waitpid)
    else:
        os.close(3)
    main = types.ModuleType("__main__")
    main.__spec__ = find_spec(f"{request['module']}.__main__")
    sys.modules["__main__"] = main
    sys.argv = [str(main.__spec__.origin) if main.__spec__ else "", *request["arguments"]]


def _note_stacks_when_asked() -> None:
    from rigs.startup.sitecustomize import note_stacks_when_asked

    note_stacks_when_asked()


def _open_streams() -> None:
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")

    def stream(number: int, mode: str, errors: str) -> Any:
        buffering = 1 if os.isatty(number) or number == 2 else -1
        return open(number, mode, buffering, encoding, errors, "\n", closefd=False)

    sys.stdin, sys.stdout = stream(0, "r", errors or "strict"), stream(1, "w", errors or "strict")
    sys.stderr = stream(2, "w", "backslashreplace")


def run(module: str) -> None:
    if module == DAEMON:
        from p2pcards.daemon.__main__ import main as be_daemon

        sys.exit(be_daemon(sys.argv[1:]))
    from p2pcards.cli.main import main

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as p2pcards/__main__.py has it
    main()


def end(module: str) -> None:
    """Run it and end as Python does, but for taking all modules apart, which nobody can see."""
    code: object = 0
    try:
        run(module)
    except SystemExit as asked:
        code = asked.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 120
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def load() -> None:
    """All of the program. On a busy machine a daemon may take its time: the tester gives up in the end."""
    import p2pcards

    for module in pkgutil.walk_packages(p2pcards.__path__, "p2pcards.", onerror=lambda _: None):
        if not module.name.startswith(LATE) and not module.name.endswith(("__main__", "__mypyc")):
            importlib.import_module(module.name)
    importlib.import_module(f"{DAEMON}.__main__")
    sys.path.insert(0, str(Path(__file__).parents[1]))
    _note_stacks_when_asked()
    from rigs.patient import be_patient
    from rigs.searching_less import search_less

    be_patient()
    search_less()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)  # short lives, in which nothing large goes round in a circle


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as link:
        load()
        wanted = serve(link)
    if wanted:
        become(*wanted)
        end(wanted[0]["module"])
