"""What the others may hold, and what they can beat."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.cards.card import Suit, parse_card, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.advice.outstanding import Outstanding, group_by_suit, outstanding_cards
from p2pcards.games.registry import GAMES
from p2pcards.games.whist import rules as whist
from rigs.decisions import random_positions
from rigs.tricked import whist_in_play

CLUBS_OUT = Outstanding(Suit.SPADES, lambda card: card, parse_cards("9C KC 4D 2S"))


def test_an_equal_card_is_neither_above_nor_below_and_does_not_beat() -> None:
    king = parse_card("KC")
    assert CLUBS_OUT.higher_in_suit(king) == [] and CLUBS_OUT.lower_in_suit(king) == [parse_card("9C")]
    without_trumps = Outstanding(None, lambda card: card, parse_cards("9C KC 4D 2S"))
    assert not without_trumps.can_beat(king, Suit.CLUBS)
    assert without_trumps.can_beat(parse_card("QC"), Suit.CLUBS)


def test_a_trump_beats_every_card_of_another_suit_and_a_third_suit_none() -> None:
    assert CLUBS_OUT.can_beat(parse_card("AC"), Suit.CLUBS) and CLUBS_OUT.trumps_left() == 1
    assert not CLUBS_OUT.can_beat(parse_card("3S"), Suit.CLUBS)
    assert not Outstanding(None, lambda card: card, parse_cards("AD")).can_beat(parse_card("2C"), Suit.CLUBS)


def test_a_hand_is_told_by_suit_the_longest_first() -> None:
    suits = group_by_suit(parse_cards("2C AC 3D TD KD 4S"), CLUBS_OUT)
    assert [(suit, [str(card) for card in held]) for suit, held in suits.items()] == [
        (Suit.DIAMONDS, ["KD", "TD", "3D"]),
        (Suit.CLUBS, ["AC", "2C"]),
        (Suit.SPADES, ["4S"]),
    ]


def test_what_has_fallen_is_out_no_more() -> None:
    fields = whist_in_play("KS 9S AC KC 2C 3D 4D 5D 6D 7D 8D 9D", ("AS 2S 3S 4S",), 0)
    found = outstanding_cards(whist.GAME, whist.State(whist.Options(), hand=1, **fields), 0)
    assert len(found.cards) == 52 - 12 - 4
    assert [str(card) for card in found.cards if card.suit == Suit.SPADES] == ["5S", "6S", "7S", "8S", "TS", "JS", "QS"]


@pytest.mark.parametrize("key", ["hearts", "spades", "euchre", "pinochle", "pinochle2", "pinochle_bid"])
def test_every_card_that_another_holds_may_be_out(key: str) -> None:
    """Also those that lie open before them, as melds do."""
    game = GAMES[key]
    positions = random_positions(game, game.options(), Random(key))
    for _ in range(60):
        state, seat = next(positions)
        found = outstanding_cards(game, redact(state, eyes_of_viewer(seat)), seat)
        held = [found.counted(card.face) for hand in state.hands if hand.owner != seat for card in hand.cards]
        for card in held:
            assert found.cards.count(card) >= held.count(card)
        mine = [found.counted(card.face) for card in state.hands[seat].cards]
        if key == "hearts":
            assert not {*mine} & {*found.cards}
