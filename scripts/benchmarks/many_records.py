"""How long the commands take that ask the records, with 100,000 games in the book: the results of two real games
between two daemons, and of what they would have been had they been won by others, entered again and again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from random import Random
from statistics import median
from typing import Any

import trio

from benchmarks.figures import NotMeasured, figure, progress, rounded
from benchmarks.homes import Daemon, Daemons, answered, listen, play
from benchmarks.many_logs import GAMES
from p2pcards.results.book import Book, Entered, enter_games, writing
from p2pcards.results.keeping import ask_book, rebuild
from p2pcards.results.result import GameResult
from p2pcards.results.standings import count_games, history
from p2pcards.store.files import Home

RECORDS = 100_000
AT_ONCE = 10_000
FIRST, APART = 1_600_000_000_000, 60_000
"""Milliseconds: when the first of them ended, and how long after it each of the others did."""
TIMES = 5
LIMIT = 0.3
SOME = range(3, 1000)
"""Lines of what is printed: a heading, and the figures of at least two players or games."""
COMMANDS = (("records", "hearts"), ("league",), ("hall",), ("history", "--most", "20"))


def measure() -> dict[str, Any]:
    """Medians of TIMES for each command, and how long the book takes to be filled, and to be made again."""
    with Daemons() as daemons:
        ann, bob = daemons.start("ann"), daemons.start("bob")
        trio.run(_play, ann, bob)
        daemons.stop(ann)
        daemons.stop(bob)
        start = time.monotonic()
        _fill(bob.home)
        filled = time.monotonic() - start
        asked = {
            " ".join(words[:2]).partition(" --")[0]: [answered(bob.home, *words, lines=SOME) for _ in range(TIMES)]
            for words in COMMANDS
        }
        start = time.monotonic()
        rebuild(bob.home)
        again = time.monotonic() - start
    figures = {
        name: figure(median(times), "s", LIMIT, games=RECORDS, longest=rounded(max(times)))
        for name, times in asked.items()
    }
    return figures | {
        "entered": figure(1000 * filled / RECORDS, "ms a game"),
        "rebuild": figure(1000 * again / RECORDS, "ms a game"),
    }


async def _play(ann: Daemon, bob: Daemon) -> None:
    await play(ann, [await listen(bob, "Bob")], GAMES)


def _fill(home: Home) -> None:
    results = [one.result for one in ask_book(home, history)]
    if len(results) < len(GAMES):
        raise NotMeasured("The games that were to be entered again are not in the records.")
    games = _others(results)
    for done in range(0, RECORDS, AT_ONCE):
        progress(f"records: {done} of {RECORDS} games entered")
        ask_book(home, partial(_enter, games=list(islice(games, AT_ONCE))))
    if ask_book(home, count_games) < RECORDS:
        raise NotMeasured("The games were not entered.")


def _enter(book: Book, games: list[Entered]) -> None:
    with writing(book):
        enter_games(book, games)


def _others(results: list[GameResult]) -> Iterator[Entered]:
    rng = Random(1)
    for number, result in enumerate(cycle(results)):
        winner = rng.randrange(len(result.seats))
        seats = tuple(
            [
                replace(seat, won=at == winner, points=seat.points + rng.randrange(20))
                for at, seat in enumerate(result.seats)
            ]
        )
        other = replace(result, id=f"{number:032x}", seats=seats, marks=())
        yield Entered(other, FIRST + APART * number, None)
