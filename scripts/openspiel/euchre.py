"""Euchre: 24 cards, all may pass twice. Their dealer has to take the turn-up, so that ours may not leave it here, and
the maker of trump there says only after the dealer's discard whether they play alone."""

from __future__ import annotations

from typing import Any

from openspiel.bridge import Bridge
from openspiel.hand import Hand
from p2pcards.cards.card import Card
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.rules import EACH, PACKS, SEATS, Accept, Name, Options, counted
from p2pcards.games.game import Action, Seat
from p2pcards.games.playing import Pass, Play

PASS, CALL, ALONE, TOGETHER = 24, 25, 29, 30
DECLINE = -1
"""No action of theirs."""
PACK = PACKS["24"]


def number(card: Card) -> int:
    """A card as they count it."""
    return (card.rank - 9) * 4 + card.suit


def history(hand: Hand) -> list[int]:
    order = [(hand.dealer + place) % SEATS for place in range(SEATS)]
    numbers = [hand.dealer, *[number(hand.dealt[seat][place]) for place in range(EACH) for seat in order]]
    numbers.append(number(hand.rest[0]))
    alone = False
    for _, action in hand.done:
        alone = action.alone if isinstance(action, Accept) else alone
        numbers += numbers_of(action, hand.rest[0], alone)
    return numbers


def numbers_of(action: Action, turn_up: Card, alone: bool) -> list[int]:
    """alone: whether the maker plays so."""
    match action:
        case Pass():
            return [PASS]
        case Accept():
            return [CALL + turn_up.suit]
        case Name(suit=suit, alone=by_oneself):
            return [CALL + suit, ALONE if by_oneself else TOGETHER]
        case Discard(card=card):
            return [number(card), ALONE if alone else TOGETHER]
        case Play(card=card):
            return [number(card)]
    return [DECLINE]


def imagined(hand: Hand, view: Any, world: Any) -> Hand:
    cards = {counted(card, view.trump): card for card in PACK}

    def cards_of(mask: int) -> set[Card]:
        return {card for place, card in cards.items() if mask >> place & 1}

    held = [cards_of(mask) | played(hand, seat) for seat, mask in enumerate(world.tricks.hands)]
    laid = cards_of(world.laid)
    if laid:
        held[hand.dealer] = held[hand.dealer] - {hand.rest[0]} | laid
    done = [(seat, Discard(*laid) if isinstance(action, Discard) else action) for seat, action in hand.done]
    return Hand(hand.dealer, tuple([tuple(sorted(one)) for one in held]), hand.rest, tuple(done))


def played(hand: Hand, seat: Seat) -> set[Card]:
    return {action.card for who, action in hand.done if who == seat and isinstance(action, Play)}


def lowest(hand: Hand) -> Card:
    """What the dealer may lay away for the turn-up: the lowest card that is no trump, if there is one."""
    trump = hand.rest[0].suit

    def height(card: Card) -> tuple[bool, int]:
        as_counted = counted(card, trump)
        return as_counted.suit == trump, as_counted.rank

    return min(hand.dealt[hand.dealer], key=height)


BRIDGE = Bridge(
    "euchre",
    Options(deck_size="24"),
    "euchre(stick_the_dealer=False)",
    history,
    imagined,
    returns=lambda points: [float(points[seat] - points[(seat + 1) % SEATS]) for seat in range(SEATS)],
)
