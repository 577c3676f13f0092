"""What is told of the melds of a hand of pinochle with bidding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from p2pcards.cards.card import Card, Suit, spell_cards
from p2pcards.games.pinochle_melds import NO_TRUMP_SUIT, Meld, meld_cards, meld_points
from p2pcards.games.telling import Found

MOST = 4
"""How many melds that lack a card are told, and how many cards that would help."""


def melds_by_trump(
    held: Sequence[Card], suits: Iterable[Suit], melds: Callable[[Sequence[Card], Suit], Sequence[Meld]]
) -> Found:
    """Findings on the melds under each trump that may be named, the best first, and the cards that are in none of those
    of the best."""
    ways = sorted([(meld_points(melds(held, suit)), suit) for suit in suits], reverse=True)
    if not ways:
        return [("melds", NO_TRUMP_SUIT)]
    found = [(f"melds with {suit.name.lower()} as trump", _melds_text(melds(held, suit))) for _, suit in ways]
    best = ways[0][1]
    needed = Counter(meld_cards(melds(held, best)))
    idle = sorted((Counter(held) - needed).elements())
    trumps = sum([card.suit == best for card in held])
    return [
        *found,
        (f"trumps if you name {best.name.lower()}", str(trumps)),
        ("not in any meld", spell_cards(idle) if idle else "none"),
    ]


def _melds_text(melds: Sequence[Meld]) -> str:
    """Each meld, and the sum, as text."""
    each = [f"{meld.name} ({spell_cards(meld.cards)}) {meld.points}" for meld in melds]
    return f"{', '.join(each)}: {meld_points(melds)}" if len(each) > 1 else join_words(each)


def join_words(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "none"
