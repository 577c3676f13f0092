"""The quick way from one state to the next gives what the library's gives."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from p2pcards.games.changing import changed
from p2pcards.games.registry import GAMES


@pytest.mark.parametrize("key", GAMES)
def test_a_changed_state_is_what_replace_gives(key: str) -> None:
    game = GAMES[key]
    before: Any = game.start(game.options(), 0)
    assert not hasattr(before, "__slots__"), "the state of a game is a dataclass without slots"
    after = changed(before, hand=7, to_act=(0,))
    assert after == replace(before, hand=7, to_act=(0,)) != before
    assert list(vars(after)) == [field.name for field in fields(before)]
    assert hash(after) == hash(replace(after))
