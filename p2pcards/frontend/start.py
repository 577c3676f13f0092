"""What a person can begin with: tables that are open, games that go on, and what there is to know of a game first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from p2pcards.control.messages import TableStatus
from p2pcards.frontend.record_pages import saved_game_line
from p2pcards.games.names import preset_in_words
from p2pcards.games.options import values_by_key
from p2pcards.games.prose import rules_in_brief
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import BY_THUMB, PLAYERS, is_searched
from p2pcards.players.levels import LEVELS, plays_as
from p2pcards.results.keeping import Tell, tell_nobody
from p2pcards.results.saves import saved_games
from p2pcards.store.files import Home
from p2pcards.store.identity import load_or_make_key
from p2pcards.store.own_rules import own_options, own_rules
from p2pcards.store.settings import usable_settings
from p2pcards.wire.clean import clean

PHASES = {"lobby": "not started", "play": "in play", "over": "game over"}
"""What is said of a table that is in no game."""
NEWEST = 20
"""Games to go on with that are listed."""


def open_table_line(table: TableStatus) -> str:
    """One line about an open table, for a player looking for theirs."""
    game = f"{clean(table.game)}, {PHASES.get(table.phase, table.phase)}" if table.game else "no game yet"
    waiting = f", waiting for {clean(table.waiting, 60)}" if table.waiting and table.phase in ("lobby", "play") else ""
    return f"{table.name}: {game}{waiting}."


def unfinished_games(home: Home, open_logs: Collection[str], tell: Tell = tell_nobody) -> list[tuple[str, str, bool]]:
    """(log, a line about it, we coordinate it) of the newest unfinished games without an open table. open_logs: logs of
    open tables; tell: as in `saved_games`."""
    if not home.identity.exists():
        return []
    found = saved_games(home, load_or_make_key(home), most=NEWEST, tell=tell)
    return [(one.log.stem, saved_game_line(one), one.coordinates) for one in found if one.log.name not in open_logs]


def game_levels(key: str) -> tuple[tuple[str, str], ...]:
    """(level, description) of each level that computers have in this game, weakest first. key: of the game."""
    weakest, *_, strongest = LEVELS
    said = {weakest: ", the weakest", strongest: ", the strongest"}
    if not is_searched(key):
        said |= {level: ", plays by a novice's rules of thumb" for level in LEVELS if level not in BY_THUMB}
    merged = {level: lower for level in LEVELS if (lower := plays_as(key, level)) != level}
    said |= {level: f", plays like {PLAYERS[lower]}" for level, lower in merged.items()}
    return tuple([(level, f"{level}{said.get(level, '')}") for level in LEVELS])


@dataclass(frozen=True, slots=True)
class GameFacts:
    key: str
    name: str
    brief: str  # our rules of it in a few sentences
    presets: tuple[tuple[str, str], ...]  # (name, in words), ours first
    opponents: int  # number of players against us
    question: str = ""  # a choice that our rules leave open at the start; "" for none
    answers: tuple[tuple[str, str], ...] = ()  # to the question: (option=value, in words)


def read_game_facts(home: Home, key: str) -> GameFacts:
    """What the player may want to know before beginning a game. key: of the game. Raises StoreError where its settings
    contradict each other."""
    game, settings = GAMES[key], usable_settings(home).settings
    own = own_rules(settings, game)
    options = own_options(game, own)
    asked = game.question
    open_to_us = asked is not None and asked.preset == own.preset and asked.key not in own.values
    presets = sorted(game.presets, key=lambda name: name != own.preset)
    return GameFacts(
        key,
        game.name,
        rules_in_brief(game, values_by_key(options)),
        tuple([(name, preset_in_words(name)) for name in presets]),
        game.seats(options) - 1,
        asked.words if asked and open_to_us else "",
        tuple([(f"{asked.key}={value}", meaning) for value, meaning in asked.answers.values()])
        if asked and open_to_us
        else (),
    )
