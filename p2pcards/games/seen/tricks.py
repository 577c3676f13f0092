"""What the tricks of a hand tell of the cards that others hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_

from p2pcards.cards.card import Card, Suit, cards_of
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.tricks import PACK, SUITS, Tricks
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Action, Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.tricks import KeptTricks, TrickState, trick_winner

SEATS = 4
Counted = Callable[[Card], Card]


def read_kept(
    view: KeptTricks,
    seat: Seat,
    choices: Sequence[Action],
    moves: Callable[[Action], Sequence[int]],
    barred: Iterable[int],
    worlds: Callable[[list[int], list[Room]], Worlds] = Worlds,
    *,
    race: Race | None = None,
) -> Reading:
    """The reading of a view that keeps its deal in masks. barred: by seat, the cards that it has shown not to hold;
    race: the game that the hand is played to win."""
    deal, masks = view.deal, list(barred)
    rooms = [
        Room(place, number, masks[place] if place < len(masks) else 0)
        for place, number in enumerate(deal.hidden)
        if number
    ]
    position, played = deal.imagined(), list(map(int, view.played))
    position.wait_for(seat)
    position.enter(race)
    start = deal.before_play(view.leads[0] if played else seat)
    for number, card in enumerate(played):
        start.hold((view.leads[number // SEATS] + number) % SEATS, card)
    unseen = list(map(int, cards_of(PACK & ~reduce(or_, deal.places()))))
    return Reading(position, worlds(unseen, rooms), choices, moves, start, played)


def shown_voids(view: KeptTricks, free: Suit | None = None) -> list[int]:
    """By seat, the suits that it did not follow, as masks. free: a suit that may be played instead."""
    barred = [0] * SEATS
    for number, card in enumerate(view.played):
        led = view.played[number - number % SEATS]
        if card.suit not in (led.suit, free):
            barred[(view.leads[number // SEATS] + number) % SEATS] |= SUITS[led.suit]
    return barred


def tricks_of(
    state: TrickState, trump: Suit | None = None, out: Seat | None = None, counted: Counted = lambda card: card
) -> list[tuple[Seat, tuple[Card, ...]]]:
    """Every trick of the hand in the order of play, the one on the table too: who led, and the cards, each as what it
    counts. trump, out, counted: as in `games.tricks` and `games.game.Ranking`."""
    order = [seat for seat in range(len(state.hands)) if seat != out]
    piles = [[counted(slot.card) for slot in slots] for slots in state.taken]
    taker, found = state.leader, []
    while piles[taker]:
        cards = tuple(piles[taker][-len(order) :])
        del piles[taker][-len(order) :]
        taker = order[(order.index(taker) - trick_winner(cards, trump)) % len(order)]
        found.append((taker, cards))
    found.reverse()
    return [*found, (state.leader, tuple([counted(slot.card) for slot in state.trick]))]


def voids(
    tricks: Sequence[tuple[Seat, tuple[Card, ...]]], seats: int, out: Seat | None = None, free: Suit | None = None
) -> tuple[frozenset[Suit], ...]:
    """By seat the suits that it did not follow, and so does not hold. free: a suit that may be played instead."""
    order = [seat for seat in range(seats) if seat != out]
    found: list[set[Suit]] = [set() for _ in range(seats)]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if card.suit not in (cards[0].suit, free):
                found[order[(order.index(leader) + place) % len(order)]].add(cards[0].suit)
    return tuple(map(frozenset, found))


def unplay(
    start: SearchPosition,
    tricks: Sequence[tuple[Seat, tuple[Card, ...]]],
    out: Seat | None = None,
    number: Callable[[Card], int] = int,
) -> list[int]:
    """Give the cards of these tricks back to the seats that played them, in a hand before the first of these. number:
    what the kernel calls a card, where that is not its byte. The cards in their order."""
    played = list[int]()
    order = [seat for seat in range(SEATS) if seat != out]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            played.append(number(card))
            start.hold(order[(order.index(leader) + place) % len(order)], played[-1])
    return played


def replay(table: Tricks, tricks: Sequence[tuple[Seat, tuple[Card, ...]]]) -> None:
    """Lay the tricks of a hand on a table whose hands are empty."""
    for leader, cards in tricks:
        table.begin_trick(leader)
        for card in cards:
            table.lay(card)
