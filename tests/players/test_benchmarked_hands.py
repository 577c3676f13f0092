"""The hands that scripts/bench plays in whole numbers are dealt anew each time, and are whole."""

from __future__ import annotations

import pytest

from benchmarks.hands import deal, openings
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.likely import Drawn
from p2pcards.games.deals.position import OVER, finish_at_random, finish_by_rules_of_thumb
from p2pcards.games.deals.worlds import Worlds
from p2pcards.games.registry import GAMES
from p2pcards.players.search import READERS


@pytest.mark.parametrize("key", READERS)
def test_every_card_that_nobody_has_seen_is_dealt_anew_and_the_hand_ends(key: str) -> None:
    game, chance = GAMES[key], Chance(1)
    options = game.options()
    begun = openings(game)
    one, other = Drawn(), Drawn()
    for drawn in (one, other):
        Worlds.fill_world(begun[0].worlds, drawn, chance)
    assert sorted(one.cards) == sorted(other.cards) and sorted(one.places) == sorted(other.places)
    assert len(game.pack(options)) - 1 <= len(one.cards) <= len(game.pack(options)), "one is turned up, or none"
    assert [*zip(one.places, one.cards, strict=True)] != [*zip(other.places, other.cards, strict=True)]
    for finish_hand in (finish_by_rules_of_thumb, finish_at_random):
        for opening in begun:
            position = deal(opening, chance)
            finish_hand(position, chance)
            assert position.turn == OVER
            assert sum(position.final_worth(seat) for seat in range(game.seats(options))) == 0
