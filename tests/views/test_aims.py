"""What an action is for, in words: no more than its seat can be certain of."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Suit
from p2pcards.cards.eyes import eyes_of_viewer, redact, slots_of
from p2pcards.games.deals.taking import Taking
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.playing import Play
from p2pcards.games.registry import GAMES
from p2pcards.games.spades import rules as spades
from p2pcards.games.spelling import cards_in_text, spell_action
from p2pcards.games.whist import rules as whist
from p2pcards.views.advice import aim_text, conclusions_about_hand
from rigs.decisions import random_positions
from rigs.tricked import have_bid, hearts_in_play, kept_in_play, spades_in_play, whist_in_play

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]

JUDGED = (
    ("hearts", "the queen and the king of spades", "pass 3H QS KS", "to get rid of the QS and to go void in spades"),
    ("hearts", "nobody may throw points", "AC", "to take the trick while it costs nothing"),
    ("hearts", "goes under the ace", "QS", "to get rid of the QS under the AS"),
    ("hearts", "goes to the player who takes them", "QS", "to give {3} the QS"),
    ("hearts", "is not to be taken", "5C", "to duck under the JC"),
    ("spades", "as cheaply as I can", "TC", "to take the trick as cheaply as possible, toward your side's bid of 6"),
    ("spades", "the trick is my partner's", "2C", "to leave the trick to your partner"),
    ("spades", "saves their Nil", "AC", "to cover your partner's nil"),
    ("spades", "saves their Nil", "2C", ""),
    ("spades", "I leave it to them", "2C", "to leave the trick to {3}, who bid nil"),
    ("spades", "throw the ace", "AD", "to throw off a card that could take a trick and keep your nil"),
    ("spades", "without Nil", "bid 0", ""),
    ("whist", "I cannot win", "2C", "to play low, since you can't beat the AC"),
    ("whist", "third hand high: my partner", "KH", "to beat the 6H"),
    ("whist", "I trump over", "4S", "to overtrump the 2S and take the trick as cheaply as possible"),
    ("whist", "throw a worthless card", "3D", "to throw a loser on your partner's trick"),
    ("whist", "one trump is out", "AS", "to draw trump with a card nobody can beat"),
    ("whist", "from ace and king", "KC", "to take the trick unless someone trumps (no higher club is left)"),
    ("oh_hell", "ace, king and queen", "bid 3", "to take exactly 3 tricks"),
    ("euchre", "the turn-up goes to the partner", "accept", "to make hearts trump (you'd hold 3)"),
    ("euchre", "lay the small single card", "discard 7S", "to go void in spades"),
    ("euchre", "do not trump the partner's ace", "8D", "to go void in diamonds"),
    ("auction_pitch", "a smudge wins", "bid 4", "to make all four: high, low, jack and game"),
    ("crazy_eights", "not kept", "3C", "to go out"),
    ("crazy_eights", "suit of what I hold most of", "8S d", "to name diamonds (you hold 3)"),
    ("gin_rummy", "ten melded", "gin 7D", "to end the hand with no deadwood"),
    ("gin_rummy", "the ten goes on a run", "take", "to make 7H 8H 9H TH"),
    ("gin_rummy", "seven after two turns", "knock KD", "to end the hand"),
    (
        "gin_rummy",
        "two kings are gone",
        "discard KH",
        "to leave 45 points of deadwood, since the KH doesn't go with anything else",
    ),
    (
        "cribbage",
        "7 7 8 8",
        "discard 5C 5D",
        "to keep 12 points (15.0 on average after the cut), with 2 in {0's} crib",
    ),
    ("cribbage", "a ten makes thirty-one", "TC", "to peg 2 for thirty-one"),
    ("cribbage", "two to win", "7D", "to peg out with fifteen"),
    ("cribbage", "two to win", "KH", "to leave the count at 18, safe from fifteen and 31"),
    ("cribbage", "never lead a five", "3D", "to leave the count at 3, safe from fifteen"),
    ("rummy_500", "the queen under one low card", "take QS", "to meld QD QH QS"),
    ("rummy_500", "lay it off", "lay 8S 5S", "to score 8"),
    ("thirty_one", "makes 31", "take", "to improve from 20 to 31"),
    ("thirty_one", "three hearts are kept", "discard 3C", "to keep 26"),
    ("pinochle", "the flush is in hearts", "name h", "to show 170 in melds"),
    ("pinochle", "partner's ace takes it and you play last", "TC", "to add the TC to your partner's trick"),
    ("pinochle", "partner's ace takes it and you play last", "9C", "to leave the trick to your partner"),
    ("pinochle2", "eighty kings in hand", "KC", "to duck, since the first of two equal cards takes the trick"),
    ("pinochle2", "knock when", "knock", "to win the game"),
    ("pinochle_bid", "nothing to meld", "pass", "to let {1} have the bid"),
)


@pytest.mark.parametrize(("key", "reason", "words", "said"), JUDGED)
def test_the_aim_of_an_action_is_said(key: str, reason: str, words: str, said: str) -> None:
    judged = [one for one in import_module(f"players.judged.{key}").JUDGED if reason in one.reason]
    assert judged, reason
    view = redact(judged[0].state, eyes_of_viewer(judged[0].seat))
    (action,) = [each for each in GAMES[key].legal(view, judged[0].seat) if spell_action(each) == words]
    assert aim_text(GAMES[key], view, judged[0].seat, action) == said


def aims_in(module: Any, fields: dict[str, Any], leads: Any = ()) -> dict[str, str]:
    """The aim of each card that seat 0 may play."""
    state = module.State(module.Options(), hand=1, **fields)
    return {str(play.card): aim_text(module.GAME, state, 0, play, leads) for play in module.legal(state, 0)}


def test_a_trump_is_led_to_draw_trumps_and_a_single_card_to_trump_its_suit() -> None:
    aims = aims_in(whist, whist_in_play("9S 4S 2D 5C 4C TH 7H 6H 5H 4H 3H 2H JC", (), 0))
    assert aims["9S"] == aims["4S"] == "to draw trump"
    assert aims["2D"] == "to go void in diamonds and trump them later"
    assert aims["5C"] == aims["7H"] == ""


def test_the_suit_of_the_partner_is_returned() -> None:
    fields = whist_in_play("9C 4C 2D 5D TH 7H 6H 5H 4H 3H 2H 3D", ("2C 5C AC 3C",), 2)
    assert aims_in(whist, fields, [(2, Suit.CLUBS)])["4C"] == "to return your partner's suit"
    assert aims_in(whist, fields, [(1, Suit.CLUBS)])["4C"] == ""
    assert aims_in(whist, fields, [(1, Suit.CLUBS), (2, Suit.CLUBS)])["4C"] == ""


def test_a_trick_that_the_queen_herself_is_in_costs_something() -> None:
    """Seat 0 plays last to three low spades."""
    fields = hearts_in_play("KS QS 2S 2D 5D TH 7H 6H 5H 4H 3H 3D", ("2C 5C AC 3C", "4S 5S 6S"), 3)
    aims = aims_in(hearts, fields)
    assert aims["KS"] == "to take the trick while it costs nothing"
    assert aims["QS"] == ""
    assert aims["2S"] == "to duck under the 6S"


def test_low_spades_drive_out_the_queen_but_not_from_a_player_who_could_catch_it() -> None:
    low = "JS 4S 2D 5D TH 7H 6H 5H 4H 3H 2H 3D"
    trick = ("2C 5C AC 3C",)
    assert aims_in(hearts, hearts_in_play(low, trick, 2))["4S"] == "to drive out the QS"
    with_the_king = low.replace("JS", "KS")
    assert aims_in(hearts, hearts_in_play(with_the_king, trick, 2))["4S"] == ""
    fallen = ("2C 5C AC 3C", "AS QS 3S 6S")
    assert aims_in(hearts, hearts_in_play("JS 4S 2D 5D TH 7H 6H 5H 4H 3H 2H", fallen, 2))["4S"] == ""


def test_with_the_bid_made_a_trick_is_avoided_and_before_it_is_taken() -> None:
    held, trick = "QC 2C 2H", ("TC KC",)
    for bid, queen in ((0, "to get rid of a high card under the KC"), (1, "")):
        options = oh_hell.Options(start_cards=3, end_cards=3)
        deal = OhHell(oh_hell.rules_of(options, 3), 2, Taking())
        have_bid(deal, [bid, 1, 1, 0])
        deal.tricks.begin_trick(2)
        state = oh_hell.State(options, hand=1, **kept_in_play(deal, held, trick, 3))
        aims = {spell_action(play): aim_text(oh_hell.GAME, state, 0, play) for play in oh_hell.legal(state, 0)}
        assert aims == {"QC": queen, "2C": "to play low, since you can't beat the KC"}


def test_a_nil_is_kept_by_ducking() -> None:
    options = spades.Options()
    fields = spades_in_play(options, "JC 2C 3D 4D 5D 2H 3H 4H 5H 2S 3S 4S 6H", ("9C",), 3, (0, 3, 4, 3))
    state = spades.State(options, hand=1, **fields)
    assert aim_text(spades.GAME, state, 0, Play(state.hands[0].cards[0])) == "to duck under the 9C and keep your nil"


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_an_aim_names_no_card_that_its_seat_does_not_see(key: str, preset: str) -> None:
    game, rng = GAMES[key], Random(f"{key} {preset}")
    named = 0
    for state, seat in islice(random_positions(game, game.presets[preset], rng), 0, 120, 3):
        view = redact(state, eyes_of_viewer(seat))
        seen = {slot.card.face for slot in slots_of(view) if slot.card}
        legal = game.legal(view, seat)
        for action in rng.sample(legal, min(6, len(legal))):
            words = aim_text(game, view, seat, action)
            assert not words or re.match(r"(to|since) [a-z]", words)
            assert len(words) <= 120
            named_too = {hearts.QUEEN} if words == f"to drive out the {hearts.QUEEN}" else set()
            assert {card.face for card in cards_in_text(words)} <= seen | named_too
            assert all(int(number) < game.seats(view.options) for number in re.findall(r"\{(\d)", words))
            named += bool(words)
    assert named


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_every_hand_is_analyzed_in_a_few_lines(key: str, preset: str) -> None:
    game, rng = GAMES[key], Random(f"{key} {preset}")
    pack = {card.face for card in game.pack(game.presets[preset])}
    for state, acts in islice(random_positions(game, game.presets[preset], rng), 0, 80, 4):
        for seat in {acts, rng.randrange(game.seats(state.options))}:
            view = redact(state, eyes_of_viewer(seat))
            found = conclusions_about_hand(game, view, seat)
            assert 1 <= len(found) <= 8
            assert len({what for what, _ in found}) == len(found)
            for what, words in found:
                assert what and words and len(what) <= 60 and len(words) <= 300
                assert {card.face for card in cards_in_text(words)} <= pack
            if not view.hands[seat].cards:
                assert found == [("your hand", "no cards now")]
