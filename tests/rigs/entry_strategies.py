"""Hypothesis draws entries of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from p2pcards.cards.card import Card, is_card_byte
from p2pcards.games.outcome import Outcome
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    ActionEntry,
    CheckEntry,
    CloseEntry,
    CommitEntry,
    ContinueEntry,
    DealEntry,
    Entry,
    FaceUpEntry,
    Opened,
    OpeningEntry,
    OutcomeEntry,
    PauseEntry,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    Yes,
)

numbers = st.integers(0, 2**32 - 1)
seats = st.integers(0, 3)
actions = st.integers(0, 63)
values = st.binary(min_size=24, max_size=24)
cards = st.sampled_from([Card(byte) for byte in range(256) if is_card_byte(byte)])
fields = st.lists(st.none() | st.integers(0, 255) | st.binary(max_size=13), max_size=4).map(tuple)
salts = st.just(b"") | st.binary(min_size=10, max_size=10)
outcomes = st.builds(
    lambda shown, named: Outcome(tuple(sorted(shown.items())), tuple(sorted(named.items()))),
    st.dictionaries(st.integers(0, 255), cards, max_size=8),
    st.dictionaries(st.integers(0, 255), st.integers(0, 255), max_size=3),
)
openings = st.lists(st.builds(Opened, numbers, salts, actions, fields), max_size=4).map(tuple)
absent = st.sets(st.integers(0, 255), max_size=3).map(lambda sides: tuple(sorted(sides)))
yeses = st.dictionaries(st.integers(0, 15), st.binary(min_size=64, max_size=64), max_size=3).map(
    lambda given: tuple([Yes(side, given[side]) for side in sorted(given)])
)
KINDS: dict[type, st.SearchStrategy[Entry]] = {
    ActionEntry: st.builds(ActionEntry, numbers, seats, actions, fields),
    CommitEntry: st.builds(CommitEntry, numbers, seats, actions, st.binary(min_size=20, max_size=20)),
    OutcomeEntry: st.builds(OutcomeEntry, outcomes),
    DealEntry: st.builds(DealEntry, numbers, st.integers(1, 2**32 - 1), absent, outcomes),
    TakeoverEntry: st.builds(TakeoverEntry, numbers, seats, st.sampled_from(TakeoverReason)),
    ReturnEntry: st.builds(ReturnEntry, numbers, seats),
    OpeningEntry: st.builds(OpeningEntry, numbers, st.integers(1, 2**32 - 1), values, openings),
    CheckEntry: st.builds(CheckEntry, numbers, st.integers(0, 15), numbers, st.sampled_from(Verdict), values),
    CloseEntry: st.builds(CloseEntry, numbers, st.sampled_from(CloseReason)),
    PauseEntry: st.builds(PauseEntry, numbers),
    ContinueEntry: st.builds(ContinueEntry, numbers),
    UndoEntry: st.builds(UndoEntry, numbers, yeses),
    RedealEntry: st.builds(RedealEntry, numbers, st.integers(0, 15), yeses),
    RestartEntry: st.builds(RestartEntry, numbers),
    SwapEntry: st.builds(SwapEntry, numbers, seats),
    FaceUpEntry: st.builds(FaceUpEntry, numbers, st.booleans()),
}
entries = st.one_of(*KINDS.values())
