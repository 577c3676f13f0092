"""A real tor that reaches nothing: it makes onion services, and nobody can call them."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rigs.mosquitto import WHERE
from rigs.ports import lasting_port
from rigs.served import wait_until

HERE = "127.0.0.1"
COOKIE = "CookieAuthentication 1"


class LonelyTor:
    """Made by `lonely_tor`, which ends it. how: the line of its configuration that says who may control it."""

    def __init__(self, folder: Path, how: str = COOKIE) -> None:
        self.socks = 0
        self._folder = folder
        self._how = how
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """As the setting has it."""
        return f"{HERE}:{self.socks}"

    @property
    def cookie(self) -> Path:
        return self._folder / "control_auth_cookie"

    def start(self) -> None:
        """Returns when it can be controlled; the ports stay as they were."""
        wait_until(self._started, "tor can be controlled")

    def _started(self) -> bool:
        self.socks = self.socks or pair_of_ports()
        program = shutil.which("tor", path=WHERE)
        assert program, "There is no tor here; 'scripts/test --reach' installs what this test needs."
        lines = (f"DataDirectory {self._folder}", f"ControlPort {HERE}:{self.socks + 1}", "SocksPort 0", self._how)
        (file := self._folder / "torrc").write_text("\n".join([*lines, "DisableNetwork 1\n"]))
        (defaults := self._folder / "defaults").touch()
        words = [program, "-f", str(file), "--defaults-torrc", str(defaults), "--quiet"]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        wait_until(lambda: self._answers() or self._has_ended(), "tor answers or ends")
        if not self._has_ended():
            return True
        self.socks = 0  # one of them is taken
        return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _answers(self) -> bool:
        with suppress(ConnectionError), socket.create_connection((HERE, self.socks + 1)) as control:
            control.sendall(b"PROTOCOLINFO\r\n")
            return control.recv(100).startswith(b"250-PROTOCOLINFO")
        return False


def pair_of_ports() -> int:
    """The first of two ports that are free."""
    while True:
        port = lasting_port()
        with suppress(OSError), socket.socket() as next_one:
            next_one.bind((HERE, port + 1))
            return port


@contextmanager
def lonely_tor(folder: Path, how: str = COOKIE) -> Iterator[LonelyTor]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    tor = LonelyTor(folder, how)
    tor.start()
    try:
        yield tor
    finally:
        tor.kill()
