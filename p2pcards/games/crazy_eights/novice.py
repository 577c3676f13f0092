"""Crazy eights by rules of thumb: plays when it can, the cards that count most first, and keeps its eights until it
needs one.

Every card that may be played is given a worth, in points of count, and the best one is played; ties are broken at
random.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import Card
from p2pcards.games.crazy_eights.rules import EIGHT, JACK, KING, Action, Play, State, card_count, legal
from p2pcards.games.game import Seat

FEW = 2  # a hand this small may be gone soon


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The action of a seat whose turn it is: never a card from the stock while it can play."""
    actions = legal(view, seat)
    plays = [action for action in actions if isinstance(action, Play)]
    if not plays:
        return actions[0]
    if len(plays) == 1:
        return plays[0]
    held = view.hands[seat].cards
    return max([(_worth_of_card(view, seat, held, play), rng.random(), i, play) for i, play in enumerate(plays)])[3]


def _worth_of_card(view: State, seat: Seat, held: Sequence[Card], play: Play) -> float:
    """Worth of playing a card, in points of count."""
    card = play.card
    rest = [other for other in held if other != card]
    count = card_count(view.options, card)[1]
    fewest = min([len(hand) for hand in view.hands if hand.owner != seat])
    if card.rank == EIGHT:
        # An eight is kept for later, until the hand is about to end and being left with it costs more.
        ending = fewest == 1 or len(view.stock) < len(view.hands)
        assert play.suit is not None
        return (count if ending else -100) + _suit_length(rest, play.suit)
    mates = sum([other.suit == card.suit or other.rank == card.rank for other in rest if other.rank != EIGHT])
    return count * (2 if fewest <= FEW else 1) + 3 * mates + _worth_of_effect(view, seat, card)


def _suit_length(rest: Sequence[Card], suit: int) -> float:
    """How long a suit is in the cards left; of two of one length the one that counts more is the longer."""
    same = [card for card in rest if card.suit == suit and card.rank != EIGHT]
    return len(same) + sum([min(card.rank, 10) for card in same]) / 100


def _worth_of_effect(view: State, seat: Seat, card: Card) -> float:
    """What an action card is worth now: much against a small hand, less than nothing for a large one."""
    options, players = view.options, len(view.hands)
    after = len(view.hands[(seat + view.step) % players])
    before = len(view.hands[(seat - view.step) % players])
    if card.rank == 2 and options.two_draws_two:
        return 40 if after <= FEW else -10
    if card.rank == JACK and options.jack_skips:
        return 40 if after <= FEW or players == 2 else -10
    if card.rank == KING and options.king_reverses and players > 2:
        return 40 if after <= FEW < before else -40 if before <= FEW < after else -5
    return 0
