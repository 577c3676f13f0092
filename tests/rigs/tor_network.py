"""A Tor network of its own on this machine: three authorities, two relays and two clients, all of them real. The
authorities vote by the clock, every 20 s, so it takes a minute to come up."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rigs.mosquitto import WHERE
from rigs.served import wait_until
from rigs.tor import HERE, pair_of_ports

AUTHORITIES, RELAYS, CLIENTS = 3, 2, 2

EVERYBODY = """\
TestingTorNetwork 1
AssumeReachable 1
PathsNeededToBuildCircuits 0.25
TestingDirAuthVoteExit *
TestingDirAuthVoteHSDir *
TestingDirAuthVoteGuard *
V3AuthNIntervalsValid 2
Address 127.0.0.1
Log notice file {folder}/log
DataDirectory {folder}
Nickname {name}
"""
AUTHORITY = """\
AuthoritativeDirectory 1
V3AuthoritativeDirectory 1
V3AuthVotingInterval 20
V3AuthVoteDelay 4
V3AuthDistDelay 4
TestingV3AuthInitialVotingInterval 20
TestingV3AuthInitialVoteDelay 4
TestingV3AuthInitialDistDelay 4
"""
RELAY = "OrPort {port}\nDirPort {next}\nSocksPort 0\n"
CLIENT = "SocksPort 127.0.0.1:{port}\nControlPort 127.0.0.1:{next}\nCookieAuthentication 1\n"


@contextmanager
def tor_network(base: Path) -> Iterator[tuple[str, ...]]:
    """What the setting `tor` of each client has to be. base: a folder of its own."""
    ports = [pair_of_ports() for _ in range(AUTHORITIES + RELAYS + CLIENTS)]
    known = [_authority(base / f"a{port}", port) for port in ports[:AUTHORITIES]]
    relays, clients = ports[AUTHORITIES:-CLIENTS], ports[-CLIENTS:]
    kinds = dict.fromkeys(ports[:AUTHORITIES], AUTHORITY + RELAY)
    kinds |= dict.fromkeys(relays, RELAY) | dict.fromkeys(clients, CLIENT)
    started = [_start(base, f"a{port}", port, [*known, kind]) for port, kind in kinds.items()]
    try:
        logs = [base / f"a{port}" / "log" for port in clients]
        wait_until(lambda: all(log.exists() and "Bootstrapped 100%" in log.read_text() for log in logs), "Tor is up")
        yield tuple([f"{HERE}:{port}" for port in clients])
    finally:
        for process in started:
            process.kill()
            process.wait()


def _authority(folder: Path, port: int) -> str:
    """The line by which all others know it, once its keys are made."""
    (keys := folder / "keys").mkdir(parents=True, mode=0o700)
    folder.chmod(0o700)
    words = ["--create-identity-key", "--passphrase-fd", "0", "-m", "12", "-a", f"{HERE}:{port + 1}"]
    files = {"-i": "authority_identity_key", "-s": "authority_signing_key", "-c": "authority_certificate"}
    words += [word for option, name in files.items() for word in (option, str(keys / name))]
    subprocess.run([_program("tor-gencert"), *words], input=b"of clubs\n", capture_output=True, check=True)
    nobody = 40 * "f"
    line = f"DirAuthority x orport=1 v3ident={nobody} {HERE}:1 {nobody}\n"
    (file := folder / "torrc").write_text(line + EVERYBODY.format(folder=folder, name=folder.name) + "OrPort 1\n")
    subprocess.run([*_tor(file), "--list-fingerprint"], capture_output=True, check=True)
    certified = re.search(r"^fingerprint (\w+)", (keys / "authority_certificate").read_text(), re.MULTILINE)
    assert certified
    own = (folder / "fingerprint").read_text().split()[1]
    return f"DirAuthority {folder.name} orport={port} no-v2 v3ident={certified[1]} {HERE}:{port + 1} {own}"


def _start(base: Path, name: str, port: int, lines: Sequence[str]) -> subprocess.Popen[bytes]:
    (folder := base / name).mkdir(mode=0o700, exist_ok=True)
    text = EVERYBODY.format(folder=folder, name=name) + "\n".join(lines).format(port=port, next=port + 1)
    (file := folder / "torrc").write_text(text)
    return subprocess.Popen(_tor(file), stdin=subprocess.DEVNULL)


def _tor(file: Path) -> list[str]:
    (defaults := file.with_name("defaults")).touch()
    return [_program("tor"), "-f", str(file), "--defaults-torrc", str(defaults), "--quiet"]


def _program(name: str) -> str:
    found = shutil.which(name, path=WHERE)
    assert found, f"There is no {name} here; 'scripts/test --reach' installs what this test needs."
    return found
