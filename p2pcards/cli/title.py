"""The title screen, for `p2pcards` alone: what is chosen there is run as a command, then it is shown again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from p2pcards.cli.command import HUNG_UP, TERMINATED, Seating, default_home, our_home, question
from p2pcards.cli.opening import open_tables, wants_screen
from p2pcards.control.exits import FINE

if TYPE_CHECKING:
    from p2pcards.store.files import Home
    from p2pcards.tui.title import Choices, TitleChoices

TO_READ = "autoplay"
"""The command whose last lines are to be read before the title screen comes again."""


def has_room() -> bool:
    """Whether the title screen can be shown."""
    from p2pcards.tui.picture.table import HIGH, WIDE

    if not wants_screen(Seating()):
        return False
    size = shutil.get_terminal_size()
    return size.columns >= WIDE and size.lines >= HIGH


def at_title(run: Callable[[list[str]], int]) -> None:
    """run: does a command, and returns its exit code."""
    from p2pcards.cli.sitting import screen_sitting
    from p2pcards.tui.title import run_title

    while words := run_title(_known(home := our_home()), screen_sitting(home, Seating())):
        code = run(words)
        if code in (HUNG_UP, TERMINATED):
            return
        if code != FINE or words[0] == TO_READ:
            question("\nEnter goes back to the title screen. ")


def _known(home: Home) -> TitleChoices:
    from p2pcards.cli.tables import short_line
    from p2pcards.frontend.option_pages import RulesPage
    from p2pcards.games.names import GAME_NAMES
    from p2pcards.games.registry import GAMES
    from p2pcards.players.characters import character_rows
    from p2pcards.store.directory import load_directory
    from p2pcards.store.files import login_name
    from p2pcards.store.identity import load_peers
    from p2pcards.store.profiles import list_profiles
    from p2pcards.tui.title import TitleChoices

    profiles = [one.profile for one in list_profiles(default_home()).homes]
    tables = open_tables(home)
    return TitleChoices(
        games=tuple(GAME_NAMES.items()),
        peers=tuple([(peer.name, f"{peer.name}, {peer.address or 'who calls you'}") for peer in load_peers(home)]),
        numbers=tuple([(entry.name, f"{entry.name}, {entry.number}") for entry in load_directory(home)]),
        unfinished=_unfinished(home, {table.log for table in tables}),
        tables=tuple([(table.name, short_line(table)) for table in tables]),
        characters=tuple([(key, f"{name}, {level}") for key, name, level in character_rows()]),
        levels=_levels,
        login=login_name(),
        profiles=tuple([(name, f"{name}{', who plays now' if name == home.profile else ''}") for name in profiles]),
        player=home.profile if len(profiles) > 1 else "",
        opponents=lambda key: _opponents(home, key),
        nearby=lambda: _nearby(home),
        rules=lambda key: RulesPage(home, GAMES[key]),
        brief=lambda key: _brief(home, key),
        records=lambda words, game: _records(home, words, game),
    )


def _records(home: Home, words: str, game: str) -> Sequence[str]:
    """words: as at a table; game: its key, "" for all."""
    from p2pcards.frontend.record_pages import record_lines, records_asked, scoreboard_lines

    word, *rest = words.split()
    return scoreboard_lines(home) if word == "scoreboard" else record_lines(home, records_asked(word, rest, game))


def _levels(key: str) -> Choices:
    from p2pcards.games.telling import BY_THUMB, is_searched
    from p2pcards.players.levels import LEVELS

    weakest, *_, strongest = LEVELS
    said = {weakest: ", the weakest", strongest: ", the strongest"}
    if not is_searched(key):
        said |= {level: ", by the rules of thumb of a novice" for level in LEVELS if level not in BY_THUMB}
    return tuple([(level, f"{level}{said.get(level, '')}") for level in LEVELS])


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


def _unfinished(home: Home, on: Collection[str]) -> Choices:
    """The newest games that can go on. on: the logs of those that are on at a table."""
    from p2pcards.cli.logs import NEWEST, our_saves
    from p2pcards.frontend.record_pages import save_line

    return tuple([(one.log.stem, save_line(one)) for one in our_saves(home, most=NEWEST) if one.log.name not in on])
