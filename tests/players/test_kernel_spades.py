"""What a hand of spades is worth that random play hardly ever comes to: two Nils that are made."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.games.deals.taking import Taking
from p2pcards.games.spades.deal import SPADES, Spades
from p2pcards.games.spades.rules import Options, rules_of, score_items


@pytest.mark.parametrize("options", [Options(), Options(team_play=False), Options(nil="none")])
def test_a_hand_is_worth_what_the_rules_score_for_its_bids_and_tricks(options: Options) -> None:
    rng = Random(8)
    for _ in range(500):
        bids, tricks = ([rng.choice((0, 0, rng.randrange(8))) for _ in range(4)] for _ in range(2))
        position = Spades(rules_of(options), 0, Taking(SPADES))
        position.bids, position.tricks.won = bids, tricks
        points = [sum([item[1] for item in items]) for items in score_items(options, bids, tricks)]
        sides = 2 if options.team_play else 4
        total = sum(points[:sides])  # partners hold the same items
        assert [position.worth(seat) for seat in range(4)] == [sides * mine - total for mine in points]
