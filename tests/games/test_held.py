"""Deals that are kept in masks of bits: they are values, and hold what bags of slots hold."""

from __future__ import annotations

import pickle
from itertools import islice
from random import Random

import pytest

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import (
    HIDDEN,
    PUBLIC,
    Bag,
    Slot,
    eye_of_seat,
    eyes_of_viewer,
    make_bag,
    move_slots,
    put_into_bag,
    redact,
    replace_slots,
    slots_of,
    take_out_of_bag,
)
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Options, rules_of
from p2pcards.games.registry import GAMES
from p2pcards.games.tricks import KeptTricks
from rigs.decisions import random_positions

KEPT = ("auction_pitch", "euchre", "hearts", "oh_hell", "spades", "whist")


@pytest.mark.parametrize("key", KEPT)
def test_a_deal_is_a_value_that_goes_to_other_processes_and_is_not_changed_by_what_follows(key: str) -> None:
    game = GAMES[key]
    for state, seat in islice(random_positions(game, game.options(), Random(key)), 0, 120, 5):
        assert issubclass(type(state), KeptTricks)
        view = redact(state, eyes_of_viewer(seat))
        assert view.deal != state.deal
        for one in (state, view):
            before = one.deal.comparison_key()
            again = pickle.loads(pickle.dumps(one))
            assert again == one and hash(again) == hash(one) and again.deal is not one.deal
            assert replace_slots(one, slots_of(one)) == one
            game.play(one, redact(game.decide(one, seat, game.legal(one, seat)[0]), one.eyes))
            assert one.deal.comparison_key() == before


def test_cards_go_from_place_to_place_in_masks_as_in_bags() -> None:
    rng, pack = Random(1), parse_cards("2C 3C 4D 5D 6H 7H 8S 9S")
    for _ in range(300):
        slots = [
            Slot(card, rng.choice((eye_of_seat(0), eye_of_seat(0) | eye_of_seat(1), PUBLIC, eye_of_seat(2))))
            for card in pack
        ]
        eyes = rng.choice((eyes_of_viewer(0), eyes_of_viewer(1), eyes_of_viewer(2), PUBLIC | 1))
        source, target = make_bag(0, slots[:5]), make_bag(1, slots[5:])
        gone = [
            Slot(slot.card, rng.choice((eye_of_seat(0), eye_of_seat(0) | eye_of_seat(1))))
            for slot in rng.sample(source.slots, 2)
        ]
        source, target, gone = redact(source, eyes), redact(target, eyes), list(redact(tuple(gone), eyes))
        deal = Hearts(rules_of(Options(), 1), 0, Tricks(4))
        deal.set_cards(*in_masks_of(source, target))
        after = move_slots(deal, 0, 1, gone)
        assert bags_of(after) == (take_out_of_bag(source, gone), put_into_bag(target, gone))


def in_masks_of(source: Bag, target: Bag) -> tuple[list[int], list[int], list[int]]:
    places, hidden, seen = [0] * 9, [0] * 9, [0] * 5
    for place, held in enumerate((source, target)):
        hidden[place] = held.slots.count(HIDDEN)
        for card, eyes in held.slots:
            if card:
                places[place] |= 1 << card
                for number in range(5):
                    seen[number] |= (eyes >> number + 1 & 1) << card
    return places, hidden, seen


def bags_of(deal: Hearts) -> tuple[Bag, ...]:
    slots = slots_of(deal)
    length = [int(deal.hand_length(seat)) for seat in (0, 1)]
    return Bag(0, tuple(slots[: length[0]])), Bag(1, tuple(slots[length[0] : sum(length)]))
