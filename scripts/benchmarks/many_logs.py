"""How long a home with 10,000 logs takes: from the start of a daemon until it listens, `p2pcards logs`, and `p2pcards
peers list`. The logs are those of three real games between two daemons, one of them not over, copied until there are
enough."""

from __future__ import annotations

import time
from itertools import cycle, islice
from statistics import median
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure, rounded
from benchmarks.homes import POLL, Daemon, Daemons, answered, listen, play
from p2pcards.control.client import connect
from p2pcards.store.logs import list_logs, log_name
from p2pcards.views.tableview import Command

LOGS = 10_000
GAMES = (("crazy_eights", (("winning_score", "50"),)), ("hearts", (("end_score", "25"),)))
"""They are played to their ends."""
LEFT = "whist"
"""The game that is begun after them, and is not over when both stop."""
PATIENCE = 30.0
TIMES = 5
LISTEN_LIMIT = 1.0
LOGS_LIMIT = 0.3
TABLE, ONE_PEER = range(LOGS + 1, LOGS + 2), range(2, 3)
"""Lines of what is printed, the first of which names the columns."""


def measure() -> dict[str, Any]:
    """Medians of TIMES. first: what it takes while nothing is indexed yet, which is once."""
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        trio.run(_play, ann, bob)
        daemons.stop(ann)
        daemons.stop(bob)
        _copy(bob)
        first = answered(bob.home, "logs", lines=TABLE)
        listed = [answered(bob.home, "logs", lines=TABLE) for _ in range(TIMES)]
        counted = [answered(bob.home, "peers", "list", lines=ONE_PEER) for _ in range(TIMES)]
        listening = [_listening(daemons) for _ in range(TIMES)]
    return {
        "listen": figure(median(listening), "s", LISTEN_LIMIT, logs=LOGS, longest=rounded(max(listening))),
        "logs": figure(median(listed), "s", LOGS_LIMIT, logs=LOGS, longest=rounded(max(listed)), first=rounded(first)),
        "peers": figure(median(counted), "s", LOGS_LIMIT, logs=LOGS, longest=rounded(max(counted))),
    }


async def _play(ann: Daemon, bob: Daemon) -> None:
    port = await listen(bob, "Bob")
    await play(ann, [port], GAMES)
    async with connect(ann.home, start=False) as client:
        table = await client.attach()
        for command in (Command("game", (LEFT,)), Command("start")):
            await table.command(command)
        with trio.move_on_after(PATIENCE):
            while len(list_logs(bob.home)) <= len(GAMES):
                await trio.sleep(POLL)


def _copy(bob: Daemon) -> None:
    logs = [log.path for log in list_logs(bob.home)]
    if len(logs) <= len(GAMES):
        raise NotMeasured("The games that were to be copied have no logs.")
    read = [path.read_bytes() for path in logs]
    for number, data in enumerate(islice(cycle(read), LOGS - len(logs))):
        name = log_name(f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}", "hearts", number.to_bytes(4), 4)
        (bob.home.logs / name).write_bytes(data)


def _listening(daemons: Daemons) -> float:
    start = time.monotonic()
    daemon = daemons.start("bob")
    trio.run(listen, daemon, "Bob")
    took = time.monotonic() - start
    daemons.stop(daemon)
    return took
