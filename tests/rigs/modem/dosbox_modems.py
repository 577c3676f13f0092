"""Two Hayes modems that others have written: the soft modems of two DOSBoxes, each behind a pty.

    program - a.dte = socat = a.dce - COM2, bridge.asm, COM1 - soft modem - TCP - soft modem - ... - b.dte - program

The TCP between them runs in a network of its own, as DOSBox listens on every interface. `ptylines.c`, preloaded into
DOSBox and into the programs, gives the ptys their control lines (DTR to the modem, DCD from it).
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait

HERE = Path(__file__).parent
NEEDED = ("dosbox", "socat", "nasm", "cc", "unshare", "ip")
MODEMS = ("a", "b")

CONFIGURATION = """\
[sdl]
output=surface
[mixer]
nosound=true
[dos]
xms=false
ems=false
umb=false
[cpu]
core=normal
cycles=fixed 3000
[serial]
serial1=modem listenport:{port}
serial2=directserial realport:{dce} rxdelay:10000
[autoexec]
mount c {folder}
c:
bridge.com
"""


@dataclass(frozen=True)
class ModemPair:
    """devices: what programs open, by name of the modem (a, b). numbers: what reaches it (DOSBox reads
    twelve digits and more as an IPv4 address and a port). environment: to be added to
    that of every program that opens a device; without control lines it is empty."""

    devices: dict[str, str]
    numbers: dict[str, str]
    environment: dict[str, str]

    def for_program(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


@contextmanager
def dosbox_modems(*, control_lines: bool = True) -> Iterator[ModemPair]:
    """Both modems at work; everything ends with the block. Without control lines the modems see DTR always high, and
    programs can neither drop it nor see DCD."""
    for name in NEEDED:
        assert shutil.which(name), f"There is no {name} here; 'scripts/test --modem' installs what this test needs."
    folder = Path(tempfile.mkdtemp(prefix="modems"))
    started: list[subprocess.Popen[bytes]] = []
    try:
        environment = _build(folder, control_lines)
        for name in MODEMS:
            _cable(folder, name, started)
        devices = {name: str((folder / f"{name}.dte").resolve()) for name in MODEMS}
        ports = _free_ports()
        started.append(_modems(folder, ports, environment))
        for device in devices.values():
            _until_ok(device, folder)
        yield ModemPair(devices, {name: f"127000000001{port:05}" for name, port in ports.items()}, environment)
    finally:
        for process in reversed(started):
            with process:
                os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def _build(folder: Path, control_lines: bool) -> dict[str, str]:
    """Make the bridge and the preloaded library; returns the environment for programs."""
    (folder / "dos").mkdir()
    bridge = ["nasm", "-f", "bin", "-DDIVISOR=2", *([] if control_lines else ["-DFORCE_DTR"])]
    subprocess.run([*bridge, "-o", folder / "dos/BRIDGE.COM", HERE / "bridge.asm"], check=True)
    if not control_lines:
        return {}
    library = folder / "ptylines.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, HERE / "ptylines.c", "-ldl"], check=True)
    (folder / "lines").mkdir()
    return {"LD_PRELOAD": str(library), "PTYLINES_DIR": str(folder / "lines")}


def _cable(folder: Path, name: str, started: list[subprocess.Popen[bytes]]) -> None:
    """Two ptys with socat between them, which goes to what was started."""
    ends = [folder / f"{name}.dte", folder / f"{name}.dce"]
    words = ["socat", *(f"pty,raw,echo=0,link={end}" for end in ends)]
    started.append(subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL))
    _wait_for(lambda: all(end.exists() for end in ends), "socat made no ptys")
    numbers = [end.resolve().name for end in ends]
    if (folder / "lines").exists():
        for own, other in (numbers, numbers[::-1]):
            (folder / "lines" / f"{own}.peer").write_text(other)


def _free_ports() -> dict[str, int]:
    with socket.socket() as one, socket.socket() as other:
        for end in (one, other):
            end.bind(("127.0.0.1", 0))
        return {name: end.getsockname()[1] for name, end in zip(MODEMS, (one, other), strict=True)}


def _modems(folder: Path, ports: dict[str, int], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Both DOSBoxes in one process group and one network."""
    for name, port in ports.items():
        dce = str((folder / f"{name}.dce").resolve()).removeprefix("/dev/")
        (folder / f"{name}.conf").write_text(CONFIGURATION.format(port=port, dce=dce, folder=folder / "dos"))
    boxes = " & ".join(f"dosbox -conf {folder}/{name}.conf -noconsole >{folder}/{name}.log 2>&1" for name in MODEMS)
    apart = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    alone = f"ip link set lo up && {{ {boxes} & wait; }}"
    # Where nobody may have a network of their own, that of the machine has to do.
    allowed = subprocess.run([*apart, "true"], capture_output=True, check=False).returncode == 0
    return subprocess.Popen(
        [*apart, "sh", "-c", alone] if allowed else ["sh", "-c", f"{boxes} & wait"],
        env={**os.environ, **environment, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    )


def _until_ok(device: str, folder: Path) -> None:
    """The modem has started when it says OK."""
    descriptor = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    heard = b""

    def says_ok() -> bool:
        nonlocal heard
        os.write(descriptor, b"AT\r")
        while select.select([descriptor], [], [], 0.3)[0]:
            heard += os.read(descriptor, 1000)
        return b"OK" in heard

    try:
        _wait_for(says_ok, f"the modem at {device} does not say OK")
    except AssertionError as error:
        logs = "\n".join(log.read_text(errors="replace")[-1000:] for log in folder.glob("*.log"))
        raise AssertionError(f"{error}; it said {heard!r}\n{logs}") from None
    finally:
        os.close(descriptor)


def _wait_for(condition: Callable[[], bool], complaint: str) -> None:
    end = time.monotonic() + longest_wait()
    while not condition():
        assert time.monotonic() < end, complaint
        time.sleep(0.02)


@pytest.fixture
def modem_pair() -> Iterator[ModemPair]:
    """Two modems whose control lines are wired."""
    with dosbox_modems() as pair:
        yield pair


@pytest.fixture
def bare_modem_pair() -> Iterator[ModemPair]:
    """Two modems on three-wire cables."""
    with dosbox_modems(control_lines=False) as pair:
        yield pair
