"""What a page asks for where it sits at no table, in words of the line mode: records, the guide, what can be changed, a
game that the computer plays alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.daemon.crew import beside
from p2pcards.frontend.autoplay import SessionPlan
from p2pcards.frontend.guide_pages import GAME_KINDS, SEARCH, find_address
from p2pcards.frontend.looks import title_of_look
from p2pcards.frontend.option_pages import OptionPage, RulesPage, SettingsPage
from p2pcards.frontend.record_pages import (
    CHANGES,
    RECORD_WORDS,
    parse_records_request,
    records_change_question,
    run_records_request,
    run_scoreboard_command,
)
from p2pcards.frontend.start import game_levels
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES, find_game, find_variant
from p2pcards.links.address import format_address
from p2pcards.players.levels import find_level
from p2pcards.present.guide import CONTENTS
from p2pcards.store.files import Home
from p2pcards.store.identity import load_peers
from p2pcards.web.shown import Plain, guide_page_data
from p2pcards.wire.names import given_name

Put = Callable[[Plain], None]
PATIENCE = 1.0
"""Seconds in which those who listen on this network answer."""


async def run_line_without_table(home: Home, put: Put, text: str) -> SessionPlan | None:
    """Carry out a line where there is no table; a game to watch is returned, everything else is put to the page. Raises
    NotUnderstood and UnknownGame."""
    word, *arguments = text.lower().split() or [""]
    if word in RECORD_WORDS:
        await _put_records(home, put, word, arguments)
    elif word == "scoreboard":
        change = next((one for one in arguments if one in CHANGES), "")
        _put_lines(put, word, await beside(run_scoreboard_command, home, change))
    elif word == "autoplay" and arguments:
        return _plan_session(put, find_game(arguments[0]).key, arguments[1:])
    elif word in (*GAME_KINDS, "games"):
        if arguments:
            find_variant(" ".join(arguments))
        put(await beside(guide_page_data, find_address(text) or "games", None))
    elif word == "guide":
        put(await beside(guide_page_data, guide_address(" ".join(arguments)), None))
    elif word:
        raise NotUnderstood("That only works at a table. Type guide to open the guide.")
    return None


def guide_address(words: str) -> str:
    """The guide's address for these words, the contents for none."""
    return find_address(words) or SEARCH + words if words.strip() else CONTENTS


def open_option_page(home: Home, name: str) -> OptionPage:
    """The page of options of this name: "settings", or "rules/" and a game. Raises StoreError."""
    key = name.removeprefix("rules/")
    return RulesPage(home, GAMES[key]) if key != name and key in GAME_NAMES else SettingsPage(home)


async def find_listeners(home: Home) -> list[list[str]]:
    """[address, name] of each listener that answers on this network."""
    from p2pcards.links.lan import probe

    names = {peer.key: peer.name for peer in load_peers(home)}
    return [
        [format_address(one.host, one.port), names.get(one.key) or given_name(one.name) or "a stranger"]
        for one in await probe(PATIENCE)
    ]


async def _put_records(home: Home, put: Put, word: str, arguments: Sequence[str]) -> None:
    asked = parse_records_request(word, arguments)
    if question := await beside(records_change_question, home, asked):
        again = " ".join([word, *arguments, "yes"])
        put({"is": "choose", "title": question, "choices": [["", "no, keep them"], [again, "yes"]]})
    else:
        _put_lines(put, word, await beside(run_records_request, home, asked))


def _plan_session(put: Put, key: str, arguments: Sequence[str]) -> SessionPlan | None:
    if arguments:
        level = find_level(arguments[0])
        return SessionPlan(key, next(iter(GAMES[key].presets)), {}, level, level)
    choices = [[f"autoplay {key} {level}", words] for level, words in game_levels(key)]
    put({"is": "choose", "title": f"{GAME_NAMES[key]}: which level?", "choices": choices})
    return None


def _put_lines(put: Put, word: str, lines: Sequence[str]) -> None:
    put({"is": "read", "title": title_of_look(word), "lines": list(lines), "about": "records"})
