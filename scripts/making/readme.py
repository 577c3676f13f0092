"""The list of games in README.md, by how many play them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

from p2pcards.games.game import AnyGame
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import load_told
from p2pcards.games.wording import join_with_or

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- made by scripts/made -->\n", "<!-- to here -->\n"
COLUMNS = 160
NUMBERS = ("", "one", "two", "three", "four")


def files() -> Mapping[str, Callable[[], str]]:
    return {"README.md": page}


def page() -> str:
    """The page as it stands, with the list as it is now."""
    before, _, rest = README.read_text().partition(BEGIN)
    return f"{before}{BEGIN}{games()}\n{END}{rest.partition(END)[2]}"


def games() -> str:
    """Every game, by the number of players, and the short names."""
    found: dict[str, list[str]] = {}
    for game in GAMES.values():
        also = load_told(game.key).apart
        found.setdefault(players(game), []).append(f"{game.name} (also {', '.join(also)})" if also else game.name)
    lists = [
        f"for {number}: {', '.join(names)}" for number, names in sorted(found.items(), key=lambda one: len(one[0]))
    ]
    short = [f"`{game.also[0]}`" for game in GAMES.values() if game.also and " " not in game.also[0]]
    text = f"{'; '.join(lists)}. Short names work too: {join_with_or(short)}."
    return textwrap.fill(text[:1].upper() + text[1:], COLUMNS, break_on_hyphens=False)


def players(game: AnyGame) -> str:
    """``four``, or ``two to four`` where an option says how many."""
    for option in declared_options(game.options):
        if option.key == "players":
            return f"{NUMBERS[option.low]} to {NUMBERS[option.high]}"
    return NUMBERS[game.seats(game.options())]
