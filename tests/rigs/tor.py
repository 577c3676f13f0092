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
        self.socks = _pair()
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
        """Returns when it can be controlled."""
        program = shutil.which("tor", path=WHERE)
        assert program, "There is no tor here; 'scripts/test --reach' installs what this test needs."
        lines = (f"DataDirectory {self._folder}", f"ControlPort {HERE}:{self.socks + 1}", "SocksPort 0", self._how)
        (file := self._folder / "torrc").write_text("\n".join([*lines, "DisableNetwork 1\n"]))
        (defaults := self._folder / "defaults").touch()
        words = [program, "-f", str(file), "--defaults-torrc", str(defaults), "--quiet"]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        wait_until(self._answers, "tor can be controlled")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with suppress(ConnectionError), socket.create_connection((HERE, self.socks + 1)) as control:
            control.sendall(b"PROTOCOLINFO\r\n")
            return control.recv(1) != b""
        return False


def _pair() -> int:
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
