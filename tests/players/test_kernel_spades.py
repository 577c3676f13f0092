"""What a hand of spades is worth that random play hardly ever comes to, and what its bids tell."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.cards.card import parse_cards
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.taking import Taking
from p2pcards.games.spades.deal import SPADES, Spades
from p2pcards.games.spades.rules import PACK, Options, rules_of, score_items


@pytest.mark.parametrize(
    "options", [Options(), Options(team_play=False), Options(nil="none"), Options(double_nil_costs=True)]
)
def test_a_hand_is_worth_what_the_rules_score_for_its_bids_and_tricks(options: Options) -> None:
    rng = Random(8)
    for _ in range(500):
        bids, tricks = ([rng.choice((0, 0, rng.randrange(8))) for _ in range(4)] for _ in range(2))
        position = Spades(rules_of(options), 0, Taking(SPADES))
        position.bids, position.tricks.won = bids, tricks
        points = [sum([item[1] for item in items]) for items in score_items(options, bids, tricks)]
        sides = 2 if options.team_play else 4
        total = sum(points[:sides])  # partners hold the same items
        assert [position.final_worth(seat) for seat in range(4)] == [sides * mine - total for mine in points]


@pytest.mark.parametrize("nil", ["plain", "passing", "none"])
@pytest.mark.parametrize("team_play", [True, False])
@pytest.mark.parametrize("min_bid", [0, 2])
def test_hands_whose_bids_are_those_of_rules_of_thumb_are_not_strange(nil: str, team_play: bool, min_bid: int) -> None:
    rng, pack, bids = Random(4), list(PACK), set[int]()
    for eldest in [0, 1, 2, 3] * 15:
        rng.shuffle(pack)
        position = Spades(rules_of(Options(nil=nil, team_play=team_play, min_bid=min_bid)), eldest, Taking(SPADES))
        for number, card in enumerate(pack):
            position.place_card(number % 4, card)
        while position.bidden < 4:
            bids.add(position.rule_of_thumb_bid())
            position.make_move(position.rule_of_thumb_bid())
            assert position.bid_mismatch() == 0
        position.bids[eldest] += 3
        assert position.turn == eldest or position.bid_mismatch() > 0
    assert (0 in bids) == (nil != "none" or min_bid == 0) and len(bids) > 4


def test_a_hand_on_which_another_would_have_bid_nil_is_strange() -> None:
    position = Spades(rules_of(Options(nil="plain")), 1, Taking(SPADES))
    for card in parse_cards("2C 5C 8C TC 3D 6D 7D 2H 4H 9H 2S 4S 6S"):
        position.place_card(1, card)
    assert position.rule_of_thumb_bid() == 0
    position.make_move(1)
    assert position.bid_mismatch() > 0


def test_spades_are_led_as_trumps() -> None:
    """With the top trumps in hand those of the others are drawn."""
    position = Spades(rules_of(Options(nil="plain")), 0, Taking(SPADES))
    position.bids, position.bidden = [5, 3, 3, 2], 4
    position.broken = True
    for seat, held in enumerate(("AS KS 2D", "QS 3C 4C", "JS 5C 6C", "TS 7C 8C")):
        for card in parse_cards(held):
            position.place_card(seat, card)
    position.start_play(0)
    assert position.rule_of_thumb_move(Chance(1)) in parse_cards("AS KS")
