"""Computer players who have little time for a decision, as in a page."""

from __future__ import annotations

from itertools import count, islice
from random import Random

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.position import Deadline
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import rate
from p2pcards.players.levels import LEVELS, UNTRIED, can_play_here, edition_of
from p2pcards.players.search import FEW, READERS
from p2pcards.session.effects import Think
from p2pcards.web.worker.thinking import thinking_here
from rigs.decisions import random_positions


@pytest.mark.parametrize("level", LEVELS)
def test_the_edition_says_which_levels_decide_in_a_hurry(level: str) -> None:
    assert (edition_of("hearts", level, slow=True) == UNTRIED) == (level in ("expert", "champion", "master"))
    assert edition_of("hearts", level, slow=False) != UNTRIED
    assert not can_play_here("hearts", level, UNTRIED)


async def test_whatever_else_there_is_to_do_is_done_between_two_worlds() -> None:
    """And what nobody waits for any more ends there."""
    game = GAMES["whist"]
    truth, seat = next(random_positions(game, game.options(), Random(7)))
    think = Think(seat, game, redact(truth, eyes_of_viewer(seat)), "master", 1)
    turns = 0
    async with thinking_here() as decide, trio.open_nursery() as nursery:

        async def look_on() -> None:
            nonlocal turns
            while turns < 3:
                turns += 1
                await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

        nursery.start_soon(look_on)
        await decide(think)
    assert turns == 3
    assert nursery.cancel_scope.cancelled_caught, "it is not thought about to its end"


async def test_a_decision_in_a_hurry_is_legal() -> None:
    game, rng = GAMES["hearts"], Random(4)
    for truth, seat in islice(random_positions(game, game.options(), rng), 6, 60, 18):
        view = redact(truth, eyes_of_viewer(seat))
        async with thinking_here() as decide:
            assert await decide(Think(seat, game, view, "expert", 1)) in game.legal(view, seat)


def test_in_a_hurry_the_last_trick_before_an_ending_is_tried_out_as_any_other() -> None:
    game, now = GAMES["pinochle2"], count()
    near = (
        (view, seat)
        for truth, seat in random_positions(game, game.options(), Random(1))
        for view in [redact(truth, eyes_of_viewer(seat))]
        if (reading := READERS["pinochle2"](view, seat)).position.is_near_ending() and len(reading.choices) > FEW
    )
    view, seat = next(near)
    choices = READERS["pinochle2"](view, seat).choices
    weighed = rate(game, view, seat, "master", Random(1), Deadline(lambda: next(now), 400))
    assert len(weighed) == len(choices)
    assert all(0 < one.hands <= 400 // len(choices) for one in weighed)
