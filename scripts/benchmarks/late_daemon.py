"""A daemon that notes how late it wakes, and how long each move of its computer players takes beyond its pace.

`python -m benchmarks.late_daemon STATE CONFIG SOCKET NOTES`: NOTES names the file in STATE that gets what was noted, as
JSON, when the daemon ends: pairs of a time and what was late then, both in seconds, the times of the clock that all
processes share.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import trio

from p2pcards.daemon import serve as daemon_main
from p2pcards.daemon.__main__ import announce
from p2pcards.daemon.engine import Engine
from p2pcards.session.effects import Think
from p2pcards.store.files import Home

TICK = 0.01

ask = Engine._queue_thought
think_about = Engine._think_about
serve = daemon_main._serve_until_stopped


class Lateness:
    """clock: of a task that sleeps for a TICK again and again, as a table does until its next heartbeat; moves: from
    the moment when a player is asked, or its table has made the move before, until its move is in the log and sent."""

    def __init__(self) -> None:
        self.clock: list[tuple[float, float]] = []
        self.moves: list[tuple[float, float]] = []
        self._asked: dict[int, float] = {}
        self._moved: dict[Engine, float] = {}

    async def keep_time(self) -> None:
        while True:
            due = time.monotonic() + TICK
            await trio.sleep(TICK)
            now = time.monotonic()
            self.clock.append((now, now - due))

    def ask(self, engine: Engine, think: Think) -> None:
        self._asked[id(think)] = time.monotonic()
        ask(engine, think)

    async def think_about(self, engine: Engine, think: Think) -> None:
        begun = max(self._asked.pop(id(think)), self._moved.get(engine, 0.0))
        pace = engine._attachments.pace
        await think_about(engine, think)
        self._moved[engine] = now = time.monotonic()
        self.moves.append((now, now - begun - pace))


def main(arguments: list[str]) -> int:
    state, config, socket, name = arguments
    home = Home(Path(state), Path(config), Path(socket))
    late = Lateness()

    async def serve_and_note(*of_what: Any) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(late.keep_time)
            await serve(*of_what)
            nursery.cancel_scope.cancel()

    def ask_and_note(engine: Engine, think: Think) -> None:
        late.ask(engine, think)

    async def think_and_note(engine: Engine, think: Think) -> None:
        await late.think_about(engine, think)

    for place, attribute, function in (
        (daemon_main, "_serve_until_stopped", serve_and_note),
        (Engine, "_queue_thought", ask_and_note),
        (Engine, "_think_about", think_and_note),
    ):
        setattr(place, attribute, function)
    code = daemon_main.run_daemon(home, announce)
    (home.state / name).write_text(json.dumps({"clock": late.clock, "moves": late.moves}))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
