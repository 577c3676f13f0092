"""Cards of pinochle as the kernels count them, and what tricks tell of the hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.deals.pinochle_melds import MeldValues
from p2pcards.games.deals.pinochle_tricks import OVER, RANKS, PinochleTricks
from p2pcards.games.deals.pinochle_tricks import SUITS as MASKS
from p2pcards.games.game import Seat, sum_of_items
from p2pcards.games.pinochle_cards import ACE, ASCENDING, JACK, KING, QUEEN, counted_card, winning_place
from p2pcards.games.pinochle_hand import MeldState
from p2pcards.games.pinochle_melds import Values
from p2pcards.games.seen.tricks import tricks_so_far
from p2pcards.games.tricks import TrickState

FACES = {counted_card(Card.of(rank, suit)): Card.of(rank, suit) for suit in SUITS for rank in ASCENDING}
Tricks = Sequence[tuple[Seat, tuple[Card, ...]]]


@cache
def face_number(card: Card) -> int:
    """The number of a card's face in the search."""
    return card.suit * RANKS + counted_card(card.face).rank - 7


def face_values(values: Mapping[int, int]) -> list[int]:
    """What each face counts, by its number. values: points by rank."""
    return [values.get(rank, 0) for _ in SUITS for rank in ASCENDING]


def meld_values_of(values: Values) -> MeldValues:
    """The points of melds that are shown all at once, in the form that the search takes."""
    sets = [_points_by_number(values.ranks[rank]) for rank in (JACK, QUEEN, KING, ACE)]
    return MeldValues(
        _points_by_number(values.flush),
        [points for each in sets for points in each],
        _points_by_number(values.pinochle),
        values.royal,
        values.marriage,
        values.nine,
    )


def tricks_played(state: TrickState, trump: Suit) -> list[tuple[Seat, tuple[Card, ...]]]:
    """Every trick of the hand, the one on the table too: who led, and the cards."""
    tricks = tricks_so_far(state, trump, counted=counted_card)
    return [(leader, tuple([FACES[card] for card in cards])) for leader, cards in tricks]


def known_starting_cards(state: TrickState, tricks: Tricks) -> list[list[Card]]:
    """By seat the cards that are known to have been in its hand when play began."""
    found = [list(held.cards) for held in state.hands]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            found[(leader + place) % len(found)].append(card)
    return found


def faces_excluded_by_melds(
    melds: MeldValues, known: Iterable[Card], others: Iterable[Card], trump: Suit, points: int
) -> int:
    """The faces that cannot be in a hand, since with one more of them its melds would count more than they do. known:
    cards that are; points: what the melds of the whole hand count."""
    table = PinochleTricks(1, 0, False, 0, [])
    for card in known:
        table.add_face(0, face_number(card))
    found = 0
    for card in others:
        table.add_face(0, face_number(card))
        if melds.meld_points(table.hands, 0, trump) > points:
            found |= 1 << face_number(card)
        table.remove_face(0, face_number(card))
    return found


def powers_of_two(steps: int) -> list[int]:
    """The powers of two of which a number is the sum, ascending."""
    return [power for power in range(steps.bit_length()) if steps >> power & 1]


def replay_on_table(table: PinochleTricks, pack: Iterable[Card], tricks: Tricks) -> None:
    """Play the tricks of a hand on a table whose hands are empty."""
    for card in pack:
        table.add_face(table.seats, face_number(card))
    for leader, cards in tricks:
        table.begin_trick(leader)
        for card in cards:
            table.play_face(face_number(card))


def faces_barred(
    view: MeldState,
    tricks: Tricks,
    unseen: Iterable[Card],
    melds: MeldValues,
    *,
    to_trump: bool,
    to_win: Collection[Suit],
) -> list[int]:
    """By seat the faces that it cannot hold, by what it played and by the melds that it showed. to_trump, to_win: as in
    `games.pinochle_cards.playable`."""
    if view.trump is None:
        return [0] * len(view.hands)
    barred = _faces_barred_by_play(tricks, len(view.hands), view.trump, to_trump=to_trump, to_win=to_win)
    known, others = known_starting_cards(view, tricks), set(unseen)
    return [
        faces | faces_excluded_by_melds(melds, known[seat], others, view.trump, sum_of_items(view.melds[seat]))
        for seat, faces in enumerate(barred)
    ]


def _faces_barred_by_play(
    tricks: Tricks, seats: int, trump: Suit, *, to_trump: bool, to_win: Collection[Suit]
) -> list[int]:
    """By seat the faces that it cannot hold, as it did not play them where the rules ask for them."""
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
            if asked and led in to_win and card.suit == best.suit and counted_card(card) <= counted_card(best):
                barred[seat] |= OVER[face_number(best)]
    return barred


def _points_by_number(points: Sequence[int]) -> list[int]:
    """The points by how many melds there are at once, from none to four."""
    return [0, *points, *[0] * (4 - len(points))]
