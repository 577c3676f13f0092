"""What can be melded of a hand of pinochle, what is missing, and what can be let go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from p2pcards.cards.card import SUITS, Card, Suit, spelled
from p2pcards.cards.eyes import slots_of
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.pinochle import rules as pinochle
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.pinochle2.melds import BARS, Pattern
from p2pcards.games.pinochle_bid import rules as pinochle_bid
from p2pcards.games.pinochle_melds import Meld, bid_melds, meld_cards, meld_points
from p2pcards.views.trick_analysis import Found, of_tricks

MOST = 4
"""How many melds that lack a card are told, and how many cards that would help."""


# --- two-handed -------------------------------------------------------------------------------------------------------


def of_two_handed_pinochle(game: AnyGame, view: pinochle2.State, seat: Seat) -> Found:
    """As long as melds are made what they are; afterwards what the hand is good for in tricks."""
    if view.phase == pinochle2.Phase.SECOND or view.trump is None:
        return of_tricks(game, view, seat)
    held = view.hands[seat].cards
    ways: dict[Pattern, tuple[Card, ...]] = {}
    for pattern, named in pinochle2.open_now(view, seat):
        ways.setdefault(pattern, named)
    whole = sorted(ways, key=lambda pattern: -pattern.points)
    near = _near(view, seat, whole)
    found: Found = [("can be melded", _several([f"{one.name} ({spelled(ways[one])}) {one.points}" for one in whole]))]
    found.append(("lack one card", _several([_near_words(*one) for one in near[:MOST]])))
    used = {card.face for pattern in ways for card in pattern.cards} | {
        card for one, _, _ in near for card in one.cards
    }
    idle = [card for card in held if card not in used]
    return [*found, ("can be let go, being in none of these", spelled(idle) if idle else "none")]


def _near(view: pinochle2.State, seat: Seat, whole: Sequence[Pattern]) -> list[tuple[Pattern, Card, int]]:
    """The melds that lack one card, the most points first, with that card and how many of it may still come."""
    held, laid = set(view.hands[seat].cards), view.laid[seat]
    seen = Counter([slot.card.face for slot in slots_of(view) if slot.card])
    pack = Counter(pinochle2.GAME.pack(view.options))
    found = []
    for pattern in pinochle2.known_melds(view).values():
        barred = BARS[pattern.kind]
        there = held | {each.slot.card.face for each in laid if barred.isdisjoint(each.uses)}
        lacking = [card for card in pattern.cards if card not in there]
        if pattern not in whole and len(pattern.cards) > 1 and len(lacking) == 1:
            left = pack[lacking[0]] - seen[lacking[0]]
            found += [(pattern, lacking[0], left)] * bool(left)
    return sorted(found, key=lambda one: -one[0].points)


def _near_words(pattern: Pattern, card: Card, left: int) -> str:
    return f"{pattern.name} {pattern.points} lacks {card} ({left} not seen)"


# --- with bidding -----------------------------------------------------------------------------------------------------


def of_partnership_pinochle(game: AnyGame, view: pinochle.State, seat: Seat) -> Found:
    """Before trump is named what the hand could meld; afterwards what it is good for in tricks."""
    if view.trump is not None:
        return of_tricks(game, view, seat)
    return _by_trump(view.hands[seat].cards, SUITS, view.options.form.melds)


def of_bid_pinochle(game: AnyGame, view: pinochle_bid.State, seat: Seat) -> Found:
    """The same; while cards are selected also what one card more would be worth."""
    if view.trump is not None:
        return of_tricks(game, view, seat)
    held = view.hands[seat].cards
    found = _by_trump(held, pinochle_bid.nameable(held), bid_melds)
    return [*found, ("one card more", _helping(view, held))] if view.selecting else found


def _by_trump(
    held: Sequence[Card], suits: Iterable[Suit], melds: Callable[[Sequence[Card], Suit], Sequence[Meld]]
) -> Found:
    """The melds of each suit that may be named, the best first; and the cards that are in none of those of the best."""
    ways = sorted([(meld_points(melds(held, suit)), suit) for suit in suits], reverse=True)
    if not ways:
        return [("melds", "no suit that may be named as trump")]
    found = [(f"melds with {suit.name.lower()} as trump", _meld_words(melds(held, suit))) for _, suit in ways]
    best = ways[0][1]
    needed = Counter(meld_cards(melds(held, best)))
    idle = sorted((Counter(held) - needed).elements())
    trumps = sum([card.suit == best for card in held])
    return [
        *found,
        (f"trumps if {best.name.lower()} is named", str(trumps)),
        ("in no meld then", spelled(idle) if idle else "none"),
    ]


def _helping(view: pinochle_bid.State, held: Sequence[Card]) -> str:
    """The cards that would add most to the melds of the best trump."""
    seen = Counter([slot.card.face for slot in slots_of(view) if slot.card])
    left = Counter(pinochle_bid.GAME.pack(view.options)) - seen
    now = _best(held)
    gains = sorted([(_best([*held, card]) - now, card) for card in left], reverse=True)
    return _several([f"{card} adds {gain} ({left[card]} not seen)" for gain, card in gains[:MOST] if gain > 0])


def _best(held: Sequence[Card]) -> int:
    return max([meld_points(bid_melds(held, suit)) for suit in pinochle_bid.nameable(held)], default=0)


def _meld_words(melds: Sequence[Meld]) -> str:
    """Each meld, and the sum."""
    each = [f"{meld.name} ({spelled(meld.cards)}) {meld.points}" for meld in melds]
    return f"{', '.join(each)}: {meld_points(melds)}" if len(each) > 1 else _several(each)


def _several(words: Sequence[Any]) -> str:
    return ", ".join(words) if words else "none"
