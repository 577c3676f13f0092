"""The title screen, for `p2pcards` alone. Tables that are chosen there open in its place; any other command is run,
then it is shown again."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from p2pcards.cli.command import (
    HUNG_UP,
    TERMINATED,
    Failure,
    Seating,
    at_terminal,
    behind_the_screen,
    default_home,
    explained,
    our_home,
    question,
    say,
    what_is_left,
)
from p2pcards.cli.opening import Wish, open_tables, wants_screen, wish_of
from p2pcards.control.exits import FINE, UNEXPECTED

if TYPE_CHECKING:
    from p2pcards.control.messages import TableStatus
    from p2pcards.results.saves import SavedGame
    from p2pcards.store.files import Home
    from p2pcards.tui.appearance import ReadSitting
    from p2pcards.tui.title import Choices, Seat, TitleChoices

TO_READ = "autoplay"
"""The command whose last lines are to be read before the title screen comes again."""


def has_room() -> bool:
    """Whether the title screen can be shown."""
    from p2pcards.tui.picture.table import HIGH, WIDE

    if not wants_screen(Seating()):
        return False
    size = shutil.get_terminal_size()
    return size.columns >= WIDE and size.lines >= HIGH


def at_title(run: Callable[[list[str]], int], table_meant: Callable[[list[str]], None]) -> None:
    """run: does a command, and returns its exit code; table_meant: does one that opens a table, or raises."""
    from p2pcards.control.spawning import begin, wait_until_ready

    while True:
        home = our_home()
        starting = Thread(target=wait_until_ready, args=(begin(home),), daemon=True)
        starting.start()  # a daemon, before the screen is read, which takes as long
        from p2pcards.cli.sitting import screen_sitting
        from p2pcards.tui.title import run_title

        sitting = screen_sitting(home, Seating())
        dealing = partial(_deal, home, sitting, table_meant, starting)
        ended = run_title(_known(home), sitting, dealing, partial(_known_behind, home, _switched_to()))
        if ended.number:
            if at_terminal():  # it may have been closed
                say(ended.said)
            return
        if not ended.words:
            return
        code = run(ended.words)
        if code in (HUNG_UP, TERMINATED):
            return
        if code != FINE or ended.words[0] == TO_READ:
            question("\nPress Enter to go back to the title screen. ")


@asynccontextmanager
async def _deal(
    home: Home,
    sitting: ReadSitting,
    table_meant: Callable[[list[str]], None],
    starting: Thread,
    words: list[str],
    tell: Callable[[str], None],
) -> AsyncIterator[Seat]:
    """The table that these words mean. Raises NotSeated."""
    from p2pcards.control.client import connect
    from p2pcards.control.declined import Declined
    from p2pcards.daemon.crew import beside
    from p2pcards.tui.title import NotSeated, Seat

    wish: Wish | None = None
    sat = False
    ended = "canceled"
    try:
        wish = wish_of(lambda: table_meant(words))
        if wish is None:
            raise Failure("That didn't open a table.", UNEXPECTED)
        await beside(starting.join)
        async with connect(home) as client:
            opened = None if wish.request is None else await client.open(wish.request, tell)
            ended = ""
            told = wish.told(opened) if opened else []
            table = await client.attach(opened.table if opened else wish.table, sitting().appearance.pace)
            await table.updates().some()
            sat = True
            yield Seat(table, told)
    except Exception as error:
        why = error if isinstance(error, Declined) else explained(error)
        if sat or why is None:
            raise
        ended = str(why)
        raise NotSeated(ended) from None
    finally:
        if ended and wish is not None:
            wish.failed(ended)


def _known(home: Home) -> TitleChoices:
    from p2pcards.cli.logs import NEWEST, our_saves
    from p2pcards.cli.tables import short_line
    from p2pcards.frontend.option_pages import RulesPage
    from p2pcards.frontend.record_pages import save_line
    from p2pcards.frontend.start import levels_of
    from p2pcards.games.names import GAME_NAMES
    from p2pcards.games.registry import GAMES
    from p2pcards.players.characters import character_rows, own_character
    from p2pcards.store.directory import load_directory
    from p2pcards.store.files import login_name
    from p2pcards.store.identity import load_or_make_identity, load_peers
    from p2pcards.store.profiles import list_profiles
    from p2pcards.tui.title import TitleChoices
    from p2pcards.wire.keys import public_bytes

    profiles = [one.profile for one in list_profiles(default_home()).homes]
    tables = open_tables(home)
    on = {table.log for table in tables}
    saves = [one for one in our_saves(home, most=NEWEST) if one.log.name not in on]
    unfinished = tuple([(one.log.stem, save_line(one)) for one in saves])
    return TitleChoices(
        games=tuple(GAME_NAMES.items()),
        peers=tuple([(peer.name, f"{peer.name}, {peer.address or 'no address'}") for peer in load_peers(home)]),
        numbers=tuple([(entry.name, f"{entry.name}, {entry.number}") for entry in load_directory(home)]),
        unfinished=unfinished,
        goes_on=_goes_on(tables, saves),
        tables=tuple([(table.name, short_line(table)) for table in tables]),
        characters=tuple([(key, f"{name}, {level}") for key, name, level in character_rows()]),
        own=lambda: own_character(public_bytes(load_or_make_identity(home))).key,
        levels=levels_of,
        question=partial(_question, home),
        login=login_name(),
        profiles=tuple([(name, f"{name}{' (playing now)' if name == home.profile else ''}") for name in profiles]),
        player=home.profile if len(profiles) > 1 else "",
        opponents=lambda key: _opponents(home, key),
        nearby=lambda: _nearby(home),
        rules=lambda key: RulesPage(home, GAMES[key]),
        brief=lambda key: _brief(home, key),
        records=lambda words, game: _records(home, words, game),
    )


def _known_behind(home: Home, switched_to: str) -> TitleChoices:
    """The same while the screen has the terminal. switched_to: the profile that was switched to last before."""

    def read() -> TitleChoices:
        behind_the_screen.set(True)
        now = _switched_to()
        return replace(_known(home), switched=now if now != switched_to else "")

    return copy_context().run(read)


def _switched_to() -> str:
    """The profile that plays where none is named."""
    from p2pcards.store.profiles import last_profile

    return last_profile(default_home())


def _records(home: Home, words: str, game: str) -> Sequence[str]:
    """words: as at a table; game: its key, "" for all."""
    from p2pcards.frontend.record_pages import record_lines, records_asked, scoreboard_lines

    word, *rest = words.split()
    return scoreboard_lines(home) if word == "scoreboard" else record_lines(home, records_asked(word, rest, game))


def _question(home: Home, key: str) -> tuple[str, Choices]:
    """What our rules of a game leave to us as it begins; the usual answer first."""
    from p2pcards.control.messages import Rules

    found = what_is_left(home, Rules(key))
    if found is None:
        return "", ()
    answers = [(f"{found.key}={value}", f"{letter}: {meaning}") for letter, (value, meaning) in found.answers.items()]
    return found.words, tuple(answers)


def _opponents(home: Home, key: str) -> int:
    """How many play against us, by our rules of a game."""
    from p2pcards.games.registry import GAMES
    from p2pcards.store.own_rules import own_options, own_rules
    from p2pcards.store.settings import usable_settings

    game = GAMES[key]
    return game.seats(own_options(game, own_rules(usable_settings(home).settings, game))) - 1


def _brief(home: Home, key: str) -> str:
    """The rules by which we play a game, in a few sentences."""
    from p2pcards.games.options import values_by_key
    from p2pcards.games.prose import rules_in_brief
    from p2pcards.games.registry import GAMES
    from p2pcards.store.files import StoreError
    from p2pcards.store.own_rules import own_options, own_rules
    from p2pcards.store.settings import usable_settings

    game = GAMES[key]
    try:
        options = own_options(game, own_rules(usable_settings(home).settings, game))
    except StoreError as fault:
        return str(fault)
    return f"{game.name}: {rules_in_brief(game, values_by_key(options))}"


def _nearby(home: Home) -> Choices:
    import trio

    from p2pcards.cli.opening import PATIENCE, facts
    from p2pcards.links.lan import probe

    found = [facts(home, one) for one in trio.run(probe, PATIENCE)]
    return tuple([(one["address"], f"{one['known_as'] or one['name']}, {one['address']}") for one in found])


def _goes_on(tables: Sequence[TableStatus], saves: Sequence[SavedGame]) -> tuple[tuple[str, ...], str] | None:
    """The words that go on with a game, and what is asked of it: one that is open, or else the newest."""
    from p2pcards.games.names import GAME_NAMES

    at_table = next((table for table in tables if table.game and table.phase in ("play", "paused")), None)
    if at_table is not None:
        return ("attach", at_table.name), f"Go back to {at_table.game}?"
    if not saves:
        return None
    newest = saves[0]
    game = GAME_NAMES.get(newest.log.game, newest.log.game)
    if newest.coordinates:
        return ("resume", newest.log.stem), f"Go back to {game}?"
    return ("listen",), f"Go back to {game} and wait for {newest.players[0]}'s call?"
