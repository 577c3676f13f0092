"""Calls that somebody is advised to make are compared under the same play afterwards."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from p2pcards.cards.eyes import redact, viewer
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Stage
from p2pcards.games.spades.rules import GAME, Bid, State
from p2pcards.games.spades.told import PARTNERS_NIL
from p2pcards.players.choose import rate
from p2pcards.views.advice import TELLING, Rated

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
    return rate(GAME, redact(state, viewer(seat)), seat, "expert", Random(deal))


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
