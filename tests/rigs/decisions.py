"""Positions of random play, and what players decide in them.

python -m rigs.decisions LEVEL PLAYOUTS NUMBER

prints whether a lead is clear in very many worlds, and the decisions in so many positions of each game, with the hints.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.cards.pack import shuffle
from p2pcards.games.deals.race import SURE
from p2pcards.games.deals.search import Trial
from p2pcards.games.game import AnyGame, Seat, Stage
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.telling import Skill, Way
from p2pcards.players import levels
from p2pcards.players.choose import choose, rate
from p2pcards.players.search import READERS
from p2pcards.session.own_seat import hint_seed
from rigs.searching_less import playing_less, usual_less


def random_positions(game: AnyGame, options: Any, rng: Random) -> Iterator[tuple[Any, Seat]]:
    """The truth and a seat that has more than one thing to choose, over random play, without an end."""
    state = game.start(options, None)
    while True:
        if state.stage is Stage.OVER:
            state = game.start(options, None)
        elif state.stage is Stage.DEAL:
            pack, secret = game.pack(options), rng.randbytes(32)
            state = game.play(state, game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw")))
        elif state.stage is Stage.SHOW:
            state = game.play(state, game.show(state))
        else:
            seat = rng.choice(state.to_act)
            legal = game.legal(state, seat)
            if len(legal) > 1:
                yield state, seat
            state = game.play(state, game.decide(state, seat, rng.choice(legal)))


def search_less(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The levels that search do so so many times as short."""
    for name, instead in less_often(times).items():
        monkeypatch.setattr(levels, name, instead)


def less_often(times: int) -> dict[str, Any]:
    """What stands in `levels` then, by name."""
    return {"USUAL": usual_less(times), "playing_of_game": partial(playing_less, times)}


def decisions(level: str, playouts: int, number: int) -> Iterator[str]:
    """What a level decides in so many positions of the first preset of each game, and what a hint says there."""
    for key in READERS:
        game = GAMES[key]
        positions = random_positions(game, game.options(), Random(key))
        for seed in range(number):
            for _ in range(7 if seed else 1):  # not one card after the other, but the first call
                state, seat = next(positions)
            view = redact(state, eyes_of_viewer(seat))
            yield f"{key} {spell_action(choose(game, view, seat, level, Random(seed)))}"
            with patch("p2pcards.players.choose.skill_of", return_value=Skill(Way.SEARCH, playouts, 10 * playouts)):
                yield f"{key} {rate(game, view, seat, 'expert', Random(hint_seed(game, view, seat)))}"


def clear_at_last() -> bool:
    """Whether a choice is clearly ahead that wins the game in one of five of very many worlds, and loses it in none."""
    trial = Trial([0])
    for world in range(20_000):
        lead = 0 if world % 5 else SURE
        trial.count_hand(lead, lead)
    return trial.is_clear(20_000)


if __name__ == "__main__":
    few = levels.USUAL[sys.argv[1]]._replace(playouts=int(sys.argv[2]))
    levels.USUAL = {**levels.USUAL, sys.argv[1]: few}  # for this process
    print(clear_at_last())
    print("\n".join(decisions(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
