"""Oh hell: deals of eight cards with trump, 10 and 1 for each trick bid where the bid is made. The last bidder may
not make the bids add up to eight, which is a rule of theirs alone, as is a point for each trick where the bid is
missed: that is taken off, from what their bots count too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openspiel.bridge import Bridge
from openspiel.hand import Hand
from p2pcards.cards.card import Card
from p2pcards.games.game import Seat
from p2pcards.games.oh_hell.rules import PACK, SEATS, Options
from p2pcards.games.playing import Play
from p2pcards.games.tricks import Bid

EACH = 8
MADE = 10
"""Nobody takes as many tricks, so that less than this is a bid missed."""
SUITS = (0, 1, 3, 2)


def number(card: Card) -> int:
    """A card as they count it."""
    return (card.rank - 2) * 4 + SUITS[card.suit]


def history(hand: Hand) -> list[int]:
    numbers = [EACH, hand.dealer]
    numbers += [number(hand.dealt[seat][place]) for place in range(EACH) for seat in range(SEATS)]
    numbers.append(number(hand.rest[0]))
    for _, action in hand.done:
        numbers.append(len(PACK) + action.tricks if isinstance(action, Bid) else number(action.card))
    return numbers


def imagined(hand: Hand, view: Any, world: Any) -> Hand:  # noqa: ARG001 - as in every game
    dealt = [tuple(sorted(cards_of(mask) + played(hand, seat))) for seat, mask in enumerate(world.tricks.hands)]
    return Hand(hand.dealer, tuple(dealt), hand.rest, hand.done)


def cards_of(mask: int) -> list[Card]:
    return [card for card in PACK if mask >> card & 1]


def played(hand: Hand, seat: Seat) -> list[Card]:
    return [action.card for who, action in hand.done if who == seat and isinstance(action, Play)]


def counted(returns: Sequence[float]) -> list[float]:
    return [points if points >= MADE else 0.0 for points in returns]


BRIDGE = Bridge(
    "oh_hell",
    Options(start_cards=EACH, end_cards=EACH - 1, made_bid="bid"),
    f"oh_hell(players={SEATS},num_tricks_fixed={EACH})",
    history,
    imagined,
    returns=lambda points: [float(one) for one in points],
    counted=counted,
)
