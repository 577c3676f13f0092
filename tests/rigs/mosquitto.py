"""A real broker, Debian's mosquitto, on this machine's own address: over TLS, plain and over a WebSocket with TLS."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from rigs.giving_up import longest_wait
from rigs.lab_certificates import LabAuthority
from rigs.ports import lasting_port

HERE = "127.0.0.1"
WHERE = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

CONFIGURATION = """\
persistence false
per_listener_settings true
max_queued_messages 10000

listener {plain} 127.0.0.1
allow_anonymous true

listener {secure} 127.0.0.1
allow_anonymous true
certfile {certificate}
keyfile {key}

listener {web}
protocol websockets
allow_anonymous true
certfile {certificate}
keyfile {key}

listener {locked} 127.0.0.1
allow_anonymous false
password_file {passwords}
"""
LISTENERS = ("plain", "secure", "web", "locked")
USER, PASSWORD = "ann", "of clubs"


class Mosquitto:
    """Made by `mosquitto`, which ends it. authority: has certified it."""

    def __init__(self, folder: Path) -> None:
        self.authority = LabAuthority(folder)
        self._folder = folder
        self._ports: dict[str, int] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def address(self, listener: str) -> str:
        """The address of a broker, as the settings have it."""
        ends = {
            "plain": f"mqtt://{HERE}",
            "secure": "mqtts://localhost",
            "web": "wss://localhost",
            "locked": f"mqtt://{USER}:{PASSWORD}@{HERE}",
        }
        return f"{ends[listener]}:{self._ports[listener]}{'/mqtt' if listener == 'web' else ''}"

    def start(self) -> None:
        """Returns when it accepts connections; the ports stay as they were."""
        deadline = time.monotonic() + longest_wait()
        while not self._started(deadline):
            self.kill()
            assert time.monotonic() < deadline, (self._folder / "log").read_text()
            self._ports = {}  # one of them is taken

    def _started(self, deadline: float) -> bool:
        self._ports = self._ports or {listener: lasting_port() for listener in LISTENERS}
        (self._folder / "conf").write_text(self._configuration)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", self._folder / "conf"],
                env={**os.environ, "LD_PRELOAD": str(self._loopback_only)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return all(self._accepts(port, deadline) for port in self._ports.values())

    def _accepts(self, port: int, deadline: float) -> bool:
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex((HERE, port)) == 0:
                    return True
            time.sleep(0.01)
        return False

    def kill(self) -> None:
        """Without a goodbye to anyone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @cached_property
    def _program(self) -> str:
        program = shutil.which("mosquitto", path=WHERE)
        assert program, "There is no mosquitto here; 'scripts/test --reach' installs what this test needs."
        return program

    @cached_property
    def _loopback_only(self) -> Path:
        """The listener for WebSockets of mosquitto 2.0.11 binds to every address, whatever it is told."""
        library = self._folder / "loopback_only.so"
        source = Path(__file__).with_name("loopback_only.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
        return library

    @cached_property
    def _files(self) -> dict[str, Path]:
        certificate, key = self.authority.certificate()
        passwords = self._folder / "passwords"
        passwords.write_text(f"{USER}:{PASSWORD}\n")
        hasher = shutil.which("mosquitto_passwd", path=WHERE)
        assert hasher
        subprocess.run([hasher, "-U", passwords], check=True)
        return {"certificate": certificate, "key": key, "passwords": passwords}

    @property
    def _configuration(self) -> str:
        # It would become the user mosquitto, who cannot read these files.
        user = "user root\n" if os.geteuid() == 0 else ""
        return user + CONFIGURATION.format(**self._ports, **self._files)


@contextmanager
def mosquitto(folder: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder)
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()
