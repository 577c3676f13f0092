"""A real daemon enters the games that end in the records, and makes these again where it finds them damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing

import trio

from p2pcards.control.client import connect
from p2pcards.control.messages import OpenPlay, Persona, Rules, TimeLimits
from p2pcards.results.keeping import ask_book
from p2pcards.results.standings import history
from p2pcards.store.files import Home
from p2pcards.views.happenings import GameWon
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome, play_until, wait_until_ended
from rigs.short_games import short

POLL = 0.02


async def play(home: Home, game: str, seed: int) -> None:
    """A short game to its end; the daemon stays."""
    async with connect(home) as client:
        opened = await client.open(OpenPlay(Rules(game, "", short(game)), Persona("Ann"), TimeLimits(), seed))
        table = await client.attach(opened.table)
        await play_until(table, lambda happening: isinstance(happening, GameWon))


async def stop(home: Home) -> None:
    async with connect(home, start=False) as client:
        await client.stop()
    wait_until_ended(home)


def stored(home: Home) -> list[tuple[str, str]]:
    """The games in the file, which is not brought up to date by looking."""
    if not home.results.exists():
        return []
    with closing(sqlite3.connect(f"{home.results.as_uri()}?mode=ro", uri=True)) as book:
        try:
            return book.execute("SELECT game, log FROM games ORDER BY ended, id").fetchall()
        except sqlite3.Error:
            return []


async def until(condition: Callable[[], bool], what: str) -> None:
    with trio.move_on_after(longest_wait()):
        while not condition():
            await trio.sleep(POLL)
        return
    raise AssertionError(f"{what} did not happen")


async def test_a_game_that_ends_is_entered_though_nobody_asks(make_home: MakeHome) -> None:
    home = make_home("ann")
    await play(home, "thirty_one", 3)
    await until(lambda: len(stored(home)) == 1, "the game being entered")
    await play(home, "whist", 3)
    await until(lambda: [game for game, _ in stored(home)] == ["thirty_one", "whist"], "the second one being entered")
    (second, first) = ask_book(home, history)
    assert first.result.seats[0].name == "Ann" == second.result.seats[0].name
    assert first.result.is_rated and second.result.is_rated
    await stop(home)


async def test_a_daemon_finds_damaged_records_and_makes_them_again(make_home: MakeHome) -> None:
    home = make_home("ann")
    await play(home, "whist", 3)
    await stop(home)
    before = ask_book(home, history)
    with closing(sqlite3.connect(home.results, isolation_level=None)) as book:
        book.execute("UPDATE seats SET points = points + 1 WHERE seat = 0")
    await play(home, "thirty_one", 3)
    await until(lambda: bool(list(home.state.glob("records.sqlite.damaged-*"))), "the damage being found")
    await until(lambda: len(stored(home)) == 2, "the games being entered again")
    assert ask_book(home, history)[1:] == before
    await stop(home)
    assert "records.sqlite is damaged" in home.diagnostics.read_text()
