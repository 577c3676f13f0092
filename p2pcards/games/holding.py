"""The cards that an action names: whether a hand holds them, and how they are told, as functions that a game calls."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import BACK, Card, spell_cards
from p2pcards.cards.eyes import Bag, could_hold
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.game import IllegalAction, Seat

ASCENDING = "name the cards of a meld in ascending order"
NOT_JUST_TAKEN = "you can't discard the card you just took from the discard pile"
PASSED_FIRST = "pass three cards first"
BIDS_FIRST = "wait until everyone has bid"
WORDS = ("no", "one", "two", "three", "four", "five", "six")


def verify_held(held: Bag, card: Card) -> None:
    """Raise IllegalAction if the card is not in the hand, and for this view cannot be."""
    if card == BACK or not could_hold(held, card):
        raise IllegalAction(f"you don't have {card}")


def verify_dealt_to(deal: KeptDeal, seat: Seat, card: Card) -> None:
    """Raise IllegalAction if the card is not in this seat's hand of the deal, and for this view cannot be."""
    if card == BACK or not deal.may_hold(seat, card):
        raise IllegalAction(f"you don't have {card}")


def verify_all_held(held: Bag, cards: Sequence[Card], number: int, what: str) -> None:
    """Raise IllegalAction unless these are so many (0..6) different cards of the hand in ascending order, or so many
    face down. what: what to do with them, such as "pass {}"."""
    if len(cards) != number:
        raise IllegalAction(what.format(f"{WORDS[number]} cards"))
    named = [card for card in cards if card]  # none, when the action is concealed
    if len(set(named)) != len(named):
        raise IllegalAction(what.format(f"{WORDS[number]} different cards"))
    if named != sorted(named):
        raise IllegalAction("name the cards in ascending order")
    for card in cards:
        if not could_hold(held, card):
            raise IllegalAction(f"you don't have {card}")


def named_or_counted(cards: Sequence[Card]) -> str:
    """Words for up to 6 cards: their names where they are seen, else how many: ``2C 3C 4C``, ``three cards``."""
    return f"{WORDS[len(cards)]} cards" if BACK in cards else spell_cards(cards)
