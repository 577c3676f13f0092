"""What is told where cards are collected: which go together, what lacks a card, and what can be let go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import slots_of
from p2pcards.cards.pack import pack_of
from p2pcards.games.melds import is_set, run_order

NEAR = 2
"""Steps between two cards of a suit that a third may join to a run."""
PACK = pack_of()
MOST = 4
"""How many pairs that lack a card are told."""


def partial_melds_with(card: Card, held: Iterable[Card]) -> list[Card]:
    """Those of the cards held with which a third card could make a set or run with this one."""

    def low(one: Card) -> int:
        return 1 if one.rank == 14 else one.rank

    return [
        other
        for other in held
        if other != card
        and (
            other.rank == card.rank
            or (other.suit == card.suit and min(abs(low(other) - low(card)), abs(other.rank - card.rank)) <= NEAR)
        )
    ]


def without_cards(held: Iterable[Card], gone: Sequence[Card]) -> list[Card]:
    """The cards held, less the ones gone."""
    return [card for card in held if card not in gone]


def near_melds_text(view: Any, rest: Sequence[Card], aces: str) -> str:
    """Pairs among the cards left over, with what would make them a meld, as text, the most cards first."""
    seen = {slot.card.face for slot in slots_of(view) if slot.card}
    left = [card for card in PACK if card not in seen]
    found = []
    for pair in combinations(sorted(rest), 2):
        wanted = [card for card in left if is_set([*pair, card]) or run_order([*pair, card], aces)]
        found += [(len(wanted), f"{spell_cards(pair)} need {' or '.join(map(str, wanted))}")] * bool(wanted)
    best = sorted(found, key=lambda one: -one[0])[:MOST]
    return "; ".join([words for _, words in best]) or "none"


def loose_cards_text(rest: Iterable[Card], held: Sequence[Card]) -> str:
    """The cards left over that no other card of the hand goes with, as text."""
    cards = [card for card in rest if not partial_melds_with(card, held)]
    return spell_cards(cards) if cards else "none"
