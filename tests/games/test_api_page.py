"""docs/api.md does what it says: its Python is run from top to bottom, and prints what stands below it."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2pcards.games.game import Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from rigs.laws import NOVICE, event_of, random_move

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def run_page() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for code, printed in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        output = StringIO()
        with redirect_stdout(output):
            exec(code, names)
        assert output.getvalue() == printed
    return names


def test_the_page_prints_what_it_says() -> None:
    assert "drive" in run_page()


@pytest.mark.parametrize("key", GAMES)
def test_its_lines_drive_any_game(key: str) -> None:
    """Two hands, or a game that is over before."""
    game, rng = GAMES[key], Random(3)
    options = game.options()
    begun = state = game.start(options, 0)
    packs, actions = [], []
    while state.stage != Stage.OVER and not (state.stage == Stage.DEAL and state.hand == 2):
        move = random_move(game, state, rng, NOVICE)
        if state.stage == Stage.DEAL:
            packs.append(move.pack)
            event = game.deal(state, move.pack, move.pack)
        else:
            event = event_of(game, state, move)
        if move.seat is not None:
            actions.append((move.seat, spell_action(move.action)))
        state = game.play(state, event)
    assert run_page()["drive"](game, begun, packs, actions) == state
