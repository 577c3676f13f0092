"""The time of a move over WebSockets beside that over TCP, as in `move_time`, in turns: with nothing else going on, and
while a browser loads the whole page from the same table once a second."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from statistics import median
from typing import Any

import trio

from benchmarks.figures import figure, lowest_tenth, progress, rounded
from benchmarks.move_time import moves_played, nothing
from p2pcards.links.tcp import connect
from p2pcards.page.files import whole_page_files

LIMIT = 1.25
"""Times the move over TCP."""
TURNS = 2
PATIENCE = 30.0


def measure() -> dict[str, Any]:
    ways: Mapping[str, tuple[bool, Callable[[int], Awaitable[None]]]] = {
        "tcp": (False, nothing),
        "websocket": (True, nothing),
        "websocket_and_page": (True, _load_again_and_again),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(TURNS):
        for way, (web, beside) in ways.items():
            progress(f"moves over {way}, turn {turn + 1}")
            times, _ = moves_played("leave", web=web, beside=beside)
            taken[way] += [nanoseconds / 1000 for nanoseconds in times["whole"]]
    floor = taken["tcp"]
    found: dict[str, Any] = {
        f"{way}_to_tcp": figure(
            lowest_tenth(times) / lowest_tenth(floor),  # three processes in turn: the medians are those of the machine
            "x",
            LIMIT,
            medians=rounded(median(times) / median(floor)),
            moves=len(times),
        )
        for way, times in taken.items()
        if way != "tcp"
    }
    found["lowest_tenth"] = {"unit": "us", **{way: rounded(lowest_tenth(times)) for way, times in taken.items()}}
    files = whole_page_files()
    found["page"] = {"bytes": sum(len(file.body) for file in files.values()), "files": len(files)}
    return found


async def _load_again_and_again(port: int) -> None:
    """All files of the page at once, as a browser does, once a second."""
    while True:
        async with trio.open_nursery() as nursery:
            for name in whole_page_files():
                nursery.start_soon(_load, port, name)
        await trio.sleep(1)


async def _load(port: int, name: str) -> None:
    async with await connect("127.0.0.1", port, deadline=PATIENCE) as stream:
        await stream.send_all(f"GET /{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        while await stream.receive_some():
            pass
