"""What the tricks of a hand tell of the cards that others hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_

from p2pcards.cards.card import Card, Suit, cards_of_mask
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.tricks import PACK, SUITS, WIDTH
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Action, Seat
from p2pcards.games.seen.reading import Reading
from p2pcards.games.tricks import KeptTricks, TrickState, winning_index

SEATS = 4
Counted = Callable[[Card], Card]


def reading_of_kept_deal(
    view: KeptTricks,
    seat: Seat,
    choices: Sequence[Action],
    moves: Callable[[Action], Sequence[int]],
    barred: Iterable[int],
    worlds: Callable[[list[int], list[Room]], Worlds] = Worlds,
    *,
    race: Race | None = None,
    pack: int = PACK,
    beside: Sequence[Room] = (),
) -> Reading:
    """The reading of a view that keeps its deal in masks. barred: by seat, the cards that it has shown not to hold;
    race: the game that the hand is played to win; pack: the cards of it; beside: where unseen cards lie that are not of
    the deal."""
    deal, masks = view.deal, list(barred)
    rooms = [
        Room(place, number, masks[place] if place < len(masks) else 0)
        for place, number in enumerate(deal.hidden)
        if number
    ]
    position = deal.copy_without_hidden()
    position.set_turn(seat)
    position.set_race(race)
    played = [(player, int(deal.number_of(card))) for player, card in view.plays()]
    start = deal.copy_before_play(view.leads[0] if played else seat)
    for player, number in played:
        start.place_card(player, number)
    unseen = [int(deal.number_of(card)) for card in cards_of_mask(pack & ~reduce(or_, deal.known_cards_by_place()))]
    cards = [number for _, number in played]
    return Reading(position, worlds(unseen, [*rooms, *beside]), choices, moves, start, cards)


def played_by_seat(view: KeptTricks) -> list[int]:
    """By seat, the cards that it has played, as the masks of the deal number them."""
    played = [0] * SEATS
    for seat, card in view.plays():
        played[seat] |= 1 << view.deal.number_of(card)
    return played


def void_masks(view: KeptTricks, free: Suit | None = None) -> list[int]:
    """By seat, masks of the suits that it did not follow. free: a suit that may be played instead."""
    barred, led = [0] * SEATS, 0
    for place, (seat, card) in enumerate(view.plays()):
        suit = view.deal.number_of(card) // WIDTH
        if place % view.players == 0:
            led = suit
        elif suit not in (led, free):
            barred[seat] |= SUITS[led]
    return barred


def tricks_so_far(
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
        taker = order[(order.index(taker) - winning_index(cards, trump)) % len(order)]
        found.append((taker, cards))
    found.reverse()
    return [*found, (state.leader, tuple([counted(slot.card) for slot in state.trick]))]


def void_suits(
    tricks: Sequence[tuple[Seat, tuple[Card, ...]]], seats: int, out: Seat | None
) -> tuple[frozenset[Suit], ...]:
    """By seat the suits that it did not follow, and so does not hold."""
    order = [seat for seat in range(seats) if seat != out]
    found: list[set[Suit]] = [set() for _ in range(seats)]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if card.suit != cards[0].suit:
                found[order[(order.index(leader) + place) % len(order)]].add(cards[0].suit)
    return tuple(map(frozenset, found))


def return_played_cards(
    start: SearchPosition, tricks: Sequence[tuple[Seat, tuple[Card, ...]]], number: Callable[[Card], int]
) -> list[int]:
    """Give the cards of these tricks back to the hands that played them, and return the cards in order, by number.
    start: the hand before the first trick. number: what the search calls a card."""
    played = list[int]()
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            played.append(number(card))
            start.place_card((leader + place) % SEATS, played[-1])
    return played
