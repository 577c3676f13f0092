"""What a hand is good for in tricks."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import SUITS, Card, Suit, spelled
from p2pcards.games.advice.outstanding import Outstanding, by_suit, outstanding
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.telling import Found, told_of


def of_tricks(game: AnyGame, view: Any, seat: Seat) -> Found:
    """Winners that are sure, suits by their length, cards that others beat, and what is dangerous."""
    held = list(view.hands[seat].cards)
    if game.ranking(view) is None and game.layout(view).trump is None:
        return _before_trump(game, held)
    out = outstanding(game, view, seat)
    suits = by_suit(held, out)
    found: Found = []
    if out.trump is not None:
        trumps = suits.get(out.trump, [])
        found.append(("trumps", f"{_cards(trumps)}; others may hold {how_many(out.trumps(), 'more')}"))
    top = [card for cards in suits.values() for card in cards if not out.above(card)]
    sure = [card for card in top if out.trump is None or out.suit(card) == out.trump or not out.trumps()]
    trumped = [card for card in top if card not in sure]
    found.append(("sure to win when led", _cards(sure)))
    found += [("highest of its suit, unless trumped", _cards(trumped))] * bool(trumped)
    found.append(("by suit", ", ".join([_suit_words(suit, cards, out) for suit, cards in suits.items()])))
    losers = [card for cards in suits.values() for card in cards if out.above(card) and not out.below(card)]
    found += [("loses to any card of its suit", _cards(losers))] * bool(losers)
    void = [suit.name.lower() for suit in SUITS if suit not in suits]
    found += [("void", " and ".join(void))] * (0 < len(void) <= 2)
    return found + told_of(game.key).tricks.dangers(held, out)


def _before_trump(game: AnyGame, held: list[Card]) -> Found:
    """By suit, the longest first, the cards that would be trumps, the highest first."""
    found = []
    for suit in SUITS:
        counts = {card: told_of(game.key).tricks.as_trump(card, suit) for card in held}
        trumps = sorted([card for card in held if counts[card].suit == suit], key=lambda card: -counts[card])
        found.append((len(trumps), suit.name.lower(), trumps))
    found.sort(key=lambda one: -one[0])
    return [(f"trumps if you name {name}", f"{number} ({spelled(cards)})") for number, name, cards in found if number]


def _suit_words(suit: Suit, cards: list[Card], out: Outstanding) -> str:
    rest = sum([card.suit == suit for card in out.cards])
    return f"{suit.name.lower()} {len(cards)} of {len(cards) + rest} left"


def _cards(cards: list[Card]) -> str:
    return spelled(cards) if cards else "none"


def how_many(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1 and what != 'more')}"
