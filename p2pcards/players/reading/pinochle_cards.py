"""Cards of pinochle as the kernels count them, and what tricks tell of the hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.game import Seat
from p2pcards.games.pinochle_cards import ASCENDING, counted, winning_place
from p2pcards.players.kernels.pinochle_tricks import OVER, RANKS
from p2pcards.players.kernels.pinochle_tricks import SUITS as MASKS
from p2pcards.players.kernels.pinochle_tricks import PinochleTricks

Tricks = Sequence[tuple[Seat, tuple[Card, ...]]]


def number_of(card: Card) -> int:
    """The number of its face."""
    return card.suit * RANKS + counted(card.face).rank - 7


def values_of(values: Mapping[int, int]) -> list[int]:
    """What each face counts. values: by rank."""
    return [values.get(rank, 0) for _ in SUITS for rank in ASCENDING]


def lay_out(table: PinochleTricks, pack: Iterable[Card], tricks: Tricks) -> None:
    """Lay the tricks of a hand on a table whose hands are empty."""
    for card in pack:
        table.add(table.seats, number_of(card))
    for leader, cards in tricks:
        table.turn = leader
        for card in cards:
            table.lay(number_of(card))


def barred_by(tricks: Tricks, seats: int, trump: Suit, *, to_trump: bool, to_win: Collection[Suit]) -> list[int]:
    """By seat the faces that it cannot hold, as it did not play them where the rules ask for them. to_trump, to_win: as
    in `games.pinochle_cards.playable`."""
    barred = [0] * seats
    for leader, cards in tricks:
        led = cards[0].suit if cards else trump
        for place in range(1, len(cards)):
            seat, card = (leader + place) % seats, cards[place]
            best = cards[winning_place(cards[:place], trump)]
            if card.suit != led:
                barred[seat] |= MASKS[led]
                if to_trump and card.suit != trump:
                    barred[seat] |= MASKS[trump]
            asked = card.suit == led or (to_trump and card.suit == trump)
            if asked and led in to_win and card.suit == best.suit and counted(card) <= counted(best):
                barred[seat] |= OVER[number_of(best)]
    return barred
