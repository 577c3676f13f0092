"""What a page asks for where it sits at no table, in words of the line mode: records, the guide, what can be changed, a
game that the computer plays alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.daemon.crew import beside
from p2pcards.frontend.autoplay import SessionPlan
from p2pcards.frontend.guide_pages import GAME_KINDS, SEARCH, address_of
from p2pcards.frontend.looks import title_of
from p2pcards.frontend.option_pages import OptionPage, RulesPage, SettingsPage
from p2pcards.frontend.record_pages import (
    CHANGES,
    RECORD_WORDS,
    question_before,
    record_lines,
    records_asked,
    scoreboard_lines,
)
from p2pcards.frontend.start import levels_of
from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES, find_game, find_variant
from p2pcards.links.address import format_address
from p2pcards.players.levels import find_level
from p2pcards.present.guide import CONTENTS
from p2pcards.store.files import Home
from p2pcards.store.identity import load_peers
from p2pcards.web.shown import Plain, page_shown
from p2pcards.wire.names import given_name

Put = Callable[[Plain], None]
PATIENCE = 1.0
"""Seconds in which those who listen on this network answer."""


async def look(home: Home, put: Put, text: str) -> SessionPlan | None:
    """What a line shows where there is no table; a game that is to be watched. Raises NotUnderstood and UnknownGame."""
    word, *arguments = text.lower().split() or [""]
    if word in RECORD_WORDS:
        await _records(home, put, word, arguments)
    elif word == "scoreboard":
        change = next((one for one in arguments if one in CHANGES), "")
        _read(put, word, await beside(scoreboard_lines, home, change))
    elif word == "autoplay" and arguments:
        return _watched(put, find_game(arguments[0]).key, arguments[1:])
    elif word in (*GAME_KINDS, "games"):
        if arguments:
            find_variant(" ".join(arguments))
        put(await beside(page_shown, address_of(text) or "games", None))
    elif word == "guide":
        put(await beside(page_shown, guide_address(" ".join(arguments)), None))
    elif word:
        raise NotUnderstood("That only works at a table. Type guide to open the guide.")
    return None


def guide_address(words: str) -> str:
    """Where one looks for these words; the contents for none."""
    return address_of(words) or SEARCH + words if words.strip() else CONTENTS


def option_page(home: Home, name: str) -> OptionPage:
    """ "settings", or "rules/" and a game. Raises StoreError."""
    key = name.removeprefix("rules/")
    return RulesPage(home, GAMES[key]) if key != name and key in GAME_NAMES else SettingsPage(home)


async def listeners_nearby(home: Home) -> list[list[str]]:
    """The address and the name of each who answers on this network."""
    from p2pcards.links.lan import probe

    names = {peer.key: peer.name for peer in load_peers(home)}
    return [
        [format_address(one.host, one.port), names.get(one.key) or given_name(one.name) or "a stranger"]
        for one in await probe(PATIENCE)
    ]


async def _records(home: Home, put: Put, word: str, arguments: Sequence[str]) -> None:
    asked = records_asked(word, arguments)
    if question := await beside(question_before, home, asked):
        again = " ".join([word, *arguments, "yes"])
        put({"is": "choose", "title": question, "choices": [["", "no, keep them"], [again, "yes"]]})
    else:
        _read(put, word, await beside(record_lines, home, asked))


def _watched(put: Put, key: str, arguments: Sequence[str]) -> SessionPlan | None:
    if arguments:
        level = find_level(arguments[0])
        return SessionPlan(key, next(iter(GAMES[key].presets)), {}, level, level)
    choices = [[f"autoplay {key} {level}", words] for level, words in levels_of(key)]
    put({"is": "choose", "title": f"{GAME_NAMES[key]}: which level?", "choices": choices})
    return None


def _read(put: Put, word: str, lines: Sequence[str]) -> None:
    put({"is": "read", "title": title_of(word), "lines": list(lines), "about": "records"})
