"""The rules of thumb by which euchre calls, where one point wins the game."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from random import Random

import pytest

from p2pcards.cards.card import Suit, mask_of_cards, parse_cards
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.tricks import NOBODY, SUITS
from p2pcards.games.euchre.deal import PASS, Euchre, EuchreRules, certain, counted
from p2pcards.games.euchre.rules import PACKS
from p2pcards.games.euchre.seen import read

calling = import_module("players.judged.euchre").calling
HEARTS = Suit.HEARTS
TRUMPS = counted(mask_of_cards(PACKS["32"]), HEARTS) & SUITS[HEARTS]
EACH = 3


def ending(rng: Random) -> Euchre:
    """Three cards for each of four; seat 0, which made hearts trump, holds trumps alone."""
    pack = list(PACKS["32"])
    mine = rng.sample([card for card in pack if counted(mask_of_cards([card]), HEARTS) & TRUMPS], EACH)
    rest = rng.sample([card for card in pack if card not in mine], 3 * EACH)
    hands = [mine, *[rest[place : place + EACH] for place in range(0, 3 * EACH, EACH)]]
    deal, leader = Euchre(EuchreRules(True, 7, False, False), 3), rng.randrange(4)
    deal.tricks.set_hands([counted(mask_of_cards(held), HEARTS) for held in hands])
    deal.trump(HEARTS, NOBODY)
    deal.maker = 0
    deal.start_play(leader)
    return deal


def test_certain_tricks_are_taken_whoever_holds_the_other_trumps() -> None:
    """By players who see all cards: of three tricks, all are needed for a point."""
    rng, sure = Random(4), 0
    for _ in range(2_000):
        deal = ending(rng)
        if certain(deal.tricks.hands[0], TRUMPS) == EACH:
            sure += 1
            assert Ending(100_000).exact_worth(deal, 0) > 0
    assert sure > 10


@pytest.mark.parametrize(
    ("held", "found"),
    [
        ("JH JD AH", 3),
        ("JH JD KH QH", 3),
        ("JD AH KH QH", 3),
        ("JH KH QH", 1),
        ("JH JD 9H 8H", 2),
        ("AC KC QC", 0),
    ],
)
def test_each_trump_that_is_out_beats_one_below_it(held: str, found: int) -> None:
    assert certain(counted(mask_of_cards(parse_cards(held)), HEARTS) & TRUMPS, TRUMPS) == found


@pytest.mark.parametrize(
    ("turned", "dealer", "passes"), [("9H", 3, 0), ("9H", 2, 1), ("9H", 1, 2), ("9H", 0, 3), ("9S", 3, 4), ("9C", 0, 7)]
)
def test_with_three_certain_tricks_nobody_passes_where_one_point_wins(turned: str, dealer: int, passes: int) -> None:
    view = replace(calling("JH JD AH 8S 7C", turned, dealer, passes), scores=(4, 3, 4, 3))
    assert read(view, 0).position.rule_of_thumb_move(Chance(1)) != PASS


def test_with_three_certain_tricks_one_passes_at_the_start_where_others_may_make_trump_and_be_set() -> None:
    assert read(calling("JH JD AH 8S 7C", "9H", 3, 0), 0).position.rule_of_thumb_move(Chance(1)) == PASS
