"""What a hand is good for in tricks."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import SUITS, Card, Suit, spell_cards
from p2pcards.games.advice.outstanding import Outstanding, group_by_suit, outstanding_cards
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.telling import Found, load_told


def trick_findings(game: AnyGame, view: Any, seat: Seat) -> Found:
    """Findings on a hand of tricks: sure winners, suits by length, cards that others beat, and dangerous ones."""
    held = list(view.hands[seat].cards)
    if game.ranking(view) is None and game.layout(view).trump is None:
        return _findings_before_trump(game, held)
    out = outstanding_cards(game, view, seat)
    suits = group_by_suit(held, out)
    found: Found = []
    if out.trump is not None:
        trumps = suits.get(out.trump, [])
        found.append(("trumps", f"{_cards_text(trumps)}; others may hold {count_in_words(out.trumps_left(), 'more')}"))
    top = [card for cards in suits.values() for card in cards if not out.higher_in_suit(card)]
    sure = [card for card in top if out.trump is None or out.suit_in_tricks(card) == out.trump or not out.trumps_left()]
    trumped = [card for card in top if card not in sure]
    found.append(("sure to win when led", _cards_text(sure)))
    found += [("highest of its suit, unless trumped", _cards_text(trumped))] * bool(trumped)
    found.append(("by suit", ", ".join([_suit_text(suit, cards, out) for suit, cards in suits.items()])))
    losers = [
        card for cards in suits.values() for card in cards if out.higher_in_suit(card) and not out.lower_in_suit(card)
    ]
    found += [("loses to any card of its suit", _cards_text(losers))] * bool(losers)
    void = [suit.name.lower() for suit in SUITS if suit not in suits]
    found += [("void", " and ".join(void))] * (0 < len(void) <= 2)
    return found + load_told(game.key).tricks.dangers(held, out)


def _findings_before_trump(game: AnyGame, held: list[Card]) -> Found:
    """By suit, the longest first, the cards that would be trumps, the highest first."""
    found = []
    for suit in SUITS:
        counts = {card: load_told(game.key).tricks.as_trump(card, suit) for card in held}
        trumps = sorted([card for card in held if counts[card].suit == suit], key=lambda card: -counts[card])
        found.append((len(trumps), suit.name.lower(), trumps))
    found.sort(key=lambda one: -one[0])
    return [
        (f"trumps if you name {name}", f"{number} ({spell_cards(cards)})") for number, name, cards in found if number
    ]


def _suit_text(suit: Suit, cards: list[Card], out: Outstanding) -> str:
    rest = sum([card.suit == suit for card in out.cards])
    return f"{suit.name.lower()} {len(cards)} of {len(cards) + rest} left"


def _cards_text(cards: list[Card]) -> str:
    return spell_cards(cards) if cards else "none"


def count_in_words(number: int, what: str) -> str:
    """A number with its noun, singular or plural."""
    return f"{number or 'no'} {what}{'s' * (number != 1 and what != 'more')}"
