"""A game that goes on in another log: what it keeps from hand to hand is all that the next hand depends on."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.registry import GAMES
from p2pcards.ledger.continuing import kept_values, state_with_kept
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import CloseEntry, OpeningEntry
from rigs.dealt import shuffled
from rigs.in_part import every_nth
from rigs.recorded import OPTIONS as OF_TABLES
from rigs.recorded import SIDES, Table, cause_of, entry_of, new_table

ONLY_SHOWN = {("cribbage", "rear"), ("pinochle", "leader"), ("pinochle_bid", "leader")}
"""Fields of a state that say how the last hand went until the next one gets there, and on which nothing depends."""
LONGEST = 3000
"""Events of a hand at random, of which more is no hand."""


def play_hands(game: AnyGame, state: Any, hands: int, random: Random) -> Any:
    """The state after so many hands of random actions; None where the game is over before, or a hand does not end."""
    goal = state.hand + hands
    for _ in range(LONGEST):
        if state.stage == Stage.OVER or (state.stage == Stage.DEAL and state.hand == goal):
            return None if state.stage == Stage.OVER else state
        if state.stage == Stage.DEAL:
            event = game.deal(state, shuffled(game, state.options, random), shuffled(game, state.options, random))
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = state.to_act[0]
            event = game.decide(state, seat, random.choice(game.legal(state, seat)))
        state = game.play(state, event)
    return None


def between_hands(game: AnyGame, options: Any, random: Random) -> Any:
    """A state between two hands, after one to three of them; None where chance does not come so far."""
    first = random.randrange(game.seats(options))
    return play_hands(game, game.start(options, first), random.randint(1, 3), random)


OPTIONS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]


SEEDS = 6


@pytest.mark.parametrize(("key", "preset"), every_nth(2, OPTIONS))
def test_the_next_hands_depend_on_nothing_else(key: str, preset: str) -> None:
    game, options = GAMES[key], GAMES[key].presets[preset]
    found = [between_hands(game, options, Random(f"{key} {preset} {seed}")) for seed in range(SEEDS)]
    states = [state for state in found if state is not None]
    assert len(states) > SEEDS / 2, "of the others the game was over before"
    for seed, old in enumerate(states):
        check_kept_is_all(game, old, seed)


def check_kept_is_all(game: AnyGame, old: Any, seed: int) -> None:
    """The next two hands come out the same of what is kept."""
    key, options = game.key, old.options
    new = state_with_kept(game, options, kept_values(game, old))
    assert kept_values(game, new) == kept_values(game, old)
    there, here = Random(seed), Random(seed)
    for _ in range(2):
        old, new = play_hands(game, old, 1, there), play_hands(game, new, 1, here)
        if old is None:
            assert new is None
            return
        other = [one.name for one in fields(old) if getattr(old, one.name) != getattr(new, one.name)]
        assert [name for name in other if (key, name) not in ONLY_SHOWN] == []


def test_a_game_is_closed_to_go_on_right_after_an_opening_and_nowhere_else() -> None:
    """At each record of a game of two hands and the checks of the second."""
    table = new_table("crazy_eights")
    table.until(Phase.PLAY, 3)
    allowed = []
    for number, position in enumerate(table.at[0]):
        close = table.signed(number, CloseEntry(number, CloseReason.CONTINUED), 0)
        causes = {cause_of(table.at[side][number], close) for side in SIDES}
        assert len(causes) == 1 and causes <= {None, Cause.RULES}
        if None in causes:
            allowed.append(position.opened)
            assert isinstance(entry_of(table.sent[0][number - 1]), OpeningEntry)
    assert allowed == [1, 2]


@pytest.mark.parametrize("version", [1, 2])
def test_a_game_of_an_older_version_is_not_closed_so(version: int) -> None:
    table = Table(*OF_TABLES["crazy_eights"], 5, version=version)
    table.until(Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    number = table.position.count
    close = table.signed(number, CloseEntry(number, CloseReason.CONTINUED), 0)
    assert {cause_of(table.position_of(side), close) for side in SIDES} == {Cause.RULES}


@pytest.mark.parametrize("ends", ["broken off", "somebody absent"])
def test_not_after_a_hand_that_was_broken_off_and_not_once_somebody_has_dropped_out(ends: str) -> None:
    table = new_table("crazy_eights")
    table.until(Phase.PLAY if ends == "broken off" else Phase.OPENING, 1)
    table.spread(table.writer.open_hand())
    if ends == "somebody absent":
        table.spread(table.writer.absent(2))
    number = table.position.count
    close = table.signed(number, CloseEntry(number, CloseReason.CONTINUED), 0)
    assert {cause_of(table.position_of(side), close) for side in SIDES} == {Cause.RULES}


VALUES = st.recursive(
    st.integers(-(2**20), 2**20),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@given(key=st.sampled_from(sorted(GAMES)), values=st.lists(VALUES, max_size=6))
def test_any_other_values_are_refused(key: str, values: list[Any]) -> None:
    game = GAMES[key]
    options = next(iter(game.presets.values()))
    try:
        state = state_with_kept(game, options, values)
    except Refused as refused:
        assert refused.cause is Cause.RULES
    else:
        assert kept_values(game, state) == tuple(values) and state.stage == Stage.DEAL


@pytest.mark.parametrize("key", GAMES)
def test_a_seat_or_hand_that_there_is_not_is_refused(key: str) -> None:
    game = GAMES[key]
    options = next(iter(game.presets.values()))
    good = list(kept_values(game, game.start(options, 0)))
    for name, wrong in (("hand", 0), ("hand", 65536), ("dealer", 4), ("dealer", -1), ("scores", (0,))):
        values = [1 if kept == "hand" else value for kept, value in zip(game.kept, good, strict=True)]
        assert state_with_kept(game, options, values).hand == 1
        values[game.kept.index(name)] = wrong
        with pytest.raises(Refused):
            state_with_kept(game, options, values)
