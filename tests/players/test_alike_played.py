"""Calls that somebody is advised to make are compared under the same play afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, pairwise
from operator import attrgetter
from random import Random
from typing import Any

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.search import Trial
from p2pcards.games.game import Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.seen.reading import Reading
from p2pcards.games.spades.rules import GAME, State
from p2pcards.games.spades.told import PARTNERS_NIL
from p2pcards.games.tricks import Bid
from p2pcards.players.choose import rate
from p2pcards.players.search import READERS, chain_of_worlds
from p2pcards.views.advice import TELLING, Rated
from rigs.decisions import random_positions

SHORT, BAGS = 2, 3
DEALS = 8


def third_to_bid(deal: int) -> tuple[State, int]:
    """After a Nil of the partner and a bid of three."""
    rng = Random(deal)
    state = GAME.start(GAME.presets["usual"], None)
    while state.stage is Stage.DEAL:
        pack = GAME.pack(state.options)
        dealt = GAME.deal(state, shuffle(pack, rng.randbytes(32), "pack"), shuffle(pack, rng.randbytes(32), "draw"))
        state = GAME.play(state, dealt)
    for tricks in (0, 3):
        state = GAME.play(state, GAME.decide(state, state.to_act[0], Bid(tricks)))
    return state, state.to_act[0]


def weighed(deal: int) -> tuple[Rated, ...]:
    state, seat = third_to_bid(deal)
    return rate(GAME, redact(state, eyes_of_viewer(seat)), seat, "expert", Random(deal))


@pytest.mark.parametrize("deal", range(DEALS))
def test_a_bid_is_told_to_be_better_by_what_it_counts_and_not_by_play_that_follows_another(deal: int) -> None:
    """The partner's Nil is covered as well after each bid, and of two bids that are always made the higher counts nine
    points a trick more."""
    bids = [one for one in weighed(deal) if isinstance(one.action, Bid) and one.action.tricks]
    assert len(bids) > 1
    made = [one for one in bids if not one.mishaps[SHORT] and not one.mishaps[BAGS]]
    for one, other in pairwise(made):
        if one.mishaps == other.mishaps and not one.error and not other.error:
            assert isinstance(one.action, Bid) and isinstance(other.action, Bid)
            assert one.worth - other.worth == pytest.approx(9 * (one.action.tricks - other.action.tricks))
    lost = [one.mishaps[PARTNERS_NIL] / one.hands for one in bids]
    assert max(lost) - min(lost) < TELLING


def test_the_same_question_has_the_same_answer() -> None:
    assert weighed(1) == weighed(1)


FORCED = {
    "euchre": ("maker", "suit", "tricks.out"),
    "auction_pitch": ("pitcher",),
    "pinochle": ("bidder", "tricks.trump"),
    "pinochle_bid": ("owner", "tricks.trump"),
    "oh_hell": ("bids",),
}
"""In a hand: what a call forces upon the play. Nobody can play to make one bid exactly as they would for another."""
CALLS, WORLDS = 100, 3


@pytest.mark.parametrize(("key", "preset"), [(key, preset) for key in FORCED for preset in GAMES[key].presets])
def test_cards_are_played_alike_after_calls_that_force_the_same(key: str, preset: str) -> None:
    """So these games need no `recount`. In euchre and oh hell no two calls force the same."""
    forced, compared = attrgetter(*FORCED[key]), 0
    for reading in islice(calls_to_make(key, preset), CALLS):
        for one, other in pairs_played(reading):
            if forced(one[0]) == forced(other[0]):
                assert one[1] == other[1]
                compared += 1
    assert bool(compared) == (key not in ("euchre", "oh_hell"))


def test_in_spades_they_are_not_and_bids_are_recounted() -> None:
    differ = 0
    for reading in islice(calls_to_make("spades", "usual"), CALLS // 10):
        assert reading.recount is not None
        for (hand, cards), (other_hand, other_cards) in pairs_played(reading):
            if 0 not in hand.bids + other_hand.bids:
                differ += cards != other_cards
    assert differ


def calls_to_make(key: str, preset: str) -> Iterator[Reading]:
    """In random hands, as the seats see them."""
    game = GAMES[key]
    for state, seat in random_positions(game, game.presets[preset], Random(f"{key} {preset}")):
        first = game.legal(state, seat)[0]
        if type(first).__name__ in ("Bid", "Pass", "Name", "Concede") and not hasattr(first, "cards"):
            yield READERS[key](redact(state, eyes_of_viewer(seat)), seat)


Played = tuple[Any, list[tuple[int, int]]]
"""A hand that is over, and its cards in order with their seats."""


def pairs_played(reading: Reading) -> Iterator[tuple[Played, Played]]:
    """Every two calls in the same worlds, played on by rules of thumb."""
    chance, chain = Chance(1), chain_of_worlds(reading)
    trials = [Trial(list(reading.moves(choice))) for choice in reading.choices]
    for _ in range(WORLDS):
        world = chain.next_world(chance)
        yield from combinations([played_out(trial.world_after_choice(world), chance) for trial in trials], 2)


def played_out(hand: Any, chance: Chance) -> Played:
    moves, cards = [], hand.tricks.cards_held()
    while hand.turn >= 0:
        moves.append((hand.turn, hand.rule_of_thumb_move(chance)))
        hand.make_move(moves[-1][1])
    return hand, moves[-cards:]
