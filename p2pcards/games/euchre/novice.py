"""Euchre by rules of thumb: counts the tricks of its hand under each trump, makes trump when they should do, and then
takes what it can."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.rules import PACKS, RIGHT, SEATS, Accept, Action, Decline, Name, State, counted, legal
from p2pcards.games.game import Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.playing import Pass, Play
from p2pcards.games.thumb.taking import best_of, look_at_trick, taking_worth

ALL = {(size, trump): frozenset([counted(card, trump) for card in PACKS[size]]) for size in PACKS for trump in SUITS}
ENOUGH, ENOUGH_ALONE = 2.1, 2.7  # tricks of its own with which it makes trump, with a partner and without
LONE = 4.1  # with which it sends its partner away
TURN_UP = 0.3  # what the turn-up is worth in another's hand
TRUMPS = {RIGHT: 1.0, 13: 0.9, 12: 0.75, 11: 0.65, 10: 0.55}


def choose(view: State, seat: Seat, rng: Random) -> Action:
    """The call, the discard or the card of a seat whose turn it is."""
    if view.trump is None:
        return _call(view, seat, view.hands[seat].cards)
    if view.exchanging:
        return _exchange(view, seat, view.trump, view.hands[seat].cards)
    plays = legal(view, seat)
    if len(plays) == 1:
        return plays[0]
    return Play(_card(view, seat, view.trump, [play.card for play in plays if isinstance(play, Play)], rng))


def expected_tricks(held: Sequence[Card], trump: Suit) -> float:
    """How many of five tricks a hand should take under this trump."""
    cards = [counted(card, trump) for card in held]
    trumps = [card.rank for card in cards if card.suit == trump]
    tricks = sum([TRUMPS.get(rank, 0.45) for rank in trumps]) + 0.2 * max(0, len(trumps) - 2)
    for suit in SUITS:
        ranks = [card.rank for card in cards if card.suit == suit]
        if suit == trump:
            continue
        if not ranks:
            tricks += 0.2 * bool(trumps)
        elif 14 in ranks:
            tricks += 0.65 if len(ranks) < 3 else 0.45
        elif 13 in ranks:
            tricks += 0.2
    return tricks


# --- private ----------------------------------------------------------------------------------------------------------


def _call(view: State, seat: Seat, held: Sequence[Card]) -> Action:
    """The best trump that may be made, if it will do."""
    team, turned = view.options.team_play, view.turn_up[0].card
    if view.passes >= SEATS:
        worth, suit = max([(expected_tricks(held, suit), suit) for suit in SUITS if suit != turned.suit])
    elif seat == view.dealer:
        suit = turned.suit
        worth = _after_discard(held, _discard(held, turned), turned)
    else:
        suit = turned.suit
        friend = team and view.dealer == partner_of(seat)
        worth = expected_tricks(held, suit) + (TURN_UP if friend else -TURN_UP)
    if worth < (ENOUGH if team else ENOUGH_ALONE) and Pass() in legal(view, seat):
        return Pass()
    alone = team and worth >= LONE
    return Accept(alone) if view.passes < SEATS else Name(suit, alone)


def _after_discard(held: Sequence[Card], card: Card, turned: Card) -> float:
    return expected_tricks([turned, *[other for other in held if other != card]], turned.suit)


def _discard(held: Sequence[Card], turned: Card) -> Card:
    """The card that is missed least when the turn-up comes for it; of equals the lowest."""
    return max(held, key=lambda card: (_after_discard(held, card, turned), -counted(card, turned.suit).rank))


def _exchange(view: State, seat: Seat, trump: Suit, held: Sequence[Card]) -> Action:
    turned = view.turn_up[0].card
    card = _discard(held, turned)
    gains = _after_discard(held, card, turned) > expected_tricks(held, trump)
    return Discard(card) if view.options.dealer_takes_up or (gains and seat != view.out) else Decline()


def _card(view: State, seat: Seat, trump: Suit, cards: Sequence[Card], rng: Random) -> Card:
    by_count = {counted(card, trump): card for card in cards}
    sight = look_at_trick(
        view,
        seat,
        ALL[view.options.deck_size, trump].difference([counted(slot.card, trump) for slot in view.turn_up]),
        trump,
        partner_of(seat) if view.options.team_play else None,
        counted=lambda card: counted(card, trump),
        out=view.out,
    )
    return by_count[best_of(list(by_count), lambda card: taking_worth(sight, card), rng)]
