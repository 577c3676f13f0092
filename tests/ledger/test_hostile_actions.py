"""Moves, outcomes and faces of a program that was changed: of the right shape, signed as they must be, and otherwise
whatever chance makes of them. Nobody takes one for a fault of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, is_card_byte
from p2pcards.cards.eyes import field_names
from p2pcards.games.game import Action, Seat
from p2pcards.games.outcome import Outcome
from p2pcards.games.registry import GAMES
from p2pcards.ledger.fair import commitment
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.packing import Cause, encode_action
from p2pcards.wire.records import (
    SALT,
    ActionEntry,
    CommitEntry,
    DealEntry,
    Entry,
    OutcomeEntry,
    Record,
    decode_faces,
    encode_opening,
    read_record,
)
from rigs.laws import any_action
from rigs.pure import remembered_signatures
from rigs.recorded import SIDES, Table, cause_of

signatures = remembered_signatures()

pytestmark = pytest.mark.no_cover  # several times as slow under measurement; the other tests cover the same

ANY_CARD = tuple([Card(byte) for byte in range(256) if is_card_byte(byte)])
PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]
STEPS = 30
SLOW_STEPS = 1_500


def signed(table: Table, seat: Seat, action: Action) -> bytes:
    """The action as the record that the player of the seat would send."""
    position = table.position
    number, fields = encode_action(table.game, action)
    base = position.open_base if position.simultaneous else position.count
    opening = b""
    entry: ActionEntry | CommitEntry = ActionEntry(base, seat, number, fields)
    if type(action) in table.game.private:
        salt = table.rng.randbytes(SALT)
        entry = CommitEntry(base, seat, number, commitment(salt, number, fields))
        opening = encode_opening(salt, number, fields)
    record, _ = read_record(table.signed(position.count, entry, position.signer(seat)))
    return bytes(replace(record, opening=opening))


def see_through(table: Table, rng: Random) -> int:
    """How many of some actions by chance were refused for what they are, by one side or another."""
    refused, pack = 0, set(table.game.pack(table.position.state.options))
    for seat in table.position.state.to_act:
        for kind in table.game.actions:
            action = any_action(kind, ANY_CARD, rng)
            record = signed(table, seat, action)
            for side in SIDES:
                cause = cause_of(table.position_of(side), record)
                assert cause in (None, Cause.SHAPE, Cause.RULES, Cause.FACES), action
                assert cause or pack.issuperset(faces_in(action)), f"side {side} takes {action}, not of the pack"
                refused += cause is Cause.RULES
    return refused


def faces_in(thing: Any) -> set[Card]:
    """Those of the cards that an action names."""
    if isinstance(thing, Card):
        return {thing.face}
    kind: type = type(thing)
    parts = thing if kind is tuple else [getattr(thing, name) for name in field_names(kind)]
    return {face for part in parts for face in faces_in(part)}


def any_outcome(rng: Random) -> Outcome:
    places, seats = sorted(rng.sample(range(60), rng.randrange(4))), sorted(rng.sample(range(6), rng.randrange(3)))
    cards = tuple([(place, rng.choice(ANY_CARD)) for place in places])
    return Outcome(cards, tuple([(place, rng.randrange(5)) for place in seats]))


def with_any_outcome(table: Table, number: int, true: Record, entry: Entry, outcome: Outcome) -> Record | None:
    """The record with another outcome, if it is one that may have any."""
    if isinstance(entry, DealEntry | OutcomeEntry):
        forged = table.signed(number, replace(entry, outcome=outcome), 0)
        return replace(true, frames=read_record(forged)[0].frames)
    if isinstance(entry, ActionEntry | CommitEntry) and outcome:
        action = true.frames[0]
        return replace(true, frames=(action, table.outcome_frame(number, action, OutcomeEntry(outcome))))
    return None


def see_through_the_coordinator(table: Table, number: int, rng: Random) -> int:
    """How many records with an outcome or faces by chance the listeners refused in place of record `number`."""
    refused = 0
    for side in SIDES[1:]:
        true, entries = read_record(table.sent[side][number])
        if not isinstance(entries[0], ActionEntry | CommitEntry | DealEntry | OutcomeEntry):
            continue
        other = with_any_outcome(table, number, true, entries[0], any_outcome(rng)) or true
        if true.faces:
            other = table.with_faces(number, side, other, decode_faces(true.faces.body))
        faces = rng.choices(ANY_CARD, k=rng.randint(1, 14))
        for forged in (other, table.with_faces(number, side, true, faces)):
            cause = cause_of(table.at[side][number], bytes(forged))
            assert cause in (None, Cause.RULES, Cause.FACES), entries
            refused += cause is Cause.FACES
    return refused


@pytest.fixture(params=PRESETS, ids="-".join)
def stations(request: pytest.FixtureRequest) -> Iterator[Table]:
    """A table after each step of its game, and of another one when that is over."""
    key, preset = request.param
    rng = Random(5)

    def play() -> Iterator[Table]:
        table: Table | None = None
        for _ in range(SLOW_STEPS if request.config.getoption("--slow") else STEPS):
            if table is None or table.position.phase is Phase.CLOSED:
                table = Table(key, GAMES[key].presets[preset], rng.randrange(1 << 30))
            table.step()
            yield table

    return play()


def test_any_action_is_taken_or_refused(stations: Iterator[Table]) -> None:
    rng = Random(7)
    refused = [see_through(table, rng) for table in stations if table.position.phase is Phase.PLAY]
    assert sum(refused) > len(refused)


def test_any_outcome_and_faces_are_taken_or_refused(stations: Iterator[Table]) -> None:
    rng = Random(7)
    refused = [see_through_the_coordinator(table, table.position.count - 1, rng) for table in stations]
    assert sum(refused) > len(refused)
