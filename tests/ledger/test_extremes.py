"""Cards and numbers that no program of ours would send reach the gate before any rule: they are taken only where a
player could mean them, refused with a cause otherwise, and never make the program fail."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.ledger import advance
from p2pcards.ledger.transitions import Phase
from p2pcards.wire import records
from rigs.extremes import Counts, put_actions, put_shown
from rigs.recorded import Table

pytestmark = pytest.mark.no_cover

KEPT = Path(__file__).with_name("extremes.json")
"""What became of every value, by game and place; the same compiled and as written."""


@pytest.fixture(autouse=True)
def every_signature_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (advance, records):
        monkeypatch.setattr(module, "check_signature", lambda key, label, context, frame: None)


def counted(key: str, step: int, hands: int = 2) -> Counts:
    """step: one value in so many is tried."""
    game, counts = GAMES[key], Counts()
    table = Table(key, next(iter(game.presets.values())), 5, drawn=True)
    seen = Counter[Any]()
    while table.position.dealt <= hands and table.position.phase is not Phase.CLOSED:
        state, before = table.position.state, table.position.count
        moment = table.position.phase, state.stage, frozenset(map(type, _legal(table)))
        seen[moment] += 1
        if table.position.phase is Phase.PLAY and seen[moment] in (1, 7):
            put_actions(table, counts, step)
        table.step()
        shown = moment[:2], table.position.count - before
        seen[shown] += 1
        if seen[shown] in (1, 4):
            put_shown(table, table.position.count - 1, counts, step)
    return counts


def _legal(table: Table) -> list[Any]:
    state = table.position.state
    return [action for seat in state.to_act for action in table.game.legal(state, seat)]


def as_kept(counts: Counts) -> dict[str, dict[str, int]]:
    places = sorted({place for place, _ in counts})
    return {place: {end: n for (at, end), n in sorted(counts.items()) if at == place} for place in places}


@pytest.mark.parametrize("key", GAMES)
def test_an_extreme_value_is_taken_or_refused(key: str) -> None:
    ends = Counter[str]()
    for (_, end), count in counted(key, step=16).items():
        ends[end] += count
    assert ends["rules"] > 20 and ends["shape"] > 20 and ends["faces"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_every_extreme_value_ends_as_is_kept(key: str) -> None:
    assert as_kept(counted(key, step=1)) == json.loads(KEPT.read_text())[key]
