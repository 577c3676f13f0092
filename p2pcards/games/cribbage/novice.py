"""Cribbage by rules of thumb: keeps the four cards that count most, pegs what it can, and does not offer fifteens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from p2pcards.cards.card import Card
from p2pcards.games.cribbage.rules import Action, Count, Discard, Go, Phase, State
from p2pcards.games.cribbage.score import (
    THIRTY_ONE,
    card_count,
    card_place,
    combination_points,
    pegging_points,
    show_points,
)
from p2pcards.games.cutting import Cut
from p2pcards.games.game import Seat
from p2pcards.games.playing import Play

GIFT = 1.5  # what a five is worth in a crib before anything is known of the rest
NEAR = 0.5  # and two cards that may come to be a run
RISKY = (5, 21)  # counts to which every court card adds well
RISK = 2.0  # and what it costs to leave one
SPARE = 0.5  # what it is worth to play one of two alike, and keep the other for an answer


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is."""
    held = view.hands[seat].cards
    match view.phase:
        case Phase.DISCARD:
            sign = 1 if seat == view.dealer else -1
            return Discard(max(combinations(held, 2), key=lambda two: (_keeping_worth(held, two, sign), rng.random())))
        case Phase.FIRST_DEAL | Phase.CUT:
            return Cut(None) if view.picked else Cut(rng.randrange(len(view.stock)) + 1)
        case Phase.PLAY:
            series = [slot.card for _, slot in view.played[view.series :]]
            room = THIRTY_ONE - sum(map(card_count, series))
            fits = [card for card in held if card_count(card) <= room]
            return (
                Play(max(fits, key=lambda card: (_pegging_worth(series, card, held), rng.random()))) if fits else Go()
            )
        case Phase.HANDS:
            starter = view.starter[0].card
            return Count(show_points([slot.card for other, slot in view.played if other == seat], starter))
        case Phase.CRIB:
            return Count(show_points([slot.card for slot in view.crib], view.starter[0].card, crib=True))


# --- private ----------------------------------------------------------------------------------------------------------


def _keeping_worth(held: Sequence[Card], away: Sequence[Card], sign: int) -> float:
    """What the other four cards are worth, with what these two do for a crib that is our own (1) or not (-1)."""
    kept = [card for card in held if card not in away]
    flush = 4 if len({card.suit for card in kept}) == 1 else 0
    gap = abs(card_place(away[0]) - card_place(away[1]))
    gift = combination_points(away) + GIFT * sum([card.rank == 5 for card in away]) + NEAR * (1 <= gap <= 2)
    return combination_points(kept) + flush + sign * gift


def _pegging_worth(series: Sequence[Card], card: Card, held: Sequence[Card]) -> float:
    """What a play pegs, less what it may give away; then the card that counts more, but a low one to lead with."""
    after = (*series, card)
    count = sum(map(card_count, after))
    spare = sum([other.rank == card.rank for other in held]) - 1
    return (
        pegging_points(after) - RISK * (count in RISKY) + SPARE * spare + card_count(card) / 100 * (1 if series else -1)
    )
