"""Hearts, read for a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from p2pcards.cards.card import Card
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.game import Seat
from p2pcards.games.hearts.deal import Hearts, HeartsRules
from p2pcards.games.hearts.rules import CYCLES, PACK, SEATS, Action, Options, Pass, State, legal
from p2pcards.games.seen.reading import Reading
from p2pcards.games.seen.tricks import replay, tricks_of, unplay, voids

WEIGHED = 7
"""Cards of which three to pass are chosen."""


def read(view: State, seat: Seat) -> Reading:
    """A seat's view of a hand in which it owes an action."""
    tricks = tricks_of(view)
    position = _position(view, tricks)
    known = [card for held in (*view.hands, *view.passed) for card in held.cards]
    fallen = [card for _, cards in tricks for card in cards]
    unseen = [int(card) for card in PACK if card not in known and card not in fallen]
    shown = voids(tricks, SEATS)
    rooms = [
        Room(other, len(held) - len(held.cards), sum([SUITS[suit] for suit in shown[other]]))
        for other, held in enumerate(view.hands)
    ]
    rooms += [Room(SEATS + other, len(held) - len(held.cards)) for other, held in enumerate(view.passed)]
    position.go_on(seat, bool(view.passed), view.broken)
    choices = _to_pass(position, view.hands[seat].cards) if view.passed else legal(view, seat)
    start = _position(view, [])
    start.go_on(tricks[0][0], False, False)
    start.tricks.begin(tricks[0][0])
    played = unplay(start, tricks)
    return Reading(position, Worlds(unseen, [room for room in rooms if room.size]), choices, moves, start, played)


def moves(action: Action) -> Sequence[int]:
    """The cards that are passed, or the one that is played."""
    return list(action.cards if isinstance(action, Pass) else (action.card,))


def rules_of(options: Options, hand: int) -> HeartsRules:
    """The options as they hold for the hand of this number."""
    cycle = CYCLES[options.passing]
    return HeartsRules(
        cycle[(hand - 1) % len(cycle)],
        options.opening_lead == "two_of_clubs",
        options.two_must_be_led,
        options.points_on_first_trick,
        options.break_hearts,
        options.queen_breaks_hearts,
        options.queen_points,
        options.jack_of_diamonds,
        options.no_trick_bonus,
        options.moon == "add",
        options.quit_when_points_played,
    )


def _position(view: State, tricks: list[tuple[Seat, tuple[Card, ...]]]) -> Hearts:
    assert view.dealer is not None
    position = Hearts(rules_of(view.options, view.hand), view.dealer)
    replay(position.tricks, tricks)
    for place, held in enumerate((*view.hands, *view.passed)):
        for card in held.cards:
            position.hold(place, card)
    return position


def _to_pass(position: Hearts, held: tuple[Card, ...]) -> list[Pass]:
    """Three cards each of those that rules of thumb would be rid of first."""
    apart = position.copy()
    gladly: list[Card] = []
    for _ in range(min(WEIGHED, len(held))):
        number = apart.burden(apart.tricks.hands[apart.turn])
        gladly.append(Card(number))
        apart.tricks.hands[apart.turn] &= ~(1 << number)
    return [Pass(tuple(sorted(three))) for three in combinations(gladly, 3)]
