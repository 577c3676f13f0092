"""Daemon processes with homes of their own in a temporary folder, and a table of theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from benchmarks.figures import NotMeasured
from p2pcards.control.client import Client, connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona
from p2pcards.store.files import Home, find_home
from p2pcards.views.tableview import Command
from p2pcards.wire.address import WEBSOCKET

Rules = tuple[str, tuple[tuple[str, str], ...]]
"""A game and the changes of its options."""

POLL = 0.2
"""Seconds between two looks at a table whose daemon is being measured: looking costs it time."""


@dataclass(frozen=True, slots=True)
class Daemon:
    home: Home
    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid


class Daemons:
    """All that were started are ended, and their homes removed, with the `with` block."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="p2p"))
        self._started: list[Daemon] = []

    def __enter__(self) -> Daemons:
        return self

    def __exit__(self, *_: object) -> None:
        for daemon in self._started:
            daemon.process.kill()
            daemon.process.wait()
        shutil.rmtree(self._folder)

    def start(self, name: str, module: str = "p2pcards.daemon", *arguments: str) -> Daemon:
        """A daemon whose home has this name, ready for front ends. module: the program that is one; arguments: what
        it takes after the home. Raises NotMeasured."""
        home = find_home({"P2PCARDS_HOME": str(self._folder / name)})
        place = [str(home.state), str(home.config), str(home.socket)]
        process = subprocess.Popen([sys.executable, "-P", "-m", module, *place, *arguments], stdout=subprocess.PIPE)
        daemon = Daemon(home, process)
        self._started.append(daemon)
        assert process.stdout is not None
        with process.stdout:
            said = process.stdout.readline().decode()
        if not said.startswith("ready"):
            raise NotMeasured(f"A daemon does not start: {said.strip() or 'it says nothing'}")
        return daemon

    def stop(self, daemon: Daemon) -> None:
        """End it as a player would, so that it can write down what it knows."""
        daemon.process.terminate()
        daemon.process.wait(timeout=30)


async def listen(daemon: Daemon, name: str, *, web: bool = False) -> int:
    """A table there that listens, its seat played by chance; returns the port. web: with a page."""
    async with connect(daemon.home, start=False) as client:
        opened = await client.open(OpenListen(0, Persona(name, auto="carefree"), web=web, reach=False))
    assert opened.port is not None
    return opened.port


async def play(daemon: Daemon, ports: Sequence[int], games: Sequence[Rules], *, web: bool = False) -> None:
    """A table there that calls these ports of this machine and plays the games to their ends, all seats by chance.
    web: over WebSockets. Raises NotMeasured."""
    hosts = tuple([Host(f"{WEBSOCKET if web else ''}127.0.0.1:{port}") for port in ports])
    try:
        async with connect(daemon.home, start=False) as client:
            await client.open(OpenConnect(hosts, persona=Persona("Ann", auto="carefree")))
            for game, changes in games:
                before = (await client.status()).tables[0].log
                table = await client.attach()
                await table.command(Command("game", (game,)))
                for change in changes:
                    await table.command(Command("set", change))
                await table.command(Command("start"))
                await table.detach()
                await played(client, before)
    except Declined as declined:
        raise NotMeasured(str(declined)) from None


async def played(client: Client, before: str) -> None:
    """Wait until the game that was started is over. before: the log of the game before it."""
    with trio.fail_after(600):
        while (table := (await client.status()).tables[0]).phase != "over" or table.log == before:
            await trio.sleep(POLL)


def answered(home: Home, *words: str, lines: range) -> float:
    """Seconds that a command of this home takes. lines: how many it may print.

    Raises NotMeasured when it fails, or prints more or fewer.
    """
    environment = os.environ | {"P2PCARDS_HOME": str(home.state)}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "p2pcards", *words], env=environment, stdout=subprocess.PIPE, check=False
    )
    took = time.monotonic() - start
    if done.returncode or done.stdout.count(b"\n") not in lines:
        raise NotMeasured(f"'p2pcards {' '.join(words)}' does not tell what is there.")
    return took


@contextmanager
def helper(module: str) -> Iterator[str]:
    """A program that says one line when it is ready, ended with the block; yields the line."""
    with subprocess.Popen([sys.executable, "-P", "-m", module], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            if not (line := process.stdout.readline().decode().strip()):
                raise NotMeasured(f"{module} does not start.")
            yield line
        finally:
            process.kill()
