"""Daemons that start without loading their program: a process that has loaded it forks each of them.

Each is a process like any other, with the arguments, the environment and the files that it would be started with, and
runs the same `main`. What is spared is loading it, which takes longer than most tests do otherwise.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CDLL
from importlib import import_module
from typing import Any

DAEMON = (sys.executable, "-P", "-m", "p2pcards.daemon")
MOST = 1 << 17
"""Bytes of what one of them is started with."""

PR_SET_CHILD_SUBREAPER = 36


class DaemonMaker:
    """What forks them. Each becomes a child of this process, which can wait for it, as if it had started it itself."""

    def __init__(self) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )
        assert self._link.recv(MOST) == b"loaded"

    def close(self) -> None:
        self._link.close()
        self._process.wait()

    def in_place_of(self, spawn: Callable[..., int]) -> Callable[..., int]:
        """posix_spawn for `control.starting`: whatever is no daemon is left to spawn itself."""

        def start(path: str, words: Sequence[str], environment: Mapping[str, str], **how: Any) -> int:
            if tuple(words[: len(DAEMON)]) != DAEMON:
                return spawn(path, words, environment, **how)
            at = {action[2]: action[1] for action in how["file_actions"] if action[0] == os.POSIX_SPAWN_DUP2}
            return self._start(words[len(DAEMON) :], environment, announce=at[1], errors=at[2])

        return start

    def _start(self, arguments: Sequence[str], environment: Mapping[str, str], announce: int, errors: int) -> int:
        """The process id of a daemon. announce, errors: its standard output and where its errors go."""
        wanted = {"arguments": arguments, "environment": dict(environment), "folder": os.getcwd()}  # noqa: PTH109
        with _adopting():
            socket.send_fds(self._link, [json.dumps(wanted).encode()], [announce, errors])
            pid = int(self._link.recv(MOST))
            assert self._link.recv(MOST) == b"adopted"
        return pid


@contextmanager
def _adopting() -> Iterator[None]:
    """Meanwhile whoever loses a parent among our descendants becomes our child."""
    control = CDLL(None).prctl
    assert control(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        control(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


# --- the process that forks them --------------------------------------------------------------------------------------


def main(link: socket.socket) -> Callable[[], int] | None:
    """In a daemon: what it does. None at the end of the process that forks them."""
    daemon = import_module("p2pcards.daemon.__main__")
    for loaded_later in ("p2pcards.players.carefree", "p2pcards.views.aims", "p2pcards.views.analysis"):
        import_module(loaded_later)
    for key in import_module("p2pcards.games.names").GAME_NAMES:
        import_module(f"p2pcards.players.novice.{key}")
    gc.collect()
    gc.freeze()
    link.send(b"loaded")
    while True:
        said, files, _, _ = socket.recv_fds(link, MOST, 2)
        if not said:
            return None
        between = os.fork()
        if between == 0:
            if pid := os.fork():
                link.send(str(pid).encode())
                os._exit(0)
            link.close()
            gc.unfreeze()
            wanted = json.loads(said)
            _become(wanted["environment"], wanted["folder"], *files)
            return lambda: int(daemon.main(wanted["arguments"]))
        for file in files:
            os.close(file)
        os.waitpid(between, 0)  # whose child has now lost its parent
        link.send(b"adopted")


def _become(environment: dict[str, str], folder: str, announce: int, errors: int) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, number in ((nothing, 0), (announce, 1), (errors, 2)):
        os.dup2(file, number)
        os.close(file)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run = main(socket.socket(fileno=int(sys.argv[1])))
    if run is not None:
        sys.exit(run())
