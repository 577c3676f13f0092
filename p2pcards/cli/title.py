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

from p2pcards.cli.asked import open_question
from p2pcards.cli.command import HUNG_UP, TERMINATED, Failure, as_failure, current_home, default_home
from p2pcards.cli.logs import NEWEST, list_our_saves
from p2pcards.cli.opening import PATIENCE, Wish, capture_wish, list_open_tables, listener_facts, wants_screen
from p2pcards.cli.options import Seating
from p2pcards.cli.tables import table_line
from p2pcards.cli.terminal import ask_line, behind_the_screen, is_interactive, print_text
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
    """Return whether the terminal is large enough for the title screen."""
    from p2pcards.tui.picture.table import HIGH, WIDE

    if not wants_screen(Seating()):
        return False
    size = shutil.get_terminal_size()
    return size.columns >= WIDE and size.lines >= HIGH


def run_title_screen(run: Callable[[list[str]], int], table_meant: Callable[[list[str]], None]) -> None:
    """Show the title screen and run what is chosen. run: runs a command and returns its exit code; table_meant: runs
    one that opens a table, or raises."""
    from p2pcards.control.spawning import begin_daemon, wait_until_ready

    while True:
        home = current_home()
        starting = Thread(target=wait_until_ready, args=(begin_daemon(home),), daemon=True)
        starting.start()  # a daemon, before the screen is read, which takes as long
        from p2pcards.cli.sitting import screen_manner_reader
        from p2pcards.tui.title import run_title

        sitting = screen_manner_reader(home, Seating())
        dealing = partial(_open_table, home, sitting, table_meant, starting)
        ended = run_title(_read_choices(home), sitting, dealing, partial(_read_choices_behind, home, _stored_profile()))
        if ended.number:
            if is_interactive():  # it may have been closed
                print_text(ended.said)
            return
        if not ended.words:
            return
        code = run(ended.words)
        if code in (HUNG_UP, TERMINATED):
            return
        if code != FINE or ended.words[0] == TO_READ:
            ask_line("\nPress Enter to go back to the title screen. ")


@asynccontextmanager
async def _open_table(
    home: Home,
    sitting: ReadSitting,
    table_meant: Callable[[list[str]], None],
    starting: Thread,
    words: list[str],
    tell: Callable[[str], None],
) -> AsyncIterator[Seat]:
    """Open the table that these words mean, and give the seat at it. Raises NotSeated."""
    from p2pcards.control.client import connect
    from p2pcards.control.declined import Declined
    from p2pcards.daemon.crew import beside
    from p2pcards.tui.title import NotSeated, Seat

    wish: Wish | None = None
    sat = False
    ended = "canceled"
    try:
        wish = capture_wish(lambda: table_meant(words))
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
        why = error if isinstance(error, Declined) else as_failure(error)
        if sat or why is None:
            raise
        ended = str(why)
        raise NotSeated(ended) from None
    finally:
        if ended and wish is not None:
            wish.failed(ended)


def _read_choices(home: Home) -> TitleChoices:
    from p2pcards.frontend.option_pages import RulesPage
    from p2pcards.frontend.record_pages import saved_game_line
    from p2pcards.frontend.start import game_levels
    from p2pcards.games.names import GAME_NAMES
    from p2pcards.games.registry import GAMES
    from p2pcards.players.characters import character_rows, own_character
    from p2pcards.store.directory import load_directory
    from p2pcards.store.files import login_name
    from p2pcards.store.identity import load_or_make_key, load_peers
    from p2pcards.store.profiles import list_profiles
    from p2pcards.tui.title import TitleChoices

    profiles = [one.profile for one in list_profiles(default_home()).homes]
    tables = list_open_tables(home)
    on = {table.log for table in tables}
    saves = [one for one in list_our_saves(home, most=NEWEST) if one.log.name not in on]
    unfinished = tuple([(one.log.stem, saved_game_line(one)) for one in saves])
    return TitleChoices(
        games=tuple(GAME_NAMES.items()),
        peers=tuple([(peer.name, f"{peer.name}, {peer.address or 'no address'}") for peer in load_peers(home)]),
        numbers=tuple([(entry.name, f"{entry.name}, {entry.number}") for entry in load_directory(home)]),
        unfinished=unfinished,
        goes_on=_resume_choice(tables, saves),
        tables=tuple([(table.name, table_line(table)) for table in tables]),
        characters=tuple([(key, f"{name}, {level}") for key, name, level in character_rows()]),
        own=lambda: own_character(load_or_make_key(home)).key,
        levels=game_levels,
        question=partial(_open_question, home),
        login=login_name(),
        profiles=tuple([(name, f"{name}{' (playing now)' if name == home.profile else ''}") for name in profiles]),
        player=home.profile if len(profiles) > 1 else "",
        opponents=lambda key: _opponent_count(home, key),
        nearby=lambda: _nearby_choices(home),
        rules=lambda key: RulesPage(home, GAMES[key]),
        brief=lambda key: _rules_in_brief(home, key),
        records=lambda words, game: _records_as_lines(home, words, game),
    )


def _read_choices_behind(home: Home, switched_to: str) -> TitleChoices:
    """Read the choices while the screen has the terminal. switched_to: the profile that was switched to last."""

    def read() -> TitleChoices:
        behind_the_screen.set(True)
        now = _stored_profile()
        return replace(_read_choices(home), switched=now if now != switched_to else "")

    return copy_context().run(read)


def _stored_profile() -> str:
    """The profile that plays where none is named."""
    from p2pcards.store.profiles import last_profile

    return last_profile(default_home())


def _records_as_lines(home: Home, words: str, game: str) -> Sequence[str]:
    """The records as lines. words: as typed at a table; game: its key, "" for all."""
    from p2pcards.frontend.record_pages import parse_records_request, run_records_request, run_scoreboard_command

    word, *rest = words.split()
    return (
        run_scoreboard_command(home)
        if word == "scoreboard"
        else run_records_request(home, parse_records_request(word, rest, game))
    )


def _open_question(home: Home, key: str) -> tuple[str, Choices]:
    """(question, choices) on the option that our rules leave open, its usual value first. key: of the game."""
    from p2pcards.control.messages import Rules

    found = open_question(home, Rules(key))
    if found is None:
        return "", ()
    answers = [(f"{found.key}={value}", f"{letter}: {meaning}") for letter, (value, meaning) in found.answers.items()]
    return found.words, tuple(answers)


def _opponent_count(home: Home, key: str) -> int:
    """The number of opponents under our rules of a game. key: of the game."""
    from p2pcards.games.registry import GAMES
    from p2pcards.store.own_rules import own_options, own_rules
    from p2pcards.store.settings import usable_settings

    game = GAMES[key]
    return game.seats(own_options(game, own_rules(usable_settings(home).settings, game))) - 1


def _rules_in_brief(home: Home, key: str) -> str:
    """The rules by which we play a game, in a few sentences. key: of the game."""
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


def _nearby_choices(home: Home) -> Choices:
    import trio

    from p2pcards.links.lan import probe

    found = [listener_facts(home, one) for one in trio.run(probe, PATIENCE)]
    return tuple([(one["address"], f"{one['known_as'] or one['name']}, {one['address']}") for one in found])


def _resume_choice(tables: Sequence[TableStatus], saves: Sequence[SavedGame]) -> tuple[tuple[str, ...], str] | None:
    """(words of the command, text) that continues an open table, else the newest unfinished game; None for neither."""
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
