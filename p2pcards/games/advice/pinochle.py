"""What is told of the melds of a hand of pinochle with bidding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from p2pcards.cards.card import Card, Suit, spelled
from p2pcards.games.pinochle_melds import NO_TRUMP_SUIT, Meld, meld_cards, meld_points
from p2pcards.games.telling import Found

MOST = 4
"""How many melds that lack a card are told, and how many cards that would help."""


def by_trump(
    held: Sequence[Card], suits: Iterable[Suit], melds: Callable[[Sequence[Card], Suit], Sequence[Meld]]
) -> Found:
    """The melds of each suit that may be named, the best first; and the cards that are in none of those of the best."""
    ways = sorted([(meld_points(melds(held, suit)), suit) for suit in suits], reverse=True)
    if not ways:
        return [("melds", NO_TRUMP_SUIT)]
    found = [(f"melds with {suit.name.lower()} as trump", _meld_words(melds(held, suit))) for _, suit in ways]
    best = ways[0][1]
    needed = Counter(meld_cards(melds(held, best)))
    idle = sorted((Counter(held) - needed).elements())
    trumps = sum([card.suit == best for card in held])
    return [
        *found,
        (f"trumps if you name {best.name.lower()}", str(trumps)),
        ("not in any meld", spelled(idle) if idle else "none"),
    ]


def _meld_words(melds: Sequence[Meld]) -> str:
    """Each meld, and the sum."""
    each = [f"{meld.name} ({spelled(meld.cards)}) {meld.points}" for meld in melds]
    return f"{', '.join(each)}: {meld_points(melds)}" if len(each) > 1 else several(each)


def several(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "none"
