"""What the others may hold, as one seat sees it, and which cards of its own they can beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import slots_of
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.telling import load_told


@dataclass(frozen=True, slots=True)
class Outstanding:
    """Cards that others may hold."""

    trump: Suit | None
    counted: Callable[[Card], Card]  # as in `Ranking`
    cards: tuple[Card, ...]  # as they count, each as often as it may be held

    def suit_in_tricks(self, card: Card) -> Suit:
        """The suit that a card counts in."""
        return self.counted(card.face).suit

    def rank_in_tricks(self, card: Card) -> int:
        """The rank that a card counts as."""
        return self.counted(card.face).rank

    def strength(self, card: Card, led: Suit) -> tuple[bool, bool, int]:
        """A sort key of a card in a trick to which this suit is led; greater is better."""
        counts = self.counted(card.face)
        return _strength(counts, led, self.trump)

    def higher_in_suit(self, card: Card) -> list[Card]:
        """The cards of its suit that are higher than this one."""
        mine = self.counted(card.face)
        return [other for other in self.cards if other.suit == mine.suit and other.rank > mine.rank]

    def lower_in_suit(self, card: Card) -> list[Card]:
        """The cards of its suit that are lower than this one."""
        mine = self.counted(card.face)
        return [other for other in self.cards if other.suit == mine.suit and other.rank < mine.rank]

    def trumps_left(self) -> int:
        """How many trumps the others may hold."""
        return sum([other.suit == self.trump for other in self.cards])

    def can_beat(self, card: Card, led: Suit) -> bool:
        """Return whether any of these cards beats this one in a trick to which this suit is led."""
        mine = self.strength(card, led)
        return any(_strength(other, led, self.trump) > mine for other in self.cards)


def outstanding_cards(game: AnyGame, view: Any, seat: Seat) -> Outstanding:
    """The cards that the others may hold in a hand of tricks. view: as this seat sees it."""
    ranking, lies = game.ranking(view), game.layout(view)
    if ranking is not None:
        trump, counts = ranking.trump, ranking.counted
    else:
        trump = lies.trump.suit if lies.trump else None
        counts = load_told(game.key).tricks.counted
    left = Counter([card.face for card in game.pack(view.options)])
    left.subtract([slot.card.face for slot in slots_of(view) if slot.card])
    theirs = [card for held in view.hands if held.owner != seat for card in held.cards]
    theirs += [slot.card for pile in lies.piles if pile.kind == "melds" and pile.seat != seat for slot in pile.slots]
    cards = [*(+left).elements(), *[card.face for card in theirs if card]]
    return Outstanding(trump, counts, tuple(sorted([counts(card) for card in cards])))


def group_by_suit(cards: Iterable[Card], out: Outstanding) -> dict[Suit, list[Card]]:
    """The cards of each suit as they count, the highest first; the longest suit first."""
    suits: dict[Suit, list[Card]] = {}
    for card in sorted(cards, key=out.rank_in_tricks, reverse=True):
        suits.setdefault(out.suit_in_tricks(card), []).append(card)
    return dict(sorted(suits.items(), key=lambda one: (-len(one[1]), -one[0])))


def _strength(counts: Card, led: Suit, trump: Suit | None) -> tuple[bool, bool, int]:
    trumps = trump is not None and counts.suit == trump
    follows = counts.suit == led
    return trumps, follows, counts.rank if trumps or follows else 0
