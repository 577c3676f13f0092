"""What a hand is good for in tricks."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import SUITS, Card, Suit, spelled
from p2pcards.games.advice.outstanding import Outstanding, by_suit, outstanding
from p2pcards.games.euchre.rules import counted as euchre_counted
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.hearts.rules import QUEEN
from p2pcards.games.telling import Found


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
        found.append(("trumps", f"{_cards(trumps)}; {_count(out.trumps(), 'more')} may be with the others"))
    top = [card for cards in suits.values() for card in cards if not out.above(card)]
    sure = [card for card in top if out.trump is None or out.suit(card) == out.trump or not out.trumps()]
    trumped = [card for card in top if card not in sure]
    found.append(("certain to take a trick when led", _cards(sure)))
    found += [("highest of its suit, but can be trumped", _cards(trumped))] * bool(trumped)
    found.append(("by suit", ", ".join([_suit_words(suit, cards, out) for suit, cards in suits.items()])))
    losers = [card for cards in suits.values() for card in cards if out.above(card) and not out.below(card)]
    found += [("takes no trick while others have its suit", _cards(losers))] * bool(losers)
    void = [suit.name.lower() for suit in SUITS if suit not in suits]
    found += [("void", " and ".join(void))] * (0 < len(void) <= 2)
    return found + (_dangers(held, out) if game.key == "hearts" else [])


def _before_trump(game: AnyGame, held: list[Card]) -> Found:
    """By suit, the longest first, the cards that would be trumps, the highest first."""
    found = []
    for suit in SUITS:
        counts = {card: euchre_counted(card, suit) if game.key == "euchre" else card for card in held}
        trumps = sorted([card for card in held if counts[card].suit == suit], key=lambda card: -counts[card])
        found.append((len(trumps), suit.name.lower(), trumps))
    found.sort(key=lambda one: -one[0])
    return [(f"trumps if {name} is named", f"{number} ({spelled(cards)})") for number, name, cards in found if number]


def _suit_words(suit: Suit, cards: list[Card], out: Outstanding) -> str:
    rest = sum([card.suit == suit for card in out.cards])
    return f"{suit.name.lower()} {len(cards)} of {len(cards) + rest} left"


def _dangers(held: list[Card], out: Outstanding) -> Found:
    """What costs points in hearts."""
    found: Found = []
    spades = [card for card in held if card.suit == Suit.SPADES]
    lower = [card for card in spades if card.rank < QUEEN.rank]
    higher = [card for card in spades if card.rank > QUEEN.rank]
    if QUEEN in held:
        found.append(("danger", f"the {QUEEN}, with {_count(len(lower), 'lower spade')} to play before it"))
    elif higher and QUEEN in out.cards:
        found.append(
            ("danger", f"{spelled(higher)}: the {QUEEN} may fall on it, and {_count(len(lower), 'lower spade')}")
        )
    high = [
        suit.name.lower()
        for suit in SUITS
        if (of := [card for card in held if card.suit == suit]) and _must_win(of, out)
    ]
    return found + [("suits in which you cannot stay under", " and ".join(high))] * bool(high)


def _must_win(cards: list[Card], out: Outstanding) -> bool:
    """Whether each of these cards takes the trick to which its suit is led, where the others play theirs."""
    return not any(map(out.above, cards)) and any(map(out.below, cards))


def _cards(cards: list[Card]) -> str:
    return spelled(cards) if cards else "none"


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1 and what != 'more')}"
