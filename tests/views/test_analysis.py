"""What is found in a hand: melds, what they lack, what is sure, and what can be let go."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from p2pcards.cards.card import parse_card, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.advice.collecting import partial_melds_with
from p2pcards.games.cribbage.score import show_points
from p2pcards.games.cribbage.told import mean_points_with_starter
from p2pcards.games.game import AnyGame
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.registry import GAMES
from p2pcards.games.whist import rules as whist
from p2pcards.views.advice import conclusions_about_hand
from rigs.tricked import hearts_in_play, whist_in_play


def found(game: AnyGame, state: Any) -> dict[str, str]:
    return dict(conclusions_about_hand(game, redact(state, eyes_of_viewer(0)), 0))


def judged(key: str, reason: str) -> dict[str, str]:
    """What is found in a position that was judged by hand."""
    (one,) = [each for each in import_module(f"players.judged.{key}").JUDGED if reason in each.reason]
    return found(GAMES[key], one.state)


def in_tricks(module: Any, fields: dict[str, Any], **more: Any) -> dict[str, str]:
    return found(module.GAME, module.State(module.Options(), hand=1, **fields, **more))


def test_winners_that_are_sure_are_told_from_those_that_may_be_trumped() -> None:
    fallen = ("AS 2S 3S 4S",)
    fields = whist_in_play("KS 9S AC KC 2C 3D 4D 5D 6D 7D 8D 9D", fallen, 0)
    assert in_tricks(whist, fields) == {
        "trumps": "KS 9S; others may hold 7 more",
        "sure to win when led": "KS",
        "highest of its suit, unless trumped": "AC KC",
        "by suit": "diamonds 7 of 13 left, clubs 3 of 13 left, spades 2 of 9 left",
        "loses to any card of its suit": "2C",
        "void": "hearts",
    }


def test_without_a_trump_left_every_highest_card_is_sure() -> None:
    fallen = ("AS 2S 3S 4S", "KS 5S 6S 7S", "QS 8S 9S TS")
    fields = whist_in_play("AC KC 2C 3D 4D 5D 6D 7D 8D JS", fallen, 0)
    told = in_tricks(whist, fields)
    assert told["sure to win when led"] == "AC KC JS"
    assert "highest of its suit, unless trumped" not in told


def test_the_dangers_of_hearts_are_the_queen_and_what_she_may_fall_on() -> None:
    fallen = ("2C 5C AC 3C",)
    with_her = in_tricks(hearts, hearts_in_play("QS 4S 2D 5D TH 7H 6H 5H 4H 3H 2H 3D", fallen, 2))
    assert with_her["danger"] == "the QS, with 1 lower spade to protect it"
    above = in_tricks(hearts, hearts_in_play("KS 4S 2D 5D TH 7H 6H 5H 4H 3H 2H 3D", fallen, 2))
    assert above["danger"] == "KS could catch the QS, with 1 lower spade to protect you"
    below = in_tricks(hearts, hearts_in_play("JS 4S KD AD TH 7H 6H 5H 4H 3H 2H QD", fallen, 2))
    assert "danger" not in below and below["suits where you can't duck"] == "diamonds"


def test_of_gin_the_melds_what_pairs_lack_and_the_deadwood() -> None:
    assert judged("gin_rummy", "two kings are gone") == {
        "melds": "5D 6D 7D",
        "one card short": "2C 3C need 4C or AC; 8H 8S need 8C or 8D; TS JS need 9S or QS; 8S TS need 9S",
        "deadwood": "KH TS JS 8H 8S 4S 3C 2C, 55 points",
        "don't fit anything": "KH 4S",
    }


@pytest.mark.parametrize(
    ("card", "mates"), [("AH", "AS 2H 3H QH KH"), ("3H", "AH 2H 4H 5H"), ("KH", "AH QH"), ("9H", "")]
)
def test_a_third_card_could_meld_those_of_a_rank_and_those_of_a_suit_two_apart_at_most(card: str, mates: str) -> None:
    """An ace is beside the two and beside the king."""
    held = parse_cards("AH AS 2H 3H 4H 5H 9H QH KH 5S")
    assert partial_melds_with(parse_card(card), held) == list(parse_cards(mates))


def test_of_two_handed_pinochle_what_can_be_melded_and_what_one_card_more_would_make() -> None:
    assert judged("pinochle2", "eighty kings in hand") == {
        "can be melded": "eighty kings (KC KD KH KS) 80, marriage in clubs (QC KC) 20",
        "one card short": "royal marriage 40 needs QH (2 unseen), pinochle 20 needs QS (2 unseen), marriage in "
        "diamonds 20 needs QD (2 unseen), marriage in spades 20 needs QS (2 unseen)",
        "not in any of these": "TC 9D TD 9S 9S JS",
    }


def test_before_trump_is_named_the_melds_of_every_suit_are_told_the_best_first() -> None:
    told = judged("pinochle", "the flush is in hearts")
    assert list(told)[:2] == ["melds with hearts as trump", "melds with spades as trump"]
    assert told["melds with hearts as trump"] == "flush (AH TH KH QH JH) 150, marriage in spades (KS QS) 20: 170"
    assert told["not in any meld"] == "JC AC TD AD 9S"
    selecting = judged("pinochle_bid", "a jack makes nothing")
    assert selecting["melds"] == "no suit you can name as trump"
    assert selecting["one more card"].startswith("QC adds 4 (2 unseen), ")


def test_cards_are_laid_away_by_what_is_kept_over_all_starters() -> None:
    told = judged("cribbage", "7 7 8 8")
    assert next(iter(told.items())) == (
        "throw 5C 5D",
        "keeps 12 points (15.0 on average after the cut), with 2 in {0's} crib",
    )
    assert len(told) == 4
    (one,) = [each for each in import_module("players.judged.cribbage").JUDGED if "7 7 8 8" in each.reason]
    held, kept = one.state.hands[0].cards, parse_cards("7C 7H 8D 8H")
    starters = [card for card in GAMES["cribbage"].pack(one.state.options) if card not in held]
    assert len(starters) == 46
    assert mean_points_with_starter(kept, one.state) == pytest.approx(
        sum(show_points(kept, card) for card in starters) / 46
    )


@pytest.mark.parametrize(
    ("key", "reason", "what", "words"),
    [
        ("crazy_eights", "suit of what I hold most of", "wild", "8S"),
        ("thirty_one", "three hearts are kept", "to discard for more hearts", "3C"),
        ("rummy_500", "three aces in hand", "melds", "AC AD AH"),
        ("rummy_500", "three aces in hand", "don't fit anything", "7C 9D"),
        ("rummy_500", "lay it off", "can be laid off", "8S"),
        ("cribbage", "a third six", "peg now", "3C pegs 2, 6D pegs 6"),
        ("cribbage", "a third six", "your hand counts", "4 with the starter QH"),
        ("euchre", "lay the small single card", "trumps", "JH AH 9H; others may hold 5 more"),
        ("euchre", "nothing in any suit", "trumps if you name clubs", None),
    ],
)
def test_what_counts_and_what_goes(key: str, reason: str, what: str, words: str | None) -> None:
    told = judged(key, reason)
    assert what in told and (words is None or told[what] == words), told
