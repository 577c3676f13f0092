"""The games that can go on, as they are shown wherever one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.games.names import GAME_NAMES
from p2pcards.present.dates import MINUTE, local_time
from p2pcards.present.story import names_text
from p2pcards.present.width import columns
from p2pcards.results.saves import SavedGame

HEADINGS = ("save", "game", "last played", "score", "")
LISTENS = "you listen"
"""What is said of a game that another resumes."""


def save_table(saves: Sequence[SavedGame]) -> list[str]:
    """A line for each, below what its columns are."""
    rows = [_row(one) for one in saves]
    return columns([HEADINGS, *rows])


def _row(one: SavedGame) -> tuple[str, ...]:
    waits = "" if one.coordinates else LISTENS
    return one.log.stem, _game(one), _when(one)[:MINUTE], _scores(one), waits


def save_line(one: SavedGame) -> str:
    """Such as ``Hearts (real-deal), 2026-11-20 19:04: Ann 12, Granny 31, Betty 7, Wayne 54``."""
    waits = "" if one.coordinates else f"; {LISTENS}"
    return f"{_game(one)}, {_when(one)[:MINUTE]}: {_scores(one)}{waits}"


def save_data(one: SavedGame) -> dict[str, Any]:
    """What `saves --json` tells of it."""
    return {
        "save": one.log.stem,
        "file": str(one.log.path),
        "game": one.log.game,
        "preset": one.scores.preset,
        "played": _when(one),
        "people": list(one.players),
        "coordinates": one.coordinates,
        "sides": [{"players": list(side.names), "score": side.score} for side in one.scores.sides],
    }


def _game(one: SavedGame) -> str:
    return f"{GAME_NAMES.get(one.log.game, one.log.game)} ({one.scores.preset})"


def _when(one: SavedGame) -> str:
    return local_time(one.log.changed / 1_000_000_000)


def _scores(one: SavedGame) -> str:
    return ", ".join([f"{names_text(side.names)} {side.score}" for side in one.scores.sides])
