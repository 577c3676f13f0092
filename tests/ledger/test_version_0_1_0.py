"""Logs that version 0.1.0 wrote: they are verified for good, with the findings that it gave itself.

Played by its daemons: hearts, crazy eights and cribbage by three people, of whom one was killed in mid-hand (the logs
of several sides), every other game by novices, and one game that was left after the deal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.ledger.verify import HandFinding, first_fork, verify_log
from p2pcards.players.repeating import repeat_decisions
from p2pcards.store.logs import read_log
from p2pcards.wire.records import ReturnEntry, TakeoverEntry
from rigs.old_logs import OF_0_1_0
from rigs.pure import remembered_signatures

signatures = remembered_signatures()

FOLDER = Path(__file__).with_name("version-0.1.0")
EXPECTED: dict[str, Any] = json.loads((FOLDER / "findings.json").read_text())


def payloads(name: str) -> list[bytes]:
    return read_log(FOLDER / f"{name}.log").payloads


def hand_data(hand: HandFinding, sides: list[str]) -> dict[str, Any]:
    return {
        "hand": hand.hand,
        "proven": hand.verdict == 0,
        "absent": [sides[side] for side in hand.absent],
        "not_signed": [sides[side] for side in hand.missing],
        "broken_off": hand.broken_off,
        "decisions": hand.decisions,
        "reproduced": not hand.irreproducible,
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_a_log_of_0_1_0_says_what_it_said_then(name: str) -> None:
    expected = EXPECTED[name]
    found = verify_log(payloads(name), repeat_decisions)
    position = found.position
    sides = [side.name for side in position.header.sides]
    assert found.finished == (expected["state"] == "finished")
    assert (position.game.key, found.records, found.heads[-1].hex(), position.side, found.unproven) == tuple(
        [expected[key] for key in ("game", "records", "head", "log_of", "unproven")]
    )
    values = position.state.options
    before = [one for one in declared_options(position.game.options) if one.key in expected["options"]]
    since = [one for one in declared_options(position.game.options) if one.added and one not in before]
    assert {one.key: getattr(values, one.key) for one in before} == expected["options"]
    assert all(getattr(values, one.key) == one.default for one in since)
    assert [*before, *since] == [*declared_options(position.game.options)]
    assert list(position.state.scores) == expected["scores"]
    assert len(position.state.winners) == len(expected["winners"])
    assert [hand_data(hand, sides) for hand in found.hands] == expected["hands"]
    entries = list(enumerate(found.transcript.entries, 1))
    takeovers = [(number, entry) for number, entry in entries if isinstance(entry, TakeoverEntry)]
    assert [[number, entry.reason.sentence] for number, entry in takeovers] == [
        [number, why] for number, _, why in expected["takeovers"]
    ]
    assert [number for number, entry in entries if isinstance(entry, ReturnEntry)] == [
        number for number, _ in expected["returns"]
    ]


def test_every_game_of_0_1_0_is_among_them() -> None:
    assert {one["game"] for one in EXPECTED.values()} == OF_0_1_0 <= set(GAMES)


def test_the_logs_of_several_sides_tell_one_game() -> None:
    for names in (("hearts-lena", "hearts-willa", "hearts-rosa"), ("cribbage-lena", "cribbage-rosa")):
        first, *others = [verify_log(payloads(name)) for name in names]
        assert all(first_fork(first, other) is None for other in others)
