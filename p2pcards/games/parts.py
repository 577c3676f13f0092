"""The files of a game's folder, and a sentence where one of them lacks something."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from p2pcards.games.names import GAME_NAMES

PARTS = {
    "rules": ("GAME", "a Game, the table of its functions"),
    "told": ("TOLD", "a Told, what is told of it"),
    "novice": ("choose", "choose(view, seat, rng), its rules of thumb"),
    "seen": ("read", "read(view, seat), which reads a view for a search"),
}
"""By file what it has to have, and what that is."""
LACKS = re.compile(r"(?:Game|Told)\.__init__\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.*)")
"""How Python says that a table was made without something."""


class GameIncomplete(ImportError):
    """The folder of a game lacks something; the sentence says what to write where."""


@cache
def load_part(key: str, file: str) -> Any:
    """Load what a file of a game's folder provides, such as GAME of "rules" (see `PARTS`). Raises GameIncomplete."""
    name, what = PARTS[file]
    module = f"p2pcards.games.{key}.{file}"
    path = f"p2pcards/games/{key}/{file}.py"
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise GameIncomplete(f"{GAME_NAMES[key]} lacks a part: write {path} with {name}: {what}.") from None
    except TypeError as error:
        if not (lacking := LACKS.fullmatch(str(error))):
            raise
        raise GameIncomplete(f"{GAME_NAMES[key]} lacks a part: {name} in {path} has no {lacking[1]}.") from error
    if found is None:
        raise GameIncomplete(f"{GAME_NAMES[key]} lacks a part: {path} has no {name}: {what}.")
    return found
