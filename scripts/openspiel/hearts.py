"""Hearts: the rules of the preset real-deal, but that the moon costs the others 26. Three cards go to the left."""

from __future__ import annotations

from typing import Any

from openspiel.bridge import Bridge
from openspiel.hand import Hand
from p2pcards.cards.card import Card
from p2pcards.games.game import Action, Seat
from p2pcards.games.hearts.rules import EACH, PACK, SEATS, Options
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play

LEFT = 1


def number(card: Card) -> int:
    """A card as they count it."""
    return (card.rank - 2) * 4 + card.suit


def history(hand: Hand) -> list[int]:
    numbers = [LEFT, *[number(hand.dealt[seat][place]) for place in range(EACH) for seat in range(SEATS)]]
    for _, action in hand.done:
        numbers += sorted(map(number, action.cards)) if isinstance(action, Pass) else [number(action.card)]
    return numbers


def imagined(hand: Hand, view: Any, world: Any) -> Hand:
    """What others passed to one another is of no account once they play: it is the first three that they may have."""
    me = next(seat for seat in view.to_act)
    held = [set(cards_of(mask)) for mask in world.tricks.hands]
    passed = [set(cards_of(mask)) for mask in world.passed]
    if not view.passed:
        held = [cards | played(hand, seat) for seat, cards in enumerate(held)]
        passed = []
        for seat, action in hand.done[:SEATS]:
            receiver = (seat + LEFT) % SEATS
            passed.append(set(action.cards) if me in (seat, receiver) else set(sorted(held[receiver])[:3]))
        held = [cards - passed[seat - LEFT] for seat, cards in enumerate(held)]
    dealt = tuple([tuple(sorted(cards | gone)) for cards, gone in zip(held, passed, strict=True)])
    done = [(seat, as_imagined(seat, action, passed)) for seat, action in hand.done]
    return Hand(hand.dealer, dealt, (), tuple(done))


def as_imagined(seat: Seat, action: Action, passed: list[set[Card]]) -> Action:
    return Pass(tuple(sorted(passed[seat]))) if isinstance(action, Pass) else action


def cards_of(mask: int) -> list[Card]:
    return [card for card in PACK if mask >> card & 1]


def played(hand: Hand, seat: Seat) -> set[Card]:
    return {action.card for who, action in hand.done if who == seat and isinstance(action, Play)}


BRIDGE = Bridge(
    "hearts",
    Options(passing="left", moon="add"),
    "hearts(qs_breaks_hearts=False)",
    history,
    imagined,
    returns=lambda points: [26.0 - one for one in points],
)
